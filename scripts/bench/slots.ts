import { dateAhead } from '../../test/support/http-requests.js';

/** 31 days from the day after tomorrow on. */
export function month(): { from: string; to: string } {
  return { from: dateAhead(2), to: dateAhead(32) };
}
