import t from 'tap';
import { createApiKey, revokeApiKeys } from '../../src/access/api-keys.js';
import { ServiceError } from '../../src/errors.js';
import { agent } from '../support/agents.js';
import { standingClock } from '../support/clock.js';
import { callerNumber } from '../support/requests.js';
import { generous, startNeighbour, startService } from '../support/service.js';
import { studioIn } from '../support/studio.js';

const atCap = /the limit of live API keys/;

void t.test('a network mints 20 API keys that are made or used within 30 days', async (t) => {
  const service = await startService(t, {}, { overrides: { clock: standingClock() } });
  service.expectLog(atCap);
  const { app, context } = service;
  const mint = (address: string) => agent(app, { address }).mintKey();
  const minted: { id: string; key: string }[] = [];
  for (let index = 0; index < 20; index += 1) {
    const answer = await mint(`2001:db8:1:${1 + Math.floor(index / 5)}::1`);
    t.equal(answer.statusCode, 201);
    minted.push(answer.json<{ data: { id: string; key: string } }>().data);
  }
  for (const subnet of [11, 12]) {
    const refused = await mint(`2001:db8:1:${subnet}::1`);
    t.equal(refused.statusCode, 429);
    t.equal(refused.headers['retry-after'], '86400');
    t.match(refused.json(), { error: { code: 'rate_limited', message: /has 20 API keys/ } });
  }
  const warnings = service.logLines.filter((line) => atCap.test(line));
  t.equal(warnings.length, 1, 'the log warns once a day');
  t.notMatch(warnings[0], /2001/);
  t.equal((await mint('2001:db8:2:1::1')).statusCode, 201, 'another network mints');

  const { databaseUrl, secretKey } = context.config;
  const studio = studioIn({ DATABASE_URL: databaseUrl!, SECRET_KEY: secretKey! });
  const callers = async () =>
    (await studio('doctor', '--json'))
      .json<{ checks: { check: string }[] }>()
      .checks.find(({ check }) => check === 'callers');
  t.match(await callers(), {
    status: 'warning',
    message: /^1 network reached the limit of 20 API/,
  });

  await revokeApiKeys(context, 'test', [minted[0]!.id]);
  t.equal((await mint('2001:db8:1:13::1')).statusCode, 201, 'a revoked key does not count');
  t.equal((await mint('2001:db8:1:14::1')).statusCode, 429);

  await context.database
    .updateTable('api_keys')
    .set({ last_used_at: new Date(Date.now() + 20 * 86_400_000) })
    .where(
      'id',
      'in',
      minted.slice(1, 19).map(({ id }) => id),
    )
    .execute();
  await service.shiftClock(31 * 86_400_000);
  t.match(await callers(), { status: 'ok' });
  for (const subnet of [15, 16]) {
    t.equal(
      (await mint(`2001:db8:1:${subnet}::1`)).statusCode,
      201,
      'an unused key does not count',
    );
  }
  t.equal((await mint('2001:db8:1:17::1')).statusCode, 429, 'a used one does');
});

void t.test('parallel mints in two processes do not pass the cap', async (t) => {
  const service = await startService(t, generous);
  service.expectLog(atCap);
  const processes = [service.context, await startNeighbour(t, service.context)];
  const outcomes = await Promise.all(
    Array.from({ length: 40 }, async (_, index) => {
      try {
        await createApiKey(processes[index % 2]!, callerNumber(1), { email: 'ada@example.com' });
        return 'minted';
      } catch (error) {
        return error instanceof ServiceError ? error.code : String(error);
      }
    }),
  );
  t.equal(outcomes.filter((outcome) => outcome === 'minted').length, 20);
  t.equal(outcomes.filter((outcome) => outcome === 'rate_limited').length, 20);
});
