import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import t, { type Test } from 'tap';
import { requestsPerSubscription, webhookCaps } from '../../src/config/limits.js';
import { createSigningSecret } from '../../src/secrets/tokens.js';
import type { SendResult } from '../../src/webhooks/send-result.js';
import { createSender, type SendRequest } from '../../src/webhooks/send.js';
import { signDelivery } from '../../src/webhooks/sign.js';
import { setEnvironment } from '../support/process.js';
import { answer, startReceiver, type Behaviour } from '../support/receiver.js';
import { selfSigned } from '../support/self-signed.js';

type Options = Partial<Parameters<typeof createSender>[0]>;

/** Always the same instant. */
const clock = { now: () => Date.UTC(2026, 10, 21, 12, 0, 0) };

/** As long as no test takes: what should not wait for a receiver would wait without end. */
const timeouts = { connectSeconds: 3_600, totalSeconds: 3_600 };

/** Starts a receiver and a sender that may reach it, until the test ends. */
async function start(t: Test, behaviour: Behaviour = answer(204), options: Options = {}) {
  const receiver = await startReceiver(behaviour);
  const sender = createSender({ allowPrivateTargets: true, clock, timeouts, ...options });
  t.teardown(() => Promise.all([sender.close(), receiver.close()]));
  const send = (request: Partial<SendRequest> = {}): Promise<SendResult> =>
    sender.send({ url: `${receiver.origin}/hook`, headers: {}, body: '{}', ...request });
  return { receiver, sender, send };
}

const failed = (error: string, statusCode: number | null = null) => ({
  outcome: 'failed',
  statusCode,
  error,
});

