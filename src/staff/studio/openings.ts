import type { TimeSlot } from '../../../generated/schemas.js';
import {
  addOpening,
  type OpenedDay,
  readOpenings,
  removeOpening,
  staysClosed,
} from '../../domain/studio/openings.js';
import { timeSlots } from '../../schedule/slots.js';
import { date, sessions } from '../arguments.js';
import type { StaffCommand } from '../command.js';
import { StaffError } from '../failure.js';
import { count, table } from '../text.js';
import { bookingData, bookingTable } from './booking-text.js';

export function addOpeningCommands(program: StaffCommand): void {
  const openings = program
    .command('openings')
    .concerns('owner')
    .description('single days that can be booked outside the week');

  openings
    .command('add')
    .description('open sessions of one date that the week does not have')
    .argument('<date>', 'the date, such as 2026-12-07', date)
    .requiredOption('--sessions <list>', 'all, or sessions separated by commas', sessions)
    .explain(`
A closure and a busy watched calendar close an opened session, too.

Examples:
  studio openings add 2026-12-07 --sessions all
  studio openings add 2026-12-13 --sessions "9:00 AM,5:00 PM"`)
    .run(async (run, day: string, { sessions: wanted }: { sessions: TimeSlot[] }) => {
      const { services, actor, print } = run;
      const added = await addOpening(services, actor, { date: day, sessions: wanted });
      if (added.outcome === 'refused') {
        throw new StaffError('usage', Object.values(added.mistakes).join('\n'));
      }
      if (added.outcome === 'exists') throw new StaffError('refused', added.sentence);
      const { day: opened, inWeek } = added;
      print({ opening: openingData(opened), in_week: inWeek }, () => [
        `Opened: ${opened.date} at ${timesText(opened.sessions)}.`,
        ...(inWeek.length === 0 ? [] : [`In the week anyway: ${inWeek.join(', ')}.`]),
        ...opened.sessions.filter(staysClosed).map(({ timeSlot, schedule }) => {
          const until =
            schedule === 'busy' ? 'a watched calendar is free then' : 'its closure is removed';
          return `${timeSlot} stays closed until ${until}; see: studio calendar why ${day} "${timeSlot}"`;
        }),
      ]);
    });

  openings
    .command('list')
    .description('list opened days from today on')
    .option('--past', 'also past days')
    .explain('\nExamples:\n  studio openings list\n  studio openings list --past --json')
    .run(async ({ services, print }, { past }: { past?: true }) => {
      const days = await readOpenings(services, { past: past === true });
      const cells = days.map((day) => [
        day.date,
        timesText(day.sessions),
        timesText(day.sessions.filter(staysClosed)),
      ]);
      print(days.map(openingData), () =>
        table(['DATE', 'SESSIONS', 'STILL CLOSED'], cells, 'No openings.'),
      );
    });

  openings
    .command('remove')
    .description('close opened sessions of a date again; its bookings stay')
    .argument('<date>', 'the date, such as 2026-12-07', date)
    .option('--sessions <list>', 'only these, separated by commas', sessions, [...timeSlots])
    .explain(`
Bookings of these sessions are listed and stay as they are.

Examples:
  studio openings remove 2026-12-07 --yes
  studio openings remove 2026-12-07 --sessions "9:00 AM"`)
    .run(async (run, day: string, { sessions: wanted }: { sessions: TimeSlot[] }) => {
      const { services, actor, confirm, print } = run;
      await confirm(`Close ${day} at ${wanted.join(', ')} again?`);
      const removed = await removeOpening(services, actor, { date: day, sessions: wanted });
      if (removed === null) throw new StaffError('not_found', `No opening is on ${day} then.`);
      const { date: onDate, sessions: closed, bookingsOutside } = removed;
      const outside = [
        `${count(bookingsOutside.length, 'booking')} outside the week on this date, unchanged:`,
        ...bookingTable(services, bookingsOutside),
      ];
      print(
        {
          removed: { date: onDate, sessions: closed },
          bookings_outside: bookingsOutside.map(bookingData(services)),
        },
        () => [
          `Removed: ${onDate} at ${closed.join(', ')}.`,
          ...(bookingsOutside.length === 0 ? [] : outside),
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
