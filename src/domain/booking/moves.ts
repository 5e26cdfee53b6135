import type { CalendarState } from '../../board/board.js';
import { moveForPerson } from '../../repositories/booking-moves.js';
import { exceedsArtistCap } from '../../repositories/caps.js';
import { findSessionElsewhere } from '../../repositories/person-sessions.js';
import { noProof } from '../../repositories/proof.js';
import { isInSlot, type SlotOfArtist } from '../../schedule/artists.js';
import { openFor, type SlotState } from '../../schedule/calendar.js';
import { slotKey, isLive } from '../../schedule/slots.js';
import type { DomainServices } from '../deps.js';
import { bookedSlot } from './booked-slot.js';
import { artistCap } from './caps.js';
import { type Checkout, findCheckout, type SessionElsewhere } from './checkout.js';
import { findProof } from './codes.js';
import { moveLimits } from './move-rules.js';

export type MoveServices = Pick<
  DomainServices,
  'database' | 'connect' | 'board' | 'clock' | 'config' | 'keyring'
>;

export type PersonMove =
  /** The booking has the slot, has changed since the person saw it, or is over: its page shows it. */
  | { outcome: 'done' }
  /** The session is confirmed, and moving it needs a code that the browser has not typed. */
  | { outcome: 'code_needed' }
  | RefusedMove;

/** `checkout`: as it was read last. */
type RefusedMove = { checkout: Checkout } & (
  | /** `movePermission` does not allow the move. */ { outcome: 'move_refused' }
  | { outcome: 'slot_unavailable'; slotState: Exclude<SlotState, 'open'> }
  /** The network holds as many times of the artist in that week as one may. */
  | { outcome: 'artist_at_cap' }
  | ({ outcome: 'elsewhere' } & SessionElsewhere)
);

/**
 * Moves the booking of a checkout link to another slot, or to another artist in its own: it takes the new
 * place or keeps its own. `sequence` is the one that the person saw; `browser` is the nonce that the
 * browser got with a code, which a confirmed session may need.
 */
export async function moveCheckout(
  context: MoveServices,
  checkout: Checkout,
  to: SlotOfArtist,
  sequence: number,
  browser: string | null = null,
): Promise<PersonMove> {
  const decided = await decideMove(context, checkout, to, sequence);
  if (decided.outcome !== 'open') return decided;
  const { booking, status } = checkout;
  const readProof = async () =>
    status === 'confirmed' ? findProof(context, booking, status, browser) : noProof;
  const proof = await readProof();
  if (proof === null) return { outcome: 'code_needed' };
  const { state } = decided;
  const { date, timeSlot } = to;
  const slot = bookedSlot(state, { date, timeSlot }, to.artistId);
  const artistId = to.artistId ?? booking.artist_id;
  const isChosen = artistId !== booking.artist_id || booking.is_artist_chosen;
  const cap = isChosen ? artistCap(state, { ...to, artistId }, context.clock.now()) : null;
  const moved = await moveForPerson(
    context.database,
    context.connect,
    { id: booking.id, sequence, to: slot, artistId: to.artistId ?? null, proof, artistCap: cap },
    moveLimits(context.config),
  );
  if (moved !== null) {
    context.board.applyLocalChange(moved);
    return { outcome: 'done' };
  }

  // The booking, the slot, a closure or the mode has changed after the reads above.
  await context.board.refresh();
  const current = await findCheckout(context, checkout.token);
  // The link has been replaced.
  if (current === null) return { outcome: 'done' };
  const present = await decideMove(context, current, to, sequence);
  if (present.outcome !== 'open') return present;
  if ((await readProof()) === null) return { outcome: 'code_needed' };
  const elsewhere = await findSessionElsewhere(context.database, booking.id, proof, slot);
  if (elsewhere !== null) return { outcome: 'elsewhere', checkout: current, elsewhere };
  if (status === 'pending' && (await exceedsArtistCap(context.database, booking.id, cap))) {
    return { outcome: 'artist_at_cap', checkout: current };
  }
  // The slot was taken or closed, and is open again.
  return { outcome: 'slot_unavailable', checkout: current, slotState: 'taken' };
}

/** The result of a move as far as memory knows; `open`: it can be made, on this board. */
async function decideMove(
  context: MoveServices,
  checkout: Checkout,
  to: SlotOfArtist,
  sequence: number,
): Promise<PersonMove | { outcome: 'open'; state: CalendarState }> {
  const { booking, status, move } = checkout;
  const hasPlace = isInSlot(booking, to);
  if (booking.sequence !== sequence || hasPlace || !isLive(status)) return { outcome: 'done' };
  if (!move.allowed) return { outcome: 'move_refused', checkout };
  let state = await context.board.read();
  // The board may not know yet that another process has moved it.
  if ((state.bookings.get(booking.id)?.sequence ?? sequence) < sequence) {
    await context.board.refresh();
    state = await context.board.read();
  }
  const { artistId = null } = to;
  // The board, read after the booking, shows it there: the same move, sent twice.
  const shown = state.bookings.get(booking.id);
  const isThere = shown?.slotKey === slotKey(to) && (artistId ?? shown.artistId) === shown.artistId;
  if (isThere) return { outcome: 'done' };
  const slotState = openFor(state, to, artistId, context.clock.now());
  return slotState === 'open'
    ? { outcome: 'open', state }
    : { outcome: 'slot_unavailable', checkout, slotState };
}
