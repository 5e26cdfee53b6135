import type { TimeSlot } from '../../../generated/schemas.js';
import { studioData } from '../../board/calendar-state.js';
import type { CalendarServices } from '../../board/services.js';
import type { DaySessions } from '../../database/rows/results.js';
import type { BookingRow } from '../../database/rows/schema.js';
import { recordAudit } from '../../repositories/audit.js';
import { listLiveBookingsOutsideSessions } from '../../repositories/booking-search.js';
import { recordCalendarChange } from '../../repositories/events.js';
import { deleteOpenings, insertOpenings, listOpenings } from '../../repositories/openings.js';
import { lockSlots } from '../../repositories/slot-taking.js';
import { loadCalendar } from '../../repositories/studio.js';
import type { Calendar } from '../../schedule/calendar.js';
import { weekdayName, weekdayOf } from '../../schedule/dates.js';
import { timeSlots, todayInZone } from '../../schedule/slots.js';
import { sessionsOn } from '../../schedule/weeks.js';
import { studioSchedule, type StudioSchedule } from './settings.js';

type OpeningServices = Pick<CalendarServices, 'database' | 'clock' | 'config'>;

/** Opened sessions of one date, in the order of the day. */
export interface OpenedDay {
  date: string;
  sessions: {
    timeSlot: TimeSlot;
    /** `closed` and `busy`: a closure or a watched calendar still closes it. */
    schedule: StudioSchedule;
  }[];
}

/** The opened days from today on, or all, by date. */
export async function readOpenings(
  { database, clock, config }: OpeningServices,
  { past }: { past: boolean },
): Promise<OpenedDay[]> {
  const { calendar } = studioData(await loadCalendar(database), config);
  const from = past ? '0001-01-01' : todayInZone(calendar.timezone, clock.now());
  return (await listOpenings(database, from)).map((day) => openedDay(calendar, day));
}

function openedDay(calendar: Calendar, { date, sessions }: DaySessions): OpenedDay {
  const opened = sessions.map((timeSlot) => ({
    timeSlot,
    schedule: studioSchedule(calendar, { date, timeSlot }),
  }));
  return { date, sessions: opened };
}

/** Whether a closure or a watched calendar closes an opened session. */
export function staysClosed({ schedule }: OpenedDay['sessions'][number]): boolean {
  return schedule === 'closed' || schedule === 'busy';
}

/** Sentences about mistakes in an opening, by member. */
export type OpeningMistakes = Partial<Record<'date' | 'sessions', string>>;

export type AddedOpening =
  | {
      outcome: 'added';
      /** The sessions that were not open before. */
      day: OpenedDay;
      /** Sessions of the week: they are not opened. */
      inWeek: TimeSlot[];
    }
  /** The sessions are in the week or opened already. Nothing was done. */
  | { outcome: 'exists'; sentence: string }
  | { outcome: 'refused'; mistakes: OpeningMistakes };

/** Opens sessions of one date outside the week. Closures and watched calendars close them like others. */
export async function addOpening(
  { database, clock, config }: OpeningServices,
  actor: string,
  { date, sessions }: DaySessions,
): Promise<AddedOpening> {
  return database.transaction().execute(async (transaction) => {
    await lockSlots(transaction);
    const data = studioData(await loadCalendar(transaction), config);
    const { calendar } = data;
    const mistakes: OpeningMistakes = {
      ...(date < todayInZone(calendar.timezone, clock.now()) && {
        date: `${date} is in the past.`,
      }),
      ...(sessions.length === 0 && { sessions: 'Choose at least one session.' }),
    };
    if (Object.keys(mistakes).length > 0) return { outcome: 'refused', mistakes };
    const weekday = weekdayOf(date);
    const week = sessionsOn(data, { date, weekday });
    const opened = calendar.openings.get(date) ?? [];
    const inWeek = sessions.filter((slot) => week.includes(slot));
    const added = sessions.filter((slot) => !inWeek.includes(slot) && !opened.includes(slot));
    if (added.length === 0) {
      const times = sessions.join(', ');
      const sentence =
        inWeek.length === sessions.length
          ? `The week has ${times} on ${weekdayName(weekday)} anyway.`
          : `${date} is open at ${times} already.`;
      return { outcome: 'exists', sentence };
    }
    const openings = new Map(calendar.openings).set(date, [...opened, ...added]);
    await insertOpenings(transaction, { date, sessions: added });
    await recordCalendarChange(transaction, 'openings add');
    await recordAudit(transaction, actor, 'openings add', { date, sessions: added });
    const day = openedDay({ ...calendar, openings }, { date, sessions: added });
    return { outcome: 'added', day, inWeek };
  });
}

export interface RemovedOpening extends DaySessions {
  /** Live bookings of the date whose session is not in the week: they stay. */
  bookingsOutside: BookingRow[];
}

/** Closes opened sessions of a date again. Null if none of them is opened. */
export async function removeOpening(
  { database }: Pick<OpeningServices, 'database'>,
  actor: string,
  { date, sessions }: DaySessions,
): Promise<RemovedOpening | null> {
  return database.transaction().execute(async (transaction) => {
    // Every concurrent hold or move is either committed and listed here, or finds no session.
    await lockSlots(transaction);
    const deleted = await deleteOpenings(transaction, { date, sessions });
    if (deleted.length === 0) return null;
    const removed = timeSlots.filter((slot) => deleted.includes(slot));
    await recordCalendarChange(transaction, 'openings remove');
    await recordAudit(transaction, actor, 'openings remove', { date, sessions: removed });
    const outside = await listLiveBookingsOutsideSessions(transaction, date);
    return {
      date,
      sessions: removed,
      bookingsOutside: outside.filter((booking) => booking.date === date),
    };
  });
}
