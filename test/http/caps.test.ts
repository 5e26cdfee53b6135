import type { LightMyRequestResponse } from 'fastify';
import t, { type Test } from 'tap';
import { revokeApiKeys } from '../../src/access/api-keys.js';
import { agent, checkoutTokenOf, newKey } from '../support/agents.js';
import { bookForm, postBook, tokenOf } from '../support/book-form.js';
import { releaseCheckout } from '../support/checkouts.js';
import { assistant, claudeAddress, listPlatform } from '../support/platforms.js';
import { personNumber, someOpenSlots } from '../support/requests.js';
import { generous, startService, type TestService } from '../support/service.js';
import { ask } from '../support/webhook-requests.js';

type Place = (address: string) => Promise<LightMyRequestResponse>;

interface Cap {
  what: string;
  limit: number;
  environment?: Record<string, string>;
  /** Prepares to place one more with each call. */
  start(service: TestService): Place | Promise<Place>;
  end(service: TestService, placed: LightMyRequestResponse): Promise<unknown>;
  refusal: { statusCode: number; headers?: Record<string, string>; body: string | RegExp };
}

const holds: Pick<Cap, 'limit' | 'start' | 'end'> = {
  limit: 4,
  async start({ app, context }) {
    const slots = await someOpenSlots(context, 20);
    return (address) =>
      agent(app, { address }).hold(slots.shift()!, undefined, personNumber(slots.length));
  },
  end: ({ context }, placed) => releaseCheckout(context, checkoutTokenOf(placed), 'pending'),
};

const data = (answer: LightMyRequestResponse) =>
  answer.json<{ data: { id: string; manage_token: string } }>().data;

const caps: Cap[] = [
  {
    what: 'pending holds',
    ...holds,
    environment: { MAX_PENDING_HOLDS_PER_CALLER: '4' },
    refusal: { statusCode: 503, body: 'too_many_pending_holds' },
  },
  {
    what: 'live bookings',
    ...holds,
    environment: { MAX_LIVE_BOOKINGS_PER_CALLER: '4' },
    refusal: {
      statusCode: 429,
      headers: { 'retry-after': '3600' },
      body: /rate_limited.* Or give the person http\S+\/book\?date=\S+, where they hold/,
    },
  },
  {
    what: 'webhooks',
    limit: 10,
    start({ app }) {
      let target = 0;
      return (remoteAddress) => {
        const payload = { url: `https://8.8.8.${(target += 1)}/` };
        return app.inject({ method: 'POST', url: '/api/public/webhooks', payload, remoteAddress });
      };
    },
    end: (service, placed) => ask(service, 'DELETE', { token: data(placed).manage_token }),
    refusal: { statusCode: 429, body: /rate_limited.*IPv6 network \(\/48\).* 10 live webhook/ },
  },
  {
    what: 'API keys',
    limit: 20,
    start:
      ({ app }) =>
      (address) =>
        agent(app, { address }).mintKey(),
    end: ({ context }, placed) => revokeApiKeys(context, 'test', [data(placed).id]),
    refusal: {
      statusCode: 429,
      headers: { 'retry-after': '86400' },
      body: /rate_limited.*has 20 API keys/,
    },
  },
];

const capReached =
  /too_many_pending_holds|live bookings as one may place|the limit of live API keys/;

for (const { what, limit, environment, start, end, refusal } of caps) {
  void t.test(`an address or a /48 has ${limit} ${what}; one that ends makes room`, async (t) => {
    const service = await startService(t, { ...generous, ...environment });
    service.expectLog(capReached);
    const place = await start(service);
    const statusFrom = async (address: string) => (await place(address)).statusCode;
    const answers = await Promise.all(
      Array.from({ length: limit + 4 }, (_, subnet) => place(`2001:db8:1:${subnet}::1`)),
    );
    const placed = answers.filter(({ statusCode }) => statusCode === 201);
    t.equal(placed.length, limit);
    for (const answer of answers) if (!placed.includes(answer)) t.match(answer, refusal);
    t.equal(await statusFrom('2001:db8:2::1'), 201, 'another /48');
    for (let count = 0; count < limit; count += 1) {
      t.equal(await statusFrom(count === 0 ? '::ffff:192.0.2.9' : '192.0.2.9'), 201);
    }
    t.equal(await statusFrom('192.0.2.9'), refusal.statusCode);
    t.equal(await statusFrom('192.0.2.10'), 201, 'another IPv4 address');

    await end(service, placed[0]!);
    t.equal(await statusFrom('2001:db8:1:99::1'), 201);
    t.equal(await statusFrom('2001:db8:1:99::1'), refusal.statusCode);
  });
}

