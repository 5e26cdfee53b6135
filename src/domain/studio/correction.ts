import type { Transaction } from 'kysely';
import type { BookingRow, Database } from '../../database/rows/schema.js';
import type { DatabaseServices } from '../../database/services.js';
import { recordAudit } from '../../repositories/audit.js';
import { lockBooking } from '../../repositories/booking-search.js';
import { findClientJoined, listOthersToCome } from '../../repositories/clients.js';
import { correctBooking, type CorrectedPerson, setNote } from '../../repositories/corrections.js';
import { findSessionOfPerson } from '../../repositories/person-sessions.js';
import { lockSlots } from '../../repositories/slot-taking.js';
import { isLive } from '../../schedule/slots.js';
import { type Keyring, sha256 } from '../../secrets/keyring.js';
import { sealCheckoutToken } from '../../secrets/links.js';
import { createCheckoutToken } from '../../secrets/tokens.js';
import { timeOf } from '../booking/person-sessions.js';
import {
  expectPerson,
  personDetails,
  personMembers,
  type PersonMember,
  requiredMembers,
} from '../booking/person.js';
import {
  areListed,
  hasChangedSince,
  type ListedBooking,
  type OfArtist,
  type RefusedChange,
  type SeenBooking,
} from './booking-record.js';
import type { AskSecondChair, SecondChair } from './bookings.js';
import type { NotedBooking } from './clients.js';

/** The details that the studio changes; an empty text removes one. */
export type GivenCorrections = Partial<Record<PersonMember, string>>;

export interface NewLink {
  /** The secret part of the checkout URL. */
  checkoutToken: string;
  /** Whether the new address gets it; otherwise the studio has to hand it over. */
  isMailed: boolean;
}

export type Correction =
  | {
      outcome: 'corrected';
      booking: BookingRow;
      corrected: PersonMember[];
      /** Null unless the e-mail address has changed. */
      newLink: NewLink | null;
      /** The other sessions to come that were corrected alike. */
      others: CorrectedBooking[];
    }
  /**
   * `unchanged`: nothing differs. `erased`: the personal data is. `incomplete`: e-mail address and phone
   * are required.
   */
  | { outcome: 'unchanged' | 'erased' | 'incomplete'; booking: BookingRow }
  /** The person of these details has another session at that time. */
  | AskSecondChair
  /** These are the details of another client; `latest`: the latest booking of theirs. */
  | AskJoin
  | RefusedChange;

/** The booking would be one of another client's, and the studio has not agreed. */
export interface AskJoin {
  outcome: 'joins';
  latest: BookingRow;
}

interface CorrectedBooking {
  booking: BookingRow;
  newLink: NewLink | null;
}

export interface CorrectionOptions extends SeenBooking, SecondChair, OfArtist {
  /** The id of `latest`, if the studio has agreed. */
  joinsId?: string | null;
  /**
   * Whether the client's confirmed sessions to come under the same name are corrected alike, but for the
   * idea; a list allows only those, as the caller saw them.
   */
  others?: boolean | readonly ListedBooking[];
}

/**
 * Corrects a live booking's details about its person, if it is still as the caller saw it, and audits
 * which, without their values. No limit binds the studio. A changed, added or removed e-mail address
 * makes the link a new one, and the person of a confirmed session that has not begun gets a mail; no
 * other detail does this. The bounds of the texts are those of the hold request. Asks where the person
 * has another session at that time, and where another client has these details. Throws `invalid_request`
 * for an invisible name or an impossible phone.
 */
