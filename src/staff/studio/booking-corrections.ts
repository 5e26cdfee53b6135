import type { PersonMember } from '../../domain/booking/person.js';
import {
  correctByStudio,
  type GivenCorrections,
  type NewLink,
} from '../../domain/studio/correction.js';
import { alreadyCorrect } from '../../domain/studio/words.js';
import { checkoutLink } from '../../secrets/links.js';
import { personArguments } from '../arguments.js';
import { openKeyring } from '../command-context.js';
import type { Run, StaffCommand } from '../command.js';
import { StaffError } from '../failure.js';
import { shortId } from '../text.js';
import { bookingData } from './booking-text.js';
import { afterAsking, changedMeanwhile, findBooking } from './find-booking.js';

export function addCorrectCommand(bookings: StaffCommand): void {
  const person = personArguments();
  /** An empty text removes the detail. */
  const orEmpty = (member: PersonMember) => (value: string) =>
    value.trim() === '' ? '' : person[member](value);
  bookings
    .command('correct')
    .description("correct a person's details in a hold or a confirmed booking")
    .withId()
    .option('--name <name>', "the person's name", person.name)
    .option('--email <address>', "the person's e-mail address", orEmpty('email'))
    .option('--phone <number>', "the person's US telephone number", orEmpty('phone'))
    .option('--pronouns <pronouns>', "the person's pronouns", orEmpty('pronouns'))
    .option('--idea <text>', 'what the person has in mind', orEmpty('idea'))
    .option('--all-to-come', 'correct all that the client has to come alike, but for the idea')
    .explain(`
Only a change of the e-mail address notifies the person, and replaces the link of the booking's page.
For a confirmed session, the new address gets the new link by mail. For a hold, or without mail, the
output has it: give it to the person, and to nobody else. The former link and its codes no longer
work, and the former address gets no further mail. Where the corrected person has another session at
that time, or another client has these details, it asks. With --all-to-come, the client's confirmed
sessions to come under the same name are corrected, too, each with its own link and mail. An empty
text ('') removes a detail. What a person has held keeps its e-mail address and phone number.

Examples:
  studio bookings correct 0b9b64f5 --email ada@example.com --all-to-come
  studio bookings correct 0b9b64f5 --phone "(503) 555-0142" --idea ''`)
    .check((_id: string, { allToCome: _, ...given }: CorrectOptions) => {
      if (Object.keys(given).length > 0) return;
      throw new StaffError(
        'usage',
        'Give at least one option; see: studio bookings correct --help',
      );
    })
    .run(correct);
}

const nouns: Record<PersonMember, string> = {
  name: 'name',
  email: 'e-mail address',
  phone: 'phone',
  pronouns: 'pronouns',
  idea: 'idea',
};

const refusals = {
  erased: 'The personal data of this booking is erased',
  incomplete: 'What a person has held keeps an e-mail address and a phone number',
};

type CorrectOptions = GivenCorrections & { allToCome?: boolean };

async function correct(
  run: Run,
  id: string,
  { allToCome: others = false, ...given }: CorrectOptions,
): Promise<void> {
  const { services, actor, print } = run;
  const { sequence, ...found } = await findBooking(services, id);
  // The new link is stored encrypted.
  const deps = { ...services, keyring: await openKeyring(services) };
  const outcome = await afterAsking(run, 'Correct it', (agreement) =>
    correctByStudio(deps, actor, found.id, given, { sequence, others, ...agreement }),
  );
  if (outcome.outcome === 'erased' || outcome.outcome === 'incomplete') {
    throw new StaffError('refused', `${refusals[outcome.outcome]}; nothing was changed.`);
  }
  if (outcome.outcome !== 'corrected' && outcome.outcome !== 'unchanged') {
    throw changedMeanwhile(outcome, id);
  }
  const made =
    outcome.outcome === 'corrected'
      ? outcome
      : { booking: outcome.booking, corrected: [], newLink: null, others: [] };
  const urlOf = (link: NewLink | null) =>
    link === null || link.isMailed
      ? null
      : checkoutLink(services.config.publicBaseUrl, link.checkoutToken);
  const { booking, corrected, newLink } = made;
  const data = {
    booking: bookingData(services)(booking),
    corrected,
    checkout_url: urlOf(newLink),
    also: made.others.map((each) => ({
      booking: bookingData(services)(each.booking),
      checkout_url: urlOf(each.newLink),
    })),
  };
  print(data, () =>
    corrected.length === 0
      ? [alreadyCorrect]
      : [
          `Corrected: ${corrected.map((member) => nouns[member]).join(', ')} (${booking.label}, ${shortId(booking.id)}).`,
          ...(newLink === null ? [] : linkLines(urlOf(newLink), found.email)),
          ...made.others.map((each) => {
            const url = urlOf(each.newLink);
            const page = url === null ? '' : ` The person's new page: ${url}`;
            return `Also: ${each.booking.label}, ${shortId(each.booking.id)}.${page}`;
          }),
        ],
  );
}

function linkLines(checkoutUrl: string | null, formerEmail: string | null): string[] {
  return [
    checkoutUrl === null
      ? 'The former link is void; the new one is mailed to the new address.'
      : `The former link is void. The person's new page: ${checkoutUrl}`,
    ...(formerEmail === null
      ? []
      : ['The former address is never mailed again; a calendar entry that it has stays there.']),
  ];
}
