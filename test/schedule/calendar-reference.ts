import { Temporal } from 'temporal-polyfill';
/**
 * The calendar's rules once more, slowly and plainly: everything is computed from scratch with
 * Temporal for each question, nothing is remembered and nothing is skipped.
 */
import type { TimeSlot } from '../../generated/schemas.js';
import type {
  ArtistCalendar,
  Calendar,
  OpenSlot,
  SlotState,
  Taken,
} from '../../src/schedule/calendar.js';
import type { Weekday } from '../../src/schedule/dates.js';
import { timeSlots } from '../../src/schedule/slots.js';
import type { Slot } from '../../src/schedule/slots.js';

const clockTimes: Record<TimeSlot, string> = {
  '9:00 AM': '09:00',
  '1:00 PM': '13:00',
  '5:00 PM': '17:00',
};

export function referenceStart(timezone: string, slot: Slot): Temporal.ZonedDateTime {
  const wallClock = `${slot.date}T${clockTimes[slot.timeSlot]}`;
  return Temporal.PlainDateTime.from(wallClock).toZonedDateTime(timezone, {
    disambiguation: 'compatible',
  });
}

export function referenceToday(timezone: string, now: number): string {
  const moment = new Temporal.ZonedDateTime(BigInt(now) * 1_000_000n, timezone);
  return moment.toPlainDate().toString();
}

export function datesFrom(first: string, count: number): string[] {
  const start = Temporal.PlainDate.from(first);
  return Array.from({ length: count }, (_, days) => start.add({ days }).toString());
}

export function slotsOn(dates: readonly string[]): Slot[] {
  return dates.flatMap((date) => timeSlots.map((timeSlot) => ({ date, timeSlot })));
}

export function referenceState(
  calendar: Calendar,
  taken: Taken,
  slot: Slot,
  now: number,
): SlotState {
  const today = Temporal.PlainDate.from(referenceToday(calendar.timezone, now));
  const date = Temporal.PlainDate.from(slot.date);
  if (Temporal.PlainDate.compare(date, today) < 0) return 'past';
  const lastDate = today.add({ days: calendar.horizonDays });
  if (Temporal.PlainDate.compare(date, lastDate) > 0) return 'too_far';

  const statesOfArtists = calendar.artists
    .filter(({ isHidden }) => !isHidden)
    .map((artist) => referenceStateOf(artist, calendar, taken, slot, now));
  return nearestFirst.find((state) => statesOfArtists.includes(state)) ?? 'no_session';
}

/** From an artist who can be booked to one who does not work then. */
const nearestFirst: SlotState[] = [
  'open',
  'too_soon',
  'held',
  'taken',
  'past',
  'closed',
  'no_session',
];

function referenceStateOf(
  artist: ArtistCalendar,
  calendar: Calendar,
  taken: Taken,
  slot: Slot,
  now: number,
): SlotState {
  const date = Temporal.PlainDate.from(slot.date);
  const start = referenceStart(calendar.timezone, slot);
  const isOnThatDate = start.toPlainDate().equals(date);
  const special = artist.dated.filter(
    ({ weekday, from_date: from, to_date: to }) =>
      weekday === date.dayOfWeek && from! <= slot.date && slot.date <= to!,
  );
  const offered = [...(special[0]?.sessions ?? artist.sessions[date.dayOfWeek as Weekday])];
  for (const [openedOn, opened] of calendar.openings) {
    if (Temporal.PlainDate.from(openedOn).equals(date)) offered.push(...opened);
  }
  if (!isOnThatDate || offered.indexOf(slot.timeSlot) === -1) return 'no_session';

  const { firstDay, lastDay } = artist;
  const startsAfter =
    firstDay !== null && Temporal.PlainDate.compare(date, Temporal.PlainDate.from(firstDay)) < 0;
  const endsBefore =
    lastDay !== null && Temporal.PlainDate.compare(date, Temporal.PlainDate.from(lastDay)) > 0;
  if (startsAfter || endsBefore) return 'no_session';

  for (const closure of artist.closures) {
    const begins = Temporal.PlainDate.from(closure.fromDate);
    const ends = Temporal.PlainDate.from(closure.toDate);
    const isWithin =
      Temporal.PlainDate.compare(begins, date) <= 0 && Temporal.PlainDate.compare(date, ends) <= 0;
    if (isWithin && [null, slot.timeSlot].includes(closure.timeSlot)) return 'closed';
  }

  for (const key of artist.busySlots) {
    if (key === `${slot.date} ${slot.timeSlot}`) return 'closed';
  }

  const startMs = start.epochMilliseconds;
  if (startMs < now) return 'past';
  for (const [key, holders] of taken) {
    if (key !== `${slot.date} ${slot.timeSlot}`) continue;
    for (const { artistId, lapsesAt } of holders) {
      if (artistId !== artist.id) continue;
      if (lapsesAt === null) return 'taken';
      if (now < lapsesAt) return 'held';
    }
  }
  if (startMs < now + calendar.minNoticeMinutes * 60 * 1000) return 'too_soon';
  return 'open';
}

