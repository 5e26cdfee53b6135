import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { addCalendarFeed, maxFeeds } from '../../src/domain/calendar-feeds.js';
import { confirmCheckout } from '../../src/domain/checkout.js';
import { maxWatchedCalendars } from '../../src/domain/watched-calendars.js';
import { insertCalendar } from '../support/busy-calendars.js';
import { consoleClient, consoleLink, openLink, signIn, startConsole } from '../support/console.js';
import { holdForPerson } from '../support/pages.js';
import { originMismatch } from '../support/service-log.js';
import { startTestService, type TestService } from '../support/service.js';
import { anyHost } from '../support/watched-calendars.js';

async function confirmed(service: Pick<TestService, 'context'>): Promise<string> {
  const { id, token } = await holdForPerson({ service });
  await confirmCheckout(service.context, token);
  return id;
}

async function stored({ context: { database } }: Pick<TestService, 'context'>) {
  const [bookings, audit, sessions] = await Promise.all([
    database.selectFrom('bookings').select(['id', 'status', 'sequence']).orderBy('id').execute(),
    database.selectFrom('audit_log').select('action').execute(),
    database.selectFrom('console_sessions').select('id').orderBy('id').execute(),
  ]);
  return { bookings, audit, sessions };
}

void t.test('a post that no person made on a page of its session does nothing', async (t) => {
  const service = await startTestService(t);
  service.expectLog(originMismatch);
  const id = await confirmed(service);
  const [ada, bob, gone] = [await signIn(service), await signIn(service), await signIn(service)];
  const [token, bobs, goners] = [await ada.token(), await bob.token(), await gone.token()];
  await gone.post('/console/sign-out');
  const before = await stored(service);
  const cases: [string, Record<string, string | undefined>, Record<string, string | undefined>][] =
    [
      ['no token', { _csrf: undefined }, {}],
      ['an empty token', { _csrf: '' }, {}],
      ['an invented token', { _csrf: 'x'.repeat(token.length) }, {}],
      ['the token of another session', { _csrf: bobs }, {}],
      ['the token of a session that has ended', { _csrf: goners }, {}],
      [
        'the token in a header',
        { _csrf: undefined },
        { 'csrf-token': token, 'x-csrf-token': token },
      ],
      ['another website', { _csrf: token }, { origin: 'https://evil.example' }],
      ['another port', { _csrf: token }, { origin: 'http://studio.test:81' }],
      ['another scheme', { _csrf: token }, { origin: 'https://studio.test' }],
      ['a longer host', { _csrf: token }, { origin: 'http://studio.test.evil.example' }],
      ['no origin', { _csrf: token }, { origin: 'null', 'sec-fetch-site': undefined }],
      ['neither header', { _csrf: token }, { origin: undefined, 'sec-fetch-site': undefined }],
      ['cross-site', { _csrf: token }, { 'sec-fetch-site': 'cross-site' }],
      ['same-site', { _csrf: token }, { 'sec-fetch-site': 'same-site' }],
      ['typed', { _csrf: token }, { 'sec-fetch-site': 'none' }],
      ['an API key', { _csrf: token }, { authorization: 'Bearer tsk_x' }],
      ['an agent', { _csrf: token }, { 'signature-agent': '"https://agent.example"' }],
    ];
  for (const path of [
    `/console/bookings/${id}/cancel`,
    '/console/sign-out',
    '/console/sign-ins/end-others',
    '/console/calendars/feeds',
    '/console/calendars/watched',
  ]) {
    for (const [name, fields, headers] of cases) {
      const answer = await ada.post(path, fields, headers);
      t.equal(answer.statusCode, 403, `${path}: ${name}`);
      t.notMatch(answer.headers['set-cookie'], /./, name);
    }
    const late = await gone.post(path, { _csrf: goners });
    t.equal(late.statusCode, 401, 'after the sign-out');
  }
  for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x']) {
    const answer = await ada.post('/console/sign-out', { _csrf: token }, { 'content-type': type });
    t.equal(answer.statusCode, 415, type);
  }
  for (const [url, location] of [
    [`/console/bookings/${id}/cancel?_csrf=${token}`, `/console/bookings/${id}`],
    ['/console/sign-out', '/console'],
  ] as const) {
    const opened = await ada.get(url);
    t.match(opened, { statusCode: 303, headers: { location } }, 'opened, not posted');
  }
  t.strictSame(await stored(service), before);
  const seen = { sequence: String(before.bookings[0]?.sequence), missed: 'no' };
  const cancelled = await ada.post(`/console/bookings/${id}/cancel`, seen);
  t.equal(cancelled.statusCode, 303, 'a person can');
  t.notMatch(service.logLines.join('\n'), token);
});

