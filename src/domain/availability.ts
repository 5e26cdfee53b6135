import type { Availability } from '../../generated/schemas.js';
import type { Context } from '../context.js';
import { ServiceError } from '../errors.js';
import { openSlots } from './calendar.js';
import { daysBetween } from './dates.js';
import type { TimeSlot } from './slots.js';

/** `to` is at most so many calendar days after `from` (specification, "Limits", 3). */
const availabilityRangeDays = 31;

export interface AvailabilityRequest {
  from: string;
  to: string;
  time_slot?: TimeSlot;
}

/** The open slots of a range of dates. Throws `invalid_request` when the range is not allowed. */
export async function listAvailability(
  context: Pick<Context, 'board' | 'clock'>,
  request: AvailabilityRequest,
): Promise<Availability> {
  checkRange(request);
  const { calendar, taken } = await context.board.read();
  const range = { from: request.from, to: request.to, timeSlot: request.time_slot };
  const { days, totalOpen } = openSlots(calendar, taken, range, context.clock.now());
  return {
    timezone: calendar.timezone,
    from: request.from,
    to: request.to,
    total_open: totalOpen,
    days: days.map((day) => ({
      date: day.date,
      weekday: day.weekday,
      slots: day.slots.map((slot) => ({ time_slot: slot.timeSlot, starts_at: slot.startsAt })),
    })),
  };
}

function checkRange({ from, to }: AvailabilityRequest): void {
  const days = daysBetween(from, to);
  if (days >= 0 && days <= availabilityRangeDays) return;
  const message =
    days < 0
      ? 'must not be before from'
      : `must be at most ${availabilityRangeDays} days after from; ask for several ranges instead`;
  throw new ServiceError('invalid_request', { details: [{ path: 'query.to', message }] });
}
