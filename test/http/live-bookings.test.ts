import t from 'tap';
import type { HoldRequest } from '../../generated/schemas.js';
import { findCheckout } from '../../src/domain/booking/checkout.js';
import { confirmBooking } from '../../src/repositories/booking-transitions.js';
import { noProof } from '../../src/repositories/proof.js';
import { createKeyring } from '../../src/secrets/keyring.js';
import { agent, charged, checkoutTokenOf, newKey } from '../support/agents.js';
import { confirmCheckout, releaseCheckout } from '../support/checkouts.js';
import { standingClock } from '../support/clock.js';
import { codeMode } from '../support/codes.js';
import { provenBrowser } from '../support/mail-rows.js';
import { personNumber, someOpenSlots } from '../support/requests.js';
import { generous, startService, type TestService } from '../support/service.js';
import { findingOf, studioOn } from '../support/studio.js';

const dayMs = 24 * 3_600_000;

/** The log line for the operator when a caller has reached its cap. */
const callerAtCap = /live bookings as one may place/;

/** Holds the next of `slotCount` open slots with each call, for any person and from any client. */
async function slotHolder(
  { app, context }: Pick<TestService, 'app' | 'context'>,
  slotCount: number,
) {
  const slots = await someOpenSlots(context, slotCount);
  return async (changes: Partial<HoldRequest>, from: Parameters<typeof agent>[1] = {}) => {
    const slot = slots.shift();
    if (slot === undefined) throw new Error('no slot is left');
    const answer = await agent(app, from).hold(slot, undefined, changes);
    if (answer.statusCode !== 201) slots.unshift(slot);
    return answer;
  };
}

void t.test('with codes, what a stranger confirmed by the link counts no more', async (t) => {
  const service = await startService(t, { ...codeMode, MAX_LIVE_BOOKINGS_PER_PERSON: '2' });
  const { context } = service;
  const hold = await slotHolder(service, 6);
  const held = async () => {
    const answer = await hold({ email: 'ada@example.com', phone: '5555550142' });
    t.equal(answer.statusCode, 201);
    return checkoutTokenOf(answer);
  };
  for (const token of [await held(), await held()]) {
    const { id } = (await findCheckout(context, token))!.booking;
    await confirmBooking(context.database, id, noProof);
  }
  const [proven] = [await held(), await held()];
  t.equal((await hold({ email: 'ada@example.com' })).statusCode, 429, 'two are pending');
  const { id } = (await findCheckout(context, proven))!.booking;
  const browser = await provenBrowser(context, id);
  t.equal(await confirmCheckout(context, proven, null, browser), 'done');
  await service.shiftClock(context.config.holdLifetimeSeconds * 1000);
  await held();
  t.equal((await hold({ email: 'ada@example.com' })).statusCode, 429, 'one is proven');
});

void t.test('with codes, a telephone number that others use locks nobody out', async (t) => {
  const service = await startService(t, { ...codeMode, MAX_LIVE_BOOKINGS_PER_PERSON: '1' });
  const { context } = service;
  const hold = await slotHolder(service, 3);
  const phone = '5555550142';
  const token = checkoutTokenOf(await hold({ email: 'mallory@example.com', phone }));
  const { id } = (await findCheckout(context, token))!.booking;
  const browser = await provenBrowser(context, id);
  t.equal(await confirmCheckout(context, token, null, browser), 'done');
  t.equal((await hold({ email: 'ada@example.com', phone })).statusCode, 201);
  t.equal((await hold({ email: 'ada@example.com' })).statusCode, 429, 'the mailbox counts');
});

void t.test('a person is known by mailbox and phone, however they are spelled', async (t) => {
  const service = await startService(t, { ...generous, MAX_LIVE_BOOKINGS_PER_PERSON: '1' });
  const [email, phone] = ['email', 'phone'] as const;
  /** The first is held, and the others of a row are refused. */
  const people: [member: 'email' | 'phone', first: string, ...same: string[]][] = [
    [email, 'ada@example.com', 'ADA@Example.COM', 'ada+heron@example.com', 'ada+a+b@example.com'],
    [phone, '5555550142', '+1 (555) 555-0142', '1.555.555.0142', '555 555 0142'],
    ...['ada.heron@example.com', 'ada@other.example', 'adam@example.com'].map(
      (other): [typeof email, string] => [email, other],
    ),
    // Dots count where the provider does not ignore them.
    [email, 'ada.park@gmail.com', 'adapark@gmail.com', 'a.d.a.park+ink@GMail.com'],
    [email, 'grace.park@gmail.com', 'Grace.Park@Googlemail.com'],
    [email, 'ada.park@proton.me', 'ada_park@proton.me', 'ada-park+ink@Proton.me'],
    [email, 'ada.park@protonmail.com', 'adapark@protonmail.com'],
    ...['outlook.com', 'icloud.com'].flatMap((host) =>
      ['ada.park', 'adapark', 'ada-park', 'ada_park'].map((name): [typeof email, string] => [
        email,
        `${name}@${host}`,
      ]),
    ),
    [email, 'ada.park@gmail.com.example'],
    [email, 'adapark@not-gmail.com'],
    [email, 'ada-park@gmail.com'],
  ];
  const hold = await slotHolder(service, people.length);
  let index = 0;
  for (const [member, ...spellings] of people) {
    for (const spelling of spellings) {
      const other = personNumber((index += 1));
      const { statusCode } = await hold({ ...other, [member]: spelling });
      t.equal(statusCode, spelling === spellings[0] ? 201 : 429, spelling);
    }
  }
});

