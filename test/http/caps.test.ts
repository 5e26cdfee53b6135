import type { LightMyRequestResponse } from 'fastify';
import t from 'tap';
import { revokeApiKeys } from '../../src/access/api-keys.js';
import { releaseCheckout } from '../../src/domain/checkout.js';
import { agent, checkoutTokenOf } from '../support/agents.js';
import { personNumber, someOpenSlots } from '../support/requests.js';
import { generous, startService, type TestService } from '../support/service.js';
import { ask } from '../support/webhook-requests.js';

type Place = (address: string) => Promise<LightMyRequestResponse>;

interface Cap {
  what: string;
  limit: number;
  environment?: Record<string, string>;
  /** Prepares to place one more with each call. */
  start(service: TestService): Place | Promise<Place>;
  end(service: TestService, placed: LightMyRequestResponse): Promise<unknown>;
  refusal: { statusCode: number; headers?: Record<string, string>; body: string | RegExp };
}

const holds: Pick<Cap, 'limit' | 'start' | 'end'> = {
  limit: 4,
  async start({ app, context }) {
    const slots = await someOpenSlots(context, 20);
    return (address) =>
      agent(app, { address }).hold(slots.shift()!, undefined, personNumber(slots.length));
  },
  end: ({ context }, placed) => releaseCheckout(context, checkoutTokenOf(placed), 'pending'),
};

const data = (answer: LightMyRequestResponse) =>
  answer.json<{ data: { id: string; manage_token: string } }>().data;

const caps: Cap[] = [
  {
    what: 'pending holds',
    ...holds,
    environment: { MAX_PENDING_HOLDS_PER_CALLER: '4' },
    refusal: { statusCode: 503, body: 'too_many_pending_holds' },
  },
  {
    what: 'live bookings',
    ...holds,
    environment: { MAX_LIVE_BOOKINGS_PER_CALLER: '4' },
    refusal: { statusCode: 429, headers: { 'retry-after': '3600' }, body: 'rate_limited' },
  },
  {
    what: 'webhooks',
    limit: 10,
    start({ app }) {
      let target = 0;
      return (remoteAddress) => {
        const payload = { url: `https://8.8.8.${(target += 1)}/` };
        return app.inject({ method: 'POST', url: '/api/public/webhooks', payload, remoteAddress });
      };
    },
    end: (service, placed) => ask(service, 'DELETE', { token: data(placed).manage_token }),
    refusal: { statusCode: 429, body: /rate_limited.*IPv6 network \(\/48\).* 10 live webhook/ },
  },
  {
    what: 'API keys',
    limit: 20,
    start:
      ({ app }) =>
      (address) =>
        agent(app, { address }).mintKey(),
    end: ({ context }, placed) => revokeApiKeys(context, 'test', [data(placed).id]),
    refusal: {
      statusCode: 429,
      headers: { 'retry-after': '86400' },
      body: /rate_limited.*has 20 API keys/,
    },
  },
];

const capReached =
  /too_many_pending_holds|live bookings as one may place|the limit of live API keys/;

for (const { what, limit, environment, start, end, refusal } of caps) {
  void t.test(
    `an IPv4 address or a /48 has at most ${limit} ${what}, also at once, and one that ends makes room`,
    async (t) => {
      const service = await startService(t, { ...generous, ...environment });
      service.expectLog(capReached);
      const place = await start(service);
      const statusFrom = async (address: string) => (await place(address)).statusCode;
      const answers = await Promise.all(
        Array.from({ length: limit + 4 }, (_, subnet) => place(`2001:db8:1:${subnet}::1`)),
      );
      const placed = answers.filter(({ statusCode }) => statusCode === 201);
      t.equal(placed.length, limit);
      for (const answer of answers) if (!placed.includes(answer)) t.match(answer, refusal);
      t.equal(await statusFrom('2001:db8:2::1'), 201, 'another /48');
      for (let count = 0; count < limit; count += 1) {
        t.equal(await statusFrom(count === 0 ? '::ffff:192.0.2.9' : '192.0.2.9'), 201);
      }
      t.equal(await statusFrom('192.0.2.9'), refusal.statusCode);
      t.equal(await statusFrom('192.0.2.10'), 201, 'another IPv4 address');

      await end(service, placed[0]!);
      t.equal(await statusFrom('2001:db8:1:99::1'), 201);
      t.equal(await statusFrom('2001:db8:1:99::1'), refusal.statusCode);
    },
  );
}
