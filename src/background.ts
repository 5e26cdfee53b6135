import type { Context } from './context.js';
import { createDispatcher, type Dispatcher } from './events/dispatcher.js';
import { watchBackground } from './gauges.js';
import { createQueueBackend } from './queues/backend.js';
import { createQueues } from './queues/queues.js';
import { createExpiryWorker } from './workers/expiry.js';
import { createSweeper, type Sweeper } from './workers/sweeper.js';

/** The side of the service that nobody waits for: every queue, worker and timer, in sight. */
export interface Background {
  dispatcher: Dispatcher;
  sweeper: Sweeper;
  /** Resolves when jobs in progress have finished. */
  stop(): Promise<void>;
}

export async function startBackground(context: Context): Promise<Background> {
  const { config, connection, database, clock, log } = context;
  const backend = createQueueBackend(config.redisUrl, connection, log);
  const queues = createQueues(backend);
  const dispatcher = createDispatcher(database, queues, clock);
  const sweeper = createSweeper(context, dispatcher, queues);
  const expiryWorker = createExpiryWorker(backend, context);
  watchBackground(context, backend);

  const unsubscribe = context.listener.subscribe('booking_events', {
    notified: dispatch,
    connected: dispatch,
    lost: () => undefined,
  });
  function dispatch(): void {
    dispatcher.dispatchAll().catch((error: unknown) => {
      log.warn({ err: error }, 'event rows could not be dispatched; the sweeper tries again');
    });
  }

  await sweeper.start();
  return {
    dispatcher,
    sweeper,
    async stop() {
      unsubscribe();
      await sweeper.stop();
      await expiryWorker.close();
      await queues.close();
      await backend.close();
    },
  };
}
