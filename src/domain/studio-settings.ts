import type { DatabaseServices } from '../database/services.js';
import type { StudioNotice } from '../database/studio-tables.js';
import { recordAudit } from '../repositories/audit.js';
import { listUpcomingOutsideZone } from '../repositories/booking-search.js';
import { announceDueCalendars } from '../repositories/due-mail.js';
import { recordCalendarChange } from '../repositories/events.js';
import {
  lockStudio,
  readStudio,
  type StudioChanges,
  updateStudio,
} from '../repositories/studio-settings.js';
import type { StudioRow } from '../repositories/studio.js';
import { makeCalendarsDue } from '../repositories/watched-calendars.js';
import { type Calendar, scheduleState, type ScheduleState } from '../schedule/calendar.js';
import { type Slot, slotKey, todayInZone } from '../schedule/slots.js';
import { isSameText, maxNotices, type StudioMember } from './studio-fields.js';

type SettingsServices = Pick<DatabaseServices, 'database' | 'clock'>;

/** The current date in the studio's time zone. */
export async function studioToday(context: SettingsServices): Promise<string> {
  const { timezone } = await readStudio(context.database);
  return todayInZone(timezone, context.clock.now());
}

/** The studio, and how many upcoming live bookings were made in another time zone than its own. */
export async function readStudioDetails({ database }: Pick<SettingsServices, 'database'>): Promise<{
  studio: StudioRow;
  bookingsInOtherZone: number;
}> {
  const studio = await readStudio(database);
  const { length } = await listUpcomingOutsideZone(database, studio.timezone);
  return { studio, bookingsInOtherZone: length };
}

export type ChangedStudio =
  | {
      outcome: 'saved';
      studio: StudioRow;
      /** The changed members. If empty, nothing was written. */
      changed: string[];
      /** Upcoming live bookings that were made in another time zone. */
      bookingsInOtherZone: number;
    }
  /** These members are no longer as in `seen`. Nothing was written. */
  | { outcome: 'changed'; studio: StudioRow; members: string[] };

/** The texts of the studio as the form showed them that changes some. */
export type SeenStudio = Partial<Record<StudioMember, string>>;

/**
 * Changes the studio's details; with `seen`, only if the members to change have not changed since. With
 * a new time zone, open slots follow its wall clock from now on; existing bookings keep their instant.
 */
export async function changeStudio(
  context: SettingsServices,
  actor: string,
  changes: StudioChanges,
  seen: SeenStudio = {},
): Promise<ChangedStudio> {
  return context.database.transaction().execute(async (transaction) => {
    const before = await lockStudio(transaction);
    const changed = Object.entries(changes)
      .filter(([member, value]) => !isSame(before[member as keyof StudioRow], value))
      .map(([member]) => member);
    const overtaken = changed.filter((member) => {
      const text = seen[member as StudioMember];
      return text !== undefined && !isSameText(text, before[member as StudioMember]);
    });
    if (overtaken.length > 0) return { outcome: 'changed', studio: before, members: overtaken };
    if (changed.length === 0) {
      return { outcome: 'saved', studio: before, changed, bookingsInOtherZone: 0 };
    }
    const studio = await updateStudio(transaction, changes);
    await recordCalendarChange(transaction, 'info set');
    await recordAudit(transaction, actor, 'info set', { changed });
    if (!changed.includes('timezone')) {
      return { outcome: 'saved', studio, changed, bookingsInOtherZone: 0 };
    }
    // All-day events, and times without a zone, are at other instants now.
    await makeCalendarsDue(transaction);
    await announceDueCalendars(transaction);
    const { length } = await listUpcomingOutsideZone(transaction, studio.timezone);
    return { outcome: 'saved', studio, changed, bookingsInOtherZone: length };
  });
}

// JSON columns are read as objects and written as text.
function isSame(before: unknown, after: unknown): boolean {
  return before === after || JSON.stringify(before) === after;
}

/** Whether people could book a slot, whatever is booked; `busy`: a watched calendar closes it. */
export type StudioSchedule = ScheduleState | 'busy';

/** `scheduleState` as the studio sees it, who may know why a slot is closed. */
export function studioSchedule(calendar: Calendar, slot: Slot): StudioSchedule {
  const schedule = scheduleState(calendar, slot);
  return schedule === 'closed' && calendar.busySlots.has(slotKey(slot)) ? 'busy' : schedule;
}

/** A change of one notice: without `from` it is added, without `to` it is removed. */
export interface NoticeChange {
  /** The notice as the caller saw it. */
  from: StudioNotice | null;
  to: StudioNotice | null;
}

/**
 * `changed`: the notice is no longer as the caller saw it. `same_title`: another notice has the title.
 * `too_many`: there are `maxNotices` already. In each of these, nothing was done.
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
