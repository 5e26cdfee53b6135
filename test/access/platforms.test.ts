import t from 'tap';
import { setPlatform } from '../../src/access/platforms.js';
import { confirmCheckout } from '../../src/domain/checkout.js';
import { createKeyring } from '../../src/platform/keyring.js';
import { agent, charged, newKey } from '../support/agents.js';
import {
  assistant,
  claudeAddress,
  listPlatform,
  otherAddress,
  startWithPlatform,
  tokenOf,
  unlistedAddress,
} from '../support/platforms.js';
import { personNumber, someOpenSlots } from '../support/requests.js';
import { startService, uncapped } from '../support/service.js';

const platformAtCap = /a platform has as many live bookings/;

void t.test(
  'many people behind one listed address hold and confirm within the hour, each at the limits of a person',
  async (t) => {
    const { context, claude, nextSlot } = await startWithPlatform(t, { environment: {} });
    for (let person = 0; person < 40; person += 1) {
      const subject = `person ${person}`;
      t.equal((await claude.read(subject)).outcome, 'done');
      const answer = await claude.hold(nextSlot(), subject, personNumber(person));
      if (answer.outcome !== 'held') t.fail(`${person}: ${answer.outcome}`);
      await confirmCheckout(context, tokenOf(answer));
    }
    const rows = await context.database.selectFrom('bookings').selectAll().execute();
    t.equal(rows.filter(({ status }) => status === 'confirmed').length, 40);
    t.equal(new Set(rows.map((row) => row.caller_network_hash?.toString('hex'))).size, 40);
    t.ok(rows.every(({ channel, platform }) => channel === 'mcp' && platform === 'claude'));
    t.notMatch(JSON.stringify(rows), /person 1/, 'only a keyed hash of the subject is kept');
  },
);

void t.test(
  'a platform that invents people stops at its holds an hour, by default 300',
  async (t) => {
    const { app, clock, context, claude, nextSlot } = await startWithPlatform(t);
    const rest = agent(app, { address: claudeAddress });
    const first = await rest.hold(nextSlot(), undefined, personNumber(0));
    t.equal(charged(first), 'platform-holds 299/300');
    await setPlatform(context, 'a test', 'claude', { holds_per_hour: 4 });
    await context.platforms.refresh();
    const outcomes = [];
    for (let invented = 1; invented <= 5; invented += 1) {
      const answer = await claude.hold(nextSlot(), `invented ${invented}`, personNumber(invented));
      outcomes.push(answer.outcome);
    }
    t.strictSame(outcomes, [...Array<string>(3).fill('held'), ...Array(2).fill('rate_limited')]);
    clock.advance(3_600_000);
    t.equal((await claude.hold(nextSlot(), 'one more', personNumber(9))).outcome, 'held');
  },
);

void t.test(
  'a platform that invents people has at most half of the pending holds, and others the rest',
  async (t) => {
    const { app, claude, nextSlot, expectLog } = await startWithPlatform(t, { environment: {} });
    expectLog(/too_many_pending_holds/);
    const outcomes: string[] = [];
    for (let invented = 0; invented < 20; invented += 1) {
      const answer = await claude.hold(nextSlot(), `invented ${invented}`, personNumber(invented));
      outcomes.push(answer.outcome);
    }
    t.strictSame(outcomes, [
      ...Array<string>(15).fill('held'),
      ...Array<string>(5).fill('too_many_pending_holds'),
    ]);
    for (let index = 0; index < 15; index += 1) {
      const caller = agent(app, { address: `192.0.2.${Math.max(1, index - 3)}` });
      const answer = await caller.hold(nextSlot(), undefined, personNumber(50 + index));
      t.equal(answer.statusCode, 201);
    }
  },
);

void t.test(
  'a platform at its limit of live bookings in 24 hours places no further one, and the log warns of it once',
  async (t) => {
    const service = await startWithPlatform(t, { platform: { live_bookings: 6 } });
    const { context, claude, nextSlot, expectLog, logLines } = service;
    expectLog(platformAtCap);
    let held = 0;
    const refused: string[] = [];
    for (let invented = 0; invented < 10; invented += 1) {
      const answer = await claude.hold(nextSlot(), `invented ${invented}`, personNumber(invented));
      if (answer.outcome === 'held') {
        held += 1;
        await confirmCheckout(context, tokenOf(answer));
      } else refused.push(answer.outcome);
    }
    t.equal(held, 6);
    t.strictSame(refused, Array(4).fill('rate_limited'));
    const warnings = logLines.filter((line) => platformAtCap.test(line));
    t.equal(warnings.length, 1);
    t.match(warnings[0], /"platform":"claude"/);
    t.notMatch(warnings[0], /198\.51/);
    await service.shiftClock(24 * 3_600_000);
    t.equal((await claude.hold(nextSlot(), 'tomorrow', personNumber(200))).outcome, 'held');
  },
);

void t.test('an address that is not listed has 5 holds, whatever subjects it sends', async (t) => {
  const { app, nextSlot, context } = await startWithPlatform(t);
  const stranger = assistant(app, unlistedAddress);
  const outcomes = [];
  for (let index = 0; index < 7; index += 1) {
    outcomes.push((await stranger.hold(nextSlot(), `s ${index}`, personNumber(index))).outcome);
  }
  t.strictSame(outcomes, [...Array(5).fill('held'), 'rate_limited', 'rate_limited']);
  const rows = await context.database.selectFrom('bookings').selectAll().execute();
  t.equal(new Set(rows.map((row) => row.caller_network_hash?.toString('hex'))).size, 1);
  t.ok(rows.every(({ platform }) => platform === null));
});

