import type { Command } from 'commander';
import { forgetPerson } from '../../../domain/personal-data.js';
import type { BookingSelector } from '../../../repositories/booking-search.js';
import { emailOrId, type EmailOrId } from '../../arguments.js';
import {
  actorAtTerminal,
  confirm,
  printResult,
  withSession,
  type CommandContext,
} from '../../command-context.js';
import { StaffError } from '../../failure.js';
import type { StaffServices } from '../../session.js';
import { count, shortId } from '../../text.js';
import { findBooking } from './find-booking.js';

interface ForgetOptions {
  cancelBookings?: true;
  yes?: true;
}

export function addForgetCommand(bookings: Command, commandContext: CommandContext): void {
  bookings
    .command('forget')
    .description('erase the personal data of a person, by e-mail address, or of one booking')
    .argument(
      '<email-or-id>',
      'the address, in any letter case; or the id of a booking, or its first characters',
      emailOrId,
    )
    .option('--cancel-bookings', 'also cancel the upcoming sessions')
    .option('-y, --yes', 'skip the question')
    .addHelpText(
      'after',
      `
The bookings stay, without name, e-mail, phone, pronouns, idea and reason for a cancellation; API
keys of the address are deleted. With an id, only the data of that booking is erased, for a person
who gave no e-mail address. While a session is upcoming, nothing is erased unless --cancel-bookings
is given.

Examples:
  studio bookings forget ada@example.com
  studio bookings forget ada@example.com --cancel-bookings --yes
  studio bookings forget 0b9b64f5`,
    )
    .action((whose: EmailOrId, options: ForgetOptions) =>
      withSession(commandContext, ({ services }) =>
        forget(commandContext, services, whose, options),
      ),
    );
}

async function forget(
  commandContext: CommandContext,
  services: StaffServices,
  whose: EmailOrId,
  options: ForgetOptions,
): Promise<void> {
  const cancelBookings = options.cancelBookings === true;
  const { of, selector } = await findPersonalData(services, whose);
  const also = cancelBookings ? ', and cancel upcoming sessions' : '';
  await confirm(
    commandContext,
    `Erase all personal data of ${of}${also}? This cannot be undone.`,
    options.yes === true,
  );
  const outcome = await forgetPerson(services, actorAtTerminal(), selector, { cancelBookings });
  if (outcome.outcome === 'upcoming') {
    const sessions = outcome.upcoming.map(({ label }) => label).join('; ');
    throw new StaffError(
      'refused',
      `Nothing was erased, because sessions are upcoming: ${sessions}. Add --cancel-bookings to cancel them.`,
    );
  }
  const { bookings: erased, cancelled, apiKeys } = outcome;
  if (erased + apiKeys === 0) throw new StaffError('notFound', `There is no data of ${of}.`);
  const ids = cancelled.map(({ id }) => id);
  printResult(commandContext, { erased, cancelled: ids, api_keys_deleted: apiKeys }, () => [
    `Erased from ${count(erased, 'booking')}.`,
    ...(ids.length > 0 ? [`Cancelled: ${count(ids.length, 'booking')}.`] : []),
    ...(apiKeys > 0 ? [`Deleted: ${count(apiKeys, 'API key')}.`] : []),
  ]);
}

/** Whose personal data to erase, for the domain and in words. */
async function findPersonalData(
  services: StaffServices,
  whose: EmailOrId,
): Promise<{ of: string; selector: BookingSelector }> {
  if ('email' in whose) return { of: whose.email, selector: whose };
  const { id, label } = await findBooking(services, whose.idPrefix);
  return { of: `the booking on ${label} (${shortId(id)})`, selector: { id } };
}
