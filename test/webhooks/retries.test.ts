import t, { type Test } from 'tap';
import { answer, startReceiver } from '../support/receiver.js';
import { redisMissing, redisUrl } from '../support/redis.js';
import { soonMs } from '../support/seconds.js';
import { startWebhookService, type WebhookService } from '../support/webhooks.js';

const retries = [1, 2, 3];
const punctualMs = 250;
/** The best round counts for each attempt: on a busy machine some rounds are late. */
const roundLimit = 10;

for (const [backend, skip] of [
  ['PostgreSQL', false],
  ['Redis', redisMissing],
] as const) {
  t.test(
    `on ${backend}: each of four attempts is less than 250 ms late, without the sweeper`,
    { skip, timeout: 120_000 },
    async (t) => {
      const service = await startWebhookService(t, {
        WEBHOOK_RETRY_SCHEDULE_SECONDS: retries.map(() => '1').join(),
        ...(backend === 'Redis' && { REDIS_URL: await redisUrl(t) }),
      });
      const { sweeper } = await service.startBackground();
      await sweeper.stop();
      let earliest = [Infinity];
      for (let round = 0; round < roundLimit && Math.max(...earliest) >= punctualMs; round += 1) {
        const late = await attemptsOfOneDelivery(t, service);
        t.comment(`${late.map(Math.round).join(', ')} ms late`);
        t.ok(Math.max(...late) < soonMs);
        earliest = late.map((each, index) => Math.min(each, earliest[index] ?? Infinity));
      }
      t.ok(Math.max(...earliest) < punctualMs, `${earliest.map(Math.round).join(', ')} ms late`);
    },
  );
}

/** How late each attempt is, in milliseconds, at a receiver that always answers 500. */
async function attemptsOfOneDelivery(t: Test, service: WebhookService): Promise<number[]> {
  const receiver = await startReceiver(answer(500));
  t.teardown(() => receiver.close());
  const subscriber = await service.subscribe(receiver);
  await service.hold();
  const heldAt = performance.now();
  let { receivedAt } = await receiver.request(1);
  const late = [receivedAt - heldAt];
  for (const retry of retries) {
    const failed = await service.untilDelivery(subscriber, ({ attempts }) => attempts === retry);
    // Compares two database timestamps, since the clocks of the database and the test differ.
    const pauseMs = Date.parse(failed.next_attempt_at!) - Date.parse(failed.last_attempt_at!);
    t.ok(pauseMs >= 900 && pauseMs <= 1_100, `${pauseMs} ms are a second, give or take a tenth`);
    const next = await receiver.request(retry + 1);
    late.push(next.receivedAt - receivedAt - pauseMs);
    t.ok(late.at(-1)! >= 0, 'never early');
    ({ receivedAt } = next);
  }
  await service.unsubscribe(subscriber);
  return late;
}
