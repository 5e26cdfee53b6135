import { bookableDates, openSlots, type OpenDay } from '../schedule/calendar.js';
import { addDays, daysBetween, isCalendarDate } from '../schedule/dates.js';
import type { CalendarState } from './calendar-state.js';

/** A page of the open times: dates, inclusive. */
export interface OpenTimesPage {
  from: string;
  to: string;
  openCount: number;
}

export interface OpenTimes {
  /** From today, in the studio's zone, to the last bookable date. */
  pages: readonly OpenTimesPage[];
  shown: OpenTimesPage;
  /** The days of `shown` that have an open time. */
  days: readonly OpenDay[];
}

const daysPerPage = 31;

/**
 * The open times, `daysPerPage` dates a page, with the page that has `date` on it. A date
 * on no page selects the nearest page; any other text, or none, the first.
 *
 * @param now ms since the epoch
 */
export function openTimesAround(
  { calendar, taken }: CalendarState,
  date: string | undefined,
  now: number,
): OpenTimes {
  const bookable = bookableDates(calendar, now);
  const { from: today, to: last } = bookable;
  const { days } = openSlots(calendar, taken, bookable, now);

  const pages: OpenTimesPage[] = [];
  for (let from = today; from <= last; from = addDays(from, daysPerPage)) {
    const end = addDays(from, daysPerPage - 1);
    const to = end < last ? end : last;
    const openCount = daysWithin(days, from, to).reduce((sum, { slots }) => sum + slots.length, 0);
    pages.push({ from, to, openCount });
  }

  const wanted = date !== undefined && isCalendarDate(date) ? daysBetween(today, date) : 0;
  const index = Math.min(Math.max(Math.floor(wanted / daysPerPage), 0), pages.length - 1);
  const shown = pages[index] as OpenTimesPage;
  return { pages, shown, days: daysWithin(days, shown.from, shown.to) };
}

function daysWithin(days: readonly OpenDay[], from: string, to: string): OpenDay[] {
  return days.filter(({ date }) => from <= date && date <= to);
}
