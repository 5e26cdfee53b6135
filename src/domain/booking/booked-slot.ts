import type { BookedSlot } from '../../database/rows/results.js';
import type { OpeningHoursRow } from '../../database/rows/studio.js';
import type { Calendar } from '../../schedule/calendar.js';
import { sessionEndsAt, type Slot, slotStartsAt, zonedText } from '../../schedule/slots.js';
import { bookingLabel } from '../../schedule/words.js';

interface StudioTimes {
  calendar: Pick<Calendar, 'timezone'>;
  openingHours: readonly OpeningHoursRow[];
}

/** The columns of a slot. They stay if the studio's time zone or hours change. */
export function bookedSlot(
  { calendar: { timezone }, openingHours }: StudioTimes,
  slot: Slot,
): BookedSlot {
  const { epochMs, iso } = slotStartsAt(timezone, slot.date, slot.timeSlot);
  const endsAt = sessionEndsAt(epochMs, timezone, openingHours);
  return {
    ...slot,
    startsAt: new Date(epochMs),
    startsAtText: iso,
    endsAt: new Date(endsAt),
    endsAtText: zonedText(endsAt, timezone),
    timezone,
    label: bookingLabel(slot),
  };
}
