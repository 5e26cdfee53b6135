import type { Kysely } from 'kysely';
import type pg from 'pg';
import { createClock, type Clock } from './platform/clock.js';
import type { Config } from './config.js';
import { createListener, type Listener } from './database/listener.js';
import {
  connector,
  createDatabase,
  createPool,
  type Connection,
  type Connector,
} from './database/pool.js';
import type { Database } from './database/schema.js';
import { createApiKeyDirectory, type ApiKeyDirectory } from './access/api-key-directory.js';
import { createKeyedMutex, type KeyedMutex } from './platform/keyed-mutex.js';
import { createPublicBookings, type PublicBookings } from './domain/public-bookings.js';
import { createBoard, type Board } from './calendar/board.js';
import { createBookingWaits, type BookingWaits } from './calendar/booking-waits.js';
import type { Logger } from './platform/log.js';
import { createLimitStore } from './access/stores/limit-store.js';
import type { LimitStore } from './access/stores/store.js';
import { createLiveStream, type LiveStream } from './http/live-stream/live-stream.js';
import { noMetrics, type Metrics } from './platform/metrics/metrics.js';
import { createReadiness, type Readiness } from './platform/readiness.js';
import type { Keyring } from './platform/keyring.js';
import { createSender, type Sender } from './webhooks/send.js';
import { createTargetGuard, type TargetGuard } from './webhooks/target-guard.js';

/** What a process has one of. Built once; tests replace any of it. */
export interface Context {
  config: Config;
  log: Logger;
  connection: Connection;
  pool: pg.Pool;
  database: Kysely<Database>;
  /** A connection of the pool, for what the database's own interface cannot say. */
  connect: Connector;
  /** The one connection that hears of changes. Started by whoever starts the process. */
  listener: Listener;
  clock: Clock;
  keyring: Keyring;
  board: Board;
  publicBookings: PublicBookings;
  /** The requests of this process that wait for a booking to change. */
  bookingWaits: BookingWaits;
  /** The streams that this process serves. */
  liveStream: LiveStream;
  /** Lets requests for one slot, or with one Idempotency-Key, take turns in this process. */
  holdTurns: KeyedMutex;
  /** Where the budgets of callers are counted. */
  limitStore: LimitStore;
  apiKeys: ApiKeyDirectory;
  /** What is counted for whoever watches; nothing unless METRICS_PORT is set. */
  metrics: Metrics;
  readiness: Readiness;
  /** Judges where webhooks may go, when somebody subscribes. */
  webhookTargets: TargetGuard;
  webhookSender: Sender;
}

export interface Foundation {
  config: Config;
  log: Logger;
  connection: Connection;
  keyring: Keyring;
}

export function createContext(foundation: Foundation, overrides: Partial<Context> = {}): Context {
  const { config, log, connection, keyring } = foundation;
  const pool = overrides.pool ?? createPool(connection, log, { pipeline: true });
  const metrics = overrides.metrics ?? noMetrics;
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
    liveStream: createLiveStream({ board, clock, limits: config }),
    holdTurns: createKeyedMutex(metrics),
    limitStore: overrides.limitStore ?? createLimitStore({ config, clock, keyring, log }),
    apiKeys: overrides.apiKeys ?? createApiKeyDirectory({ database, listener, clock, log }),
    metrics,
    readiness: createReadiness(),
    webhookTargets: createTargetGuard({ allowPrivateTargets }),
    webhookSender: overrides.webhookSender ?? createSender({ allowPrivateTargets, clock }),
    ...overrides,
  };
}

export async function closeContext(context: Context): Promise<void> {
  await context.apiKeys.close();
  context.board.close();
  await context.listener.close();
  await context.limitStore.close();
  await context.webhookSender.close();
  await context.database.destroy();
}
