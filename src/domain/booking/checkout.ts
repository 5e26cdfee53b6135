import type { Caller } from '../../access/caller.js';
import { freeArtistsIn } from '../../board/calendar-state.js';
import type { CalendarServices } from '../../board/services.js';
import type { BookingRow, BookingStatus } from '../../database/rows/schema.js';
import { cancelBooking, confirmBooking } from '../../repositories/booking-transitions.js';
import {
  findBookingByCheckoutToken,
  findBookingsOfBrowser,
  setLanguage,
} from '../../repositories/bookings.js';
import { readNewsStatus } from '../../repositories/mail-admin.js';
import { findSessionElsewhere } from '../../repositories/person-sessions.js';
import { noProof } from '../../repositories/proof.js';
import { lockSlots } from '../../repositories/slot-taking.js';
import { openFor, type SlotState } from '../../schedule/calendar.js';
import { isSameSlot, type Slot, slotOf, isLive, statusAt } from '../../schedule/slots.js';
import type { Session } from '../../schedule/times.js';
import { sha256 } from '../../secrets/keyring.js';
import { findCurrentToken } from '../../secrets/links.js';
import { isCheckoutToken } from '../../secrets/tokens.js';
import { type CodeServices, findProof } from './codes.js';
import { type HoldServices, type PlacedHold, placeHold } from './holds.js';
import { moveLimits, movePermission, type MovePermission } from './move-rules.js';
import { holdAgainKey } from './new-hold.js';

export interface Checkout {
  /** The secret part of its link. */
  token: string;
  booking: BookingRow;
  /** At this instant (`statusAt`). */
  status: BookingStatus;
  /** Whether the slot of an expired hold can be held again; null unless expired. */
  slotState: SlotState | null;
  hasStarted: boolean;
  isOver: boolean;
  move: MovePermission;
  /** Whether the person could still move it if it were confirmed now; null unless pending. */
  moveOnceConfirmed: MovePermission | null;
}

export type CheckoutServices = Pick<CalendarServices, 'database' | 'clock' | 'board' | 'config'>;

/** Reads the booking of a checkout link. Null if the link is unknown. */
export async function findCheckout(
  context: CheckoutServices,
  token: string,
): Promise<Checkout | null> {
  if (!isCheckoutToken(token)) return null;
  const booking = await findBookingByCheckoutToken(context.database, sha256(token));
  return booking === null ? null : checkoutOf(context, token, booking);
}

/**
 * The live holds of a browser, the newest first: the one whose checkout token it keeps, and those of its
 * forms on `/book`, by their nonces; of these also the confirmed session in `slot`. Leaves out those
 * whose token only the browser could know, and does not.
 */
export async function findOwnCheckouts(
  context: CheckoutServices & Pick<HoldServices, 'keyring'>,
  token: string | null,
  nonces: readonly string[],
  slot: Slot | null,
): Promise<Checkout[]> {
  const tokenHash = token !== null && isCheckoutToken(token) ? sha256(token) : null;
  if (tokenHash === null && nonces.length === 0) return [];
  const bookings = await findBookingsOfBrowser(
    context.database,
    tokenHash,
    nonces.map(sha256),
    slot && { date: slot.date, time_slot: slot.timeSlot },
  );
  const own = bookings.flatMap((booking) => {
    const isOfToken = tokenHash?.equals(booking.checkout_token_hash) === true;
    const known = isOfToken ? token : findCurrentToken(context.keyring, booking);
    return known === null ? [] : [checkoutOf(context, known, booking)];
  });
  return (await Promise.all(own)).filter(({ status }) => isLive(status));
}

async function checkoutOf(
  context: CheckoutServices,
  token: string,
  booking: BookingRow,
): Promise<Checkout> {
  const state = await context.board.read();
  const now = context.clock.now();
  const status = statusAt(booking, now);
  const limits = moveLimits(context.config);
  const startsAt = booking.starts_at.getTime();
  return {
    token,
    booking,
    status,
    slotState: status === 'expired' ? openFor(state, slotOf(booking), null, now) : null,
    hasStarted: startsAt <= now,
    isOver: booking.ends_at.getTime() <= now,
    move: movePermission(booking, limits, now),
    moveOnceConfirmed:
      status === 'pending'
        ? movePermission({ ...booking, status: 'confirmed' }, limits, now)
        : null,
  };
}

/** Keeps the language of a post (`chosenTag`), before its change: a mail about it may be sent at once. */
export async function keepLanguage(
  { database }: CheckoutServices,
  { booking }: Checkout,
  language: string | null,
): Promise<void> {
  if (language === null || language === booking.language) return;
  await setLanguage(database, booking.id, language);
}

