import type { Transaction } from 'kysely';
import type { BookingRow, Database } from '../../database/rows/schema.js';
import type { DatabaseServices } from '../../database/services.js';
import { recordAudit } from '../../repositories/audit.js';
import { lockBooking } from '../../repositories/booking-search.js';
import { findClientJoined, listOthersToCome } from '../../repositories/clients.js';
import { correctBooking, type CorrectedPerson } from '../../repositories/corrections.js';
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
import { type Agreement, type Question, questionKey } from './bookings.js';

/** The details that the studio changes; an empty text removes one. */
export type GivenCorrections = Partial<Record<PersonMember, string>>;

export interface NewLink {
  /** The secret part of the checkout URL. */
  checkoutToken: string;
  /** Whether the new address gets it; otherwise the studio has to hand it over. */
  isMailed: boolean;
}

interface CorrectedBooking {
  booking: BookingRow;
  /** Null unless the e-mail address has changed. */
  newLink: NewLink | null;
}

/** `joins`: these are the details of another client, whose latest booking is `other`. */
export type CorrectionQuestion = Question<'elsewhere' | 'joins'>;

export type Correction =
  | (CorrectedBooking & {
      outcome: 'corrected';
      corrected: PersonMember[];
      /** The other sessions to come that were corrected alike. */
      others: CorrectedBooking[];
    })
  /**
   * `unchanged`: nothing differs. `erased`: the personal data is. `incomplete`: e-mail address and phone
   * are required.
   */
  | { outcome: 'unchanged' | 'erased' | 'incomplete'; booking: BookingRow }
  | CorrectionQuestion
  | RefusedChange;

export interface CorrectionOptions extends SeenBooking, Agreement, OfArtist {
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
  { agreed = [], others = false, artistId = null, ...seen }: CorrectionOptions = {},
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
    const isGiven = (member: PersonMember) => given[member] !== undefined;
    const corrected = differing(booking, details).filter(isGiven);
    if (corrected.length === 0) return { outcome: 'unchanged', booking };
    const alike =
      others === false
        ? []
        : await listOthersToCome(transaction, booking, { isLocking: true, artistId });
    const areSeen =
      typeof others === 'boolean' || (others.length === alike.length && areListed(alike, others));
    if (!areSeen || hasChangedSince(booking, seen)) return { outcome: 'changed', booking };
    const changes = Object.fromEntries(corrected.map((member) => [member, details[member]]));
    const { idea: _, ...changesOfAll } = changes;
    const own: ChangedBooking = { booking, to: { ...booking, ...changes } };
    const also = alike.map((each) => ({ booking: each, to: { ...each, ...changesOfAll } }));
    const all = [own, ...also];
    expectPerson({ name: own.to.name ?? '', phone: changes['phone'] ?? null });
    if (all.some(({ to }) => requiredMembers(to).some((member) => to[member] === null))) {
      return { outcome: 'incomplete', booking };
    }
    if (corrected.some((member) => identifying.includes(member))) {
      const question = await findQuestion(transaction, own, all, agreed);
      if (question !== null) return question;
    }

    const made = await correctLocked(transaction, keyring, actor, own);
    if (made === null) return { outcome: 'not_live', booking };
    const correctedAlike: CorrectedBooking[] = [];
    for (const each of also) {
      const other = await correctLocked(transaction, keyring, actor, each);
      if (other !== null) correctedAlike.push(other);
    }
    return { outcome: 'corrected', ...made, corrected, others: correctedAlike };
  });
}

/** A booking, and as it will be. */
interface ChangedBooking {
  booking: BookingRow;
  to: BookingRow;
}

/** The details that identify a person. */
const identifying: readonly PersonMember[] = ['name', 'email', 'phone'];

function differing(booking: CorrectedPerson, details: Partial<CorrectedPerson>): PersonMember[] {
  return personMembers.filter((member) => details[member] !== booking[member]);
}

/** Null if the studio has agreed to all that it is asked. `booking`, `to`: the one that it corrects. */
async function findQuestion(
  transaction: Transaction<Database>,
  { booking, to }: ChangedBooking,
  all: readonly ChangedBooking[],
  agreed: readonly string[],
): Promise<CorrectionQuestion | null> {
  const ids = all.map((each) => each.to.id);
  const elsewhere: CorrectionQuestion[] = [];
  for (const each of all) {
    const other = await findSessionOfPerson(transaction, each.to, timeOf(each.to), each.to.id);
    if (other !== null && !ids.includes(other.id)) elsewhere.push({ outcome: 'elsewhere', other });
  }
  const isAgreed = (question: CorrectionQuestion) => agreed.includes(questionKey(question));
  const [first] = elsewhere;
  // Who may have both is known to be one person.
  if (first !== undefined) return elsewhere.some(isAgreed) ? null : first;
  const latest = await findClientJoined(transaction, booking, to, ids);
  if (latest === null) return null;
  const joins: CorrectionQuestion = { outcome: 'joins', other: latest };
  return isAgreed(joins) ? null : joins;
}

/** Corrects a locked booking and audits it. Null if it is no longer live, or nothing differs. */
async function correctLocked(
  transaction: Transaction<Database>,
  keyring: Keyring,
  actor: string,
  { booking, to }: ChangedBooking,
): Promise<CorrectedBooking | null> {
  const { id } = booking;
  const corrected = differing(booking, to);
  if (corrected.length === 0) return null;
  const checkoutToken = corrected.includes('email') ? createCheckoutToken() : null;
  const newToken =
    checkoutToken === null
      ? null
      : {
          hash: sha256(checkoutToken),
          sealed: sealCheckoutToken(keyring, checkoutToken),
        };
  const made = await correctBooking(transaction, id, to, newToken);
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

/** The longest note, in characters. */
export const maxNoteLength = 2_000;
