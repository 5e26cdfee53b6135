import t from 'tap';
import { releaseCheckout } from '../../src/domain/checkout.js';
import { charged, checkoutTokenOf, newKey, slotHolder } from '../support/agents.js';
import { standingClock } from '../support/clock.js';
import { personNumber } from '../support/requests.js';
import { generous, startService } from '../support/service.js';
import { findingOf, studioOn } from '../support/studio.js';

const callerAtCap = /live bookings as one may place/;

void t.test(
  'refusals by e-mail, phone and caller are indistinguishable, and cost a write',
  async (t) => {
    const clock = standingClock();
    const two = { MAX_LIVE_BOOKINGS_PER_PERSON: '2', MAX_LIVE_BOOKINGS_PER_CALLER: '2' };
    const service = await startService(t, two, { overrides: { clock } });
    service.expectLog(callerAtCap);
    const hold = await slotHolder(service, 12);
    const ada = { email: 'ada@example.com', phone: '5555550142' };
    for (const [person, address] of [
      [ada, '192.0.2.1'],
      [ada, '192.0.2.2'],
      [personNumber(1), '192.0.2.13'],
      [personNumber(2), '192.0.2.13'],
    ] as const) {
      t.equal((await hold(person, { address })).statusCode, 201);
    }
    // Each is the third write of its address.
    for (const last of [11, 12, 11, 12]) {
      const answer = await hold(personNumber(last), { address: `192.0.2.${last}` });
      t.equal(answer.statusCode, 201);
      await releaseCheckout(service.context, checkoutTokenOf(answer), 'pending');
    }
    const refusals = [
      await hold({ ...personNumber(3), email: ada.email }, { address: '192.0.2.11' }),
      await hold({ ...personNumber(3), phone: ada.phone }, { address: '192.0.2.12' }),
      await hold(personNumber(3), { address: '192.0.2.13' }),
    ];
    const seen = refusals.map(({ statusCode, headers: { date, ...headers }, body }) => {
      const { request_id: id } = (JSON.parse(body) as { error: { request_id: string } }).error;
      t.type(date, 'string');
      return JSON.stringify({ statusCode, headers, body }).replaceAll(id, 'request id');
    });
    t.equal(new Set(seen).size, 1);
    t.match(refusals[0], { statusCode: 429, headers: { 'retry-after': '3600' } });
    t.match(refusals[0]!.json(), { error: { code: 'rate_limited', retry_after_seconds: 3600 } });
    t.strictSame(refusals.map(charged), Array(3).fill('holds 2/5'));
  },
);

void t.test('a caller at its cap is logged once a day and shown by studio doctor', async (t) => {
  const clock = standingClock();
  const cap = { MAX_LIVE_BOOKINGS_PER_CALLER: '2' };
  const service = await startService(t, { ...generous, ...cap }, { overrides: { clock } });
  service.expectLog(callerAtCap);
  const hold = await slotHolder(service, 8);
  const warnings = () => service.logLines.filter((line) => callerAtCap.test(line));
  for (const index of [1, 2]) await hold(personNumber(index));
  t.equal(warnings().length, 0);
  for (const index of [3, 4]) t.equal((await hold(personNumber(index))).statusCode, 429);
  t.equal(warnings().length, 1);
  t.match(warnings()[0], /"level":(40|"warn")/);
  t.notMatch(warnings()[0], /192\.0\.2|person/);
  const other = { address: '192.0.2.7' };
  for (const index of [5, 6, 7]) await hold(personNumber(index), other);
  t.equal(warnings().length, 2, 'each caller is reported once');
  clock.advance(24 * 3_600_000);
  t.equal((await hold(personNumber(8))).statusCode, 429);
  t.equal(warnings().length, 3);

  const studio = studioOn(service.context, cap);
  const doctor = () => findingOf(studio, 'callers');
  t.match(await doctor(), {
    status: 'warning',
    message: /^2 networks and 0 API keys have reached the limit of 2/,
  });
  const { key, id } = await newKey(service.app);
  for (const index of [9, 10]) await hold(personNumber(index), { key, address: `10.0.0.${index}` });
  t.match(await doctor(), { message: new RegExp(`^2 networks and 1 API key \\(${id}\\) have`) });
  await service.shiftClock(24 * 3_600_000);
  t.match(await doctor(), { status: 'ok' });
});
