import t from 'tap';
import type { Capabilities } from '../../generated/schemas.js';
import { startBackground } from '../../src/background.js';
import { disableWebhook, enableWebhook } from '../../src/domain/studio/webhook-admin.js';
import { lockUndispatchedEvents } from '../../src/repositories/events.js';
import { insertDeliveries } from '../../src/repositories/webhook-dispatch.js';
import { lockWaits } from '../support/database.js';
import { answer, type Behaviour } from '../support/receiver.js';
import { startWebhookService, type Subscriber } from '../support/webhooks.js';

const dayMs = 86_400_000;

const attempted = ({ attempts }: { attempts: number }): boolean => attempts === 1;

/** Retries come after months, so that every attempt is the first of its event. */
const service = await startWebhookService(t, { WEBHOOK_RETRY_SCHEDULE_SECONDS: '10000000' });
const { context } = service;
const { database, pool } = context;
/** Its event is repeated. */
await service.hold();
const { dispatcher, sweeper } = await service.startBackground();

async function disabledReason(subscriber: Subscriber) {
  const { status, disabled_reason } = await service.read(subscriber);
  t.equal(status === 'disabled', disabled_reason !== null);
  return disabled_reason;
}

async function untilDisabled(subscriber: Subscriber) {
  for (;;) {
    const reason = await disabledReason(subscriber);
    if (reason !== null) return reason;
  }
}

/** Deliveries of a subscription by status, and what was skipped. */
async function countsOf(subscriber: Subscriber, { context, read } = service) {
  const { rows } = await context.pool.query<{ status: string; count: number }>(
    `select status, count(*)::integer from webhook_deliveries where subscription_id = $1
    group by status`,
    [subscriber.id],
  );
  const { skipped } = await read(subscriber);
  const counts: Record<string, number> = { skipped };
  for (const { status, count } of rows) counts[status] = count;
  return counts;
}

/**
 * Resolves when the attempts of as many deliveries are recorded. Where the clock goes before that,
 * the retry comes months after it.
 */
async function untilAttempted({ id }: Subscriber, count: number) {
  const query = 'select from webhook_deliveries where subscription_id = $1 and attempts > 0';
  while ((await pool.query(query, [id])).rowCount !== count);
}

t.test('two processes that dispatch at once leave no more than twenty waiting', async (t) => {
  const service = await startWebhookService(t);
  const { database } = service.context;
  const shop = await service.subscriber(t);
  const dispatch = async (transaction: Parameters<typeof insertDeliveries>[0]) => {
    const events = await lockUndispatchedEvents(transaction);
    await insertDeliveries(
      transaction,
      events.map(({ id }) => id),
    );
  };
  await service.hold();
  await service.repeatEvent(14);
  let second: Promise<void> | undefined;
  await database.transaction().execute(async (transaction) => {
    await dispatch(transaction);
    await service.repeatEvent(15);
    second = database.transaction().execute(dispatch);
    while ((await lockWaits(database)) === 0);
  });
  await second;
  t.strictSame(await countsOf(shop, service), { pending: 20, skipped: 10 });
});

const dispatch = async (count: number) => {
  await service.repeatEvent(count);
  await dispatcher.dispatchAll();
};

t.test(
  'until its first success, a receiver has one request at a time, then two, over all processes',
  async (t) => {
    const held = (status: number) => {
      let release: () => void = () => undefined;
      const until = new Promise<void>((resolve) => (release = resolve));
      return { release, answer: { kind: 'held answer', status, until } satisfies Behaviour };
    };
    const [first, later] = [held(500), held(204)];
    const answers = [first.answer, answer(204), later.answer, later.answer, answer(204)];
    const shop = await service.subscriber(t, answers);
    const proven = await service.subscriber(t);
    await service.prove(proven);
    // Each has its own queues and workers, as in a process of its own.
    const others = [await startBackground(context), await startBackground(context)];
    t.teardown(() => Promise.all(others.map((each) => each.stop())));
    await dispatch(10);
    await Promise.all([shop.request(1), proven.request(10)]);
    t.equal(shop.requests.length, 1, 'while another receives all');
    first.release();
    await shop.request(4);
    await dispatch(10);
    await proven.request(20);
    t.equal(shop.requests.length, 4);
    later.release();
    await shop.request(20);
  },
);

/** The sweep also expires the holds of what came before. */
let passedMs = 0;
const pass = async (milliseconds: number) => {
  passedMs += milliseconds;
  await service.shiftClock(passedMs);
  await sweeper.sweep();
};

