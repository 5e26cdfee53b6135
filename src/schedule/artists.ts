import { type ArtistCalendar, type Calendar, openFor, type Taken } from './calendar.js';
import { isSameSlot, type Slot, slotOf } from './slots.js';

/** An artist in the form that is shown where there are several. */
export interface Artist {
  readonly id: number;
  /** The slug of the link to their open times. */
  readonly slug: string;
  readonly name: string;
  /** A line about their work; may be empty. */
  readonly about: string;
  /** They take no new bookings; in a `CalendarState`, also once their last day is over. */
  readonly isHidden: boolean;
  /** The dates before and after which nobody can book them; null: open. */
  readonly firstDay: string | null;
  readonly lastDay: string | null;
}

/** A slot of an artist; null: of any. */
export interface SlotOfArtist extends Slot {
  readonly artistId?: number | null;
}

/** Whether a booking is in a slot already, with the artist if one is given. */
export function isInSlot(
  booking: Parameters<typeof slotOf>[0] & { artist_id: number },
  { artistId, ...slot }: SlotOfArtist,
): boolean {
  return isSameSlot(slotOf(booking), slot) && (artistId ?? booking.artist_id) === booking.artist_id;
}

export interface HasArtists {
  readonly artists: readonly Artist[];
}

/** The artists who are named: nobody where there is one. */
export function namedArtists({ artists }: HasArtists): readonly Artist[] {
  return artists.length === 1 ? [] : artists;
}

/** The artists that a person can choose by name. */
export function choosableArtists(all: HasArtists): readonly Artist[] {
  return namedArtists(all).filter(({ isHidden }) => !isHidden);
}

/** The artist of a text: by name, or else by the slug of their links, in any letter case. */
export function artistCalled<Named extends { slug: string; name: string }>(
  artists: readonly Named[],
  typed: string,
): Named | undefined {
  const wanted = typed.normalize().trim().toLowerCase();
  return (
    artists.find(({ name }) => name !== '' && name.normalize().toLowerCase() === wanted) ??
    artists.find(({ slug }) => slug === wanted)
  );
}

/**
 * The artist of a link's word, hidden or not; null for anything else. The slug comes before the names, so
 * that a link stays with its artist when another one takes that name.
 */
export function artistOfLink(all: HasArtists, word: unknown): Artist | null {
  if (typeof word !== 'string') return null;
  const artists = namedArtists(all);
  return artists.find(({ slug }) => slug === word) ?? artistCalled(artists, word) ?? null;
}

/** The calendar of one artist, hidden or not, as if there were no others. */
export function ofArtist(calendar: Calendar, artistId: number): Calendar {
  const artists = calendar.artists.filter(({ id }) => id === artistId);
  return { ...calendar, artists: artists.map((artist) => ({ ...artist, isHidden: false })) };
}

/**
 * The artists who are free in a slot, in the studio's order.
 *
 * @param now ms since the epoch
 */
export function freeArtists(
  calendar: Calendar,
  taken: Taken,
  slot: Slot,
  now: number,
): readonly ArtistCalendar[] {
  return calendar.artists.filter(
    ({ id, isHidden }) => !isHidden && openFor({ calendar, taken }, slot, id, now) === 'open',
  );
}
