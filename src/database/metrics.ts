import type pg from 'pg';
import type { PlatformServices } from '../platform/services.js';

/** Registers the gauges of the connection pool. */
export function registerPoolMetrics({
  metrics,
  pool,
}: Pick<PlatformServices, 'metrics'> & { pool: pg.Pool }): void {
  metrics.addGauge({
    name: 'booking_database_connections',
    help: 'Connections of the database pool, idle or busy, and requests that wait for one.',
    labels: ['state'],
    read: () => [
      { labels: { state: 'idle' }, value: pool.idleCount },
      { labels: { state: 'busy' }, value: pool.totalCount - pool.idleCount },
      { labels: { state: 'awaited' }, value: pool.waitingCount },
    ],
  });
}
