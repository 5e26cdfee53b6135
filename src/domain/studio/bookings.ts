import type { Transaction } from 'kysely';
import {
  type CalendarRules,
  liveBookings,
  type StudioData,
  studioData,
  takenSlots,
} from '../../board/calendar-state.js';
import type { BookedSlot } from '../../database/rows/results.js';
import type { BookingRow, Database } from '../../database/rows/schema.js';
import type { DatabaseServices } from '../../database/services.js';
import { recordAudit } from '../../repositories/audit.js';
import { moveForStudio } from '../../repositories/booking-moves.js';
import { lockBooking } from '../../repositories/booking-search.js';
import { insertConfirmed } from '../../repositories/bookings.js';
import { findSessionOfPerson } from '../../repositories/person-sessions.js';
import { isSlotTaken, lockSlots } from '../../repositories/slot-taking.js';
import { type CalendarRows, loadCalendar } from '../../repositories/studio.js';
import { isInSlot, ofArtist, type SlotOfArtist } from '../../schedule/artists.js';
import { openFor } from '../../schedule/calendar.js';
import { isCalendarDate } from '../../schedule/dates.js';
import { dayOf, findSlot, isLive, statusAt } from '../../schedule/slots.js';
import { type Keyring, sha256 } from '../../secrets/keyring.js';
import { sealCheckoutToken } from '../../secrets/links.js';
import { createCheckoutToken } from '../../secrets/tokens.js';
import { bookedSlot } from '../booking/booked-slot.js';
import { expectPerson, type GivenPerson, personDetails, personMembers } from '../booking/person.js';
import {
  findLiveBookings,
  hasChangedSince,
  type RefusedChange,
  type SeenBooking,
} from './booking-record.js';
import { studioSchedule, type StudioSchedule } from './settings.js';

type StudioServices = Pick<DatabaseServices, 'database' | 'config'>;
type AddingServices = StudioServices & { keyring: Keyring };

/** Why the studio cannot have a slot. Closures and notice do not bind it. */
export type SlotRefusal = 'no_such_slot' | 'over' | 'taken';

/** What the studio has not agreed to yet. `elsewhere`: the person has the session `other` at that time. */
export interface Question<Outcome = 'elsewhere'> {
  outcome: Outcome;
  other: BookingRow;
}

export interface Agreement {
  /** The questions to which the studio has said yes, as `questionKey` names them. */
  agreed?: readonly string[];
}

/** Names a question, so that a yes to one is no yes to another about the same booking. */
export function questionKey({ outcome, other }: Question<'elsewhere' | 'joins'>): string {
  return `${outcome}:${other.id}`;
}

/** Null without another session, or if the studio has said yes. */
function askElsewhere(other: BookingRow | null, agreed: readonly string[]): Question | null {
  const question = other && ({ outcome: 'elsewhere', other } as const);
  return question === null || agreed.includes(questionKey(question)) ? null : question;
}

/** `language`: of their mails, where a client is booked again. */
export type AddedPerson = GivenPerson & { language?: string | null };

export type AddedBooking =
  | {
      outcome: 'added';
      booking: BookingRow;
      /** The secret part of the checkout URL. */
      checkoutToken: string;
      /** Whether the slot is in the artist's schedule; notice and horizon are not considered. */
      schedule: StudioSchedule;
    }
  | { outcome: SlotRefusal }
  | Question;

/**
 * Adds a confirmed booking (a walk-in, a call) to any free slot that is not over, and audits it; without
 * an artist, with one who works then, if possible. Asks where the person has another session then. The
 * bounds of the texts are those of the hold request. Throws `invalid_request` for an invisible name or an
 * impossible phone.
 */
export async function addBooking(
  services: AddingServices,
  actor: string,
  slot: SlotOfArtist,
  person: AddedPerson,
  agreement: Agreement = {},
): Promise<AddedBooking> {
  expectPerson(person);
  return services.database.transaction().execute(async (transaction) => {
    await lockSlots(transaction);
    return addInSlot(transaction, services, actor, slot, person, agreement);
  });
}