export async function correctByStudio(
  { database, keyring }: Pick<DatabaseServices, 'database'> & { keyring: Keyring },
  actor: string,
  id: string,
  given: GivenCorrections,
  {
    besideId = null,
    joinsId = null,
    others = false,
    artistId = null,
    ...seen
  }: CorrectionOptions = {},
): Promise<Correction> {
  return database.transaction().execute(async (transaction): Promise<Correction> => {
    // This comes before the look for another session of the person.
    await lockSlots(transaction);
    const booking = await lockBooking(transaction, id, artistId);
    if (booking === null) return { outcome: 'not_found' };
    if (booking.name === null) return { outcome: 'erased', booking };
    if (!isLive(booking.status)) return { outcome: 'not_live', booking };
    // The other details stay as an earlier version has stored them.
    const details = personDetails({ name: '', ...given });
    const corrected = personMembers.filter(
      (member) => given[member] !== undefined && details[member] !== booking[member],
    );
    if (corrected.length === 0) return { outcome: 'unchanged', booking };
    if (hasChangedSince(booking, seen)) return { outcome: 'changed', booking };
    const alike =
      others === false
        ? []
        : await listOthersToCome(transaction, booking, { isLocking: true, artistId });
    if (
      typeof others === 'object' &&
      !(others.length === alike.length && areListed(alike, others))
    ) {
      return { outcome: 'changed', booking };
    }
    const changes = Object.fromEntries(corrected.map((member) => [member, details[member]]));
    const { idea: _, ...changesOfAll } = changes;
    const own = changedTo(booking, changes);
    const all = [own, ...alike.map((each) => changedTo(each, changesOfAll))];
    expectPerson({ name: own.person.name, phone: changes['phone'] ?? null });
    if (
      all.some((each) =>
        requiredMembers(each.booking).some((member) => each.person[member] === null),
      )
    ) {
      return { outcome: 'incomplete', booking };
    }
    if (corrected.some((member) => identifying.includes(member))) {
      const elsewhere = await findElsewhere(transaction, all);
      const [other] = elsewhere;
      if (other !== undefined && !elsewhere.some((each) => each.id === besideId)) {
        return { outcome: 'elsewhere', other };
      }
      // Who may have both is known to be one person.
      if (other === undefined) {
        const ids = all.map((each) => each.booking.id);
        const latest = await findClientJoined(transaction, booking, { id, ...own.person }, ids);
        if (latest !== null && latest.id !== joinsId) return { outcome: 'joins', latest };
      }
    }

    const made = await correctLocked(transaction, keyring, actor, own);
    if (made === null) return { outcome: 'not_live', booking };
    const also = [];
    for (const each of all.slice(1))
      also.push(await correctLocked(transaction, keyring, actor, each));
    return {
      outcome: 'corrected',
      ...made,
      corrected,
      others: also.filter((each) => each !== null),
    };
  });
}

/** A booking, and the details that it gets. */
interface ChangedBooking {
  booking: BookingRow;
  person: CorrectedPerson & { name: string };
}

function changedTo(booking: BookingRow, changes: Partial<CorrectedPerson>): ChangedBooking {
  const { name, email, phone, pronouns, idea } = booking;
  return {
    booking,
    person: {
      name: name ?? '',
      email,
      phone,
      pronouns,
      idea,
      ...changes,
    } as ChangedBooking['person'],
  };
}

/** The sessions that the people have at the times of the bookings, besides the bookings themselves. */
async function findElsewhere(
  transaction: Transaction<Database>,
  changed: readonly ChangedBooking[],
): Promise<BookingRow[]> {
  const found: BookingRow[] = [];
  for (const { booking, person } of changed) {
    const other = await findSessionOfPerson(transaction, person, timeOf(booking), booking.id);
    if (other !== null && !changed.some((each) => each.booking.id === other.id)) found.push(other);
  }
  return found;
}

/** Corrects a locked booking and audits it. Null if it is no longer live, or nothing differs. */
async function correctLocked(
  transaction: Transaction<Database>,
  keyring: Keyring,
  actor: string,
  { booking, person }: ChangedBooking,
): Promise<CorrectedBooking | null> {
  const { id } = booking;
  const corrected = personMembers.filter((member) => person[member] !== booking[member]);
  if (corrected.length === 0) return null;
  const checkoutToken = corrected.includes('email') ? createCheckoutToken() : null;
  const newToken =
    checkoutToken === null
      ? null
      : { hash: sha256(checkoutToken), sealed: sealCheckoutToken(keyring, checkoutToken) };
  const made = await correctBooking(transaction, id, person, newToken);
  if (made === null) return null;
  await recordAudit(transaction, actor, 'bookings correct', { booking_id: id, corrected });
  const { isMailed, ...changed } = made;
  return { booking: changed, newLink: checkoutToken === null ? null : { checkoutToken, isMailed } };
}

/** The sessions that `others` of a correction are about. */
export async function readOthersToCome(
  { database }: Pick<DatabaseServices, 'database'>,
  booking: BookingRow,
  artistId: number | null = null,
): Promise<BookingRow[]> {
  return listOthersToCome(database, booking, { artistId });
}

/** The details that identify a person. */
const identifying: readonly PersonMember[] = ['name', 'email', 'phone'];

/** The longest note, in characters. */
export const maxNoteLength = 2_000;

/**
 * Writes the studio's note about a booking, which nobody else reads; null removes it. As personal data,
 * it is in no event and not in the audit. `seen`: the note as the caller saw it.
 */
export async function noteBooking(
  { database }: Pick<DatabaseServices, 'database'>,
  actor: string,
  id: string,
  { note, seen, artistId }: { note: string | null; seen: string | null } & OfArtist,
): Promise<NotedBooking> {
  return database.transaction().execute(async (transaction) => {
    const booking = await lockBooking(transaction, id, artistId);
    if (booking === null) return 'not_found';
    if (booking.name === null) return 'erased';
    const { studio_note: present } = booking;
    if (present === note) return 'unchanged';
    if (present !== seen) return 'changed';
    await setNote(transaction, id, note);
    await recordAudit(transaction, actor, 'bookings note', { booking_id: id });
    return 'saved';
  });
}
