import type { DayRow } from '../../database/rows/results.js';
import type { AwayArtist, StartedArtist } from '../../domain/studio/artist-days.js';
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

/**
 * An artist by name, or by the slug of their links, in any letter case; else the only one who has a name
 * in which a word begins so: `jon` is Jon Okafor. Throws `not_found`, or `refused` if there are several.
 */
export function findNamed(artists: readonly ArtistRecord[], typed: string): ArtistRecord {
  const found = artistCalled(artists, typed);
  if (found !== undefined) return found;
  const wanted = ` ${typed.normalize().trim().toLowerCase()}`;
  const [first, ...others] = artists.filter(({ name }) =>
    ` ${name.normalize().toLowerCase()}`.includes(wanted),
  );
  if (first === undefined || wanted === ' ') {
    throw new StaffError(
      'not_found',
      `No artist is called ${typed}; "studio artists list" has their names.`,
    );
  }
  if (others.length > 0) {
    const named = [first, ...others].map(({ name }) => name).join(', ');
    throw new StaffError('refused', `Several artists are called ${typed}: ${named}. Name one.`);
  }
  return first;
}

/** The argument of commands that change an artist. */
export function withArtist(command: StaffCommand): StaffCommand {
  return command.argument('<artist>', 'their name, or its beginning, in any letter case');
}

type Change = AddedArtist | ChangedArtist | ChangedArtistWeek | StartedArtist | AwayArtist;

/** Throws the reason why a change was refused. */
export function expectSaved(changed: Change, typed: string): ArtistRecord {
  if (changed.outcome === 'saved') return changed.artist;
  throw refusalOf(changed, typed);
}

export function refusalOf(
  changed: Exclude<Change, { outcome: 'saved' }>,
  typed: string,
): StaffError {
  switch (changed.outcome) {
    case 'refused':
      return new StaffError('usage', Object.values(changed.mistakes).join('\n'));
    case 'invalid':
      return new StaffError('refused', changed.problem);
    case 'not_found':
      return new StaffError('not_found', `${typed} was removed or renamed meanwhile.`);
    case 'last_before_first':
      return new StaffError('usage', 'The last day would be before the first.');
    case 'booked_before': {
      const { length } = changed.bookings;
      const words = `Bookings with ${typed} are before that day: ${length}. Move or cancel them first.`;
      return new StaffError('refused', words);
    }
    default:
      return new StaffError('refused', refusals[changed.outcome]);
  }
}

const refusals = {
  first_unnamed:
    'The first artist has no name yet. Give them one before: studio artists rename artist <name>',
  unagreed: 'Nothing was changed.',
  too_many: `There are ${maxArtists} artists already.`,
  last_shown: 'Nobody else takes bookings: show another artist before.',
  is_new: 'Their week and first day were not shown yet.',
};

export function artistText({ name, slug }: ArtistRecord): string {
  return name === '' ? slug : `${name} (${slug})`;
}

export function dayName(weekday: number): string {
  return WEEKDAYS[weekday - 1] ?? '';
}

/** For `--json`; `week` is null where it is the studio's, and has else only the days of their own. */
export function artistData({ week, dated, ...artist }: ArtistRecord) {
  const { slug, name, about, email, hidden_at, first_day, last_day, is_new } = artist;
  const dayData = ({ weekday, opens, closes, sessions }: DayRow) => {
    return { day: dayName(weekday), opens, closes, sessions };
  };
  return {
    ...{ slug, name, about, email, hidden_at, first_day, last_day, is_new },
    week: week?.map(dayData) ?? null,
    dated: dated.map((day) => ({ from: day.from_date, to: day.to_date, ...dayData(day) })),
  };
}
