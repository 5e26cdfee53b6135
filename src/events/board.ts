import type { Kysely } from 'kysely';
import type { Clock } from '../clock.js';
import type { Database } from '../database/schema.js';
import type { Calendar, Taken } from '../domain/calendar.js';
import { slotKey, type TimeSlot } from '../domain/slots.js';
import {
  loadCalendar,
  type CalendarRows,
  type OpeningHoursRow,
  type StudioRow,
} from '../repositories/studio.js';

/** The calendar as it stands: what every read of open slots is computed from. */
export interface CalendarState {
  readonly studio: StudioRow;
  readonly openingHours: readonly OpeningHoursRow[];
  readonly calendar: Calendar;
  readonly taken: Taken;
}

export interface Board {
  read(): Promise<CalendarState>;
}

interface CalendarRules {
  minNoticeMinutes: number;
  bookingHorizonDays: number;
}

/** Answers each read with one query, and corrects the clock by what the database showed. */
export function createBoard(database: Kysely<Database>, clock: Clock, rules: CalendarRules): Board {
  return {
    async read() {
      const rows = await loadCalendar(database);
      clock.correct(rows.now, clock.own());
      return calendarState(rows, rules);
    },
  };
}

function calendarState(rows: CalendarRows, rules: CalendarRules): CalendarState {
  const sessions: Record<1 | 2 | 3 | 4 | 5 | 6 | 7, TimeSlot[]> = {
    1: [],
    2: [],
    3: [],
    4: [],
    5: [],
    6: [],
    7: [],
  };
  for (const row of rows.weeklySessions) {
    sessions[row.weekday as keyof typeof sessions].push(row.time_slot);
  }
  return {
    studio: rows.studio,
    openingHours: rows.openingHours,
    calendar: {
      timezone: rows.studio.timezone,
      sessions,
      closures: rows.closures.map((closure) => ({
        fromDate: closure.from_date,
        toDate: closure.to_date,
        timeSlot: closure.time_slot,
      })),
      minNoticeMinutes: rules.minNoticeMinutes,
      horizonDays: rules.bookingHorizonDays,
    },
    taken: new Map(
      rows.liveBookings.map((booking) => [
        slotKey({ date: booking.date, timeSlot: booking.time_slot }),
        { lapsesAt: booking.lapses_at },
      ]),
    ),
  };
}
