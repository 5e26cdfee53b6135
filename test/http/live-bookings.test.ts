import t from 'tap';
import { confirmCheckout, findCheckout, releaseCheckout } from '../../src/domain/checkout.js';
import { confirmBooking } from '../../src/repositories/booking-transitions.js';
import { noProof } from '../../src/repositories/proof.js';
import { createKeyring } from '../../src/platform/keyring.js';
import { agent, checkoutTokenOf, newKey, slotHolder } from '../support/agents.js';
import { codeMode } from '../support/codes.js';
import { provenBrowser } from '../support/mail-rows.js';
import { personNumber } from '../support/requests.js';
import { generous, startService } from '../support/service.js';

const dayMs = 24 * 3_600_000;

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
      `update bookings set starts_at = booking_now() - $1::interval
       where status = 'confirmed' and checkout_token_hash = sha256($2::text::bytea)`,
      [moment, over],
    );
  await setStart('3 hours 59 minutes');
  await isRefused('the session has begun and is not over');
  await setStart('4 hours');
  await held();
});

void t.test(
  'an address books at most twelve sessions in 24 hours, with keys of its own or of others',
  async (t) => {
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
  },
);

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
