import type { Command } from 'commander';
import {
  correctByStudio,
  type GivenCorrections,
  type NewLink,
} from '../../../domain/correction.js';
import type { PersonMember } from '../../../domain/person.js';
import { checkoutLink } from '../../../secrets/links.js';
import { idPrefix, personArguments } from '../../arguments.js';
import { bookingData } from '../../booking-text.js';
import {
  actorAtTerminal,
  type CommandContext,
  openKeyring,
  printResult,
  withSession,
} from '../../command-context.js';
import { StaffError } from '../../failure.js';
import { shortId } from '../../text.js';
import { changed, findBooking, notFound, notLive } from './find-booking.js';

export function addCorrectCommand(bookings: Command, commandContext: CommandContext): void {
  const person = personArguments();
  /** An empty text takes away what was there. */
  const orEmpty = (member: PersonMember) => (value: string) =>
    value.trim() === '' ? '' : person[member](value);
  bookings
    .command('correct')
    .description("correct a person's details in a hold or a confirmed booking")
    .argument('<id>', 'its id, or the first characters of its id', idPrefix)
    .option('--name <name>', "the person's name", person.name)
    .option('--email <address>', "the person's e-mail address", orEmpty('email'))
    .option('--phone <number>', "the person's US telephone number", orEmpty('phone'))
    .option('--pronouns <pronouns>', "the person's pronouns", orEmpty('pronouns'))
    .option('--idea <text>', 'what the person has in mind', orEmpty('idea'))
    .addHelpText(
      'after',
      `
Only another e-mail address is told to the person, and makes the link of the booking's page a new
one: of a confirmed session, the new address gets it by mail; of a hold, or without mail, it is in the
output: give it to the person, and to nobody else. The former link and its codes are void, and the
former address is never mailed again. An empty text ('') removes what was there; what a person has
held keeps an e-mail address and a phone number.

Examples:
  studio bookings correct 0b9b64f5 --email ada@example.com
  studio bookings correct 0b9b64f5 --phone "(503) 555-0142" --idea ''`,
    )
    .action((id: string, given: GivenCorrections) => correct(commandContext, id, given));
}

const nouns: Record<PersonMember, string> = {
  name: 'name',
  email: 'e-mail address',
  phone: 'phone',
  pronouns: 'pronouns',
  idea: 'idea',
};

async function correct(
  commandContext: CommandContext,
  id: string,
  given: GivenCorrections,
): Promise<void> {
  if (Object.keys(given).length === 0) {
    throw new StaffError('usage', 'Give at least one option; see: studio bookings correct --help');
  }
  await withSession(commandContext, async ({ services }) => {
    const found = await findBooking(services, id);
    // The new link is stored encrypted.
    const keyring = await openKeyring(services);
    const outcome = await correctByStudio(
      { ...services, keyring },
      actorAtTerminal(),
      found.id,
      given,
      { sequence: found.sequence },
    );
    switch (outcome.outcome) {
      case 'corrected':
      case 'unchanged':
        break;
      case 'not_found':
        throw notFound(id);
      case 'not_live':
        throw notLive(outcome.booking);
      case 'changed':
        throw changed(outcome.booking);
      case 'erased':
        throw new StaffError(
          'refused',
          'The personal data of this booking is erased; nothing was changed.',
        );
      case 'incomplete':
        throw new StaffError(
          'refused',
          'What a person has held keeps an e-mail address and a phone number; nothing was changed.',
        );
    }
    const { booking } = outcome;
    const [corrected, newLink] =
      outcome.outcome === 'corrected' ? [outcome.corrected, outcome.newLink] : [[], null];
    const checkoutUrl =
      newLink === null || newLink.isMailed
        ? null
        : checkoutLink(services.config.publicBaseUrl, newLink.checkoutToken);
    printResult(
      commandContext,
      { booking: bookingData(services)(booking), corrected, checkout_url: checkoutUrl },
      () =>
        corrected.length === 0
          ? ['Nothing to change: the details are these already.']
          : [
              `Corrected: ${corrected.map((member) => nouns[member]).join(', ')} (${booking.label}, ${shortId(booking.id)}).`,
              ...linkLines(newLink, checkoutUrl, found.email),
            ],
    );
  });
}

function linkLines(
  newLink: NewLink | null,
  checkoutUrl: string | null,
  formerEmail: string | null,
): string[] {
  if (newLink === null) return [];
  return [
    checkoutUrl === null
      ? 'The former link is void; the new one is mailed to the new address.'
      : `The former link is void. The person's new page: ${checkoutUrl}`,
    ...(formerEmail === null
      ? []
      : ['The former address is never mailed again; a calendar entry that it has stays there.']),
  ];
}
