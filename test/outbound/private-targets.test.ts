import t from 'tap';
import { loadConfig } from '../../src/config/config.js';
import { createTestDatabase } from '../support/database.js';
import { spawnService } from '../support/process.js';
import { generous, secretKey } from '../support/service.js';

t.test(
  'private targets are allowed on this machine alone, unless the operator says otherwise',
  async (t) => {
    const allow = (value: string) => ({ WEBHOOK_ALLOW_PRIVATE_TARGETS: value });
    const everywhere = { HOST: '0.0.0.0' };
    for (const [environment, isAllowed] of [
      [{}, true],
      [{ HOST: '::1' }, true],
      [everywhere, false],
      [{ PUBLIC_BASE_URL: 'https://book.studio.example' }, false],
      [{ ROLE: 'worker', DATABASE_URL: 'postgres://x@127.0.0.1/x', SECRET_KEY: secretKey }, false],
      [{ ...everywhere, ...allow('true') }, true],
      [allow('false'), false],
    ] as const) {
      const { webhookAllowPrivateTargets } = loadConfig(environment);
      t.equal(webhookAllowPrivateTargets, isAllowed, JSON.stringify(environment));
    }
  },
);

t.test(
  'a service for other machines refuses a private target, and starts without the warning',
  async (t) => {
    const { connectionString } = await createTestDatabase(t);
    const service = await spawnService(t, {
      ...generous,
      HOST: '0.0.0.0',
      DATABASE_URL: connectionString,
      SECRET_KEY: secretKey,
    });
    const { status } = await fetch(`${service.url}/api/public/webhooks`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: 'http://127.0.0.1:9/' }),
    });
    t.equal(status, 400);
    await service.end('SIGTERM');
    t.match(
      service.output(),
      /"warn".*invented.*"warn".*Links lead to http:\/\/localhost.*"the studio is open"/s,
    );
    t.notMatch(service.output(), 'WEBHOOK_ALLOW_PRIVATE_TARGETS');
  },
);