void t.test('a sign-in that comes from elsewhere is refused, and uses nothing up', async (t) => {
  const service = await startTestService(t);
  service.expectLog(originMismatch);
  const link = await consoleLink(service);
  const before = await stored(service);
  for (const headers of [
    { origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site' },
    { authorization: 'Bearer x' },
    { 'signature-agent': '"https://agent.example"' },
  ]) {
    const answer = await consoleClient(service, '').post(
      new URL(link).pathname,
      { _csrf: '' },
      headers,
    );
    t.equal(answer.statusCode, 403);
  }
  t.strictSame(await stored(service), before);
  t.equal((await openLink(service, link)).statusCode, 303);
});

/** A foreign website, which shows this at every path. */
async function startForeignSite(t: Test, body: string): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html>${body}`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  // The service is at 127.0.0.1: for browsers another site.
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

void t.test('a visit from a mail, another website or a bookmark is still signed in', async (t) => {
  const started = await startConsole(t);
  if (started === null) return;
  const { pages, page } = started;
  const origin = await startForeignSite(t, `<a href="${pages.url}/console/sign-ins">mail</a>`);
  await page.goto(origin);
  await page.getByRole('link', { name: 'mail' }).click();
  await page.getByRole('heading', { name: 'Sign-ins' }).waitFor();
  const tab = await page.context().newPage();
  await tab.goto(`${pages.url}/console`);
  await tab.getByRole('button', { name: 'Sign out' }).waitFor();
});

void t.test('a refusal that is about no field stands above the form, not beside one', async (t) => {
  const service = await startTestService(t, anyHost);
  const { context } = service;
  const ada = await signIn(service);
  for (let count = 0; count < maxWatchedCalendars; count += 1) await insertCalendar(context);
  for (let count = 0; count < maxFeeds; count += 1) {
    await addCalendarFeed(context, 'test', { label: 'Phone', hasDetails: false });
  }
  const address = 'http://127.0.0.1/a.ics';
  for (const [path, field, limit] of [
    ['/console/calendars/watched', 'watch-address', 'There are 10 watched calendars already'],
    ['/console/calendars/feeds', 'feed-label', 'There are 20 feeds already'],
  ] as const) {
    const { statusCode, body } = await ada.post(path, { address, label: 'Phone' });
    t.equal(statusCode, 400, path);
    const [, alert] = /role="alert">([^<]*)/.exec(body) ?? [];
    t.equal(alert, `${limit}: remove one first.`, path);
    t.notOk(body.includes(`${field}-mistake`), path);
  }
});

void t.test('another website cannot post to the console, nor frame or read it', async (t) => {
  const started = await startConsole(t);
  if (started === null) return;
  const { pages, page } = started;
  const id = await confirmed(pages.service);
  const before = await stored(pages.service);
  const token = await page.locator('input[name=_csrf]').first().inputValue();
  const form = (action: string) =>
    `<form method="post" action="${pages.url}${action}"><input name="_csrf" value="${token}"><button>Win</button></form>`;

  for (const action of [`/console/bookings/${id}/cancel`, '/console/sign-out']) {
    await page.goto(await startForeignSite(t, form(action)));
    const [response] = await Promise.all([
      page.waitForResponse(`${pages.url}${action}`),
      page.getByRole('button', { name: 'Win' }).click(),
    ]);
    t.ok([401, 403].includes(response.status()), `${action}: ${response.status()}`);
  }
  t.strictSame(await stored(pages.service), before);

  const framing = await startForeignSite(t, `<iframe src="${pages.url}/console"></iframe>`);
  // A page that may report what it refuses.
  const tab = await page.context().newPage();
  await tab.goto(framing);
  const frame = tab.frames().find((each) => each !== tab.mainFrame())!;
  t.equal(await frame.locator('nav').count(), 0);
  t.match(frame.url(), /^chrome-error:/);
  const read = await tab.evaluate(
    (url) =>
      fetch(url, { credentials: 'include' })
        .then((answer) => answer.text())
        .catch(String),
    `${pages.url}/console`,
  );
  t.match(read, /TypeError/);
});
