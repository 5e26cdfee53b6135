import type { LightMyRequestResponse } from 'fastify';
import { sql } from 'kysely';
import t from 'tap';
import { revokeApiKey } from '../../src/repositories/api-keys.js';
import { createCredential, isCredential } from '../../src/security/tokens.js';
import { responseValidator } from '../support/document.js';
import { startTestService, type TestService } from '../support/service.js';

const limits = {
  WRITES_PER_HOUR_ANONYMOUS: '100',
};
const check = responseValidator();

interface Minted {
  id: string;
  key: string;
}

async function mint({ app }: TestService): Promise<Minted> {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/public/agent-keys',
    payload: { email: 'agent-owner@example.com', label: 'a test' },
  });
  return answer.json<{ data: Minted }>().data;
}

function read({ app }: TestService, token: string, address = '192.0.2.1') {
  const headers = { authorization: `Bearer ${token}` };
  return app.inject({ url: '/api/public/studio', headers, remoteAddress: address });
}

/** Which level was applied. */
function level(answer: LightMyRequestResponse): string | undefined {
  const levels: Record<string, string> = {
    '"reads";q=60;w=60': 'anonymous',
    '"reads";q=600;w=60': 'keyed',
  };
  return levels[String(answer.headers['ratelimit-policy'])];
}

/** Counts the queries that the service makes. */
function countQueries(service: TestService): () => number {
  let queries = 0;
  const { pool } = service.context;
  const connect = pool.connect.bind(pool) as typeof pool.connect;
  pool.connect = ((...args: Parameters<typeof connect>) => {
    queries += 1;
    return connect(...args);
  }) as typeof pool.connect;
  return () => queries;
}

void t.test('a key is shown once, and only its hash is kept', async (t) => {
  const service = await startTestService(t, limits);
  const answer = await service.app.inject({
    method: 'POST',
    url: '/api/public/agent-keys',
    payload: { email: 'agent-owner@example.com', label: '  my agent ' },
  });
  t.strictSame(check({ operation: 'createAgentKey', status: 201, ...answer }), []);
  t.equal(answer.statusCode, 201);
  t.equal(answer.headers['cache-control'], 'no-store');
  const { data } = answer.json<{ data: Record<string, unknown> }>();
  t.ok(isCredential('tsk', String(data['key'])));
  t.equal(data['label'], 'my agent');
  t.strictSame(data['limits'], { reads_per_minute: 600, writes_per_hour: 30 });

  const { rows } = await sql<{ row: string }>`select api_keys::text as row from api_keys`.execute(
    service.context.database,
  );
  t.equal(rows.length, 1);
  t.notMatch(rows[0]?.row, String(data['key']).slice(4, 36));
  t.notMatch(service.logLines.join(''), String(data['key']).slice(4, 36));
});

void t.test('a body that is not valid makes no key, and costs a read', async (t) => {
  const { app } = await startTestService(t, {});
  for (const payload of [{}, { email: 'nobody' }, { email: 'a@example.com', scope: 'all' }]) {
    const answer = await app.inject({ method: 'POST', url: '/api/public/agent-keys', payload });
    t.equal(answer.statusCode, 400);
    t.equal(answer.headers['ratelimit-policy'], '"reads";q=60;w=60');
  }
});
