import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { createSender, type SendRequest, type SendResult } from '../../src/webhooks/send.js';
import { createSigningSecret } from '../../src/security/signing-secret.js';
import { signDelivery } from '../../src/webhooks/sign.js';
import { answer, startReceiver, type Behaviour } from '../support/receiver.js';
import { selfSigned } from '../support/self-signed.js';
import { Webhook } from 'standardwebhooks';

const clock = { now: () => Date.UTC(2026, 10, 21, 12, 0, 0) };

/** A receiver and a sender that may reach it, both gone when the test ends. */
async function setUp(
  t: Test,
  {
    behaviour = answer(204),
    wholeSeconds = 15,
    resolve,
    allowPrivateTargets = true,
  }: {
    behaviour?: Behaviour;
    wholeSeconds?: number;
    resolve?: (hostname: string) => Promise<string[]>;
    allowPrivateTargets?: boolean;
  } = {},
) {
  const receiver = await startReceiver(behaviour);
  const timeouts = { connectSeconds: 5, wholeSeconds };
  const sender = createSender({
    allowPrivateTargets,
    clock,
    timeouts,
    ...(resolve && { resolve }),
  });
  t.teardown(() => Promise.all([sender.close(), receiver.close()]));
  const send = (request: Partial<SendRequest> = {}): Promise<SendResult> =>
    sender.send({ url: `${receiver.origin}/hook`, headers: {}, body: '{}', ...request });
  return { receiver, sender, send };
}

