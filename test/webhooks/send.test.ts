import t from 'tap';
import { requestsPerSubscription, webhookCaps } from '../../src/platform/fixed-limits.js';
import { createSigningSecret } from '../../src/platform/signing-secret.js';
import { signDelivery } from '../../src/webhooks/sign.js';
import type { SendResult } from '../../src/webhooks/send-result.js';
import { withinASecond } from '../support/seconds.js';
import { startSender } from '../support/sender.js';
import { answer, startReceiver, type Behaviour } from '../support/receiver.js';
import { Webhook } from 'standardwebhooks';

t.test('the bytes that arrive are those that were signed, also with non-ASCII text', async (t) => {
  const { receiver, send } = await startSender(t);
  const secret = createSigningSecret();
  const body = JSON.stringify({ type: 'hold.created', data: { label: 'Größe ✂️ 刺青' } });
  const headers = signDelivery({
    secret,
    messageId: 'a6f1',
    timestampSeconds: Date.now() / 1000,
    body,
  });
  for (const each of [body, Buffer.from(body)]) {
    const result = await send({ headers: { ...headers }, body: each });
    t.match(result, {
      outcome: 'delivered',
      statusCode: 204,
      retryAfterSeconds: null,
      error: null,
    });
    t.ok(result.durationMs > 0);
  }
  for (const request of receiver.requests) {
    t.same(new Webhook(secret).verify(request.body, request.headers), JSON.parse(body));
    t.match(request, {
      method: 'POST',
      path: '/hook',
      headers: {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        'user-agent': /^tattoo-studio-booking-webhooks\//,
        'webhook-id': 'a6f1',
      },
    });
  }
});

t.test('the request has the URL’s query, and not its fragment', async (t) => {
  const { receiver, send } = await startSender(t);
  await send({ url: `${receiver.origin}/hook?tenant=a%20b#part` });
  t.equal(receiver.requests[0]?.path, '/hook?tenant=a%20b');
});

t.test('any 2xx is delivered, any other status failed', async (t) => {
  const { receiver, send } = await startSender(t);
  for (const statusCode of [200, 201, 202, 204, 299]) {
    receiver.behave(answer(statusCode));
    t.match(await send(), { outcome: 'delivered', statusCode, error: null });
  }
  for (const statusCode of [400, 401, 404, 410, 429, 500, 503, 599]) {
    receiver.behave(answer(statusCode));
    t.match(await send(), { outcome: 'failed', statusCode, error: 'status' });
  }
});

t.test('a redirect fails and is not followed, least of all to the metadata address', async (t) => {
  const { receiver, send } = await startSender(t);
  for (const statusCode of [301, 302, 303, 307, 308]) {
    for (const location of ['http://169.254.169.254/latest/meta-data/', `${receiver.origin}/b`]) {
      receiver.behave(answer(statusCode, { location }));
      t.match(await send(), { outcome: 'failed', statusCode, error: 'redirect' });
    }
  }
  t.equal(receiver.requests.length, 10);
  t.ok(receiver.requests.every(({ path }) => path === '/hook'));
});

t.test('Retry-After is read from 429 and 503 only', async (t) => {
  const { receiver, send } = await startSender(t);
  const retryAfter = async (status: number, value: string): Promise<number | null> => {
    receiver.behave(answer(status, { 'retry-after': value }));
    return (await send()).retryAfterSeconds;
  };
  t.equal(await retryAfter(429, '120'), 120);
  t.equal(await retryAfter(503, '120'), 120);
  t.equal(await retryAfter(503, 'Sat, 21 Nov 2026 12:10:00 GMT'), 600);
  t.equal(await retryAfter(503, 'soon'), null);
  t.equal(await retryAfter(500, '120'), null);
  t.equal(await retryAfter(200, '120'), null);
});

t.test('sequential deliveries reuse at most two connections', async (t) => {
  const { receiver, send } = await startSender(t, {
    behaviour: answer(200, {}, 'x'.repeat(19_000)),
  });
  for (let count = 0; count < 20; count += 1) await send();
  t.equal(receiver.requests.length, 20);
  t.ok(receiver.connectionCount() <= 2, `${receiver.connectionCount()} connections`);
});

t.test('a receiver that hangs fails with a timeout, and its connection is closed', async (t) => {
  const { receiver, send } = await startSender(t, {
    behaviour: { kind: 'hang' },
    totalSeconds: 0.2,
  });
  const result = await send();
  t.match(result, { outcome: 'failed', statusCode: null, error: 'timeout' });
  t.ok(result.durationMs >= 190 && result.durationMs < 2000, `${result.durationMs} ms`);
  await receiver.requests[0]?.closed;
});

t.test('a receiver that drips its headers fails with a timeout', async (t) => {
  const behaviour: Behaviour = { kind: 'drip head', everyMs: 5 };
  const { receiver, send } = await startSender(t, { behaviour, totalSeconds: 0.2 });
  const result = await send();
  t.match(result, { outcome: 'failed', statusCode: null, error: 'timeout' });
  t.ok(result.durationMs < 2000, `${result.durationMs} ms`);
  await receiver.requests[0]?.closed;
});

