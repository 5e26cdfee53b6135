import type { Test } from 'tap';
import type { Context } from '../../src/context.js';
import {
  addWatchedCalendar,
  listWatchedCalendars,
  type WatchedCalendar,
} from '../../src/domain/studio/watched-calendars.js';
import type { CalendarReading, CalendarRequest } from '../../src/icalendar/calendar-reader.js';
import type { BusyInterval } from '../../src/schedule/busy-times.js';
import { slotStartsAt, type Slot } from '../../src/schedule/slots.js';
import { shiftDatabaseClock } from './clock.js';
import { generous, startService } from './service.js';
import { startOver } from './start-over.js';
import { studioZone } from './zone-data.js';

/**
 * Answers requests for calendars without a network, by default that a calendar is never busy: the rest
 * of fetching is the service's own.
 */
export function prepareReader() {
  const requests: CalendarRequest[] = [];
  const closed = new AbortController();
  let next: (request: CalendarRequest) => Promise<CalendarReading> = async () => busyAt([]);
  const aborted = new Promise<CalendarReading>((resolve) =>
    closed.signal.addEventListener('abort', () => resolve({ outcome: 'aborted' })),
  );
  return {
    requests,
    read(request: CalendarRequest) {
      requests.push(request);
      return Promise.race([aborted, next(request)]);
    },
    async close() {
      closed.abort();
    },
    /** Sets what the reads from now on find. */
    find(reading: CalendarReading | ((request: CalendarRequest) => Promise<CalendarReading>)) {
      next = typeof reading === 'function' ? reading : async () => reading;
    },
    /** Makes the reads from now on wait; they end with `close`, or when the returned function is called. */
    hangUp() {
      let end: (reading: CalendarReading) => void = () => undefined;
      const ended = new Promise<CalendarReading>((resolve) => (end = resolve));
      next = () => ended;
      return end;
    },
  };
}

/** A reading that is busy at these times. */
export function busyAt(
  busy: readonly BusyInterval[],
  etag: string | null = null,
  {
    unreadable = { count: 0, lines: [] },
    hasEvents = true,
    movedTo = null,
  }: Partial<CalendarReading & { outcome: 'read' }> = {},
): CalendarReading {
  return { outcome: 'read', etag, busy, unreadable, hasEvents, movedTo, zones: {} };
}

const hourMs = 3_600_000;

/** An hour after the start of a session: it closes that slot alone. */
export function busyDuring({ date, timeSlot }: Slot): BusyInterval {
  const startsAt = slotStartsAt(studioZone, date, timeSlot).epochMs + hourMs;
  return { startsAt, endsAt: startsAt + hourMs };
}

/** Allows any host, so that adding a calendar needs no DNS. */
export const anyHost = { WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true' };

export const secretAddress = 'https://calendar.example.com/private/3kf9s0a7/ada.ics?key=q8w2';

export async function watch(
  context: Context,
  address = secretAddress,
  label: string | null = null,
): Promise<WatchedCalendar> {
  const given = { address, label, evenIfUnreadable: true };
  const added = await addWatchedCalendar(context, 'ada@desk', given);
  if (added.outcome !== 'added') throw new Error(JSON.stringify(added));
  return added.calendar;
}

/** Turns are ten minutes apart. */
export const turnMs = 600_000;

/** A service whose calendars answer without a network. Each test in `t` starts without any. */
export async function startWatching(t: Test, environment: Record<string, string> = {}) {
  const reader = prepareReader();
  const service = await startService(
    t,
    { ...generous, ...anyHost, ...environment },
    { overrides: { calendarReader: reader } },
  );
  const { context } = service;
  t.beforeEach(async () => {
    await startOver(context);
    reader.find(busyAt([]));
    reader.requests.length = 0;
  });
  return {
    ...service,
    reader,
    /** The only calendar. */
    async one(): Promise<WatchedCalendar> {
      const [calendar] = await listWatchedCalendars(context);
      if (calendar === undefined) throw new Error('no calendar is watched');
      return calendar;
    },
    /** Sets the database's clock, which decides what is due, ahead of the true time. */
    pass: (milliseconds: number) => shiftDatabaseClock(context.database, milliseconds),
    intervals: () =>
      context.database.selectFrom('busy_intervals').selectAll().orderBy('starts_at').execute(),
  };
}

/** The types and data of the events without a booking, oldest first. */
export async function calendarEvents({
  database,
}: Pick<Context, 'database'>): Promise<{ type: string; data: unknown }[]> {
  return database
    .selectFrom('events')
    .select(['type', 'data'])
    .where('booking_id', 'is', null)
    .orderBy('position')
    .execute();
}
