import t from 'tap';
import {
  BookingError,
  createClient,
  holdAndHandOff,
  placeHold,
  waitForPerson,
} from '../../src/client/client.js';
import { confirmAsPerson } from '../support/forms.js';
import { holdRequest, someOpenSlots } from '../support/requests.js';
import { generous, startService } from '../support/service.js';

type Fetch = (request: Request) => Promise<Response>;

const service = await startService(t, generous, { isReachable: true });
const { context } = service;

/** A client whose network applies one fault to each of its first requests, and their list. */
function connect(...faults: Fetch[]) {
  const requests: Request[] = [];
  const send: Fetch = (request) => {
    requests.push(request.clone());
    return (faults.shift() ?? fetch)(request);
  };
  return { client: createClient({ baseUrl: service.url, fetch: send }), requests };
}

const unreachable: Fetch = () => Promise.reject(new TypeError('fetch failed'));
/** The service processes the request, and its response is lost. */
const lostAnswer: Fetch = async (request) => {
  await fetch(request);
  throw new TypeError('terminated');
};

function answering(status: number, headers: Record<string, string>, body = 'from a proxy'): Fetch {
  return () => Promise.resolve(new Response(body, { status, headers }));
}

/** Of the next open slot. */
async function aRequest() {
  const [slot] = await someOpenSlots(context, 1);
  return holdRequest(slot!);
}

t.test('holdAndHandOff hands the hold to the person and resolves when they confirm', async (t) => {
  const { client, requests } = connect();
  const booking = await holdAndHandOff(client, await aRequest(), (hold) => {
    t.equal(hold.status, 'pending');
    t.match(hold.handoff.message, /Open this link/);
    setImmediate(() => void confirmAsPerson(hold.checkout_url));
  });
  t.equal(booking.status, 'confirmed');
  t.ok(requests.length <= 3, 'it does not poll');
});

t.test('a retry after a lost response never makes a second hold', async (t) => {
  const { client, requests } = connect(unreachable, lostAnswer);
  const request = await aRequest();
  const hold = await placeHold(client, request);
  t.equal(requests.length, 3);
  const keys = new Set(requests.map(({ headers }) => headers.get('idempotency-key')));
  t.equal(keys.size, 1, 'each attempt has the same Idempotency-Key');
  const ofSlot = context.database.selectFrom('bookings').select(['id', 'status']);
  const bookings = await ofSlot
    .where('date', '=', request.date)
    .where('time_slot', '=', request.time_slot)
    .execute();
  t.strictSame(bookings, [{ id: hold.id, status: 'pending' }]);
});

t.test('two calls make two holds, and two calls with one key make one', async (t) => {
  const { client } = connect();
  const first = await placeHold(client, await aRequest());
  const request = await aRequest();
  const options = { idempotencyKey: 'kept over a restart' };
  const second = await placeHold(client, request, options);
  t.not(second.id, first.id);
  t.same(await placeHold(client, request, options), second);
});

t.test('Retry-After is honoured, in seconds and as a date', async (t) => {
  const date = 'Sat, 21 Nov 2026 18:00:00 GMT';
  const slots = await someOpenSlots(context, 2);
  const tries = [
    { 'retry-after': '1' },
    { date, 'retry-after': date.replace('18:00:00', '18:00:01') },
  ].map(async (headers, index) => {
    const { client, requests } = connect(answering(503, headers));
    const began = performance.now();
    await placeHold(client, holdRequest(slots[index]!));
    t.ok(performance.now() - began >= 990, JSON.stringify(headers));
    t.equal(requests.length, 2);
  });
  await Promise.all(tries);
});

t.test('a Retry-After beyond patienceSeconds is thrown', async (t) => {
  const service = await startService(
    t,
    { ...generous, WRITES_PER_HOUR_ANONYMOUS: '1' },
    { isReachable: true },
  );
  const client = createClient({ baseUrl: service.url });
  const slots = await someOpenSlots(service.context, 2);
  await placeHold(client, holdRequest(slots[0]!));
  const failure = await placeHold(client, holdRequest(slots[1]!)).catch((error: unknown) => error);
  t.ok(failure instanceof BookingError);
  t.match(failure, { code: 'rate_limited', status: 429, retryable: true });
  const { retryAfterSeconds = 0 } = failure as BookingError;
  t.ok(retryAfterSeconds > 30, 'about an hour');
});

t.test("a refusal is thrown at once, with the service's details", async (t) => {
  const { client, requests } = connect();
  const request = await aRequest();
  await placeHold(client, request);
  await t.rejects(placeHold(client, request), {
    name: 'BookingError',
    code: 'slot_unavailable',
    status: 409,
    retryable: false,
    message: /is held at the moment/,
    alternatives: [{ date: String, time_slot: String }],
    requestId: /-/,
  });
  await t.rejects(placeHold(client, { ...request, email: 'nobody' }), {
    code: 'invalid_request',
    message: /^The request is not valid: body\.email must be an e-mail address\./,
    details: [{ path: 'body.email' }],
  });
  await t.rejects(waitForPerson(client, crypto.randomUUID()), { code: 'booking_not_found' });
  t.equal(requests.length, 4, 'no request was repeated');
});

t.test('without a response, the error is thrown after patienceSeconds', async (t) => {
  const { client } = connect(...Array.from({ length: 99 }, () => unreachable));
  await t.rejects(placeHold(client, await aRequest(), { patienceSeconds: 0.2 }), {
    name: 'BookingError',
    message: 'The booking service did not answer: fetch failed',
    retryable: true,
    status: undefined,
  });
});

t.test('a response that is not from the service has no error code', async (t) => {
  for (const [status, retryable] of [
    [404, false],
    [502, true],
  ] as const) {
    const { client } = connect(answering(status, {}, '<html>'), answering(status, {}, '"x"'));
    const failure = placeHold(client, await aRequest(), { patienceSeconds: 0 });
    await t.rejects(failure, { code: undefined, status, retryable, message: /answered/ });
  }
});

t.test('waitForPerson resolves with an expired booking if the person does nothing', async (t) => {
  const { client } = connect();
  const booking = await holdAndHandOff(client, await aRequest(), () =>
    service.shiftClock(15 * 60 * 1000),
  );
  t.equal(booking.status, 'expired');
});

t.test('an aborted wait leaves the hold as it is', async (t) => {
  const { client } = connect();
  const stop = new AbortController();
  let id = '';
  const handOff = (hold: { id: string }) => {
    id = hold.id;
    setImmediate(() => stop.abort());
  };
  const waiting = holdAndHandOff(client, await aRequest(), handOff, { signal: stop.signal });
  await t.rejects(waiting, { name: 'AbortError' });
  const { data } = await client.GET('/api/public/bookings/{id}', { params: { path: { id } } });
  t.equal(data?.data.status, 'pending');
});

t.test('the API key is sent with every request', async (t) => {
  let sent: string | null = null;
  const send: Fetch = (request) => {
    sent = request.headers.get('authorization');
    return fetch(request);
  };
  const client = createClient({ baseUrl: service.url, apiKey: 'tsk_x', fetch: send });
  await client.GET('/api/public/studio');
  t.equal(sent, 'Bearer tsk_x');
});

t.test('an invalid baseUrl throws before any request', async (t) => {
  for (const baseUrl of ['', '127.0.0.1:3000', 'book.example.com', undefined]) {
    t.throws(() => createClient({ baseUrl: baseUrl as string }), /baseUrl must be/);
  }
  t.throws(() => createClient({ baseUrl: '' }), /\(http or https\), and is empty$/);
});
