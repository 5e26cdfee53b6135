import type { Command } from 'commander';
import { cancelByStudio, maxCancellationReasonLength } from '../../../domain/cancellation.js';
import { idPrefix, text } from '../../arguments.js';
import { bookingData, personName } from '../../booking-text.js';
import {
  actorAtTerminal,
  confirm,
  printResult,
  withSession,
  type CommandContext,
} from '../../command-context.js';
import { changed, findBooking, notFound, notLive, requireLive } from './find-booking.js';

interface CancelOptions {
  reason?: string;
  word?: string;
  yes?: true;
}

export function addCancelCommand(bookings: Command, commandContext: CommandContext): void {
  bookings
    .command('cancel')
    .description('cancel a hold or a confirmed booking; its slot is free at once')
    .argument('<id>', 'its id, or the first characters of its id', idPrefix)
    .option(
      '--reason <text>',
      `the reason, in the mail to the person, at most ${maxCancellationReasonLength} characters`,
      text(maxCancellationReasonLength),
    )
    .option(
      '--word <text>',
      'a line for the page of the booking, in the mail as well',
      text(maxCancellationReasonLength),
    )
    .option('-y, --yes', 'skip the question')
    .addHelpText(
      'after',
      `
Both texts are kept with the booking and erased with the personal data.

Examples:
  studio bookings cancel 0b9b64f5
  studio bookings cancel 0b9b64f5 --reason "The artist is ill." --word "We owe you one." --yes`,
    )
    .action((id: string, { reason, word, yes }: CancelOptions) =>
      withSession(commandContext, async ({ services }) => {
        const booking = await findBooking(services, id);
        requireLive(services, booking);
        await confirm(
          commandContext,
          `Cancel ${booking.label} of ${personName(booking)}?`,
          yes === true,
        );
        const actor = actorAtTerminal();
        const { sequence } = booking;
        const outcome = await cancelByStudio(services, actor, booking.id, {
          reason: reason ?? null,
          word: word ?? null,
          sequence,
        });
        if (outcome.outcome === 'not_found') throw notFound(id);
        if (outcome.outcome === 'not_live') throw notLive(outcome.booking);
        if (outcome.outcome === 'changed') throw changed(outcome.booking);
        printResult(commandContext, { cancelled: bookingData(services)(outcome.booking) }, () => [
          `Cancelled: ${booking.label}. The slot is free again.`,
        ]);
      }),
    );
}