void t.test('expired, cancelled and past bookings do not count', async (t) => {
  const service = await startService(t, { ...generous, MAX_LIVE_BOOKINGS_PER_PERSON: '3' });
  const { context } = service;
  const hold = await slotHolder(service, 12);
  const held = async () => {
    const answer = await hold({});
    t.equal(answer.statusCode, 201);
    return checkoutTokenOf(answer);
  };
  const isRefused = async (why: string) => t.equal((await hold({})).statusCode, 429, why);
  await held();
  const [released, cancelled] = [await held(), await held()];
  await confirmCheckout(context, cancelled);
  await isRefused('two are pending, and one is confirmed');
  await releaseCheckout(context, released, 'pending');
  await releaseCheckout(context, cancelled, 'confirmed');
  const [over, coming] = [await held(), await held()];
  await confirmCheckout(context, over);
  await confirmCheckout(context, coming);
  await isRefused('one is pending, and two are confirmed');
  await service.shiftClock(context.config.holdLifetimeSeconds * 1000);
  const pending = context.database.selectFrom('bookings').where('status', '=', 'pending');
  t.equal((await pending.select('id').execute()).length, 1, 'no job has run');
  await held();
  await isRefused('only what has lapsed counts no more');

  const setStart = (moment: string) =>
    context.pool.query(
      `update bookings set starts_at = booking_now() - $1::interval,
         ends_at = booking_now() - $1::interval + interval '4 hours'
       where status = 'confirmed' and checkout_token_hash = sha256($2::text::bytea)`,
      [moment, over],
    );
  await setStart('3 hours 59 minutes');
  await isRefused('the session has begun and is not over');
  await setStart('4 hours');
  await held();
});

void t.test('an address books twelve sessions in 24 hours, whatever keys it has', async (t) => {
  const service = await startService(t, {
    WRITES_PER_HOUR_ANONYMOUS: '100',
    WRITES_PER_HOUR_KEYED: '100',
  });
  service.expectLog(callerAtCap);
  const { app, context } = service;
  const hold = await slotHolder(service, 14);
  const address = '192.0.2.1';
  const own = (await agent(app, { address }).mintKey()).json<{ data: { key: string } }>().data;
  const clients = [{ address }, { address, key: own.key }, { address, ...(await newKey(app)) }];
  let person = 0;
  const grab = async () => {
    person += 1;
    const answer = await hold(personNumber(person), clients[person % 3]);
    if (answer.statusCode === 201) await confirmCheckout(context, checkoutTokenOf(answer));
    return answer.statusCode;
  };
  for (let count = 0; count < 12; count += 1) t.equal(await grab(), 201);
  t.strictSame([await grab(), await grab(), await grab()], [429, 429, 429]);
  await service.shiftClock(dayMs - 60_000);
  t.equal(await grab(), 429);
  await service.shiftClock(dayMs);
  t.equal(await grab(), 201);
});

void t.test('a caller is an API key, too, and the same after a rotation', async (t) => {
  const before = 'the key before the rotation, of enough length';
  const environment = { ...generous, MAX_LIVE_BOOKINGS_PER_CALLER: '2' };
  const first = await startService(t, environment, {
    overrides: { keyring: createKeyring(before) },
  });
  const { key } = await newKey(first.app);
  let person = 0;
  const statuses = async (holder: typeof first, ...clients: { address: string }[]) => {
    holder.expectLog(callerAtCap);
    const hold = await slotHolder(holder, 5);
    const answers = [];
    for (const from of clients) answers.push(await hold(personNumber((person += 1)), from));
    return answers.map(({ statusCode }) => statusCode);
  };
  const keyed = [1, 2, 3].map((last) => ({ key, address: `192.0.2.${last}` }));
  const address = '192.0.2.3';
  t.strictSame(
    await statuses(first, ...keyed, { address }, { address }, { address }),
    [201, 201, 429, 201, 201, 429],
  );
  const { databaseUrl } = first.context.config;
  const keyring = createKeyring('the key after the rotation, of enough length', before);
  const rotated = await startService(
    t,
    { ...environment, DATABASE_URL: databaseUrl! },
    { overrides: { keyring } },
  );
  t.strictSame(await statuses(rotated, { address }, { address: '192.0.2.10' }), [429, 201]);
});

void t.test('refusals by e-mail, phone and caller look alike, and cost a write', async (t) => {
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
  const [refusal] = refusals;
  t.match(refusal, { statusCode: 429, headers: { 'retry-after': '3600' } });
  t.match(refusal!.json(), { error: { code: 'rate_limited', retry_after_seconds: 3600 } });
  t.strictSame(refusals.map(charged), Array(3).fill('holds 2/5'));
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
  clock.advance(dayMs);
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
  await service.shiftClock(dayMs);
  t.match(await doctor(), { status: 'ok' });
});
