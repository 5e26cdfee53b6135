import type { Slot } from '../schedule/slots.js';

/** Where a person books a session. */
export const bookPath = '/book';

/** The address at which a person books a slot. */
export function linkToBook({ date, timeSlot }: Slot): string {
  return `${bookPath}?${new URLSearchParams({ date, time_slot: timeSlot }).toString()}`;
}