t.test('the bytes that arrive are those that were signed, also with non-ASCII text', async (t) => {
  const { receiver, send } = await setUp(t);
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

t.test('a query is sent along, a fragment is not', async (t) => {
  const { receiver, send } = await setUp(t);
  await send({ url: `${receiver.origin}/hook?tenant=a%20b#part` });
  t.equal(receiver.requests[0]?.path, '/hook?tenant=a%20b');
});

t.test('any 2xx is a delivery, anything else a failure that says its status', async (t) => {
  const { receiver, send } = await setUp(t);
  for (const statusCode of [200, 201, 202, 204, 299]) {
    receiver.behave(answer(statusCode));
    t.match(await send(), { outcome: 'delivered', statusCode, error: null });
  }
  for (const statusCode of [400, 401, 404, 410, 429, 500, 503, 599]) {
    receiver.behave(answer(statusCode));
    t.match(await send(), { outcome: 'failed', statusCode, error: 'status' });
  }
});

t.test('a redirect, also to the metadata address, is a failure and not followed', async (t) => {
  const { receiver, send } = await setUp(t);
  for (const statusCode of [301, 302, 303, 307, 308]) {
    for (const location of ['http://169.254.169.254/latest/meta-data/', `${receiver.origin}/b`]) {
      receiver.behave(answer(statusCode, { location }));
      t.match(await send(), { outcome: 'failed', statusCode, error: 'redirect' });
    }
  }
  t.equal(receiver.requests.length, 10);
  t.ok(receiver.requests.every(({ path }) => path === '/hook'));
});

t.test('Retry-After counts on 429 and 503 only', async (t) => {
  const { receiver, send } = await setUp(t);
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

t.test('connections are kept: deliveries one after the other open no more than two', async (t) => {
  const { receiver, send } = await setUp(t, { behaviour: answer(200, {}, 'x'.repeat(19_000)) });
  for (let count = 0; count < 20; count += 1) await send();
  t.equal(receiver.requests.length, 20);
  t.ok(receiver.connectionCount() <= 2, `${receiver.connectionCount()} connections`);
});

t.test('a receiver that hangs is given up after the whole time, and cut', async (t) => {
  const { receiver, send } = await setUp(t, { behaviour: { kind: 'hang' }, wholeSeconds: 0.2 });
  const result = await send();
  t.match(result, { outcome: 'failed', statusCode: null, error: 'timeout' });
  t.ok(result.durationMs >= 190 && result.durationMs < 2000, `${result.durationMs} ms`);
  await receiver.requests[0]?.closed;
});

t.test('a receiver that drips its headers is given up after the whole time', async (t) => {
  const behaviour: Behaviour = { kind: 'drip head', everyMs: 5 };
  const { receiver, send } = await setUp(t, { behaviour, wholeSeconds: 0.2 });
  const result = await send();
  t.match(result, { outcome: 'failed', statusCode: null, error: 'timeout' });
  t.ok(result.durationMs < 2000, `${result.durationMs} ms`);
  await receiver.requests[0]?.closed;
});

t.test('a receiver that drips its body has answered; it is cut all the same', async (t) => {
  const behaviour: Behaviour = { kind: 'drip body', status: 200, everyMs: 5 };
  const { receiver, send } = await setUp(t, { behaviour, wholeSeconds: 0.2 });
  const result = await send();
  t.match(result, { outcome: 'delivered', statusCode: 200 });
  t.ok(result.durationMs < 2000, `${result.durationMs} ms`);
  await receiver.requests[0]?.closed;
});

t.test('of a gigabyte no more than the limit is read, then the connection is cut', async (t) => {
  for (const status of [200, 500]) {
    const { receiver, send } = await setUp(t, { behaviour: { kind: 'gigabyte', status } });
    const result = await send();
    t.match(result, { outcome: status === 200 ? 'delivered' : 'failed', statusCode: status });
    await receiver.requests[0]?.closed;
    // What the kernels' buffers on both sides swallow is more than what is read.
    t.ok(receiver.bodyBytesSent() < 20_000_000, `${receiver.bodyBytesSent()} bytes`);
    t.ok(result.durationMs < 5000, `${result.durationMs} ms`);
  }
});

t.test('a reset, a refusal and nonsense are failures with a name', async (t) => {
  const { receiver, send } = await setUp(t, { behaviour: { kind: 'reset' } });
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
});

t.test('others get theirs while receivers hang, drip, pour and reset', async (t) => {
  const { receiver: hanging, sender } = await setUp(t, {
    behaviour: { kind: 'hang' },
    wholeSeconds: 1,
  });
  const dripping = await startReceiver({ kind: 'drip head', everyMs: 5 });
  const pouring = await startReceiver({ kind: 'gigabyte', status: 200 });
  const good = await startReceiver();
  t.teardown(() => Promise.all([dripping, pouring, good].map((each) => each.close())));
  const post = (origin: string): Promise<SendResult> =>
    sender.send({ url: origin, headers: {}, body: '{}' });

  const bad = [hanging, dripping, pouring].flatMap((each) => [
    post(each.origin),
    post(each.origin),
  ]);
  await Promise.all([hanging.request(2), dripping.request(2)]);
  const results = await Promise.all(Array.from({ length: 20 }, () => post(good.origin)));
  for (const { outcome, durationMs } of results) {
    t.equal(outcome, 'delivered');
    t.ok(durationMs < 1000, `${durationMs} ms`);
  }
  await Promise.all(bad);
});

t.test('a receiver with many slow requests does not delay a neighbour at its origin', async (t) => {
  const { receiver, send } = await setUp(t, { behaviour: { kind: 'hang' }, wholeSeconds: 1 });
  const slow = Array.from({ length: 39 }, () => send());
  await receiver.request(39);
  receiver.behave(answer(204));
  t.match(await send(), { outcome: 'delivered' });
  await Promise.all(slow);
});

t.test('a shutdown aborts, which is no failure of the receiver', async (t) => {
  const { receiver, send } = await setUp(t, { behaviour: { kind: 'hang' } });
  const shutdown = new AbortController();
  const pending = send({ signal: shutdown.signal });
  await receiver.request(1);
  shutdown.abort();
  t.match(await pending, { outcome: 'aborted', statusCode: null, error: null });
  t.match(await send({ signal: shutdown.signal }), { outcome: 'aborted' }, 'also beforehand');
  t.equal(receiver.requests.length, 1);
});

t.test('one shutdown signal serves many sends at once without a warning', async (t) => {
  const { send } = await setUp(t);
  const warnings: Error[] = [];
  const onWarning = (warning: Error): void => void warnings.push(warning);
  process.on('warning', onWarning);
  t.teardown(() => process.off('warning', onWarning));
  const { signal } = new AbortController();
  const results = await Promise.all(Array.from({ length: 30 }, () => send({ signal })));
  t.ok(results.every(({ outcome }) => outcome === 'delivered'));
  t.same(warnings, []);
});

t.test('closing the sender aborts what is being sent and drops connections', async (t) => {
  const { receiver, sender, send } = await setUp(t, { behaviour: { kind: 'hang' } });
  const pending = send();
  const request = await receiver.request(1);
  await sender.close();
  t.match(await pending, { outcome: 'aborted' });
  await request.closed;
  t.match(await send(), { outcome: 'aborted' }, 'nothing is sent afterwards');
  t.equal(receiver.requests.length, 1);
});

t.test('a target that is not public is refused inside the connection', async (t) => {
  const resolved: string[] = [];
  const { receiver, send } = await setUp(t, {
    allowPrivateTargets: false,
    resolve: (hostname) => {
      resolved.push(hostname);
      return Promise.resolve(['8.8.8.8', '127.0.0.1']);
    },
  });
  const refused = { outcome: 'failed', statusCode: null, error: 'target_refused' };
  t.match(await send(), refused, 'http to a loopback literal');
  t.match(await send({ url: `https://127.0.0.1:8443/` }), refused, 'https to a loopback literal');
  t.same(resolved, [], 'without a question');
  t.match(await send({ url: 'https://rebind.example.com/' }), refused, 'a name');
  t.same(resolved, ['rebind.example.com']);
  t.equal(receiver.connectionCount(), 0);
});

t.test('a name is dialled at the addresses that were judged', async (t) => {
  const { receiver, send } = await setUp(t, { resolve: () => Promise.resolve(['127.0.0.1']) });
  const url = `http://hooks.example.com:${receiver.port}/`;
  t.match(await send({ url }), { outcome: 'delivered' });
  t.equal(receiver.requests[0]?.headers['host'], `hooks.example.com:${receiver.port}`);
});

t.test('trouble with names is a failure with a name, and bounded', async (t) => {
  for (const code of ['ENOTFOUND', 'EAI_AGAIN', 'ESERVFAIL', 'ETIMEOUT']) {
    const resolve = (): Promise<string[]> =>
      Promise.reject(Object.assign(new Error(code), { code }));
    const { send } = await setUp(t, { resolve });
    const result = await send({ url: 'http://hooks.example.com/' });
    t.match(result, { outcome: 'failed', error: 'dns_failed' }, code);
  }
});

t.test('a connection that is not there in time is given up', async (t) => {
  const sender = createSender({
    allowPrivateTargets: true,
    clock,
    resolve: () => new Promise(() => undefined),
    timeouts: { connectSeconds: 0.1, wholeSeconds: 15 },
  });
  t.teardown(() => sender.close());
  const url = 'http://hooks.example.com/';
  const result = await sender.send({ url, headers: {}, body: '{}' });
  t.match(result, { outcome: 'failed', statusCode: null, error: 'connect_timeout' });
  t.ok(result.durationMs < 5000, `${result.durationMs} ms`);
});

t.test('a certificate that nobody vouches for is refused, whatever the environment', async (t) => {
  let requestCount = 0;
  const server = createTlsServer(selfSigned, (_request, response) => {
    requestCount += 1;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { sender, receiver } = await setUp(t);
  t.teardown(() => server.close());
  const { NODE_TLS_REJECT_UNAUTHORIZED: before } = process.env;
  t.teardown(() => {
    if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
  });
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
  for (const url of [`https://127.0.0.1:${port}/`, `https://127.0.0.1:${receiver.port}/`]) {
    const result = await sender.send({ url, headers: {}, body: '{}' });
    t.match(result, { outcome: 'failed', statusCode: null, error: 'tls_failed' });
  }
  t.equal(requestCount, 0);
});

t.test('proxy variables have no say', async (t) => {
  const { receiver, send } = await setUp(t);
  const proxy = await startReceiver();
  const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];
  const before = names.map((name) => process.env[name]);
  t.teardown(async () => {
    names.forEach((name, index) => {
      const value = before[index];
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    });
    await proxy.close();
  });
  for (const name of names) process.env[name] = name.startsWith('NODE') ? '1' : proxy.origin;
  t.match(await send(), { outcome: 'delivered' });
  t.equal(receiver.requests.length, 1);
  t.equal(proxy.connectionCount(), 0);
});