/**
 * Like `addBooking`, unless the studio has added the same person with the same details to the slot
 * already. Otherwise a form that names no artist and is sent twice would book two.
 */
export async function addBookingOnce(
  services: AddingServices,
  actor: string,
  { artistId = null, ...slot }: SlotOfArtist,
  person: AddedPerson,
  agreement: Agreement = {},
): Promise<AddedBooking | { outcome: 'added_already'; booking: BookingRow }> {
  expectPerson(person);
  return services.database.transaction().execute(async (transaction) => {
    await lockSlots(transaction);
    const details = personDetails(person);
    const others = await findLiveBookings({ database: transaction }, { ...slot, artistId });
    const booking = others.find(
      (other) =>
        other.channel === 'studio' &&
        personMembers.every((member) => other[member] === details[member]),
    );
    return booking === undefined
      ? addInSlot(transaction, services, actor, { ...slot, artistId }, person, agreement)
      : { outcome: 'added_already', booking };
  });
}

async function addInSlot(
  transaction: Transaction<Database>,
  { config, keyring }: AddingServices,
  actor: string,
  { artistId = null, ...slot }: SlotOfArtist,
  person: AddedPerson,
  { agreed = [] }: Agreement,
): Promise<AddedBooking> {
  const found = findSlotForStudio(await loadCalendar(transaction), config, { ...slot, artistId });
  if (found.outcome !== 'free') return found;
  const other = await findSessionOfPerson(transaction, personDetails(person), found.slot);
  const question = askElsewhere(other, agreed);
  if (question !== null) return question;
  const add = () =>
    addLocked(transaction, { config, keyring }, actor, { ...found, artistId }, person);
  const added = await add();
  // A hold that lapsed may have been confirmed meanwhile, and another artist is free.
  return added.outcome === 'taken' ? add() : added;
}

/** Adds a booking to a slot that was found under the lock of `lockSlots`, and audits it. */
export async function addLocked(
  transaction: Transaction<Database>,
  { config, keyring }: Pick<StudioServices, 'config'> & { keyring: Keyring },
  actor: string,
  { slot, scheduleOf, artistId = null }: FreeSlot & { artistId?: number | null },
  person: AddedPerson,
): Promise<AddedBooking> {
  const checkoutToken = createCheckoutToken();
  const booking = await insertConfirmed(transaction, {
    ...slot,
    artistId,
    ...personDetails(person),
    language: person.language ?? null,
    checkoutTokenHash: sha256(checkoutToken),
    checkoutTokenSealed: sealCheckoutToken(keyring, checkoutToken),
    lifetimeSeconds: config.holdLifetimeSeconds,
  });
  if (booking === null) return { outcome: 'taken' };
  await recordAudit(transaction, actor, 'bookings add', {
    booking_id: booking.id,
    date: slot.date,
    time_slot: slot.timeSlot,
  });
  const schedule = scheduleOf(booking.artist_id);
  return { outcome: 'added', booking, checkoutToken, schedule };
}

export type StudioMove =
  | { outcome: 'moved'; booking: BookingRow; from: BookingRow; schedule: StudioSchedule }
  | { outcome: 'same_slot'; booking: BookingRow }
  | RefusedChange
  | { outcome: SlotRefusal }
  | Question;

/**
 * Moves a live booking to any free slot that is not over, and audits it, if it is still as the caller saw
 * it. Without an artist it keeps its own, if they are free. Asks where the person has another session
 * then. `word`: the studio's words for the person. `ownId`: the artist who moves it; to others only where
 * people could book them.
 */
