import t from 'tap';
import { removePlatform, setPlatform } from '../../src/access/platforms.js';
import type { Context } from '../../src/context.js';
import type { NewPlatform } from '../../src/repositories/platforms.js';
import { createKeyring } from '../../src/secrets/keyring.js';
import { agent, charged, newKey } from '../support/agents.js';
import { confirmCheckout } from '../support/checkouts.js';
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
import { startOver } from '../support/start-over.js';

const platformAtCap = /a platform has as many live bookings/;

const service = await startWithPlatform(t, { slotCount: 120 });
const { app, clock, context, claude, nextSlot } = service;
const rest = agent(app, { address: claudeAddress });

let people = 0;
/** Holds for another person each time. */
const hold = (subject: unknown, by = claude) =>
  by.hold(nextSlot(), subject, personNumber((people += 1)));
const holdByRest = (by = rest) => by.hold(nextSlot(), undefined, personNumber((people += 1)));

/** The outcomes of holds for these subjects. */
async function outcomesOf(
  subjects: string[],
  each: (subject: unknown) => ReturnType<typeof hold> = hold,
): Promise<string[]> {
  const outcomes = [];
  for (const subject of subjects) outcomes.push((await each(subject)).outcome);
  return outcomes;
}

const invented = (count: number) =>
  Array.from({ length: count }, (_, index) => `invented ${index}`);
const times = (count: number, outcome: string) => Array<string>(count).fill(outcome);

async function rowsOf({ database }: Pick<Context, 'database'>) {
  const rows = await database.selectFrom('bookings').selectAll().execute();
  return { rows, hashes: new Set(rows.map((row) => row.caller_network_hash?.toString('hex'))) };
}

/** Lists the platform with limits that are not used up, and deletes all bookings. */
async function listAnew(limits: Partial<NewPlatform> = {}): Promise<void> {
  await startOver(context);
  clock.advance(3_600_000);
  await removePlatform(context, 'a test', 'claude');
  await listPlatform(context, limits);
}
t.beforeEach(() => listAnew());

t.test('many people hold and confirm behind one address, each at their own limits', async (t) => {
  const { context, claude, nextSlot } = await startWithPlatform(t, { environment: {} });
  for (let person = 0; person < 40; person += 1) {
    const subject = `person ${person}`;
    t.equal((await claude.read(subject)).outcome, 'done');
    const answer = await claude.hold(nextSlot(), subject, personNumber(person));
    if (answer.outcome !== 'held') t.fail(`${person}: ${answer.outcome}`);
    await confirmCheckout(context, tokenOf(answer));
  }
  const { rows, hashes } = await rowsOf(context);
  t.equal(rows.filter(({ status }) => status === 'confirmed').length, 40);
  t.equal(hashes.size, 40);
  t.ok(rows.every(({ channel, platform }) => channel === 'mcp' && platform === 'claude'));
  t.notMatch(JSON.stringify(rows), /person 1/, 'only a keyed hash of the subject is kept');
});

t.test('a platform that invents people stops at its holds an hour, by default 300', async (t) => {
  t.equal(charged(await holdByRest()), 'platform-holds 299/300');
  await setPlatform(context, 'a test', 'claude', { holds_per_hour: 4 });
  await context.platforms.refresh();
  t.strictSame(await outcomesOf(invented(5)), [...times(3, 'held'), ...times(2, 'rate_limited')]);
  clock.advance(3_600_000);
  t.equal((await hold('one more')).outcome, 'held');
});

t.test('invented people have half of the pending holds, and others the rest', async (t) => {
  const { app, claude, nextSlot, expectLog } = await startWithPlatform(t, { environment: {} });
  expectLog(/too_many_pending_holds/);
  const each = (subject: unknown) => claude.hold(nextSlot(), subject, personNumber((people += 1)));
  t.strictSame(await outcomesOf(invented(20), each), [
    ...times(15, 'held'),
    ...times(5, 'too_many_pending_holds'),
  ]);
  for (let index = 0; index < 15; index += 1) {
    const caller = agent(app, { address: `192.0.2.${Math.max(1, index - 3)}` });
    const answer = await caller.hold(nextSlot(), undefined, personNumber(50 + index));
    t.equal(answer.statusCode, 201);
  }
});

t.test('a platform at its limit of live bookings is refused, and logged once', async (t) => {
  service.expectLog(platformAtCap);
  await listAnew({ live_bookings: 6 });
  const refused: string[] = [];
  for (const subject of invented(10)) {
    const answer = await hold(subject);
    if (answer.outcome === 'held') await confirmCheckout(context, tokenOf(answer));
    else refused.push(answer.outcome);
  }
  t.strictSame(refused, times(4, 'rate_limited'));
  const warnings = service.logLines.filter((line) => platformAtCap.test(line));
  t.equal(warnings.length, 1);
  t.match(warnings[0], /"platform":"claude"/);
  t.notMatch(warnings[0], /198\.51/);
  await service.shiftClock(24 * 3_600_000);
  t.equal((await hold('tomorrow')).outcome, 'held');
});

