import type { CalendarReading } from '../../icalendar/calendar-reader.js';
import { recordAudit } from '../../repositories/audit.js';
import {
  findOwnIds,
  isAnyCalendarBusy,
  lockClaimedCalendar,
  moveCalendar,
  recordCalendarFailures,
  recordFailedFetch,
  recordFetch,
  releaseCalendar,
  replaceBusyIntervals,
} from '../../repositories/calendar-fetches.js';
import { recordCalendarChange } from '../../repositories/events.js';
import { lockSlots } from '../../repositories/slot-taking.js';
import { readStudio } from '../../repositories/studio-settings.js';
import { claimDueCalendar, type ClaimedCalendar } from '../../repositories/watched-calendars.js';
import { addDays } from '../../schedule/dates.js';
import { dayOf, todayInZone } from '../../schedule/slots.js';
import type { DomainServices } from '../deps.js';
import { checkAddress, hashesOfAddress, openAddress, sealAddress } from './calendar-address.js';
import { recordConflicts } from './conflicts.js';

export type FetchServices = Pick<
  DomainServices,
  'database' | 'config' | 'keyring' | 'log' | 'metrics' | 'calendarReader' | 'webhookTargets'
>;

/** The limit that keeps servers without a response from delaying the other calendars. */
const concurrentFetches = 3;

/** Fetches the calendars that are due, each in one process. */
export async function fetchDueCalendars(context: FetchServices): Promise<void> {
  const fetching = Array.from({ length: concurrentFetches }, () => fetchWhileDue(context));
  const failure = (await Promise.allSettled(fetching)).find(({ status }) => status === 'rejected');
  if (failure?.status === 'rejected') throw failure.reason;
}

async function fetchWhileDue(context: FetchServices): Promise<void> {
  for (;;) {
    const claimed = await claimDueCalendar(context.database);
    if (claimed === null) return;
    const { outcome } = await fetchClaimed(context, claimed);
    // Another process fetches it.
    if (outcome === 'aborted') return;
  }
}

/** Fetches a calendar that this process has claimed, and ends the claim. */
export async function fetchClaimed(
  context: FetchServices,
  claimed: ClaimedCalendar,
): Promise<CalendarReading> {
  // The zone is read after the claim: a later change of the zone ends the claim.
  const { timezone } = await readStudio(context.database);
  const fetchWindow = fetchWindowAt(timezone, claimed.now, context.config.bookingHorizonDays);
  const reading = await read(context, claimed, timezone, fetchWindow);
  const failed = reading.outcome === 'failed';
  context.metrics.count('calendarFetches', { outcome: failed ? reading.error : reading.outcome });
  if (failed) {
    const { error, statusCode } = reading;
    context.log.info(
      { calendar_id: claimed.id, error, status_code: statusCode },
      'a watched calendar could not be read',
    );
  }
  await record(context, claimed, fetchWindow.text, reading);
  return reading;
}

async function read(
  { database, keyring, calendarReader }: FetchServices,
  claimed: ClaimedCalendar,
  timezone: string,
  fetchWindow: FetchWindow,
): Promise<CalendarReading> {
  const address = openAddress(keyring, claimed);
  if (address === null) return { outcome: 'failed', error: 'secret_lost', statusCode: null };
  return calendarReader.read({
    address,
    // After an empty read, the next one must be whole.
    etag:
      claimed.read_window === fetchWindow.text && claimed.empty_since === null
        ? claimed.etag
        : null,
    timezone,
    slotStarts: fetchWindow.slotStarts,
    findOwnIds: (ids) => findOwnIds(database, ids),
  });
}

async function record(
  context: FetchServices,
  claimed: ClaimedCalendar,
  readWindow: string,
  reading: CalendarReading,
): Promise<void> {
  const { database } = context;
  switch (reading.outcome) {
    case 'read':
      await recordRead(context, claimed, readWindow, reading);
      return;
    case 'unchanged':
      await recordFetch(database, claimed, null);
      return;
    case 'failed':
      await recordFailedFetch(database, claimed, reading);
      await recordCalendarFailures(database);
      return;
    case 'aborted':
      await releaseCalendar(database, claimed);
  }
}

