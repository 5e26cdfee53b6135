import { bookingLabel } from '../../../schedule/slot-label.js';
import type { Slot } from '../../../schedule/slots.js';
import type { SlotRefusal } from '../../../domain/studio-bookings.js';
import type { StudioSchedule } from '../../../domain/studio-schedule.js';
import { StaffError } from '../../failure.js';

/** The failure for a slot that the studio cannot have. */
export function slotRefused(slot: Slot, refusal: SlotRefusal): StaffError {
  const why: Record<SlotRefusal, string> = {
    taken: 'is taken',
    over: 'is over',
    no_such_slot: "does not exist in the studio's time zone",
  };
  return new StaffError('refused', `${bookingLabel(slot)} ${why[refusal]}; nothing was changed.`);
}

/** A line for a slot outside the schedule, and none for any other. */
export function scheduleLines(schedule: StudioSchedule): string[] {
  switch (schedule) {
    case 'open':
      return [];
    case 'closed':
      return ['The studio is closed then.'];
    case 'busy':
      return ['Your calendar is busy then.'];
    case 'no_session':
      return ['The weekly schedule has no session then.'];
  }
}
