import { Option } from 'commander';
import type { TimeSlot } from '../../../generated/schemas.js';
import type { WeekDates } from '../../database/rows/results.js';
import type { BookingRow } from '../../database/rows/schema.js';
import { datesWords, type StoredDay, type WeekDrift } from '../../domain/studio/own-weeks.js';
import {
  changeWeek,
  isOfDates,
  readStudioWeek,
  type WeekChange,
} from '../../domain/studio/week.js';
import { closingTime, date, sessions, timeOfDay, weekdays } from '../arguments.js';
import { ask } from '../command-context.js';
import type { Run, StaffCommand } from '../command.js';
import { StaffError } from '../failure.js';
import { count, table } from '../text.js';
import { bookingData, bookingTable } from './booking-text.js';
import { artistText, dayName } from './named-artists.js';

const artistsOption = new Option(
  '--artists <which>',
  "artists' own weeks that do not fit then change, too",
).choices(['all', 'none']);

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
      print(data, () => weekTables(week, dated, studioColumns));
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
    .addOption(artistsOption)
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
    .run(async (run, days: number[], options: HoursOptions) => {
      await saveWeek(run, readChange(days, options), readDates(options), options);
    });

  hours
    .command('remove')
    .description('remove the days that count only from one date to another')
    .requiredOption('--from <date>', 'their first date', date)
    .requiredOption('--to <date>', 'their last date', date)
    .addOption(artistsOption)
    .explain(`
The days of every week count then. "hours show" has the dates. Bookings stay; those whose session no
longer exists are listed. Artists' own days stay: "artists hours <artist> --as-studio" with the dates.
Whose own week does not fit then is named, and you are asked, unless --artists says it for all of them.

Examples:
  studio hours remove --from 2026-12-01 --to 2026-12-23
  studio hours remove --from 2026-12-01 --to 2026-12-23 --artists none`)
    .run(async (run, { artists, ...dates }: WeekDates & Pick<HoursOptions, 'artists'>) => {
      const { dated } = await readStudioWeek(run.services);
      const weekdays = dated.filter(isOfDates(dates)).map(({ weekday }) => weekday);
      if (weekdays.length === 0) {
        throw new StaffError('not_found', `No days count ${datesWords(dates)}.`);
      }
      await saveWeek(run, { weekdays, asUsual: true }, dates, { artists });
    });
}

/** Changes the week, asks about artists' own weeks that do not fit, and prints the week. */
async function saveWeek(
  { context, services, actor, print }: Run,
  change: WeekChange,
  dates: WeekDates | null,
  options: Pick<HoursOptions, 'artists'>,
): Promise<void> {
  const isForAll = options.artists === undefined ? null : options.artists === 'all';
  let changed = await changeWeek(services, actor, change, () => isForAll, dates);
  if (changed.outcome === 'undecided') {
    const asked = changed.drifts.map(({ sentence }) => sentence);
    const question = `${asked.join(' ')} Change their own weeks, too?`;
    const answer = await ask(context, question, 'give --artists all or --artists none.');
    const isAlsoTheirs = ({ sentence }: WeekDrift) => (asked.includes(sentence) ? answer : null);
    changed = await changeWeek(services, actor, change, isAlsoTheirs, dates);
  }
  if (changed.outcome === 'refused') {
    throw new StaffError('refused', changed.problems.map(({ problem }) => problem).join('\n'));
  }
  if (changed.outcome !== 'saved') {
    throw new StaffError('refused', 'The week has changed meanwhile; nothing was done.');
  }
  const { week, dated, artists, bookingsOutside } = changed;
  print(
    {
      week: [...week, ...dated].map(dayData),
      artists_changed: artists.map(({ slug }) => slug),
      bookings_outside: bookingsOutside.map(bookingData(services)),
    },
    () => [
      ...weekTables(week, dated, studioColumns),
      ...artists.map((artist) => `The week of ${artistText(artist)} changed, too.`),
      ...outsideText(services, bookingsOutside),
    ],
  );
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

interface HoursOptions {
  artists?: 'all' | 'none' | undefined;
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
  return { day: dayName(weekday), opens, closes, sessions: slots, ...dates };
}

/** The columns of a table of days, by their headings. */
type DayColumns<Day> = Record<string, (day: Day) => string>;

const studioColumns: DayColumns<StoredDay> = {
  HOURS: ({ opens, closes }) => (opens === null ? 'closed' : `${opens}–${closes}`),
  SESSIONS: sessionsText,
};

export function sessionsText({ sessions: slots }: StoredDay): string {
  return slots.join(', ') || '–';
}

/** The days of every week, and those of dates, if there are any. */
export function weekTables<Day extends StoredDay>(
  week: readonly Day[],
  dated: readonly Day[],
  columns: DayColumns<Day>,
): string[] {
  const heading = ['DAY', ...Object.keys(columns)];
  const row = (day: Day) => [
    dayName(day.weekday),
    ...Object.values(columns).map((cell) => cell(day)),
  ];
  const ofDates = dated.map((day) => [day.from_date ?? '', day.to_date ?? '', ...row(day)]);
  return [
    ...table(heading, week.map(row)),
    ...(ofDates.length === 0 ? [] : ['', ...table(['FROM', 'TO', ...heading], ofDates)]),
  ];
}
