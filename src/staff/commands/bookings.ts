import type { Command } from 'commander';
import { cancelByStudio } from '../../domain/cancellation.js';
import { forgetPerson } from '../../domain/personal-data.js';
import type { BookingRow, BookingStatus } from '../../database/schema.js';
import { findBookingsByIdPrefix, searchBookings } from '../../repositories/booking-search.js';
import { bookingView } from '../../views/booking.js';
import { anyOf, date, email, idPrefix, wholeNumber } from '../arguments.js';
import { bookingData, bookingTable, bookingText } from '../booking-text.js';
import {
  actorAtTerminal,
  confirm,
  printResult,
  withSession,
  type CommandContext,
} from '../command-context.js';
import { StaffError } from '../failure.js';
import { onlyOne } from '../only-one.js';
import type { StaffServices } from '../session.js';
import { count } from '../text.js';

const statuses = ['pending', 'confirmed', 'expired', 'cancelled'] as const;

interface ListOptions {
  date?: string;
  from?: string;
  to?: string;
  status?: (typeof statuses)[number][];
  email?: string;
  limit: number;
}

interface ForgetOptions {
  cancelBookings?: boolean;
  yes?: boolean;
}

export function addBookingCommands(program: Command, commandContext: CommandContext): void {
  const bookings = program
    .command('bookings')
    .description('holds and bookings, with their personal data');

  bookings
    .command('list')
    .description('list bookings by date')
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
Examples:
  studio bookings list --date 2026-12-01
  studio bookings list --from 2026-12-01 --to 2026-12-07 --status confirmed,pending
  studio bookings list --email ada@example.com --json`,
    )
    .action(async ({ limit, ...options }: ListOptions) => {
      const filter = readFilter(options);
      await withSession(commandContext, async ({ services }) => {
        const found = await searchBookings(services.database, filter, limit + 1);
        const rows = found.slice(0, limit);
        printResult(
          commandContext,
          { bookings: rows.map(bookingData(services)), more: found.length > limit },
          () => {
            if (rows.length === 0) return ['No bookings.'];
            const shown = bookingTable(services, rows);
            return found.length > limit ? [...shown, 'There are more: raise --limit.'] : shown;
          },
        );
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
        printResult(commandContext, bookingData(services)(booking), () =>
          bookingText(services, booking),
        );
      }),
    );

  bookings
    .command('cancel')
    .description('cancel a hold or a confirmed booking; its slot is free at once')
    .argument('<id>', 'its id, or the first characters of its id', idPrefix)
    .option('-y, --yes', 'skip the question')
    .addHelpText('after', '\nExample:\n  studio bookings cancel 0b9b64f5')
    .action((id: string, { yes }: { yes?: true }) =>
      withSession(commandContext, async ({ services }) => {
        const booking = await findBooking(services, id);
        requireLive(services, booking);
        await confirm(commandContext, `Cancel ${booking.label} of ${booking.name}?`, yes === true);
        const outcome = await cancelByStudio(services, actorAtTerminal(), booking.id);
        if (outcome.outcome === 'not_found') throw notFound(id);
        if (outcome.outcome === 'not_live') {
          // A hold that is still `pending` here has lapsed by the database's clock, which decides.
          const { status } = outcome.booking;
          throw notLive(booking, status === 'pending' ? 'expired' : status);
        }
        printResult(commandContext, { cancelled: bookingData(services)(outcome.booking) }, () => [
          `Cancelled: ${booking.label}. The slot is open again.`,
        ]);
      }),
    );

  bookings
    .command('forget')
    .description('erase the personal data of the person with this e-mail address')
    .argument('<email>', 'the address, in any letter case', email)
    .option('--cancel-bookings', 'also cancel the upcoming sessions of this person')
    .option('-y, --yes', 'skip the question')
    .addHelpText(
      'after',
      `
The bookings stay, without name, e-mail, phone, pronouns and idea; API keys of the address are
deleted. While a session is upcoming, nothing is erased unless --cancel-bookings is given.

Examples:
  studio bookings forget ada@example.com
  studio bookings forget ada@example.com --cancel-bookings --yes`,
    )
    .action((address: string, options: ForgetOptions) => forget(commandContext, address, options));
}

function readFilter({ date: day, from, to, status, email: address }: Omit<ListOptions, 'limit'>) {
  if (day !== undefined && (from !== undefined || to !== undefined)) {
    throw new StaffError('usage', '--date cannot be combined with --from or --to.');
  }
  return { from: day ?? from, to: day ?? to, statuses: status, email: address };
}

async function forget(
  commandContext: CommandContext,
  address: string,
  { cancelBookings = false, yes = false }: ForgetOptions,
): Promise<void> {
  await withSession(commandContext, async ({ services }) => {
    const also = cancelBookings ? ', and cancel upcoming sessions' : '';
    await confirm(
      commandContext,
      `Erase all personal data of ${address}${also}? This cannot be undone.`,
      yes,
    );
    const outcome = await forgetPerson(services, actorAtTerminal(), address, { cancelBookings });
    if (outcome.outcome === 'upcoming') {
      const sessions = outcome.upcoming.map(({ label }) => label).join('; ');
      throw new StaffError(
        'refused',
        `Nothing was erased, because sessions are upcoming: ${sessions}. Add --cancel-bookings to cancel them.`,
      );
    }
    const { bookings: erased, cancelled, apiKeys } = outcome;
    if (erased + apiKeys === 0) {
      throw new StaffError('notFound', `There is no data of ${address}.`);
    }
    const ids = cancelled.map(({ id }) => id);
    printResult(commandContext, { erased, cancelled: ids, api_keys_deleted: apiKeys }, () => [
      `Erased from ${count(erased, 'booking')}.`,
      ...(ids.length > 0 ? [`Cancelled: ${count(ids.length, 'booking')}.`] : []),
      ...(apiKeys > 0 ? [`Deleted: ${count(apiKeys, 'API key')}.`] : []),
    ]);
  });
}

async function findBooking(services: StaffServices, id: string): Promise<BookingRow> {
  return onlyOne(await findBookingsByIdPrefix(services.database, id, 2), 'booking', id);
}

function requireLive(services: StaffServices, booking: BookingRow): void {
  const { status } = bookingView(booking, services.clock.now());
  if (status === 'pending' || status === 'confirmed') return;
  throw notLive(booking, status);
}

function notLive({ label }: BookingRow, status: BookingStatus): StaffError {
  return new StaffError('refused', `${label} is already ${status}; nothing was changed.`);
}

function notFound(id: string): StaffError {
  return new StaffError('notFound', `No booking has the id ${id}.`);
}
