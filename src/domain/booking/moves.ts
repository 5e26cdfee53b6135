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
  /** `movePermission` does not allow the move. */
  | { outcome: 'move_refused' }
  /** The session is confirmed, and moving it needs a code that the browser has not typed. */
  | { outcome: 'code_needed' }
  | { outcome: 'slot_unavailable'; slotState: Exclude<SlotState, 'open'> }
  /** The network holds as many times of the artist in that week as one may. */
  | { outcome: 'artist_at_cap' }
  | ({ outcome: 'elsewhere' } & SessionElsewhere);

/**
 * Moves the booking of a checkout link to another slot, or to another artist in its own: it takes the new
 * place or keeps its own. `sequence` is that of the booking as the person saw it; `browser` is what the
 * person's browser keeps since it asked for a code, which moving a confirmed session may need. Moving a
 * hold never does.
 */
export async function moveCheckout(
  context: MoveServices,
  checkout: Checkout,
  to: SlotOfArtist,
  sequence: number,
  browser: string | null = null,
): Promise<PersonMove> {
  const early = await outcomeWithoutMove(context, checkout, to, sequence);
  if (early !== null) return early;
  const { booking, status } = checkout;
  const readProof = async () =>
    status === 'confirmed' ? findProof(context, booking, status, browser) : noProof;
  const proof = await readProof();
  if (proof === null) return { outcome: 'code_needed' };
  const state = await context.board.read();
  const slot = bookedSlot(state, to);
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

  // Since the reads above, the booking, the slot, a closure or the mode has changed.
  await context.board.refresh();
  const current = (await findCheckout(context, checkout.token)) ?? checkout;
  const outcome = await outcomeWithoutMove(context, current, to, sequence);
  if (outcome !== null) return outcome;
  if ((await readProof()) === null) return { outcome: 'code_needed' };
  const elsewhere = await findSessionElsewhere(context.database, booking.id, proof, slot);
  if (elsewhere !== null) return { outcome: 'elsewhere', elsewhere };
  if (status === 'pending' && (await exceedsArtistCap(context.database, booking.id, cap))) {
    return { outcome: 'artist_at_cap' };
  }
  // The slot was taken or closed, and is open again.
  return { outcome: 'slot_unavailable', slotState: 'taken' };
}

/** Null if, as far as memory knows, the booking can be moved. */
async function outcomeWithoutMove(
  context: MoveServices,
  { booking, status, move }: Checkout,
  to: SlotOfArtist,
  sequence: number,
): Promise<PersonMove | null> {
  const hasPlace = isInSlot(booking, to);
  if (booking.sequence !== sequence || hasPlace || !isLive(status)) return { outcome: 'done' };
  if (!move.allowed) return { outcome: 'move_refused' };
  const board = await boardSince(context, booking);
  const { artistId } = to;
  // The board, read after the booking, shows it there: the same move, sent twice.
  const shown = board.bookings.get(booking.id);
  const isThere = shown?.slotKey === slotKey(to) && (artistId ?? shown.artistId) === shown.artistId;
  if (isThere) return { outcome: 'done' };
  const state = openFor(board, to, artistId ?? null, context.clock.now());
  return state === 'open' ? null : { outcome: 'slot_unavailable', slotState: state };
}

/** The board at the booking or later: it may not have heard yet that another process has moved it. */
async function boardSince(
  { board }: MoveServices,
  { id, sequence }: Checkout['booking'],
): Promise<CalendarState> {
  const state = await board.read();
  if ((state.bookings.get(id)?.sequence ?? sequence) >= sequence) return state;
  await board.refresh();
  return board.read();
}
