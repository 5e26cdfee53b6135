import type { Kysely } from 'kysely';
import type {
  BookingSelector,
  ClientOfBooking,
  ListedClientRow,
} from '../../database/rows/results.js';
import type { BookingRow, Database } from '../../database/rows/schema.js';
import type { DatabaseServices } from '../../database/services.js';
import { recordAudit } from '../../repositories/audit.js';
import { findBooking, lockBooking } from '../../repositories/booking-search.js';
import {
  findBookingOfMailbox,
  listBookingsOfClient,
  listClients,
  listClientsOfPhones,
} from '../../repositories/clients.js';
import { setNote } from '../../repositories/corrections.js';
import { lockSlots } from '../../repositories/slot-taking.js';
import { isLive, statusAt } from '../../schedule/slots.js';
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
  /** The latest bookings of other clients with the same phone. */
  samePhone: BookingRow[];
}

const bookingsShown = 200;

/** The client of a booking, as their bookings say; with an artist, only what that artist's say. */
export async function readClientOf(
  database: Kysely<Database>,
  booking: BookingRow,
  artistId: number | null = null,
): Promise<Client> {
  const selection = { limit: bookingsShown, artistId };
  const bookings = await listBookingsOfClient(database, booking, selection);
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
  const now = clock.now();
  const isToCome = ({ status, ends_at }: BookingRow) =>
    status === 'confirmed' && ends_at.getTime() > now;
  return {
    ...client,
    shown: client.bookings.findLast(isToCome) ?? client.bookings[0] ?? booking,
    samePhone: await listClientsOfPhones(database, booking, client.phones, artistId),
  };
}

/**
 * The live sessions of a client that have not begun, by their start: those that erasing the client
 * cancels.
 */
export function upcomingOf({ bookings }: Pick<Client, 'bookings'>, now: number): BookingRow[] {
  const isUpcoming = (each: BookingRow) =>
    isLive(statusAt(each, now)) && each.starts_at.getTime() > now;
  return bookings.filter(isUpcoming).reverse();
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
type Noted = 'saved' | 'unchanged' | 'changed' | 'erased' | 'not_found';

interface GivenNote {
  /** An empty one removes it. */
  note: string;
  /** As the caller saw it. */
  seen: string;
  /** Only in the artist's bookings; null: in all. */
  artistId?: number | null | undefined;
}

/**
 * Writes the studio's note about a booking, which nobody else reads. As personal data, it is in no event
 * and not in the audit.
 */
export const noteBooking = noting('booking');

/** Writes the studio's note about the client of a booking to all their bookings, like `noteBooking`. */
export const noteClient = noting('client');

function noting(about: 'booking' | 'client') {
  const isOfClient = about === 'client';
  return (
    { database }: Pick<DatabaseServices, 'database'>,
    actor: string,
    id: string,
    { note, seen, artistId = null }: GivenNote,
  ): Promise<Noted> =>
    database.transaction().execute(async (transaction) => {
      // Corrections and erasures lock the same rows, in another order.
      await lockSlots(transaction);
      const booking = await lockBooking(transaction, id, artistId);
      if (booking === null) return 'not_found';
      if (booking.name === null) return 'erased';
      const selection = { artistId, isLocking: true };
      const bookings = isOfClient
        ? await listBookingsOfClient(transaction, booking, selection)
        : [booking];
      const present = isOfClient ? noteOf(bookings) : (booking.studio_note ?? '');
      if (present === note) return 'unchanged';
      if (present !== seen) return 'changed';
      const ids = bookings.filter(({ name }) => name !== null).map((each) => each.id);
      await setNote(transaction, isOfClient ? 'client_note' : 'studio_note', ids, note || null);
      await recordAudit(transaction, actor, `${about}s note`, { booking_id: id });
      return 'saved';
    });
}
