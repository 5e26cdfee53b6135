import { scheduleState, type Calendar, type ScheduleState } from '../schedule/calendar.js';
import { slotKey, type Slot } from '../schedule/slots.js';

/** Whether people could book a slot, whatever is booked; `busy`: a watched calendar closes it. */
export type StudioSchedule = ScheduleState | 'busy';

/** `scheduleState` as the studio sees it, who may know why a slot is closed. */
export function studioSchedule(calendar: Calendar, slot: Slot): StudioSchedule {
  const schedule = scheduleState(calendar, slot);
  return schedule === 'closed' && calendar.busySlots.has(slotKey(slot)) ? 'busy' : schedule;
}
