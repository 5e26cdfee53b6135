import t from 'tap';
import { setPlatform } from '../../src/access/platforms.js';
import { agent, charged } from '../support/agents.js';
import {
  assistant,
  claudeAddress,
  startWithPlatform,
  unlistedAddress,
  type ToolAnswer,
} from '../support/platforms.js';
import { holdRequest, personNumber } from '../support/requests.js';
import { uncapped } from '../support/service.js';

/** What a caller sees of an answer, without what differs each time. */
function seen({ http: { headers, body } }: ToolAnswer): string {
  const { date: _, ...rest } = headers;
  return JSON.stringify({ rest, body }).replace(/request_id[\\":]+[\w-]+/g, '');
}

void t.test('a person of a platform gets the refusals of any other caller', async (t) => {
  const service = await startWithPlatform(t, {
    environment: { ...uncapped, MAX_LIVE_BOOKINGS_PER_CALLER: '3' },
  });
  service.expectLog(/live bookings as one may place/);
  const { app, nextSlot, claude: ofPlatform } = service;
  const ofNone = assistant(app, unlistedAddress);
  for (let index = 0; index < 3; index += 1) {
    await ofPlatform.hold(nextSlot(), 'ada', personNumber(index));
    await ofNone.hold(nextSlot(), 'ada', personNumber(10 + index));
  }
  const slot = nextSlot();
  const areRefusedAlike = (what: string, first: ToolAnswer, second: ToolAnswer) => {
    t.equal(first.outcome, 'rate_limited', what);
    t.equal(seen(first), seen(second), what);
  };
  for (const what of ['the cap of live bookings', 'the same again', 'the budget']) {
    areRefusedAlike(
      what,
      await ofPlatform.hold(slot, 'ada', personNumber(5)),
      await ofNone.hold(slot, 'ada', personNumber(15)),
    );
  }
  for (let index = 0; index < 60; index += 1) {
    for (const each of [ofPlatform, ofNone]) await each.read('ada');
  }
  areRefusedAlike('reads', await ofPlatform.read('ada'), await ofNone.read('ada'));
});

for (const [name, environment, platform, code] of [
  ['holds', uncapped, { holds_per_hour: 2 }, 'rate_limited'],
  ['live bookings', uncapped, { live_bookings: 2 }, 'rate_limited'],
  ['pending holds', { ...uncapped, MAX_PENDING_HOLDS: '4' }, {}, 'too_many_pending_holds'],
] as const) {
  void t.test(`a refusal by its ${name} names no platform and no address of it`, async (t) => {
    const service = await startWithPlatform(t, { environment, platform });
    service.expectLog(/a platform has as many|too_many_pending_holds/);
    const { app, claude, nextSlot } = service;
    const rest = agent(app, { address: claudeAddress });
    for (const index of [1, 2]) {
      const answer = await rest.hold(nextSlot(), undefined, personNumber(index));
      t.equal(answer.statusCode, 201);
    }
    const byTool = await claude.hold(nextSlot(), 'ada', personNumber(3));
    t.equal(byTool.outcome, code);
    const byRest = await rest.hold(nextSlot(), undefined, personNumber(4));
    t.match(byRest.json(), { error: { code, retry_after_seconds: Number } });
    t.ok(Number(byRest.headers['retry-after']) >= 1);
    for (const { headers, body } of [byRest, byTool.http]) {
      t.notMatch(JSON.stringify({ headers, body }), /platform|claude|198\.51/i);
    }
  });
}

void t.test('a platform at its limit of reads is refused, others are not', async (t) => {
  const { app, claude } = await startWithPlatform(t, { platform: { reads_per_minute: 3 } });
  const rest = agent(app, { address: claudeAddress });
  for (let index = 0; index < 3; index += 1) t.equal((await rest.read()).statusCode, 200);
  const refused = await rest.read();
  t.equal(refused.statusCode, 429);
  t.match(refused.headers, { ratelimit: /^"reads";r=0;t=\d+$/, 'retry-after': /^\d+$/ });
  t.equal(refused.headers['ratelimit-policy'], '"reads";q=60;w=60', 'the figures of any address');
  t.match(refused.body, 'The limit of 60 reads per minute is used up');
  t.notMatch(JSON.stringify([refused.headers, refused.body]), /platform|claude/);
  t.equal((await claude.read('ada')).outcome, 'rate_limited');
  t.equal((await agent(app, { address: unlistedAddress }).read()).statusCode, 200);
});

void t.test('nothing public names the platform of a booking', async (t) => {
  const { app, claude, nextSlot } = await startWithPlatform(t);
  const { result } = await claude.hold(nextSlot(), 'ada');
  const { id, checkout_url } = result.structuredContent as Record<string, string>;
  const booking = await app.inject(`/api/public/bookings/${id}`);
  const headers = { accept: 'text/html' };
  const page = await app.inject({ url: new URL(checkout_url!).pathname, headers });
  t.strictSame([booking.statusCode, page.statusCode], [200, 200]);
  for (const said of [JSON.stringify(result), booking.body, page.body]) {
    t.notMatch(said, /claude|platform/i);
  }
});

void t.test('a refused hold is charged to neither the person nor the platform', async (t) => {
  const { context, claude, nextSlot } = await startWithPlatform(t, {
    platform: { holds_per_hour: 8 },
  });
  let person = 0;
  const hold = (subject: string) => claude.hold(nextSlot(), subject, personNumber((person += 1)));
  for (const [count, subject, outcome] of [
    [5, 'ada', 'held'],
    // By the limit of the person, which costs the platform nothing.
    [5, 'ada', 'rate_limited'],
    [3, 'grace', 'held'],
    // By the limit of the platform.
    [1, 'mary', 'rate_limited'],
  ] as const) {
    for (let each = 0; each < count; each += 1) t.equal((await hold(subject)).outcome, outcome);
  }
  await setPlatform(context, 'a test', 'claude', { holds_per_hour: 300 });
  await context.platforms.refresh();
  t.equal(charged((await hold('mary')).http), 'holds 4/5', 'that cost the person nothing');
});

void t.test('invented people look up no more keys than their platform may read', async (t) => {
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
});

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
