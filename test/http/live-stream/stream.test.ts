import { setImmediate } from 'node:timers/promises';
import t from 'tap';
import { createApp } from '../../../src/app.js';
import type { Context } from '../../../src/context.js';
import type { Slot } from '../../../src/schedule/slots.js';
import { confirmCheckout, releaseCheckout } from '../../support/checkouts.js';
import { documentCompiler, readDocument, responseValidator } from '../../support/document.js';
import { hold } from '../../support/holds.js';
import { isOpenIn, openLiveStream, type Viewing } from '../../support/live-stream.js';
import { someOpenSlots } from '../../support/requests.js';
import { generous, startNeighbour, startService } from '../../support/service.js';

const differences = responseValidator();
const isLiveEvent = documentCompiler(readDocument())('#/components/schemas/LiveEvent');

/** An open slot that the stream shows. */
async function someSlot(context: Context): Promise<Slot> {
  const [slot] = await someOpenSlots(context, 1);
  return slot!;
}

async function untilSlotIs(viewing: Viewing, slot: Slot, isOpen: boolean): Promise<void> {
  await viewing.next((event) => isOpenIn(event, slot) === isOpen);
}

/** The board polls every 30 s: what is there earlier came by a notification or a timer. */
const pollMs = 25_000;

const service = await startService(t);

t.test('a stream starts with retry, the whole availability and a pulse', async (t) => {
  const { url, app } = service;
  const viewing = await openLiveStream(t, url);
  await viewing.next(({ event }) => event === 'pulse');
  t.strictSame(
    viewing.events.map(({ event }) => event),
    ['availability', 'pulse'],
  );
  t.ok(viewing.retries.length === 1 && viewing.retries[0]! >= 1_000);
  t.match(viewing.headers, {
    'content-type': 'text/event-stream',
    'cache-control': /no-transform/,
    'x-accel-buffering': 'no',
    'access-control-allow-origin': '*',
    'ratelimit-policy': /^"reads"/,
  });
  const { status, headers } = viewing;
  t.strictSame(differences({ operation: 'streamEvents', status, headers }), []);

  const [first] = viewing.events;
  const data = first?.event === 'availability' ? first.data : null;
  const asked = await app.inject(`/api/public/availability?from=${data?.from}&to=${data?.to}`);
  t.strictSame(asked.json(), { data }, 'the shape and content of GET /availability');
});

t.test('changes in one process reach every viewer in another by notification', async (t) => {
  const { url, context } = await startService(t);
  const neighbour = await startNeighbour(t, context);
  const slot = await someSlot(context);
  const viewings = [await openLiveStream(t, url), await openLiveStream(t, url)];
  const beganAt = performance.now();
  const { token } = await hold(neighbour, slot.date, slot.timeSlot);
  for (const viewing of viewings) await untilSlotIs(viewing, slot, false);
  await viewings[0]!.next((event) => event.event === 'pulse' && event.data.pending_holds === 1);
  await confirmCheckout(neighbour, token);
  for (const viewing of viewings) {
    await viewing.next((event) => event.event === 'pulse' && event.data.confirmed_upcoming === 1);
  }
  await releaseCheckout(neighbour, token, 'confirmed');
  for (const viewing of viewings) await untilSlotIs(viewing, slot, true);
  t.ok(performance.now() - beganAt < pollMs);
  for (const event of viewings.flatMap(({ events }) => events)) {
    t.ok(isLiveEvent(event), JSON.stringify(isLiveEvent.errors));
  }
});

t.test('a lapse reaches the viewers at its instant, without any job', async (t) => {
  const { url, context } = await startService(t, { ...generous, HOLD_LIFETIME_SECONDS: '1' });
  const slot = await someSlot(context);
  const viewing = await openLiveStream(t, url);
  const { booking } = await hold(context, slot.date, slot.timeSlot);
  await untilSlotIs(viewing, slot, false);
  await untilSlotIs(viewing, slot, true);
  const lateMs = context.clock.now() - booking.expires_at.getTime();
  t.ok(lateMs >= 0 && lateMs < pollMs, `${lateMs} ms after the instant`);
});

t.test('ids are equal in every process; a current Last-Event-ID skips the snapshot', async (t) => {
  const { url, context } = service;
  const neighbour = await startNeighbour(t, context);
  const app = await createApp(neighbour);
  const otherUrl = await app.listen({ host: '127.0.0.1', port: 0 });
  t.teardown(() => app.close());

  const idAt = async (address: string): Promise<string> => {
    const viewing = await openLiveStream(t, address);
    const first = await viewing.next(({ event }) => event === 'availability');
    return 'id' in first ? String(first.id) : '';
  };
  const id = await idAt(url);
  t.match(id, /^[\w-]{16}$/);
  t.equal(await idAt(otherUrl), id);

  const returning = await openLiveStream(t, otherUrl, { 'last-event-id': id });
  await returning.next(({ event }) => event === 'pulse');
  t.strictSame(
    returning.events.map(({ event }) => event),
    ['pulse'],
  );

  const slot = await someSlot(context);
  await hold(context, slot.date, slot.timeSlot);
  const late = await openLiveStream(t, url, { 'last-event-id': id });
  await untilSlotIs(late, slot, false);
});

t.test('a network over its limit of streams gets 429, a full process 503', async (t) => {
  const { url, app, context, expectLog } = await startService(t, {
    ...generous,
    MAX_STREAMS: '4',
    MAX_STREAMS_PER_ADDRESS: '3',
    TRUST_PROXY: '127.0.0.1/32',
  });
  expectLog(/"code":"service_unavailable"/);
  const ask = (remoteAddress: string) => app.inject({ url: '/api/public/events', remoteAddress });
  const viewings = [];
  const view = (index: number) =>
    openLiveStream(t, url, { 'x-forwarded-for': `2001:db8:7:${index}::1` });
  for (let count = 0; count < 3; count += 1) viewings.push(await view(count));
  await context.liveStream.admit('192.0.2.1');
  for (const [address, status, code] of [
    ['2001:db8:7:9::1', 429, 'rate_limited'],
    ['192.0.2.2', 503, 'service_unavailable'],
  ] as const) {
    const { statusCode, headers, body } = await ask(address);
    t.equal(statusCode, status);
    t.match(JSON.parse(body), { error: { code } });
    t.ok(Number(headers['retry-after']) > 0);
    t.equal(headers['access-control-allow-origin'], '*');
    t.strictSame(differences({ operation: 'streamEvents', status, headers, body }), []);
  }
  viewings[0]!.vanish();
  await untilViewers(context, 2);
  t.equal((await view(9)).status, 200);
});

t.test('HEAD returns the headers of a stream and opens none', async (t) => {
  const { url, context } = service;
  await untilViewers(context, 0);
  const answer = await fetch(`${url}/api/public/events`, { method: 'HEAD' });
  t.equal(answer.status, 200);
  t.equal(answer.headers.get('content-type'), 'text/event-stream');
  t.equal(context.liveStream.viewerCount(), 0);
});

async function untilViewers({ liveStream }: Context, count: number): Promise<void> {
  while (liveStream.viewerCount() !== count) {
    await setImmediate();
  }
}
