import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { createApp } from '../../../src/app.js';
import type { Context } from '../../../src/context.js';
import { confirmCheckout, releaseCheckout } from '../../../src/domain/checkout.js';
import type { Slot } from '../../../src/calendar/slots.js';
import { createLiveStream } from '../../../src/http/live-stream/live-stream.js';
import { hold } from '../../support/board.js';
import { seed } from '../../support/arbitraries.js';
import { documentCompiler, readDocument, responseValidator } from '../../support/document.js';
import { isOpenIn, openLiveStream, type Viewing } from '../../support/live-stream.js';
import { someOpenSlots } from '../../support/requests.js';
import { later, withinASecond } from '../../support/seconds.js';
import { generous, startNeighbour, startTestService } from '../../support/service.js';

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

const service = await startTestService(t);

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

t.test('a hold, its confirmation and its release reach every viewer', async (t) => {
  const { url, context } = await startTestService(t);
  const slot = await someSlot(context);
  const viewings = [await openLiveStream(t, url), await openLiveStream(t, url)];
  const { token } = await hold(context, slot.date, slot.timeSlot);
  for (const viewing of viewings) await untilSlotIs(viewing, slot, false);
  await viewings[0]!.next((event) => event.event === 'pulse' && event.data.pending_holds === 1);
  await confirmCheckout(context, token);
  for (const viewing of viewings) {
    await viewing.next((event) => event.event === 'pulse' && event.data.confirmed_upcoming === 1);
  }
  await releaseCheckout(context, token, 'confirmed');
  for (const viewing of viewings) await untilSlotIs(viewing, slot, true);
  for (const event of viewings.flatMap(({ events }) => events)) {
    t.ok(isLiveEvent(event), JSON.stringify(isLiveEvent.errors));
  }
});

t.test('a lapse reaches the viewers without any job', async (t) => {
  const { url, context } = await startTestService(t, { ...generous, HOLD_LIFETIME_SECONDS: '2' });
  const slot = await someSlot(context);
  const viewing = await openLiveStream(t, url);
  const { booking } = await hold(context, slot.date, slot.timeSlot);
  await untilSlotIs(viewing, slot, false);
  await untilSlotIs(viewing, slot, true);
  const lateMs = context.clock.now() - booking.expires_at.getTime();
  t.ok(lateMs >= 0 && lateMs < 1_000, `${lateMs} ms after the instant`);
});

t.test('a change on one process reaches viewers on another within a second', async (t) => {
  const { url, context } = service;
  const neighbour = await startNeighbour(t, context);
  const viewing = await openLiveStream(t, url);
  await viewing.next(({ event }) => event === 'pulse');
  const times: number[] = [];
  for (const slot of await someOpenSlots(context, 3)) {
    await hold(neighbour, slot.date, slot.timeSlot);
    const committedAt = performance.now();
    await untilSlotIs(viewing, slot, false);
    times.push(performance.now() - committedAt);
  }
  withinASecond(t, times);
});

t.test(
  'event ids are equal in every process, and a current Last-Event-ID skips the snapshot',
  async (t) => {
    const { url, context } = service;
    const neighbour = await startNeighbour(t, context);
    const app = await createApp(neighbour);
    const otherUrl = await app.listen({ host: '127.0.0.1', port: 0 });
    t.teardown(() => app.close());

    const here = await (await openLiveStream(t, url)).next(({ event }) => event === 'availability');
    const there = await (
      await openLiveStream(t, otherUrl)
    ).next(({ event }) => event === 'availability');
    const idOf = (event: object): string => ('id' in event ? String(event.id) : '');
    t.match(idOf(here), /^[\w-]{16}$/);
    t.equal(idOf(there), idOf(here));

    const returning = await openLiveStream(t, otherUrl, { 'last-event-id': idOf(here) });
    await returning.next(({ event }) => event === 'pulse');
    t.strictSame(
      returning.events.map(({ event }) => event),
      ['pulse'],
    );

    const slot = await someSlot(context);
    await hold(context, slot.date, slot.timeSlot);
    const late = await openLiveStream(t, url, { 'last-event-id': idOf(here) });
    await untilSlotIs(late, slot, false);
  },
);

