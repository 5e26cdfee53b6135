import t from 'tap';
import { createLogger } from '../../src/platform/log.js';
import { createPrometheusMetrics } from '../../src/platform/metrics/prometheus.js';
import { findApiKey, revokeApiKey } from '../../src/repositories/api-keys.js';
import { sha256 } from '../../src/secrets/keyring.js';
import { createCredential, isCredential } from '../../src/secrets/tokens.js';
import { agent, aMoment, charged, newKey } from '../support/agents.js';
import { countQueries } from '../support/board.js';
import { standingClock } from '../support/clock.js';
import { dropDatabase } from '../support/database.js';
import { responseValidator } from '../support/document.js';
import { lostDatabase } from '../support/service-log.js';
import { startNeighbour, startService } from '../support/service.js';
import { findingOf, studioOn } from '../support/studio.js';

const check = responseValidator();

/** The key with its last character changed. */
function mistyped(key: string): string {
  return key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
}

const service = await startService(t, {});

t.test('a key is shown once, and only its hash is kept', async (t) => {
  const payload = { email: 'agent-owner@example.com', label: '  my agent ' };
  const url = '/api/public/agent-keys';
  const answer = await service.app.inject({ method: 'POST', url, payload });
  const { statusCode: status, headers, body } = answer;
  t.strictSame(check({ operation: 'createAgentKey', status, headers, body }), []);
  t.match(answer, { statusCode: 201, headers: { 'cache-control': 'no-store' } });
  const { data } = answer.json<{ data: Record<string, string> }>();
  const limits = { reads_per_minute: 600, writes_per_hour: 30 };
  t.match(data, { label: /^my agent$/, limits });
  t.ok(isCredential('tsk', data['key']!));

  const { rows } = await service.context.pool.query<{ row: string }>(
    'select api_keys::text as row from api_keys where id = $1',
    [data['id']],
  );
  t.match(rows[0]?.row, 'agent-owner@example.com');
  t.notMatch(rows[0]?.row, data['key']!.slice(4, 36));
});

t.test('a body that is not valid makes no key, and costs a read', async (t) => {
  const { app } = service;
  for (const payload of [{}, { email: 'nobody' }, { email: 'a@example.com', scope: 'all' }]) {
    const answer = await app.inject({ method: 'POST', url: '/api/public/agent-keys', payload });
    t.equal(answer.statusCode, 400);
    t.match(charged(answer), /^reads/);
  }
});

t.test('an unknown, malformed or revoked key is served as anonymous', async (t) => {
  const { app, context } = await startService(t, {});
  const { id, key } = await newKey(app);
  t.equal(charged(await agent(app, { key }).read()), 'reads 599/600');
  const unknown = [createCredential('tsk'), createCredential('tsm'), mistyped(key)];
  const malformed = [key.toLowerCase(), `${key}0`, 'secret', ' ', '🔑', `${key} ${key}`];
  const fields = [...unknown, ...malformed].map((wrong) => `Bearer ${wrong}`);
  let left = 60;
  const read = (authorization: string) =>
    app.inject({ url: '/api/public/studio', headers: { authorization } });
  for (const field of [...fields, key, `Basic ${key}`, 'Bearer', '']) {
    t.equal(charged(await read(field)), `reads ${(left -= 1)}/60`, field);
  }
  t.match(charged(await read(`bEARER  ${key}`)), /600$/, 'the scheme is spelled as one likes');

  t.ok(await revokeApiKey(context.database, id));
  t.notOk(await revokeApiKey(context.database, id), 'once is enough');
  while (/600$/.test(charged(await agent(app, { key }).read())));
  t.equal(await findApiKey(context.database, sha256(key)), null);
});

t.test('a revocation takes effect on every process', async (t) => {
  const sibling = await startNeighbour(t, service.context);
  const directories = [service.context.apiKeys, sibling.apiKeys];
  const { id, key } = await newKey(service.app);
  for (const directory of directories) t.equal(await directory.identify(key, 'here'), id);
  await revokeApiKey(service.context.database, id);
  for (const directory of directories) {
    while ((await directory.identify(key, 'here')) !== null) await aMoment();
  }
});

t.test('without the listener, a cached key stays valid for at most one second', async (t) => {
  const clock = standingClock();
  const service = await startService(t, {}, { overrides: { clock } });
  const { apiKeys, database, listener } = service.context;
  const { id, key } = await newKey(service.app);
  t.equal(await apiKeys.identify(key, 'here'), id);
  await listener.close();
  await revokeApiKey(database, id);
  t.equal(await apiKeys.identify(key, 'here'), id);
  clock.advance(1_000);
  t.equal(await apiKeys.identify(key, 'here'), null);
});

t.test('neither a known key nor a mistyped one costs a query', async (t) => {
  const { key } = await newKey(service.app);
  const caller = agent(service.app, { key });
  await caller.read();
  const queries = countQueries(service.context);
  for (let time = 0; time < 5; time += 1) {
    t.match(charged(await caller.read()), /600$/);
    t.match(charged(await agent(service.app, { key: mistyped(key) }).read()), /60$/);
  }
  t.equal(queries.others, 0);
});

t.test('200 random tokens share one budget and are not looked up one by one', async (t) => {
  const service = await startService(t, { READS_PER_MINUTE_ANONYMOUS: '2000' });
  // These requests in one tick of the event loop can exceed the timeout of a lookup.
  service.expectLog(/an API key could not be looked up/);
  const queries = countQueries(service.context);
  const answers = await Promise.all(
    Array.from({ length: 200 }, () => agent(service.app, { key: createCredential('tsk') }).read()),
  );
  t.equal(new Set(answers.map(charged)).size, 200, 'each takes from the one budget');
  t.equal(charged(await agent(service.app).read()), 'reads 1799/2000');
  t.ok(queries.others <= 10, `${queries.others} queries`);
});

