import type { MonthFigure } from '../../database/rows/results.js';
import type { DatabaseServices } from '../../database/services.js';
import { readMonthFigureRows } from '../../repositories/figures.js';
import type { Artist } from '../../schedule/artists.js';
import { addDays, isCalendarDate } from '../../schedule/dates.js';
import { todayInZone } from '../../schedule/slots.js';
import { csvLine } from './transfer/csv.js';

/** The figures of a month, in the order in which they are shown. */
export const monthFigures = [
  ...(['sessions', 'hours', 'no_shows', 'cancelled', 'moved'] as const),
  ...(['assistant', 'page', 'studio', 'not_recorded'] as const),
] satisfies MonthFigure[];

export type MonthCounts = Readonly<Record<MonthFigure, number>>;

/** The words that explain the figures. */
export const monthFigureWords =
  'A session counts in the month of its date: a confirmed one, also if it is still to come, or if the person did not come. Hours are from its start to its end. Moved: sessions that were moved since they were confirmed, each in the month where it is now. Cancelled: confirmed before, and no session any more.';

type FigureArtist = Pick<Artist, 'id' | 'slug' | 'name'>;

export interface ArtistFigures {
  /** Null: all of them. */
  artist: FigureArtist | null;
  shown: MonthCounts;
  before: MonthCounts;
}

export interface MonthFigures {
  /** The month that is shown, the one before, and the one after: `2026-11`. */
  month: string;
  before: string;
  after: string;
  /** Whether the artists are named. */
  isByArtist: boolean;
  /** The artists who have figures in one of the two months, then all. */
  each: ArtistFigures[];
}

/** Whether a text is a month: `2026-11`. */
export function isMonth(text: string): boolean {
  return isCalendarDate(`${text}-01`);
}

/**
 * The figures of a month and of the one before, on the studio's calendar. `artists`: those who are named,
 * in their order. `wanted`: null is the present month.
 */
export async function readMonthFigures(
  { clock, database }: Pick<DatabaseServices, 'clock' | 'database'>,
  timezone: string,
  artists: readonly FigureArtist[],
  wanted: string | null,
): Promise<MonthFigures> {
  const month = wanted ?? todayInZone(timezone, clock.now()).slice(0, 7);
  const before = addDays(`${month}-01`, -1).slice(0, 7);
  const after = addDays(`${month}-01`, 31).slice(0, 7);
  const rows = await readMonthFigureRows(database, `${before}-01`, `${after}-01`);
  const figuresOf = (artist: FigureArtist | null): ArtistFigures => {
    const theirs = rows.filter(({ artistId }) => artist === null || artistId === artist.id);
    const sumOf = (of: string) => sum(theirs.filter((row) => row.month === of));
    return { artist, shown: sumOf(month), before: sumOf(before) };
  };
  const counted = artists.filter(({ id }) => rows.some(({ artistId }) => artistId === id));
  const each = [...counted.map(figuresOf), figuresOf(null)];
  return { month, before, after, isByArtist: artists.length > 0, each };
}

function sum(rows: readonly MonthCounts[]): MonthCounts {
  const total = (of: MonthFigure) => rows.reduce((counted, row) => counted + row[of], 0);
  const hours = Math.round(total('hours') * 100) / 100;
  const counts = monthFigures.map((each) => [each, total(each)]);
  return { ...(Object.fromEntries(counts) as Record<MonthFigure, number>), hours };
}

/** A line for each artist and month, the month before below the one that is shown. */
export function figureLines({ month, before, each }: MonthFigures) {
  return each.flatMap(({ artist, ...counts }) => [
    { month, artist, counts: counts.shown },
    { month: before, artist, counts: counts.before },
  ]);
}

/** The headings and cells of `figureLines`. */
export function figureCells(figures: MonthFigures): { headings: string[]; rows: string[][] } {
  const { isByArtist } = figures;
  return {
    headings: ['month', ...(isByArtist ? ['artist'] : []), ...monthFigures],
    rows: figureLines(figures).map(({ month, artist, counts }) => [
      ...[month, ...(isByArtist ? [artist?.name ?? 'all'] : [])],
      ...monthFigures.map((name) => String(counts[name])),
    ]),
  };
}

/** The lines of a CSV file, each with its line break; the first begins with a BOM, as those of an export. */
export function figureCsv(figures: MonthFigures): string {
  const { headings, rows } = figureCells(figures);
  return `\ufeff${[headings, ...rows].map(csvLine).join('')}`;
}
