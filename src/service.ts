import type { FastifyInstance } from 'fastify';
import { createApp } from './app.js';
import { startBackground, type Background } from './background.js';
import type { Config } from './config.js';
import { closeContext, createContext, type Context } from './context.js';
import { startEmbeddedPostgres } from './database/embedded/server.js';
import { migrateToLatest } from './database/migrate.js';
import { seedExampleStudio } from './database/seed.js';
import { watchContext } from './gauges.js';
import { createWatchApp } from './http/watch-app.js';
import { resealSigningSecrets } from './domain/webhooks.js';
import type { Logger } from './log.js';
import type { PrometheusMetrics } from './prometheus.js';
import { checkKeyring, openKeyring } from './security/installation-key.js';

/** Whoever watches from another machine comes through an agent on this one. */
const metricsHost = '127.0.0.1';

/** A running service. */
export interface Service {
  context: Context;
  app: FastifyInstance | null;
  background: Background | null;
  /** Ends in order: no new requests, finish what runs, then the connections, then the database. */
  stop(): Promise<void>;
}

/**
 * Starts everything that the role asks for and resolves when it serves. Throws `ConfigError` or
 * `EmbeddedPostgresError` with a sentence for whoever starts it; whatever was started is stopped.
 * `onLost` is called when it cannot go on: its embedded database died and does not come back.
 */
export async function startService(
  config: Config,
  log: Logger,
  onLost: (error: Error) => void,
): Promise<Service> {
  const undo: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const connectionString = config.databaseUrl ?? (await embeddedDatabase());
    const connection = { connectionString };
    await migrateToLatest(connection);

    const keyring = await openKeyring(config);
    const metrics = config.metricsPort === null ? null : await loadMetrics();
    const context = createContext({ config, log, connection, keyring }, metrics ? { metrics } : {});
    undo.push(() => closeContext(context));
    watchContext(context);
    await seedExampleStudio(context.database);
    await checkKeyring(context.database, keyring);
    await resealSigningSecrets(context);
    await context.listener.start();
    await context.board.refresh();

    if (metrics !== null) {
      const watchApp = await createWatchApp(context, metrics);
      undo.push(() => watchApp.close());
      await watchApp.listen({
        host: metricsHost,
        port: config.metricsPort ?? 0,
        listenTextResolver: (address) => `metrics at ${address}/metrics`,
      });
    }

    const background = config.role === 'api' ? null : await startBackground(context);
    if (background !== null) undo.push(() => background.stop());
    const app = config.role === 'worker' ? null : await createApp(context);
    if (app !== null) {
      undo.push(() => app.close());
      await app.listen({ host: config.host, port: config.port });
    } else {
      log.info('working without HTTP');
    }
    return { context, app, background, stop };
  } catch (error) {
    await stop();
    throw error;
  }

  /** The library is loaded where somebody watches only. */
  async function loadMetrics(): Promise<PrometheusMetrics> {
    const { createPrometheusMetrics } = await import('./prometheus.js');
    return createPrometheusMetrics(log);
  }

  async function embeddedDatabase(): Promise<string> {
    const server = await startEmbeddedPostgres({ dataDir: config.dataDir, log });
    undo.push(() => server.stop());
    server.onExit(onLost);
    return server.connectionString;
  }
}
