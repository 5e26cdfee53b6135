import type { Command } from 'commander';
import type { TimeSlot } from '../../../../generated/schemas.js';
import type { GivenPerson } from '../../../domain/person.js';
import { addBooking } from '../../../domain/studio-bookings.js';
import type { Slot } from '../../../schedule/slots.js';
import { checkoutLink } from '../../../secrets/links.js';
import { date, personArguments, timeSlot } from '../../arguments.js';
import { bookingData, scheduleLines, slotRefused } from '../../booking-text.js';
import {
  actorAtTerminal,
  type CommandContext,
  openKeyring,
  printResult,
  withSession,
} from '../../command-context.js';
import { shortId } from '../../text.js';

export function addAddCommand(bookings: Command, commandContext: CommandContext): void {
  const person = personArguments();
  bookings
    .command('add')
    .description('add a confirmed booking, for a walk-in or a call')
    .argument('<date>', 'its date', date)
    .argument('<session>', 'its session, such as "1:00 PM"', timeSlot)
    .requiredOption('--name <name>', "the person's name", person.name)
    .option('--email <address>', "the person's e-mail address", person.email)
    .option('--phone <number>', "the person's US telephone number", person.phone)
    .option('--pronouns <pronouns>', "the person's pronouns", person.pronouns)
    .option('--idea <text>', 'what the person has in mind', person.idea)
    .addHelpText(
      'after',
      `
Notice, the limits on bookings, closures and the weekly schedule do not bind the studio: it can book
any slot that is free and not over. The link in the output opens the booking's page, where it can be
moved and cancelled: give the link to the person, and to nobody else.

Examples:
  studio bookings add 2026-12-02 "1:00 PM" --name "Ada Park"
  studio bookings add 2026-12-02 1pm --name "Ada Park" --phone "(503) 555-0142" --idea "A heron"`,
    )
    .action((day: string, session: TimeSlot, given: GivenPerson) =>
      add(commandContext, { date: day, timeSlot: session }, given),
    );
}

async function add(commandContext: CommandContext, slot: Slot, given: GivenPerson): Promise<void> {
  await withSession(commandContext, async ({ services }) => {
    // The link is stored encrypted.
    const keyring = await openKeyring(services);
    const outcome = await addBooking({ ...services, keyring }, actorAtTerminal(), slot, given);
    if (outcome.outcome !== 'added') throw slotRefused(slot, outcome.outcome);
    const { booking, checkoutToken, schedule } = outcome;
    const checkoutUrl = checkoutLink(services.config.publicBaseUrl, checkoutToken);
    printResult(
      commandContext,
      { added: bookingData(services)(booking), checkout_url: checkoutUrl, schedule },
      () => [
        `Added: ${booking.label}, for ${booking.name} (${shortId(booking.id)}).`,
        ...scheduleLines(schedule),
        `The person's page: ${checkoutUrl}`,
      ],
    );
  });
}
