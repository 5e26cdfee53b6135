import { bookingLabel } from '../calendar/slot-label.js';
import { slotStartsAt, type Slot } from '../calendar/slots.js';
import type { BookedSlot } from '../repositories/slot-taking.js';

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