t.test(
  'a pulse is sent at most once a second, and the last one has the final figures',
  async (t) => {
    const { url, context } = await startTestService(t);
    const slots = await someOpenSlots(context, 30);
    const began = performance.now();
    const viewing = await openLiveStream(t, url);
    await viewing.next(({ event }) => event === 'pulse');
    const { board } = context;
    for (const slot of slots) {
      await hold(context, slot.date, slot.timeSlot);
      // Waits for each change, so that each gets an event of its own.
      await viewing.next((event) => isOpenIn(event, slot) === false);
    }
    await viewing.next((event) => event.event === 'pulse' && event.data.pending_holds === 30);
    const seconds = (performance.now() - began) / 1_000;
    // Counted rather than timed: the clock in them is corrected during the test.
    const pulses = viewing.events.filter(({ event }) => event === 'pulse').length;
    t.ok(pulses >= 2 && pulses <= seconds + 1, `${pulses} pulses in ${seconds} s`);
    t.ok(board.isFresh());
  },
);

t.test('of 25 changes at random moments, each has its pulse within a second', async (t) => {
  const { url, context } = await startTestService(t);
  const slots = await someOpenSlots(context, 25);
  const pausesMs = fc.sample(fc.integer({ min: 0, max: 1_300 }), { seed, numRuns: slots.length });
  // Streams whose seconds begin at different moments.
  const viewings = [await openLiveStream(t, url)];
  for (let number = 2; number <= 3; number += 1) {
    await later(pausesMs[number] ?? 0);
    viewings.push(await openLiveStream(t, await serveStreamOfItsOwn(t, context)));
  }
  const judged: Promise<boolean>[] = [];
  for (const [index, slot] of slots.entries()) {
    await later(pausesMs[index] ?? 0);
    await hold(context, slot.date, slot.timeSlot);
    judged.push(...viewings.map((viewing) => hasPulseInTime(viewing, index + 1)));
  }
  const late = (await Promise.all(judged)).filter((isInTime) => !isInTime);
  t.equal(late.length, 0, `of ${judged.length} pulses`);
});

/** The same service with another stream of the same board. Returns its address. */
async function serveStreamOfItsOwn(t: Test, context: Context): Promise<string> {
  const { board, clock, config: limits } = context;
  const app = await createApp({
    ...context,
    liveStream: createLiveStream({ board, clock, limits }),
  });
  t.teardown(() => app.close());
  return app.listen({ host: '127.0.0.1', port: 0 });
}

/** From the end of a pulse's second to its arrival: an event may wait 50 ms for the one before. */
const wayMs = 150;

/**
 * Whether a pulse shows at least that many holds a second later. The timer runs in the process of
 * the stream, so that a busy machine delays both.
 */
async function hasPulseInTime(viewing: Viewing, holds: number): Promise<boolean> {
  await later(1_000 + wayMs);
  // Also what is in transit when the timer fires late.
  for (let turn = 0; turn < 20; turn += 1) await setImmediate();
  return viewing.events.some(
    (event) => event.event === 'pulse' && event.data.pending_holds >= holds,
  );
}

t.test('an address over its limit of streams gets 429, until one of them closes', async (t) => {
  const { url, context } = await startTestService(t, {
    ...generous,
    MAX_STREAMS_PER_ADDRESS: '3',
  });
  const viewings = [];
  for (let count = 0; count < 3; count += 1) viewings.push(await openLiveStream(t, url));
  const refused = await fetch(`${url}/api/public/events`);
  const body: unknown = await refused.json();
  t.match(body, { error: { code: 'rate_limited' } });
  t.ok(Number(refused.headers.get('retry-after')) > 0);
  t.equal(refused.headers.get('access-control-allow-origin'), '*');
  const headers: Record<string, string> = {};
  refused.headers.forEach((value, name) => (headers[name] = value));
  t.strictSame(
    differences({ operation: 'streamEvents', status: refused.status, headers, body }),
    [],
  );

  viewings[0]!.vanish();
  await untilViewers(context, 2);
  t.equal((await openLiveStream(t, url)).status, 200);
});

t.test('a stream beyond the limit of the process gets 503', async (t) => {
  const { url, expectLog } = await startTestService(t, { ...generous, MAX_STREAMS: '2' });
  expectLog(/"code":"service_unavailable"/);
  await openLiveStream(t, url);
  await openLiveStream(t, url);
  const refused = await fetch(`${url}/api/public/events`);
  t.equal(refused.status, 503);
  t.match(await refused.json(), { error: { code: 'service_unavailable' } });
  t.ok(Number(refused.headers.get('retry-after')) > 0);
});

t.test('a viewer that disconnects is removed', async (t) => {
  const { url, context } = service;
  await untilViewers(context, 0);
  for (let count = 0; count < 25; count += 1) {
    const viewing = await openLiveStream(t, url);
    await untilViewers(context, 1);
    viewing.vanish();
    await untilViewers(context, 0);
  }
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