void t.test('a person has 5 holds an hour and 60 reads a minute at its platform', async (t) => {
  const { claude, nextSlot } = await startWithPlatform(t);
  for (let index = 0; index < 5; index += 1) {
    const { http } = await claude.hold(nextSlot(), 'ada', personNumber(index));
    t.equal(charged(http), `holds ${4 - index}/5`);
  }
  t.equal((await claude.hold(nextSlot(), 'ada')).outcome, 'rate_limited');
  t.equal((await claude.hold(nextSlot(), 'grace')).outcome, 'held');
  for (let index = 0; index < 60; index += 1) await claude.read('ada');
  t.equal((await claude.read('ada')).outcome, 'rate_limited');
  t.equal(charged((await claude.read('grace')).http), 'reads 59/60');
});

void t.test('a person has its own cap of pending holds at its platform', async (t) => {
  const { claude, nextSlot, expectLog } = await startWithPlatform(t, {
    environment: { ...uncapped, MAX_PENDING_HOLDS_PER_CALLER: '2' },
  });
  expectLog(/too_many_pending_holds/);
  const outcomes: string[] = [];
  for (const [index, subject] of ['ada', 'ada', 'ada', 'grace'].entries()) {
    outcomes.push((await claude.hold(nextSlot(), subject, personNumber(index))).outcome);
  }
  t.strictSame(outcomes, ['held', 'held', 'too_many_pending_holds', 'held']);
});

void t.test('the subject of one platform is another person at another platform', async (t) => {
  const { app, context, claude, nextSlot } = await startWithPlatform(t);
  await listPlatform(context, { name: 'other', ranges: ['203.0.113.0/24'] });
  const other = assistant(app, otherAddress);
  for (let index = 0; index < 5; index += 1) {
    t.equal((await claude.hold(nextSlot(), 'ada', personNumber(index))).outcome, 'held');
  }
  t.equal((await claude.hold(nextSlot(), 'ada')).outcome, 'rate_limited');
  const { http } = await other.hold(nextSlot(), 'ada', personNumber(9));
  t.equal(charged(http), 'holds 4/5');
  const rows = await context.database.selectFrom('bookings').selectAll().execute();
  t.equal(new Set(rows.map((row) => row.caller_network_hash?.toString('hex'))).size, 2);
});

void t.test('the caps of a person are counted over a rotation of the secret key', async (t) => {
  const before = 'the key before the rotation, of enough length';
  const environment = { ...uncapped, MAX_LIVE_BOOKINGS_PER_CALLER: '2' };
  const service = await startService(t, environment, {
    overrides: { keyring: createKeyring(before) },
  });
  await listPlatform(service.context);
  const slots = await someOpenSlots(service.context, 4);
  for (const index of [0, 1]) {
    const answer = await assistant(service.app).hold(slots[index]!, 'ada', personNumber(index));
    t.equal(answer.outcome, 'held');
  }
  const DATABASE_URL = service.context.config.databaseUrl!;
  const keyring = createKeyring('the key after the rotation, of enough length', before);
  const rotated = await startService(
    t,
    { ...environment, DATABASE_URL },
    { overrides: { keyring } },
  );
  const { hold } = assistant(rotated.app);
  t.equal((await hold(slots[2]!, 'ada', personNumber(2))).outcome, 'rate_limited');
  t.equal((await hold(slots[3]!, 'grace', personNumber(3))).outcome, 'held');
});

void t.test(
  'where a platform names no person, or not with a text of 1 to 256 characters, only its own limits count',
  async (t) => {
    const { app, context, claude, nextSlot } = await startWithPlatform(t, {
      platform: { holds_per_hour: 13 },
    });
    const rest = agent(app, { address: claudeAddress });
    t.equal(charged(await rest.read()), 'platform-reads 5999/6000');
    let person = 0;
    const next = () => personNumber((person += 1));
    const longest = await claude.hold(nextSlot(), 'x'.repeat(256), next());
    t.equal(charged(longest.http), 'holds 4/5');
    for (let index = 0; index < 6; index += 1) {
      const answer = await rest.hold(nextSlot(), undefined, next());
      t.equal(charged(answer), `platform-holds ${11 - index}/13`);
    }
    for (const subject of [undefined, '', 7, { ada: true }, 'x'.repeat(257), null]) {
      const { http, outcome } = await claude.hold(nextSlot(), subject, next());
      t.equal(outcome, 'held');
      t.match(charged(http), /^platform-holds \d+\/13$/);
    }
    t.equal((await rest.hold(nextSlot(), undefined, next())).statusCode, 429);
    t.equal((await claude.hold(nextSlot(), 'x'.repeat(256), next())).outcome, 'rate_limited');
    const rows = await context.database.selectFrom('bookings').selectAll().execute();
    t.equal(rows.filter((row) => row.caller_network_hash === null).length, 12);
    t.equal((await agent(app).hold(nextSlot(), undefined, next())).statusCode, 201);
  },
);

void t.test('an API key has its own budgets, and counts for the platform, too', async (t) => {
  const { app, claude, nextSlot } = await startWithPlatform(t, { platform: { holds_per_hour: 7 } });
  const { key } = await newKey(app);
  const keyed = agent(app, { key, address: claudeAddress });
  t.equal(charged(await keyed.read()), 'reads 599/600');
  for (let index = 0; index < 7; index += 1) {
    const answer = await keyed.hold(nextSlot(), undefined, personNumber(index));
    t.equal(charged(answer), `platform-holds ${6 - index}/7`);
  }
  t.equal((await claude.hold(nextSlot(), 'ada')).outcome, 'rate_limited');
  const elsewhere = agent(app, { key, address: unlistedAddress });
  t.equal(charged(await elsewhere.hold(nextSlot(), undefined, personNumber(9))), 'holds 22/30');
});
