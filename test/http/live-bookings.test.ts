import t from 'tap';
import { confirmCheckout, findCheckout, releaseCheckout } from '../../src/domain/checkout.js';
import { confirmBooking } from '../../src/repositories/booking-transitions.js';
import { noProof } from '../../src/repositories/proof.js';
import { createKeyring } from '../../src/platform/keyring.js';
import { agent, checkoutTokenOf, newKey, slotHolder } from '../support/agents.js';
import { codeMode } from '../support/codes.js';
import { provenBrowser } from '../support/proven-browser.js';
import { personNumber } from '../support/requests.js';
import { generous, startService } from '../support/service.js';

const threePerPerson = { ...generous, MAX_LIVE_BOOKINGS_PER_PERSON: '3' };
const hourMs = 3_600_000;

/** The log line for the operator when a caller has reached its cap. */
const callerAtCap = /live bookings as one may place/;

void t.test(
  'with codes, what a stranger confirmed by the link alone counts no more for the person',
  async (t) => {
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
  },
);

void t.test(
  'with codes, what others confirmed with a telephone number does not lock its owner out',
  async (t) => {
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
  },
);

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
  const service = await startService(t, threePerPerson);
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
  'an address with keys of its own and of others books at most twelve sessions in 24 hours',
  async (t) => {
    const service = await startService(t, {});
    service.expectLog(callerAtCap);
    const { app, context } = service;
    const hold = await slotHolder(service, 40);
    const addresses = ['192.0.2.1', '192.0.2.2', '192.0.2.3'];
    const keys = new Map<string, string[]>();
    for (const address of addresses) {
      const minted = [];
      for (let count = 0; count < 5; count += 1) {
        const answer = await agent(app, { address }).mintKey();
        minted.push(answer.json<{ data: { key: string } }>().data.key);
      }
      keys.set(address, minted);
    }
    const byAddress = new Map<string, number>();
    const byKey = new Map<string, number>();
    const count = (counts: Map<string, number>, of: string) =>
      counts.set(of, (counts.get(of) ?? 0) + 1);
    let person = 0;
    const grab = async (address: string, key?: string) => {
      const from = { address, ...(key !== undefined && { key }) };
      const answer = await hold(personNumber((person += 1)), from);
      if (answer.statusCode !== 201) return answer.statusCode;
      await confirmCheckout(context, checkoutTokenOf(answer));
      count(byAddress, address);
      if (key !== undefined) count(byKey, key);
      return 201;
    };
    // Every address uses its own keys, those of the next address, and none.
    for (const [index, address] of addresses.entries()) {
      const next = addresses[(index + 1) % addresses.length]!;
      for (const owner of [address, next, address, next]) {
        for (const key of keys.get(owner)!) await grab(address, key);
        await grab(address);
      }
    }
    t.strictSame([...byAddress.values()], [12, 12, 12]);
    t.ok(Math.max(...byKey.values()) <= 12);

    const again = () => grab(addresses[0]!, keys.get(addresses[2]!)![1]);
    t.equal(await again(), 429);
    await service.shiftClock(24 * hourMs - 60_000);
    t.equal(await again(), 429);
    await service.shiftClock(24 * hourMs);
    t.equal(await again(), 201);
  },
);

void t.test(
  'a caller is a key, an IPv4 address or a /48, before and after a rotation',
  async (t) => {
    const before = 'the key before the rotation, of enough length';
    const environment = { ...generous, MAX_LIVE_BOOKINGS_PER_CALLER: '2' };
    const service = await startService(t, environment, {
      overrides: { keyring: createKeyring(before) },
    });
    service.expectLog(callerAtCap);
    const { key } = await newKey(service.app);
    let person = 0;
    const statuses = async (
      holder: typeof service,
      ...clients: { address: string; key?: string }[]
    ) => {
      const hold = await slotHolder(holder, 8);
      const answers = [];
      for (const from of clients) answers.push(await hold(personNumber((person += 1)), from));
      return answers.map(({ statusCode }) => statusCode);
    };
    const of = (...addresses: string[]) => addresses.map((address) => ({ address }));
    const keyed = [1, 2, 3].map((last) => ({ key, address: `192.0.2.${last}` }));
    t.strictSame(await statuses(service, ...keyed, ...of('192.0.2.3')), [201, 201, 429, 201]);
    t.strictSame(
      await statuses(service, ...of('2001:db8:1:1::1', '2001:db8:1:2::1', '2001:db8:1:ffff::2')),
      [201, 201, 429],
    );
    t.strictSame(await statuses(service, ...of('2001:db8:2:1::1')), [201]);
    t.strictSame(
      await statuses(service, ...of('192.0.2.9', '::ffff:192.0.2.9', '::ffff:192.0.2.9')),
      [201, 201, 429],
    );

    const DATABASE_URL = service.context.config.databaseUrl!;
    const keyring = createKeyring('the key after the rotation, of enough length', before);
    const rotated = await startService(
      t,
      { ...environment, DATABASE_URL },
      { overrides: { keyring } },
    );
    rotated.expectLog(callerAtCap);
    t.strictSame(await statuses(rotated, ...of('192.0.2.9', '192.0.2.10')), [429, 201]);
  },
);
