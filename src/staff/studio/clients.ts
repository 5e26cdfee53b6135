import {
  type ClientRecord,
  findClients,
  noteClient,
  readClient,
} from '../../domain/studio/clients.js';
import { maxNoteLength } from '../../domain/studio/correction.js';
import { countsOfClient, languageNames, personName } from '../../domain/studio/words.js';
import { emailOrId, type EmailOrId, text } from '../arguments.js';
import type { Run, StaffCommand } from '../command.js';
import { StaffError } from '../failure.js';
import type { StaffServices } from '../session.js';
import { facts, shortId, table } from '../text.js';
import { bookingData, bookingTable } from './booking-text.js';
import { findBooking } from './find-booking.js';

const whichClient =
  'the address, or its mailbox by another spelling; or the id of a booking of theirs';

export function addClientCommands(program: StaffCommand): void {
  const clients = program
    .command('clients')
    .concerns('artist')
    .description('the people who book, with all their sessions');

  clients
    .command('list')
    .description('list clients by their next session, then those of before')
    .option('--search <text>', 'only with this in a name, an e-mail address or a phone number')
    .withLimit('clients', 10_000, 100)
    .explain(`
A client is a mailbox, in any spelling that reaches it; without an e-mail address, a phone number
with a name. The id is that of their next or latest booking.

Examples:
  studio clients list
  studio clients list --search 0142`)
    .run(async ({ services, print }, { search, limit }: { search?: string; limit: number }) => {
      const { rows, more } = await findClients(services, search ?? null, { limit });
      const data = rows.map(({ id, name, email, phone, sessions, no_shows, is_to_come, date }) => {
        return { id, name, email, phone, sessions, no_shows, is_to_come, date };
      });
      print({ clients: data, more }, () => [
        ...table(
          ['ID', 'NAME', 'PHONE', 'E-MAIL', 'SESSIONS', 'NEXT', 'LATEST'],
          rows.map((client) => [
            shortId(client.id),
            personName(client),
            client.phone ?? '',
            client.email ?? '',
            countsOfClient(client),
            client.is_to_come ? client.date : '',
            client.is_to_come ? '' : client.date,
          ]),
          'No clients.',
        ),
        ...(more ? ['There are more: raise --limit.'] : []),
      ]);
    });

  clients
    .command('show')
    .description('show a client: contact, languages, notes and all sessions')
    .argument('<email-or-id>', whichClient, emailOrId)
    .explain(`
Examples:
  studio clients show ada@example.com
  studio clients show 0b9b64f5 --json`)
    .run(async ({ services, print }, whose: EmailOrId) => {
      const client = await findClient(services, whose);
      const { names, phones, emails, pronouns, languages, note, bookings, samePhone } = client;
      const { sessions, no_shows } = client;
      const data = {
        ...{ names, phones, emails, pronouns, languages, sessions, no_shows },
        note: note || null,
        same_phone: samePhone.map(({ id }) => id),
        bookings: bookings.map(bookingData(services)),
      };
      print(data, () => [
        ...facts([
          ['Name', names.join(', ')],
          ['Phone', phones.join(', ')],
          ['E-mail', emails.join(', ')],
          ['Pronouns', pronouns.join(', ')],
          ['Languages', languageNames(languages)],
          ['Sessions', countsOfClient(client)],
          ['Note', note],
          ['Same phone', samePhone.map(({ id }) => shortId(id)).join(', ')],
        ]),
        '',
        ...bookingTable(services, bookings),
      ]);
    });

  clients
    .command('note')
    .description('write your note about a client, which only the studio reads')
    .argument('<email-or-id>', whichClient, emailOrId)
    .argument('<text>', `at most ${maxNoteLength} characters; '' removes it`, (given: string) =>
      given.trim() === '' ? '' : text(maxNoteLength)(given),
    )
    .explain(`
The note is kept with each booking of the client, and erased with the last of them. It replaces the
one that is there.

Examples:
  studio clients note ada@example.com "Allergic to latex."
  studio clients note ada@example.com ''`)
    .run(note);
}

async function note(
  { services, actor, print }: Run,
  whose: EmailOrId,
  words: string,
): Promise<void> {
  const { booking, note: seen } = await findClient(services, whose);
  const outcome = await noteClient(services, actor, booking.id, { note: words, seen });
  if (outcome === 'saved' || outcome === 'unchanged') {
    print({ note: words || null }, () => [
      words === '' ? 'The note is removed.' : 'The note is saved.',
    ]);
    return;
  }
  const why = outcome === 'changed' ? 'The note has changed meanwhile' : 'The client is erased';
  throw new StaffError('refused', `${why}; nothing was saved.`);
}

async function findClient(services: StaffServices, whose: EmailOrId): Promise<ClientRecord> {
  const of = 'email' in whose ? whose : { id: (await findBooking(services, whose.idPrefix)).id };
  const client = await readClient(services, of);
  if (client !== null) return client;
  throw new StaffError('not_found', 'No client has this e-mail address.');
}