t.test(
  'the status of a receiver that drips its body counts; its connection is closed',
  async (t) => {
    const behaviour: Behaviour = { kind: 'drip body', status: 200, everyMs: 5 };
    // Long enough for the status to arrive.
    const { receiver, send } = await startSender(t, { behaviour, totalSeconds: 1 });
    const result = await send();
    t.match(result, { outcome: 'delivered', statusCode: 200 });
    t.ok(result.durationMs < 5000, `${result.durationMs} ms`);
    await receiver.requests[0]?.closed;
  },
);

t.test('a gigabyte is read up to the limit, then its connection is closed', async (t) => {
  for (const status of [200, 500]) {
    const { receiver, send } = await startSender(t, { behaviour: { kind: 'gigabyte', status } });
    const result = await send();
    t.match(result, { outcome: status === 200 ? 'delivered' : 'failed', statusCode: status });
    await receiver.requests[0]?.closed;
    // The kernels buffer more than what is read.
    t.ok(receiver.bodyBytesSent() < 20_000_000, `${receiver.bodyBytesSent()} bytes`);
    t.ok(result.durationMs < 5000, `${result.durationMs} ms`);
  }
});

t.test(
  'a reset, a refused connection and a malformed response fail with their error codes',
  async (t) => {
    const { receiver, send } = await startSender(t, { behaviour: { kind: 'reset' } });
    t.match(await send(), { outcome: 'failed', statusCode: null, error: 'connection_lost' });
    receiver.behave({ kind: 'raw', bytes: '' });
    t.match(await send(), { outcome: 'failed', statusCode: null, error: 'connection_lost' });
    receiver.behave({ kind: 'raw', bytes: 'hello\r\n\r\n' });
    t.match(await send(), { outcome: 'failed', statusCode: null, error: 'bad_answer' });
    const headers = `HTTP/1.1 200 OK\r\n${'x-padding: 0123456789\r\n'.repeat(5000)}\r\n`;
    receiver.behave({ kind: 'raw', bytes: headers });
    t.match(await send(), { outcome: 'failed', statusCode: null, error: 'bad_answer' });
    await receiver.close();
    t.match(await send(), { outcome: 'failed', statusCode: null, error: 'connection_refused' });
  },
);

t.test('receivers that hang, drip, pour and reset do not delay the others', async (t) => {
  const { receiver: hanging, sender } = await startSender(t, { behaviour: { kind: 'hang' } });
  const dripping = await startReceiver({ kind: 'drip head', everyMs: 5 });
  const pouring = await startReceiver({ kind: 'gigabyte', status: 200 });
  const good = await startReceiver();
  t.teardown(() => Promise.all([dripping, pouring, good].map((each) => each.close())));
  const post = (origin: string, signal?: AbortSignal): Promise<SendResult> =>
    sender.send({ url: origin, headers: {}, body: '{}', ...(signal && { signal }) });

  const shutdown = new AbortController();
  const bad = [hanging, dripping, pouring].flatMap((each) => [
    post(each.origin, shutdown.signal),
    post(each.origin, shutdown.signal),
  ]);
  await Promise.all([hanging.request(2), dripping.request(2)]);
  const results = await Promise.all(Array.from({ length: 20 }, () => post(good.origin)));
  t.ok(results.every(({ outcome }) => outcome === 'delivered'));
  withinASecond(
    t,
    results.map(({ durationMs }) => durationMs),
  );
  shutdown.abort();
  await Promise.all(bad);
});

t.test(
  'a host full of slow subscriptions does not delay their neighbour',
  { timeout: 60_000 },
  async (t) => {
    const { receiver, send } = await startSender(t, { behaviour: { kind: 'hang' } });
    const shutdown = new AbortController();
    // All the requests that one host may have at once, but for one.
    const slowCount = webhookCaps.perDomain * requestsPerSubscription - 1;
    const slow = Array.from({ length: slowCount }, () => send({ signal: shutdown.signal }));
    await receiver.request(slowCount);
    receiver.behave(answer(204));
    t.match(await send(), { outcome: 'delivered' });
    shutdown.abort();
    await Promise.all(slow);
  },
);

t.test('a shutdown ends a request as aborted, not as failed', async (t) => {
  const { receiver, send } = await startSender(t, { behaviour: { kind: 'hang' } });
  const shutdown = new AbortController();
  const pending = send({ signal: shutdown.signal });
  await receiver.request(1);
  shutdown.abort();
  t.match(await pending, { outcome: 'aborted', statusCode: null, error: null });
  t.match(await send({ signal: shutdown.signal }), { outcome: 'aborted' }, 'also beforehand');
  t.equal(receiver.requests.length, 1);
});

t.test('many concurrent sends with one shutdown signal cause no warning', async (t) => {
  const { send } = await startSender(t);
  const warnings: Error[] = [];
  const onWarning = (warning: Error): void => void warnings.push(warning);
  process.on('warning', onWarning);
  t.teardown(() => process.off('warning', onWarning));
  const { signal } = new AbortController();
  const results = await Promise.all(Array.from({ length: 30 }, () => send({ signal })));
  t.ok(results.every(({ outcome }) => outcome === 'delivered'));
  t.same(warnings, []);
});

t.test('closing the sender aborts requests in flight and closes their connections', async (t) => {
  const { receiver, sender, send } = await startSender(t, { behaviour: { kind: 'hang' } });
  const pending = send();
  const request = await receiver.request(1);
  await sender.close();
  t.match(await pending, { outcome: 'aborted' });
  await request.closed;
  t.match(await send(), { outcome: 'aborted' }, 'nothing is sent afterwards');
  t.equal(receiver.requests.length, 1);
});
