import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { fastify, LogController, type FastifyBaseLogger } from 'fastify';
import { identifyCallers } from '../../../src/access/identify-caller.js';
import { loadConfig } from '../../../src/config/config.js';
import { registerRoutes } from '../../../src/http/routes.js';
import { createLogger } from '../../../src/platform/log.js';
import { startService } from '../../../src/service.js';
import { errorsPlugin } from '../../../src/web/plugins/errors.js';
import { registerLoadShedding } from '../../../src/web/plugins/load-shedding.js';
import { registerRequestLog } from '../../../src/web/plugins/request-log.js';
import { registerSecurityHeaders } from '../../../src/web/plugins/security-headers.js';
import { createValidatorCompiler } from '../../../src/web/validation.js';

/** The REST operations `with` identification and charging of callers, or `without`. */
const [port, callers] = process.argv.slice(2);
const dataDir = await mkdtemp(join(tmpdir(), 'bench-'));
const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
const log = createLogger('info', nowhere);
const config = loadConfig({
  DATA_DIR: dataDir,
  ROLE: 'worker',
  MAX_EVENT_LOOP_DELAY_MS: '0',
  READS_PER_MINUTE_ANONYMOUS: '1000000000',
  READS_PER_MINUTE_KEYED: '1000000000',
});
const service = await startService(config, log, (error) => {
  throw error;
});

const app = fastify({
  loggerInstance: log as FastifyBaseLogger,
  logController: new LogController({ disableRequestLogging: true }),
});
app.setValidatorCompiler(createValidatorCompiler());
registerSecurityHeaders(app, { secure: false });
await app.register(errorsPlugin);
registerLoadShedding(app, service.context);
registerRequestLog(app, service.context);
app.register(
  async (api) => {
    if (callers === 'with') await identifyCallers(api, service.context);
    registerRoutes(api, service.context);
  },
  { prefix: '/api/public' },
);
await app.listen({ host: '127.0.0.1', port: Number(port) });
process.send?.('ready');
process.on('SIGTERM', () => {
  void app
    .close()
    .then(() => service.stop())
    .then(() => rm(dataDir, { recursive: true }))
    .then(() => process.exit());
});
