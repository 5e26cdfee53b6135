import { listBookings, readBookingHistory } from '../../domain/studio/booking-record.js';
import {
  listConflicts,
  type BookingConflict,
  type ConflictInterval,
} from '../../domain/studio/conflicts.js';
import { personName } from '../../domain/studio/words.js';
import { anyOf, date, email } from '../arguments.js';
import type { StaffCommand } from '../command.js';
import { StaffError } from '../failure.js';
import { localTime, shortId, table } from '../text.js';
import {
  addCancelCommand,
  addAddCommand,
  addMoveCommand,
  addNoShowCommand,
} from './booking-changes.js';
import { addCorrectCommand } from './booking-corrections.js';
import { addCopyCommand, addForgetCommand } from './booking-persons.js';
import { bookingData, bookingTable, bookingText, historyData, timesOf } from './booking-text.js';
import { findBooking } from './find-booking.js';
import { addBookingImportCommand } from './import/bookings.js';

const statuses = ['pending', 'confirmed', 'expired', 'cancelled'] as const;

interface ListOptions {
  date?: string;
  from?: string;
  to?: string;
  status?: (typeof statuses)[number][];
  email?: string;
  limit: number;
}

export function addBookingCommands(program: StaffCommand): void {
  const bookings = program
    .command('bookings')
    .concerns('artist')
    .description('holds and bookings, with their personal data');

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
    .withLimit('bookings', 100_000, 100)
    .explain(`
The channel is rest or mcp (a person's agent), page (the person) or studio; empty for bookings from
before version 2.2.0. The name of a platform follows, where the booking came through one.

Examples:
  studio bookings list --date 2026-12-01
  studio bookings list --from 2026-12-01 --to 2026-12-07 --status confirmed,pending
  studio bookings list --email ada@example.com --json`)
    .check((options: ListOptions) => {
      if (options.date !== undefined && (options.from ?? options.to) !== undefined) {
        throw new StaffError('usage', '--date cannot be combined with --from or --to.');
      }
    })
    .run(async ({ services, print }, { date: day, status, limit, ...options }: ListOptions) => {
      const { from = day, to = day, email: address } = options;
      const filter = { from, to, statuses: status, email: address };
      const { rows, more } = await listBookings(services, filter, { limit });
      print({ bookings: rows.map(bookingData(services)), more }, () => [
        ...bookingTable(services, rows, 'No bookings.'),
        ...(more ? ['There are more: raise --limit.'] : []),
      ]);
    });

  bookings
    .command('show')
    .description('show every detail of one booking')
    .withId()
    .explain('\nExample:\n  studio bookings show 0b9b64f5')
    .run(async ({ services, print }, id: string) => {
      const booking = await findBooking(services, id);
      const history = await readBookingHistory(services, booking.id);
      const data = { ...bookingData(services)(booking), history: historyData(history) };
      print(data, () => bookingText(services, booking, history));
    });

  bookings
    .command('conflicts')
    .description('list the confirmed sessions with a busy calendar or another time zone')
    .explain(`
A busy event closes its slots, and leaves a confirmed session as it is: move or cancel the booking,
or change the other event. A session that was booked before the studio's time zone changed keeps its
instant, and is listed until it is moved or over. One mail notifies the studio of each conflict.

Examples:
  studio bookings conflicts
  studio bookings conflicts --json`)
    .run(async ({ services, print }) => {
      const conflicts = await listConflicts(services);
      const data = conflicts.map(({ booking, busy, isInOtherZone }) => ({
        other_time_zone: isInOtherZone,
        booking: bookingData(services)(booking),
        busy: busy.map(({ calendarId, label, startsAt, endsAt }) => ({
          calendar_id: calendarId,
          calendar: label,
          starts_at: startsAt,
          ends_at: endsAt,
        })),
      }));
      print({ conflicts: data }, () => conflictTable(conflicts));
    });

  addAddCommand(bookings);
  addBookingImportCommand(bookings);
  addMoveCommand(bookings);
  addCorrectCommand(bookings);
  addCancelCommand(bookings);
  addNoShowCommand(bookings);
  addCopyCommand(bookings);
  addForgetCommand(bookings);
}

/** One line per reason, each with the booking. */
function conflictTable(conflicts: readonly BookingConflict[]): string[] {
  return table(
    ['ID', 'DATE', 'SESSION', 'NAME', 'PHONE', 'E-MAIL', 'CALENDAR', 'BUSY'],
    conflicts.flatMap(({ booking, busy, isInOtherZone }) => {
      const reasons = [
        ...(isInOtherZone ? [['(time zone)', booking.timezone]] : []),
        ...busy.map((interval) => [interval.label, busyText(interval, booking.timezone)]),
      ];
      return reasons.map((reason) => [
        shortId(booking.id),
        booking.date,
        timesOf(booking).session,
        personName(booking),
        booking.phone ?? '',
        booking.email ?? '',
        ...reason,
      ]);
    }),
    'No conflicts.',
  );
}

/** `2026-12-01 09:30 to 11:00`, or with both dates. */
function busyText({ startsAt, endsAt }: ConflictInterval, timezone: string): string {
  const [from, to] = [startsAt, endsAt].map((instant) => localTime(instant, timezone));
  const isOneDay = from?.slice(0, 10) === to?.slice(0, 10);
  return `${from} to ${isOneDay ? to?.slice(11) : to}`;
}
