import type { LightMyRequestResponse } from 'fastify';
import t from 'tap';
import { agent, charged, newKey } from '../support/agents.js';
import { standingClock } from '../support/clock.js';
import { everyOpenSlot } from '../support/requests.js';
import { startService, uncapped } from '../support/service.js';

const clock = standingClock();
const service = await startService(t, uncapped, { overrides: { clock } });
const { app, context } = service;
const slots = await everyOpenSlot(context, 2);
const nextSlot = () => slots.shift()!;

let addresses = 0;
/** An address that no other test uses. */
const nextAddress = () => `198.18.${(addresses += 1)}.1`;
const nextAgent = () => agent(app, { address: nextAddress() });

/** Sends until a request is rejected; returns the number accepted, and the seconds to wait. */
async function untilRefused(send: () => Promise<LightMyRequestResponse>) {
  for (let accepted = 0; ; accepted += 1) {
    const answer = await send();
    if (answer.statusCode !== 429) continue;
    const seconds = Number(answer.headers['retry-after']);
    const error = { code: 'rate_limited', retry_after_seconds: seconds };
    t.match(answer.json(), { error });
    t.match(answer.headers['ratelimit'], new RegExp(`;r=0;t=${seconds}$`));
    return { accepted, seconds };
  }
}

type Client = { address: string; key?: string };

const html = { accept: 'text/html' };
const openPage = ({ address, key }: Client, headers = {}) => {
  const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const all = { ...headers, ...authorization };
  return app.inject({ url: '/checkout/unknown', headers: all, remoteAddress: address });
};
const subscribe = ({ address: remoteAddress }: Client) => {
  const payload = { url: 'https://8.8.8.8/' };
  return app.inject({ method: 'POST', url: '/api/public/webhooks', payload, remoteAddress });
};

/** A key counts for itself where the budget is the caller's, and buys nothing where it is the address's. */
const budgets: [
  name: string,
  caller: 'anonymous' | 'keyed',
  quota: number,
  windowSeconds: number,
  send: (client: Client) => Promise<LightMyRequestResponse>,
][] = [
  ['reads', 'anonymous', 60, 60, (client) => agent(app, client).read()],
  ['reads', 'keyed', 600, 60, (client) => agent(app, client).read()],
  ['holds', 'anonymous', 5, 3600, (client) => agent(app, client).hold(nextSlot())],
  ['holds', 'keyed', 30, 3600, (client) => agent(app, client).hold(nextSlot())],
  ['agent-keys', 'anonymous', 5, 3600, (client) => agent(app, client).mintKey()],
  ['agent-keys', 'keyed', 5, 3600, (client) => agent(app, client).mintKey()],
  ['webhooks', 'anonymous', 5, 3600, subscribe],
  ['pages', 'anonymous', 300, 60, openPage],
  ['pages', 'keyed', 300, 60, openPage],
];

for (const [name, caller, quota, windowSeconds, send] of budgets) {
  void t.test(`an ${caller} caller has ${quota} ${name}, again after Retry-After`, async (t) => {
    const key = caller === 'keyed' ? { key: (await newKey(app)).key } : {};
    const client = { address: nextAddress(), ...key };
    const first = await send(client);
    t.equal(charged(first), `${name} ${quota - 1}/${quota}`);
    t.match(first.headers['ratelimit-policy'], `;w=${windowSeconds}`);
    clock.advance(1_500);
    const { accepted, seconds } = await untilRefused(() => send(client));
    t.equal(accepted + 1, quota);
    t.equal(seconds, windowSeconds - 1);
    const other = await send({ address: nextAddress() });
    t.match(charged(other), new RegExp(`^${name} (\\d+)/`), 'another caller is not affected');
    t.not(other.statusCode, 429);
    if (name !== 'reads') t.equal((await agent(app, client).read()).statusCode, 200);
    if (name === 'reads') t.equal((await openPage(client)).statusCode, 404);
    clock.advance((seconds - 1) * 1000);
    t.equal((await send(client)).statusCode, 429, 'a second too early');
    clock.advance(1000);
    t.equal(charged(await send(client)), `${name} ${quota - 1}/${quota}`, 'in time');
  });
}

void t.test('a page that is refused says so to a person, and health checks go on', async (t) => {
  const client = { address: nextAddress() };
  await untilRefused(() => openPage(client));
  clock.advance(20_500);
  const refused = await openPage(client, html);
  const headers = { 'retry-after': '40', 'content-type': /html/ };
  t.match(refused, { statusCode: 429, headers, body: 'Please try again in a minute' });
  t.match(refused.body, /from your internet connection\. Please/, 'with one cause');
  const ask = (url: string) => app.inject({ url, remoteAddress: client.address });
  t.equal((await ask('/llms.txt')).statusCode, 429);
  t.equal((await ask('/healthz')).statusCode, 200);
});

void t.test('a key has budgets of its own from all addresses, as an address has', async (t) => {
  const [address, elsewhere] = [nextAddress(), nextAddress()];
  for (const { key } of [await newKey(app), await newKey(app)]) {
    const caller = agent(app, { key, address });
    t.equal(charged(await caller.read()), 'reads 599/600');
    t.equal(charged(await caller.hold(nextSlot())), 'holds 29/30');
    t.equal(charged(await agent(app, { key, address: elsewhere }).read()), 'reads 598/600');
  }
  t.equal(charged(await agent(app, { address }).read()), 'reads 59/60');
  t.equal(charged(await agent(app, { address }).hold(nextSlot())), 'holds 4/5');
});

