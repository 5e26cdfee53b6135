import t from 'tap';
import { agent } from '../support/agents.js';
import { bookForm, postBook, tokenOf } from '../support/book-form.js';
import { standingClock } from '../support/clock.js';
import { assistant, claudeAddress, listPlatform } from '../support/platforms.js';
import { personNumber, someOpenSlots } from '../support/requests.js';
import { startService, uncapped } from '../support/service.js';

async function start(t: Parameters<typeof startService>[0], caps: Record<string, string>) {
  const environment = { ...uncapped, ...caps };
  const service = await startService(t, environment, { overrides: { clock: standingClock() } });
  service.expectLog(/"code":"too_many_pending_holds"/);
  const slots = await someOpenSlots(service.context, 80);
  const hold = (address: string) =>
    agent(service.app, { address }).hold(slots.shift()!, undefined, personNumber(slots.length));
  /** Holds one after the other; the number of those that were placed. */
  const placed = async (addresses: string[]) => {
    let count = 0;
    for (const address of addresses) count += Number((await hold(address)).statusCode === 201);
    return count;
  };
  return { ...service, slots, hold, placed };
}

/** Three /64s of one /48, each as often as an address may hold. */
function subnetsOf(network: string): string[] {
  return Array.from({ length: 15 }, (_, index) => `${network}:${Math.floor(index / 5) + 1}::1`);
}

const defaults = { MAX_PENDING_HOLDS: '30', MAX_PENDING_HOLDS_PER_CALLER: '10' };

void t.test('a /48 has 10 pending holds, and the last 10 of 30 are for newcomers', async (t) => {
  const { hold, placed } = await start(t, defaults);
  t.equal(await placed(subnetsOf('2001:db8:1')), 10);
  t.equal(await placed(subnetsOf('2001:db8:2')), 10);
  t.equal(await placed(subnetsOf('2001:db8:3')), 1, 'a newcomer gets one, and no second');
  const newcomers = Array.from({ length: 9 }, (_, index) => `192.0.2.${index + 1}`);
  t.equal(await placed(newcomers), 9);
  t.equal((await hold('198.51.100.1')).statusCode, 503, 'no place is left');
});

void t.test('Retry-After is at random, from the next expiry on', async (t) => {
  const { hold, placed, shiftClock } = await start(t, { MAX_PENDING_HOLDS_PER_CALLER: '2' });
  await placed(['192.0.2.1', '192.0.2.1']);
  for (const [minutes, earliest, latest] of [
    [0, 900, 900 + 450],
    [12, 180, 360],
    [14.5, 30, 90],
  ] as const) {
    await shiftClock(minutes * 60_000);
    const seconds = new Set<number>();
    for (let count = 0; count < 15; count += 1) {
      const refused = await hold('192.0.2.1');
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
  const { hold, placed, shiftClock } = await start(t, { MAX_PENDING_HOLDS: '6' });
  await placed(['192.0.2.1']);
  await shiftClock(5 * 60_000);
  t.equal(await placed([2, 3, 4, 5].map((last) => `192.0.2.${last}`)), 4);
  const seconds = Number((await hold('192.0.2.1')).headers['retry-after']);
  t.ok(seconds > 590 && seconds <= 600 + 450, `${seconds}`);
  await shiftClock(15 * 60_000);
  t.equal((await hold('192.0.2.1')).statusCode, 201);
});

void t.test('a hold that replaces one’s own counts as a newcomer’s, and once', async (t) => {
  const service = await start(t, { MAX_PENDING_HOLDS: '6', WRITES_PER_HOUR_ANONYMOUS: '9' });
  const { context, slots, placed } = service;
  const slot = slots.shift()!;
  const form = bookForm(slot);
  const cookie = tokenOf(await postBook(service, form, { address: '192.0.2.1' }));
  t.equal(await placed(['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4', '192.0.2.5']), 5);
  const replace = () =>
    postBook(
      service,
      { ...form, nonce: crypto.randomUUID(), action: 'replace' },
      { address: '192.0.2.1', cookie },
    );
  const answers = await Promise.all([replace(), replace(), replace()]);
  const statuses = answers.map(({ statusCode }) => statusCode).sort();
  t.strictSame(statuses, [303, 409, 409]);
  t.equal((await replace()).statusCode, 409, 'what was given up once makes no more room');
  const rows = await context.database.selectFrom('bookings').select('status').execute();
  t.equal(rows.filter(({ status }) => status === 'pending').length, 6);
});

void t.test('at a platform, a person is a newcomer, and who is not named is none', async (t) => {
  const service = await start(t, { MAX_PENDING_HOLDS: '6' });
  const { app, context, slots, placed } = service;
  await listPlatform(context);
  t.equal(await placed([1, 2, 3, 4].map((last) => `192.0.2.${last}`)), 4);
  t.equal(await placed([claudeAddress]), 0);
  const { hold } = assistant(app);
  const outcomes = [];
  for (const subject of ['ada', 'ada', 'grace']) {
    outcomes.push((await hold(slots.shift()!, subject, personNumber(slots.length))).outcome);
  }
  t.strictSame(outcomes, ['held', 'too_many_pending_holds', 'held']);
});

void t.test('four API keys of one address cannot exhaust the holds of the studio', async (t) => {
  const service = await start(t, { MAX_PENDING_HOLDS: '30', MAX_PENDING_HOLDS_PER_CALLER: '10' });
  const { app, slots, hold } = service;
  const address = '192.0.2.1';
  const callers = [agent(app, { address })];
  for (let minted = 0; minted < 4; minted += 1) {
    const answer = await agent(app, { address }).mintKey();
    callers.push(agent(app, { key: answer.json<{ data: { key: string } }>().data.key }));
  }
  let held = 0;
  for (const caller of callers) {
    for (let attempt = 0; attempt < 6; attempt += 1) {
      const { statusCode } = await caller.hold(
        slots.shift()!,
        undefined,
        personNumber(slots.length),
      );
      t.ok([201, 429, 503].includes(statusCode));
      if (statusCode === 201) held += 1;
    }
  }
  t.equal(held, 10, 'what one caller may hold');
  t.equal((await hold('192.0.2.2')).statusCode, 201);
});
