import type { Kysely } from 'kysely';
import type { StudioChanges } from '../../database/rows/results.js';
import type { BookingRow, Database } from '../../database/rows/schema.js';
import type { StudioRow } from '../../database/rows/studio.js';
import type { StudioNotice } from '../../database/rows/studio.js';
import type { DatabaseServices } from '../../database/services.js';
import { recordAudit } from '../../repositories/audit.js';
import { listUpcomingOutsideZone } from '../../repositories/booking-search.js';
import { announceDueCalendars } from '../../repositories/due-mail.js';
import { recordCalendarChange } from '../../repositories/events.js';
import { lockSlots } from '../../repositories/slot-taking.js';
import {
  lockStudio,
  readAddresses,
  readStudio,
  updateStudio,
} from '../../repositories/studio-settings.js';
import { makeCalendarsDue } from '../../repositories/watched-calendars.js';
import {
  addressesAfter,
  addressMembers,
  type DatedAddress,
  type PostalAddress,
  studioOn,
} from '../../schedule/addresses.js';
import { type Calendar, scheduleState, type ScheduleState } from '../../schedule/calendar.js';
import { type Slot, slotKey, todayInZone } from '../../schedule/slots.js';
import { type AddressOptions, saveAddress, type TouchedSessions } from './addresses.js';
import { replaceBlocks } from './blocks.js';
import { isSameText, maxNotices, type StudioMember } from './fields.js';

type SettingsServices = Pick<DatabaseServices, 'database' | 'clock'>;

/** The current date in the studio's time zone. */
export async function studioToday(context: SettingsServices): Promise<string> {
  const { timezone } = await readStudio(context.database);
  return todayInZone(timezone, context.clock.now());
}

/** The studio at today's address, and the addresses that count only after today. */
interface PresentStudio {
  studio: StudioRow;
  coming: DatedAddress[];
}

async function readStudioAt(database: Kysely<Database>, now: number): Promise<PresentStudio> {
  const studio = await readStudio(database);
  const addresses = await readAddresses(database);
  const today = todayInZone(studio.timezone, now);
  return {
    studio: studioOn({ studio, addresses }, today),
    coming: addressesAfter(addresses, today),
  };
}

export interface StudioDetails extends PresentStudio {
  /** The upcoming live bookings that were made in another time zone than `timezone`. */
  bookingsInOtherZone: BookingRow[];
}

/** `timezone`: the studio's, unless given. */
export async function readStudioDetails(
  { database, clock }: SettingsServices,
  timezone?: string,
): Promise<StudioDetails> {
  const present = await readStudioAt(database, clock.now());
  const zone = timezone ?? present.studio.timezone;
  return { ...present, bookingsInOtherZone: await listUpcomingOutsideZone(database, zone) };
}

export type ChangedStudio =
  | {
      outcome: 'saved';
      studio: StudioRow;
      /** The changed members. If empty, nothing was written. */
      changed: string[];
      /** Upcoming live bookings that were made in another time zone. */
      bookingsInOtherZone: number;
      /** The sessions that have another place now. */
      touched: BookingRow[];
    }
  | TouchedSessions
  /** The address is to count from a past date. Nothing was written. */
  | { outcome: 'past' }
  /** These members, or the addresses to come, differ from `seen`. Nothing was written. */
  | { outcome: 'changed'; studio: StudioRow; members: string[] };

/** The texts of the studio as a form showed those that it changes. */
export type SeenStudio = Partial<Record<StudioMember, string>>;

/**
 * Changes the studio's details; with `seen`, only if the members to change have not changed since. With a
 * new time zone, open slots follow its wall clock from now on; existing bookings keep their instant. The
 * members of an address count from the date of `addressOptions` on; its other members are those of that
 * date.
 */
