import t, { type Test } from 'tap';
import { createApp } from '../../src/app.js';
import {
  feedPath,
  removeCalendarFeed,
  rotateCalendarFeed,
} from '../../src/domain/calendar-feeds.js';
import { cancelByStudio } from '../../src/domain/cancellation.js';
import { addClosure } from '../../src/domain/closures.js';
import { moveCheckout } from '../../src/domain/moves.js';
import { createCredential } from '../../src/platform/tokens.js';
import { charged } from '../support/agents.js';
import { someOpenSlots } from '../support/requests.js';
import { startNeighbour, startService } from '../support/service.js';
import { addFeed, holdNumber, sessionNumber } from '../support/feeds.js';

const actor = 'ada@desk';
const service = await startService(t);
const { app, context } = service;

/** Another process of the same service. */
async function startSibling(t: Test) {
  const app = await createApp(await startNeighbour(t, context));
  t.teardown(() => app.close());
  return { app };
}

t.test('the answer is a private calendar, for GET and HEAD, whole also for a Range', async (t) => {
  const { path } = await addFeed(context);
  await sessionNumber(service, 1, (await someOpenSlots(context, 1))[0]!);
  const answer = await app.inject(path);
  t.match(answer.headers, {
    'content-type': 'text/calendar; charset=utf-8',
    'content-disposition': 'inline; filename="studio.ics"',
    'cache-control': 'private, no-cache',
    'x-robots-tag': /noindex/,
    'x-content-type-options': 'nosniff',
    'content-security-policy': /default-src 'none'/,
    'referrer-policy': 'same-origin',
    etag: /^"[\w-]{22}"$/,
    'content-length': String(Buffer.byteLength(answer.body)),
  });
  const head = await app.inject({ method: 'HEAD', url: path });
  t.equal(head.body, '');
  for (const name of ['etag', 'content-type', 'content-length', 'cache-control']) {
    t.equal(head.headers[name], answer.headers[name], name);
  }
  const ranged = await app.inject({ url: path, headers: { range: 'bytes=0-9' } });
  t.match(ranged, { statusCode: 200, body: answer.body });
  const posted = await app.inject({ method: 'POST', url: path });
  t.match(posted, { statusCode: 405, headers: { allow: 'GET, HEAD' } });
});

t.test('what is unchanged gets 304, and each change another entity tag', async (t) => {
  const { path } = await addFeed(context, true);
  const sibling = await startSibling(t);
  const slots = await someOpenSlots(context, 3);
  const tags = new Set<string>();
  const tagged = async (change: string) => {
    const { etag } = (await app.inject(path)).headers;
    t.notOk(tags.has(etag!), change);
    tags.add(etag!);
    return etag!;
  };
  await tagged('an empty calendar');
  const booking = await sessionNumber(service, 1, slots[0]!);
  const etag = await tagged('a session');
  await holdNumber(service, 2, slots[1]!);
  for (const condition of [etag, `W/${etag}`, `"other", W/${etag}`, `${etag}, "other"`, '*']) {
    for (const each of [service, sibling]) {
      for (const method of ['GET', 'HEAD'] as const) {
        const headers = { 'if-none-match': condition };
        const answer = await each.app.inject({ method, url: path, headers });
        t.match(answer, { statusCode: 304, body: '' }, condition);
        t.match(answer.headers, { etag, 'cache-control': 'private, no-cache' });
        t.match(charged(answer), /^pages /, 'also what is unchanged costs a page');
      }
    }
  }
  const other = await app.inject({ url: path, headers: { 'if-none-match': '"other"' } });
  t.match(other, { statusCode: 200, headers: { etag } });
  await moveCheckout(context, booking.token, slots[2]!, 1);
  await tagged('a move');
  const closure = { fromDate: '2999-01-01', toDate: '2999-01-01', timeSlot: null, reason: '' };
  await addClosure(context, actor, closure, { cancelBookings: false });
  const before = (await app.inject(path)).headers.etag;
  t.ok(tags.has(before!), 'a closure beyond the horizon changes nothing');
  const near = { ...closure, fromDate: slots[0]!.date, toDate: slots[0]!.date };
  await addClosure(context, actor, near, { cancelBookings: false });
  await tagged('a closure');
  await cancelByStudio(context, actor, booking.id);
  await tagged('a cancellation');
});

t.test('an address that was replaced or removed is gone at once, at every process', async (t) => {
  const processes = [service, await startSibling(t)];
  const statuses = (path: string) =>
    Promise.all(processes.map(async ({ app }) => (await app.inject(path)).statusCode));
  const feed = await addFeed(context);
  const other = await addFeed(context);
  t.strictSame(await statuses(feed.path), [200, 200]);
  const rotated = await rotateCalendarFeed(context, actor, feed.id);
  const { etag } = (await service.app.inject(other.path)).headers;
  t.strictSame(await statuses(feed.path), [404, 404]);
  const path = feedPath(rotated!.token);
  t.strictSame(await statuses(path), [200, 200]);
  t.match(await removeCalendarFeed(context, actor, feed.id), { id: feed.id });
  t.strictSame(await statuses(path), [404, 404]);
  for (const headers of [{ 'if-none-match': '*' }, { 'if-none-match': etag! }]) {
    for (const { app } of processes) {
      t.equal((await app.inject({ url: path, headers })).statusCode, 404);
    }
  }
  t.strictSame(await statuses(other.path), [200, 200], 'the other feed stays');
});

t.test('unknown addresses get 404, malformed ones without a query', async (t) => {
  const { token } = await addFeed(context);
  let queries = 0;
  context.pool.on('acquire', () => (queries += 1));
  const malformed = [
    'x',
    token.slice(0, -1),
    `${token.slice(0, -1)}${token.endsWith('x') ? 'y' : 'x'}`,
    `${token}x`,
    createCredential('tsk'),
    `${token}%00`,
  ].map(feedPath);
  const truncated = ['/calendar', '/calendar/', `/calendar/${token}`, `${feedPath(token)}/more`];
  for (const url of [...malformed, ...truncated]) {
    const answer = await app.inject(url);
    t.match(answer, { statusCode: 404, headers: { 'cache-control': 'no-store' } }, url);
    t.match(answer.json(), { error: { message: /link is not known/ } });
  }
  t.equal(queries, 0);
  t.equal((await app.inject(feedPath(createCredential('tsf')))).statusCode, 404);
  t.equal(queries, 1);
  const page = await app.inject({ url: malformed[0]!, headers: { accept: 'text/html' } });
  t.match(page, { statusCode: 404, headers: { 'content-type': /text\/html/ } });
});
