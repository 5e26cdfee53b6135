import { LRUCache } from 'lru-cache';
import { Temporal } from 'temporal-polyfill';
import type { TimeSlot, BookingStatus } from '../../generated/schemas.js';
import { dayMs, isCalendarDate, type Weekday, weekdayOf } from './dates.js';
import { type ClosingTime, hoursOn } from './weeks.js';

/** One session on one date of the studio's calendar. */
export interface Slot {
  readonly date: string;
  readonly timeSlot: TimeSlot;
}

/** The start of a slot: ms since the epoch, and RFC 3339 with the studio's offset. */
export interface SlotStart {
  readonly epochMs: number;
  readonly iso: string;
}

export interface DaySlot extends SlotStart {
  readonly timeSlot: TimeSlot;
  readonly key: string;
  /** False if the studio's time zone skips this date. */
  readonly exists: boolean;
}

/** A date in one time zone, independent of the studio's schedule and bookings. */
export interface Day {
  readonly date: string;
  readonly weekday: Weekday;
  /** One per entry of timeSlots, in that order, which is also the order of their instants. */
  readonly slots: readonly DaySlot[];
}

interface LocalDay {
  readonly date: string;
  /** The date is known to be current for `from <= now < until`; `from` need not be its start. */
  readonly from: number;
  readonly until: number;
}

/** The hour at which each session starts in the studio's time zone. */
export const wallClockHours: Readonly<Record<TimeSlot, number>> = {
  '9:00 AM': 9,
  '1:00 PM': 13,
  '5:00 PM': 17,
};
/** The sessions of a day in order. */
export const timeSlots = Object.keys(wallClockHours) as readonly TimeSlot[];

// A zone conversion takes about 10 µs, so days are cached. 4096 days (eleven years in one
// time zone) exceed any booking horizon and take about 3 MB.
const days = new LRUCache<string, Day>({ max: 4096 });
const localDays = new LRUCache<string, LocalDay>({ max: 64 });

export function slotOf({ date, time_slot }: { date: string; time_slot: TimeSlot }): Slot {
  return { date, timeSlot: time_slot };
}

export function isSameSlot(one: Slot, other: Slot): boolean {
  return one.date === other.date && one.timeSlot === other.timeSlot;
}

export function slotKey(slot: Slot): string {
  return `${slot.date} ${slot.timeSlot}`;
}

/** The start of a slot on the studio's clock: `2026-12-01T13:00`. */
export function wallClockOf({ date, timeSlot }: Slot): string {
  return `${date}T${sessionStarts(timeSlot)}`;
}

export function parseSlotKey(key: string): Slot {
  const [date = '', ...timeSlot] = key.split(' ');
  return { date, timeSlot: timeSlot.join(' ') as TimeSlot };
}

/**
 * The start of a slot. A skipped wall-clock time moves forward by the length of the gap; a repeated one
 * is the first (Temporal's 'compatible', RFC 5545 3.3.5). On a date that the zone skips, the result is on
 * the next date; such a slot is never open.
 *
 * @throws RangeError when the date or the time zone does not exist
 */
export function slotStartsAt(timezone: string, date: string, timeSlot: TimeSlot): SlotStart {
  const { epochMs, iso } = findSlot(dayOf(timezone, date), timeSlot);
  return { epochMs, iso };
}

/** The slot that starts at an instant (milliseconds since the epoch), or null. */
export function slotStartingAt(timezone: string, epochMs: number): Slot | null {
  const { date, slots } = dayOf(timezone, localDayOf(timezone, epochMs).date);
  const slot = slots.find((each) => each.exists && each.epochMs === epochMs);
  return slot === undefined ? null : { date, timeSlot: slot.timeSlot };
}

/** Whether the session starts within opening hours (`HH:MM`); the closing time is excluded. */
export function startsWithin(timeSlot: TimeSlot, opens: string, closes: string): boolean {
  const start = sessionStarts(timeSlot);
  return opens <= start && start < closes;
}

/** When a session begins, on the studio's clock: `13:00`. */
export function sessionStarts(timeSlot: TimeSlot): string {
  return hourText(wallClockHours[timeSlot]);
}

