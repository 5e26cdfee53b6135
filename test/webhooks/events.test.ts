import { isDeepStrictEqual } from 'node:util';
import t from 'tap';
import { placeHold } from '../../src/domain/booking/holds.js';
import { expireHolds } from '../../src/domain/booking/new-hold.js';
import { resealSigningSecrets } from '../../src/domain/webhooks.js';
import { createKeyring } from '../../src/secrets/keyring.js';
import { pressOn } from '../support/forms.js';
import { callerNumber, holdRequest, someOpenSlots } from '../support/requests.js';
import { secretKey } from '../support/service.js';
import { eventOf, startWebhookService, verify } from '../support/webhooks.js';

t.test(
  'the body is the public booking as of the commit, signed in UTF-8 with a secret that was resealed, without personal data',
  async (t) => {
    const service = await startWebhookService(t);
    const { app, context } = service;
    const shop = await service.subscriber(t);
    const [slot] = await someOpenSlots(context, 1);
    const hold = { method: 'POST', url: '/api/public/holds', payload: holdRequest(slot!) } as const;
    const { data: placed } = (await app.inject(hold)).json();
    const label = 'mardi 1ᵉʳ décembre, 刺青 ✂️, "quoted" \\ and \u2028';
    await context.pool.query('update bookings set label = $1', [label]);
    await context.pool.query(
      `update events set data = jsonb_set(data, '{label}', to_jsonb($1::text))`,
      [label],
    );
    const read = async () => (await app.inject(`/api/public/bookings/${placed.id}`)).json().data;
    const held = await read();
    // Confirmed before anything is sent; the first event must still say pending.
    const checkoutPath = new URL(placed.checkout_url).pathname;
    t.equal((await pressOn(service, checkoutPath, 'confirm')).statusCode, 303);
    const confirmed = await read();
    t.match([held, confirmed], [{ status: 'pending', label }, { status: 'confirmed' }]);

    const after = 'another secret that only the tests know, long enough';
    await resealSigningSecrets({ ...context, keyring: createKeyring(after, secretKey) });
    context.keyring = createKeyring(after);
    await service.startBackground();
    await shop.request(2);
    const events = shop.requests.map((request) => verify(shop, request));
    for (const [type, data, timestamp] of [
      ['hold.created', held, held.created_at],
      ['booking.confirmed', confirmed, confirmed.confirmed_at],
    ]) {
      const event = events.find((each) => each.type === type)!;
      t.ok(isDeepStrictEqual(event.data, data), `${type}: as GET /bookings/{id} had it`);
      t.strictSame(Object.keys(event), ['type', 'timestamp', 'data']);
      t.equal(event.timestamp, timestamp);
    }
    t.match(shop.requests[0]!.headers, {
      'content-type': 'application/json',
      'webhook-id': /^[0-9a-f-]{36}$/,
      'webhook-timestamp': /^\d{10}$/,
      'webhook-signature': /^v1,[A-Za-z0-9+/]{43}=$/,
    });
    const sent = shop.requests
      .flatMap(({ body, rawHeaders, path }) => [body.toString(), ...rawHeaders, path])
      .join('\n');
    for (const personal of ['Ada', 'ada@', '5555550142', checkoutPath.split('/').at(-1)!]) {
      t.notOk(sent.includes(personal), personal);
    }
  },
);

t.test('on a service that starts its jobs late', async (t) => {
  const service = await startWebhookService(t, { HOLD_LIFETIME_SECONDS: '1' });
  const { context } = service;
  const place = async (slot: Awaited<ReturnType<typeof someOpenSlots>>[number], number = 1) =>
    (await placeHold(context, callerNumber(number), holdRequest(slot), null)).booking.id;
  const everything = await service.subscriber(t);
  const expiries = await service.subscriber(t, [], ['hold.expired']);

  await t.test(
    'a subscriber receives the types that it subscribed to, no event from before, and each expiry once: by the sweeper, a new hold, or its job',
    async (t) => {
      const [one, other] = await someOpenSlots(context, 2);
      const [lapsed, replaced] = [await place(one!), await place(other!)];
      const { token } = await service.hold();
      t.equal((await pressOn(service, `/checkout/${token}`, 'release')).statusCode, 303);
      const change = { type: 'calendar.changed', occurred_at: new Date(), data: '{}' } as const;
      await context.database.insertInto('events').values(change).execute();
      const newcomer = await service.subscriber(t);
      await service.shiftClock(2_000);
      const byJob = await place(other!);
      const { sweeper } = await service.startBackground();
      await expiries.request(3);
      const expired = [lapsed, replaced, byJob];
      t.strictSame(expiries.requests.map((each) => eventOf(each).data.id).sort(), expired.sort());
      const expiredByJob = expiries.requests
        .map((each) => verify(expiries, each))
        .find(({ data }) => data.id === byJob);
      t.match(expiredByJob, {
        type: 'hold.expired',
        data: { id: byJob, status: 'expired', expired_at: /Z$/, ends_at: /:00$/ },
      });
      await sweeper.sweep();
      const { rows } = await context.pool.query('select type from events order by type');
      const created = Array<string>(4).fill('hold.created');
      const recorded = Array<string>(3).fill('hold.expired');
      t.strictSame(
        rows.map(({ type }) => type),
        ['booking.cancelled', 'calendar.changed', ...created, ...recorded],
      );
      for (const [subscriber, wanted] of [
        [everything, [...created, ...recorded]],
        [expiries, recorded],
        [newcomer, ['hold.created', ...recorded]],
      ] as const) {
        await subscriber.request(wanted.length);
        const { recent_deliveries: deliveries } = await service.read(subscriber);
        t.strictSame(deliveries.map(({ type }) => type).sort(), wanted);
      }
    },
  );

  await t.test(
    'one event is recorded when jobs, the sweeper and new holds expire a hold concurrently',
    async (t) => {
      const { sweeper } = await service.startBackground();
      const [slot] = await someOpenSlots(context, 1);
      const first = await place(slot!);
      await service.shiftClock(16 * 60_000);
      await Promise.all([
        ...[2, 3, 4].map((number) => place(slot!, number).catch(() => null)),
        ...[1, 2, 3].map(() => expireHolds(context)),
        sweeper.sweep(),
      ]);
      const { rowCount } = await context.pool.query(
        `select from events where type = 'hold.expired' and booking_id = $1`,
        [first],
      );
      t.equal(rowCount, 1);
      await expiries.request(4);
      const ids = () => expiries.requests.map((each) => eventOf(each).data.id);
      while (!ids().includes(first)) await service.read(expiries);
      t.equal(ids().filter((id) => id === first).length, 1);
    },
  );
});
