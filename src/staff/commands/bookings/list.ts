import type { Command } from 'commander';
import { listBookings, readBookingHistory } from '../../../domain/booking-record.js';
import { anyOf, date, email, idPrefix, wholeNumber } from '../../arguments.js';
import { bookingData, bookingTable, bookingText, historyData } from '../../booking-text.js';
import { printResult, withSession, type CommandContext } from '../../command-context.js';
import { StaffError } from '../../failure.js';
import { findBooking } from './find-booking.js';

const statuses = ['pending', 'confirmed', 'expired', 'cancelled'] as const;

interface ListOptions {
  date?: string;
  from?: string;
  to?: string;
  status?: (typeof statuses)[number][];
  email?: string;
  limit: number;
}

export function addListCommands(bookings: Command, commandContext: CommandContext): void {
  bookings
    .command('list')
    .description('list bookings by date, with the channel that each came through')
    .option('--date <date>', 'only this date', date)
    .option('--from <date>', 'only this date and later', date)
    .option('--to <date>', 'only this date and earlier', date)
    .option(
      '--status <list>',
      `only these, separated by commas: ${statuses.join(', ')}`,
      anyOf(statuses),
    )
    .option('--email <address>', 'only this e-mail address', email)
    .option('--limit <n>', 'show at most n bookings', wholeNumber(1, 100_000), 100)
    .addHelpText(
      'after',
      `
The channel is rest or mcp (a person's agent), page (the person) or studio; empty for bookings from
before version 2.2.0. The name of a platform follows, where the booking came through one.

Examples:
  studio bookings list --date 2026-12-01
  studio bookings list --from 2026-12-01 --to 2026-12-07 --status confirmed,pending
  studio bookings list --email ada@example.com --json`,
    )
    .action(async ({ limit, ...options }: ListOptions) => {
      const filter = readFilter(options);
      await withSession(commandContext, async ({ services }) => {
        const { rows, more } = await listBookings(services, filter, { limit });
        printResult(commandContext, { bookings: rows.map(bookingData(services)), more }, () => {
          if (rows.length === 0) return ['No bookings.'];
          const shown = bookingTable(services, rows);
          return more ? [...shown, 'There are more: raise --limit.'] : shown;
        });
      });
    });

  bookings
    .command('show')
    .description('show every detail of one booking')
    .argument('<id>', 'its id, or the first characters of its id', idPrefix)
    .addHelpText('after', '\nExample:\n  studio bookings show 0b9b64f5')
    .action((id: string) =>
      withSession(commandContext, async ({ services }) => {
        const booking = await findBooking(services, id);
        const history = await readBookingHistory(services, booking.id);
        const data = { ...bookingData(services)(booking), history: historyData(history) };
        printResult(commandContext, data, () => bookingText(services, booking, history));
      }),
    );
}

function readFilter({ date: day, from, to, status, email: address }: Omit<ListOptions, 'limit'>) {
  if (day !== undefined && (from !== undefined || to !== undefined)) {
    throw new StaffError('usage', '--date cannot be combined with --from or --to.');
  }
  return { from: day ?? from, to: day ?? to, statuses: status, email: address };
}
