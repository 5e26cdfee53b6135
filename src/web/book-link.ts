import type { Slot } from '../schedule/slots.js';

/** Where a person books a session. */
export const bookPath = '/book';

/** The addresses at which a person books each slot, for those who make links (RFC 6570). */
export function bookUrlTemplate(publicBaseUrl: string): string {
  return `${publicBaseUrl}${bookPath}{?date,time_slot}`;
}

/** The address at which a person books a slot, with an artist if one is chosen. */
export function linkToBook(
  { date, timeSlot }: Slot,
  artist: { slug: string } | null = null,
): string {
  const fields = { date, time_slot: timeSlot, ...(artist !== null && { artist: artist.slug }) };
  return `${bookPath}?${new URLSearchParams(fields).toString()}`;
}
