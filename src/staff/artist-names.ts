import type { ArtistRecord } from '../domain/studio/artists.js';

/** How output names artists: not at all where the studio has one. */
export interface ArtistNames {
  /** The name; null for everybody's, and where the studio has one. */
  nameOf: (id: number | null) => string | null;
  /** The artist as a cell of a table: `Mara`, or `all`; no cell where the studio has one. */
  cell: (id: number | null) => string[];
  /** The heading of such cells. */
  heading: string[];
  /** The artist within a sentence: ` for Mara`, or nothing where it is everybody's. */
  words: (id: number | null) => string;
  /** The artist for `--json`. */
  data: (id: number | null) => { artist?: { slug: string; name: string } | null };
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
