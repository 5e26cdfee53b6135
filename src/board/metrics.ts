import type { CalendarServices } from './services.js';

/** Registers the gauges of the board. */
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