/** Every open slot from today to the horizon, in order. */
export function referenceOpen(calendar: Calendar, taken: Taken, now: number): OpenSlot[] {
  return slotsOn(datesFrom(referenceToday(calendar.timezone, now), calendar.horizonDays + 1))
    .filter((slot) => referenceState(calendar, taken, slot, now) === 'open')
    .map((slot) => ({
      ...slot,
      startsAt: referenceStart(calendar.timezone, slot).toString({
        timeZoneName: 'never',
        fractionalSecondDigits: 0,
      }),
    }));
}

export function referenceAlternatives(
  calendar: Calendar,
  taken: Taken,
  wanted: Slot,
  now: number,
  limit: number,
): OpenSlot[] {
  const onTheWall = ({ date, timeSlot }: Slot) =>
    Temporal.PlainDateTime.from(`${date}T${clockTimes[timeSlot]}`);
  const minutesAfter = (slot: Slot) =>
    onTheWall(wanted).until(onTheWall(slot), { largestUnit: 'minute' }).minutes;
  const left = referenceOpen(calendar, taken, now)
    .filter((slot) => slot.date !== wanted.date || slot.timeSlot !== wanted.timeSlot)
    .map((slot) => ({ slot, minutes: minutesAfter(slot) }));
  type Candidate = (typeof left)[number];
  const offered: OpenSlot[] = [];
  /** Moves the best of those left, among those that qualify; false if none does. */
  const offerNearest = (qualifies: (candidate: Candidate) => boolean): boolean => {
    const candidates = left.filter(qualifies);
    const least = Math.min(...candidates.map(({ minutes }) => Math.abs(minutes)));
    const best =
      candidates.find(({ minutes }) => minutes === least) ??
      candidates.find(({ minutes }) => minutes === -least);
    if (best === undefined || offered.length === limit) return false;
    offered.push(best.slot);
    left.splice(left.indexOf(best), 1);
    return true;
  };
  const week = 7 * 24 * 60;
  const hasSameTime = ({ slot, minutes }: Candidate) =>
    slot.timeSlot === wanted.timeSlot && Math.abs(minutes) <= week;
  const isWeeksLater = ({ slot, minutes }: Candidate) =>
    slot.timeSlot === wanted.timeSlot && [1, 2, 3, 4].some((weeks) => minutes === weeks * week);
  for (let count = 0; count < Math.min(2, limit - 1); count += 1) offerNearest(isWeeksLater);
  while (offered.length < 3 && offerNearest(hasSameTime));
  while (offerNearest(({ slot }) => slot.date === wanted.date));
  while (offerNearest(() => true));
  const rank = (slot: OpenSlot) =>
    hasSameTime({ slot, minutes: minutesAfter(slot) }) ? 0 : slot.date === wanted.date ? 1 : 2;
  const distance = (slot: OpenSlot) => Math.abs(minutesAfter(slot));
  return offered.toSorted(
    (one, other) =>
      rank(one) - rank(other) ||
      distance(one) - distance(other) ||
      minutesAfter(other) - minutesAfter(one),
  );
}

/** All that a board shows at an instant: the date, each bookable slot's state, the pending holds. */
export function referencePicture(calendar: Calendar, taken: Taken, now: number): string {
  const today = referenceToday(calendar.timezone, now);
  const slots = slotsOn(datesFrom(today, calendar.horizonDays + 1));
  const states = slots.map((slot) => referenceState(calendar, taken, slot, now));
  const pending = [...taken].flatMap(([key, holders]) =>
    holders
      .filter(({ lapsesAt }) => (lapsesAt ?? 0) > now)
      .map(({ artistId }) => `${key} ${artistId}`),
  );
  return JSON.stringify([today, states, pending]);
}
