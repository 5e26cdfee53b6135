import { request } from 'node:http';
import t from 'tap';
import { confirmCheckout, releaseCheckout } from '../../src/domain/checkout.js';
import { awaitBooking } from '../../src/domain/bookings.js';
import { moveCheckout } from '../../src/domain/moves.js';
import { createBookingWaits } from '../../src/calendar/booking-waits.js';
import { preferredWaitSeconds } from '../../src/http/prefer.js';
import { countQueries, cutListeners, hold, watchListener } from '../support/board.js';
import { responseValidator } from '../support/document.js';
import { callerNumber, someOpenSlots } from '../support/requests.js';
import { lostDatabase } from '../support/service-log.js';
import { generous, startNeighbour, startService, type TestService } from '../support/service.js';

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: { data: { status: string; date: string; time_slot: string } };
}

/** What is answered earlier was not answered by the end of the wait, nor by a poll of the board. */
const notifiedMs = 25_000;

const differences = responseValidator();

async function holdOne({ context }: TestService) {
  const [slot] = await someOpenSlots(context, 1);
  return hold(context, slot!.date, slot!.timeSlot);
}

async function read({ url }: TestService, id: string, prefer?: string): Promise<Answer> {
  const answer = await fetch(`${url}/api/public/bookings/${id}`, {
    headers: prefer === undefined ? {} : { prefer },
  });
  const headers: Record<string, string> = {};
  answer.headers.forEach((value, name) => (headers[name] = value));
  return { status: answer.status, headers, body: (await answer.json()) as Answer['body'] };
}

