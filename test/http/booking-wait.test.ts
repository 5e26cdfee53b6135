import { request } from 'node:http';
import t from 'tap';
import type { Caller } from '../../src/access/caller.js';
import { createBookingWaits } from '../../src/board/booking-waits.js';
import { awaitBooking } from '../../src/domain/booking/public-bookings.js';
import { cutListeners, watchListener } from '../support/board.js';
import { confirmCheckout, moveCheckout, releaseCheckout } from '../support/checkouts.js';
import { responseValidator } from '../support/document.js';
import { hold } from '../support/holds.js';
import { connectClient, connectModernClient, legacyRequest } from '../support/mcp.js';
import { callerNumber, someOpenSlots } from '../support/requests.js';
import { lostDatabase } from '../support/service-log.js';
import { generous, startNeighbour, startService, type TestService } from '../support/service.js';

/** What is answered earlier was not answered by the end of the wait, nor by a poll of the board. */
const notifiedMs = 25_000;

const differences = responseValidator();
const service = await startService(t);
const { context } = service;

async function holdOne({ context }: Pick<TestService, 'context'> = service) {
  const [slot] = await someOpenSlots(context, 1);
  return hold(context, slot!.date, slot!.timeSlot);
}

async function read(id: string, prefer = 'wait=60', { url }: TestService = service) {
  const answer = await fetch(`${url}/api/public/bookings/${id}`, { headers: { prefer } });
  const headers = Object.fromEntries(answer.headers);
  const body = (await answer.json()) as { data: { status: string; date: string } };
  const { status } = answer;
  t.strictSame(differences({ operation: 'getBooking', status, headers, body }), []);
  return { status, applied: headers['preference-applied'], data: body.data };
}

