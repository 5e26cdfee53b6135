import type pg from 'pg';
import { createApiKeyDirectory } from './access/api-key-directory.js';
import { createPlatformDirectory } from './access/platform-directory.js';
import { createLimitStore } from './access/stores/limit-store.js';
import { createBoard } from './board/board.js';
import { createBookingWaits } from './board/booking-waits.js';
import type { Config } from './config/config.js';
import { createListener } from './database/listener.js';
import { connector, createDatabase, createPool, type Connection } from './database/pool.js';
import { createPublicBookings } from './domain/booking/public-bookings.js';
import type { HttpServices } from './http/handler.js';
import { createLiveStream } from './http/live-stream/live-stream.js';
import { createCalendarReader } from './icalendar/read/reader.js';
import { createLanguages } from './locales/languages.js';
import { createTargetGuard } from './outbound/target-guard.js';
import { createClock } from './platform/clock.js';
import { createKeyedMutex } from './platform/concurrency.js';
import { descriptorShares, readDescriptorLimit } from './platform/descriptors.js';
import type { Logger } from './platform/log.js';
import { noMetrics } from './platform/metrics/metrics.js';
import { createReadiness } from './platform/readiness.js';
import { noTracing } from './platform/tracing/tracing.js';
import { pingDatabase } from './repositories/installation.js';
import type { Keyring } from './secrets/keyring.js';
import { createSender } from './webhooks/send.js';
import type { WebhookServices } from './webhooks/services.js';

/** The services that one process shares. Tests override any of them. */
export interface Context extends HttpServices, WebhookServices {
  connection: Connection;
  pool: pg.Pool;
}

export interface Foundation {
  config: Config;
  log: Logger;
  connection: Connection;
  keyring: Keyring;
}

/** Creates the context without a query: the tables may not be there yet. */
export function createContext(foundation: Foundation, overrides: Partial<Context> = {}): Context {
  const { config, log, connection, keyring } = foundation;
  const metrics = overrides.metrics ?? noMetrics;
  const tracing = overrides.tracing ?? noTracing;
  const pool = overrides.pool ?? createPool(connection, log, { pipeline: true, tracing });
  const database = overrides.database ?? createDatabase(pool, metrics);
  const clock = overrides.clock ?? createClock();
  const listener = overrides.listener ?? createListener({ connection, log });
  const allowPrivateTargets = config.webhookAllowPrivateTargets;
  const board = overrides.board ?? createBoard({ database, listener, clock, log, rules: config });
  return {
    ...foundation,
    pool,
    connect: connector(pool, metrics),
    database,
    clock,
    listener,
    board,
    publicBookings: createPublicBookings(database, metrics),
    bookingWaits: createBookingWaits(listener),
    languages: createLanguages(),
    liveStream: createLiveStream({
      board,
      clock,
      limits: config,
      publicBaseUrl: config.publicBaseUrl,
    }),
    slotMutex: createKeyedMutex(metrics),
    limitStore: overrides.limitStore ?? createLimitStore({ config, clock, keyring, log }),
    apiKeys: overrides.apiKeys ?? createApiKeyDirectory({ database, listener, clock, log }),
    platforms: overrides.platforms ?? createPlatformDirectory({ database, listener, log }),
    metrics,
    tracing,
    readiness: createReadiness(() => pingDatabase(database)),
    webhookTargets: createTargetGuard({ allowPrivateTargets }),
    webhookSender:
      overrides.webhookSender ??
      createSender({
        allowPrivateTargets,
        clock,
        maxConnections: descriptorShares(readDescriptorLimit(), config.maxStreams).webhooks,
      }),
    calendarReader: overrides.calendarReader ?? createCalendarReader({ allowPrivateTargets }),
    ...overrides,
  };
}

/**
 * Loads what the services keep in memory, and has it follow the notifications. This reads the database
 * first, after the migrations and the seed.
 */
export async function openContext({ listener, board, platforms }: Context): Promise<void> {
  await listener.start();
  await board.refresh();
  await platforms.refresh();
}

export async function closeContext(context: Context): Promise<void> {
  // This comes first, so that unfinished readings are recorded as due.
  await context.calendarReader.close();
  await context.apiKeys.close();
  context.platforms.close();
  context.board.close();
  await context.listener.close();
  await context.limitStore.close();
  await context.webhookSender.close();
  await context.database.destroy();
}
