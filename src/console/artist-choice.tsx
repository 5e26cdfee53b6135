import type { VNode } from 'preact';
import type { StudioData } from '../board/calendar-state.js';
import { type Artist, namedArtists } from '../schedule/artists.js';

/** The artist whom an address or a form names, also who is hidden; null if nobody. */
export function findBySlug(
  state: Pick<StudioData, 'artists'>,
  slug: string | undefined,
): Artist | null {
  return namedArtists(state).find((artist) => artist.slug === slug) ?? null;
}

export interface ArtistOfSessionProps {
  /** Empty where the studio has one. */
  artists: readonly Artist[];
  /** The slug of who is chosen. */
  chosen: string | undefined;
  mistake?: string | undefined;
}

/** Whom a session is with; nothing where the studio has one artist. */
export function ArtistOfSession({ artists, chosen, mistake }: ArtistOfSessionProps): VNode | null {
  if (artists.length === 0) return null;
  return (
    <div class="field">
      <label for="artist">Artist</label>
      {mistake !== undefined && (
        <p class="mistake" id="artist-mistake">
          {mistake}
        </p>
      )}
      <select
        id="artist"
        name="artist"
        aria-describedby={mistake === undefined ? undefined : 'artist-mistake'}
        aria-invalid={mistake === undefined ? undefined : 'true'}
      >
        <option value="">Whoever is free</option>
        {artists.map(({ slug, name }) => (
          <option key={slug} value={slug} selected={slug === chosen}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
