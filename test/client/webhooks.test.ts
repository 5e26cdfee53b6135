import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import t from 'tap';
import { parseEvent, WebhookVerificationError } from '../../src/client/webhooks.js';
import { signDelivery } from '../../src/webhooks/sign.js';
import { pointer, readDocument, valueAt, type JsonObject } from '../support/document.js';

const otherSecret = `whsec_${Buffer.alloc(32).toString('base64')}`;
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const exampleAt = pointer(
  ...['webhooks', 'event', 'post', 'requestBody', 'content', 'application/json', 'example'],
);
const example = valueAt(readDocument(), exampleAt) as JsonObject & { data: JsonObject };
const body = JSON.stringify(example);
const id = '018f6f2e-7d5a-4c1e-9b43-0f2d6c1a7e55';

/** The headers of a delivery that was signed `secondsAgo` seconds ago. */
function signed(text = body, { secondsAgo = 0, by = secret } = {}) {
  const timestampSeconds = Date.now() / 1000 - secondsAgo;
  return { ...signDelivery({ secret: by, messageId: id, timestampSeconds, body: text }) };
}

function request(headers: Record<string, string>, text = body) {
  return new Request('https://agent.example/hook', { method: 'POST', headers, body: text });
}

t.test('parseEvent reads an event from the request of any framework', async (t) => {
  const event = { id, ...example };
  const headers = signed();
  t.same(await parseEvent(request(headers), secret), event, 'a Request');
  t.same(await parseEvent({ headers, body }, secret), event, 'headers and text');
  t.same(await parseEvent({ headers, body: Buffer.from(body) }, secret), event, 'and bytes');

  const server = createServer((incoming, response) => {
    void parseEvent(incoming, secret).then((parsed) => response.end(JSON.stringify(parsed)));
  }).listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body });
  t.same(await answer.json(), event, 'a request of node:http');
});

t.test('text beyond ASCII survives any chunking of the body', async (t) => {
  const text = JSON.stringify({ ...example, data: { ...example.data, label: 'Añil – 刺青 🐦' } });
  const bytes = Buffer.from(text);
  const headers = signed(text);
  async function* cut() {
    for (const byte of bytes) yield Uint8Array.of(byte);
  }
  const event = await parseEvent({ headers, [Symbol.asyncIterator]: cut }, secret);
  t.equal(event.data.label, 'Añil – 刺青 🐦');
});

t.test('an event with a wrong signature or an old timestamp is refused', async (t) => {
  const refused: [string, Parameters<typeof parseEvent>[0]][] = [
    ['no headers', request({})],
    ['another secret', request(signed(body, { by: otherSecret }))],
    ['another body', request(signed(), body.replace('confirmed', 'expired'))],
    ['another id', request({ ...signed(), 'webhook-id': 'another' })],
    ['six minutes old', request(signed(body, { secondsAgo: 360 }))],
    ['from the future', request(signed(body, { secondsAgo: -360 }))],
    ['a signature of another version', request({ ...signed(), 'webhook-signature': 'v2,abc' })],
    ['signed, but no JSON', request(signed('{'), '{')],
  ];
  for (const [name, delivery] of refused) {
    await t.rejects(parseEvent(delivery, secret), { name: 'WebhookVerificationError' }, name);
  }
  t.ok(new WebhookVerificationError('x') instanceof Error);
});

t.test('a body with any byte changed is refused', async (t) => {
  const headers = signed();
  const bytes = Buffer.from(body);
  const changes = fc.record({ at: fc.nat(bytes.length - 1), by: fc.integer({ min: 1, max: 255 }) });
  await fc.assert(
    fc.asyncProperty(changes, async ({ at, by }) => {
      const changed = Buffer.from(bytes);
      changed[at]! ^= by;
      await t.rejects(parseEvent({ headers, body: changed }, secret));
    }),
    { seed: 11, numRuns: 50 },
  );
});

t.test('a parsed body and an endless body get an error that explains it', async (t) => {
  const headers = signed();
  const parsed = { headers, body: example as unknown as string };
  await t.rejects(parseEvent(parsed, secret), { name: 'TypeError', message: /unparsed/ });
  async function* endless() {
    for (;;) yield Buffer.alloc(64 * 1024, 'x');
  }
  await t.rejects(parseEvent({ headers, [Symbol.asyncIterator]: endless }, secret), /larger/);
});

t.test('the error for an invalid secret does not repeat it', async (t) => {
  for (const [secret, given] of [
    [undefined, 'undefined'],
    ['tsm_secret', 'another text'],
  ]) {
    await t.rejects(parseEvent({ headers: signed(), body }, secret as string), {
      name: 'TypeError',
      message: `parseEvent needs the signing_secret of the subscription (whsec_…), and got ${given}`,
    });
  }
});
