import type { ArtistRecord } from '../../../domain/studio/artists.js';
import { artistCalled } from '../../../schedule/artists.js';
import type { StaffCommand } from '../../command.js';
import { findNamed } from '../named-artists.js';
import { refuse } from './report.js';

export interface ArtistOptions {
  artist?: string[];
}

export function addArtistAnswers(command: StaffCommand): StaffCommand {
  return command.option(
    '--artist <artist>',
    'whose sessions all rows are, or those of a name in the file: "Jonathan=Jon"; repeatable',
    (text: string, before: string[] = []) => [...before, text],
  );
}

export type ArtistReader = (name: string) => { id: number | null } | ReturnType<typeof refuse>;

const folded = (name: string) => name.toLowerCase().replace(/\s+/g, ' ').trim();

/**
 * Reads the artist of a row by name; the id is null where nobody is named. Throws `not_found` for an
 * unknown artist in an option.
 */
export function createArtistReader(
  artists: readonly ArtistRecord[],
  { artist: given = [] }: ArtistOptions,
): ArtistReader {
  const answers = new Map<string, number>();
  let whole: number | null = null;
  for (const text of given) {
    const [, word, name = text] = /^(.+)=(.+)$/s.exec(text) ?? [];
    const { id } = findNamed(artists, name);
    if (word === undefined) whole = id;
    else answers.set(folded(word), id);
  }
  return (name) => {
    if (whole !== null || name === '') return { id: whole };
    const id = answers.get(folded(name)) ?? artistCalled(artists, folded(name))?.id;
    if (id !== undefined) return { id };
    const shown = name.slice(0, 60);
    const answer = `add --artist "${shown}=…" with the name of one who is`;
    return refuse('unknown_artist', `no artist is called "${shown}": ${answer}`);
  };
}
