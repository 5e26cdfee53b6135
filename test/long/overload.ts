import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import t from 'tap';
import { createCheckoutToken } from '../../src/secrets/tokens.js';
import { createTestDatabase } from '../support/database.js';
import { until } from '../support/embedded.js';
import { startDatabaseProxy } from '../support/proxy.js';
import { lostDatabase } from '../support/service-log.js';
import { generous, startService } from '../support/service.js';

/** Below the 300 pages that an address may open in a minute. */
const requestsPerAddress = 200;

t.test(
  'with a slow database, requests beyond its capacity get 503 with Retry-After, until it is fast again',
  async (t) => {
    const database = await createTestDatabase(t);
    const { proxy, connectionString } = await startDatabaseProxy(t, database.connectionString);
    const service = await startService(t, { ...generous, DATABASE_URL: connectionString });
    service.expectLog(lostDatabase, /"code":"service_unavailable"/);
    let asked = 0;
    /** A request that costs one query of its own, on a connection of its own. */
    const ask = async () => {
      const localAddress = `127.0.1.${Math.floor(asked / requestsPerAddress) + 1}`;
      asked += 1;
      const url = `${service.url}/checkout/${createCheckoutToken()}/state`;
      const asking = request(url, { agent: false, localAddress }).end();
      const [response] = (await once(asking, 'response')) as [IncomingMessage];
      await once(response.resume(), 'end');
      return { status: response.statusCode, retryAfter: Number(response.headers['retry-after']) };
    };
    t.equal((await ask()).status, 404);

    proxy.slow(400);
    const answers = await Promise.all(Array.from({ length: 1_500 }, ask));
    const refused = answers.filter(({ status }) => status === 503);
    const served = answers.filter(({ status }) => status === 404);
    t.equal(refused.length + served.length, answers.length, 'every request is answered');
    t.ok(served.length > 0, `${served.length} served, ${refused.length} refused`);
    t.ok(refused.length > 0);
    t.ok(refused.every(({ retryAfter }) => retryAfter >= 1 && retryAfter <= 3));

    proxy.restore();
    await until(async () => (await ask()).status === 404);
  },
);
