import t from 'tap';
import { agent } from '../support/agents.js';
import { bookForm, postBook, tokenOf } from '../support/book-form.js';
import { assistant, claudeAddress, listPlatform } from '../support/platforms.js';
import { personNumber, someOpenSlots } from '../support/requests.js';
import { generous, startService } from '../support/service.js';

async function start(t: Parameters<typeof startService>[0], caps: Record<string, string>) {
  const service = await startService(t, { ...generous, ...caps });
  service.expectLog(/"code":"too_many_pending_holds"/);
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
  const { hold, place, shiftClock } = await start(t, { MAX_PENDING_HOLDS_PER_CALLER: '2' });
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
  const { hold, place, shiftClock } = await start(t, { MAX_PENDING_HOLDS: '6' });
  await place(1);
  await shiftClock(5 * 60_000);
  await place(2, 3, 4, 5);
  const seconds = Number((await hold(1)).headers['retry-after']);
  t.ok(seconds > 590 && seconds <= 600 + 450, `${seconds}`);
  await shiftClock(15 * 60_000);
  await place(1);
});

void t.test('a hold that replaces one’s own counts as a newcomer’s, and once', async (t) => {
  const service = await start(t, { MAX_PENDING_HOLDS: '6' });
  const { context, slots, place } = service;
  const form = bookForm(slots.shift()!);
  const cookie = tokenOf(await postBook(service, form));
  await place(1, 2, 3, 4, 5);
  const replace = () =>
    postBook(service, { ...form, nonce: crypto.randomUUID(), action: 'replace' }, { cookie });
  const answers = await Promise.all([replace(), replace(), replace()]);
  t.strictSame(answers.map(({ statusCode }) => statusCode).sort(), [303, 409, 409]);
  t.equal((await replace()).statusCode, 409, 'what was given up once makes no more room');
  const rows = await context.database.selectFrom('bookings').select('status').execute();
  t.equal(rows.filter(({ status }) => status === 'pending').length, 6);
});

void t.test('at a platform, a person is a newcomer, and who is not named is none', async (t) => {
  const { app, context, slots, place } = await start(t, { MAX_PENDING_HOLDS: '6' });
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
