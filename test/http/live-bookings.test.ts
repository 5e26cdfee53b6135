import t from 'tap';
import { confirmCheckout, findCheckout, releaseCheckout } from '../../src/domain/checkout.js';
import { confirmBooking } from '../../src/repositories/booking-transitions.js';
import { noProof } from '../../src/repositories/proof.js';
import { createKeyring } from '../../src/platform/keyring.js';
import { agent, checkoutTokenOf, newKey, slotHolder } from '../support/agents.js';
import { codeMode } from '../support/codes.js';
import { provenBrowser } from '../support/proven-browser.js';
import { personNumber, someOpenSlots } from '../support/requests.js';
import { generous, startTestService } from '../support/service.js';

const threePerPerson = { ...generous, MAX_LIVE_BOOKINGS_PER_PERSON: '3' };
const twelvePerCaller = { ...generous, MAX_LIVE_BOOKINGS_PER_CALLER: '12' };
const hourMs = 3_600_000;

/** The log line for the operator when a caller has reached its cap. */
const callerAtCap = /live bookings as one may place/;

void t.test(
  'with codes, what a stranger confirmed by the link alone counts no more for the person',
  async (t) => {
    const service = await startTestService(t, { ...codeMode, MAX_LIVE_BOOKINGS_PER_PERSON: '2' });
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
  },
);

void t.test(
  'with codes, what others confirmed with a telephone number does not lock its owner out',
  async (t) => {
    const service = await startTestService(t, { ...codeMode, MAX_LIVE_BOOKINGS_PER_PERSON: '1' });
    const { context } = service;
    const hold = await slotHolder(service, 3);
    const phone = '5555550142';
    const token = checkoutTokenOf(await hold({ email: 'mallory@example.com', phone }));
    const { id } = (await findCheckout(context, token))!.booking;
    const browser = await provenBrowser(context, id);
    t.equal(await confirmCheckout(context, token, null, browser), 'done');
    t.equal((await hold({ email: 'ada@example.com', phone })).statusCode, 201);
    t.equal((await hold({ email: 'ada@example.com' })).statusCode, 429, 'the mailbox counts');
  },
);

void t.test(
  'a person has at most three live bookings, however e-mail and phone are spelled',
  async (t) => {
    const service = await startTestService(t, threePerPerson);
    const hold = await slotHolder(service, 10);
    for (const index of [1, 2, 3]) {
      const answer = await hold({ email: 'ada@example.com', phone: '5555550142' });
      t.equal(answer.statusCode, 201, `number ${index}`);
    }
    for (const email of ['ADA@Example.COM', 'ada+heron@example.com', 'ada+a+b@example.com']) {
      t.equal((await hold({ ...personNumber(1), email })).statusCode, 429, email);
    }
    for (const phone of ['+1 (555) 555-0142', '1.555.555.0142', '555 555 0142']) {
      t.equal((await hold({ ...personNumber(1), phone })).statusCode, 429, phone);
    }
    for (const email of ['ada.heron@example.com', 'ada@other.example', 'adam@example.com']) {
      t.equal((await hold({ ...personNumber(email.length), email })).statusCode, 201, email);
    }
  },
);

void t.test(
  'a mailbox is one person without dots where its provider ignores them, and only there',
  async (t) => {
    const service = await startTestService(t, { ...generous, MAX_LIVE_BOOKINGS_PER_PERSON: '1' });
    const spellings = [
      [
        'ada.park@gmail.com',
        'adapark@gmail.com',
        'a.d.a.park+ink@GMail.com',
        'Ada.Park@Googlemail.com',
      ],
      ['ada.park@proton.me', 'ada_park@proton.me', 'ada-park+ink@Proton.me'],
      ['ada.park@protonmail.com', 'adapark@protonmail.com'],
      ...['ada.park', 'adapark', 'ada-park'].map((name) => [`${name}@outlook.com`]),
      ...['ada.park', 'adapark', 'ada_park'].map((name) => [`${name}@icloud.com`]),
      ['ada.park@gmail.com.example'],
      ['adapark@not-gmail.com'],
      ['ada-park@gmail.com'],
    ];
    const hold = await slotHolder(service, spellings.length);
    let index = 0;
    const statusOf = async (email: string) => {
      index += 1;
      return (await hold({ ...personNumber(index), email })).statusCode;
    };
    for (const [first = '', ...others] of spellings) {
      t.equal(await statusOf(first), 201, first);
      for (const email of others) t.equal(await statusOf(email), 429, email);
    }
  },
);

void t.test('expired, cancelled and past bookings do not count', async (t) => {
  const service = await startTestService(t, threePerPerson);
  const { context } = service;
  const hold = await slotHolder(service, 12);
  const held = async () => {
    const answer = await hold({});
    t.equal(answer.statusCode, 201);
    return checkoutTokenOf(answer);
  };
  const [lapsing, released, cancelled] = [await held(), await held(), await held()];
  await confirmCheckout(context, cancelled);
  t.equal((await hold({})).statusCode, 429);
  await releaseCheckout(context, released, 'pending');
  await releaseCheckout(context, cancelled, 'confirmed');
  const [over, coming] = [await held(), await held()];
  await confirmCheckout(context, over);
  await confirmCheckout(context, coming);
  t.equal((await hold({})).statusCode, 429);
  await service.shiftClock(context.config.holdLifetimeSeconds * 1000);
  t.equal(
    (
      await context.database
        .selectFrom('bookings')
        .select('id')
        .where('status', '=', 'pending')
        .execute()
    ).length,
    1,
    'the lapsed hold counts no more, though no job has run',
  );
  await held();
  t.equal((await hold({})).statusCode, 429);
  t.ok(lapsing);

  const setStart = (moment: string) =>
    context.pool.query(
      `update bookings set starts_at = booking_now() - $1::interval
       where status = 'confirmed' and checkout_token_hash = sha256($2::text::bytea)`,
      [moment, over],
    );
  await setStart('3 hours 59 minutes');
  t.equal((await hold({})).statusCode, 429, 'the session has begun and is not over');
  await setStart('4 hours');
  await held();
});