/** `code_needed`: nothing has changed, since the change needs a code that the browser has not typed. */
export type PersonChange = 'done' | 'code_needed';

/** The person has another session at that time: nothing has changed. */
export interface SessionElsewhere {
  elsewhere: Session;
}

/**
 * Confirms a pending hold. Does nothing if the booking is in any other state, or no longer has the
 * `sequence` that the person saw: the page that follows shows it. `browser`: the nonce that the browser
 * got with a code.
 */
export async function confirmCheckout(
  context: CheckoutServices & CodeServices,
  { booking, status }: Checkout,
  sequence: number | null = null,
  browser: string | null = null,
): Promise<PersonChange | SessionElsewhere> {
  if (status !== 'pending') return 'done';
  const proof = await findProof(context, booking, 'pending', browser);
  if (proof === null) return 'code_needed';
  // This takes the lock of holds: otherwise a hold placed while this commit is in flight, after the old
  // hold has lapsed, would not count this booking towards the caps of live bookings.
  const confirmed = await context.database.transaction().execute(async (transaction) => {
    await lockSlots(transaction);
    return confirmBooking(transaction, booking.id, proof, sequence);
  });
  if (confirmed === null) {
    const refusal = await findRefusal(context, booking, 'pending', browser);
    if (refusal === 'code_needed') return refusal;
    const elsewhere = await findSessionElsewhere(context.database, booking.id, proof);
    return elsewhere === null ? refusal : { elsewhere };
  }
  context.board.applyLocalChange(confirmed);
  return 'done';
}

/** Why a change found nothing to change: another one came first, or a code is needed by now. */
async function findRefusal(
  context: CodeServices,
  booking: BookingRow,
  status: BookingStatus,
  browser: string | null,
): Promise<PersonChange> {
  await context.board.refresh();
  return (await findProof(context, booking, status, browser)) === null ? 'code_needed' : 'done';
}

/**
 * Cancels the booking if it is still in the state `from` that the person saw, and has not moved since. A
 * begun session stays. Releasing a hold never needs a code.
 */
export async function releaseCheckout(
  context: CheckoutServices & CodeServices,
  { booking, status }: Checkout,
  from: 'pending' | 'confirmed',
  sequence: number | null = null,
  browser: string | null = null,
): Promise<PersonChange> {
  if (status !== from) return 'done';
  const proof = from === 'confirmed' ? await findProof(context, booking, from, browser) : noProof;
  if (proof === null) return 'code_needed';
  const options = { sequence, proof };
  const cancelled = await cancelBooking(context.database, booking.id, from, 'person', options);
  if (cancelled === null && from === 'confirmed') {
    return findRefusal(context, booking, from, browser);
  }
  if (cancelled !== null) context.board.applyLocalChange(cancelled);
  return 'done';
}

/**
 * The status of the mail about the confirmation or the latest time. Null if there is none, or it was
 * dropped.
 */
export async function findNewsMail(
  { database, board }: CheckoutServices,
  { booking, status }: Checkout,
): Promise<'pending' | 'sent' | 'failed' | null> {
  const isMailed =
    status === 'confirmed' && booking.email !== null && (await board.read()).mode.mail;
  const mail = isMailed ? await readNewsStatus(database, booking.id) : null;
  return mail === 'dropped' ? null : mail;
}

/** Whether the details of a booking are kept, so that another can be held with them. */
export function hasDetails(
  booking: BookingRow,
): booking is BookingRow & { name: string; email: string; phone: string } {
  return booking.name !== null && booking.email !== null && booking.phone !== null;
}

/**
 * Holds the slot of an expired hold again, or another one, as a new booking with the same details, and
 * its artist if they are free; idempotent. `language`: as `HoldOptions` has it. Null when there is
 * nothing to hold again.
 *
 * Throws `rate_limited`, `slot_unavailable`, `too_many_pending_holds`.
 */
export async function holdAgain(
  context: HoldServices & CheckoutServices,
  caller: Caller,
  { booking, status }: Checkout,
  slot: Slot = slotOf(booking),
  language: string | null = null,
): Promise<PlacedHold | null> {
  if (status !== 'expired' || !hasDetails(booking)) return null;
  const free = freeArtistsIn(await context.board.read(), slot, context.clock.now());
  const own = free.find(({ id }) => id === booking.artist_id);
  return placeHold(
    context,
    caller,
    {
      date: slot.date,
      time_slot: slot.timeSlot,
      name: booking.name,
      email: booking.email,
      phone: booking.phone,
      pronouns: booking.pronouns,
      idea: booking.idea,
    },
    holdAgainKey(context.keyring, booking.id, isSameSlot(slot, slotOf(booking)) ? null : slot),
    { follows: booking, artistId: own?.id ?? null, language },
  );
}