t.test('the bytes that arrive are those that were signed, also with non-ASCII text', async (t) => {
  const { receiver, send } = await start(t);
  const secret = createSigningSecret();
  const body = JSON.stringify({ type: 'hold.created', data: { label: 'Größe ✂️ 刺青' } });
  const timestampSeconds = Date.now() / 1000;
  const headers = signDelivery({ secret, messageId: 'a6f1', timestampSeconds, body });
  for (const each of [body, Buffer.from(body)]) {
    const result = await send({ headers: { ...headers }, body: each });
    t.match(result, {
      ...{ outcome: 'delivered', statusCode: 204 },
      ...{ retryAfterSeconds: null, error: null },
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

t.test('any 2xx is delivered, any other status failed; a redirect is not followed', async (t) => {
  const { receiver, send } = await start(t);
  for (const statusCode of [200, 201, 202, 204, 299]) {
    receiver.behave(answer(statusCode));
    t.match(await send(), { outcome: 'delivered', statusCode, error: null });
  }
  for (const statusCode of [400, 401, 404, 410, 429, 500, 503, 599]) {
    receiver.behave(answer(statusCode));
    t.match(await send(), failed('status', statusCode));
  }
  for (const statusCode of [301, 302, 303, 307, 308]) {
    for (const location of ['http://169.254.169.254/latest/meta-data/', `${receiver.origin}/b`]) {
      receiver.behave(answer(statusCode, { location }));
      t.match(await send(), failed('redirect', statusCode));
    }
  }
  t.equal(receiver.requests.length, 23);
  t.ok(receiver.requests.every(({ path }) => path === '/hook'));
});

t.test('Retry-After is read from 429 and 503 only', async (t) => {
  const { receiver, send } = await start(t);
  for (const [status, value, seconds] of [
    [429, '120', 120],
    [503, '120', 120],
    [503, 'Sat, 21 Nov 2026 12:10:00 GMT', 600],
    [503, 'soon', null],
    [500, '120', null],
    [200, '120', null],
  ] as const) {
    receiver.behave(answer(status, { 'retry-after': value }));
    t.equal((await send()).retryAfterSeconds, seconds, `${status} ${value}`);
  }
});

t.test('sequential deliveries reuse at most two connections', async (t) => {
  const { receiver, send } = await start(t, answer(200, {}, 'x'.repeat(19_000)));
  for (let count = 0; count < 20; count += 1) await send();
  t.equal(receiver.requests.length, 20);
  t.ok(receiver.connectionCount() <= 2, `${receiver.connectionCount()} connections`);
});

t.test(
  'a receiver that hangs or drips ends with a timeout, one that pours with what is read, and its connection is closed',
  async (t) => {
    const long = { outcome: 'delivered', statusCode: 200 };
    const cases: [Behaviour, expected: object, totalSeconds: number][] = [
      [{ kind: 'hang' }, failed('timeout'), 0.2],
      [{ kind: 'drip head', everyMs: 5 }, failed('timeout'), 0.2],
      // Long enough for the status to arrive, which counts.
      [{ kind: 'drip body', status: 200, everyMs: 5 }, long, 2],
      [{ kind: 'gigabyte', status: 200 }, long, 3_600],
      [{ kind: 'gigabyte', status: 500 }, failed('status', 500), 3_600],
    ];
    for (const [behaviour, expected, totalSeconds] of cases) {
      const options = { timeouts: { connectSeconds: 60, totalSeconds } };
      const { receiver, send } = await start(t, behaviour, options);
      const result = await send();
      t.match(result, expected, behaviour.kind);
      if (totalSeconds < 3_600) t.ok(result.durationMs >= totalSeconds * 950, 'not earlier');
      await receiver.requests[0]?.closed;
      // The kernels buffer more than what is read.
      t.ok(receiver.bodyBytesSent() < 20_000_000, `${receiver.bodyBytesSent()} bytes`);
    }
  },
);

t.test('what fails before a status has the code of its error', async (t) => {
  const { receiver, send } = await start(t);
  const padding = 'x-padding: 0123456789\r\n'.repeat(5000);
  for (const [behaviour, error] of [
    [{ kind: 'reset' }, 'connection_lost'],
    [{ kind: 'raw', bytes: '' }, 'connection_lost'],
    [{ kind: 'raw', bytes: 'hello\r\n\r\n' }, 'bad_answer'],
    [{ kind: 'raw', bytes: `HTTP/1.1 200 OK\r\n${padding}\r\n` }, 'bad_answer'],
  ] as const) {
    receiver.behave(behaviour);
    t.match(await send(), failed(error));
  }
  const url = 'http://hooks.example.com/';
  for (const code of ['ENOTFOUND', 'EAI_AGAIN', 'ESERVFAIL', 'ETIMEOUT']) {
    const resolve = () => Promise.reject(Object.assign(new Error(code), { code }));
    const { send: sendByName } = await start(t, answer(204), { resolve });
    t.match(await sendByName({ url }), failed('dns_failed'), code);
  }
  const { send: sendSlowly } = await start(t, answer(204), {
    resolve: () => new Promise(() => undefined),
    timeouts: { connectSeconds: 0.1, totalSeconds: 3_600 },
  });
  t.match(await sendSlowly({ url }), failed('connect_timeout'));
  await receiver.close();
  t.match(await send(), failed('connection_refused'));
});

t.test(
  'receivers that hang do not delay the others, nor a neighbour on a host that is full of them',
  async (t) => {
    const { receiver: hanging, sender } = await start(t, { kind: 'hang' });
    const good = await startReceiver();
    t.teardown(() => good.close());
    const warnings: Error[] = [];
    const onWarning = (warning: Error): void => void warnings.push(warning);
    process.on('warning', onWarning);
    t.teardown(() => process.off('warning', onWarning));
    const shutdown = new AbortController();
    const { signal } = shutdown;
    const post = ({ origin }: { origin: string }): Promise<SendResult> =>
      sender.send({ url: origin, headers: {}, body: '{}', signal });
    // All the requests that one host may have at once, but for one.
    const slowCount = webhookCaps.perDomain * requestsPerSubscription - 1;
    const slow = Array.from({ length: slowCount }, () => post(hanging));
    await hanging.request(slowCount);
    hanging.behave(answer(204));
    const results = await Promise.all([hanging, ...Array(20).fill(good)].map(post));
    t.ok(results.every(({ outcome }) => outcome === 'delivered'));
    shutdown.abort();
    await Promise.all(slow);
    t.same(warnings, [], 'many requests with one signal are no leak');
  },
);

t.test('a shutdown or a close ends a request as aborted, not as failed', async (t) => {
  const { receiver, sender, send } = await start(t, { kind: 'hang' });
  const shutdown = new AbortController();
  const { signal } = shutdown;
  const [pending, other] = [send({ signal }), send()];
  const [, second] = [await receiver.request(1), await receiver.request(2)];
  shutdown.abort();
  const aborted = { outcome: 'aborted', statusCode: null, error: null };
  t.match(await pending, aborted);
  t.match(await send({ signal }), aborted, 'also beforehand');
  await sender.close();
  t.match(await other, aborted);
  await second.closed;
  t.match(await send(), aborted, 'nothing is sent afterwards');
  t.equal(receiver.requests.length, 2);
});

t.test('the connection refuses a target that is not public', async (t) => {
  const resolved: string[] = [];
  const { receiver, send } = await start(t, answer(204), {
    allowPrivateTargets: false,
    resolve: (hostname) => {
      resolved.push(hostname);
      return Promise.resolve(['8.8.8.8', '127.0.0.1']);
    },
  });
  const refused = failed('target_refused');
  t.match(await send(), refused, 'http to a loopback literal');
  t.match(await send({ url: 'https://127.0.0.1:8443/' }), refused, 'https to a loopback literal');
  t.same(resolved, [], 'without a DNS query');
  t.match(await send({ url: 'https://rebind.example.com/' }), refused, 'a name');
  t.same(resolved, ['rebind.example.com']);
  t.equal(receiver.connectionCount(), 0);
});

t.test('a host is dialled at the checked address, with the query and no fragment', async (t) => {
  const resolve = () => Promise.resolve(['127.0.0.1']);
  const { receiver, send } = await start(t, answer(204), { resolve });
  const host = `hooks.example.com:${receiver.port}`;
  t.match(await send({ url: `http://${host}/hook?tenant=a%20b#part` }), { outcome: 'delivered' });
  t.match(receiver.requests, [{ path: '/hook?tenant=a%20b', headers: { host } }]);
});

t.test(
  'an untrusted certificate is refused and proxy variables are ignored, whatever the environment',
  async (t) => {
    const untrusted = createServer(selfSigned, () => t.fail('it was trusted'));
    await once(untrusted.listen(0, '127.0.0.1'), 'listening');
    t.teardown(() => untrusted.close());
    const { receiver, send } = await start(t);
    const proxy = await startReceiver();
    t.teardown(() => proxy.close());
    setEnvironment(t, {
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
      NODE_USE_ENV_PROXY: '1',
      HTTP_PROXY: proxy.origin,
      http_proxy: proxy.origin,
      HTTPS_PROXY: proxy.origin,
      ALL_PROXY: proxy.origin,
    });
    for (const port of [(untrusted.address() as AddressInfo).port, receiver.port]) {
      t.match(await send({ url: `https://127.0.0.1:${port}/` }), failed('tls_failed'));
    }
    t.match(await send(), { outcome: 'delivered' });
    t.equal(receiver.requests.length, 1);
    t.equal(proxy.connectionCount(), 0);
  },
);