t.test('an address that is not listed has 5 holds, whatever subjects it sends', async (t) => {
  const stranger = assistant(app, unlistedAddress);
  t.strictSame(await outcomesOf(invented(7), (subject) => hold(subject, stranger)), [
    ...times(5, 'held'),
    ...times(2, 'rate_limited'),
  ]);
  const { rows, hashes } = await rowsOf(context);
  t.equal(hashes.size, 1);
  t.ok(rows.every(({ platform }) => platform === null));
});

t.test('a person has 5 holds an hour and 60 reads a minute at its platform', async (t) => {
  for (const left of [4, 3, 2, 1, 0]) t.equal(charged((await hold('ada')).http), `holds ${left}/5`);
  t.equal((await hold('ada')).outcome, 'rate_limited');
  t.equal((await hold('grace')).outcome, 'held');
  for (let index = 0; index < 60; index += 1) await claude.read('ada');
  t.equal((await claude.read('ada')).outcome, 'rate_limited');
  t.equal(charged((await claude.read('grace')).http), 'reads 59/60');
});

t.test('the caps of a person count at its platform, and over a rotation of the key', async (t) => {
  const before = 'the key before the rotation, of enough length';
  const environment = {
    ...uncapped,
    MAX_LIVE_BOOKINGS_PER_CALLER: '2',
    MAX_PENDING_HOLDS_PER_CALLER: '2',
  };
  const first = await startService(t, environment, {
    overrides: { keyring: createKeyring(before) },
  });
  first.expectLog(/too_many_pending_holds/);
  await listPlatform(first.context);
  const slots = await someOpenSlots(first.context, 6);
  const by =
    ({ app }: typeof first) =>
    (subject: unknown) =>
      assistant(app).hold(slots.shift()!, subject, personNumber((people += 1)));
  t.strictSame(await outcomesOf(['ada', 'ada', 'ada', 'grace'], by(first)), [
    'held',
    'held',
    'too_many_pending_holds',
    'held',
  ]);
  const DATABASE_URL = first.context.config.databaseUrl!;
  const keyring = createKeyring('the key after the rotation, of enough length', before);
  const rotated = await startService(
    t,
    { ...environment, MAX_PENDING_HOLDS_PER_CALLER: '9', DATABASE_URL },
    { overrides: { keyring } },
  );
  t.strictSame(await outcomesOf(['ada', 'grace'], by(rotated)), ['rate_limited', 'held']);
});

t.test('the subject of one platform is another person at another platform', async (t) => {
  await listPlatform(context, { name: 'other', ranges: ['203.0.113.0/24'] });
  t.strictSame(await outcomesOf(times(6, 'ada')), [...times(5, 'held'), 'rate_limited']);
  const { http } = await hold('ada', assistant(app, otherAddress));
  t.equal(charged(http), 'holds 4/5');
  t.equal((await rowsOf(context)).hashes.size, 2);
});

t.test('where a platform names no person, only its own limits count', async (t) => {
  await listAnew({ holds_per_hour: 13 });
  t.equal(charged(await rest.read()), 'platform-reads 5999/6000');
  t.equal(charged((await hold('x'.repeat(256))).http), 'holds 4/5');
  for (let index = 0; index < 6; index += 1) {
    t.equal(charged(await holdByRest()), `platform-holds ${11 - index}/13`);
  }
  for (const subject of [undefined, '', 7, { ada: true }, 'x'.repeat(257), null]) {
    const { http, outcome } = await hold(subject);
    t.equal(outcome, 'held');
    t.match(charged(http), /^platform-holds \d+\/13$/);
  }
  t.equal((await holdByRest()).statusCode, 429);
  t.equal((await hold('x'.repeat(256))).outcome, 'rate_limited');
  const { rows } = await rowsOf(context);
  t.equal(rows.filter((row) => row.caller_network_hash === null).length, 12);
  t.equal((await holdByRest(agent(app))).statusCode, 201);
});

t.test('an API key has its own budgets, and counts for the platform, too', async (t) => {
  await listAnew({ holds_per_hour: 7 });
  const { key } = await newKey(app);
  const keyed = agent(app, { key, address: claudeAddress });
  t.equal(charged(await keyed.read()), 'reads 599/600');
  for (let left = 6; left >= 0; left -= 1) {
    t.equal(charged(await holdByRest(keyed)), `platform-holds ${left}/7`);
  }
  t.equal((await hold('ada')).outcome, 'rate_limited');
  const elsewhere = agent(app, { key, address: unlistedAddress });
  t.equal(charged(await holdByRest(elsewhere)), 'holds 22/30');
});
