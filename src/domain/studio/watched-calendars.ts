import { calendarErrorWords } from '../../icalendar/calendar-reader.js';
import { recordAudit } from '../../repositories/audit.js';
import { recordCalendarChange } from '../../repositories/events.js';
import {
  claimCalendar,
  countWatchedCalendars,
  deleteWatchedCalendar,
  findCalendarByAddress,
  findCalendarOverview,
  insertWatchedCalendar,
  listCalendarOverviews,
  lockWatchedCalendars,
  type WatchedCalendarOverview as WatchedCalendar,
} from '../../repositories/watched-calendars.js';
import { checkAddress, hashesOfAddress, sealAddress } from './calendar-address.js';
import { maxCalendarLabelLength } from './calendar-feeds.js';
import { fetchClaimed, type FetchServices } from './calendar-fetches.js';
import { textOf } from './fields.js';

export type WatchServices = FetchServices;

/** A watched calendar without its address. */
export type { WatchedCalendarOverview as WatchedCalendar } from '../../repositories/watched-calendars.js';

export const maxWatchedCalendars = 10;

export interface NewWatch {
  /** `https:` or `webcal:`. */
  address: string;
  /** Null: the host of the address. */
  label: string | null;
  /** Whose sessions it closes; null or left out: everybody's. */
  artistId?: number | null;
  /** Whether to watch it even if it cannot be read now: until it can, it closes nothing. */
  evenIfUnreadable?: boolean;
}

export type AddedWatch =
  /** It was fetched once: `last_error` if that failed, which only `evenIfUnreadable` permits. */
  | { outcome: 'added'; calendar: WatchedCalendar }
  | { outcome: 'exists'; calendar: WatchedCalendar }
  /** The calendar cannot be read, and is not watched. */
  | { outcome: 'unreadable'; message: string }
  /** `field`: the field of the message, if it is about one. */
  | { outcome: 'refused'; field: 'address' | 'label' | null; message: string };

/** Begins to watch a calendar, and fetches it for the first time. */
export async function addWatchedCalendar(
  context: WatchServices,
  actor: string,
  watch: NewWatch,
): Promise<AddedWatch> {
  const { database, keyring } = context;
  const label = watch.label === null ? null : textOf(maxCalendarLabelLength)(watch.label);
  if (label !== null && 'problem' in label) {
    return { outcome: 'refused', field: 'label', message: `The label: ${label.problem}` };
  }
  const checked = await checkAddress(context, watch.address);
  if ('message' in checked) {
    return { outcome: 'refused', field: 'address', message: checked.message };
  }
  const { href: address, hostname: host } = checked.url;
  const values = {
    label: label?.value ?? host.slice(0, maxCalendarLabelLength),
    host,
    artistId: watch.artistId ?? null,
    ...sealAddress(keyring, address),
  };
  const inserted = await database.transaction().execute(async (transaction) => {
    await lockWatchedCalendars(transaction);
    const same = await findCalendarByAddress(transaction, hashesOfAddress(keyring, address));
    if (same !== null) return { outcome: 'exists' as const, calendar: same };
    if ((await countWatchedCalendars(transaction)) >= maxWatchedCalendars) {
      const message = `There are ${maxWatchedCalendars} watched calendars already: remove one first.`;
      return { outcome: 'refused' as const, field: null, message };
    }
    const claimed = await insertWatchedCalendar(transaction, values);
    await recordAudit(transaction, actor, 'calendar watch add', { calendar_id: claimed.id });
    return { outcome: 'added' as const, claimed };
  });
  if (inserted.outcome !== 'added') return inserted;
  const { claimed } = inserted;
  const reading = await fetchClaimed(context, claimed);
  if (reading.outcome === 'failed' && !watch.evenIfUnreadable) {
    await removeWatchedCalendar(context, actor, claimed.id);
    const { error, statusCode } = reading;
    return { outcome: 'unreadable', message: calendarErrorWords(error, statusCode) };
  }
  const added = await findCalendarOverview(database, claimed.id);
  return added === null
    ? { outcome: 'refused', field: null, message: 'The calendar was removed meanwhile.' }
    : { outcome: 'added', calendar: added };
}

/** The watched calendars, the newest first. */
export async function listWatchedCalendars({
  database,
}: Pick<WatchServices, 'database'>): Promise<WatchedCalendar[]> {
  return listCalendarOverviews(database);
}

/** Stops watching a calendar: the slots that only it closed are open again. Null if it does not exist. */
export async function removeWatchedCalendar(
  { database }: Pick<WatchServices, 'database'>,
  actor: string,
  id: string,
): Promise<WatchedCalendar | null> {
  return database.transaction().execute(async (transaction) => {
    // Concurrent removals find nothing.
    await lockWatchedCalendars(transaction);
    const calendar = await findCalendarOverview(transaction, id);
    if (calendar === null) return null;
    await deleteWatchedCalendar(transaction, id);
    await recordCalendarChange(transaction, 'calendar watch remove');
    await recordAudit(transaction, actor, 'calendar watch remove', { calendar_id: id });
    return calendar;
  });
}

/** Fetches one calendar now, unless another process does. Null if it does not exist. */
export async function fetchWatchedCalendar(
  context: FetchServices,
  id: string,
): Promise<WatchedCalendar | null> {
  const claimed = await claimCalendar(context.database, id);
  if (claimed !== null) await fetchClaimed(context, claimed);
  return findCalendarOverview(context.database, id);
}
