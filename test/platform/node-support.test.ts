import t from 'tap';
import { nodeSupport } from '../../src/platform/node-support.js';
import { createTestDatabase } from '../support/database.js';
import { spawnService } from '../support/process.js';

t.test('a Node without security updates is named, from the day after its last', async (t) => {
  for (const [version, instant, isOver, sentence] of [
    ['20.20.2', '2026-04-30T23:59:59Z', false, /^Node\.js 20\.20\.2, .* until 2026-04-30\.$/],
    ['20.20.2', '2026-05-01T00:00:00Z', true, /^Node\.js 20 .* since 2026-04-30: .* 24 is rec/],
    ['24.21.0', '2026-12-01T00:00:00Z', false, /until 2028-04-30/],
    ['99.0.0', '2050-01-01T00:00:00Z', false, /^Node\.js 99\.0\.0\.$/],
  ] as const) {
    t.match(
      nodeSupport(Date.parse(instant), version),
      { isOver, sentence },
      `${version} ${instant}`,
    );
  }
});

t.test('a start on a Node without security updates says so', async (t) => {
  const { connectionString } = await createTestDatabase(t);
  const service = await spawnService(t, {
    DATABASE_URL: connectionString,
    SECRET_KEY: 'a secret that only the tests know, of enough length',
  });
  await service.end('SIGTERM');
  const { isOver, sentence } = nodeSupport(Date.now());
  t.match(service.output(), 'The studio is open.');
  t.equal(service.output().includes(sentence), isOver);
});
