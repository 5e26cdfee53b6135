import t from 'tap';
import { releaseCheckout } from '../../src/domain/checkout.js';
import { charged, checkoutTokenOf, newKey, slotHolder } from '../support/agents.js';
import { standingClock } from '../support/clock.js';
import { connectClient, refusalOf } from '../support/mcp.js';
import { pressButton } from '../support/person.js';
import { holdRequest, personNumber, someOpenSlots } from '../support/requests.js';
import { generous, startService } from '../support/service.js';
import { studioIn } from '../support/studio.js';

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
    for (const address of ['192.0.2.1', '192.0.2.2']) {
      t.equal((await hold(ada, { address })).statusCode, 201);
    }
    for (const person of [1, 2]) {
      const answer = await hold(personNumber(person), { address: '192.0.2.13' });
      t.equal(answer.statusCode, 201);
    }
    // Each is the third write of its address.
    for (const [index, address] of ['192.0.2.11', '192.0.2.12'].entries()) {
      const booked = [];
      for (const person of [0, 1]) {
        booked.push(await hold(personNumber(10 + 2 * index + person), { address }));
      }
      for (const answer of booked) {
        t.equal(answer.statusCode, 201);
        await releaseCheckout(service.context, checkoutTokenOf(answer), 'pending');
      }
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

void t.test('the tool gets the same refusal, and the page shows it in its own words', async (t) => {
  const service = await startService(t, {
    ...generous,
    MAX_LIVE_BOOKINGS_PER_PERSON: '3',
  });
  const { context } = service;
  const hold = await slotHolder(service, 6);
  const lapsed = checkoutTokenOf(await hold({}));
  await service.shiftClock(context.config.holdLifetimeSeconds * 1000);
  await hold({});
  await hold({});
  await hold({});
  const refusal = await hold({});
  const [, slot] = await someOpenSlots(context, 2);
  const client = await connectClient(t, service.url);
  const said = refusalOf(await client.call('hold_slot', { ...holdRequest(slot!) }));
  const { error } = refusal.json<{ error: { message: string } }>();
  t.match(said, { code: 'rate_limited', retry_after_seconds: 3600, message: error.message });

  const origin = context.config.publicBaseUrl;
  const page = await pressButton(service, `/checkout/${lapsed}`, 'hold_again', {
    accept: 'text/html',
    origin,
  });
  t.match(page, { statusCode: 429, headers: { 'retry-after': '3600' } });
  t.match(page.headers['content-type'], 'text/html');
  t.match(page.body, /as many sessions booked as we allow/);
  t.notMatch(page.body, /GET \/api/);
});

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

  const { databaseUrl, secretKey } = service.context.config;
  const studio = studioIn({ DATABASE_URL: databaseUrl!, SECRET_KEY: secretKey!, ...cap });
  const doctor = async () => {
    const { checks } = (await studio('doctor', '--json')).json<{ checks: { check: string }[] }>();
    return checks.find(({ check }) => check === 'callers');
  };
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
