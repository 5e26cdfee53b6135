import pg from 'pg';
import type { Logger } from '../platform/log.js';
import { applicationName, type Connection } from './pool.js';

/** The handlers of a channel's subscriber. Errors that they throw are logged. */
export interface ChannelHandlers {
  /** A notification was received. `payload` is empty if NOTIFY had none. */
  notified(payload: string): void | Promise<void>;
  /**
   * LISTEN is active on a new connection. Earlier notifications may have been lost: read the tables
   * again.
   */
  connected?(): void | Promise<void>;
  /** The connection was lost. `connected` is called when LISTEN is active on the next one. */
  lost?(): void | Promise<void>;
}

export interface Listener {
  /** May be called before or after `start`. Returns a function that unsubscribes. */
  subscribe(channel: string, handlers: ChannelHandlers): () => void;
  isConnected(): boolean;
  /** Resolves when LISTEN is first active or the listener is closed. Never rejects. */
  start(): Promise<void>;
  close(): Promise<void>;
}

export interface ListenerOptions {
  connection: Connection;
  log: Logger;
  /** Interval of the query that checks the connection, in milliseconds. */
  checkIntervalMs?: number;
  /** Query timeout in milliseconds, after which the connection is replaced. */
  answerTimeoutMs?: number;
}

interface Subscription {
  channel: string;
  handlers: ChannelHandlers;
  /** Whether `connected` was called for the current connection. */
  listening: boolean;
}

const firstRetryMs = 100;
const maxRetryMs = 5_000;
const connectTimeoutMs = 5_000;

/**
 * Listens on all subscribed channels over one connection, and reconnects. A periodic query detects a
 * connection that was dropped silently (a cable, a firewall).
 */
export function createListener(options: ListenerOptions): Listener {
  const { connection, log, checkIntervalMs = 15_000, answerTimeoutMs = 5_000 } = options;
  const subscriptions = new Set<Subscription>();
  let connected = false;
  let closed = false;
  let running: Promise<void> | undefined;
  let destroyConnection: () => void = () => undefined;
  let woken = false;
  let endPause: () => void = () => undefined;
  let resolveFirstConnection: () => void = () => undefined;
  const firstConnection = new Promise<void>((resolve) => (resolveFirstConnection = resolve));

  function call(handler: () => void | Promise<void> | undefined): void {
    void (async () => handler())().catch((error: unknown) => {
      log.error({ err: error }, 'a database notification handler failed');
    });
  }

  /** Resolves after the delay or on `wake`; at once if `wake` was called since the last pause. */
  async function pause(milliseconds: number): Promise<void> {
    if (!woken) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        endPause = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    woken = false;
  }

  function wake(): void {
    woken = true;
    endPause();
  }

  async function run(): Promise<void> {
    let retryMs = firstRetryMs;
    while (!closed) {
      const wasConnected = await runConnection();
      if (closed) break;
      retryMs = wasConnected ? firstRetryMs : Math.min(retryMs * 2, maxRetryMs);
      // Jitter, because all processes lose the server at the same time.
      await pause(retryMs * (0.5 + Math.random() / 2));
    }
  }

  /** Runs one connection until it ends. Returns whether LISTEN succeeded on it. */
  async function runConnection(): Promise<boolean> {
    const client = new pg.Client({
      ...connection,
      application_name: applicationName('listener'),
      connectionTimeoutMillis: connectTimeoutMs,
      query_timeout: answerTimeoutMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    let ended = false;
    const onEnd = (error?: Error) => {
      if (error !== undefined && !closed)
        log.warn({ err: error }, 'the connection for notifications was lost');
      ended = true;
      wake();
    };
    client.on('error', onEnd).on('end', onEnd);
    client.on('notification', ({ channel, payload = '' }) => {
      for (const { handlers } of activeSubscriptions(channel))
        call(() => handlers.notified(payload));
    });
    // `client.end()` never completes on a half-open connection.
    destroyConnection = () => client.connection.stream.destroy();
    try {
      await client.connect();
      while (!closed && !ended) {
        await listenToNewChannels(client);
        connected = true;
        resolveFirstConnection();
        await pause(checkIntervalMs);
        if (!closed && !ended) await client.query('select 1');
      }
    } catch (error) {
      if (!closed && !ended) log.warn({ err: error }, 'notifications could not be listened to');
    }
    const wasConnected = connected;
    connected = false;
    client
      .off('error', onEnd)
      .off('end', onEnd)
      .on('error', () => undefined);
    destroyConnection();
    woken = false;
    for (const { handlers } of activeSubscriptions()) call(() => handlers.lost?.());
    for (const subscription of subscriptions) subscription.listening = false;
    return wasConnected;
  }

  function activeSubscriptions(channel?: string): Subscription[] {
    return [...subscriptions].filter(
      (subscription) =>
        subscription.listening && (channel ?? subscription.channel) === subscription.channel,
    );
  }

  async function listenToNewChannels(client: pg.Client): Promise<void> {
    for (;;) {
      const waiting = [...subscriptions].filter((subscription) => !subscription.listening);
      if (waiting.length === 0) return;
      const channels = new Set(waiting.map((subscription) => subscription.channel));
      for (const channel of channels) await client.query(`listen ${pg.escapeIdentifier(channel)}`);
      for (const subscription of waiting) {
        if (!subscriptions.has(subscription)) continue;
        subscription.listening = true;
        call(() => subscription.handlers.connected?.());
      }
    }
  }

  return {
    subscribe(channel, handlers) {
      const subscription = { channel, handlers, listening: false };
      subscriptions.add(subscription);
      wake();
      return () => void subscriptions.delete(subscription);
    },
    isConnected: () => connected,
    async start() {
      running ??= run();
      await Promise.race([firstConnection, running]);
    },
    async close() {
      closed = true;
      destroyConnection();
      wake();
      await running;
    },
  };
}
