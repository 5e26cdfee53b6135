import type { Availability, TimeSlot } from '../../generated/schemas.js';
import { availabilityRangeDays } from '../config/limits.js';
import { ServiceError } from '../errors.js';
import { openSlots, type SlotRange } from '../schedule/calendar.js';
import { addDays, daysBetween } from '../schedule/dates.js';
import { todayInZone } from '../schedule/slots.js';
import type { CalendarState } from './board.js';

export const daysAfterToday = 30;

export interface AvailabilityRequest {
  from: string;
  to: string;
  time_slot?: TimeSlot;
}

/** The open slots of a range of dates. Throws `invalid_request` when the range is not allowed. */
export function availabilityOf(state: CalendarState, request: AvailabilityRequest): Availability {
  checkRange(request);
  return openSlotsOf(state, { ...request, timeSlot: request.time_slot });
}

/** The open slots that the live stream shows. */
export function comingAvailability(state: CalendarState): Availability {
  return openSlotsOf(state, comingDates(state));
}

/** The range of the stream and the dashboard: today in the studio's time zone and the 30 days after. */
export function comingDates({ calendar, validFrom }: CalendarState): { from: string; to: string } {
  const from = todayInZone(calendar.timezone, validFrom);
  return { from, to: addDays(from, daysAfterToday) };
}

function openSlotsOf(state: CalendarState, range: SlotRange): Availability {
  const { calendar, taken, validFrom } = state;
  const days = openSlots(calendar, taken, range, validFrom);
  return {
    timezone: calendar.timezone,
    from: range.from,
    to: range.to,
    total_open: days.reduce((total, { slots }) => total + slots.length, 0),
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