function hourText(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}

/**
 * The current date in a time zone.
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

/**
 * The instant of a wall-clock time (`2026-12-01T13:00:00`); see `slotStartsAt`.
 *
 * @throws RangeError when the time zone does not exist
 */
export function instantOfWallClock(timezone: string, wallClock: string): SlotStart {
  const moment = Temporal.PlainDateTime.from(wallClock).toZonedDateTime(timezone);
  return { epochMs: moment.epochMilliseconds, iso: textOf(moment) };
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
    iso: textOf(start),
    exists: start.toPlainDate().toString() === date,
  };
}

/** The current date in a time zone, and until when it lasts. */
export function localDayOf(timezone: string, now: number): LocalDay {
  const known = localDays.get(timezone);
  if (known !== undefined && known.from <= now && now < known.until) return known;
  const from = Math.floor(now);
  const moment = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(timezone);
  const local = { date: dateOf(moment), from, until: dateEnds(moment) };
  localDays.set(timezone, local);
  return local;
}

// A date does not always end at the midnight of the current offset: clocks have been set back
// across midnight (St John's, from 00:01 to 23:01 of the previous date) and forward over a whole
// date (Apia, 2011). Each change of offset up to that midnight is therefore checked.
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

/** An instant (ms since the epoch) in RFC 3339, with the zone's offset. */
export function zonedText(epochMs: number, timezone: string): string {
  return textOf(Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(timezone));
}

function textOf(moment: Temporal.ZonedDateTime): string {
  return moment.toString({ timeZoneName: 'never', smallestUnit: 'second' });
}

function dateOf(moment: Temporal.ZonedDateTime): string {
  return moment.toPlainDate().toString();
}

/** Sessions begin four hours apart. */
export const longestSessionHours = 4;
export const longestSessionMs = longestSessionHours * 3_600_000;

/** The end of the day, as a closing time. */
export const endOfDay = '24:00';

function closingAt(day: Temporal.ZonedDateTime, closes: string): Temporal.ZonedDateTime {
  return closes === endOfDay ? day.add({ days: 1 }).startOfDay() : day.withPlainTime(closes);
}

/** The end of a session of a weekday on the studio's clock; see `sessionEndsAt`. Times are `HH:MM` here. */
export function sessionEnds(timeSlot: TimeSlot, closes: string | null): string {
  const hour = wallClockHours[timeSlot];
  const longest = hourText(hour + longestSessionHours);
  return closes !== null && hourText(hour) < closes && closes < longest ? closes : longest;
}

/**
 * The latest end of a session: the start of the day's next one, four hours after its own start, the end
 * of the day, or the closing time that follows its start, whichever comes first. The interface defines no
 * duration; calendar files need one.
 *
 * @param startsAt ms since the epoch, as the result
 * @param openingHours in the order of `daysFor`
 */
export function sessionEndsAt(
  startsAt: number,
  timezone: string,
  openingHours: readonly ClosingTime[],
): number {
  const start = Temporal.Instant.fromEpochMilliseconds(startsAt).toZonedDateTimeISO(timezone);
  const closes = hoursOn(openingHours, start.dayOfWeek, dateOf(start))?.closes;
  // The next session is less than four hours away where the clocks go forward at noon.
  const next = dayOf(timezone, dateOf(start)).slots.map(({ epochMs }) => epochMs);
  const closings = [closes ?? endOfDay, endOfDay].map(
    (time) => closingAt(start, time).epochMilliseconds,
  );
  return Math.min(
    startsAt + longestSessionMs,
    ...[...next, ...closings].filter((end) => end > startsAt),
  );
}

/**
 * The status at `now` (milliseconds since the epoch). A hold is expired from `expires_at` on, whether
 * or not a job has recorded it.
 */
export function statusAt(
  { status, expires_at }: { status: BookingStatus; expires_at: Date },
  now: number,
): BookingStatus {
  return status === 'pending' && expires_at.getTime() <= now ? 'expired' : status;
}

/** Whether a booking of this status occupies its slot. */
export function isLive(status: BookingStatus): status is 'pending' | 'confirmed' {
  return status === 'pending' || status === 'confirmed';
}
