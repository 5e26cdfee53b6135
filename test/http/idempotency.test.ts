import { sql } from 'kysely';
import t, { type Test } from 'tap';
import type { Hold } from '../../generated/schemas.js';
import { createApp } from '../../src/app.js';
import { requestFingerprints } from '../../src/domain/booking/new-hold.js';
import { switchToLink } from '../../src/domain/studio/mode.js';
import { livingOf } from '../support/bookings.js';
import { confirmCheckout, moveCheckout } from '../support/checkouts.js';
import { codeMode } from '../support/codes.js';
import { connectClient } from '../support/mcp.js';
import { holdRequest, someOpenSlots } from '../support/requests.js';
import { startNeighbour, startService } from '../support/service.js';

const service = await startService(t);
const { app, context } = service;

async function post(key: string, payload: object, to = app) {
  const headers = { 'idempotency-key': key };
  const answer = await to.inject({ method: 'POST', url: '/api/public/holds', headers, payload });
  const { statusCode: status, body } = answer;
  return { status, body, replayed: answer.headers['idempotency-replayed'] };
}

/** The HTTP side of a second process on the same database. */
async function startTwin(t: Test) {
  const twin = await createApp(await startNeighbour(t, context));
  t.teardown(() => twin.close());
  return twin;
}

t.test('20 parallel requests with one key, in two processes, get one booking', async (t) => {
  const apps = [app, await startTwin(t)];
  const [slot] = await someOpenSlots(context, 1);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => post('twenty', holdRequest(slot!), apps[index % 2])),
  );
  t.ok(answers.every(({ status }) => status === 201));
  t.equal(new Set(answers.map(({ body }) => body)).size, 1);
  t.equal(answers.filter(({ replayed }) => replayed === undefined).length, 1);
  t.strictSame(await livingOf(context, slot!), ['pending']);
});

t.test('what was held before a rule is replayed, and not held anew', async (t) => {
  const [slot] = await someOpenSlots(context, 1);
  const request = holdRequest(slot!);
  const first = await post('before', request);
  const { data } = JSON.parse(first.body) as { data: { id: string } };
  // As a version held it that took any ten digits.
  const former = { ...request, phone: '(000) 000-0000' };
  const requestHash = requestFingerprints(context.keyring, former)[0]!;
  await context.database
    .updateTable('bookings')
    .set({ phone: '0000000000', request_hash: requestHash })
    .where('id', '=', data.id)
    .execute();
  t.match(await post('before', former), { replayed: 'true', body: first.body });
  const anew = await post('after', former);
  t.match(anew, { status: 400, body: '"code":"invalid_request"' });
});

t.test('a repeated request gets the same bytes, however it is written', async (t) => {
  const [slot] = await someOpenSlots(context, 1);
  const request = holdRequest(slot!);
  const first = await post('lost', request);
  const turned = Object.fromEntries(Object.entries(request).reverse());
  for (const [key, body] of [
    ['lost', request],
    ['lost', turned],
    ['"lost"', request],
  ] as const) {
    t.strictSame(await post(key, body), { ...first, replayed: 'true' });
  }
});

t.test('every process replays the original bytes after moves and a confirmation', async (t) => {
  const twin = await startTwin(t);
  const [slot, second, third] = await someOpenSlots(context, 3);
  const first = await post('moved', holdRequest(slot!));
  const token = first.body.match(/checkout\/([\w-]+)/)![1]!;
  await moveCheckout(context, token, second!, 0);
  await confirmCheckout(context, token);
  await moveCheckout(context, token, third!, 2);
  t.strictSame(await livingOf(context, third!), ['confirmed']);
  for (const each of [app, twin]) {
    const replay = await post('moved', holdRequest(slot!), each);
    t.strictSame(replay, { ...first, replayed: 'true' });
  }
  t.strictSame(await livingOf(context, slot!), [], 'nothing else was held');
});

t.test('the same key with another body is rejected, and nothing is stored', async (t) => {
  const [slot, other] = await someOpenSlots(context, 2);
  await post('reused', holdRequest(slot!));
  const answer = await post('reused', holdRequest(other!));
  t.match(answer, { status: 400, body: '"code":"idempotency_key_reused"' });
  t.strictSame(await livingOf(context, other!), []);
});

t.test('the key still replays the original after the hold has expired', async (t) => {
  const [slot] = await someOpenSlots(context, 1);
  const first = await post('expired', holdRequest(slot!));
  await service.shiftClock(16 * 60_000);
  t.strictSame(await post('expired', holdRequest(slot!)), { ...first, replayed: 'true' });
  await service.shiftClock(0);
});

t.test('the same key of two people is two requests', async (t) => {
  const [slot, other] = await someOpenSlots(context, 2);
  const ada = await post('hold-1', holdRequest(slot!));
  const grace = await post('hold-1', holdRequest(other!, { email: 'grace@example.com' }));
  t.strictSame([ada.status, grace.status], [201, 201]);
  t.not(grace.body, ada.body);
});

t.test('a failed request is not replayed: the same key can be retried', async (t) => {
  const [slot, other] = await someOpenSlots(context, 2);
  await post('someone', holdRequest(slot!, { email: 'grace@example.com' }));
  t.equal((await post('retry', holdRequest(slot!))).status, 409);
  t.equal((await post('retry', holdRequest(other!))).status, 201);
});

t.test('a key has 1 to 255 printable characters, bare or quoted', async (t) => {
  const [slot, ...slots] = await someOpenSlots(context, 5);
  const long = 'x'.repeat(256);
  for (const key of ['', long, `"${long}"`, '""', '"a', 'tab\there', 'ü']) {
    const { status, body } = await post(key, holdRequest(slot!));
    t.equal(status, 400, JSON.stringify(key));
    const details = [{ path: 'header.idempotency-key' }];
    t.match(JSON.parse(body), { error: { code: 'invalid_request', details } });
  }
  for (const key of ['a', '"a b"', 'x'.repeat(255), `"${'y'.repeat(255)}"`]) {
    t.equal((await post(key, holdRequest(slots.shift()!))).status, 201, key);
  }
});

t.test('where a code is needed, a hold and its replays say whose it is', async (t) => {
  const { app, url, context } = await startService(t, codeMode);
  const client = await connectClient(t, url);
  const digits = /six digits/;
  t.match(client.instructions, digits);
  const [slot, other] = await someOpenSlots(context, 2);
  const request = { ...holdRequest(slot!, { email: 'gwen@example.com' }) };
  const first = await post('one', request, app);
  const { handoff } = (JSON.parse(first.body) as { data: Hold }).data;
  t.match(handoff.message, 'we mail six digits to g•••@example.com, and you type them there.');
  t.match(handoff.agent_instructions.join(' '), 'six digits, mailed to g•••@example.com;');
  t.notMatch(first.body, 'gwen@');
  const { content } = await client.call('hold_slot', { ...holdRequest(other!) });
  t.match(content[1]?.text, digits, 'the second text');
  const events = await context.database.selectFrom('events').select('data').execute();
  t.notMatch(JSON.stringify(events), /•|digits/, 'no event has the words');

  await switchToLink(context, 'test');
  await context.board.refresh();
  t.equal((await post('one', request, app)).body, first.body, 'as it was placed');
  await sql`update events set data = data - 'handover'`.execute(context.database);
  const { body } = await post('one', request, app);
  t.match(body, /until [^,]+, the studio's time \(America\/Los_Angeles\)/);
  t.notMatch(body, digits, 'one that a version before has placed');
});
