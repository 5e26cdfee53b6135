import type { Test } from 'tap';
import { loadConfig } from '../../src/config.js';
import { createLogger } from '../../src/platform/log.js';
import { startService, type Service } from '../../src/service.js';
import { createServiceLog } from './service-log.js';

/**
 * The service in this process as `npm start` starts it, background and embedded database included.
 * Stops when the test ends, unless it has stopped before.
 */
export async function startWholeService(
  t: Test,
  environment: Record<string, string>,
): Promise<Service> {
  const serviceLog = createServiceLog();
  const log = createLogger('warn', serviceLog.destination);
  const service = await startService(loadConfig(environment), log, t.fail);
  t.teardown(async () => {
    await service.stop();
    serviceLog.verify(t);
  });
  return service;
}
