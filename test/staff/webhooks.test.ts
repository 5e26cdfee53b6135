import t from 'tap';
import { freePort } from '../support/process.js';
import { answer, type Receiver } from '../support/receiver.js';
import { studioOn } from '../support/studio.js';
import { startWebhookService } from '../support/webhooks.js';

const service = await startWebhookService(t, { WEBHOOK_RETRY_SCHEDULE_SECONDS: '0' });
await service.startBackground();
const studio = studioOn(service.context);

/** Resolves with the ids of the events that the receiver has got, once there are `count`. */
async function eventIds(receiver: Receiver, count: number): Promise<(string | undefined)[]> {
  await receiver.request(count);
  return receiver.requests.map(({ headers }) => headers['webhook-id']);
}

void t.test(
  'what failed since a time is sent again to all that live, and what is disabled gets nothing',
  async (t) => {
    const failing = await service.subscriber(t, [answer(500)], ['hold.created']);
    const disabled = await service.subscriber(t, [answer(500)], ['hold.created']);
    await service.hold();
    const failed = ({ status }: { status: string }) => status === 'failed';
    for (const each of [failing, disabled]) await service.untilDelivery(each, failed);
    const [eventId] = await eventIds(failing, 1);

    t.match(await studio(`webhooks disable ${disabled.id} --yes`), { code: 0 });
    t.match(await service.read(disabled), { status: 'disabled', disabled_reason: 'studio' });
    t.equal((await studio(`webhooks disable ${disabled.id} --yes`)).code, 4);
    failing.behave(answer(204));
    const again = await studio('webhooks redeliver --failed-since 1h --yes --json');
    t.match(again.json(), { redelivered: 1, subscriptions: [failing.id] });
    t.strictSame(await eventIds(failing, 3), [eventId, eventId, eventId], 'the same event');
    await service.untilDelivery(failing, ({ status }) => status === 'delivered');
    t.equal(disabled.requests.length, 2);

    const redeliver = 'webhooks redeliver --failed-since 1h --yes';
    t.equal((await studio(redeliver)).code, 3, 'nothing is left');
    t.equal((await studio(redeliver, disabled.id)).code, 4);

    t.match(await studio(`webhooks enable ${disabled.id}`), { code: 0 });
    t.equal((await studio(`webhooks enable ${disabled.id}`)).code, 4, 'it is not disabled');
    t.match(await service.read(disabled), { status: 'active', disabled_reason: null });
    disabled.behave(answer(204));
    await service.hold();
    t.not((await eventIds(disabled, 3))[2], eventId, 'what happens from then on is sent');
    const missed = `webhooks redeliver ${disabled.id.slice(0, 8)} --event ${eventId} --yes`;
    t.match(await studio(missed), { code: 0, stdout: /^Due: 1 delivery\./ });
    t.equal((await eventIds(disabled, 4))[3], eventId);
  },
);

void t.test('a Redis that does not answer keeps no command waiting', async (t) => {
  const studio = studioOn(service.context, { REDIS_URL: `redis://127.0.0.1:${await freePort()}` });
  const answers = [answer(500), answer(500), answer(204)];
  const subscriber = await service.subscriber(t, answers, ['hold.created']);
  await service.hold();
  await service.untilDelivery(subscriber, ({ status }) => status === 'failed');

  const again = await studio('webhooks redeliver --failed-since 1h --yes');
  t.match(again, { code: 0, stdout: /Due: 1 delivery\./ });
  await service.untilDelivery(subscriber, ({ status }) => status === 'delivered');
});

void t.test('lists show addresses, and never what signs or manages them', async (t) => {
  const subscriber = await service.subscriber(t);
  await service.hold();
  await service.untilDelivery(subscriber, ({ status }) => status === 'delivered');
  const hash = await service.context.pool.query<{ hash: string }>(
    "select encode(manage_token_hash, 'hex') as hash from webhook_subscriptions where id = $1",
    [subscriber.id],
  );
  const show = `show ${subscriber.id}`;
  for (const line of ['list', 'list --json', show, `${show} --json`]) {
    const { code, stdout } = await studio(`webhooks ${line}`);
    t.equal(code, 0);
    t.match(stdout, /127\.0\.0\.1/);
    t.notMatch(stdout, /whsec_|tsm_/);
    t.notMatch(stdout, hash.rows[0]!.hash.slice(0, 16));
  }
  t.match(await studio(`webhooks ${show}`), { stdout: /hold\.created +delivered/ });
  const all = (await studio('webhooks list --json')).json<{ id: string }[]>();
  const counted = { deliveries: { pending: 0, delivered: 1 } };
  t.match(
    all.find(({ id }) => id === subscriber.id),
    counted,
  );
});
