import { dateAhead } from '../../test/support/http-requests.js';

/** What a hold of the slot sends. */
export function holdBody(slot: { date: string; time_slot: string }): string {
  return JSON.stringify({
    ...slot,
    name: 'Ada Park',
    email: 'ada@example.com',
    phone: '5555550142',
  });
}

/** 31 days from the day after tomorrow on. */
export function month(): { from: string; to: string } {
  return { from: dateAhead(2), to: dateAhead(32) };
}
