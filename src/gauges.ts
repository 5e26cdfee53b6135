import { promisify } from 'node:util';
import type { FastifyInstance } from 'fastify';
import type { Context } from './context.js';
import type { QueueBackend } from './jobs/queue-backend.js';
import { readEventBacklog } from './repositories/events.js';

/** Every figure that is looked up while somebody watches, in sight. */

export function watchContext({ metrics, pool, board }: Context): void {
  metrics.watch({
    name: 'booking_database_connections',
    help: 'Connections of the database pool: idle and busy; and requests that wait for one.',
    labels: ['state'],
    read: () => [
      { labels: { state: 'idle' }, value: pool.idleCount },
      { labels: { state: 'busy' }, value: pool.totalCount - pool.idleCount },
      { labels: { state: 'awaited' }, value: pool.waitingCount },
    ],
  });
  metrics.watch({
    name: 'booking_slots_taken',
    help: 'Slots of the horizon that are held at present: pending or confirmed.',
    labels: ['status'],
    async read() {
      const bookings = [...(await board.read()).taken.values()];
      const pending = bookings.filter(({ lapsesAt }) => lapsesAt !== null).length;
      return [
        { labels: { status: 'pending' }, value: pending },
        { labels: { status: 'confirmed' }, value: bookings.length - pending },
      ];
    },
  });
}

export function watchApp({ metrics, liveStream }: Context, app: FastifyInstance): void {
  metrics.watch({
    name: 'booking_viewers',
    help: 'Viewers of the live stream of this process.',
    read: () => [{ value: liveStream.viewerCount() }],
  });
  const countConnections = promisify(app.server.getConnections.bind(app.server));
  metrics.watch({
    name: 'booking_http_connections',
    help: 'Open connections of clients, streams among them.',
    read: async () => [{ value: await countConnections() }],
  });
}

export function watchBackground({ metrics, database }: Context, backend: QueueBackend): void {
  metrics.watch({
    name: 'booking_queue_jobs',
    help: 'Jobs in the queues, by queue and state. All processes see the same queues.',
    labels: ['queue', 'state'],
    read: async () =>
      (await backend.countJobs()).flatMap(({ queue, counts }) =>
        Object.entries(counts).map(([state, value]) => ({ labels: { queue, state }, value })),
      ),
  });
  metrics.watch({
    name: 'booking_events_undispatched',
    help: 'Event rows that no dispatcher has taken yet. All processes see the same rows.',
    read: async () => [{ value: (await readEventBacklog(database)).count }],
  });
  metrics.watch({
    name: 'booking_events_oldest_undispatched_seconds',
    help: 'Age of the oldest event row that no dispatcher has taken yet; 0 where there is none.',
    read: async () => [{ value: (await readEventBacklog(database)).oldestAgeSeconds }],
  });
}
