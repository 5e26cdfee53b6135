import t from 'tap';
import { agent } from '../support/agents.js';
import {
  assistant,
  claudeAddress,
  startWithPlatform,
  unlistedAddress,
  type ToolAnswer,
} from '../support/platforms.js';
import { personNumber } from '../support/requests.js';
import { uncapped } from '../support/service.js';

/** What a caller sees of an answer, without what differs each time. */
function seen({ http: { headers, body } }: ToolAnswer): string {
  const { date: _, ...rest } = headers;
  return JSON.stringify({ rest, body }).replace(/request_id[\\":]+[\w-]+/g, '');
}

void t.test(
  'a person of a platform and a caller of another address get the same refusals, to the letter',
  async (t) => {
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
    for (const what of ['the cap of live bookings', 'the same again', 'the budget']) {
      const refusals = [
        await ofPlatform.hold(slot, 'ada', personNumber(5)),
        await ofNone.hold(slot, 'ada', personNumber(15)),
      ];
      t.strictSame(
        refusals.map(({ outcome }) => outcome),
        ['rate_limited', 'rate_limited'],
        what,
      );
      t.equal(seen(refusals[0]!), seen(refusals[1]!), what);
    }
    const reads = [];
    for (const each of [ofPlatform, ofNone]) {
      for (let index = 0; index < 60; index += 1) await each.read('ada');
      reads.push(await each.read('ada'));
    }
    t.strictSame(
      reads.map(({ outcome }) => outcome),
      ['rate_limited', 'rate_limited'],
    );
    t.equal(seen(reads[0]!), seen(reads[1]!));
  },
);

const limits = {
  'holds of the platform': [uncapped, { holds_per_hour: 2 }, 'rate_limited'],
  'live bookings of the platform': [uncapped, { live_bookings: 2 }, 'rate_limited'],
  'pending holds of the platform': [
    { ...uncapped, MAX_PENDING_HOLDS: '4' },
    {},
    'too_many_pending_holds',
  ],
} as const;

for (const [name, [environment, platform, code]] of Object.entries(limits)) {
  void t.test(`a refusal by the ${name} does not name the platform or its addresses`, async (t) => {
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
  t.notMatch(JSON.stringify(result), /claude|platform/);
  const booking = await app.inject(
    `/api/public/bookings/${String(result.structuredContent?.['id'])}`,
  );
  t.equal(booking.statusCode, 200);
  t.notMatch(booking.body, /claude|platform/);
  const { pathname } = new URL(String(result.structuredContent?.['checkout_url']));
  const page = await app.inject({ url: pathname, headers: { accept: 'text/html' } });
  t.equal(page.statusCode, 200);
  t.notMatch(page.body, /claude|platform/i);
});
