import t from 'tap';
import type { Slot } from '../../src/calendar/slots.js';
import { agent, charged, newKey, type Agent } from '../support/agents.js';
import { standingClock } from '../support/clock.js';
import { personNumber, someOpenSlots } from '../support/requests.js';
import { startTestService, uncapped } from '../support/service.js';

async function start(t: Parameters<typeof startTestService>[0], slotCount = 40) {
  const clock = standingClock();
  const service = await startTestService(t, uncapped, { clock });
  const slots = await someOpenSlots(service.context, slotCount);
  const nextSlot = () => slots.shift() as Slot;
  return { ...service, clock, nextSlot };
}

/** Sends until a request is rejected; returns the number accepted, and the rejection. */
async function untilRefused(send: () => ReturnType<Agent['read']>) {
  for (let accepted = 0; ; accepted += 1) {
    const answer = await send();
    if (answer.statusCode === 429) {
      t.equal(answer.json<{ error: { code: string } }>().error.code, 'rate_limited');
      const seconds = Number(answer.headers['retry-after']);
      t.match(answer.headers['ratelimit'], new RegExp(`;r=0;t=${seconds}$`));
      t.equal(
        answer.json<{ error: { retry_after_seconds: number } }>().error.retry_after_seconds,
        seconds,
      );
      return { accepted, seconds };
    }
  }
}

for (const level of ['anonymous', 'keyed'] as const) {
  const [reads, holds] = level === 'anonymous' ? [60, 5] : [600, 30];
  void t.test(
    `the ${reads + 1}st read and the ${holds + 1}th hold of an ${level} caller get 429, and succeed after exactly Retry-After`,
    async (t) => {
      const { app, clock, nextSlot } = await start(t, 70);
      const caller = agent(app, level === 'keyed' ? { key: (await newKey(app)).key } : {});
      for (const [budget, send, windowSeconds] of [
        [reads, () => caller.read(), 60],
        [holds, () => caller.hold(nextSlot()), 3600],
      ] as const) {
        const first = await send();
        t.equal(charged(first).split(' ')[1], `${budget - 1}/${budget}`);
        clock.advance(1_500);
        const { accepted, seconds } = await untilRefused(send);
        t.equal(accepted + 1, budget);
        t.equal(seconds, windowSeconds - 1);
        clock.advance((seconds - 1) * 1000);
        t.equal((await send()).statusCode, 429, 'a second too early');
        clock.advance(1000);
        t.equal(Math.floor((await send()).statusCode / 100), 2, 'in time');
      }
    },
  );
}

void t.test('the limit of one caller does not affect another', async (t) => {
  const { app, nextSlot } = await start(t);
  await untilRefused(() => agent(app).read());
  await untilRefused(() => agent(app).hold(nextSlot()));
  const stranger = agent(app, { address: '192.0.2.2' });
  t.equal(charged(await stranger.read()), 'reads 59/60');
  t.equal(charged(await stranger.hold(nextSlot())), 'holds 4/5');
});

void t.test('two keys from one address have two budgets, and the address a third', async (t) => {
  const { app, nextSlot } = await start(t);
  const callers = [
    agent(app, { key: (await newKey(app)).key }),
    agent(app, { key: (await newKey(app)).key }),
  ];
  for (const caller of callers) {
    t.equal(charged(await caller.read()), 'reads 599/600');
    t.equal(charged(await caller.hold(nextSlot())), 'holds 29/30');
  }
  t.equal(charged(await agent(app).read()), 'reads 59/60');
  t.equal(charged(await agent(app).hold(nextSlot())), 'holds 4/5');
});

void t.test('a key has one budget from all addresses', async (t) => {
  const { app } = await start(t);
  const { key } = await newKey(app);
  t.equal(charged(await agent(app, { key, address: '192.0.2.8' }).read()), 'reads 599/600');
  t.equal(charged(await agent(app, { key, address: '192.0.2.9' }).read()), 'reads 598/600');
});

void t.test(
  'the sixth key minted from one address within an hour gets 429, and the holds are untouched',
  async (t) => {
    const { app, clock, nextSlot } = await start(t);
    const caller = agent(app);
    const { accepted, seconds } = await untilRefused(() => caller.mintKey());
    t.strictSame([accepted, seconds], [5, 3600]);
    t.equal(charged(await caller.hold(nextSlot())), 'holds 4/5');
    t.equal(charged(await caller.read()), 'reads 59/60');

    const keyed = agent(app, { key: (await newKey(app)).key });
    t.equal((await keyed.mintKey()).statusCode, 429, 'a key buys no further keys');
    clock.advance(3_600_000);
    t.equal((await caller.mintKey()).statusCode, 201);
  },
);

void t.test('IPv6 addresses of one /64 share a budget, and IPv4 in IPv6 is IPv4', async (t) => {
  const { app } = await start(t);
  const read = async (address: string) => charged(await agent(app, { address }).read());
  t.equal(await read('2001:db8:1:2::1'), 'reads 59/60');
  t.equal(await read('2001:db8:1:2:ffff:ffff:ffff:ffff'), 'reads 58/60');
  t.equal(await read('2001:0DB8:0001:0002:0:0:0:1'), 'reads 57/60');
  t.equal(await read('2001:db8:1:3::1'), 'reads 59/60');
  t.equal(await read('192.0.2.77'), 'reads 59/60');
  t.equal(await read('::ffff:192.0.2.77'), 'reads 58/60');
  t.equal(await read('::ffff:192.0.2.78'), 'reads 59/60');
});

