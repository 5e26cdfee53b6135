import type { FastifyInstance } from 'fastify';
import pTimeout from 'p-timeout';
import type { Background } from './background.js';
import type { Config } from './config/config.js';
import type { Context } from './context.js';
import { startEmbeddedPostgres } from './database/embedded/server.js';
import type { Logger } from './platform/log.js';
import type { PrometheusMetrics } from './platform/metrics/prometheus.js';
import type { Tracing } from './platform/tracing/tracing.js';

/** Loopback only: remote monitoring scrapes through an agent on this host. */
const metricsHost = '127.0.0.1';

/** At shutdown, connections that are still open after this time are closed. */
const requestDrainTimeoutMs = 3_500;
/**
 * The time for jobs at shutdown: longer ones are resumed by another process or after a restart. A cut
 * mail may arrive twice, so this is longer than most mail servers take.
 */
const jobDrainTimeoutMs = 3_000;
const disconnectTimeoutMs = 500;
/** The time for traces at shutdown: later ones are lost. */
const exportTimeoutMs = 1_000;

/** A running service. */
export interface Service {
  context: Context;
  app: FastifyInstance | null;
  background: Background | null;
  /** Stops, in order, readiness, HTTP, background jobs, metrics, connections and the database. */
  stop(): Promise<void>;
}

/**
 * Starts the components of the configured role and resolves when they run. On failure, stops what
 * was started and throws, a `StartError` if the operator can act on it. `onDatabaseLost` is called when
 * the embedded database has failed and cannot be restarted. An aborted `signal` ends the start at its
 * next step, with the signal's reason.
 */
export async function startService(
  config: Config,
  log: Logger,
  onDatabaseLost: (error: Error) => void,
  signal?: AbortSignal,
): Promise<Service> {
  const cleanup: (() => Promise<void>)[] = [];
  let building: Promise<FastifyInstance> | null = null;
  const stop = async (): Promise<void> => {
    for (const step of cleanup.splice(0).reverse()) await step();
  };
  try {
    const connectionString = config.databaseUrl ?? (await embeddedDatabase());
    const connection = { connectionString };
    const components = await loadComponents();
    const { closeContext, createApp, createContext, listen, openContext, openKeyring } = components;
    const { registerBoardMetrics, registerPlatformMetrics, registerPoolMetrics } = components;
    const { retryLockTimeouts, startBackground } = components;
    signal?.throwIfAborted();

    const keyring = await openKeyring(config, connection);
    const metrics = config.metricsPort === null ? null : await loadMetrics();
    const tracing = config.otelExporterOtlpEndpoint === null ? null : await loadTracing();
    const context = createContext(
      { config, log, connection, keyring },
      { ...(metrics && { metrics }), ...(tracing && { tracing }) },
    );
    cleanup.push(() =>
      pTimeout(closeContext(context), { milliseconds: disconnectTimeoutMs, message: false }),
    );
    registerPoolMetrics(context);
    registerBoardMetrics(context);
    registerPlatformMetrics(context);
    // This needs no database, and is done while the next steps wait for it.
    building = config.role === 'worker' ? null : createApp(context);
    building?.catch(() => undefined);

    await prepareDatabase(components, context, signal);
    await retryLockTimeouts(() => openContext(context), { log, signal });
    signal?.throwIfAborted();

    if (metrics !== null) {
      const { createMetricsServer } = await import('./web/listen.js');
      const metricsServer = await createMetricsServer(context, metrics);
      cleanup.push(() => metricsServer.close());
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
      cleanup.push(() =>
        pTimeout(background.stop(), { milliseconds: jobDrainTimeoutMs, message: false }),
      );
    signal?.throwIfAborted();
    const app = await building;
    if (app !== null) {
      cleanup.push(() => closeApp(app));
      await listen(app, { host: config.host, port: config.port }, 'HOST, PORT');
    } else {
      log.info('working without HTTP');
    }
    // Requests of the console wait for it.
    cleanup.push(() => context.calendarReader.close());
    cleanup.push(() => context.readiness.withdraw());
    return { context, app, background, stop };
  } catch (error) {
    await building?.then(closeApp, () => undefined);
    await stop();
    throw error;
  }

  /** Imports the metrics library only if metrics are enabled. */
  async function loadMetrics(): Promise<PrometheusMetrics> {
    const { createPrometheusMetrics } = await import('./platform/metrics/prometheus.js');
    return createPrometheusMetrics(log);
  }

  /** Loads OpenTelemetry, which stops after all that is traced. */
  async function loadTracing(): Promise<Tracing> {
    const { startTracing } = await import('./platform/tracing/opentelemetry/start.js');
    const tracing = startTracing(config, log);
    cleanup.push(() => pTimeout(tracing.stop(), { milliseconds: exportTimeoutMs, message: false }));
    return tracing;
  }

  async function embeddedDatabase(): Promise<string> {
    const server = await startEmbeddedPostgres({
      dataDir: config.dataDir,
      log,
      // The modules load while PostgreSQL starts.
      onLaunch: () => void loadComponents().catch(() => undefined),
      onLost: onDatabaseLost,
      ...(signal && { signal }),
    });
    cleanup.push(() => server.stop());
    return server.connectionString;
  }
}

/** Prepares the database for this version. Nothing else reads it before. */
async function prepareDatabase(
  components: Components,
  context: Context,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { config, connection, database } = context;
  await components.migrateToLatest(connection, context.log);
  signal?.throwIfAborted();
  await components.retryLockTimeouts(
    async () => {
      await components.seedExampleStudio(database);
      await components.checkKeyring(context);
      await components.adoptMode(context);
      if (config.role !== 'worker') {
        await components.recordPublicBaseUrl(database, config.publicBaseUrl);
      }
      await components.resealSigningSecrets(context);
      await components.resealCalendarAddresses(context);
      // In the other roles, the first sweep does.
      if (config.role === 'api') await components.followZoneData(context);
    },
    { log: context.log, signal },
  );
}

type Components = typeof import('./components.js');

/** Imports the components; Node imports a module once, however often it is called. */
function loadComponents(): Promise<Components> {
  return import('./components.js');
}

async function closeApp(app: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), requestDrainTimeoutMs);
  await app.close().finally(() => clearTimeout(timer));
}
