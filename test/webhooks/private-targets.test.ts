import t from 'tap';
import { createTestDatabase } from '../support/database.js';
import { spawnService } from '../support/process.js';
import { generous } from '../support/service.js';

t.test('private targets are allowed for local work only, with a warning at start', async (t) => {
  const { connectionString } = await createTestDatabase(t);
  for (const [environment, isAllowed] of [
    [{}, true],
    [{ HOST: '0.0.0.0' }, false],
    [{ HOST: '0.0.0.0', WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true' }, true],
  ] as const) {
    const service = await spawnService(t, {
      ...generous,
      ...environment,
      DATABASE_URL: connectionString,
      SECRET_KEY: 'a secret that only the tests know, of enough length',
    });
    const { status } = await fetch(`${service.url}/api/public/webhooks`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: 'http://127.0.0.1:9/' }),
    });
    await service.end('SIGTERM');
    const label = JSON.stringify(environment);
    t.equal(status, isAllowed ? 201 : 400, label);
    t.match(service.output(), 'The studio is open.');
    const warning = 'private addresses (WEBHOOK_ALLOW_PRIVATE_TARGETS)';
    t.equal(service.output().includes(warning), isAllowed, label);
  }
});
