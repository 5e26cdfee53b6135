import type { Test } from 'tap';
import { loadConfig } from '../../src/config/config.js';
import { createLogger } from '../../src/platform/log.js';
import { startService } from '../../src/service.js';
import { freePort, unhurried } from './process.js';
import { createServiceLog } from './service-log.js';

/**
 * The service in this process as `npm start` starts it, background and embedded database included, on
 * a free port unless `environment` has one. Stops when the test ends, unless it has stopped before.
 */
export async function startWholeService(t: Test, environment: Record<string, string>) {
  const serviceLog = createServiceLog();
  const log = createLogger('info', serviceLog.destination);
  const config = loadConfig({ PORT: String(await freePort()), ...unhurried, ...environment });
  const service = await startService(config, log, t.fail);
  t.teardown(async () => {
    await service.stop();
    serviceLog.verify(t);
  });
  const url = `http://127.0.0.1:${config.port}`;
  return { ...service, url, logLines: serviceLog.lines };
}
