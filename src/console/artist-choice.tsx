import type { FastifyRequest } from 'fastify';
import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { StudioData } from '../board/calendar-state.js';
import type { DomainServices } from '../domain/deps.js';
import { type Artist, namedArtists } from '../schedule/artists.js';
import { formRefused } from '../web/forms.js';
import { PageContext } from './moment.js';

/** The artist whom a path or a form names, hidden or not; null if nobody. */
export function findBySlug(
  state: Pick<StudioData, 'artists'>,
  slug: string | undefined,
): Artist | null {
  return namedArtists(state).find((artist) => artist.slug === slug) ?? null;
}

/**
 * Like `findBySlug`, for a field that may be empty. In an artist's session, the artist: a form that names
 * another was opened in another session. Throws `invalid_request` for it, and if it names nobody.
 */
export async function findArtist(
  { board }: Pick<DomainServices, 'board'>,
  { consoleArtist }: FastifyRequest,
  slug = '',
): Promise<Artist | null> {
  if (consoleArtist !== null) {
    if (slug !== consoleArtist.slug) throw formRefused();
    return consoleArtist;
  }
  if (slug === '') return null;
  const found = findBySlug(await board.read(), slug);
  if (found === null) throw formRefused();
  return found;
}

export interface ArtistFieldProps {
  id?: string;
  label: string;
  /** Who can be chosen; nobody where the studio has one. */
  artists: readonly Artist[];
  /** The label for no artist in particular. */
  all: string;
  /** The slug of who is chosen. */
  chosen: string | undefined;
  mistake?: string | undefined;
}

/** Chooses an artist, by slug, or none in particular; nothing where the studio has one. */
export function ArtistField(props: ArtistFieldProps): VNode | null {
  const { id = 'artist', label, artists, all, chosen, mistake } = props;
  if (artists.length === 0) return null;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {mistake !== undefined && (
        <p class="mistake" id={`${id}-mistake`}>
          {mistake}
        </p>
      )}
      <select
        id={id}
        name="artist"
        aria-describedby={mistake === undefined ? undefined : `${id}-mistake`}
        aria-invalid={mistake === undefined ? undefined : 'true'}
      >
        <option value="">{all}</option>
        {artists.map(({ slug, name }) => (
          <option key={slug} value={slug} selected={slug === chosen} dir="auto">
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}

/** The field of an artist's own form; nothing in the owner's. */
export function OwnArtist(): VNode | null {
  const { own } = useContext(PageContext);
  return own && <input type="hidden" name="artist" value={own.slug} />;
}

/** Chooses whose something is: an artist's, hidden or not, or everybody's. */
export function WhoseField(props: Pick<ArtistFieldProps, 'id' | 'label' | 'chosen'>): VNode | null {
  const { artists, own } = useContext(PageContext);
  return own !== null ? (
    <OwnArtist />
  ) : (
    <ArtistField {...props} artists={artists} all="Everybody" />
  );
}

/** Whether who is signed in may read the words of, and change, what is an artist's; null: everybody's. */
export function useMayChange(artistId: number | null): boolean {
  const { own } = useContext(PageContext);
  return own === null || own.id === artistId;
}

/** The label of a watched calendar: to an artist, one of everybody's says only that it is one. */
export function CalendarLabel({ of }: { of: { label: string; artistId: number | null } }): VNode {
  return useMayChange(of.artistId) ? <bdi>{of.label}</bdi> : <>a calendar of the studio</>;
}

export interface WhoseProps {
  /** Null: everybody's. */
  artistId: number | null;
  before: string;
}

/** The artist of something, or `everybody`; nothing where the studio has one. */
export function Whose({ artistId, before }: WhoseProps): VNode | null {
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