void t.test('IPv6 addresses of one /64 share a budget, and IPv4 in IPv6 is IPv4', async (t) => {
  for (const [address, left] of [
    ['2001:db8:1:2::1', 59],
    ['2001:db8:1:2:ffff:ffff:ffff:ffff', 58],
    ['2001:0DB8:0001:0002:0:0:0:1', 57],
    ['2001:db8:1:3::1', 59],
    ['192.0.2.77', 59],
    ['::ffff:192.0.2.77', 58],
    ['::ffff:192.0.2.78', 59],
  ] as const) {
    t.equal(charged(await agent(app, { address }).read()), `reads ${left}/60`, address);
  }
});

void t.test('every request outside the interface costs a page, except health checks', async (t) => {
  const remoteAddress = nextAddress();
  // One line for each segment of a path, four characters deeper than its parent's.
  const tree = app.printRoutes({ commonPrefix: false, method: 'GET' }).trimEnd().split('\n');
  const parents: string[] = [];
  const paths = tree.map((line) => {
    const [, branch = '', segment = ''] = /^([^/\w.:*]*)(\S+)/.exec(line) ?? [];
    parents.splice(branch.length / 4 - 1, Infinity, segment);
    return parents.join('');
  });
  for (const known of ['/', '/present', '/checkout/:token/state', '/docs/']) {
    t.ok(paths.includes(known), known);
  }
  let pages = 300;
  for (const path of paths.filter((each) => !each.startsWith('/api/public/'))) {
    const url = path.replace(/[:*]\w*/, 'unknown');
    const answer = await app.inject({ url, headers: html, remoteAddress });
    if (['/healthz', '/readyz'].includes(path)) {
      t.notHas(answer.headers, { ratelimit: String }, path);
    } else {
      pages -= 1;
      t.equal(charged(answer), `pages ${pages}/300`, path);
    }
  }
  const post = await app.inject({ method: 'POST', url: '/checkout/unknown', remoteAddress });
  t.equal(charged(post), `pages ${pages - 1}/300`, 'refused ones too');
  const long = await app.inject({ url: `/checkout/${'x'.repeat(5_000)}`, remoteAddress });
  t.equal(charged(long), `pages ${pages - 2}/300`, 'and those refused before they arrive there');
  const unknown = await app.inject({ url: '/nowhere', remoteAddress });
  t.equal(charged(unknown), `pages ${pages - 3}/300`, 'and what is no page');
  const preflight = { method: 'OPTIONS', url: '/api/public/studio', remoteAddress } as const;
  t.equal((await app.inject(preflight)).headers['ratelimit'], undefined, 'a preflight is free');
});

void t.test('an invalid hold costs a read and no write', async (t) => {
  const caller = nextAgent();
  t.equal(charged(await caller.brokenHold()), 'reads 59/60');
  t.equal(charged(await caller.hold(nextSlot())), 'holds 4/5');
  t.equal((await untilRefused(() => caller.brokenHold())).accepted, 59);
  t.equal(charged(await caller.hold(nextSlot())), 'holds 3/5', 'a good one needs no read');
});

void t.test('a replay and a reused key cost a read, a taken slot costs a write', async (t) => {
  const caller = nextAgent();
  const slot = nextSlot();
  t.equal(charged(await caller.hold(slot, 'one')), 'holds 4/5');
  for (const [answer, status, cost] of [
    [await caller.hold(slot, 'one'), 201, 'reads 59/60'],
    [await caller.hold(nextSlot(), 'one'), 400, 'reads 58/60'],
    [await caller.hold(slot), 409, 'holds 3/5'],
  ] as const) {
    t.equal(answer.statusCode, status);
    t.equal(charged(answer), cost);
  }
});

void t.test('a replay is answered when the holds are used up, within a limit', async (t) => {
  const caller = nextAgent();
  const slot = nextSlot();
  await caller.hold(slot, 'kept');
  await untilRefused(() => caller.hold(nextSlot()));
  t.equal((await caller.hold(slot, 'kept')).statusCode, 201);
  const refused = nextSlot();
  for (let time = 0; time < 59; time += 1) {
    t.equal(charged(await caller.hold(refused, `new ${time}`)), 'holds 0/5');
  }
  t.equal((await caller.hold(slot, 'kept')).statusCode, 429);
  t.equal(charged(await caller.read()), 'reads 58/60', 'what was refused cost nothing');
});

void t.test('an internal error refunds the write and costs a read', async (t) => {
  service.expectLog(/"code":"internal_error"/);
  const caller = nextAgent();
  const slot = nextSlot();
  const { database } = context;
  context.database = undefined as never;
  const failed = await caller.hold(slot);
  t.equal(failed.statusCode, 500);
  t.equal(charged(failed), 'reads 59/60');
  await untilRefused(() => caller.read());
  t.equal(charged(await caller.hold(slot)), 'holds 4/5', 'without a read left, it costs the write');
  context.database = database;
  t.equal(charged(await caller.hold(slot)), 'holds 3/5');
});
