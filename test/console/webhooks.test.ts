import t, { type Test } from 'tap';
import { newestActions, signedIn } from '../support/console.js';
import { answer, startReceiver } from '../support/receiver.js';
import { startWebhookService, type WebhookService } from '../support/webhooks.js';

const path = '/console/webhooks';
const sendAgain = 'Send failed deliveries again';

/** A subscription whose delivery failed, after two attempts; its receiver works by now. */
async function start(t: Test) {
  const service = await startWebhookService(t, { WEBHOOK_RETRY_SCHEDULE_SECONDS: '0' });
  const receiver = await startReceiver(answer(500), answer(500), answer(204));
  t.teardown(() => receiver.close());
  const { sweeper } = await service.startBackground();
  await sweeper.stop();
  const subscriber = await service.subscribe(receiver, ['hold.created']);
  await service.hold();
  await service.untilDelivery(subscriber, ({ status }) => status === 'failed');
  const [ada, grace] = [await signedIn(service), await signedIn(service, 'Grace')];
  return { service, receiver, subscriber, ada, grace };
}

async function audited(service: WebhookService) {
  const actions = await newestActions(service, 100);
  return actions.filter(({ action }) => action.startsWith('webhooks')).reverse();
}

t.test('what failed is sent again in two presses, and arrives at once', async (t) => {
  const { service, receiver, subscriber, ada, grace } = await start(t);
  await grace.open(path);
  const before = ada.presses;
  await ada.follow('Webhooks');
  t.match(ada.text('.webhooks'), /127\.0\.0\.1:\d+\/hook.*1 failed/);
  await ada.press(sendAgain);
  t.equal(ada.presses - before, 2);
  t.equal(ada.path, `${path}?done=redelivered`);
  const again = await receiver.request(3);
  t.equal(again.headers['webhook-id'], receiver.requests[0]?.headers['webhook-id']);
  await service.untilDelivery(subscriber, ({ status }) => status === 'delivered');

  await grace.press(sendAgain);
  t.match(grace.text('[role=alert]'), 'nothing to send again');
  t.equal(receiver.requests.length, 3);
  const rows = await audited(service);
  const details = { deliveries: 1, subscription_ids: [subscriber.id] };
  t.match(rows, [{ actor: /^Ada \(console/, action: 'webhooks redeliver', details }]);
  t.equal(rows.length, 1);
});

t.test('one subscription is disabled and enabled, and one event is sent again', async (t) => {
  const { service, receiver, subscriber, ada, grace } = await start(t);
  await ada.open(path);
  await ada.follow(ada.text('.webhooks a'));
  t.equal(ada.path, `${path}/${subscriber.id}`);
  await grace.open(ada.path);
  await ada.press('Disable');
  t.equal(ada.text('[role=status]'), 'Disabled. Nothing is sent to it.');
  await grace.press('Disable');
  t.match(grace.text('[role=alert]'), 'had been disabled before');
  t.match(await service.read(subscriber), { status: 'disabled', disabled_reason: 'studio' });
  t.notMatch(ada.texts('button').join(), 'Send', 'nothing is sent to it');

  await grace.open(`${path}/${subscriber.id}`);
  await ada.press('Enable');
  await grace.press('Enable');
  t.match(grace.text('[role=alert]'), 'is not disabled');
  for (const [button, request] of [
    [sendAgain, 3],
    [`Send again ${ada.text('.deliveries .fine')}`, 4],
  ] as const) {
    await ada.open(`${path}/${subscriber.id}`);
    await ada.press(button);
    t.match(ada.path, '?done=redelivered');
    await receiver.request(request);
    await service.untilDelivery(subscriber, ({ status }) => status === 'delivered');
  }
  const actions = (await audited(service)).map(({ action }) => action);
  const twice = ['webhooks redeliver', 'webhooks redeliver'];
  t.strictSame(actions, ['webhooks disable', 'webhooks enable', ...twice]);
});

t.test('no page shows a secret of a subscription, nor the query of its address', async (t) => {
  const service = await startWebhookService(t);
  const receiver = await startReceiver();
  t.teardown(() => receiver.close());
  const subscriber = await service.subscribe(receiver);
  await service.context.database
    .updateTable('webhook_subscriptions')
    .set({ url: 'https://hooks.example.com/in?token=hidden-words' })
    .execute();
  const ada = await signedIn(service);
  for (const address of [path, `${path}/${subscriber.id}`]) {
    await ada.open(address);
    t.match(ada.text('main'), 'hooks.example.com/in?…');
    for (const secret of ['hidden-words', subscriber.secret, subscriber.manageToken]) {
      t.notOk(ada.answer.body.includes(secret));
    }
  }
  t.equal(await ada.open(`${path}/00000000-0000-4000-8000-000000000000`), 404);
});
