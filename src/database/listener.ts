import pg from 'pg';
import type { Logger } from '../platform/log.js';
import type { Connection } from './pool.js';

/** The handlers of a channel's subscriber. Errors that they throw are logged. */
export interface ChannelHandlers {
  /** A notification arrived. `payload` is empty where the sender gave none. */
  notified(payload: string): void | Promise<void>;
  /**
   * LISTEN has run on a new connection. Earlier notifications may have been lost: read the tables
   * now.
   */
  connected?(): void | Promise<void>;
  /** The connection was lost. `connected` follows when LISTEN has run on the next one. */
  lost?(): void | Promise<void>;
}

export interface Listener {
  /** May be called before or after `start`. Returns the function that ends the subscription. */
  subscribe(channel: string, handlers: ChannelHandlers): () => void;
  isConnected(): boolean;
  /** Resolves when the first connection listens, or the listener is closed. Never rejects. */
  start(): Promise<void>;
  close(): Promise<void>;
}

export interface ListenerOptions {
  connection: Connection;
  log: Logger;
  /** How often a query checks that the connection is alive, in milliseconds. */
  checkIntervalMs?: number;
  /** After how many milliseconds without an answer the connection is replaced. */
  answerTimeoutMs?: number;
}

interface Subscription {
  channel: string;
  handlers: ChannelHandlers;
  /** Whether `connected` was called for the current connection. */
  live: boolean;
}

const firstRetryMs = 100;
const maxRetryMs = 5_000;
const connectTimeoutMs = 5_000;

/**
 * Listens to every subscribed channel on one connection, and replaces the connection when it is
 * lost. A periodic query detects a loss without an error (a cable, a firewall).
 */
export function createListener(options: ListenerOptions): Listener {
  const { connection, log, checkIntervalMs = 15_000, answerTimeoutMs = 5_000 } = options;
  const subscriptions = new Set<Subscription>();
  let connected = false;
  let closed = false;
  let running: Promise<void> | undefined;
  let cutConnection: () => void = () => undefined;
  let woken = false;
  let endPause: () => void = () => undefined;
  let reportFirstConnection: () => void = () => undefined;
  const firstConnection = new Promise<void>((resolve) => (reportFirstConnection = resolve));

  function call(handler: () => void | Promise<void> | undefined): void {
    void (async () => handler())().catch((error: unknown) => {
      log.error({ err: error }, 'a handler of database notifications failed');
    });
  }

  /** Resolves after the time, or when `wake` is called; at once where it was since the last pause. */
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
      const wasConnected = await serveConnection();
      if (closed) break;
      retryMs = wasConnected ? firstRetryMs : Math.min(retryMs * 2, maxRetryMs);
      // Jitter: all processes lose a server at the same moment.
      await pause(retryMs * (0.5 + Math.random() / 2));
    }
  }

  /** Serves one connection until it ends. Returns whether LISTEN ever ran on it. */
  async function serveConnection(): Promise<boolean> {
    const client = new pg.Client({
      ...connection,
      application_name: 'tattoo-studio-booking listener',
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
      for (const { handlers } of liveSubscriptions(channel)) call(() => handlers.notified(payload));
    });
    // Not `client.end()`, which never completes on a half-open connection.
    cutConnection = () => client.connection.stream.destroy();
    try {
      await client.connect();
      while (!closed && !ended) {
        await listenToNewChannels(client);
        connected = true;
        reportFirstConnection();
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
    cutConnection();
    woken = false;
    for (const { handlers } of liveSubscriptions()) call(() => handlers.lost?.());
    for (const subscription of subscriptions) subscription.live = false;
    return wasConnected;
  }

  function liveSubscriptions(channel?: string): Subscription[] {
    return [...subscriptions].filter(
      (subscription) =>
        subscription.live && (channel ?? subscription.channel) === subscription.channel,
    );
  }

  async function listenToNewChannels(client: pg.Client): Promise<void> {
    for (;;) {
      const waiting = [...subscriptions].filter((subscription) => !subscription.live);
      if (waiting.length === 0) return;
      const channels = new Set(waiting.map((subscription) => subscription.channel));
      for (const channel of channels) await client.query(`listen ${pg.escapeIdentifier(channel)}`);
      for (const subscription of waiting) {
        if (!subscriptions.has(subscription)) continue;
        subscription.live = true;
        call(() => subscription.handlers.connected?.());
      }
    }
  }

  return {
    subscribe(channel, handlers) {
      const subscription = { channel, handlers, live: false };
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
      cutConnection();
      wake();
      await running;
    },
  };
}
