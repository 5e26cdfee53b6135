import { LRUCache } from 'lru-cache';
import type { TimeSlot } from '../../generated/schemas.js';
import { Temporal } from 'temporal-polyfill';
import { isCalendarDate, weekdayOf } from './dates.js';
import type { Weekday } from './dates.js';

/** One session on one date of the studio's calendar. */
export interface Slot {
  readonly date: string;
  readonly timeSlot: TimeSlot;
}

/** The instant a slot starts: ms since the epoch, and RFC 3339 with the studio's own offset. */
export interface SlotStart {
  readonly epochMs: number;
  readonly iso: string;
}

export interface DaySlot extends SlotStart {
  readonly timeSlot: TimeSlot;
  readonly key: string;
  /** False when the studio's clock never shows this date, so that the slot cannot be offered. */
  readonly exists: boolean;
}

/** What a date is in one time zone, whatever the studio's week and bookings are. */
export interface Day {
  readonly date: string;
  readonly weekday: Weekday;
  /** One per entry of timeSlots, in that order, which is also the order of their instants. */
  readonly slots: readonly DaySlot[];
}

interface LocalDay {
  readonly date: string;
  /** The instant for which this was computed, and the first one at which the date is another. */
  readonly from: number;
  readonly until: number;
}

/** The hour at which each session starts in the studio's time zone. */
export const wallClockHours: Readonly<Record<TimeSlot, number>> = {
  '9:00 AM': 9,
  '1:00 PM': 13,
  '5:00 PM': 17,
};
/** The sessions of a day in order (specification, "What the service does", 4). */
export const timeSlots = Object.keys(wallClockHours) as readonly TimeSlot[];
const dayMs = 86_400_000;

// A zone conversion costs some 10 µs, so each date is converted once. Eleven years of dates are
// more than any horizon, and bound what hostile dates can occupy (about 3 MB).
const days = new LRUCache<string, Day>({ max: 4096 });
const localDays = new LRUCache<string, LocalDay>({ max: 64 });

/** The key of a slot in a lookup of taken slots. */
export function slotKey(slot: Slot): string {
  return `${slot.date} ${slot.timeSlot}`;
}

/**
 * The start of a slot on the studio's wall clock. A time that a clock change skips moves forward
 * by the length of the gap, a time that it repeats means the first of the two (Temporal's
 * 'compatible', RFC 5545 3.3.5). On a date that the zone skips as a whole this is an instant of the
 * next one; such a slot is never open.
 *
 * @throws RangeError when the date or the time zone does not exist
 */
export function slotStartsAt(timezone: string, date: string, timeSlot: TimeSlot): SlotStart {
  const { epochMs, iso } = findSlot(dayOf(timezone, date), timeSlot);
  return { epochMs, iso };
}

/** Whether the session starts within opening hours (`HH:MM`), the closing time not included. */
export function startsWithin(timeSlot: TimeSlot, opens: string, closes: string): boolean {
  const start = `${String(wallClockHours[timeSlot]).padStart(2, '0')}:00`;
  return opens <= start && start < closes;
}

/**
 * The date on the studio's clock.
 *
 * @param now ms since the epoch
 * @throws RangeError when the time zone does not exist
 */
export function todayInZone(timezone: string, now: number): string {
  return localDayOf(timezone, now).date;
}

export function findSlot(day: Day, timeSlot: TimeSlot): DaySlot {
  return day.slots[timeSlots.indexOf(timeSlot)] as DaySlot;
}

export function dayOf(timezone: string, date: string): Day {
  const key = `${timezone} ${date}`;
  let day = days.get(key);
  if (day === undefined) {
    if (!isCalendarDate(date)) throw new RangeError(`No such calendar date: ${date}`);
    day = {
      date,
      weekday: weekdayOf(date),
      slots: timeSlots.map((timeSlot) => computeSlot(timezone, date, timeSlot)),
    };
    days.set(key, day);
  }
  return day;
}

function computeSlot(timezone: string, date: string, timeSlot: TimeSlot): DaySlot {
  const start = Temporal.PlainDate.from(date).toZonedDateTime({
    timeZone: timezone,
    plainTime: { hour: wallClockHours[timeSlot] },
  });
  return {
    timeSlot,
    key: slotKey({ date, timeSlot }),
    epochMs: start.epochMilliseconds,
    iso: start.toString({ timeZoneName: 'never', smallestUnit: 'second' }),
    exists: start.toPlainDate().toString() === date,
  };
}

/** The studio's present date, and the instant at which its clock shows another one. */
export function localDayOf(timezone: string, now: number): LocalDay {
  const known = localDays.get(timezone);
  if (known !== undefined && known.from <= now && now < known.until) return known;
  const from = Math.floor(now);
  const moment = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(timezone);
  const local = { date: dateOf(moment), from, until: dateEnds(moment) };
  localDays.set(timezone, local);
  return local;
}

// Midnight is not enough: clocks have been set back across it (St John's at 00:01, to 23:01 of the
// date before) and on to the day after next (Apia, 2011), so every change of offset is looked at.
function dateEnds(moment: Temporal.ZonedDateTime): number {
  const offsetMs = moment.offsetNanoseconds / 1e6;
  const localMs = moment.epochMilliseconds + offsetMs;
  const midnight = (Math.floor(localMs / dayMs) + 1) * dayMs - offsetMs;
  const transition = moment.getTimeZoneTransition('next');
  if (transition === null || transition.epochMilliseconds > midnight) return midnight;
  return dateOf(transition) === dateOf(moment)
    ? dateEnds(transition)
    : transition.epochMilliseconds;
}

function dateOf(moment: Temporal.ZonedDateTime): string {
  return moment.toPlainDate().toString();
}
