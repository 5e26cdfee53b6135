import type { Alternative, Pulse } from '../../generated/schemas.js';
import { openSlots } from '../schedule/calendar.js';
import { addDays } from '../schedule/dates.js';
import { bookingLabel } from '../schedule/slot-label.js';
import { todayInZone } from '../schedule/slots.js';
import { comingAvailability } from './availability.js';
import type { CalendarState } from './board.js';

/** The figures of a pulse that are equal in every process. */
export type StudioFigures = Omit<Pulse, 'viewers' | 'server_time'>;

export function studioFigures(state: CalendarState): StudioFigures {
  const bookings = [...state.bookings.values()];
  return {
    open_slots: comingAvailability(state).total_open,
    next_open: nextOpen(state),
    pending_holds: bookings.filter(({ lapsesAt }) => lapsesAt !== null).length,
    confirmed_upcoming: bookings.filter(
      ({ lapsesAt, startsAt }) => lapsesAt === null && startsAt > state.validFrom,
    ).length,
  };
}

function nextOpen({ calendar, taken, validFrom }: CalendarState): Alternative | null {
  const today = todayInZone(calendar.timezone, validFrom);
  const range = { from: today, to: addDays(today, calendar.horizonDays) };
  const [day] = openSlots(calendar, taken, range, validFrom).days;
  const [slot] = day?.slots ?? [];
  if (day === undefined || slot === undefined) return null;
  const { date } = day;
  const { timeSlot, startsAt } = slot;
  return {
    date,
    time_slot: timeSlot,
    starts_at: startsAt,
    label: bookingLabel({ date, timeSlot }),
  };
}
