import { Temporal } from 'temporal-polyfill';
import type { OpeningHoursRow } from '../repositories/studio.js';

/** Sessions begin four hours apart (specification, "What the service does", 4). */
export const longestSessionHours = 4;

/**
 * When a session is over at the latest: when the next one begins, or when the studio closes before
 * that. The interface names no duration; a calendar needs one.
 *
 * @param startsAt and the answer: ms since the epoch
 */
export function sessionEndsAt(
  startsAt: number,
  timezone: string,
  openingHours: readonly OpeningHoursRow[],
): number {
  const start = Temporal.Instant.fromEpochMilliseconds(startsAt).toZonedDateTimeISO(timezone);
  const longest = start.add({ hours: longestSessionHours }).epochMilliseconds;
  const closes = openingHours.find(({ weekday }) => weekday === start.dayOfWeek)?.closes;
  if (closes == null) return longest;
  const closing = start.withPlainTime(closes).epochMilliseconds;
  return closing > startsAt ? Math.min(closing, longest) : longest;
}
