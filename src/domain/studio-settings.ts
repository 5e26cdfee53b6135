import type { TimeSlot } from '../../generated/schemas.js';
import type { DatabaseServices } from '../database/services.js';
import type { BookingRow } from '../database/schema.js';
import { recordAudit } from '../repositories/audit.js';
import {
  countUpcomingOutsideZone,
  listLiveBookingsOutsideSessions,
} from '../repositories/booking-search.js';
import { recordCalendarChange } from '../repositories/events.js';
import type { StudioRow } from '../repositories/studio.js';
import {
  lockStudio,
  readStudio,
  readWeek,
  replaceDay,
  updateStudio,
  type DayRow,
  type StudioChanges,
} from '../repositories/studio-settings.js';
import { WEEKDAYS } from '../calendar/dates.js';
import { startsWithin, todayInZone } from '../calendar/slots.js';

type SettingsServices = Pick<DatabaseServices, 'database' | 'clock'>;

/** The current date in the studio's time zone. */
export async function studioToday(context: SettingsServices): Promise<string> {
  const { timezone } = await readStudio(context.database);
  return todayInZone(timezone, context.clock.now());
}

export interface ChangedStudio {
  studio: StudioRow;
  /** The changed members. If empty, nothing was written. */
  changed: string[];
  /** Upcoming live bookings that were made in another time zone. */
  bookingsInOtherZone: number;
}

/**
 * Changes the studio's details. With a new time zone, open slots follow its wall clock from now on;
 * existing bookings keep their instant.
 */
export async function changeStudio(
  context: SettingsServices,
  actor: string,
  changes: StudioChanges,
): Promise<ChangedStudio> {
  return context.database.transaction().execute(async (transaction) => {
    const before = await lockStudio(transaction);
    const changed = Object.entries(changes)
      .filter(([member, value]) => !isSame(before[member as keyof StudioRow], value))
      .map(([member]) => member);
    if (changed.length === 0) return { studio: before, changed, bookingsInOtherZone: 0 };
    const studio = await updateStudio(transaction, changes);
    await recordCalendarChange(transaction, 'info set');
    await recordAudit(transaction, actor, 'info set', { changed });
    const bookingsInOtherZone = changed.includes('timezone')
      ? await countUpcomingOutsideZone(transaction, studio.timezone)
      : 0;
    return { studio, changed, bookingsInOtherZone };
  });
}

// JSON columns are read as objects and written as text.
function isSame(before: unknown, after: unknown): boolean {
  return before === after || JSON.stringify(before) === after;
}

/** A change of some weekdays; omitted members stay. */
export interface WeekChange {
  weekdays: readonly number[];
  /** null: closed, without sessions. */
  hours?: { opens: string; closes: string } | null;
  sessions?: readonly TimeSlot[];
}

export type ChangedWeek =
  | {
      outcome: 'changed';
      week: DayRow[];
      /** Live bookings from today on whose session is not in the week. */
      bookingsOutside: BookingRow[];
    }
  | { outcome: 'refused'; problem: string };

/** Changes opening hours and sessions of some weekdays. Existing bookings stay. */
export async function changeWeek(
  context: SettingsServices,
  actor: string,
  change: WeekChange,
): Promise<ChangedWeek> {
  return context.database.transaction().execute(async (transaction) => {
    const { timezone } = await lockStudio(transaction);
    const days = (await readWeek(transaction))
      .filter(({ weekday }) => change.weekdays.includes(weekday))
      .map((day) => changeDay(day, change));
    const problem = days.map(findProblem).find((found) => found !== null);
    if (problem !== undefined) return { outcome: 'refused', problem };
    for (const day of days) await replaceDay(transaction, day);
    await recordCalendarChange(transaction, 'hours set');
    await recordAudit(transaction, actor, 'hours set', { days });
    const today = todayInZone(timezone, context.clock.now());
    return {
      outcome: 'changed',
      week: await readWeek(transaction),
      bookingsOutside: await listLiveBookingsOutsideSessions(transaction, today),
    };
  });
}

function changeDay(day: DayRow, { hours, sessions }: WeekChange): DayRow {
  if (hours === null) return { ...day, opens: null, closes: null, sessions: [] };
  return { ...day, ...hours, sessions: [...(sessions ?? day.sessions)] };
}

/** A sentence for what is wrong with a day; null if it is valid. */
function findProblem({ weekday, opens, closes, sessions }: DayRow): string | null {
  const day = WEEKDAYS[weekday - 1];
  if (opens === null || closes === null) {
    return sessions.length === 0
      ? null
      : `The studio is closed on ${day}: give its opening hours together with its sessions.`;
  }
  if (opens >= closes)
    return `On ${day} the studio would close (${closes}) before it opens (${opens}).`;
  const outside = sessions.find((session) => !startsWithin(session, opens, closes));
  return outside === undefined
    ? null
    : `The session at ${outside} on ${day} does not start within its opening hours, ${opens} to ${closes}.`;
}