t.test(
  'a subscription is disabled after 24 hours without a first success, or five days of failures since the last',
  async (t) => {
    const answers = (...statuses: number[]) => statuses.map((status) => answer(status));
    const shops = await Promise.all(
      [answers(500), answers(200, 500), answers(200, 500, 500, 200, 500)].map((behaviours) =>
        service.subscriber(t, behaviours, ['hold.created']),
      ),
    );
    const marginMs = 10 * 60_000;
    const never = 'never_succeeded';
    const steps = [
      [0, null, null, null],
      [0, null, null, null],
      [dayMs - marginMs, null, null, null],
      [2 * marginMs, never, null, null],
      [4 * dayMs - 2 * marginMs, never, null, null],
      [2 * marginMs, never, 'failing', null],
      [3 * dayMs, never, 'failing', null],
    ] as const;
    const isDisabled: boolean[] = [];
    for (const [step, [milliseconds, ...reasons]] of steps.entries()) {
      await pass(milliseconds);
      await service.hold();
      for (const [index, shop] of shops.entries()) {
        if (isDisabled[index]) continue;
        await shop.request(step + 1);
        await service.untilDelivery(shop, attempted);
        if (reasons[index] !== null) await untilDisabled(shop);
        t.equal(await disabledReason(shop), reasons[index], `${index} in step ${step}`);
        isDisabled[index] = reasons[index] !== null;
      }
    }
    t.strictSame(
      shops.map(({ requests }) => requests.length),
      [4, 6, 7],
      'and gets nothing more',
    );
  },
);

t.test(
  'until its first success, twenty deliveries wait, and what is beyond is skipped',
  async (t) => {
    const { data } = (await service.app.inject('/api/public/capabilities')).json<{
      data: Capabilities;
    }>();
    t.equal(data.webhooks.max_waiting_until_proven, 20);
    const shop = await service.subscriber(t, [answer(500)], ['hold.created']);
    const other = await service.subscriber(t, [answer(500)], ['hold.expired']);
    await dispatch(18);
    t.strictSame(await countsOf(shop), { pending: 18, skipped: 0 });
    await dispatch(5);
    t.strictSame(await countsOf(shop), { pending: 20, skipped: 3 });
    await dispatch(4);
    t.strictSame(await countsOf(shop), { pending: 20, skipped: 7 });
    t.strictSame(await countsOf(other), { skipped: 0 }, 'what it did not ask for');

    await untilAttempted(shop, 20);
    shop.behave(answer(204));
    await pass(140 * dayMs);
    await shop.request(40);
    while (!('delivered' in (await countsOf(shop))));
    while ('pending' in (await countsOf(shop)));
    await dispatch(25);
    await shop.request(65);
    t.equal((await service.read(shop)).skipped, 7, 'proven, it misses nothing');
  },
);

t.test('after ten failures in a row it is as before its first success', async (t) => {
  const shop = await service.subscriber(t, [answer(204), answer(500)], ['hold.created']);
  await dispatch(1);
  await service.untilDelivery(shop, ({ status }) => status === 'delivered');
  await dispatch(9);
  await untilAttempted(shop, 10);
  await dispatch(20);
  t.strictSame(await countsOf(shop), { delivered: 1, pending: 29, skipped: 0 });
  await untilAttempted(shop, 30);
  await dispatch(1);
  t.strictSame(await countsOf(shop), { delivered: 1, pending: 29, skipped: 1 });

  shop.behave(answer(204));
  // The first, which is old then, is deleted.
  await pass(140 * dayMs);
  while ((await countsOf(shop))['delivered'] !== 29);
  shop.behave({ kind: 'hang' });
  await dispatch(25);
  const after = { delivered: 29, pending: 25, skipped: 1 };
  t.strictSame(await countsOf(shop), after, 'a success ends it');
});

t.test(
  'what ended 30 days ago is deleted, attempted or not, with subscriptions that are disabled; what is pending is not',
  async (t) => {
    const shop = await service.subscriber(t, [answer(204), answer(500), answer(204)]);
    const gone = await service.subscriber(t, [answer(410)], ['hold.created']);
    const unserved = await service.subscriber(t, [], ['hold.created']);
    // As while another process has the claim, so that nothing is sent.
    await pool.query(
      `update webhook_subscriptions set claimed_until = booking_now() + interval '1 day'
    where id = $1`,
      [unserved.id],
    );
    await service.hold();
    await service.untilDelivery(shop, ({ status }) => status === 'delivered');
    t.equal(await untilDisabled(gone), 'gone');
    await service.hold();
    await shop.request(2);
    await service.untilDelivery(shop, attempted);
    await disableWebhook({ database }, 'ada@desk', unserved.id);
    await enableWebhook({ database }, 'ada@desk', { ...unserved, disabled_reason: 'studio' });
    const unattempted = { status: 'failed', attempts: 0 };
    const deliveriesOf = async (each: Subscriber) => (await service.read(each)).recent_deliveries;
    t.match(await deliveriesOf(unserved), [unattempted, unattempted]);

    await pass(29 * dayMs);
    t.equal(await disabledReason(gone), 'gone');
    t.ok((await deliveriesOf(shop)).length >= 2);
    t.equal((await deliveriesOf(unserved)).length, 2);
    await pass(2 * dayMs);
    await t.rejects(service.read(gone), /manage_token_invalid/);
    t.strictSame(await deliveriesOf(unserved), []);
    const left = await deliveriesOf(shop);
    t.ok(left.every(({ status, type }) => status === 'pending' || type === 'hold.expired'));
    t.ok(left.some(({ status, type }) => status === 'pending' && type === 'hold.created'));
  },
);
