import type { TimeSlot } from '../../../generated/schemas.js';
import { comingDates } from '../../board/availability.js';
import type { CalendarState } from '../../board/board.js';
import type { Language } from '../../locales/language.js';
import type { BookableDay, DatedHours } from '../../schedule/bookable-week.js';
import { openFor, type SlotState } from '../../schedule/calendar.js';
import { addDays, dayMs } from '../../schedule/dates.js';
import { endOfDay, slotKey, timeSlots } from '../../schedule/slots.js';
import { timesIn } from '../../schedule/times.js';

export interface DayView {
  date: string;
  isToday: boolean;
  /** True if the studio offers no session on this date. */
  isClosed: boolean;
  slots: SlotView[];
}

export interface SlotView {
  key: string;
  timeSlot: TimeSlot;
  state: 'open' | 'held' | 'taken' | 'closed';
  /** The state as a person reads it: the end of a key of the catalogue. */
  word: 'open' | 'held' | 'taken' | 'closed' | 'over' | 'too_soon' | 'not_yet';
  /** When the hold of a held slot lapses, in milliseconds since the epoch. */
  lapsesAt: number | null;
}

const appearances: Record<SlotState, Pick<SlotView, 'state' | 'word'>> = {
  open: { state: 'open', word: 'open' },
  held: { state: 'held', word: 'held' },
  taken: { state: 'taken', word: 'taken' },
  closed: { state: 'closed', word: 'closed' },
  no_session: { state: 'closed', word: 'closed' },
  past: { state: 'closed', word: 'over' },
  too_soon: { state: 'closed', word: 'too_soon' },
  too_far: { state: 'closed', word: 'not_yet' },
};

/** The days that the dashboard shows, with the state of their three slots. */
export function comingDays(state: CalendarState): DayView[] {
  const { taken, validFrom } = state;
  const { from, to } = comingDates(state);
  const days: DayView[] = [];
  for (let date = from; date <= to; date = addDays(date, 1)) {
    const slots = timeSlots.map((timeSlot) => {
      const slot = { date, timeSlot };
      const appearance = appearances[openFor(state, slot, null, validFrom)];
      const key = slotKey(slot);
      const lapses = (taken.get(key) ?? []).flatMap((each) => each.lapsesAt ?? []);
      const lapsesAt = appearance.state === 'held' ? Math.min(...lapses) : null;
      return { key, timeSlot, ...appearance, lapsesAt };
    });
    const isClosed = slots.every(({ word }) => word === 'closed');
    days.push({ date, isToday: date === from, isClosed, slots });
  }
  return days;
}

/** `09:00` in the 12-hour clock: `9 AM`, `12:30 PM`; the end of the day is `midnight`. */
function hourWords({ t, dates }: Language, time: string): string {
  if (time === endOfDay) return t('front.visit.midnight');
  const minutes = time.endsWith(':00') ? {} : { minute: '2-digit' as const };
  return dates({ timeZone: 'UTC', hour: 'numeric', ...minutes })
    .format(Date.parse(`1970-01-01T${time}Z`))
    .replace(/\s/, '\u00a0');
}

/** The hours of a week; consecutive days with the same hours share a line: `Tue – Fri`. */
export function hoursLines(language: Language, week: readonly Omit<BookableDay, 'sessions'>[]) {
  const { t, dates } = language;
  const lines: { from: number; to: number; hours: string }[] = [];
  for (const { weekday, opens, closes } of week) {
    const hours =
      opens === null || closes === null
        ? t('front.visit.closed')
        : t('front.visit.hours', {
            opens: hourWords(language, opens),
            closes: hourWords(language, closes),
          });
    const last = lines.at(-1);
    if (last?.hours === hours && last.to === weekday - 1) last.to = weekday;
    else lines.push({ from: weekday, to: weekday, hours });
  }
  // Day 4 of the epoch was a Monday.
  const short = (weekday: number) =>
    dates({ timeZone: 'UTC', weekday: 'short' }).format((weekday + 3) * dayMs);
  return lines.map(({ from, to, hours }) => {
    const days =
      from === to ? short(from) : t('front.visit.days', { from: short(from), to: short(to) });
    return { days, hours };
  });
}

/** The hours that weeks of dates have instead: `Dec 1 – Dec 31, Thu`. */
export function datedLines(language: Language, dated: readonly DatedHours[]) {
  const { t } = language;
  const { shortDate } = timesIn(language);
  return dated.flatMap((each) => {
    const from = shortDate(each.from);
    const dates =
      each.to === null
        ? t('front.visit.from', { from })
        : each.from === each.to
          ? from
          : t('front.visit.days', { from, to: shortDate(each.to) });
    return hoursLines(language, each.days).map(({ days, hours }) => {
      return { days: t('front.visit.dated', { dates, days }), hours };
    });
  });
}
