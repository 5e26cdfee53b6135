import type { Command } from 'commander';
import type { BookingRow } from '../../../database/schema.js';
import { recordNoShow, type NoShow } from '../../../domain/studio-bookings.js';
import { bookingView } from '../../../views/booking.js';
import { idPrefix } from '../../arguments.js';
import { bookingData } from '../../booking-text.js';
import {
  actorAtTerminal,
  printResult,
  withSession,
  type CommandContext,
} from '../../command-context.js';
import { StaffError } from '../../failure.js';
import type { StaffServices } from '../../session.js';
import { changed, findBooking, notFound } from './find-booking.js';

export function addNoShowCommand(bookings: Command, commandContext: CommandContext): void {
  bookings
    .command('no-show')
    .description('record that the person of a session that has begun did not come')
    .argument('<id>', 'its id, or the first characters of its id', idPrefix)
    .option('--undo', 'remove that record')
    .addHelpText(
      'after',
      `
Only the studio sees the record. Moving the booking removes it as well.

Examples:
  studio bookings no-show 0b9b64f5
  studio bookings no-show 0b9b64f5 --undo`,
    )
    .action((id: string, options: { undo?: true }) =>
      withSession(commandContext, async ({ services }) => {
        const { id: bookingId, sequence } = await findBooking(services, id);
        const undo = options.undo === true;
        const outcome = await recordNoShow(services, actorAtTerminal(), bookingId, {
          undo,
          sequence,
        });
        if (outcome.outcome === 'not_found') throw notFound(id);
        const { booking } = outcome;
        if (outcome.outcome === 'changed') throw changed(booking);
        if (outcome.outcome !== 'recorded') throw refused(services, outcome.outcome, booking, undo);
        printResult(commandContext, { booking: bookingData(services)(booking) }, () => [
          undo ? `No longer a no-show: ${booking.label}.` : `Recorded: no-show, ${booking.label}.`,
        ]);
      }),
    );
}

type Refusal = Exclude<NoShow['outcome'], 'recorded' | 'changed' | 'not_found'>;

function refused(
  services: StaffServices,
  outcome: Refusal,
  booking: BookingRow,
  undo: boolean,
): StaffError {
  const why: Record<Refusal, string> = {
    unchanged: undo ? 'is not recorded as a no-show' : 'is already recorded as a no-show',
    not_begun: 'has not begun',
    not_confirmed: `is ${bookingView(booking, services.clock.now()).status}, and only a confirmed session can be missed`,
  };
  return new StaffError('refused', `${booking.label} ${why[outcome]}; nothing was changed.`);
}
