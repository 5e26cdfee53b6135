import type { Kysely } from 'kysely';
import type {
  BookingSelector,
  ClientOfBooking,
  ListedClientRow,
} from '../../database/rows/results.js';
import type { BookingRow, Database } from '../../database/rows/schema.js';
import type { DatabaseServices } from '../../database/services.js';
import { recordAudit } from '../../repositories/audit.js';
import { findBooking, listUpcomingBookingsOf } from '../../repositories/booking-search.js';
import {
  findBookingOfMailbox,
  listBookingsOfClient,
  listClients,
  listClientsOfPhones,
  lockBookingsOfClient,
  setClientNote,
} from '../../repositories/clients.js';
import { lockSlots } from '../../repositories/slot-taking.js';
import { type ListPage, pageOf } from './lists.js';

/*
 * A client is the mailbox of a booking, as the caps know it; else the phone with the name. Nothing is
 * stored but the note: who is one follows from the bookings.
 */

/** What the bookings of a client say about them. Each list has the latest first, and nothing twice. */
export interface Client {
  /** That by which the client was found. */
  booking: BookingRow;
  /** Confirmed once or live, and `booking`; the latest first. */
  bookings: BookingRow[];
  names: string[];
  phones: string[];
  emails: string[];
  pronouns: string[];
  /** BCP 47. */
  languages: string[];
  /** Confirmed ones, past and to come. */
  sessions: number;
  no_shows: number;
  /** The studio's notes about the client. Those of two who became one follow each other. */
  note: string;
}

export interface ClientRecord extends Client {
  /** The first session to come, else the latest booking: what "Book again" keeps, and a correction corrects. */
  shown: BookingRow;
  /** The sessions that erasing the client cancels. */
  upcoming: BookingRow[];
  /** The latest bookings of other clients with the same phone. */
  samePhone: BookingRow[];
}

const bookingsShown = 200;

/**
 * The client of a booking, as their bookings say; with an artist, only what that artist's say.
 */
export async function readClientOf(
  database: Kysely<Database>,
  booking: BookingRow,
  artistId: number | null = null,
): Promise<Client> {
  const known = await listBookingsOfClient(database, booking, bookingsShown);
  const bookings = known.filter(({ artist_id }) => (artistId ?? artist_id) === artist_id);
  const all = (member: 'name' | 'phone' | 'email' | 'pronouns' | 'language') => [
    ...new Set(bookings.map((each) => each[member]).filter((value) => value !== null)),
  ];
  return {
    booking,
    bookings,
    names: all('name'),
    phones: all('phone'),
    emails: all('email'),
    pronouns: all('pronouns'),
    languages: all('language'),
    sessions: bookings.filter(({ status }) => status === 'confirmed').length,
    no_shows: bookings.filter(({ no_show_at }) => no_show_at !== null).length,
    note: noteOf(bookings),
  };
}

/**
 * The client of a mailbox or of a booking, with all that their page shows; with an artist, only what is
 * theirs. Null if there is none.
 */
export async function readClient(
  { database, clock }: Pick<DatabaseServices, 'database' | 'clock'>,
  of: { email: string } | { id: string },
  artistId: number | null = null,
): Promise<ClientRecord | null> {
  const booking =
    'id' in of
      ? await findBooking(database, of.id)
      : await findBookingOfMailbox(database, of.email);
  if (booking === null) return null;
  const client = await readClientOf(database, booking, artistId);
  const samePhone = await listClientsOfPhones(database, booking, client.phones);
  const now = clock.now();
  const isToCome = ({ status, ends_at }: BookingRow) =>
    status === 'confirmed' && ends_at.getTime() > now;
  return {
    ...client,
    shown: client.bookings.findLast(isToCome) ?? client.bookings[0] ?? booking,
    upcoming: await listUpcomingBookingsOf(database, selectorOfClient(booking)),
    samePhone: samePhone.filter(({ artist_id }) => (artistId ?? artist_id) === artist_id),
  };
}

/** The bookings' notes about their client, each once, in the order in which the bookings were made. */
function noteOf(bookings: readonly BookingRow[]): string {
  const notes = bookings
    .toSorted((one, other) => one.created_at.getTime() - other.created_at.getTime())
    .map(({ client_note }) => client_note)
    .filter((note) => note !== null);
  return [...new Set(notes)].join('\n\n');
}

/** All bookings of the client of a booking. */
export function selectorOfClient({ id, name, email, phone }: ClientOfBooking): BookingSelector {
  return email === null ? { client: { id, name, email, phone } } : { email };
}

/**
 * Clients by their next session, then the latest; with a text, those who have it; with an artist, those of
 * their bookings.
 */
export async function findClients(
  { database }: Pick<DatabaseServices, 'database'>,
  text: string | null,
  {
    limit,
    offset = 0,
    artistId = null,
  }: { limit: number; offset?: number; artistId?: number | null | undefined },
): Promise<ListPage<ListedClientRow>> {
  const page = { limit: limit + 1, offset, artistId };
  return pageOf(await listClients(database, text, page), limit);
}

/** `changed`: the note is no longer as the caller saw it. `erased`: the person's data is erased. */
export type NotedBooking = 'saved' | 'unchanged' | 'changed' | 'erased' | 'not_found';

/**
 * Writes the studio's note about the client of a booking, which nobody else reads, to all their bookings;
 * with an artist, to that artist's; an empty one removes it. As personal data, it is in no event and not
 * in the audit. `seen`: the note as the caller saw it.
 */
export async function noteClient(
  { database }: Pick<DatabaseServices, 'database'>,
  actor: string,
  id: string,
  {
    note,
    seen,
    artistId = null,
  }: { note: string; seen: string; artistId?: number | null | undefined },
): Promise<NotedBooking> {
  return database.transaction().execute(async (transaction) => {
    // Corrections and erasures lock the same rows, in another order.
    await lockSlots(transaction);
    const booking = await findBooking(transaction, id);
    if (booking === null) return 'not_found';
    if (booking.name === null) return 'erased';
    const locked = await lockBookingsOfClient(transaction, booking);
    const bookings = locked.filter(({ artist_id }) => (artistId ?? artist_id) === artist_id);
    const present = noteOf(bookings);
    if (present === note) return 'unchanged';
    if (present !== seen) return 'changed';
    const ids = bookings.filter(({ name }) => name !== null).map((each) => each.id);
    await setClientNote(transaction, ids, note || null);
    await recordAudit(transaction, actor, 'clients note', { booking_id: id });
    return 'saved';
  });
}
