import type { BookedSlot, ClosableSlot } from '../repositories/slot-taking.js';
import type { OpeningHoursRow } from '../repositories/studio.js';
import { bookingLabel } from '../schedule/slot-label.js';
import { sessionEndsAt, type Slot, slotStartsAt } from '../schedule/slots.js';

/** The columns of a booking in the slot. They stay if the studio's time zone changes. */
export function bookedSlot(timezone: string, slot: Slot): BookedSlot {
  const { epochMs, iso } = slotStartsAt(timezone, slot.date, slot.timeSlot);
  return {
    ...slot,
    startsAt: new Date(epochMs),
    startsAtText: iso,
    timezone,
    label: bookingLabel(slot),
  };
}

/** The same, with the end of the session. */
export function closableSlot(
  timezone: string,
  openingHours: readonly OpeningHoursRow[],
  slot: Slot,
): ClosableSlot {
  const booked = bookedSlot(timezone, slot);
  const endsAt = sessionEndsAt(booked.startsAt.getTime(), timezone, openingHours);
  return { ...booked, endsAt: new Date(endsAt) };
}
