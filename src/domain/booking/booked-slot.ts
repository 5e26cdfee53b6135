import type { BookedSlot } from '../../database/rows/results.js';
import { type Calendar, hasSession, isThere } from '../../schedule/calendar.js';
import { dayOf, sessionEndsAt, type Slot, slotStartsAt, zonedText } from '../../schedule/slots.js';
import { hoursOn } from '../../schedule/weeks.js';
import { bookingLabel } from '../../schedule/words.js';

type StudioTimes = { calendar: Pick<Calendar, 'timezone' | 'openings' | 'artists'> };

/**
 * The columns of a slot, with an artist or (null) with anybody. They stay if the studio's time zone or a
 * week changes.
 */
export function bookedSlot(
  { calendar }: StudioTimes,
  slot: Slot,
  artistId: number | null = null,
): BookedSlot {
  const { timezone } = calendar;
  const { epochMs, iso } = slotStartsAt(timezone, slot.date, slot.timeSlot);
  const found = calendar.artists.filter(({ id }) => artistId === null || id === artistId);
  const day = dayOf(timezone, slot.date);
  // Most artists close at one time, and an end takes long to find.
  const known = new Map<unknown, number>();
  const all = (found.length > 0 ? found : calendar.artists).map((artist) => {
    const closes = hoursOn(artist.hours, day.weekday, slot.date)?.closes;
    const endsAt = known.get(closes) ?? sessionEndsAt(epochMs, timezone, artist.hours);
    known.set(closes, endsAt);
    return { artist, endsAt };
  });
  const working = all.filter(
    ({ artist }) =>
      !artist.isHidden &&
      isThere(artist, slot.date) &&
      hasSession(calendar, artist, day, slot.timeSlot),
  );
  const endsAt = Math.max(...(working.length > 0 ? working : all).map((each) => each.endsAt));
  const others = all.filter((each) => each.endsAt !== endsAt);
  const end = (at: number) => ({ endsAt: new Date(at), endsAtText: zonedText(at, timezone) });
  return {
    ...slot,
    startsAt: new Date(epochMs),
    startsAtText: iso,
    ...end(endsAt),
    ends: others.map(({ artist, endsAt: at }) => ({ artistId: artist.id, ...end(at) })),
    timezone,
    label: bookingLabel(slot),
  };
}
