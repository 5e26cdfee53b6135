import { Option } from 'commander';
import type { TimeSlot } from '../../../generated/schemas.js';
import type { DatedDayRow, DayRow, WeekDates } from '../../database/rows/results.js';
import type { BookingRow } from '../../database/rows/schema.js';
import { datesWords, type StoredDay, type WeekDrift } from '../../domain/studio/own-weeks.js';
import {
  changeWeek,
  type ChangedWeek,
  readStudioWeek,
  removeDatedWeek,
  type WeekChange,
} from '../../domain/studio/week.js';
import { WEEKDAYS } from '../../schedule/dates.js';
import { closingTime, date, sessions, timeOfDay, weekdays } from '../arguments.js';
import { ask } from '../command-context.js';
import type { StaffCommand } from '../command.js';
import { StaffError } from '../failure.js';
import { count, table } from '../text.js';
import { bookingData, bookingTable } from './booking-text.js';
import { artistText } from './named-artists.js';

export function addHoursCommands(program: StaffCommand): void {
  const hours = program
    .command('hours')
    .concerns('owner')
    .description('the week: opening hours and sessions of each day');

  hours
    .command('show')
    .description('show the hours and sessions of each day')
    .explain('\nExample:\n  studio hours show')
    .run(async ({ services, print }) => {
      const { week, dated } = await readStudioWeek(services);
      const data = [...week, ...dated].map(dayData);
      print(data, () => [...weekText(week), ...datedText(dated)]);
    });

  hours
    .command('set')
    .description('change some days of the week; other days stay as they are')
    .argument('<day...>', 'monday, tue, tue-fri, all', weekdays)
    .option('--opens <time>', 'when the studio opens', timeOfDay)
    .option('--closes <time>', 'when it closes, at 24:00 at the latest', closingTime)
    .option('--sessions <list>', 'all, none, or sessions separated by commas', sessions)
    .option('--closed', 'closed all day, without sessions')
    .option('--from <date>', 'only from this date on', date)
    .option('--to <date>', 'only until this date', date)
    .addOption(
      new Option(
        '--artists <which>',
        "artists' own weeks that do not fit then change, too",
      ).choices(['all', 'none']),
    )
    .explain(`
Opening hours are only shown to people; the sessions decide which times can be booked. Existing
bookings stay as they are; those whose session no longer exists are listed.

With --from and --to, the days count only from one date to the other, and what you leave out is as in
every week. Days of the same dates are changed; "hours remove" removes them.

An artist with a week of their own works on as before. Who still has a session that you drop, or none
on a day that you open, is named, and you are asked, unless --artists says it for all of them.

Examples:
  studio hours set tue-fri --opens 09:00 --closes 20:00 --sessions all
  studio hours set sun --sessions "1:00 PM"
  studio hours set monday --closed
  studio hours set thursday --closed --artists all
  studio hours set all --opens 10:00 --closes 22:00 --from 2026-12-01 --to 2026-12-23
  studio hours set fri --closed --from 2026-12-25 --to 2026-12-25`)
    .check((days: number[], options: HoursOptions) => {
      readDates(options);
      readChange(days, options);
    })
    .run(async ({ context, services, actor, print }, days: number[], options: HoursOptions) => {
      const change = readChange(days, options);
      const dates = readDates(options);
      const isForAll = options.artists === undefined ? null : options.artists === 'all';
      let changed = await changeWeek(services, actor, change, () => isForAll, dates);
      if (changed.outcome === 'undecided') {
        const asked = changed.drifts.map(({ sentence }) => sentence);
        const question = `${asked.join(' ')} Change their own weeks, too?`;
        const answer = await ask(context, question, 'give --artists all or --artists none.');
        const isAlsoTheirs = ({ sentence }: WeekDrift) =>
          asked.includes(sentence) ? answer : null;
        changed = await changeWeek(services, actor, change, isAlsoTheirs, dates);
      }
      if (changed.outcome !== 'saved') throw new StaffError('refused', refusal(changed));
      const { week, dated, artists, bookingsOutside } = changed;
      print(
        {
          week: [...week, ...dated].map(dayData),
          artists_changed: artists.map(({ slug }) => slug),
          bookings_outside: bookingsOutside.map(bookingData(services)),
        },
        () => [
          ...weekText(week),
          ...datedText(dated),
          ...artists.map((artist) => `The week of ${artistText(artist)} changed, too.`),
          ...outsideText(services, bookingsOutside),
        ],
      );
    });

  hours
    .command('remove')
    .description('remove the days that count only from one date to another')
    .requiredOption('--from <date>', 'their first date', date)
    .requiredOption('--to <date>', 'their last date', date)
    .explain(`
The days of every week count then. "hours show" has the dates. Bookings stay; those whose session no
longer exists are listed. Artists' own days stay: "artists hours <artist> --as-studio" with the dates.

Example:
  studio hours remove --from 2026-12-01 --to 2026-12-23`)
    .run(async ({ services, actor, print }, { from, to }: { from: string; to: string }) => {
      const left = await removeDatedWeek(services, actor, { from, to });
      if (left === null) {
        throw new StaffError('not_found', `No days count ${datesWords({ from, to })}.`);
      }
      const { week, dated, bookingsOutside } = left;
      print(
        {
          week: [...week, ...dated].map(dayData),
          bookings_outside: bookingsOutside.map(bookingData(services)),
        },
        () => [...weekText(week), ...datedText(dated), ...outsideText(services, bookingsOutside)],
      );
    });
}

