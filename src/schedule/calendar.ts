import type { TimeSlot } from '../../generated/schemas.js';
import { WEEKDAYS, addDays, daysBetween, isCalendarDate } from './dates.js';
import type { Weekday, WeekdayName } from './dates.js';
import { dayOf, findSlot, localDayOf, todayInZone } from './slots.js';
import type { Day, DaySlot, Slot } from './slots.js';

/** A closed range of dates, inclusive; `timeSlot` null closes whole days. */
export interface Closure {
  readonly fromDate: string;
  readonly toDate: string;
  readonly timeSlot: TimeSlot | null;
}

/** A week without sessions, to be filled. */
export function emptyWeek(): Record<Weekday, TimeSlot[]> {
  return { 1: [], 2: [], 3: [], 4: [], 5: [], 6: [], 7: [] };
}

/** The rules of the studio's slots (contract, "The studio and its calendar"). */
export interface Calendar {
  /** IANA name; dates and wall-clock times are in this zone. */
  readonly timezone: string;
  readonly sessions: Readonly<Record<Weekday, readonly TimeSlot[]>>;
  /** By date: sessions besides those of its weekday. */
  readonly openings: ReadonlyMap<string, readonly TimeSlot[]>;
  readonly closures: readonly Closure[];
  /** The keys (`slotKey`) of the slots that a watched calendar closes. */
  readonly busySlots: ReadonlySet<string>;
  readonly minNoticeMinutes: number;
  /** The last bookable date is today, in the studio's zone, plus this number of days. */
  readonly horizonDays: number;
}

/**
 * Occupied slots by `slotKey`. `lapsesAt` is null for a confirmed booking; a hold occupies its slot
 * until before that instant (ms since the epoch).
 */
export type Taken = ReadonlyMap<string, { readonly lapsesAt: number | null }>;

/**
 * Whether a slot can be booked, and if not, why. The first that applies, in this order:
 * `past` (its date is over) and `too_far`, `no_session`, `closed`, `past` (it has started), `taken`
 * (confirmed), `held` (pending), `too_soon`.
 */
export type SlotState =
  | 'open'
  | 'taken'
  | 'held'
  | 'no_session'
  | 'closed'
  | 'past'
  | 'too_soon'
  | 'too_far';

export interface OpenSlot extends Slot {
  readonly startsAt: string;
}

export interface OpenDay {
  readonly date: string;
  readonly weekday: WeekdayName;
  readonly slots: readonly {
    readonly timeSlot: TimeSlot;
    readonly startsAt: string;
  }[];
}

/** Dates, inclusive. */
interface Dates {
  readonly from: string;
  readonly to: string;
}

export interface SlotRange extends Dates {
  /** Selects one session of each day. */
  readonly timeSlot?: TimeSlot | undefined;
}

/**
 * The state of any slot. A date that does not exist, in the calendar or in the studio's time zone,
 * has no session.
 *
 * @param now ms since the epoch
 */
export function slotState(calendar: Calendar, taken: Taken, slot: Slot, now: number): SlotState {
  if (!isCalendarDate(slot.date)) return 'no_session';
  const window = bookableDates(calendar, now);
  if (slot.date < window.from) return 'past';
  if (slot.date > window.to) return 'too_far';
  const day = dayOf(calendar.timezone, slot.date);
  return stateInWindow(calendar, taken, day, findSlot(day, slot.timeSlot), now);
}

/** Whether a slot is in the studio's schedule, whatever is booked and whatever the time is. */
export type ScheduleState = Extract<SlotState, 'open' | 'no_session' | 'closed'>;

/** The part of `slotState` that only the studio decides. */
export function scheduleState(calendar: Calendar, slot: Slot): ScheduleState {
  if (!isCalendarDate(slot.date)) return 'no_session';
  const day = dayOf(calendar.timezone, slot.date);
  return stateInSchedule(calendar, day, findSlot(day, slot.timeSlot));
}

/**
 * The open slots of any range of dates: only dates that have one, in order.
 *
 * @param now ms since the epoch
 */
export function openSlots(
  calendar: Calendar,
  taken: Taken,
  range: SlotRange,
  now: number,
): OpenDay[] {
  return [...openDays(calendar, taken, range, now)].map(({ day, slots }) => ({
    date: day.date,
    weekday: WEEKDAYS[day.weekday - 1] as WeekdayName,
    slots: slots.map(({ timeSlot, iso }) => ({ timeSlot, startsAt: iso })),
  }));
}

