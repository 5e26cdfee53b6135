import { artistOfLink, type HasArtists, namedArtists } from '../schedule/artists.js';
import type { Slot } from '../schedule/slots.js';

/** The page where a person books a session. */
export const bookPath = '/book';

/**
 * The addresses at which a person books each slot, for those who make links (RFC 6570). `artist`: the name
 * or the slug of the artist with whom; without it, the link can name one.
 */
export function bookUrlTemplate(publicBaseUrl: string, all: HasArtists, artist?: string): string {
  const chosen = artistOfLink(all, artist);
  const page = `${publicBaseUrl}${bookPath}`;
  if (chosen !== null) return `${page}?artist=${chosen.slug}{&date,time_slot}`;
  return `${page}{?date,time_slot${namedArtists(all).length > 0 ? ',artist' : ''}}`;
}

/** The address at which a person books a slot, with an artist if one is chosen. */
export function linkToBook(
  { date, timeSlot }: Slot,
  artist: { slug: string } | null = null,
): string {
  const fields = { date, time_slot: timeSlot, ...(artist !== null && { artist: artist.slug }) };
  return `${bookPath}?${new URLSearchParams(fields).toString()}`;
}
