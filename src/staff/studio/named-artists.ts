import type { DayRow } from '../../database/rows/results.js';
import type { ChangedArtistWeek } from '../../domain/studio/artist-weeks.js';
import {
  type AddedArtist,
  type ArtistRecord,
  type ChangedArtist,
  maxArtists,
} from '../../domain/studio/artists.js';
import { artistCalled } from '../../schedule/artists.js';
import { WEEKDAYS } from '../../schedule/dates.js';
import type { Run, StaffCommand } from '../command.js';
import { StaffError } from '../failure.js';

/** The option `--artist`, of commands about one artist. */
export function addArtistOption(command: StaffCommand, help: string): StaffCommand {
  return command.option('--artist <artist>', `${help}, by name (see: studio artists list)`);
}

export interface ArtistOption {
  artist?: string | undefined;
}

/**
 * The artist of `--artist`: null without it. The name is null where the studio has one. Throws
 * `not_found`.
 */
export function chosenArtist(
  { artists, names }: Pick<Run, 'artists' | 'names'>,
  { artist }: ArtistOption,
): { artistId: number | null; artistName: string | null } {
  if (artist === undefined) return { artistId: null, artistName: null };
  const { id } = findNamed(artists, artist);
  return { artistId: id, artistName: names.nameOf(id) };
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

/** Throws the reason why a change was refused. */
export function expectSaved(
  changed: AddedArtist | ChangedArtist | ChangedArtistWeek,
  typed: string,
): ArtistRecord {
  switch (changed.outcome) {
    case 'saved':
      return changed.artist;
    case 'refused':
      throw new StaffError('usage', Object.values(changed.mistakes).join('\n'));
    case 'invalid':
      throw new StaffError('refused', changed.problem);
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

/** For `--json`; `week` is null where it is the studio's, and has else only the days of their own. */
export function artistData({ slug, name, about, email, hidden_at, week, dated }: ArtistRecord) {
  const dayData = ({ weekday, opens, closes, sessions }: DayRow) => {
    return { day: dayName(weekday), opens, closes, sessions };
  };
  return {
    ...{ slug, name, about, email, hidden_at },
    week: week?.map(dayData) ?? null,
    dated: dated.map((day) => ({ from: day.from_date, to: day.to_date, ...dayData(day) })),
  };
}