/** The bookings outside a week, if there are any. */
export function outsideText(
  services: Parameters<typeof bookingTable>[0],
  bookings: readonly BookingRow[],
): string[] {
  return bookings.length === 0
    ? []
    : [
        '',
        `${count(bookings.length, 'booking')} outside these sessions, unchanged:`,
        ...bookingTable(services, bookings),
      ];
}

/** The options `--from` and `--to`, of days that count only then; null: in every week. */
export function readDates({ from, to }: { from?: string; to?: string }): WeekDates | null {
  if ((from === undefined) !== (to === undefined)) {
    throw new StaffError('usage', 'Give --from and --to together.');
  }
  return from === undefined || to === undefined ? null : { from, to };
}

function refusal(refused: Exclude<ChangedWeek, { outcome: 'saved' }>): string {
  return refused.outcome === 'refused'
    ? refused.problems.map(({ problem }) => problem).join('\n')
    : 'The week has changed meanwhile; nothing was done.';
}

interface HoursOptions {
  artists?: 'all' | 'none';
  opens?: string;
  closes?: string;
  sessions?: TimeSlot[];
  closed?: true;
  from?: string;
  to?: string;
}

function readChange(
  days: number[],
  { opens, closes, sessions: slots, closed }: HoursOptions,
): WeekChange {
  const refuse = (problem: string): never => {
    throw new StaffError('usage', `${problem}; see: studio hours set --help`);
  };
  if (closed === true) {
    if (opens !== undefined || closes !== undefined || slots !== undefined) {
      refuse('--closed cannot be combined with another option');
    }
    return { weekdays: days, hours: null };
  }
  if ((opens === undefined) !== (closes === undefined))
    refuse('Give --opens and --closes together');
  if (opens === undefined && slots === undefined) {
    refuse('Give --opens and --closes, --sessions, or --closed');
  }
  return {
    weekdays: days,
    ...(opens !== undefined && closes !== undefined && { hours: { opens, closes } }),
    ...(slots !== undefined && { sessions: slots }),
  };
}

function dayData({ weekday, opens, closes, sessions: slots, ...day }: StoredDay) {
  const { from_date: from, to_date: to } = day;
  const dates = from === undefined ? {} : { from, to };
  return { day: WEEKDAYS[weekday - 1], opens, closes, sessions: slots, ...dates };
}

function weekText(week: readonly DayRow[]): string[] {
  return table(
    ['DAY', 'HOURS', 'SESSIONS'],
    week.map((day) => [WEEKDAYS[day.weekday - 1] ?? '', ...dayText(day)]),
  );
}

function dayText({ opens, closes, sessions: slots }: DayRow): string[] {
  return [opens === null ? 'closed' : `${opens}–${closes}`, slots.join(', ') || '–'];
}

/** The days of dates, if there are any. */
function datedText(dated: readonly DatedDayRow[]): string[] {
  if (dated.length === 0) return [];
  const rows = dated.map((day) => [
    ...[day.from_date, day.to_date, WEEKDAYS[day.weekday - 1] ?? ''],
    ...dayText(day),
  ]);
  return ['', ...table(['FROM', 'TO', 'DAY', 'HOURS', 'SESSIONS'], rows)];
}
