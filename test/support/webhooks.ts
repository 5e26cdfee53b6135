import { Webhook } from 'standardwebhooks';
import type { Test } from 'tap';
import type {
  Webhook as Subscription,
  WebhookDelivery,
  WebhookEvent as Event,
} from '../../generated/schemas.js';
import { createSender } from '../../src/webhooks/send.js';
import { holdForPerson } from './holds.js';
import { startReceiver, type Behaviour, type ReceivedRequest, type Receiver } from './receiver.js';
import { callerNumber } from './requests.js';
import { generous, startService } from './service.js';

export interface Subscriber {
  id: string;
  secret: string;
  manageToken: string;
}

export type WebhookService = Awaited<ReturnType<typeof startWebhookService>>;

/** Starts the service with targets on loopback allowed, and no delay between attempts. */
export async function startWebhookService(
  t: Test,
  environment: Record<string, string> = {},
  { totalSeconds = 15, maxConnections = Infinity } = {},
) {
  const webhookSender = createSender({
    allowPrivateTargets: true,
    clock: { now: Date.now },
    maxConnections,
    timeouts: { connectSeconds: 5, totalSeconds },
  });
  const service = await startService(
    t,
    {
      ...generous,
      WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true',
      WEBHOOK_RETRY_SCHEDULE_SECONDS: '0,0,0,0,0,0,0,0,0',
      ...environment,
    },
    { overrides: { webhookSender } },
  );
  const { app, context } = service;
  let addresses = 0;

  /** Subscribes over HTTP, so that no cap counts the subscription. */
  async function subscribe(receiver: Receiver, events?: string[]): Promise<Subscriber> {
    addresses += 1;
    const response = await app.inject({
      method: 'POST',
      url: '/api/public/webhooks',
      remoteAddress: callerNumber(addresses).address,
      payload: { url: `${receiver.origin}/hook`, ...(events && { events }) },
    });
    if (response.statusCode !== 201) throw new Error(response.body);
    const { data } = response.json<{
      data: { id: string; signing_secret: string; manage_token: string };
    }>();
    // No other row: a locked one is not claimed.
    const uncounted = 'update webhook_subscriptions set target_host = id::text where id = $1';
    await context.pool.query(uncounted, [data.id]);
    return { id: data.id, secret: data.signing_secret, manageToken: data.manage_token };
  }

  async function manage({ manageToken }: Subscriber, method: 'GET' | 'DELETE') {
    const url = '/api/public/webhooks';
    const headers = { authorization: `Bearer ${manageToken}` };
    const response = await app.inject({ method, url, headers });
    if (response.statusCode !== 200) throw new Error(response.body);
    return response.json<{ data: Subscription }>().data;
  }

  /** The subscription, as its subscriber reads it. */
  const read = (subscriber: Subscriber) => manage(subscriber, 'GET');
  const unsubscribe = (subscriber: Subscriber) => manage(subscriber, 'DELETE');

  return {
    ...service,
    /** Starts a receiver that is subscribed until the test ends. */
    async subscriber(
      t: Test,
      behaviours: Behaviour[] = [],
      events?: string[],
    ): Promise<Subscriber & Receiver> {
      const receiver = await startReceiver(...behaviours);
      const subscriber = await subscribe(receiver, events);
      t.teardown(async () => {
        // Some tests delete it.
        await unsubscribe(subscriber).catch(() => undefined);
        await receiver.close();
      });
      return { ...receiver, ...subscriber };
    },
    subscribe,
    unsubscribe,
    read,
    /** Resolves with the newest delivery once `wanted` holds for it. */
    async untilDelivery(
      subscriber: Subscriber,
      wanted: (delivery: WebhookDelivery) => boolean,
    ): Promise<WebhookDelivery> {
      for (;;) {
        const [newest] = (await read(subscriber)).recent_deliveries;
        if (newest !== undefined && wanted(newest)) return newest;
      }
    },
    /** Records a success of the subscription, as its first delivery would. */
    async prove({ id }: Subscriber) {
      const succeeded = 'update webhook_subscriptions set has_succeeded = true where id = $1';
      await context.pool.query(succeeded, [id]);
    },
    /** Records as many `hold.created` events of the last booking as events of their own. */
    async repeatEvent(count: number) {
      await context.pool.query(
        `insert into events (type, booking_id, occurred_at, data)
        select type, booking_id, booking_now(), data
        from (select * from events where type = 'hold.created' order by position limit 1) as first,
          generate_series(1, $1::integer)`,
        [count],
      );
    },
    /** Places a hold on another slot. */
    hold: () => holdForPerson(service),
  };
}

/** The event of a request, verified as a subscriber would; needs a clock that is not shifted. */
export function verify(subscriber: Subscriber, { body, headers }: ReceivedRequest): Event {
  return new Webhook(subscriber.secret).verify(body, headers) as Event;
}

/** The event of a request, not verified, for a clock that is shifted. */
export function eventOf({ body }: ReceivedRequest): Event {
  return JSON.parse(body.toString()) as Event;
}
