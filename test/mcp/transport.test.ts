import t, { type Test } from 'tap';
import { responseValidator } from '../support/document.js';
import { endpoint, legacyRequest, post, type RawAnswer } from '../support/mcp.js';
import { startTestService } from '../support/service.js';

const check = responseValidator();

function isAsDocumented(t: Test, { status, headers, text }: RawAnswer, name: string): void {
  const answer = { operation: 'callMcp', status, headers, body: text };
  t.strictSame(check(answer), [], `${name}: as documented`);
}

void t.test('GET and DELETE get 405 with Allow', async (t) => {
  const { url } = await startTestService(t);
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const answer = await fetch(endpoint(url), {
      method,
      headers: { accept: 'text/event-stream' },
      signal: AbortSignal.timeout(5_000),
    });
    t.equal(answer.status, 405, method);
    t.match(answer.headers.get('allow'), /\bPOST\b/u, method);
    t.match(await answer.json(), { error: { code: 'method_not_allowed' } }, method);
  }
});

void t.test(
  'a body that is too large or of another type is refused, and the connection stays open',
  async (t) => {
    const { url } = await startTestService(t);
    const huge = legacyRequest('tools/call', {
      name: 'hold_slot',
      arguments: { idea: 'x'.repeat(200_000) },
    });
    const large = await post(url, huge);
    t.equal(large.status, 413);
    t.match(large.json, { error: { code: 'payload_too_large' } });
    isAsDocumented(t, large, 'a large one');
    const deep = await post(
      url,
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`,
    );
    t.equal(deep.status, 200);
    const text = await post(url, 'ping', { 'content-type': 'text/plain' });
    t.equal(text.status, 415);
    isAsDocumented(t, text, 'a text');
    t.equal((await post(url, legacyRequest('ping'))).status, 200);
  },
);

void t.test(
  'a foreign Origin gets 403; none, its own, localhost and allowed ones do not',
  async (t) => {
    const { url } = await startTestService(t, {
      PUBLIC_BASE_URL: 'https://book.example.com',
      MCP_ALLOWED_ORIGINS: 'https://agent.example,https://other.example:8443',
    });
    const from = async (origin?: string) =>
      post(url, legacyRequest('ping'), origin === undefined ? {} : { origin });
    for (const origin of [
      'https://evil.example',
      'http://book.example.com',
      'https://book.example.com.evil.example',
      'https://localhost.evil.example',
      'https://agent.example:444',
      'null',
      'nonsense',
    ]) {
      const answer = await from(origin);
      t.equal(answer.status, 403, origin);
      t.match(answer.json, { error: { code: 'forbidden' } }, origin);
      isAsDocumented(t, answer, origin);
    }
    for (const origin of [
      undefined,
      'https://book.example.com',
      'http://localhost:6274',
      'http://127.0.0.1:5173',
      'http://[::1]:5173',
      'https://agent.example',
      'https://other.example:8443',
    ]) {
      t.equal((await from(origin)).status, 200, origin ?? 'none');
    }
  },
);

void t.test('every Accept header is served, including */* and none', async (t) => {
  const { url } = await startTestService(t);
  for (const accept of ['*/*', 'application/json', 'text/event-stream', '']) {
    const answer = await post(url, legacyRequest('ping'), { accept });
    t.equal(answer.status, 200, accept);
    t.match(answer.headers['content-type'], /^application\/json/u, accept);
  }
});
