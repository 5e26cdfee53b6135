import { open, rm } from 'node:fs/promises';
import type { BookingSelector, PersonalCopy } from '../../database/rows/results.js';
import type { PersonMember } from '../../domain/booking/person.js';
import {
  correctByStudio,
  type GivenCorrections,
  type NewLink,
} from '../../domain/studio/correction.js';
import { copyPersonalData } from '../../domain/studio/personal-copy.js';
import { forgetPerson } from '../../domain/studio/personal-data.js';
import { alreadyCorrect } from '../../domain/studio/words.js';
import { checkoutLink } from '../../secrets/links.js';
import { personalCopyPage } from '../../views/personal-copy-page.js';
import { emailOrId, type EmailOrId, personArguments } from '../arguments.js';
import { openKeyring } from '../command-context.js';
import type { Run, StaffCommand } from '../command.js';
import { StaffError } from '../failure.js';
import { explainFileErrors } from '../operator/backup.js';
import type { StaffServices } from '../session.js';
import { count, shortId } from '../text.js';
import { bookingData } from './booking-text.js';
import { changedMeanwhile, despiteSecondChair, findBooking } from './find-booking.js';

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
    .explain(`
Only a change of the e-mail address notifies the person, and replaces the link of the booking's page.
For a confirmed session, the new address gets the new link by mail. For a hold, or without mail, the
output has it: give it to the person, and to nobody else. The former link and its codes no longer
work, and the former address gets no further mail. Where the corrected person has another session at that
time, it asks. An empty text ('') removes a detail. What a
person has held keeps its e-mail address and phone number.

Examples:
  studio bookings correct 0b9b64f5 --email ada@example.com
  studio bookings correct 0b9b64f5 --phone "(503) 555-0142" --idea ''`)
    .check((_id: string, given: GivenCorrections) => {
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

async function correct(run: Run, id: string, given: GivenCorrections): Promise<void> {
  const { services, actor, print } = run;
  const { sequence, ...found } = await findBooking(services, id);
  // The new link is stored encrypted.
  const deps = { ...services, keyring: await openKeyring(services) };
  const outcome = await despiteSecondChair(run, 'Correct it', (chair) =>
    correctByStudio(deps, actor, found.id, given, { sequence, ...chair }),
  );
  switch (outcome.outcome) {
    case 'corrected':
    case 'unchanged':
      break;
    case 'not_found':
    case 'not_live':
    case 'changed':
      throw changedMeanwhile(outcome, id);
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
  const { corrected, newLink } =
    outcome.outcome === 'corrected' ? outcome : { corrected: [], newLink: null };
  const checkoutUrl =
    newLink === null || newLink.isMailed
      ? null
      : checkoutLink(services.config.publicBaseUrl, newLink.checkoutToken);
  print({ booking: bookingData(services)(booking), corrected, checkout_url: checkoutUrl }, () =>
    corrected.length === 0
      ? [alreadyCorrect]
      : [
          `Corrected: ${corrected.map((member) => nouns[member]).join(', ')} (${booking.label}, ${shortId(booking.id)}).`,
          ...linkLines(newLink, checkoutUrl, found.email),
        ],
  );
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

const emailOrIdHelp =
  'the address, in any letter case; or the id of a booking, or its first characters';

export function addCopyCommand(bookings: StaffCommand): void {
  bookings
    .command('copy')
    .description('copy all that is kept of a person, by e-mail address, or of one booking')
    .argument('<email-or-id>', emailOrIdHelp, emailOrId)
    .option('--page <file>', 'write a page to read and to print (HTML) to a new file')
    .explain(`
For a person who asks what you keep of them. With --json, the copy is printed as JSON. It has your
note and the reasons and words that you wrote, but not who of you did something, and no hash or
secret. It also says what is not kept. See that whoever asks is the person: send the copy to the
address that is in it, and read it before.

Examples:
  studio bookings copy ada@example.com --page ada.html
  studio bookings copy 0b9b64f5 --json`)
    .check((_whose: EmailOrId, { page }: { page?: string }) => {
      if (page !== undefined || bookings.context.wantsJson()) return;
      throw new StaffError('usage', 'Give --page <file> for a page to print, or --json.');
    })
    .run(copy);
}

async function copy(
  { services, actor, print }: Run,
  whose: EmailOrId,
  { page }: { page?: string },
): Promise<void> {
  const { of, selector } = await findPersonalData(services, whose);
  const read = async () => {
    const copied = await copyPersonalData(services, actor, selector);
    if (copied !== null) return copied;
    throw new StaffError(
      'not_found',
      `Nothing is kept of ${of}: no booking and no API key has it, or it was erased.`,
    );
  };
  const copied = await (page === undefined ? read() : writePage(page, read));
  const { api_keys: keys, ...notChecked } = copied.not_checked;
  const bookings = [...copied.bookings, ...notChecked.bookings];
  const erased = bookings.filter((booking) => booking['is_erased'] === true).length;
  print(copied, () => [
    `Written: ${page}: ${count(bookings.length, 'booking')}, ${count(keys.length, 'API key')}.`,
    ...(erased > 0 ? [`Erased: the personal data of ${count(erased, 'booking')}.`] : []),
    'Read it before you hand it over: your note is in it, if there is one.',
  ]);
}

/** Opens the new file before a copy is made and audited. Only its owner may read it. */
async function writePage(file: string, read: () => Promise<PersonalCopy>): Promise<PersonalCopy> {
  const opened = await explainFileErrors(file, () => open(file, 'wx', 0o600));
  try {
    const copied = await read();
    await opened.writeFile(personalCopyPage(copied));
    return copied;
  } catch (error) {
    await rm(file);
    throw error;
  } finally {
    await opened.close();
  }
}

export function addForgetCommand(bookings: StaffCommand): void {
  bookings
    .command('forget')
    .description('erase the personal data of a person, by e-mail address, or of one booking')
    .argument('<email-or-id>', emailOrIdHelp, emailOrId)
    .option('--cancel-bookings', 'also cancel the upcoming sessions')
    .explain(`
The bookings stay, without name, e-mail, phone, pronouns, idea and reason for a cancellation; API
keys of the address are deleted. With an id, only the data of that booking is erased, for a person
who gave no e-mail address. While a session is upcoming, nothing is erased unless --cancel-bookings
is given.

Examples:
  studio bookings forget ada@example.com
  studio bookings forget ada@example.com --cancel-bookings --yes
  studio bookings forget 0b9b64f5`)
    .run(forget);
}

async function forget(
  { services, actor, confirm, print }: Run,
  whose: EmailOrId,
  { cancelBookings = false }: { cancelBookings?: boolean },
): Promise<void> {
  const { of, selector } = await findPersonalData(services, whose);
  const also = cancelBookings ? ', and cancel upcoming sessions' : '';
  await confirm(`Erase all personal data of ${of}${also}? This cannot be undone.`);
  const outcome = await forgetPerson(services, actor, selector, { cancelBookings });
  if (outcome.outcome === 'upcoming') {
    const sessions = outcome.upcoming.map(({ label }) => label).join('; ');
    throw new StaffError(
      'refused',
      `Nothing was erased, because sessions are upcoming: ${sessions}. Add --cancel-bookings to cancel them.`,
    );
  }
  const { bookings: erased, cancelled, apiKeys } = outcome;
  if (erased + apiKeys === 0) throw new StaffError('not_found', `There is no data of ${of}.`);
  const ids = cancelled.map(({ id }) => id);
  print({ erased, cancelled: ids, api_keys_deleted: apiKeys }, () => [
    `Erased from ${count(erased, 'booking')}.`,
    ...(ids.length > 0 ? [`Cancelled: ${count(ids.length, 'booking')}.`] : []),
    ...(apiKeys > 0 ? [`Deleted: ${count(apiKeys, 'API key')}.`] : []),
  ]);
}

/** The selection of personal data, for the domain and in words. */
async function findPersonalData(
  services: StaffServices,
  whose: EmailOrId,
): Promise<{ of: string; selector: BookingSelector }> {
  if ('email' in whose) return { of: whose.email, selector: whose };
  const { id, label } = await findBooking(services, whose.idPrefix);
  return { of: `the booking on ${label} (${shortId(id)})`, selector: { id } };
}
