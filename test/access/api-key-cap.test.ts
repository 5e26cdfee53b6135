import t from 'tap';
import { agent } from '../support/agents.js';
import { startService } from '../support/service.js';
import { findingOf, studioOn } from '../support/studio.js';

const atCap = /the limit of live API keys/;
const dayMs = 86_400_000;

void t.test('of a network, 20 API keys count that are made or used within 30 days', async (t) => {
  const service = await startService(t);
  service.expectLog(atCap);
  const { app, context, shiftClock } = service;
  const statuses = async (count: number) => {
    const made = [];
    for (let each = 0; each < count; each += 1) made.push((await agent(app).mintKey()).statusCode);
    return made;
  };
  t.strictSame(await statuses(22), [...Array<number>(20).fill(201), 429, 429]);
  const warnings = service.logLines.filter((line) => atCap.test(line));
  t.equal(warnings.length, 1, 'the log warns once a day');
  t.notMatch(warnings[0], /192\.0\.2/);
  const studio = studioOn(context);
  const callers = () => findingOf(studio, 'callers');
  const message = /^1 network reached the limit of 20 API/;
  t.match(await callers(), { status: 'warning', message });

  await context.pool.query(
    `update api_keys set last_used_at = booking_now() + interval '20 days'
     where id in (select id from api_keys limit 18)`,
  );
  await shiftClock(31 * dayMs);
  t.match(await callers(), { status: 'ok' });
  t.strictSame(await statuses(3), [201, 201, 429], 'the two that nobody used count no more');
});
