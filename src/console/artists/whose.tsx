import { Type } from '@sinclair/typebox';
import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { DomainServices } from '../../domain/deps.js';
import { type Artist, namedArtists } from '../../schedule/artists.js';
import { formRefused } from '../../web/forms.js';
import { PageContext } from '../moment.js';

/** The schema of the field of `ArtistField`: an id, or empty for everybody. */
export const artistField = Type.Optional(Type.String({ pattern: '^\\d{0,6}$' }));

/** The artist that a field or an address names; null: everybody. Refuses a form that names nobody. */
export async function findArtist(
  { board }: Pick<DomainServices, 'board'>,
  typed = '',
): Promise<Artist | null> {
  if (typed === '') return null;
  const found = namedArtists(await board.read()).find(({ id }) => String(id) === typed);
  if (found === undefined) throw formRefused();
  return found;
}

interface ArtistFieldProps {
  id?: string;
  label: string;
  /** Null: everybody. */
  chosen: number | null;
}

/** Chooses an artist, or everybody; nothing where the studio has one. */
export function ArtistField({ id = 'artist', label, chosen }: ArtistFieldProps): VNode | null {
  const { artists } = useContext(PageContext);
  if (artists.length === 0) return null;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} name="artist">
        <option value="">Everybody</option>
        {artists.map((artist) => (
          <option key={artist.id} value={artist.id} selected={artist.id === chosen} dir="auto">
            {artist.name}
          </option>
        ))}
      </select>
    </div>
  );
}

interface WhoseProps {
  /** Null: everybody's. */
  artistId: number | null;
  before?: string;
}

/** The artist of something, or `everybody`; nothing where the studio has one. */
export function Whose({ artistId, before = '' }: WhoseProps): VNode | null {
  const { artists } = useContext(PageContext);
  if (artists.length === 0) return null;
  const name = artists.find(({ id }) => id === artistId)?.name;
  return (
    <>
      {before}
      {name === undefined ? 'everybody' : <bdi>{name}</bdi>}
    </>
  );
}
