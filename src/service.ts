import type { FastifyInstance } from 'fastify';
import pTimeout from 'p-timeout';
import { createApp } from './app.js';
import { startBackground, type Background } from './background.js';
import type { Config } from './config.js';
import { closeContext, createContext, type Context } from './context.js';
import { startEmbeddedPostgres } from './database/embedded/server.js';
import { migrateToLatest } from './database/migrate.js';
import { seedExampleStudio } from './database/seed.js';
import { registerBoardMetrics } from './calendar/metrics.js';
import { registerPoolMetrics } from './database/metrics.js';
import { createMetricsServer } from './http/metrics-server.js';
import { listen } from './http/listen.js';
import { resealSigningSecrets } from './domain/webhooks.js';
import type { Logger } from './platform/log.js';
import type { PrometheusMetrics } from './platform/metrics/prometheus.js';
import { checkKeyring, openKeyring } from './database/installation-key.js';

/** Remote monitoring scrapes through an agent on this machine. */
const metricsHost = '127.0.0.1';

/** Requests that take longer are cut off, so that the process ends in time. */
const finishRequestsWithinMs = 3_500;
/** Unfinished jobs are resumed by another process, or after the next start. */
const finishJobsWithinMs = 1_000;
const disconnectWithinMs = 500;

/** A running service. */
export interface Service {
  context: Context;
  app: FastifyInstance | null;
  background: Background | null;
  /** Stops in order: readiness, new requests, running requests and jobs, connections, database. */
  stop(): Promise<void>;
}

/**
 * Starts everything that the role needs and resolves when it serves. Throws a `StartError` for the
 * operator after stopping what was started. `onLost` is called when the embedded database has failed
 * and cannot be restarted.
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
    undo.push(() =>
      pTimeout(closeContext(context), { milliseconds: disconnectWithinMs, message: false }),
    );
    registerPoolMetrics(context);
    registerBoardMetrics(context);
    await seedExampleStudio(context.database);
    await checkKeyring(context.database, keyring);
    await resealSigningSecrets(context);
    await context.listener.start();
    await context.board.refresh();

    if (metrics !== null) {
      const metricsServer = await createMetricsServer(context, metrics);
      undo.push(() => metricsServer.close());
      await listen(
        metricsServer,
        {
          host: metricsHost,
          port: config.metricsPort ?? 0,
          listenTextResolver: (address) => `metrics at ${address}/metrics`,
        },
        'METRICS_PORT',
      );
    }

    const background = config.role === 'api' ? null : await startBackground(context);
    if (background !== null)
      undo.push(() =>
        pTimeout(background.stop(), { milliseconds: finishJobsWithinMs, message: false }),
      );
    const app = config.role === 'worker' ? null : await createApp(context);
    if (app !== null) {
      undo.push(() => closeApp(app));
      await listen(app, { host: config.host, port: config.port }, 'HOST, PORT');
    } else {
      log.info('working without HTTP');
    }
    undo.push(() => context.readiness.withdraw());
    return { context, app, background, stop };
  } catch (error) {
    await stop();
    throw error;
  }

  /** Loads the library only if metrics are on. */
  async function loadMetrics(): Promise<PrometheusMetrics> {
    const { createPrometheusMetrics } = await import('./platform/metrics/prometheus.js');
    return createPrometheusMetrics(log);
  }

  async function embeddedDatabase(): Promise<string> {
    const server = await startEmbeddedPostgres({ dataDir: config.dataDir, log, onLost });
    undo.push(() => server.stop());
    return server.connectionString;
  }
}

async function closeApp(app: FastifyInstance): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), finishRequestsWithinMs);
  await app.close();
  clearTimeout(cut);
}