export async function changeStudio(
  context: SettingsServices,
  actor: string,
  changes: StudioChanges,
  seen: SeenStudio = {},
  addressOptions: AddressOptions = {},
): Promise<ChangedStudio> {
  return context.database.transaction().execute(async (transaction) => {
    const isAddress = (member: string) => (addressMembers as readonly string[]).includes(member);
    // Every concurrent hold, move or confirmation is either committed and seen here, or sees the address;
    // so does every block with the time zone.
    const isLocking = (member: string) => isAddress(member) || member === 'timezone';
    if (Object.keys(changes).some(isLocking)) await lockSlots(transaction);
    const row = await lockStudio(transaction);
    const addresses = await readAddresses(transaction);
    const today = todayInZone(changes.timezone ?? row.timezone, context.clock.now());
    const { from = today, seenComing } = addressOptions;
    if (from < today) return { outcome: 'past' };
    /** The studio with the address that is replaced. */
    const before = studioOn({ studio: row, addresses }, from);
    const changed = Object.entries(changes)
      .filter(([member, value]) => !isSame(before[member as keyof StudioRow], value))
      .map(([member]) => member);
    const overtaken = changed.filter((member) => {
      const text = seen[member as StudioMember];
      return text !== undefined && !isSameText(text, before[member as StudioMember]);
    });
    const coming = addressesAfter(addresses, today);
    const movesTo = changed.some(isAddress) ? addressFrom(from, before, changes) : null;
    const hasOtherComing =
      movesTo !== null && seenComing !== undefined && JSON.stringify(coming) !== seenComing;
    if (overtaken.length > 0 || hasOtherComing) {
      return { outcome: 'changed', studio: before, members: overtaken };
    }
    const saved = { outcome: 'saved', changed, bookingsInOtherZone: 0 } as const;
    if (changed.length === 0) return { ...saved, studio: before, touched: [] };
    const moves = movesTo && (await saveAddress(transaction, row, movesTo, today, addressOptions));
    if (moves?.outcome === 'touches') return moves;
    const others = Object.entries(changes).filter(([member]) => !isAddress(member));
    if (others.length > 0) await updateStudio(transaction, Object.fromEntries(others));
    await recordCalendarChange(transaction, 'info set');
    await recordAudit(transaction, actor, 'info set', {
      changed,
      ...(moves !== null && {
        address_from: from,
        changed_bookings: moves.touched.map(({ id }) => id),
      }),
    });
    const { studio } = await readStudioAt(transaction, context.clock.now());
    const outcome = { ...saved, studio, touched: moves?.touched ?? [] };
    if (!changed.includes('timezone')) return outcome;
    await replaceBlocks(transaction);
    // All-day events, and times without a zone, are now at other instants.
    await makeCalendarsDue(transaction);
    await announceDueCalendars(transaction);
    const { length } = await listUpcomingOutsideZone(transaction, studio.timezone);
    return { ...outcome, bookingsInOtherZone: length };
  });
}

function addressFrom(
  from_date: string,
  before: PostalAddress,
  changes: StudioChanges,
): DatedAddress {
  const members = addressMembers.map((member) => [member, changes[member] ?? before[member]]);
  return { from_date, ...(Object.fromEntries(members) as PostalAddress) };
}

// JSON columns are read as objects and written as text.
function isSame(before: unknown, after: unknown): boolean {
  return before === after || JSON.stringify(before) === after;
}

/** Whether people could book a slot, whatever is booked; `busy`: a watched calendar closes it. */
export type StudioSchedule = ScheduleState | 'busy';

/** `scheduleState` for the studio, with the reason why a slot is closed. */
export function studioSchedule(calendar: Calendar, slot: Slot): StudioSchedule {
  const schedule = scheduleState(calendar, slot);
  const isBusy = calendar.artists.some(({ busySlots }) => busySlots.has(slotKey(slot)));
  return schedule === 'closed' && isBusy ? 'busy' : schedule;
}

/** A change of one notice: without `from` it is added, without `to` it is removed. */
export interface NoticeChange {
  from: StudioNotice | null;
  to: StudioNotice | null;
}

/**
 * `changed`: the notice is no longer as the caller saw it. `same_title`: another notice has the title.
 * `too_many`: there are `maxNotices` already. Each of these writes nothing.
 */
export type ChangedNotices = 'saved' | 'changed' | 'same_title' | 'too_many';

/** Adds, changes or removes a notice for people, and audits it. The texts have been checked. */
export async function changeNotice(
  { database }: Pick<DatabaseServices, 'database'>,
  actor: string,
  { from, to }: NoticeChange,
): Promise<ChangedNotices> {
  return database.transaction().execute(async (transaction) => {
    const { notices } = await lockStudio(transaction);
    const place = from === null ? notices.length : notices.findIndex(isSameNotice(from));
    if (place === -1) return 'changed';
    const others = notices.filter((_, index) => index !== place);
    if (to !== null && others.some(({ title }) => title === to.title)) return 'same_title';
    if (from === null && notices.length >= maxNotices) return 'too_many';
    if (from !== null && to !== null && isSameNotice(from)(to)) return 'saved';
    const after = notices.toSpliced(place, 1, ...(to === null ? [] : [to]));
    await updateStudio(transaction, { notices: JSON.stringify(after) });
    await recordCalendarChange(transaction, 'info set');
    await recordAudit(transaction, actor, 'info set', { changed: ['notices'] });
    return 'saved';
  });
}

function isSameNotice(one: StudioNotice): (other: StudioNotice) => boolean {
  return ({ title, text }) => isSameText(title, one.title) && isSameText(text, one.text);
}
