import { Option } from 'commander';
import type { TimeSlot } from '../../../generated/schemas.js';
import type { DayRow } from '../../database/rows/results.js';
import {
  changeWeek,
  type ChangedWeek,
  readStudioWeek,
  type WeekChange,
} from '../../domain/studio/week.js';
import { WEEKDAYS } from '../../schedule/dates.js';
import { closingTime, sessions, timeOfDay, weekdays } from '../arguments.js';
import { ask } from '../command-context.js';
import type { StaffCommand } from '../command.js';
import { StaffError } from '../failure.js';
import { count, table } from '../text.js';
import { bookingData, bookingTable } from './booking-text.js';
import { artistText } from './named-artists.js';

export function addHoursCommands(program: StaffCommand): void {
  const hours = program
    .command('hours')
    .description('the week: opening hours and sessions of each day');

  hours
    .command('show')
    .description('show the hours and sessions of each day')
    .explain('\nExample:\n  studio hours show')
    .run(async ({ services, print }) => {
      const { week } = await readStudioWeek(services);
      print(week.map(dayData), () => weekText(week));
    });

  hours
    .command('set')
    .description('change some days of the week; other days stay as they are')
    .argument('<day...>', 'monday, tue, tue-fri, all', weekdays)
    .option('--opens <time>', 'when the studio opens', timeOfDay)
    .option('--closes <time>', 'when it closes, at 24:00 at the latest', closingTime)
    .option('--sessions <list>', 'all, none, or sessions separated by commas', sessions)
    .option('--closed', 'closed all day, without sessions')
    .addOption(
      new Option(
        '--artists <which>',
        "artists' own weeks that do not fit then change, too",
      ).choices(['all', 'none']),
    )
    .explain(`
Opening hours are only shown to people; the sessions decide which times can be booked. Existing
bookings stay as they are; those whose session no longer exists are listed.

An artist with a week of their own works on as before. Who still has a session that you drop, or none
on a day that you open, is named, and you are asked, unless --artists says it for all of them.

Examples:
  studio hours set tue-fri --opens 09:00 --closes 20:00 --sessions all
  studio hours set sun --sessions "1:00 PM"
  studio hours set monday --closed
  studio hours set thursday --closed --artists all`)
    .check(readChange)
    .run(async ({ context, services, actor, print }, days: number[], options: HoursOptions) => {
      const change = readChange(days, options);
      const isForAll = options.artists === undefined ? null : options.artists === 'all';
      let changed = await changeWeek(services, actor, change, () => isForAll);
      if (changed.outcome === 'undecided') {
        const asked = changed.drifts.map(({ sentence }) => sentence);
        const question = `${asked.join(' ')} Change their own weeks, too?`;
        const answer = await ask(context, question, 'give --artists all or --artists none.');
        changed = await changeWeek(services, actor, change, ({ sentence }) =>
          asked.includes(sentence) ? answer : null,
        );
      }
      if (changed.outcome !== 'saved') throw new StaffError('refused', refusal(changed));
      const { week, artists, bookingsOutside } = changed;
      const outside = [
        '',
        `${count(bookingsOutside.length, 'booking')} outside these sessions, unchanged:`,
        ...bookingTable(services, bookingsOutside),
      ];
      print(
        {
          week: week.map(dayData),
          artists_changed: artists.map(({ slug }) => slug),
          bookings_outside: bookingsOutside.map(bookingData(services)),
        },
        () => [
          ...weekText(week),
          ...artists.map((artist) => `The week of ${artistText(artist)} changed, too.`),
          ...(bookingsOutside.length === 0 ? [] : outside),
        ],
      );
    });
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

function dayData({ weekday, opens, closes, sessions: slots }: DayRow): Record<string, unknown> {
  return { day: WEEKDAYS[weekday - 1], opens, closes, sessions: slots };
}

function weekText(week: readonly DayRow[]): string[] {
  return table(
    ['DAY', 'HOURS', 'SESSIONS'],
    week.map(({ weekday, opens, closes, sessions: slots }) => [
      WEEKDAYS[weekday - 1] ?? '',
      opens === null ? 'closed' : `${opens}–${closes}`,
      slots.join(', ') || '–',
    ]),
  );
}
