import type { TimeSlot } from '../../generated/schemas.js';
import { WEEKDAYS, addDays, daysBetween, isCalendarDate } from './dates.js';
import type { WeekdayName } from './dates.js';
import { dayOf, findSlot, localDayOf, todayInZone } from './slots.js';
import type { Day, DaySlot, Slot } from './slots.js';
import { type ClosingTime, sessionsOn, type WeekSessions } from './weeks.js';

/**
 * A closed range of dates, inclusive; `timeSlot` null closes whole days. A block is a closure of each
 * session that it overlaps.
 */
export interface Closure {
  readonly fromDate: string;
  readonly toDate: string;
  readonly timeSlot: TimeSlot | null;
}

/** An artist's working times: the studio's rules apply to each of them. */
export interface ArtistCalendar extends WeekSessions {
  readonly id: number;
  /** They take no new bookings. */
  readonly isHidden: boolean;
  /** The dates before and after which nobody can book them; null: open. */
  readonly firstDay: string | null;
  readonly lastDay: string | null;
  /** The closing times that count for them (`hoursOn`). */
  readonly hours: readonly ClosingTime[];
  readonly closures: readonly Closure[];
  /** The keys (`slotKey`) of the slots that a watched calendar closes. */
  readonly busySlots: ReadonlySet<string>;
}

/** The rules of the studio's slots. */
export interface Calendar {
  /** IANA name; dates and wall-clock times are in this zone. */
  readonly timezone: string;
  /** By date: sessions besides those of its weekday. */
  readonly openings: ReadonlyMap<string, readonly TimeSlot[]>;
  /** In the studio's order. A slot is open while one of them who is not hidden is free. */
  readonly artists: readonly ArtistCalendar[];
  readonly minNoticeMinutes: number;
  /** The last bookable date is today, in the studio's zone, plus this number of days. */
  readonly horizonDays: number;
}

/** Which of the artists a booking occupies in a slot. */
export interface Occupant {
  readonly artistId: number;
  /**
   * Null for a confirmed booking; a hold occupies its slot until before that instant (ms since the epoch).
   */
  readonly lapsesAt: number | null;
}

/** Occupied slots by `slotKey`. */
export type Taken = ReadonlyMap<string, readonly Occupant[]>;

export interface BookedCalendar {
  readonly calendar: Calendar;
  readonly taken: Taken;
}

/**
 * Whether a slot can be booked, or why not. The first that applies, in this order: `past` (its date is
 * over) and `too_far`, `no_session`, `closed`, `past` (it has started), `taken` (confirmed), `held`
 * (pending), `too_soon`. With several artists, the state of the one who is nearest to being free.
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
 * Whether a slot is open for an artist, hidden or not, or why it is not; null: for any who is shown. A
 * date that does not exist, in the calendar or in the studio's time zone, has no session.
 *
 * @param now ms since the epoch
 */
export function openFor(
  { calendar, taken }: BookedCalendar,
  slot: Slot,
  artistId: number | null,
  now: number,
): SlotState {
  if (!isCalendarDate(slot.date)) return 'no_session';
  const window = bookableDates(calendar, now);
  if (slot.date < window.from) return 'past';
  if (slot.date > window.to) return 'too_far';
  const day = dayOf(calendar.timezone, slot.date);
  return stateInWindow(calendar, taken, day, findSlot(day, slot.timeSlot), now, artistId);
}

/** Whether a slot is in the studio's schedule, whatever is booked and whatever the time is. */
export type ScheduleState = Extract<SlotState, 'open' | 'no_session' | 'closed'>;

