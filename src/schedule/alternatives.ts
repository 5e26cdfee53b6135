import { bookableDates, openDays, type Calendar, type OpenSlot, type Taken } from './calendar.js';
import { daysBetween } from './dates.js';
import { slotKey, wallClockHours, type DaySlot, type Slot } from './slots.js';

/** Open slots that `slot_unavailable` offers. */
export const maxAlternatives = 5;
/** How many of these have the wanted time of day, if as many are open. */
const sameTimeAlternatives = 3;
/** How many of those are also on the wanted weekday, of the next `weeksAhead` weeks. */
const weeklyAlternatives = 2;
const weeksAhead = 4;
const weekHours = 7 * 24;

interface Candidate {
  readonly date: string;
  readonly slot: DaySlot;
  /** After the wanted slot, on the studio's wall clock; negative if before it. */
  readonly hours: number;
}

/**
 * Open slots to offer instead of the wanted one, the best first. A person who asks for a time of day
 * has reasons for it, so it counts more than the day:
 *
 * 1. slots at the same time of day, at most a week away;
 * 2. the other slots of the same day;
 * 3. all others.
 *
 * Up to `sameTimeAlternatives` have the same time of day. Up to `weeklyAlternatives` of these are on the
 * same weekday of a later week, for whoever is free at that time every week; but not the only one, where
 * `limit` is 1. Each kind is in order of distance on the studio's wall clock; of two at equal distance
 * the later one is first.
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