/** Resolves when `count` requests wait. */
async function untilWaiting(
  count: number,
  { context }: Pick<TestService, 'context'> = service,
): Promise<void> {
  while (context.bookingWaits.count() !== count) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

t.test('a waiting read learns of a move by another process, and sees the new time', async (t) => {
  const neighbour = await startNeighbour(t, context);
  const { booking, token } = await holdOne();
  const waiting = read(booking.id);
  await untilWaiting(1);
  const [slot] = await someOpenSlots(neighbour, 1);
  const { date, timeSlot } = slot!;
  const beganAt = performance.now();
  await moveCheckout(neighbour, token, slot!, 0);
  const data = { status: 'pending', date, time_slot: timeSlot };
  t.match(await waiting, { applied: 'wait=50', data });
  t.ok(performance.now() - beganAt < notifiedMs, 'by the notification');
  t.equal(context.bookingWaits.count(), 0, 'it has given its place back');
});

t.test(
  'of two that wait for one booking, the second learns of a change when the first has left',
  async (t) => {
    const { booking, token } = await holdOne();
    const leaving = new AbortController();
    const wait = (signal: AbortSignal) =>
      awaitBooking(context, callerNumber(1), booking.id, 60, signal);
    const first = wait(leaving.signal);
    const second = wait(AbortSignal.timeout(notifiedMs));
    await untilWaiting(2);
    leaving.abort();
    await first;
    await releaseCheckout(context, token, 'pending');
    t.match(await second, { booking: { status: 'cancelled' } });
  },
);

t.test('a move between the beginning of a wait and its first read ends it', async (t) => {
  const { booking, token } = await holdOne();
  const [slot] = await someOpenSlots(context, 1);
  let reads = 0;
  const { booking: answered } = await awaitBooking(
    {
      ...context,
      async publicBookings(id) {
        reads += 1;
        if (reads === 1) await moveCheckout(context, token, slot!, 0);
        return context.publicBookings(id);
      },
    },
    callerNumber(1),
    booking.id,
    60,
    AbortSignal.timeout(notifiedMs),
  );
  t.match(answered, { status: 'pending', date: slot!.date, time_slot: slot!.timeSlot });
  t.equal(reads, 2, 'ended by the notification, not by the time');
});

t.test('a waiting read is answered at the instant at which the hold lapses', async (t) => {
  const service = await startService(t, { ...generous, HOLD_LIFETIME_SECONDS: '1' });
  const { booking } = await holdOne(service);
  const { data } = await read(booking.id.toUpperCase(), 'wait=60', service);
  t.equal(data.status, 'expired');
  const lateMs = service.context.clock.now() - booking.expires_at.getTime();
  t.ok(lateMs < notifiedMs, `${lateMs} ms after it, with no job running`);
});

t.test('a waiting read is answered after N seconds with the unchanged booking', async (t) => {
  const { booking } = await holdOne();
  const beganAt = performance.now();
  const answer = await read(booking.id, 'respond-async, Wait=1; foo="a,b"');
  t.ok(performance.now() - beganAt >= 1_000);
  t.match(answer, { applied: 'wait=1', data: { status: 'pending' } });
});

t.test('a wait costs a read at its beginning and one at its end, however long', async (t) => {
  const { booking, token } = await holdOne();
  let reads = 0;
  const counting = {
    ...context,
    publicBookings(id: string) {
      reads += 1;
      return context.publicBookings(id);
    },
  };
  const waits = Array.from({ length: 10 }, () =>
    awaitBooking(counting, callerNumber(1), booking.id, 60, AbortSignal.timeout(notifiedMs)),
  );
  await untilWaiting(10);
  await holdOne();
  await context.board.refresh();
  t.equal(reads, 10, 'none for a hold of another slot');
  await releaseCheckout(context, token, 'pending');
  for (const { booking } of await Promise.all(waits)) t.match(booking, { status: 'cancelled' });
  t.equal(reads, 20);
});

t.test('a read of a booking that is not pending, or not known, does not wait', async (t) => {
  const { booking, token } = await holdOne();
  await confirmCheckout(context, token);
  t.equal((await read(booking.id)).data.status, 'confirmed');
  await releaseCheckout(context, token, 'confirmed');
  t.equal((await read(booking.id)).data.status, 'cancelled');
  t.equal((await read('00000000-0000-4000-8000-000000000000')).status, 404);
  t.equal(context.bookingWaits.count(), 0);
});

t.test('the 21st concurrent wait of a caller is answered at once, as no wait', async (t) => {
  const { booking, token } = await holdOne();
  const waits = Array.from({ length: 20 }, () => read(booking.id));
  await untilWaiting(20);
  t.match(await read(booking.id), { applied: undefined, data: { status: 'pending' } });
  await confirmCheckout(context, token);
  for (const each of await Promise.all(waits)) {
    t.match(each, { applied: 'wait=50', data: { status: 'confirmed' } });
  }
});

t.test('a network has at most 20 waits, of all its addresses and keys together', async (t) => {
  const { booking, token } = await holdOne();
  const wait = (index: number, network = '2001:db8:7::/48') => {
    const caller = { ...callerNumber(index), apiKeyId: index % 2 === 0 ? `key ${index}` : null };
    const signal = AbortSignal.timeout(notifiedMs);
    return awaitBooking(context, { ...caller, network }, booking.id, 50, signal);
  };
  const waits = Array.from({ length: 20 }, (_, index) => wait(index));
  await untilWaiting(20);
  for (const index of [20, 21]) t.match(await wait(index), { waited: false });
  waits.push(wait(20, '2001:db8:8::/48'));
  await untilWaiting(21);
  await releaseCheckout(context, token, 'pending');
  for (const each of await Promise.all(waits)) t.match(each, { waited: true });
});

t.test('of 1,000 waits of a process, a third is for networks that have none', async (t) => {
  const waits = createBookingWaits(context.listener);
  const begin = (network: string) => waits.begin('a booking', { caller: network, network });
  const places = Array.from({ length: 667 }, (_, index) => begin(`network ${index}`));
  t.equal(begin('network 0'), null);
  places.push(...Array.from({ length: 333 }, (_, index) => begin(`another ${index}`)));
  t.notOk(places.includes(null));
  t.equal(begin('one more'), null);
  places[0]!.end();
  t.not(begin('one more'), null);
});

t.test('a client that disconnects ends its wait', async () => {
  const { booking } = await holdOne();
  const params = { name: 'get_booking_status', arguments: argumentsOf(booking.id) };
  const type = { 'content-type': 'application/json' };
  for (const [path, options, body] of [
    [`bookings/${booking.id}`, { headers: { prefer: 'wait=60' } }, undefined],
    ['mcp', { method: 'POST', headers: type }, JSON.stringify(legacyRequest('tools/call', params))],
  ] as const) {
    const waiting = request(`${service.url}/api/public/${path}`, options);
    waiting.on('error', () => undefined).end(body);
    await untilWaiting(1);
    waiting.destroy();
    await untilWaiting(0);
  }
});

/** The arguments of a tool call that waits. */
function argumentsOf(id: string, waitSeconds: unknown = 50) {
  return { booking_id: id, wait_seconds: waitSeconds };
}

t.test('a tool call waits in the same way, in both eras of the protocol', async (t) => {
  const clients = [await connectClient(t, service.url), await connectModernClient(t, service.url)];
  const statusOf = (client: (typeof clients)[number], args: Record<string, unknown>) =>
    client.call('get_booking_status', args);
  for (const client of clients) {
    const { booking, token } = await holdOne();
    const waiting = statusOf(client, argumentsOf(booking.id));
    await untilWaiting(1);
    await confirmCheckout(context, token);
    const { structuredContent } = await waiting;
    t.match(structuredContent, { status: 'confirmed', poll_interval_seconds: undefined });
    for (const seconds of [0, null, undefined]) {
      t.match(await statusOf(client, argumentsOf(booking.id, seconds)), {
        structuredContent: { status: 'confirmed' },
      });
    }
    for (const seconds of [51, -1, 1.5, 'long'])
      t.equal((await statusOf(client, argumentsOf(booking.id, seconds))).isError, true);
    // The client validates each result by the schema that it has listed.
    await client.list();
    const { booking: other } = await holdOne();
    const here = { caller: '127.0.0.1', network: '127.0.0.1' };
    const full = Array.from({ length: 20 }, () => context.bookingWaits.begin('x', here));
    const atOnce = await statusOf(client, argumentsOf(other.id));
    t.match(atOnce, { structuredContent: { status: 'pending', poll_interval_seconds: 5 } });
    t.match(atOnce, { content: [{}, { text: /did not wait .* in 5 seconds/ }] });
    t.match(await statusOf(client, argumentsOf(booking.id)), { content: { length: 1 } });
    for (const place of full) place?.end();
  }
});

t.test('at a platform, each person or booking has waits of its own', async (t) => {
  const { booking, token } = await holdOne();
  const other = await holdOne();
  const platform = { ...callerNumber(1), platform: { name: 'claude' } } as Caller;
  const person = { ...platform, personHashes: [Buffer.from('Ada')] };
  const wait = (caller: Caller, id = booking.id) =>
    awaitBooking(context, caller, id, 50, AbortSignal.timeout(notifiedMs));
  const waits = Array.from({ length: 20 }, () => wait(platform));
  await untilWaiting(20);
  t.match(await wait(platform), { waited: false });
  waits.push(wait(platform, other.booking.id), wait(person));
  await untilWaiting(22);
  await releaseCheckout(context, token, 'pending');
  await releaseCheckout(context, other.token, 'pending');
  for (const each of await Promise.all(waits)) t.match(each, { waited: true });
});

t.test('a change that the listener has missed ends a wait, and so does a stop', async (t) => {
  const service = await startService(t);
  service.expectLog(lostDatabase);
  const { context } = service;
  const { booking } = await holdOne(service);
  const other = await holdOne(service);
  const waiting = read(booking.id, 'wait=60', service);
  const stopped = read(other.booking.id, 'wait=60', service);
  await untilWaiting(2, service);
  const watch = await watchListener(context);
  await cutListeners(context);
  await watch.lost;
  // Changed without a notification.
  await context.database
    .updateTable('bookings')
    .set({ status: 'cancelled', cancelled_at: new Date(context.clock.now()) })
    .where('id', '=', booking.id)
    .execute();
  t.equal((await waiting).data.status, 'cancelled');
  await service.app.close();
  t.equal((await stopped).data.status, 'pending');
});