/** Resolves when `count` requests wait. */
async function untilWaiting({ context }: TestService, count: number): Promise<void> {
  while (context.bookingWaits.count() !== count) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const service = await startService(t);

t.test('a waiting read is answered as soon as the person confirms or releases', async (t) => {
  for (const [act, status] of [
    [(token: string) => confirmCheckout(service.context, token), 'confirmed'],
    [(token: string) => releaseCheckout(service.context, token, 'pending'), 'cancelled'],
  ] as const) {
    const { booking, token } = await holdOne(service);
    const waiting = read(service, booking.id, 'wait=60');
    await untilWaiting(service, 1);
    await act(token);
    const answer = await waiting;
    t.equal(answer.body.data.status, status);
    t.equal(answer.headers['preference-applied'], 'wait=60');
    t.strictSame(differences({ operation: 'getBooking', ...answer }), []);
  }
});

t.test('a waiting read learns of a move by another process, and sees the new time', async (t) => {
  const neighbour = await startNeighbour(t, service.context);
  const { booking, token } = await holdOne(service);
  const waiting = read(service, booking.id, 'wait=60');
  await untilWaiting(service, 1);
  const [slot] = await someOpenSlots(neighbour, 1);
  const beganAt = performance.now();
  await moveCheckout(neighbour, token, slot!, 0);
  const answer = await waiting;
  t.ok(performance.now() - beganAt < notifiedMs, 'by the notification');
  t.equal(answer.headers['preference-applied'], 'wait=60');
  t.match(answer.body.data, { status: 'pending', date: slot!.date, time_slot: slot!.timeSlot });
  t.strictSame(differences({ operation: 'getBooking', ...answer }), []);
  t.equal(service.context.bookingWaits.count(), 0, 'it has given its place back');
});

t.test(
  'a move that is committed between the beginning of a wait and its first read ends it',
  async (t) => {
    const { context } = service;
    const { booking, token } = await holdOne(service);
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
  },
);

t.test('a waiting read is answered at the instant at which the hold lapses', async (t) => {
  const service = await startService(t, { ...generous, HOLD_LIFETIME_SECONDS: '1' });
  const { booking } = await holdOne(service);
  const { body } = await read(service, booking.id.toUpperCase(), 'wait=60');
  t.equal(body.data.status, 'expired');
  const lateMs = service.context.clock.now() - booking.expires_at.getTime();
  t.ok(lateMs < notifiedMs, `${lateMs} ms after it, with no job running`);
});

t.test('a waiting read is answered after N seconds with the unchanged booking', async (t) => {
  const { booking } = await holdOne(service);
  const beganAt = performance.now();
  const { body, headers } = await read(service, booking.id, 'respond-async, Wait=1; foo="a,b"');
  t.ok(performance.now() - beganAt >= 1_000);
  t.equal(body.data.status, 'pending');
  t.equal(headers['preference-applied'], 'wait=1');
});

t.test('a wait costs a read at its beginning and one at its end, however long', async (t) => {
  const { context } = service;
  const { booking, token } = await holdOne(service);
  const [slot] = await someOpenSlots(context, 1);
  const waits: Promise<Answer>[] = [];
  const atFirst = await countQueries(context, async () => {
    for (let count = 1; count <= 10; count += 1) waits.push(read(service, booking.id, 'wait=60'));
    await untilWaiting(service, 10);
    // The first reads are done once a later query is.
    await context.board.refresh();
  });
  t.ok(atFirst <= 10 + 2, `${atFirst}: one each, and the board's`);
  const meanwhile = await countQueries(context, async () => {
    await hold(context, slot!.date, slot!.timeSlot);
    await context.board.refresh();
  });
  t.ok(meanwhile <= 5, `${meanwhile} queries for a hold of another slot`);
  const atLast = await countQueries(context, async () => {
    await confirmCheckout(context, token);
    await Promise.all(waits);
  });
  t.ok(atLast <= 10 + 2 + 2, `${atLast}: one each, the confirmation's, and the board's`);
});

t.test('a read of a booking that is not pending, or not known, does not wait', async (t) => {
  const { booking, token } = await holdOne(service);
  await confirmCheckout(service.context, token);
  const confirmed = await read(service, booking.id, 'wait=60');
  t.equal(confirmed.body.data.status, 'confirmed');
  await releaseCheckout(service.context, token, 'confirmed');
  t.equal((await read(service, booking.id, 'wait=60')).body.data.status, 'cancelled');
  const unknown = await read(service, '00000000-0000-4000-8000-000000000000', 'wait=60');
  t.equal(unknown.status, 404);
  t.equal(service.context.bookingWaits.count(), 0);
});

t.test(
  'the 21st concurrent wait of a caller is answered at once, without Preference-Applied',
  async (t) => {
    const { booking, token } = await holdOne(service);
    const waits = Array.from({ length: 20 }, () => read(service, booking.id, 'wait=60'));
    await untilWaiting(service, 20);
    const { body, headers } = await read(service, booking.id, 'wait=60');
    t.equal(body.data.status, 'pending');
    t.notOk('preference-applied' in headers);
    await confirmCheckout(service.context, token);
    for (const { body } of await Promise.all(waits)) t.equal(body.data.status, 'confirmed');
  },
);

t.test('a process holds at most 1,000 waiting reads', async (t) => {
  const { context } = service;
  const waits = createBookingWaits(context.listener);
  const places = Array.from({ length: 1_000 }, (_, index) =>
    waits.begin('a booking', `caller ${index}`),
  );
  t.notOk(places.includes(null));
  t.equal(waits.begin('a booking', 'one more'), null);
  places[0]!.end();
  t.not(waits.begin('a booking', 'one more'), null);
});

t.test('a client that disconnects ends its wait', async () => {
  const { booking } = await holdOne(service);
  const headers = { prefer: 'wait=60' };
  const waiting = request(`${service.url}/api/public/bookings/${booking.id}`, { headers });
  waiting.on('error', () => undefined).end();
  await untilWaiting(service, 1);
  waiting.destroy();
  await untilWaiting(service, 0);
});

t.test(
  'a change while the listener was disconnected ends the wait, and so does a stop',
  async (t) => {
    const service = await startService(t);
    service.expectLog(lostDatabase);
    const { context } = service;
    const { booking } = await holdOne(service);
    const other = await holdOne(service);
    const waiting = read(service, booking.id, 'wait=60');
    const stopped = read(service, other.booking.id, 'wait=60');
    await untilWaiting(service, 2);
    const watch = await watchListener(context);
    await cutListeners(context);
    await watch.lost;
    // Changed without a notification.
    await context.database
      .updateTable('bookings')
      .set({ status: 'cancelled', cancelled_at: new Date(context.clock.now()) })
      .where('id', '=', booking.id)
      .execute();
    t.equal((await waiting).body.data.status, 'cancelled');
    await service.app.close();
    t.equal((await stopped).body.data.status, 'pending');
  },
);

t.test('only a well-formed preference is applied, and the first one counts', async (t) => {
  const cases: [string | undefined, number | null][] = [
    [undefined, null],
    ['', null],
    ['wait=10', 10],
    ['WAIT = 10', 10],
    ['wait="10"', 10],
    ['wait=0', 0],
    ['wait=61', 60],
    ['wait=99999999999999999999', 60],
    ['wait=5, wait=10', 5],
    ['wait=x, wait=10', null],
    ['wait', null],
    ['wait=-1', null],
    ['wait=1.5', null],
    ['await=10', null],
    ['foo="a, wait=5", wait=10', 10],
    ['foo; bar="wait=5", handling=lenient;x=y, wait=7;z', 7],
  ];
  for (const [header, seconds] of cases) {
    t.equal(preferredWaitSeconds(header), seconds, String(header));
  }
});