void t.test(
  'each of twenty addresses with a hundred keys books at most twelve sessions in 24 hours',
  async (t) => {
    const service = await startTestService(t, {});
    service.expectLog(callerAtCap);
    const { app, context } = service;
    const slots = await someOpenSlots(context, 300);
    const addresses = Array.from({ length: 20 }, (_, index) => `192.0.2.${index + 1}`);
    const keys = new Map<string, string>();
    for (const address of addresses) {
      for (let minted = 0; minted < 5; minted += 1) {
        const answer = await agent(app, { address }).mintKey();
        keys.set(`${address} ${minted}`, answer.json<{ data: { key: string } }>().data.key);
      }
    }
    t.equal(keys.size, 100);
    const taken = new Map<string, number>();
    const byKey = new Map<string, number>();
    let person = 0;
    const grab = async (address: string, key?: string) => {
      person += 1;
      const answer = await agent(app, { address, ...(key !== undefined && { key }) }).hold(
        slots[0]!,
        undefined,
        personNumber(person),
      );
      if (answer.statusCode !== 201) return answer.statusCode;
      slots.shift();
      await confirmCheckout(context, checkoutTokenOf(answer));
      taken.set(address, (taken.get(address) ?? 0) + 1);
      if (key !== undefined) byKey.set(key, (byKey.get(key) ?? 0) + 1);
      return 201;
    };
    // Every address uses its own keys, those of the next address, and none.
    for (const [index, address] of addresses.entries()) {
      const neighbour = addresses[(index + 1) % addresses.length]!;
      for (let turn = 0; turn < 4; turn += 1) {
        for (let each = 0; each < 5; each += 1) {
          await grab(address, keys.get(`${turn % 2 === 0 ? address : neighbour} ${each}`));
        }
        await grab(address);
      }
    }
    t.strictSame(
      [...taken.values()],
      addresses.map(() => 12),
    );
    t.ok(Math.max(...byKey.values()) <= 12);

    t.equal(await grab(addresses[0]!, keys.get('192.0.2.20 1')), 429);
    await service.shiftClock(24 * hourMs - 60_000);
    t.equal(await grab(addresses[0]!, keys.get('192.0.2.20 1')), 429);
    await service.shiftClock(24 * hourMs);
    t.equal(await grab(addresses[0]!, keys.get('192.0.2.20 1')), 201);
  },
);

void t.test('a key books at most twelve sessions, from all addresses together', async (t) => {
  const service = await startTestService(t, twelvePerCaller);
  service.expectLog(callerAtCap);
  const hold = await slotHolder(service, 14);
  const { key } = await newKey(service.app);
  const statuses = [];
  for (let index = 1; index <= 13; index += 1) {
    const answer = await hold(personNumber(index), { key, address: `192.0.2.${index}` });
    statuses.push(answer.statusCode);
  }
  t.strictSame(statuses, [...Array<number>(12).fill(201), 429]);
  t.equal((await hold(personNumber(13), { address: '192.0.2.13' })).statusCode, 201);
});

void t.test('IPv6 addresses of one /48 are one caller, and IPv4 in IPv6 is IPv4', async (t) => {
  const service = await startTestService(t, {
    ...generous,
    MAX_LIVE_BOOKINGS_PER_CALLER: '1',
  });
  service.expectLog(callerAtCap);
  const hold = await slotHolder(service, 8);
  const from = async (address: string, index: number) =>
    (await hold(personNumber(index), { address })).statusCode;
  t.equal(await from('2001:db8:1:1::1', 1), 201);
  t.equal(await from('2001:db8:1:ffff::2', 2), 429);
  t.equal(await from('2001:db8:2:1::1', 3), 201);
  t.equal(await from('192.0.2.1', 4), 201);
  t.equal(await from('::ffff:192.0.2.1', 5), 429);
});

void t.test('the cap of a caller survives a rotation of the secret key', async (t) => {
  const before = 'the key before the rotation, of enough length';
  const environment = { ...generous, MAX_LIVE_BOOKINGS_PER_CALLER: '2' };
  const service = await startTestService(t, environment, { keyring: createKeyring(before) });
  const hold = await slotHolder(service, 3);
  t.equal((await hold(personNumber(1))).statusCode, 201);
  t.equal((await hold(personNumber(2))).statusCode, 201);

  const DATABASE_URL = service.context.config.databaseUrl!;
  const keyring = createKeyring('the key after the rotation, of enough length', before);
  const rotated = await startTestService(t, { ...environment, DATABASE_URL }, { keyring });
  rotated.expectLog(callerAtCap);
  const holdAfter = await slotHolder(rotated, 3);
  t.equal((await holdAfter(personNumber(3))).statusCode, 429);
});
