import { bookableDates, openDays, type Calendar, type OpenSlot, type Taken } from './calendar.js';
import { daysBetween } from './dates.js';
import { slotKey, wallClockHours, type DaySlot, type Slot } from './slots.js';

/** The most open slots that `slot_unavailable` offers. */
export const maxAlternatives = 5;
/** The most of these with the wanted time of day. */
const sameTimeAlternatives = 3;
/** The most of those on the wanted weekday, in the next `weeksAhead` weeks. */
const weeklyAlternatives = 2;
const weeksAhead = 4;
const weekHours = 7 * 24;

interface Candidate {
  readonly date: string;
  readonly slot: DaySlot;
  /** Hours after the wanted slot, on the studio's wall clock; negative if before it. */
  readonly hours: number;
}

/**
 * Open slots to offer instead of the wanted one, the best first. A wanted time of day counts more than
 * the day:
 *
 * 1. slots at the same time of day, at most a week away;
 * 2. the other slots of the same day;
 * 3. all others.
 *
 * Up to `sameTimeAlternatives` have the same time of day. Up to `weeklyAlternatives` of these are on the
 * same weekday of a later week, unless `limit` is 1. Each kind is in order of distance on the studio's
 * wall clock; at equal distance, the later slot is first.
 *
 * @param now ms since the epoch
 */
export function alternatives(
  calendar: Calendar,
  taken: Taken,
  wanted: Slot,
  now: number,
  limit = maxAlternatives,
): OpenSlot[] {
  const wantedKey = slotKey(wanted);
  const nearest: Candidate[] = [];
  for (const { day, slots } of openDays(calendar, taken, bookableDates(calendar, now), now)) {
    const hours = daysBetween(wanted.date, day.date) * 24 - wallClockHours[wanted.timeSlot];
    for (const slot of slots) {
      if (slot.key === wantedKey) continue;
      nearest.push({ date: day.date, slot, hours: hours + wallClockHours[slot.timeSlot] });
    }
  }
  nearest.sort(
    (one, other) => Math.abs(one.hours) - Math.abs(other.hours) || other.hours - one.hours,
  );
  const sameTime = nearest.filter(({ slot }) => slot.timeSlot === wanted.timeSlot);
  const weekly = sameTime.filter(
    ({ hours }) => hours > 0 && hours <= weeksAhead * weekHours && hours % weekHours === 0,
  );
  const nearby = sameTime.filter(({ hours }) => Math.abs(hours) <= weekHours);
  const sameDay = nearest.filter(({ date }) => date === wanted.date);
  const weeks = weekly.slice(0, Math.min(weeklyAlternatives, limit - 1));
  const ofTime = new Set([...weeks, ...nearby]);
  const wished = new Set([...[...ofTime].slice(0, sameTimeAlternatives), ...sameDay, ...nearest]);
  const offered = new Set([...wished].slice(0, limit));
  const best = [...new Set([...nearby, ...sameDay, ...nearest])].filter((each) =>
    offered.has(each),
  );
  return best.map(({ date, slot }) => ({
    date,
    timeSlot: slot.timeSlot,
    startsAt: slot.iso,
  }));
}

/**
 * The first open slot of a booking's artist after its session; null if there is none.
 *
 * @param now ms since the epoch
 */
export function nextOfArtist(
  calendar: Calendar,
  taken: Taken,
  booking: { date: string; starts_at: Date; artist_id: number },
  now: number,
): Slot | null {
  const artists = calendar.artists.filter(({ id }) => id === booking.artist_id);
  const range = { from: booking.date, to: bookableDates(calendar, now).to };
  for (const { day, slots } of openDays({ ...calendar, artists }, taken, range, now)) {
    const found = slots.find(({ epochMs }) => epochMs > booking.starts_at.getTime());
    if (found !== undefined) return { date: day.date, timeSlot: found.timeSlot };
  }
  return null;
}