export async function moveByStudio(
  { database, config }: StudioServices,
  actor: string,
  id: string,
  slot: SlotOfArtist,
  {
    word = null,
    agreed = [],
    ownId = null,
    ...seen
  }: SeenBooking & Agreement & { word?: string | null; ownId?: number | null | undefined } = {},
): Promise<StudioMove> {
  try {
    return await database.transaction().execute(async (transaction) => {
      await lockSlots(transaction);
      const booking = await lockBooking(transaction, id, ownId);
      if (booking === null) return { outcome: 'not_found' };
      const rows = await loadCalendar(transaction);
      if (!isLive(statusAt(booking, rows.now))) return { outcome: 'not_live', booking };
      if (hasChangedSince(booking, seen)) return { outcome: 'changed', booking };
      if (isInSlot(booking, slot)) return { outcome: 'same_slot', booking };
      const data = studioData(rows, config);
      const found = findSlotForStudio(rows, config, slot, data);
      if (found.outcome !== 'free') return found;
      if (ownId !== null && !mayHandOver(data, rows, slot, ownId)) return { outcome: 'taken' };
      const other = await findSessionOfPerson(transaction, booking, found.slot, id);
      const question = askElsewhere(other, agreed);
      if (question !== null) return question;
      const to = { ...found.slot, artistId: slot.artistId };
      const moved = await moveLocked(transaction, actor, booking, to, word);
      if (moved === null) return { outcome: 'taken' };
      const schedule = found.scheduleOf(moved.artist_id);
      return { outcome: 'moved', booking: moved, from: booking, schedule };
    });
  } catch (error) {
    if (isSlotTaken(error)) return { outcome: 'taken' };
    throw error;
  }
}

/** Whether a slot is the artist's own, or people could book it with the other. */
function mayHandOver(
  data: StudioData,
  rows: CalendarRows,
  { artistId = null, ...slot }: SlotOfArtist,
  ownId: number,
): boolean {
  if (artistId === ownId) return true;
  const { calendar } = data;
  const isShown = calendar.artists.some(({ id, isHidden }) => id === artistId && !isHidden);
  const taken = takenSlots(liveBookings(rows), data);
  return (
    isShown && ['open', 'too_soon'].includes(openFor({ calendar, taken }, slot, artistId, rows.now))
  );
}

/**
 * Moves a booking that the caller has locked, under the lock of `lockSlots`, and audits it. `word`: the
 * studio's words for the person. Null if the slot is taken or its own.
 */
export async function moveLocked(
  transaction: Transaction<Database>,
  actor: string,
  booking: BookingRow,
  { artistId = null, ...to }: BookedSlot & { artistId?: number | null | undefined },
  word: string | null = null,
): Promise<BookingRow | null> {
  const { id, sequence } = booking;
  const moved = await moveForStudio(transaction, { id, sequence, to, artistId, word });
  if (moved === null) return null;
  await recordAudit(transaction, actor, 'bookings move', {
    booking_id: id,
    from: auditedSlot(booking),
    to: auditedSlot(moved),
  });
  return { ...booking, ...moved };
}

function auditedSlot({
  date,
  time_slot,
  artist_name,
}: Pick<BookingRow, 'date' | 'time_slot' | 'artist_name'>) {
  return { date, time_slot, ...(artist_name !== null && { artist_name }) };
}

interface FreeSlot {
  outcome: 'free';
  slot: BookedSlot;
  /** Whether people could book the slot with an artist; null: with any. */
  scheduleOf: (artistId: number | null) => StudioSchedule;
}

type StudioSlot = FreeSlot | { outcome: 'no_such_slot' | 'over' };

/** The slot in the studio's present time zone. Whether it is taken shows when it is written. */
export function findSlotForStudio(
  rows: CalendarRows,
  rules: CalendarRules,
  { artistId = null, ...slot }: SlotOfArtist,
  data = studioData(rows, rules),
): StudioSlot {
  const { timezone } = data.calendar;
  if (!isCalendarDate(slot.date) || !findSlot(dayOf(timezone, slot.date), slot.timeSlot).exists) {
    return { outcome: 'no_such_slot' };
  }
  const booked = bookedSlot(data, slot, artistId);
  if (booked.endsAt.getTime() <= rows.now) return { outcome: 'over' };
  const scheduleOf = (id: number | null) =>
    studioSchedule(id === null ? data.calendar : ofArtist(data.calendar, id), slot);
  return { outcome: 'free', slot: booked, scheduleOf };
}