void t.test('an invalid hold costs a read and no write', async (t) => {
  const { app, nextSlot } = await start(t);
  const caller = agent(app);
  t.equal(charged(await caller.brokenHold()), 'reads 59/60');
  const post = { method: 'POST', url: '/api/public/holds', remoteAddress: '192.0.2.1' } as const;
  for (const [headers, payload, status] of [
    [{ 'content-type': 'application/json' }, '{', 400],
    [{ 'content-type': 'text/plain' }, 'x', 415],
    [{ 'content-type': 'application/json' }, `"${'x'.repeat(70_000)}"`, 413],
  ] as const) {
    const answer = await app.inject({ ...post, headers, payload });
    t.equal(answer.statusCode, status);
    t.match(charged(answer), /^reads/);
  }
  t.equal(charged(await caller.hold(nextSlot())), 'holds 4/5');

  t.equal((await untilRefused(() => caller.brokenHold())).accepted, 56);
  t.equal(charged(await caller.hold(nextSlot())), 'holds 3/5', 'a good one needs no read');
});

void t.test(
  'an unknown path and an unknown method cost a read; a preflight costs nothing',
  async (t) => {
    const { app } = await start(t);
    const send = (method: 'GET' | 'PUT' | 'OPTIONS', url: string) => app.inject({ method, url });
    t.equal(charged(await send('GET', '/api/public/nowhere')), 'reads 59/60');
    t.equal(charged(await send('PUT', '/api/public/studio')), 'reads 58/60');
    t.equal((await send('OPTIONS', '/api/public/studio')).headers['ratelimit'], undefined);
    t.equal((await send('GET', '/nowhere')).headers['ratelimit'], undefined);
    t.equal(charged(await send('GET', '/api/public/studio')), 'reads 57/60');
  },
);

void t.test('a replay and a reused key cost a read, a taken slot costs a write', async (t) => {
  const { app, nextSlot } = await start(t);
  const caller = agent(app);
  const slot = nextSlot();
  t.equal(charged(await caller.hold(slot, 'one')), 'holds 4/5');
  const replay = await caller.hold(slot, 'one');
  t.equal(replay.headers['idempotency-replayed'], 'true');
  t.equal(charged(replay), 'reads 59/60');
  const reused = await caller.hold(nextSlot(), 'one');
  t.equal(reused.statusCode, 400);
  t.equal(charged(reused), 'reads 58/60');
  const taken = await caller.hold(slot);
  t.equal(taken.statusCode, 409);
  t.equal(charged(taken), 'holds 3/5');
});

void t.test('twenty concurrent requests with one key cost one write', async (t) => {
  const { app, nextSlot } = await start(t);
  const caller = agent(app);
  const slot = nextSlot();
  const twins = await Promise.all(Array.from({ length: 20 }, () => caller.hold(slot, 'twins')));
  t.ok(twins.every(({ statusCode }) => statusCode === 201));
  t.equal(twins.filter((twin) => charged(twin).startsWith('holds')).length, 1);
  t.equal(charged(await caller.hold(nextSlot())), 'holds 3/5');
  t.equal(charged(await caller.read()), 'reads 40/60');
});

void t.test('a replay is answered when the holds are used up, within a limit', async (t) => {
  const { app, nextSlot } = await start(t);
  const caller = agent(app);
  const slot = nextSlot();
  await caller.hold(slot, 'kept');
  await untilRefused(() => caller.hold(nextSlot()));
  t.equal((await caller.hold(slot, 'kept')).statusCode, 201);
  const refused = nextSlot();
  for (let time = 0; time < 59; time += 1) {
    const answer = await caller.hold(refused, `new ${time}`);
    t.equal(charged(answer), 'holds 0/5');
  }
  t.equal((await caller.hold(slot, 'kept')).statusCode, 429);
  t.equal(charged(await caller.read()), 'reads 58/60', 'what was refused cost nothing');
});

void t.test('an internal error refunds the write and costs a read', async (t) => {
  const { app, context, nextSlot, expectLog } = await start(t);
  expectLog(/"code":"internal_error"/);
  const caller = agent(app);
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

void t.test('four API keys of one address cannot exhaust the cap of the studio', async (t) => {
  const { app, context, expectLog } = await startTestService(t, {});
  expectLog(/"code":"too_many_pending_holds"/);
  const slots = await someOpenSlots(context, 70);
  const callers = [agent(app)];
  for (let minted = 0; minted < 4; minted += 1) {
    const answer = await agent(app).mintKey();
    callers.push(agent(app, { key: answer.json<{ data: { key: string } }>().data.key }));
  }
  let held = 0;
  for (const caller of callers) {
    for (let attempt = 0; attempt < 12; attempt += 1) {
      const slot = slots.shift()!;
      const { statusCode } = await caller.hold(slot, undefined, personNumber(slots.length));
      t.ok([201, 429, 503].includes(statusCode));
      if (statusCode === 201) held += 1;
    }
  }
  t.equal(held, 10, 'what one caller may hold, of the thirty that all may');
  const stranger = agent(app, { address: '192.0.2.2' });
  t.equal((await stranger.hold(slots.shift()!)).statusCode, 201);
});
