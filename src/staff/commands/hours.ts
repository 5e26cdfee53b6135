import type { TimeSlot } from '../../../generated/schemas.js';
import { changeWeek, type ChangedWeek, type WeekChange } from '../../domain/week.js';
import { readWeek, type DayRow } from '../../repositories/studio-settings.js';
import { WEEKDAYS } from '../../schedule/dates.js';
import { closingTime, sessions, timeOfDay, weekdays } from '../arguments.js';
import { bookingData, bookingTable } from '../booking-text.js';
import type { StaffCommand } from '../command.js';
import { StaffError } from '../failure.js';
import { count, table } from '../text.js';

export function addHoursCommands(program: StaffCommand): void {
  const hours = program
    .command('hours')
    .description('the week: opening hours and sessions of each day');

  hours
    .command('show')
    .description('show the hours and sessions of each day')
    .explain('\nExample:\n  studio hours show')
    .run(async ({ services, print }) => {
      const week = await readWeek(services.database);
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
    .explain(`
Opening hours are only shown to people; the sessions decide which times can be booked. Existing
bookings stay as they are; those whose session no longer exists are listed.

Examples:
  studio hours set tue-fri --opens 09:00 --closes 20:00 --sessions all
  studio hours set sun --sessions "1:00 PM"
  studio hours set monday --closed`)
    .check(readChange)
    .run(async ({ services, actor, print }, days: number[], options: HoursOptions) => {
      const changed = await changeWeek(services, actor, readChange(days, options));
      if (changed.outcome !== 'saved') throw new StaffError('refused', refusal(changed));
      const { week, bookingsOutside } = changed;
      const outside = [
        '',
        `${count(bookingsOutside.length, 'booking')} outside these sessions, unchanged:`,
        ...bookingTable(services, bookingsOutside),
      ];
      print(
        { week: week.map(dayData), bookings_outside: bookingsOutside.map(bookingData(services)) },
        () => [...weekText(week), ...(bookingsOutside.length === 0 ? [] : outside)],
      );
    });
}

function refusal(refused: Exclude<ChangedWeek, { outcome: 'saved' }>): string {
  return refused.outcome === 'refused'
    ? refused.problems.map(({ problem }) => problem).join('\n')
    : 'The week has changed meanwhile; nothing was done.';
}

interface HoursOptions {
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
