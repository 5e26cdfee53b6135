import t, { type Test } from 'tap';
import { createApp } from '../../src/app.js';
import type { Slot } from '../../src/calendar/slots.js';
import { confirmCheckout } from '../../src/domain/checkout.js';
import { requestFingerprints } from '../../src/domain/hold-request.js';
import { moveCheckout } from '../../src/domain/moves.js';
import { shiftDatabaseClock } from '../support/clock.js';
import { holdRequest, someOpenSlots } from '../support/requests.js';
import { startNeighbour, startService } from '../support/service.js';

interface Answer {
  status: number;
  replayed: string | null;
  body: string;
}

async function post(url: string, key: string, body: object): Promise<Answer> {
  const response = await fetch(`${url}/api/public/holds`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(body),
  });
  return {
    status: response.status,
    replayed: response.headers.get('idempotency-replayed'),
    body: await response.text(),
  };
}

async function countBookings({ date, timeSlot }: Slot): Promise<number> {
  const bookings = await service.context.database
    .selectFrom('bookings')
    .select('id')
    .where('date', '=', date)
    .where('time_slot', '=', timeSlot)
    .execute();
  return bookings.length;
}

function errorCode(answer: Answer): string {
  return (JSON.parse(answer.body) as { error: { code: string } }).error.code;
}

const service = await startService(t);

/** A second process on the same database. Returns its address. */
async function startTwin(t: Test): Promise<string> {
  const twinApp = await createApp(await startNeighbour(t, service.context));
  t.teardown(() => twinApp.close());
  return twinApp.listen({ host: '127.0.0.1', port: 0 });
}

t.test(
  '20 parallel requests with one Idempotency-Key, through two processes: one booking, twenty equal 201 bodies',
  async (t) => {
    const twinUrl = await startTwin(t);
    const [slot] = await someOpenSlots(service.context, 1);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        post(index % 2 === 0 ? service.url : twinUrl, 'twenty', holdRequest(slot!)),
      ),
    );
    t.strictSame([...new Set(answers.map((answer) => answer.status))], [201]);
    t.equal(new Set(answers.map((answer) => answer.body)).size, 1);
    t.equal(answers.filter((answer) => answer.replayed === null).length, 1, 'one is the original');
    t.equal(await countBookings(slot!), 1);
  },
);

t.test('what was held before a rule is replayed, and not held anew', async (t) => {
  const { database, keyring } = service.context;
  const [slot] = await someOpenSlots(service.context, 1);
  const request = holdRequest(slot!);
  const first = await post(service.url, 'before', request);
  const { data } = JSON.parse(first.body) as { data: { id: string } };
  // As a version held it that took any ten digits.
  const former = { ...request, phone: '(000) 000-0000' };
  const requestHash = requestFingerprints(keyring, former)[0]!;
  await database
    .updateTable('bookings')
    .set({ phone: '0000000000', request_hash: requestHash })
    .where('id', '=', data.id)
    .execute();
  t.match(await post(service.url, 'before', former), { replayed: 'true', body: first.body });
  const anew = await post(service.url, 'after', former);
  t.strictSame([anew.status, errorCode(anew)], [400, 'invalid_request']);
});

t.test(
  'the same request with the same key gets the same bytes, however it is written',
  async (t) => {
    const [slot] = await someOpenSlots(service.context, 1);
    const request = holdRequest(slot!);
    const first = await post(service.url, 'lost', request);
    const turned = Object.fromEntries(Object.entries(request).reverse());
    for (const [key, body] of [
      ['lost', request],
      ['lost', turned],
      ['"lost"', request],
    ] as const) {
      t.strictSame(await post(service.url, key, body), { ...first, replayed: 'true' });
    }
  },
);

t.test(
  'the key replays the original bytes after a move, a confirmation and another move, in every process',
  async (t) => {
    const twinUrl = await startTwin(t);
    const [slot, second, third] = await someOpenSlots(service.context, 3);
    const first = await post(service.url, 'moved', holdRequest(slot!));
    const token = first.body.match(/checkout\/([\w-]+)/)![1]!;
    await moveCheckout(service.context, token, second!, 0);
    await confirmCheckout(service.context, token);
    await moveCheckout(service.context, token, third!, 2);
    t.equal(await countBookings(third!), 1);
    for (const url of [service.url, twinUrl]) {
      const replay = await post(url, 'moved', holdRequest(slot!));
      t.strictSame(replay, { ...first, replayed: 'true' });
    }
    t.equal(await countBookings(slot!), 0, 'nothing else was held');
  },
);

t.test('the same key with another body is rejected, and nothing is stored', async (t) => {
  const [slot, other] = await someOpenSlots(service.context, 2);
  await post(service.url, 'reused', holdRequest(slot!));
  const answer = await post(service.url, 'reused', holdRequest(other!));
  t.equal(answer.status, 400);
  t.equal(errorCode(answer), 'idempotency_key_reused');
  t.equal(await countBookings(other!), 0);
});

t.test('the key still replays the original after the hold has expired', async (t) => {
  const service = await startService(t);
  const { context } = service;
  const [slot] = await someOpenSlots(context, 1);
  const first = await post(service.url, 'expired', holdRequest(slot!));
  await shiftDatabaseClock(context.database, 16 * 60_000);
  const again = await post(service.url, 'expired', holdRequest(slot!));
  t.equal(again.status, 201);
  t.equal(again.body, first.body);
});

t.test('the same key of two people is two requests', async (t) => {
  const [slot, other] = await someOpenSlots(service.context, 2);
  const ada = await post(service.url, 'hold-1', holdRequest(slot!));
  const grace = await post(
    service.url,
    'hold-1',
    holdRequest(other!, { email: 'grace@example.com' }),
  );
  t.equal(ada.status, 201);
  t.equal(grace.status, 201);
  t.not(grace.body, ada.body);
});

t.test('a failed request is not replayed: the same key can be retried', async (t) => {
  const [slot, other] = await someOpenSlots(service.context, 2);
  await post(service.url, 'someone', holdRequest(slot!, { email: 'grace@example.com' }));
  t.equal((await post(service.url, 'retry', holdRequest(slot!))).status, 409);
  t.equal((await post(service.url, 'retry', holdRequest(other!))).status, 201);
});

t.test('a key has 1 to 255 printable characters, bare or quoted', async (t) => {
  const { app, context } = service;
  const [slot, ...slots] = await someOpenSlots(context, 5);
  const send = (key: string, payload: object) => {
    const headers = { 'idempotency-key': key, 'x-other': '1' };
    return app.inject({ method: 'POST', url: '/api/public/holds', headers, payload });
  };
  const long = 'x'.repeat(256);
  for (const key of ['', long, `"${long}"`, '""', '"a', 'tab\there', 'ü']) {
    const answer = await send(key, holdRequest(slot!));
    t.equal(answer.statusCode, 400, JSON.stringify(key));
    const details = [{ path: 'header.idempotency-key' }];
    t.match(answer.json(), { error: { code: 'invalid_request', details } });
  }
  for (const key of ['a', '"a b"', 'x'.repeat(255), `"${'y'.repeat(255)}"`]) {
    t.equal((await send(key, holdRequest(slots.shift()!))).statusCode, 201, key);
  }
});
