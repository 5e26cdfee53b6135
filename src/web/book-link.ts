import type { Slot } from '../schedule/slots.js';

/** Where a person books a session. */
export const bookPath = '/book';

/** The addresses at which a person books each slot, for those who make links (RFC 6570). */
export function bookUrlTemplate(publicBaseUrl: string): string {
  return `${publicBaseUrl}${bookPath}{?date,time_slot}`;
}

/** The address at which a person books a slot. */
export function linkToBook({ date, timeSlot }: Slot): string {
  return `${bookPath}?${new URLSearchParams({ date, time_slot: timeSlot }).toString()}`;
}
