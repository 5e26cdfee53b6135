import type { MailRow } from '../../database/rows/mails.js';
import type { BookingRow, BookingStatus } from '../../database/rows/schema.js';
import type { DatabaseServices } from '../../database/services.js';
import { listAuditRowsOfBooking } from '../../repositories/audit.js';
import {
  type BookingFilter,
  findBooking,
  findBookingsByText,
  searchBookings,
} from '../../repositories/booking-search.js';
import { listEventsOfBooking } from '../../repositories/events.js';
import { readMode } from '../../repositories/installation.js';
import { listMailsOfBooking } from '../../repositories/mail-admin.js';
import { isSameSlot, type Slot, slotOf, statusAt } from '../../schedule/slots.js';
import type { Keyring } from '../../secrets/keyring.js';
import { findCheckoutLink } from '../../secrets/links.js';
import { bookingHistory, type HistoryEntry } from './booking-history.js';
import { type Client, readClientOf } from './clients.js';
import { type ListPage, pageOf } from './lists.js';

/** A booking as the caller saw it. Missing members are not compared. */
export interface SeenBooking {
  sequence?: number | null;
  /** Whether it was recorded as a no-show, which does not change the sequence. */
  isMissed?: boolean;
}

/** Whose row it must be, when the transaction acts: the artist's; null: anybody's. */
export interface OfArtist {
  artistId?: number | null | undefined;
}

/** Why the studio's change of a booking was refused; `booking`: the present one. */
export type RefusedChange =
  /** `changed`: it is no longer as the caller saw it. `not_live`: cancelled, expired or lapsed. */
  { outcome: 'changed' | 'not_live'; booking: BookingRow } | { outcome: 'not_found' };

export type ListedBooking = Pick<BookingRow, 'id' | 'sequence'>;

/** Whether all bookings are in the list, none of them changed since. */
export function areListed(
  bookings: readonly ListedBooking[],
  listed: readonly ListedBooking[],
): boolean {
  return bookings.every(({ id, sequence }) =>
    listed.some((seen) => seen.id === id && seen.sequence === sequence),
  );
}

/** Whether a booking is no longer as the caller saw it. */
export function hasChangedSince(
  booking: Pick<BookingRow, 'sequence' | 'no_show_at'>,
  { sequence = null, isMissed }: SeenBooking,
): boolean {
  if (sequence !== null && sequence !== booking.sequence) return true;
  return isMissed !== undefined && isMissed !== (booking.no_show_at !== null);
}

/** Whether a change of a booking is mailed to its person: that of a hold is not. */
export function isPersonMailed(
  { mail }: { mail: boolean },
  { email, confirmed_at }: Pick<BookingRow, 'email' | 'confirmed_at'>,
): boolean {
  return mail && email !== null && confirmed_at !== null;
}

type RecordServices = Pick<DatabaseServices, 'database' | 'clock' | 'config'> & {
  keyring: Keyring;
};

export interface BookingRecord {
  booking: BookingRow;
  /** At this instant (`statusAt`). */
  status: BookingStatus;
  hasBegun: boolean;
  hasMail: boolean;
  /** Oldest first. */
  history: HistoryEntry[];
  mails: MailRow[];
  /**
   * The page of its person, of a confirmed booking or of a hold whose link a correction of the e-mail
   * address has made, which only the studio can hand over. Null for other holds, since only the person
   * confirms.
   */
  checkoutUrl: string | null;
  client: Client;
}

/** The most events, actions and mails of a booking that are shown. */
const historyLength = 200;

/** Null if no booking has the id, or it is not the artist's. `artistId`: see `readClientOf`. */
export async function readBookingRecord(
  { database, clock, config, keyring }: RecordServices,
  id: string,
  artistId: number | null = null,
): Promise<BookingRecord | null> {
  const booking = await findBooking(database, id);
  if (booking === null || (artistId ?? booking.artist_id) !== booking.artist_id) return null;
  const [history, mails, { mail }, client] = await Promise.all([
    readBookingHistory({ database }, id),
    listMailsOfBooking(database, id, historyLength),
    readMode(database),
    readClientOf(database, booking, artistId),
  ]);
  const now = clock.now();
  const status = statusAt(booking, now);
  const isHandedOver =
    status === 'confirmed' || (status === 'pending' && booking.current_token_sealed !== null);
  return {
    booking,
    status,
    hasBegun: booking.starts_at.getTime() <= now,
    hasMail: mail,
    history,
    // What another artist got about it is theirs.
    mails: mails.filter((mail) => (mail.artist_id ?? artistId) === (artistId ?? mail.artist_id)),
    checkoutUrl: isHandedOver ? findCheckoutLink(keyring, config.publicBaseUrl, booking) : null,
    client,
  };
}

/** Oldest first; empty if no booking has the id. */
export async function readBookingHistory(
  { database }: Pick<DatabaseServices, 'database'>,
  id: string,
): Promise<HistoryEntry[]> {
  const [events, actions] = await Promise.all([
    listEventsOfBooking(database, id, historyLength),
    listAuditRowsOfBooking(database, id, historyLength),
  ]);
  return bookingHistory(events, actions);
}

/** Bookings by date. `offset` skips those of earlier pages. */
export async function listBookings(
  { database }: Pick<DatabaseServices, 'database'>,
  filter: BookingFilter,
  { limit, offset = 0 }: { limit: number; offset?: number },
): Promise<ListPage<BookingRow>> {
  return pageOf(await searchBookings(database, filter, limit + 1, offset), limit);
}

/**
 * Bookings by name, e-mail address, phone number or the beginning of their id, the latest first.
 * `artistId`: only those of the artist.
 */
export async function findBookingsOf(
  { database }: Pick<DatabaseServices, 'database'>,
  text: string,
  { limit, artistId = null }: { limit: number; artistId?: number | null | undefined },
): Promise<ListPage<BookingRow>> {
  const wanted = { limit: limit + 1, artistId };
  return pageOf(await findBookingsByText(database, text, wanted), limit);
}

/** The live bookings of a slot; with an artist, only theirs. */
export async function findLiveBookings(
  { database }: Pick<DatabaseServices, 'database'>,
  { artistId, ...slot }: Slot & { artistId: number | null },
): Promise<BookingRow[]> {
  const { date } = slot;
  const filter = { from: date, to: date, artistId, statuses: ['pending', 'confirmed'] } as const;
  const live = await searchBookings(database, filter, 1_000);
  return live.filter((booking) => isSameSlot(slotOf(booking), slot));
}
