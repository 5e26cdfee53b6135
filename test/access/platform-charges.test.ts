import t from 'tap';
import { setPlatform } from '../../src/access/platforms.js';
import { charged } from '../support/agents.js';
import { startWithPlatform } from '../support/platforms.js';
import { holdRequest, personNumber } from '../support/requests.js';

void t.test('a refused hold is charged to neither the person nor the platform', async (t) => {
  const { context, claude, nextSlot } = await startWithPlatform(t, {
    platform: { holds_per_hour: 8 },
  });
  const hold = (subject: string, person: number) =>
    claude.hold(nextSlot(), subject, personNumber(person));
  for (let index = 0; index < 5; index += 1) await hold('ada', index);
  for (let index = 0; index < 5; index += 1) {
    t.equal((await hold('ada', 10)).outcome, 'rate_limited', 'by the limit of the person');
  }
  for (let index = 0; index < 3; index += 1) {
    t.equal((await hold('grace', 20 + index)).outcome, 'held', 'that cost the platform nothing');
  }
  t.equal((await hold('mary', 30)).outcome, 'rate_limited', 'by the limit of the platform');
  await setPlatform(context, 'a test', 'claude', { holds_per_hour: 300 });
  await context.platforms.refresh();
  t.equal(charged((await hold('mary', 31)).http), 'holds 4/5', 'that cost the person nothing');
});

void t.test(
  'people that a platform invents do not look up more keys than it may read',
  async (t) => {
    const { claude, nextSlot } = await startWithPlatform(t, {
      platform: { holds_per_hour: 1, reads_per_minute: 5 },
    });
    const slot = nextSlot();
    const hold = (subject: string, key: string) =>
      claude.call('hold_slot', { ...holdRequest(slot), idempotency_key: key }, subject);
    t.equal((await hold('ada', 'kept')).outcome, 'held');
    t.equal((await hold('ada', 'kept')).outcome, 'held', 'a replay');
    for (let index = 0; index < 4; index += 1) {
      t.equal((await hold(`invented ${index}`, `key ${index}`)).outcome, 'rate_limited');
    }
    t.equal((await hold('ada', 'kept')).outcome, 'rate_limited');
    t.equal((await claude.read('ada')).outcome, 'done', 'what was refused cost nothing');
  },
);

void t.test('an internal error refunds the hold to the person and to the platform', async (t) => {
  const { context, claude, nextSlot, expectLog } = await startWithPlatform(t);
  expectLog(/"code":"internal_error"/);
  const { database, connect } = context;
  context.database = undefined as never;
  context.connect = undefined as never;
  const failed = await claude.hold(nextSlot(), 'ada');
  t.equal(failed.outcome, 'internal_error');
  t.equal(charged(failed.http), 'reads 59/60');
  Object.assign(context, { database, connect });
  await setPlatform(context, 'a test', 'claude', { holds_per_hour: 1 });
  await context.platforms.refresh();
  t.equal(charged((await claude.hold(nextSlot(), 'ada')).http), 'platform-holds 0/1');
});
