import type { Alternative, Pulse } from '../../generated/schemas.js';
import { bookableDates, type OpenSlot, openSlots } from '../schedule/calendar.js';
import { bookingLabel } from '../schedule/words.js';
import { comingAvailability } from './availability.js';
import type { CalendarState } from './board.js';
import type { CalendarServices } from './services.js';

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
  const [day] = openSlots(calendar, taken, bookableDates(calendar, validFrom), validFrom);
  const [slot] = day?.slots ?? [];
  return day === undefined || slot === undefined
    ? null
    : alternativeOf({ ...slot, date: day.date });
}

/** An open slot, as it is offered. */
export function alternativeOf(slot: OpenSlot): Alternative {
  const { date, timeSlot, startsAt } = slot;
  return { date, time_slot: timeSlot, starts_at: startsAt, label: bookingLabel(slot) };
}

export function registerBoardMetrics({
  metrics,
  board,
}: Pick<CalendarServices, 'metrics' | 'board'>): void {
  metrics.addGauge({
    name: 'booking_slots_taken',
    help: 'Slots of the horizon that are held at present: pending or confirmed.',
    labels: ['status'],
    async read() {
      const bookings = [...(await board.read()).bookings.values()];
      const pending = bookings.filter(({ lapsesAt }) => lapsesAt !== null).length;
      return [
        { labels: { status: 'pending' }, value: pending },
        { labels: { status: 'confirmed' }, value: bookings.length - pending },
      ];
    },
  });
}
