import type { Alternative } from '../../../generated/schemas.js';
import type { CalendarState } from '../../board/board.js';
import { alternativeOf } from '../../board/pulse.js';
import { ServiceError } from '../../errors.js';
import type { PlatformServices } from '../../platform/services.js';
import { alternatives } from '../../schedule/alternatives.js';
import type { SlotState } from '../../schedule/calendar.js';
import { type Slot, slotKey } from '../../schedule/slots.js';
import type { Session } from '../../schedule/times.js';
import { bookingLabel, labelWith } from '../../schedule/words.js';

const answersPerState = 1_000;

/** `slot_unavailable` with a sentence for the reason and the open alternatives, the best first. */
export function slotUnavailable(
  context: Pick<PlatformServices, 'clock' | 'config'>,
  state: CalendarState,
  slot: Slot,
  reason: Exclude<SlotState, 'open'>,
): ServiceError {
  const { minNoticeMinutes, bookingHorizonDays } = context.config;
  const label = bookingLabel(slot);
  const why: Record<typeof reason, string> = {
    taken: `${label} is already booked.`,
    held: `${label} is held at the moment. If that is your own hold, wait for its person, and send the same idempotency key when you repeat a call.`,
    no_session: `The studio has no session on ${label}.`,
    closed: `The studio is closed on ${label}.`,
    past: `${label} is in the past.`,
    too_soon: `${label} is too soon: a session must be held at least ${minNoticeMinutes} minutes ahead.`,
    too_far: `${label} is too far ahead: sessions can be held up to ${bookingHorizonDays} days ahead.`,
  };
  const offer = `${reason === 'held' ? 'Otherwise, offer' : 'Offer'} the person one of the alternatives.`;
  return withAlternatives(context, state, slot, why[reason], offer);
}

/** `slot_unavailable` for a caller that has placed another session of the same person at that time. */
export function ownSessionThen(
  context: Pick<PlatformServices, 'clock' | 'config'>,
  state: CalendarState,
  slot: Slot,
  ownSession: Session,
): ServiceError {
  const label = labelWith(bookingLabel(ownSession), ownSession.artistName ?? null);
  const why = `You have placed a session of this person at that time already: ${label}. One person has one session at a time; the page of that booking (its checkout_url) changes its artist or its time.`;
  const offer = 'For one more session, offer the person one of the alternatives.';
  return withAlternatives(context, state, slot, why, offer, ownSession);
}

function withAlternatives(
  { clock }: Pick<PlatformServices, 'clock'>,
  state: CalendarState,
  slot: Slot,
  why: string,
  offer: string,
  ownSession?: Session,
): ServiceError {
  const open = alternativesTo(state, slot, clock.now());
  const advice = open.length > 0 ? offer : 'No other slot is open; try again later.';
  return new ServiceError('slot_unavailable', {
    message: `${why} ${advice}`,
    alternatives: [...open],
    ownSession,
  });
}

// Concurrent requests for one slot get the same alternatives, computed once per state of the board.
const alternativesByState = new WeakMap<CalendarState, Map<string, Alternative[]>>();

/** The open alternatives to a slot, the best first. */
export function alternativesTo(
  state: CalendarState,
  wanted: Slot,
  now: number,
): readonly Alternative[] {
  const answers = alternativesByState.get(state) ?? new Map<string, Alternative[]>();
  alternativesByState.set(state, answers);
  const key = slotKey(wanted);
  const answered = answers.get(key);
  if (answered !== undefined) return answered;
  const open = alternatives(state.calendar, state.taken, wanted, now).map(alternativeOf);
  // Bounds the memory: any date can be requested.
  if (answers.size < answersPerState) answers.set(key, open);
  return open;
}
