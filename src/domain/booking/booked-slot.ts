import type { BookedSlot } from '../../database/rows/results.js';
import { type Calendar, hasSession, isThere } from '../../schedule/calendar.js';
import { dayOf, sessionEndsAt, type Slot, slotStartsAt, zonedText } from '../../schedule/slots.js';
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
  // Most artists share the studio's hours.
  const known = new Map<unknown, number>();
  const all = (found.length > 0 ? found : calendar.artists).map((artist) => {
    const endsAt = known.get(artist.hours) ?? sessionEndsAt(epochMs, timezone, artist.hours);
    known.set(artist.hours, endsAt);
    return { artist, endsAt };
  });
  const day = dayOf(timezone, slot.date);
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
