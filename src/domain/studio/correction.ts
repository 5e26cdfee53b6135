import type { BookingRow } from '../../database/rows/schema.js';
import type { DatabaseServices } from '../../database/services.js';
import { recordAudit } from '../../repositories/audit.js';
import { lockBooking } from '../../repositories/booking-search.js';
import { correctBooking, setNote } from '../../repositories/corrections.js';
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
import { hasChangedSince, type RefusedChange, type SeenBooking } from './booking-record.js';
import type { AskSecondChair, SecondChair } from './bookings.js';

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
    }
  /**
   * `unchanged`: nothing differs. `erased`: the personal data is. `incomplete`: e-mail address and phone
   * are required.
   */
  | { outcome: 'unchanged' | 'erased' | 'incomplete'; booking: BookingRow }
  /** The person of these details has another session at that time. */
  | AskSecondChair
  | RefusedChange;

/**
 * Corrects a live booking's details about its person, if it is still as the caller saw it, and audits
 * which, without their values. No limit binds the studio. A changed, added or removed e-mail address
 * makes the link a new one, and the person of a confirmed session that has not begun gets a mail; no
 * other detail does this. The bounds of the texts are those of the hold request. Asks where the person
 * has another session at that time. Throws `invalid_request` for an invisible name or an impossible
 * phone.
 */
export async function correctByStudio(
  { database, keyring }: Pick<DatabaseServices, 'database'> & { keyring: Keyring },
  actor: string,
  id: string,
  given: GivenCorrections,
  { besideId = null, ...seen }: SeenBooking & SecondChair = {},
): Promise<Correction> {
  return database.transaction().execute(async (transaction): Promise<Correction> => {
    // This comes before the look for another session of the person.
    await lockSlots(transaction);
    const booking = await lockBooking(transaction, id);
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
    const { name, email, phone, pronouns, idea } = booking;
    const changes: Partial<typeof details> = Object.fromEntries(
      corrected.map((member) => [member, details[member]]),
    );
    const person = { name, email, phone, pronouns, idea, ...changes };
    expectPerson({ name: person.name, phone: changes.phone ?? null });
    if (requiredMembers(booking).some((member) => person[member] === null)) {
      return { outcome: 'incomplete', booking };
    }
    const other = corrected.some((member) => identifying.includes(member))
      ? await findSessionOfPerson(transaction, person, timeOf(booking), id)
      : null;
    if (other !== null && other.id !== besideId) return { outcome: 'elsewhere', other };

    const checkoutToken = corrected.includes('email') ? createCheckoutToken() : null;
    const newToken =
      checkoutToken === null
        ? null
        : { hash: sha256(checkoutToken), sealed: sealCheckoutToken(keyring, checkoutToken) };
    const made = await correctBooking(transaction, id, person, newToken);
    if (made === null) return { outcome: 'not_live', booking };
    await recordAudit(transaction, actor, 'bookings correct', { booking_id: id, corrected });
    const { isMailed, ...changed } = made;
    const newLink = checkoutToken === null ? null : { checkoutToken, isMailed };
    return { outcome: 'corrected', booking: changed, corrected, newLink };
  });
}

/** The details that identify a person. */
const identifying: readonly PersonMember[] = ['name', 'email', 'phone'];

/** The longest note, in characters. */
export const maxNoteLength = 2_000;

/** `changed`: the note is no longer as the caller saw it. `erased`: the person's data is erased. */
export type NotedBooking = 'saved' | 'unchanged' | 'changed' | 'erased' | 'not_found';

/**
 * Writes the studio's note about a booking, which nobody else reads; null removes it. As personal data,
 * it is in no event and not in the audit. `seen`: the note as the caller saw it.
 */
export async function noteBooking(
  { database }: Pick<DatabaseServices, 'database'>,
  actor: string,
  id: string,
  note: string | null,
  seen: string | null,
): Promise<NotedBooking> {
  return database.transaction().execute(async (transaction) => {
    const booking = await lockBooking(transaction, id);
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
