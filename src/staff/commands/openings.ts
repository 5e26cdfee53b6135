import type { Command } from 'commander';
import type { TimeSlot } from '../../../generated/schemas.js';
import {
  addOpening,
  type OpenedDay,
  readOpenings,
  removeOpening,
  staysClosed,
} from '../../domain/openings.js';
import { timeSlots } from '../../schedule/slots.js';
import { date, sessions } from '../arguments.js';
import { bookingData, bookingTable } from '../booking-text.js';
import {
  actorAtTerminal,
  type CommandContext,
  confirm,
  printResult,
  withSession,
} from '../command-context.js';
import { StaffError } from '../failure.js';
import { count, table } from '../text.js';

export function addOpeningCommands(program: Command, commandContext: CommandContext): void {
  const openings = program
    .command('openings')
    .description('single days that can be booked outside the week');

  openings
    .command('add')
    .description('open sessions of one date that the week does not have')
    .argument('<date>', 'the date, such as 2026-12-07', date)
    .requiredOption('--sessions <list>', 'all, or sessions separated by commas', sessions)
    .addHelpText(
      'after',
      `
A closure and a busy watched calendar close an opened session, too.

Examples:
  studio openings add 2026-12-07 --sessions all
  studio openings add 2026-12-13 --sessions "9:00 AM,5:00 PM"`,
    )
    .action((day: string, options: { sessions: TimeSlot[] }) =>
      openDay(commandContext, day, options.sessions),
    );

  openings
    .command('list')
    .description('list opened days from today on')
    .option('--past', 'also past days')
    .addHelpText(
      'after',
      '\nExamples:\n  studio openings list\n  studio openings list --past --json',
    )
    .action(({ past }: { past?: true }) =>
      withSession(commandContext, async ({ services }) => {
        const days = await readOpenings(services, { past: past === true });
        printResult(commandContext, days.map(openingData), () =>
          days.length === 0
            ? ['No openings.']
            : table(
                ['DATE', 'SESSIONS', 'STILL CLOSED'],
                days.map((day) => [
                  day.date,
                  timesText(day.sessions),
                  timesText(day.sessions.filter(staysClosed)),
                ]),
              ),
        );
      }),
    );

  openings
    .command('remove')
    .description('close opened sessions of a date again; its bookings stay')
    .argument('<date>', 'the date, such as 2026-12-07', date)
    .option('--sessions <list>', 'only these, separated by commas', sessions, [...timeSlots])
    .option('-y, --yes', 'skip the question')
    .addHelpText(
      'after',
      `
Bookings of these sessions are listed and stay as they are.

Examples:
  studio openings remove 2026-12-07 --yes
  studio openings remove 2026-12-07 --sessions "9:00 AM"`,
    )
    .action((day: string, options: { sessions: TimeSlot[]; yes?: true }) =>
      closeDay(commandContext, day, options),
    );
}

async function openDay(
  commandContext: CommandContext,
  day: string,
  wanted: readonly TimeSlot[],
): Promise<void> {
  await withSession(commandContext, async ({ services }) => {
    const added = await addOpening(services, actorAtTerminal(), { date: day, sessions: wanted });
    if (added.outcome === 'refused') {
      throw new StaffError('usage', Object.values(added.mistakes).join('\n'));
    }
    if (added.outcome === 'exists') throw new StaffError('refused', added.sentence);
    const { day: opened, inWeek } = added;
    printResult(commandContext, { opening: openingData(opened), in_week: inWeek }, () => {
      const closed = opened.sessions.filter(staysClosed);
      return [
        `Opened: ${opened.date} at ${timesText(opened.sessions)}.`,
        ...(inWeek.length === 0 ? [] : [`In the week anyway: ${inWeek.join(', ')}.`]),
        ...closed.map(({ timeSlot, schedule }) => {
          const until =
            schedule === 'busy' ? 'a watched calendar is free then' : 'its closure is removed';
          return `${timeSlot} stays closed until ${until}; see: studio calendar why ${day} "${timeSlot}"`;
        }),
      ];
    });
  });
}

async function closeDay(
  commandContext: CommandContext,
  day: string,
  { sessions: wanted, yes }: { sessions: TimeSlot[]; yes?: true },
): Promise<void> {
  await withSession(commandContext, async ({ services }) => {
    await confirm(commandContext, `Close ${day} at ${wanted.join(', ')} again?`, yes === true);
    const removed = await removeOpening(services, actorAtTerminal(), {
      date: day,
      sessions: wanted,
    });
    if (removed === null) throw new StaffError('notFound', `No opening is on ${day} then.`);
    const { date: onDate, sessions: closed, bookingsOutside: outside } = removed;
    printResult(
      commandContext,
      {
        removed: { date: onDate, sessions: closed },
        bookings_outside: outside.map(bookingData(services)),
      },
      () => [
        `Removed: ${onDate} at ${closed.join(', ')}.`,
        ...(outside.length === 0
          ? []
          : [
              `${count(outside.length, 'booking')} outside the week on this date, unchanged:`,
              ...bookingTable(services, outside),
            ]),
      ],
    );
  });
}

function timesText(opened: OpenedDay['sessions']): string {
  return opened.map(({ timeSlot }) => timeSlot).join(', ');
}

function openingData({ date: day, sessions: opened }: OpenedDay) {
  return {
    date: day,
    sessions: opened.map(({ timeSlot, schedule }) => ({ time_slot: timeSlot, schedule })),
  };
}
