import type { Context } from '../context.js';
import { ServiceError } from '../errors.js';
import type { CalendarState } from '../events/board.js';
import { alternatives, type SlotState } from './calendar.js';
import { bookingLabel } from './slot-label.js';
import type { Slot } from './slots.js';

/** `slot_unavailable`, with the reason in words and up to five open slots near the wanted one. */
export function slotUnavailable(
  context: Pick<Context, 'clock' | 'config'>,
  state: CalendarState,
  slot: Slot,
  reason: Exclude<SlotState, 'open'>,
): ServiceError {
  const { minNoticeMinutes, bookingHorizonDays } = context.config;
  const label = bookingLabel(slot);
  const why: Record<typeof reason, string> = {
    taken: `${label} is already booked.`,
    held: `${label} is held by somebody else at the moment.`,
    no_session: `The studio has no session on ${label}.`,
    closed: `The studio is closed on ${label}.`,
    past: `${label} is in the past.`,
    too_soon: `${label} is too soon: a session must be held at least ${minNoticeMinutes} minutes ahead.`,
    too_far: `${label} is too far ahead: sessions can be held up to ${bookingHorizonDays} days ahead.`,
  };
  const open = alternatives(state.calendar, state.taken, slot, context.clock.now());
  const advice =
    open.length > 0
      ? 'Offer the person one of the alternatives.'
      : 'No other slot is open; try again later.';
  return new ServiceError('slot_unavailable', {
    message: `${why[reason]} ${advice}`,
    alternatives: open.map((alternative) => ({
      date: alternative.date,
      time_slot: alternative.timeSlot,
      starts_at: alternative.startsAt,
      label: bookingLabel(alternative),
    })),
  });
}
