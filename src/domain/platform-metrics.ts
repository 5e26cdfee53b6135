import type { DatabaseServices } from '../database/services.js';
import { readPlatformUse } from '../repositories/platforms.js';
import { longestSessionHours } from '../schedule/slots.js';

/** Registers the gauge of what counts towards the caps of each platform. */
export function registerPlatformMetrics({
  metrics,
  database,
}: Pick<DatabaseServices, 'metrics' | 'database'>): void {
  metrics.addGauge({
    name: 'booking_platform_bookings',
    help: 'Pending holds of each platform, and its live bookings placed within 24 hours.',
    labels: ['platform', 'cap'],
    async read() {
      const uses = await readPlatformUse(database, longestSessionHours);
      return uses.flatMap(({ name: platform, pendingHolds, liveBookings }) => [
        { labels: { platform, cap: 'pending_holds' }, value: pendingHolds },
        { labels: { platform, cap: 'live_bookings' }, value: liveBookings },
      ]);
    },
  });
}
