import { Temporal } from 'temporal-polyfill';

/** When the studio closes on a weekday (1: Monday); null where it has no hours. */
export interface ClosingTime {
  weekday: number;
  closes: string | null;
}

/** Sessions begin four hours apart (specification, "What the service does", 4). */
export const longestSessionHours = 4;

/**
 * The latest end of a session: the start of the next one, or the closing time before that. The
 * interface defines no duration; calendar files need one.
 *
 * @param startsAt ms since the epoch, as the result
 */
export function sessionEndsAt(
  startsAt: number,
  timezone: string,
  openingHours: readonly ClosingTime[],
): number {
  const start = Temporal.Instant.fromEpochMilliseconds(startsAt).toZonedDateTimeISO(timezone);
  const longest = start.add({ hours: longestSessionHours }).epochMilliseconds;
  const closes = openingHours.find(({ weekday }) => weekday === start.dayOfWeek)?.closes;
  if (closes == null) return longest;
  const closing = start.withPlainTime(closes).epochMilliseconds;
  return closing > startsAt ? Math.min(closing, longest) : longest;
}