async function startWithHolds(t: Test, caps: Record<string, string>) {
  const service = await startService(t, { ...generous, ...caps });
  service.expectLog(capReached);
  const slots = await someOpenSlots(service.context, 60);
  /** From the IPv4 address with that last number. */
  const hold = (network: number) =>
    agent(service.app, { address: `192.0.2.${network}` }).hold(
      slots.shift()!,
      undefined,
      personNumber(slots.length),
    );
  const place = async (...networks: number[]) => {
    for (const network of networks) t.equal((await hold(network)).statusCode, 201);
  };
  return { ...service, slots, hold, place };
}

void t.test('Retry-After is at random, from the next expiry on', async (t) => {
  const { hold, place, shiftClock } = await startWithHolds(t, {
    MAX_PENDING_HOLDS_PER_CALLER: '2',
  });
  await place(1, 1);
  for (const [minutes, earliest, latest] of [
    [0, 900, 900 + 450],
    [12, 180, 360],
    [14.5, 30, 90],
  ] as const) {
    await shiftClock(minutes * 60_000);
    const seconds = new Set<number>();
    for (let count = 0; count < 15; count += 1) {
      const refused = await hold(1);
      t.equal(refused.statusCode, 503);
      seconds.add(Number(refused.headers['retry-after']));
    }
    // The database's clock runs on during the test.
    const isWithin = (value: number) => value >= earliest - 10 && value <= latest;
    t.ok([...seconds].every(isWithin), `${minutes} minutes later: ${[...seconds].join(' ')}`);
    t.ok(seconds.size > 5, 'a crowd comes back spread');
  }
});

void t.test('a network waits for its own hold to lapse, if that is sooner', async (t) => {
  const { hold, place, shiftClock } = await startWithHolds(t, { MAX_PENDING_HOLDS: '6' });
  await place(1);
  await shiftClock(5 * 60_000);
  await place(2, 3, 4, 5);
  const seconds = Number((await hold(1)).headers['retry-after']);
  t.ok(seconds > 590 && seconds <= 600 + 450, `${seconds}`);
  await shiftClock(15 * 60_000);
  await place(1);
});

void t.test(
  'the studio has no more pending holds in all, and a key no more from many networks',
  async (t) => {
    const { hold, place } = await startWithHolds(t, { MAX_PENDING_HOLDS: '6' });
    await place(1, 2, 3, 4, 5, 6);
    t.equal((await hold(7)).statusCode, 503, 'also of a newcomer');

    const { app, slots } = await startWithHolds(t, { MAX_PENDING_HOLDS_PER_CALLER: '2' });
    const [one, other] = [await newKey(app), await newKey(app)];
    const holdFrom = async (address: string, { key }: { key: string }) => {
      const caller = agent(app, { address, key });
      return (await caller.hold(slots.shift()!, undefined, personNumber(slots.length))).statusCode;
    };
    t.equal(await holdFrom('192.0.2.1', one), 201);
    t.equal(await holdFrom('192.0.2.2', one), 201);
    t.equal(await holdFrom('192.0.2.3', one), 503);
    t.equal(await holdFrom('192.0.2.3', other), 201);
  },
);

void t.test('a hold that replaces one’s own counts as a newcomer’s, and once', async (t) => {
  const service = await startWithHolds(t, { MAX_PENDING_HOLDS: '6' });
  const { context, slots, place } = service;
  const form = bookForm(slots.shift()!);
  const cookie = tokenOf(await postBook(service, form));
  await place(1, 2, 3, 4);
  // Of the same network.
  const ofOwn = agent(service.app, { address: '127.0.0.1' });
  t.equal((await ofOwn.hold(slots.shift()!, undefined, personNumber(90))).statusCode, 201);
  const replace = () =>
    postBook(service, { ...form, nonce: crypto.randomUUID(), action: 'replace' }, { cookie });
  const answers = await Promise.all([replace(), replace(), replace()]);
  t.strictSame(answers.map(({ statusCode }) => statusCode).sort(), [303, 409, 409]);
  t.equal((await replace()).statusCode, 409, 'what was given up once makes no more room');
  const rows = await context.database.selectFrom('bookings').select('status').execute();
  t.equal(rows.filter(({ status }) => status === 'pending').length, 6);
});

void t.test('at a platform, a person is a newcomer, and who is not named is none', async (t) => {
  const { app, context, slots, place } = await startWithHolds(t, { MAX_PENDING_HOLDS: '6' });
  await listPlatform(context);
  await place(1, 2, 3, 4);
  const ofNobody = agent(app, { address: claudeAddress });
  t.equal((await ofNobody.hold(slots.shift()!, undefined, personNumber(30))).statusCode, 503);
  const { hold } = assistant(app);
  const outcomes = [];
  for (const subject of ['ada', 'ada', 'grace']) {
    outcomes.push((await hold(slots.shift()!, subject, personNumber(slots.length))).outcome);
  }
  t.strictSame(outcomes, ['held', 'too_many_pending_holds', 'held']);
});
