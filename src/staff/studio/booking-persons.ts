import { open, rm } from 'node:fs/promises';
import type { BookingSelector, PersonalCopy } from '../../database/rows/results.js';
import { selectorOfClient } from '../../domain/studio/clients.js';
import { copyPersonalData } from '../../domain/studio/personal-copy.js';
import { forgetPerson } from '../../domain/studio/personal-data.js';
import { personalCopyPage } from '../../views/personal-copy-page.js';
import { emailOrId, type EmailOrId } from '../arguments.js';
import type { Run, StaffCommand } from '../command.js';
import { StaffError } from '../failure.js';
import { explainFileErrors } from '../operator/backup.js';
import type { StaffServices } from '../session.js';
import { count, shortId } from '../text.js';
import { findBooking } from './find-booking.js';

const emailOrIdHelp =
  'the address, in any spelling of its mailbox; or the id of a booking, or its first characters';
const ofClient = 'with an id: all bookings of its client';

export function addCopyCommand(bookings: StaffCommand): void {
  bookings
    .command('copy')
    .concerns('owner')
    .description('copy all that is kept of a person, by e-mail address, or of one booking')
    .argument('<email-or-id>', emailOrIdHelp, emailOrId)
    .option('--client', ofClient)
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
  { page, client = false }: { page?: string; client?: boolean },
): Promise<void> {
  const { of, selector } = await findPersonalData(services, whose, client);
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
    .concerns('owner')
    .description('erase the personal data of a person, by e-mail address, or of one booking')
    .argument('<email-or-id>', emailOrIdHelp, emailOrId)
    .option('--client', ofClient)
    .option('--cancel-bookings', 'also cancel the upcoming sessions')
    .explain(`
The bookings stay, without name, e-mail, phone, pronouns, idea and reason for a cancellation; API
keys of the address are deleted. With an id, only the data of that booking is erased; with --client,
all of its client, who may have given no e-mail address. While a session is upcoming, nothing is
erased unless --cancel-bookings is given.

Examples:
  studio bookings forget ada@example.com
  studio bookings forget ada@example.com --cancel-bookings --yes
  studio bookings forget 0b9b64f5 --client`)
    .run(forget);
}

async function forget(
  { services, actor, confirm, print }: Run,
  whose: EmailOrId,
  { cancelBookings = false, client = false }: { cancelBookings?: boolean; client?: boolean },
): Promise<void> {
  const { of, selector } = await findPersonalData(services, whose, client);
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
  isClient: boolean,
): Promise<{ of: string; selector: BookingSelector }> {
  if ('email' in whose) return { of: whose.email, selector: whose };
  const booking = await findBooking(services, whose.idPrefix);
  const of = `the booking on ${booking.label} (${shortId(booking.id)})`;
  return isClient
    ? { of: `the client of ${of}`, selector: selectorOfClient(booking) }
    : { of, selector: { id: booking.id } };
}
