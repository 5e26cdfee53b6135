import type { TimeSlot } from '../../../generated/schemas.js';
import { comingDates } from '../../board/availability.js';
import type { CalendarState } from '../../board/board.js';
import type { BookableDay } from '../../schedule/bookable-week.js';
import { openFor, type SlotState } from '../../schedule/calendar.js';
import { addDays, weekdayName } from '../../schedule/dates.js';
import { endOfDay, slotKey, timeSlots } from '../../schedule/slots.js';

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
  /** The state in words. */
  word: string;
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
  too_soon: { state: 'closed', word: 'too soon' },
  too_far: { state: 'closed', word: 'not yet' },
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
function hourWords(time: string): string {
  if (time === endOfDay) return 'midnight';
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const minutes = minute === 0 ? '' : `:${String(minute).padStart(2, '0')}`;
  return `${hour % 12 === 0 ? 12 : hour % 12}${minutes}\u00a0${hour < 12 ? 'AM' : 'PM'}`;
}

/** The hours of a week; consecutive days with the same hours share a line: `Tue – Fri`. */
export function hoursLines(week: readonly Omit<BookableDay, 'sessions'>[]) {
  const lines: { from: number; to: number; hours: string }[] = [];
  for (const { weekday, opens, closes } of week) {
    const hours =
      opens === null || closes === null ? 'closed' : `${hourWords(opens)} – ${hourWords(closes)}`;
    const last = lines.at(-1);
    if (last?.hours === hours && last.to === weekday - 1) last.to = weekday;
    else lines.push({ from: weekday, to: weekday, hours });
  }
  const short = (weekday: number) => weekdayName(weekday).slice(0, 3);
  return lines.map(({ from, to, hours }) => {
    return { days: from === to ? short(from) : `${short(from)} – ${short(to)}`, hours };
  });
}
