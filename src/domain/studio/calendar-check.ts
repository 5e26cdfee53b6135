import type {
  BodyReading,
  CalendarContents,
  CalendarFileReader,
  CalendarRequest,
} from '../../icalendar/calendar-reader.js';
import { findOwnIds } from '../../repositories/calendar-fetches.js';
import { readOpeningHours, readStudio } from '../../repositories/studio-settings.js';
import { slotsOverlapping } from '../../schedule/busy-times.js';
import { addDays } from '../../schedule/dates.js';
import {
  instantOfWallClock,
  longestSessionMs,
  parseSlotKey,
  type Slot,
  todayInZone,
} from '../../schedule/slots.js';
import { checkAddress } from './calendar-address.js';
import type { FetchServices } from './calendar-fetches.js';

/** A calendar that is not watched: an address, or the bytes of a file. */
export type CheckedSource = { address: string } | { body: Uint8Array };

export type CheckedCalendar =
  | ({ outcome: 'read'; timezone: string; slots: readonly Slot[] } & CalendarContents)
  /** The address cannot be watched. */
  | { outcome: 'refused'; message: string }
  | Exclude<BodyReading, { outcome: 'read' }>;

/**
 * What a calendar would close between two dates, inclusive; by default today and the last bookable date.
 * Stores nothing.
 */
export async function checkCalendar(
  context: FetchServices & { clock: { now(): number }; calendarReader: CalendarFileReader },
  source: CheckedSource,
  dates: { from?: string | undefined; to?: string | undefined },
): Promise<CheckedCalendar> {
  const { database, clock, config, calendarReader } = context;
  const [{ timezone }, openingHours] = await Promise.all([
    readStudio(database),
    readOpeningHours(database),
  ]);
  const today = todayInZone(timezone, clock.now());
  const { from = today, to = addDays(today, config.bookingHorizonDays) } = dates;
  // The intervals are cut where the last of these slots' longest session ends.
  const last = midnight(timezone, addDays(to, 1)) - longestSessionMs;
  const request = {
    timezone,
    slotStarts: [midnight(timezone, from), last],
    isWhole: true,
    findOwnIds: (ids: readonly string[]) => findOwnIds(database, ids),
  };
  let reading: BodyReading;
  if ('body' in source) reading = await calendarReader.readBody(source.body, request);
  else {
    const checked = await checkAddress(context, source.address);
    if ('message' in checked) return { outcome: 'refused', message: checked.message };
    const fetched = await calendarReader.read({
      ...request,
      address: checked.url.href,
      etag: null,
    });
    // Without an entity tag, `unchanged` is impossible.
    if (fetched.outcome === 'unchanged') return { outcome: 'aborted' };
    reading = fetched;
  }
  if (reading.outcome !== 'read') return reading;
  const slots = [...slotsOverlapping(reading.busy, { timezone, openingHours })]
    .map(parseSlotKey)
    .filter(({ date }) => from <= date && date <= to);
  return { ...reading, timezone, slots };
}

/** The events of a file between two dates, inclusive. Stores nothing. */
export function readCalendarFile(
  {
    database,
    calendarReader,
  }: Pick<FetchServices, 'database'> & { calendarReader: CalendarFileReader },
  body: Uint8Array,
  {
    from,
    to,
    ...request
  }: Pick<CalendarRequest, 'timezone' | 'listing'> & { from: string; to: string },
): Promise<BodyReading> {
  return calendarReader.readBody(body, {
    ...request,
    slotStarts: [midnight(request.timezone, from), midnight(request.timezone, addDays(to, 1))],
    findOwnIds: (ids) => findOwnIds(database, ids),
  });
}

function midnight(timezone: string, date: string): number {
  return instantOfWallClock(timezone, `${date}T00:00:00`).epochMs;
}
