import type { TimeSlot } from '../../generated/schemas.js';
import { bookableDates, openSlots, type OpenDay } from '../schedule/calendar.js';
import { addDays, isCalendarDate, type WeekdayName, WEEKDAYS } from '../schedule/dates.js';
import { timeSlots } from '../schedule/slots.js';
import type { CalendarState } from './calendar-state.js';

/** A month of the open times, as far as it can be booked: dates, inclusive. */
export interface OpenMonth {
  from: string;
  to: string;
  openCount: number;
}

/** What a person looks for; an empty list is any. */
export interface WantedTimes {
  weekdays: readonly WeekdayName[];
  times: readonly TimeSlot[];
}

export interface OpenTimes {
  timezone: string;
  /** From today, in the studio's zone, to the last bookable date. */
  months: readonly OpenMonth[];
  shown: OpenMonth;
  days: readonly OpenDay[];
  /** The options that have an open time in any month, whatever is wanted. */
  offered: WantedTimes;
}

/**
 * The wanted open times, a month a page: the month of `date`, or the nearest. Any other text, or none,
 * selects the first month with an open time.
 *
 * @param now ms since the epoch
 */
export function openTimesAround(
  { calendar, taken }: CalendarState,
  date: string | undefined,
  now: number,
  wanted: WantedTimes = { weekdays: [], times: [] },
): OpenTimes {
  const bookable = bookableDates(calendar, now);
  const { from: today, to: last } = bookable;
  const open = openSlots(calendar, taken, bookable, now);
  const days = open.flatMap((day) => wantedOf(day, wanted));

  const months: OpenMonth[] = [];
  for (let from = today; from <= last; from = firstOfNextMonth(from)) {
    const end = addDays(firstOfNextMonth(from), -1);
    const to = end < last ? end : last;
    const openCount = daysWithin(days, from, to).reduce((sum, { slots }) => sum + slots.length, 0);
    months.push({ from, to, openCount });
  }

  const shown = (
    date !== undefined && isCalendarDate(date)
      ? (months.findLast(({ from }) => from <= date) ?? months[0])
      : (months.find(({ openCount }) => openCount > 0) ?? months[0])
  ) as OpenMonth;
  const offered = {
    weekdays: WEEKDAYS.filter((weekday) => open.some((day) => day.weekday === weekday)),
    times: timeSlots.filter((time) =>
      open.some(({ slots }) => slots.some(({ timeSlot }) => timeSlot === time)),
    ),
  };
  const { timezone } = calendar;
  return { timezone, months, shown, days: daysWithin(days, shown.from, shown.to), offered };
}

/** The day with its wanted slots; nothing if it has none. */
function wantedOf(day: OpenDay, { weekdays, times }: WantedTimes): OpenDay[] {
  if (weekdays.length > 0 && !weekdays.includes(day.weekday)) return [];
  if (times.length === 0) return [day];
  const slots = day.slots.filter(({ timeSlot }) => times.includes(timeSlot));
  return slots.length === 0 ? [] : [{ ...day, slots }];
}

function firstOfNextMonth(date: string): string {
  // No month has more than 31 days, and none fewer than 28.
  return `${addDays(`${date.slice(0, 7)}-01`, 31).slice(0, 7)}-01`;
}

function daysWithin(days: readonly OpenDay[], from: string, to: string): OpenDay[] {
  return days.filter(({ date }) => from <= date && date <= to);
}
