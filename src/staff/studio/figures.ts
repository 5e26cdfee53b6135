import { InvalidArgumentError } from 'commander';
import {
  figureCells,
  figureCsv,
  figureLines,
  isMonth,
  monthFigureWords,
  readMonthFigures,
} from '../../domain/studio/month-figures.js';
import type { StaffCommand } from '../command.js';
import { table } from '../text.js';

export function addFigureCommand(program: StaffCommand): void {
  program
    .command('figures')
    .concerns('owner')
    .description('the figures of a month, by artist, against the month before')
    .option('--month <month>', 'the month, such as 2026-11 (default: the present one)', month)
    .option('--csv', 'print comma-separated values')
    .explain(`
${monthFigureWords}
The last columns are how the sessions came.

Examples:
  studio figures
  studio figures --month 2026-11 --csv > figures.csv`)
    .run(
      async (
        { services, studio, artists, names, print },
        { month: wanted, csv }: { month?: string; csv?: true },
      ) => {
        const named = artists.length === 1 ? [] : artists;
        const figures = await readMonthFigures(services, studio.timezone, named, wanted ?? null);
        const data = figureLines(figures).map(({ month: of, artist, counts }) => ({
          month: of,
          ...names.data(artist?.id ?? null),
          ...counts,
        }));
        print(data, () => {
          if (csv === true) return figureCsv(figures).trimEnd().split('\r\n');
          const { headings, rows } = figureCells(figures);
          return table(
            headings.map((heading) => heading.toUpperCase().replace('_', ' ')),
            rows,
          );
        });
      },
    );
}

function month(text: string): string {
  if (!isMonth(text)) throw new InvalidArgumentError('Give a month such as 2026-11.');
  return text;
}
