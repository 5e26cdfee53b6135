import type { Command } from 'commander';
import {
  listConflicts,
  type BookingConflict,
  type ConflictInterval,
} from '../../../domain/conflicts.js';
import { bookingData, personName } from '../../booking-text.js';
import { printResult, withSession, type CommandContext } from '../../command-context.js';
import type { StaffServices } from '../../session.js';
import { localTime, shortId, table } from '../../text.js';

export function addConflictsCommand(bookings: Command, commandContext: CommandContext): void {
  bookings
    .command('conflicts')
    .description('list the confirmed sessions with a busy calendar or another time zone')
    .addHelpText(
      'after',
      `
A busy event closes its slots, and leaves a confirmed session as it is: move or cancel the booking,
or change the other event. A session that was booked before the studio's time zone changed keeps its
instant, and is listed until it is moved or over. One mail notifies the studio of each conflict.

Examples:
  studio bookings conflicts
  studio bookings conflicts --json`,
    )
    .action(() =>
      withSession(commandContext, async ({ services }) => {
        const conflicts = await listConflicts(services);
        printResult(
          commandContext,
          { conflicts: conflicts.map((conflict) => conflictData(services, conflict)) },
          () => (conflicts.length === 0 ? ['No conflicts.'] : conflictTable(conflicts)),
        );
      }),
    );
}

function conflictData(services: StaffServices, { booking, busy, isInOtherZone }: BookingConflict) {
  return {
    other_time_zone: isInOtherZone,
    booking: bookingData(services)(booking),
    busy: busy.map(({ calendarId, label, startsAt, endsAt }) => ({
      calendar_id: calendarId,
      calendar: label,
      starts_at: startsAt,
      ends_at: endsAt,
    })),
  };
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
        booking.time_slot,
        personName(booking),
        booking.phone ?? '',
        booking.email ?? '',
        ...reason,
      ]);
    }),
  );
}

/** `2026-12-01 09:30 to 11:00`, or with both dates. */
function busyText({ startsAt, endsAt }: ConflictInterval, timezone: string): string {
  const [from, to] = [startsAt, endsAt].map((instant) => localTime(instant, timezone));
  const isOneDay = from?.slice(0, 10) === to?.slice(0, 10);
  return `${from} to ${isOneDay ? to?.slice(11) : to}`;
}