/**
 * The first instant after `now` (ms since the epoch) at which time alone changes a result of this
 * module: the studio's date, the state of a bookable slot, or the lapse of a hold.
 */
export function nextChangeAt(calendar: Calendar, taken: Taken, now: number): number {
  let next = localDayOf(calendar.timezone, now).until;
  for (const { lapsesAt } of taken.values()) {
    if (lapsesAt !== null && lapsesAt > now && lapsesAt < next) next = lapsesAt;
  }
  const noticeMs = noticeOf(calendar);
  for (const day of daysOf(calendar, bookableDates(calendar, now))) {
    const earliest = day.slots[0];
    if (earliest !== undefined && earliest.epochMs - noticeMs >= next) break;
    for (const slot of day.slots) {
      const state = stateInWindow(calendar, taken, day, slot, now);
      // Both bounds are inclusive: the state changes one millisecond later.
      if (state === 'open') next = Math.min(next, slot.epochMs - noticeMs + 1);
      if (state === 'taken' || state === 'held' || state === 'too_soon') {
        next = Math.min(next, slot.epochMs + 1);
      }
    }
  }
  return next;
}

export function bookableDates(calendar: Calendar, now: number): Dates {
  const today = todayInZone(calendar.timezone, now);
  return { from: today, to: addDays(today, calendar.horizonDays) };
}

function* daysOf(calendar: Calendar, dates: Dates): Generator<Day> {
  const count = daysBetween(dates.from, dates.to);
  for (let index = 0; index <= count; index += 1) {
    yield dayOf(calendar.timezone, addDays(dates.from, index));
  }
}

/** The bookable days of the range with an open slot. */
export function* openDays(
  calendar: Calendar,
  taken: Taken,
  range: SlotRange,
  now: number,
): Generator<{ day: Day; slots: DaySlot[] }> {
  const bookable = bookableDates(calendar, now);
  const from = range.from > bookable.from ? range.from : bookable.from;
  const to = range.to < bookable.to ? range.to : bookable.to;
  const closures = calendar.closures.filter((each) => each.fromDate <= to && each.toDate >= from);
  const narrowed = { ...calendar, closures };
  for (const day of daysOf(calendar, { from, to })) {
    const slots = day.slots.filter(
      (slot) =>
        (range.timeSlot === undefined || range.timeSlot === slot.timeSlot) &&
        stateInWindow(narrowed, taken, day, slot, now) === 'open',
    );
    if (slots.length > 0) yield { day, slots };
  }
}

/** The state of a slot on a bookable date. */
function stateInWindow(
  calendar: Calendar,
  taken: Taken,
  day: Day,
  slot: DaySlot,
  now: number,
): SlotState {
  const scheduled = stateInSchedule(calendar, day, slot);
  if (scheduled !== 'open') return scheduled;
  if (slot.epochMs < now) return 'past';
  const lapsesAt = taken.get(slot.key)?.lapsesAt;
  if (lapsesAt === null) return 'taken';
  if (lapsesAt !== undefined && now < lapsesAt) return 'held';
  return slot.epochMs - now < noticeOf(calendar) ? 'too_soon' : 'open';
}

function stateInSchedule(calendar: Calendar, day: Day, slot: DaySlot): ScheduleState {
  if (!slot.exists || !hasSession(calendar, day, slot.timeSlot)) return 'no_session';
  const { key, timeSlot } = slot;
  return calendar.busySlots.has(key) || isClosedByStudio(calendar, { date: day.date, timeSlot })
    ? 'closed'
    : 'open';
}

/** Whether the week has the session on a date, or an opening of that date has. */
function hasSession({ sessions, openings }: Calendar, day: Day, timeSlot: TimeSlot): boolean {
  return (
    sessions[day.weekday].includes(timeSlot) ||
    (openings.get(day.date)?.includes(timeSlot) ?? false)
  );
}

/** Whether a closure covers the slot: watched calendars make it busy. */
export function isClosedByStudio({ closures }: Calendar, { date, timeSlot }: Slot): boolean {
  return closures.some(
    (closure) =>
      closure.fromDate <= date &&
      date <= closure.toDate &&
      (closure.timeSlot === null || closure.timeSlot === timeSlot),
  );
}

function noticeOf(calendar: Calendar): number {
  return calendar.minNoticeMinutes * 60_000;
}
