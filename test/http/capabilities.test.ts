import t from 'tap';
import { document } from '../../generated/document.js';
import { operations } from '../../generated/operations.js';
import type { Capabilities } from '../../generated/schemas.js';
import { errors, publicErrorCodes } from '../../src/errors.js';
import { agent, charged, newKey } from '../support/agents.js';
import { responseValidator } from '../support/document.js';
import { someOpenSlots } from '../support/requests.js';
import { startService, type TestService } from '../support/service.js';

const check = responseValidator();

async function capabilities({ app }: TestService): Promise<Capabilities> {
  const { statusCode, headers, body } = await app.inject('/api/public/capabilities');
  const answer = { operation: 'getCapabilities', status: statusCode, headers, body };
  t.strictSame(check(answer), []);
  return (JSON.parse(body) as { data: Capabilities }).data;
}

const service = await startService(t);

t.test('the capabilities name every operation, tool and error code', async (t) => {
  const data = await capabilities(service);
  t.equal(data.interface_version, '2.0.0');
  t.equal(data.interface_version, document.info.version);
  t.strictSame(
    data.capabilities.flatMap((capability) => capability.operations).sort(),
    Object.keys(operations).sort(),
    'each operation once',
  );
  t.strictSame(data.capabilities.flatMap((capability) => capability.tools).sort(), [
    'get_booking_status',
    'get_studio_info',
    'hold_slot',
    'list_open_times',
  ]);
  t.strictSame(
    data.errors,
    publicErrorCodes.map((code) => {
      const { status, retryable } = errors[code];
      return { code, status, retryable };
    }),
  );
  t.strictSame(data.webhooks.events, ['hold.created', 'booking.confirmed', 'hold.expired']);
  const here = /^http:\/\/studio\.test/;
  t.match(data, {
    documentation_url: here,
    transports: {
      rest: { base_url: here, openapi_url: here },
      mcp: { url: here },
      sse: { url: here },
    },
  });
});

t.test('the capabilities show the limits as configured, and these are enforced', async (t) => {
  const service = await startService(t, {
    READS_PER_MINUTE_ANONYMOUS: '11',
    READS_PER_MINUTE_KEYED: '12',
    WRITES_PER_HOUR_ANONYMOUS: '13',
    WRITES_PER_HOUR_KEYED: '14',
    HOLD_LIFETIME_SECONDS: '150',
    MAX_PENDING_HOLDS: '16',
    MAX_PENDING_HOLDS_PER_CALLER: '17',
    MAX_LIVE_BOOKINGS_PER_PERSON: '23',
    MAX_LIVE_BOOKINGS_PER_CALLER: '24',
    MIN_NOTICE_MINUTES: '18',
    BOOKING_HORIZON_DAYS: '19',
    MAX_STREAMS_PER_ADDRESS: '20',
    WEBHOOK_RETRY_SCHEDULE_SECONDS: '21,22',
  });
  const data = await capabilities(service);
  t.match(data.limits, {
    budgets: [
      { name: 'reads', window_seconds: 60, anonymous: 11, keyed: 12, counted_per: 'caller' },
      { name: 'holds', window_seconds: 3600, anonymous: 13, keyed: 14, operations: ['createHold'] },
      { name: 'agent-keys', anonymous: 13, keyed: 13, counted_per: 'address' },
      { name: 'webhooks', anonymous: 13, keyed: 14, counted_per: 'address' },
    ],
    hold_lifetime_seconds: 150,
    max_pending_holds: 16,
    max_pending_holds_per_caller: 17,
    max_live_bookings_per_person: 23,
    max_live_bookings_per_caller: 24,
    min_notice_minutes: 18,
    booking_horizon_days: 19,
    max_streams_per_address: 20,
    availability_range_days: 31,
    max_lengths: { name: 120, email: 254, pronouns: 40, idea: 2000 },
    max_webhooks_per_network: 10,
    max_webhooks_per_address: 10,
    max_webhooks_per_domain: 200,
    max_webhooks_per_host: 200,
    max_webhooks: 1_000,
    webhooks_scarce_from: 500,
  });
  t.equal(data.human_confirmation.hold_lifetime_seconds, 150);
  t.strictSame(data.webhooks.retry_schedule_seconds, [21, 22]);

  const { app, context } = service;
  const [slot] = await someOpenSlots(context, 1);
  const keyed = agent(app, { key: (await newKey(app)).key });
  const anonymous = agent(app);
  const longest = 'k'.repeat(data.idempotency.max_length);
  t.equal(charged(await anonymous.read()), 'reads 10/11');
  t.equal(charged(await keyed.read()), 'reads 11/12');
  t.equal(charged(await anonymous.hold(slot!, longest)), 'holds 12/13');
  t.equal((await anonymous.hold(slot!, `${longest}k`)).statusCode, 400);
  t.equal(charged(await keyed.hold(slot!)), 'holds 13/14');
  t.equal(charged(await keyed.mintKey()), 'agent-keys 12/13');
});

t.test('capabilities are equal for every caller and process, and cacheable', async (t) => {
  const { key } = await newKey(service.app);
  const { app: otherApp } = await startService(t);
  const ask = (app: TestService['app'], name: string, headers = {}) =>
    app.inject({ url: `/api/public/${name}`, headers });
  const plain = await ask(service.app, 'capabilities');
  const keyed = await ask(service.app, 'capabilities', { authorization: `Bearer ${key}` });
  t.equal(keyed.body, plain.body);
  t.match(plain.headers['cache-control'], /^public, max-age=\d+$/);
  for (const name of ['capabilities', 'studio', 'openapi.json']) {
    const { etag } = (await ask(service.app, name)).headers;
    t.equal((await ask(otherApp, name)).headers.etag, etag, name);
  }
});

t.test('a matching If-None-Match gets 304 without a body', async (t) => {
  const { app, context } = service;
  const [slot] = await someOpenSlots(context, 1);
  const availability = `/api/public/availability?from=${slot!.date}&to=${slot!.date}`;
  for (const [operation, url] of [
    ['getCapabilities', '/api/public/capabilities'],
    ['getStudio', '/api/public/studio'],
    ['getOpenapi', '/api/public/openapi.json'],
    ['listAvailability', availability],
  ] as const) {
    const first = await app.inject(url);
    const etag = String(first.headers.etag);
    t.match(etag, /^"[\w-]+"$/, operation);
    for (const [condition, status] of [
      [etag, 304],
      [`W/${etag}`, 304],
      [`"other", ${etag}`, 304],
      ['*', 304],
      ['"other"', 200],
      [etag.slice(1, -1), 200],
      ['', 200],
    ] as const) {
      const answer = await app.inject({ url, headers: { 'if-none-match': condition } });
      const { statusCode, headers, body } = answer;
      t.equal(statusCode, status, `${operation} ${condition}`);
      t.equal(headers.etag, etag);
      t.equal(headers['cache-control'], first.headers['cache-control']);
      t.equal(body, status === 304 ? '' : first.body);
      t.strictSame(check({ operation, status, headers, body }), []);
    }
    const head = await app.inject({ method: 'HEAD', url, headers: { 'if-none-match': etag } });
    t.equal(head.statusCode, 304);
  }

  const { etag } = (await app.inject(availability)).headers;
  t.equal((await agent(app).hold(slot!)).statusCode, 201);
  const changed = await app.inject({ url: availability, headers: { 'if-none-match': `${etag}` } });
  t.equal(changed.statusCode, 200);
  t.not(changed.headers.etag, etag, 'another state, another tag');
});
