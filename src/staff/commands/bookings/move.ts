import type { Command } from 'commander';
import type { TimeSlot } from '../../../../generated/schemas.js';
import { moveByStudio } from '../../../domain/studio-bookings.js';
import type { Slot } from '../../../schedule/slots.js';
import { bookingLabel } from '../../../schedule/words.js';
import { date, idPrefix, timeSlot } from '../../arguments.js';
import { bookingData, personName, scheduleLines, slotRefused } from '../../booking-text.js';
import {
  actorAtTerminal,
  type CommandContext,
  confirm,
  printResult,
  withSession,
} from '../../command-context.js';
import { StaffError } from '../../failure.js';
import { changed, findBooking, notFound, notLive, requireLive } from './find-booking.js';

export function addMoveCommand(bookings: Command, commandContext: CommandContext): void {
  bookings
    .command('move')
    .description('move a hold or a confirmed booking to another slot; the old one is free at once')
    .argument('<id>', 'its id, or the first characters of its id', idPrefix)
    .argument('<date>', 'the new date', date)
    .argument('<session>', 'the new session, such as "1:00 PM"', timeSlot)
    .option('-y, --yes', 'skip the question')
    .addHelpText(
      'after',
      `
Closures, the weekly schedule and the limits on the person's own moves do not bind the studio: any
slot that is free and not over will do. The link of the booking's page stays the same.

Examples:
  studio bookings move 0b9b64f5 2026-12-02 "1:00 PM"
  studio bookings move 0b9b64f5 2026-12-02 1pm --yes`,
    )
    .action((id: string, day: string, session: TimeSlot, options: { yes?: true }) =>
      move(commandContext, id, { date: day, timeSlot: session }, options.yes === true),
    );
}

async function move(
  commandContext: CommandContext,
  id: string,
  slot: Slot,
  yes: boolean,
): Promise<void> {
  await withSession(commandContext, async ({ services }) => {
    const found = await findBooking(services, id);
    requireLive(services, found);
    await confirm(
      commandContext,
      `Move ${found.label} of ${personName(found)} to ${bookingLabel(slot)}?`,
      yes,
    );
    const outcome = await moveByStudio(services, actorAtTerminal(), found.id, slot, {
      sequence: found.sequence,
    });
    switch (outcome.outcome) {
      case 'moved':
        break;
      case 'not_found':
        throw notFound(id);
      case 'not_live':
        throw notLive(outcome.booking);
      case 'changed':
        throw changed(outcome.booking);
      case 'same_slot':
        throw new StaffError(
          'refused',
          `The booking is on ${outcome.booking.label} already; nothing was changed.`,
        );
      default:
        throw slotRefused(slot, outcome.outcome);
    }
    const { booking, from, schedule } = outcome;
    printResult(
      commandContext,
      {
        moved: bookingData(services)(booking),
        from: { date: from.date, time_slot: from.time_slot },
        schedule,
      },
      () => [`Moved: from ${from.label} to ${booking.label}.`, ...scheduleLines(schedule)],
    );
  });
}
