import {
  type AddedArtist,
  type ArtistRecord,
  type ChangedArtist,
  maxArtists,
  readArtists,
} from '../../domain/studio/artists.js';
import { artistCalled } from '../../schedule/artists.js';
import { WEEKDAYS } from '../../schedule/dates.js';
import type { StaffCommand } from '../command.js';
import { StaffError } from '../failure.js';
import type { StaffServices } from '../session.js';

/** How output names artists: not at all where the studio has one. */
export interface ArtistNames {
  /** Null of everybody's, and where the studio has one. */
  nameOf: (id: number | null) => string | null;
  /** Whose something is, as a cell of a table: `Mara`, or `all`; no cell where the studio has one. */
  cell: (id: number | null) => string[];
  /** The heading of such cells. */
  heading: string[];
  /** The same within a sentence: ` for Mara`, or nothing where it is everybody's. */
  words: (id: number | null) => string;
  /** The same for `--json`. */
  data: (id: number | null) => { artist?: { slug: string; name: string } | null };
}

export async function readArtistNames(services: Pick<StaffServices, 'database'>) {
  return artistNames(await readArtists(services));
}

export function artistNames(artists: readonly ArtistRecord[]): ArtistNames {
  const isOne = artists.length === 1;
  const find = (id: number | null) =>
    isOne ? undefined : artists.find((artist) => artist.id === id);
  const nameOf = (id: number | null) => find(id)?.name ?? null;
  return {
    nameOf,
    cell: (id) => (isOne ? [] : [nameOf(id) ?? 'all']),
    heading: isOne ? [] : ['ARTIST'],
    words: (id) => (nameOf(id) === null ? '' : ` for ${nameOf(id)}`),
    data(id) {
      if (isOne) return {};
      const artist = find(id);
      return { artist: artist === undefined ? null : { slug: artist.slug, name: artist.name } };
    },
  };
}

/** The option `--artist`, of commands about one artist. */
export function addArtistOption(command: StaffCommand, help: string): StaffCommand {
  return command.option('--artist <artist>', `${help}, by name (see: studio artists list)`);
}

export interface ArtistOption {
  artist?: string | undefined;
}

/** Whom `--artist` names: null without it. The name is null where the studio has one. Throws `not_found`. */
export async function chosenArtist(
  services: Pick<StaffServices, 'database'>,
  { artist }: ArtistOption,
): Promise<{ artistId: number | null; artistName: string | null }> {
  if (artist === undefined) return { artistId: null, artistName: null };
  const artists = await readArtists(services);
  const { id } = findNamed(artists, artist);
  return { artistId: id, artistName: artistNames(artists).nameOf(id) };
}

export async function findArtist(services: Pick<StaffServices, 'database'>, typed: string) {
  return findNamed(await readArtists(services), typed);
}

/** An artist by name, or by the slug of their links, in any letter case. Throws `not_found`. */
export function findNamed(artists: readonly ArtistRecord[], typed: string): ArtistRecord {
  const found = artistCalled(artists, typed);
  if (found === undefined) {
    throw new StaffError(
      'not_found',
      `No artist is called ${typed}; "studio artists list" has their names.`,
    );
  }
  return found;
}

/** The argument of commands that change an artist. */
export function withArtist(command: StaffCommand): StaffCommand {
  return command.argument('<artist>', 'their name, in any letter case');
}

/** Throws what keeps a change from being made. */
export function expectSaved(changed: AddedArtist | ChangedArtist, typed: string): ArtistRecord {
  switch (changed.outcome) {
    case 'saved':
      return changed.artist;
    case 'refused':
      throw new StaffError('usage', Object.values(changed.mistakes).join('\n'));
    case 'not_found':
      throw new StaffError('not_found', `${typed} was removed or renamed meanwhile.`);
    case 'first_unnamed':
      throw new StaffError(
        'refused',
        'The first artist has no name yet. Give them one before: studio artists rename artist <name>',
      );
    case 'unagreed':
      throw new StaffError('refused', 'Nothing was changed.');
    case 'too_many':
      throw new StaffError('refused', `There are ${maxArtists} artists already.`);
    case 'last_shown':
      throw new StaffError('refused', 'Nobody else takes bookings: show another artist before.');
  }
}

export function artistText({ name, slug }: ArtistRecord): string {
  return name === '' ? slug : `${name} (${slug})`;
}

export function dayName(weekday: number): string {
  return WEEKDAYS[weekday - 1] ?? '';
}

/** For `--json`; `week` is null where it is the studio's. */
export function artistData({ slug, name, about, email, hidden_at, week }: ArtistRecord) {
  return {
    ...{ slug, name, about, email, hidden_at },
    week: week?.map((day) => ({ day: dayName(day.weekday), sessions: day.sessions })) ?? null,
  };
}