t.test('an address with many unknown keys has none looked up for a minute', async (t) => {
  const clock = standingClock();
  const service = await startService(t, {}, { overrides: { clock } });
  const { apiKeys } = service.context;
  const [known, other] = [await newKey(service.app), await newKey(service.app)];
  const { id, key } = await newKey(service.app);
  const slow = apiKeys.identify(known.key, 'noisy');
  clock.advance(60_000);
  t.equal(await apiKeys.identify(other.key, 'noisy'), other.id);
  t.equal(await slow, known.id, 'looked up over two windows, it is refunded to neither twice');
  for (let time = 0; time < 10; time += 1) {
    clock.advance(1_000);
    t.equal(await apiKeys.identify(createCredential('tsk'), 'noisy'), null);
  }
  const queries = countQueries(service.context);
  t.equal(await apiKeys.identify(key, 'noisy'), null, 'not looked up');
  t.equal(await apiKeys.identify(known.key, 'noisy'), known.id, 'what is known stays known');
  t.equal(queries.others, 0);
  t.equal(await apiKeys.identify(key, 'quiet'), id);

  const third = await newKey(service.app);
  clock.advance(59_999);
  t.equal(await apiKeys.identify(third.key, 'noisy'), null);
  clock.advance(1);
  t.equal(await apiKeys.identify(third.key, 'noisy'), third.id);
});

t.test('an unknown key that is sent repeatedly is looked up once', async (t) => {
  const { key } = await newKey(service.app);
  const unknown = createCredential('tsk');
  const queries = countQueries(service.context);
  for (let time = 0; time < 30; time += 1) {
    await service.context.apiKeys.identify(unknown, 'here');
  }
  t.equal(queries.others, 1);
  t.type(
    await service.context.apiKeys.identify(key, 'here'),
    'string',
    'and no reason to distrust',
  );
});

t.test('the last use of keys is recorded in one statement for many requests', async (t) => {
  const { apiKeys, database, clock } = service.context;
  const keys = [await newKey(service.app), await newKey(service.app), await newKey(service.app)];
  const [used, alsoUsed, unused] = keys;
  for (const { key } of [used!, alsoUsed!, used!, used!]) await agent(service.app, { key }).read();
  const lastUsed = async (id: string) => {
    const row = database.selectFrom('api_keys').select('last_used_at').where('id', '=', id);
    return (await row.executeTakeFirstOrThrow()).last_used_at;
  };
  t.equal(await lastUsed(used!.id), null, 'not with the request');
  const queries = countQueries(service.context);
  await apiKeys.recordUses();
  t.equal(queries.others, 1);
  await apiKeys.recordUses();
  t.equal(queries.others, 1, 'nothing new, nothing written');
  const recorded = await lastUsed(used!.id);
  t.ok(recorded !== null && Math.abs(recorded.getTime() - clock.now()) < 60_000);
  t.ok(await lastUsed(alsoUsed!.id));
  t.equal(await lastUsed(unused!.id), null);
});

t.test('the key appears in no log, in no error and in no metric', async (t) => {
  const metrics = createPrometheusMetrics(createLogger('silent'));
  const service = await startService(t, {}, { overrides: { metrics } });
  service.expectLog(lostDatabase, /API key/, /"code":"service_unavailable"/);
  const { key } = await newKey(service.app);
  const answers = [];
  for (const url of ['/api/public/studio', `/api/public/${key}`, '/api/public/bookings/x']) {
    answers.push(await service.app.inject({ url, headers: { authorization: `Bearer ${key}` } }));
  }
  await dropDatabase(new URL(service.context.connection.connectionString!).pathname.slice(1));
  answers.push(await agent(service.app, { key: createCredential('tsk') }).read());
  const measured = await metrics.text();
  t.match(measured, /booking_http_requests_total\{operation="getStudio"/);
  const bodies = answers.map(({ body }) => body);
  t.notMatch([...service.logLines, ...bodies, measured].join('\n'), /tsk_[0-9A-Za-z]{5}/);
  t.match(service.logLines.join(''), /an API key could not be looked up/);
});

t.test('of a network, 20 API keys count that are made or used within 30 days', async (t) => {
  const atCap = /the limit of live API keys/;
  const service = await startService(t);
  service.expectLog(atCap);
  const { app, context, shiftClock } = service;
  const statuses = async (count: number) => {
    const made = [];
    for (let each = 0; each < count; each += 1) made.push((await agent(app).mintKey()).statusCode);
    return made;
  };
  t.strictSame(await statuses(22), [...Array<number>(20).fill(201), 429, 429]);
  const warnings = service.logLines.filter((line) => atCap.test(line));
  t.equal(warnings.length, 1, 'the log warns once a day');
  t.notMatch(warnings[0], /192\.0\.2/);
  const studio = studioOn(context);
  const callers = () => findingOf(studio, 'callers');
  const message = /^1 network reached the limit of 20 API/;
  t.match(await callers(), { status: 'warning', message });

  await context.pool.query(
    `update api_keys set last_used_at = booking_now() + interval '20 days'
     where id in (select id from api_keys limit 18)`,
  );
  await shiftClock(31 * 86_400_000);
  t.match(await callers(), { status: 'ok' });
  t.strictSame(await statuses(3), [201, 201, 429], 'the two that nobody used count no more');
});