/** The part of `openFor` that only the studio decides. */
export function scheduleState(calendar: Calendar, slot: Slot): ScheduleState {
  if (!isCalendarDate(slot.date)) return 'no_session';
  const day = dayOf(calendar.timezone, slot.date);
  const found = findSlot(day, slot.timeSlot);
  return nearest<ScheduleState>(calendar, (artist) =>
    stateInSchedule(calendar, artist, day, found),
  );
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
  for (const { lapsesAt } of [...taken.values()].flat()) {
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
  const narrowed = {
    ...calendar,
    artists: calendar.artists.map((artist) => ({
      ...artist,
      closures: artist.closures.filter((each) => each.fromDate <= to && each.toDate >= from),
    })),
  };
  for (const day of daysOf(calendar, { from, to })) {
    const slots = day.slots.filter(
      (slot) =>
        (range.timeSlot === undefined || range.timeSlot === slot.timeSlot) &&
        stateInWindow(narrowed, taken, day, slot, now) === 'open',
    );
    if (slots.length > 0) yield { day, slots };
  }
}

/** The states in order, from the nearest to being free on. */
const byNearness: readonly SlotState[] = [
  'open',
  'too_soon',
  'held',
  'taken',
  'past',
  'closed',
  'no_session',
];

/** The state of the artist, or else of the one who is nearest to being free. */
function nearest<State extends SlotState>(
  { artists }: Calendar,
  stateOf: (artist: ArtistCalendar) => State,
  artistId: number | null = null,
): State | 'no_session' {
  let best: State | 'no_session' = 'no_session';
  for (const artist of artists) {
    if (artistId === null ? artist.isHidden : artist.id !== artistId) continue;
    const state = stateOf(artist);
    if (state === 'open') return state;
    if (byNearness.indexOf(state) < byNearness.indexOf(best)) best = state;
  }
  return best;
}

/** The state of a slot on a bookable date. */
function stateInWindow(
  calendar: Calendar,
  taken: Taken,
  day: Day,
  slot: DaySlot,
  now: number,
  artistId: number | null = null,
): SlotState {
  const occupants = taken.get(slot.key);
  const stateOf = (artist: ArtistCalendar): SlotState => {
    const scheduled = stateInSchedule(calendar, artist, day, slot);
    if (scheduled !== 'open') return scheduled;
    if (slot.epochMs < now) return 'past';
    const lapsesAt = occupants?.find(({ artistId }) => artistId === artist.id)?.lapsesAt;
    if (lapsesAt === null) return 'taken';
    if (lapsesAt !== undefined && now < lapsesAt) return 'held';
    return slot.epochMs - now < noticeOf(calendar) ? 'too_soon' : 'open';
  };
  return nearest(calendar, stateOf, artistId);
}

/** Whether a session is in the artist's week of the date, or opened on it. */
export function hasSession(
  { openings }: Pick<Calendar, 'openings'>,
  artist: WeekSessions,
  day: Pick<Day, 'date' | 'weekday'>,
  timeSlot: TimeSlot,
): boolean {
  return (
    sessionsOn(artist, day).includes(timeSlot) ||
    (openings.get(day.date)?.includes(timeSlot) ?? false)
  );
}

function stateInSchedule(
  calendar: Calendar,
  artist: ArtistCalendar,
  day: Day,
  { exists, key, timeSlot }: DaySlot,
): ScheduleState {
  if (!exists || !hasSession(calendar, artist, day, timeSlot) || !isThere(artist, day.date)) {
    return 'no_session';
  }
  return artist.busySlots.has(key) || isClosedByStudio(artist, { date: day.date, timeSlot })
    ? 'closed'
    : 'open';
}

/** Whether a date is neither before the first day of an artist nor after the last. */
export function isThere(
  { firstDay, lastDay }: Pick<ArtistCalendar, 'firstDay' | 'lastDay'>,
  date: string,
): boolean {
  return (firstDay ?? date) <= date && date <= (lastDay ?? date);
}

/** Whether a closure covers the slot of an artist; watched calendars do not count. */
export function isClosedByStudio(
  { closures }: Pick<ArtistCalendar, 'closures'>,
  { date, timeSlot }: Slot,
): boolean {
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