async function recordRead(
  context: FetchServices,
  claimed: ClaimedCalendar,
  readWindow: string,
  reading: CalendarReading & { outcome: 'read' },
): Promise<void> {
  const { busy, etag, hasEvents, unreadable } = reading;
  const moved =
    reading.movedTo === null ? null : await movedAddress(context, claimed, reading.movedTo);
  // A calendar without its former events may be a fault of its server: the next read decides.
  const isEmptied = !hasEvents && claimed.has_events && claimed.empty_since === null;
  await context.database.transaction().execute(async (transaction) => {
    // Every concurrent hold or move is either committed before, or sees the intervals.
    await lockSlots(transaction);
    if (!(await lockClaimedCalendar(transaction, claimed))) return;
    if (!isEmptied && (await replaceBusyIntervals(transaction, claimed.id, busy))) {
      await recordCalendarChange(transaction, 'calendar fetch');
    }
    await recordConflicts(transaction);
    await recordFetch(transaction, claimed, {
      ...{ etag, readWindow, isEmptied, hasEvents },
      unreadable: unreadable.count === 0 ? null : unreadable,
    });
    if (unreadable.count > 0) await recordCalendarFailures(transaction);
    if (moved === null) return;
    const hashes = hashesOfAddress(context.keyring, moved.href);
    const sealed = { host: moved.hostname, ...sealAddress(context.keyring, moved.href) };
    if (await moveCalendar(transaction, claimed, sealed, hashes)) {
      await recordAudit(transaction, 'service', 'calendar watch move', { calendar_id: claimed.id });
    }
  });
}

/**
 * The address to which permanent redirects led, if its calendar was read; null unless it may be watched
 * and has the same registrable domain: whoever can redirect must not take the calendar elsewhere for
 * good.
 */
async function movedAddress(
  context: FetchServices,
  claimed: ClaimedCalendar,
  movedTo: string,
): Promise<URL | null> {
  const { webhookTargets, keyring } = context;
  const address = openAddress(keyring, claimed);
  if (address === null) return null;
  const checked = await checkAddress(context, movedTo);
  if ('message' in checked) return null;
  const before = new URL(address);
  if (checked.url.hostname === before.hostname) return checked.url;
  const domain = await webhookTargets.domainOf(before);
  return domain !== null && domain === (await webhookTargets.domainOf(checked.url))
    ? checked.url
    : null;
}

type FetchWindow = ReturnType<typeof fetchWindowAt>;

/** The days before today, for sessions that are running in any time zone. */
const pastDays = 2;
/** The days beyond the horizon, which moves on while a calendar cannot be read. */
const spareDays = 7;

/**
 * The slots that a fetch decides.
 *
 * @param now ms since the epoch
 */
function fetchWindowAt(timezone: string, now: number, horizonDays: number) {
  const today = todayInZone(timezone, now);
  const dayCount = pastDays + 1 + horizonDays + spareDays;
  const dates = Array.from({ length: dayCount }, (_, index) => addDays(today, index - pastDays));
  const slots = dates.flatMap((date) => dayOf(timezone, date).slots.filter(({ exists }) => exists));
  return {
    /** A text that differs on each day of the studio: the response for another window is not valid. */
    text: `${timezone} ${today} ${horizonDays}`,
    slotStarts: slots.map(({ epochMs }) => epochMs).sort((one, other) => one - other),
  };
}

/** Finds the conflicts of bookings that were confirmed since the last fetch. */
export async function findNewConflicts({
  database,
}: Pick<FetchServices, 'database'>): Promise<void> {
  if (!(await isAnyCalendarBusy(database))) return;
  await database.transaction().execute(async (transaction) => {
    await lockSlots(transaction);
    await recordConflicts(transaction);
  });
}
