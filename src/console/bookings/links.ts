import type { Slot } from '../../schedule/slots.js';
import type { StudioSchedule } from '../../domain/studio-settings.js';
import type { Done } from './done-messages.js';

export const bookingsPath = '/console/bookings';

export function linkToBooking(id: string): string {
  return `${bookingsPath}/${id}`;
}

/** The page of a booking after a change. */
export function linkAfter(done: Done, id: string): string {
  return `${linkToBooking(id)}?done=${done}`;
}

/** What was done, and where people could not book the slot, why. */
export function doneInSlot(done: 'added' | 'moved', schedule: StudioSchedule): Done {
  return schedule === 'open' ? done : `${done}-${schedule}`;
}

/** The form that adds a booking. */
export function linkToAdd({ date, timeSlot }: Slot): string {
  const query = new URLSearchParams({ date, time_slot: timeSlot });
  return `${bookingsPath}/new?${query.toString()}`;
}
