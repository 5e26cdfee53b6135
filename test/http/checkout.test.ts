import { sql } from 'kysely';
import t from 'tap';
import { statusAt } from '../../src/calendar/booking-status.js';
import { readBooking } from '../../src/domain/bookings.js';
import { cancelByStudio } from '../../src/domain/cancellation.js';
import { placeHold } from '../../src/domain/holds.js';
import { addBooking, moveByStudio } from '../../src/domain/studio-bookings.js';
import { pressButton as press } from '../support/person.js';
import { callerNumber, holdRequest, someOpenSlots } from '../support/requests.js';
import { startService, type TestService } from '../support/service.js';

const origin = 'http://studio.test';

/** A held slot and the path of its checkout page. */
async function hold({ context }: TestService, changes = {}) {
  const [slot] = await someOpenSlots(context, 1);
  const request = holdRequest(slot!, changes);
  const placed = await placeHold(context, callerNumber(1), request, null);
  return { id: placed.booking.id, slot: slot!, path: `/checkout/${placed.checkoutToken}` };
}

async function status({ context }: TestService, id: string): Promise<string> {
  return statusAt(await readBooking(context, id), context.clock.now());
}

const service = await startService(t);

t.test('GET, HEAD and prefetch of the checkout page change nothing', async (t) => {
  const { id, path } = await hold(service);
  const before = await service.context.database.selectFrom('bookings').selectAll().execute();
  for (const [method, headers] of [
    ['GET', {}],
    ['HEAD', {}],
    ['GET', { 'sec-purpose': 'prefetch;prerender', 'sec-fetch-site': 'none' }],
    ['GET', { 'user-agent': 'Slackbot-LinkExpanding 1.0', 'sec-fetch-site': 'cross-site' }],
  ] as const) {
    const answer = await service.app.inject({ method, url: `${path}?action=confirm`, headers });
    t.equal(answer.statusCode, 200);
  }
  const after = await service.context.database.selectFrom('bookings').selectAll().execute();
  t.strictSame(after, before);
  t.equal(await status(service, id), 'pending');
});

t.test('a forged cross-site post, or one that carries an API key, is refused', async (t) => {
  const { id, path } = await hold(service);
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin, 'sec-fetch-site': 'cross-site' },
    { origin, 'sec-fetch-site': 'same-site' },
    { origin, authorization: 'Bearer tsk_anything' },
    {},
  ]) {
    const answer = await press(service, path, 'confirm', headers);
    t.equal(answer.statusCode, 403, JSON.stringify(headers));
    t.equal(answer.json<{ error: { code: string } }>().error.code, 'forbidden');
  }
  t.equal(await status(service, id), 'pending');
});

t.test('a post that is not the form of the page gets 415, and changes nothing', async (t) => {
  const { id, path } = await hold(service);
  for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x']) {
    const answer = await service.app.inject({
      method: 'POST',
      url: path,
      headers: { origin, 'content-type': type },
      payload: '{"action":"confirm"}',
    });
    t.equal(answer.statusCode, 415, type);
    const { error } = answer.json<{ error: { code: string; message: string } }>();
    t.equal(error.code, 'unsupported_media_type');
    t.notMatch(error.message, 'JSON', 'and does not suggest what is refused');
    const page = await service.app.inject({
      method: 'POST',
      url: path,
      headers: { origin, 'content-type': type, accept: 'text/html' },
      payload: '{"action":"confirm"}',
    });
    t.equal(page.statusCode, 415);
    t.match(page.body, 'We did not understand that');
  }
  t.equal(await status(service, id), 'pending');
});

t.test(
  'a request that is too large for a page gets a page that does not blame the service',
  async (t) => {
    const { path } = await hold(service);
    const accept = 'text/html';
    const form = { origin, accept, 'content-type': 'application/x-www-form-urlencoded' };
    const payload = `action=confirm&x=${'x'.repeat(70_000)}`;
    const long = { url: `${path}/move?${'x'.repeat(5_000)}`, headers: { accept } };
    const address = await service.app.inject(long);
    t.equal(address.statusCode, 414);
    t.match(address.body, 'We did not understand that');
    const body = await service.app.inject({ method: 'POST', url: path, headers: form, payload });
    t.equal(body.statusCode, 413);
    t.match(body.body, 'That is too much text');
  },
);

t.test('the person confirms, and confirming again changes nothing', async (t) => {
  const { id, path } = await hold(service);
  const answer = await press(service, path, 'confirm', {
    origin,
    'sec-fetch-site': 'same-origin',
  });
  t.equal(answer.statusCode, 303);
  t.equal(answer.headers.location, path);
  const confirmed = await readBooking(service.context, id);
  t.equal(confirmed.status, 'confirmed');
  await press(service, path, 'confirm');
  t.strictSame(await readBooking(service.context, id), confirmed);
});

t.test(
  'the person releases a hold or cancels a confirmed session, and both are final',
  async (t) => {
    const first = await hold(service);
    await press(service, first.path, 'release');
    t.equal(await status(service, first.id), 'cancelled');
    await press(service, first.path, 'confirm');
    t.equal(await status(service, first.id), 'cancelled');

    const second = await hold(service);
    t.strictSame(second.slot, first.slot, 'the released slot is open again');
    await press(service, second.path, 'confirm');
    await press(service, second.path, 'release');
    t.equal(
      await status(service, second.id),
      'confirmed',
      'a stale page releases no confirmed one',
    );
    await press(service, second.path, 'cancel');
    t.equal(await status(service, second.id), 'cancelled');
  },
);

t.test('a hold that lapsed cannot be confirmed; one press makes one new hold', async (t) => {
  const service = await startService(t);
  const { id, path } = await hold(service, { idea: 'a heron', pronouns: 'they/them' });
  await service.shiftClock(15 * 60_000);
  await press(service, path, 'confirm');
  t.equal(await status(service, id), 'expired');

  const [once, twice] = await Promise.all([
    press(service, path, 'hold_again'),
    press(service, path, 'hold_again'),
  ]);
  t.equal(once.statusCode, 303);
  t.equal(twice.headers.location, once.headers.location, 'pressed twice, it is one hold');
  t.not(once.headers.location, path);
  const rows = await service.context.database
    .selectFrom('bookings')
    .select(['status', 'name', 'email', 'phone', 'pronouns', 'idea'])
    .orderBy('created_at')
    .execute();
  t.equal(rows.length, 2);
  t.match(rows[1], { status: 'pending', idea: 'a heron', pronouns: 'they/them', name: 'Ada Park' });
});

t.test('a page that shows the former time of a moved hold confirms nothing', async (t) => {
  const { id, path } = await hold(service);
  const [other] = await someOpenSlots(service.context, 1);
  const confirmAsShown = async (page: string) => {
    const [, sequence = ''] = /name="sequence" value="(\d+)"/.exec(page) ?? [];
    return service.app.inject({
      method: 'POST',
      url: path,
      headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ action: 'confirm', sequence }).toString(),
    });
  };
  const read = async () => (await service.app.inject(path)).body;
  const former = await read();
  await moveByStudio(service.context, 'test', id, other!);
  t.equal((await confirmAsShown(former)).statusCode, 303);
  t.equal(await status(service, id), 'pending');
  await confirmAsShown(await read());
  t.equal(await status(service, id), 'confirmed');
});

t.test('a hold with an invisible name is not held again', async (t) => {
  const service = await startService(t);
  const { database } = service.context;
  const { path } = await hold(service);
  await database.updateTable('bookings').set({ name: '\u200B' }).execute();
  await service.shiftClock(15 * 60_000);
  t.equal((await press(service, path, 'hold_again')).statusCode, 400);
  t.equal((await database.selectFrom('bookings').select('id').execute()).length, 1);
});

t.test('the page shows contact details only masked, and keeps secrets to itself', async (t) => {
  const { path } = await hold(service, { idea: 'my secret idea', name: 'Ada Lovelace' });
  const page = await service.app.inject({ url: path, headers: { accept: 'text/html' } });
  t.match(page.body, 'a•••@example.com');
  t.match(page.body, '•••0142');
  for (const secret of ['ada@example.com', '5555550142', 'my secret idea', 'Lovelace']) {
    t.notMatch(page.body, secret);
  }
  t.match(page.headers, {
    'cache-control': 'no-store',
    'referrer-policy': 'same-origin',
    'x-robots-tag': /noindex/,
    'content-security-policy': /frame-ancestors 'none'/,
  });
  t.notMatch(page.headers['content-security-policy'], /unsafe/);
});

t.test('an unknown link and an unknown action get an error, as a page in a browser', async (t) => {
  const { path } = await hold(service);
  const html = { accept: 'text/html,*/*' };
  for (const url of [
    '/checkout/nope',
    `/checkout/${'A'.repeat(43)}`,
    '/checkout/%00',
    '/checkout/%%%',
    '/checkout/%ff/state',
  ]) {
    const answer = await service.app.inject({ url, headers: html });
    t.equal(answer.statusCode, 404, url);
    t.match(answer.headers['content-type'], 'text/html');
    t.match(answer.headers, {
      'cache-control': 'no-store',
      'x-robots-tag': /noindex/,
      'x-content-type-options': 'nosniff',
      'content-security-policy': /frame-ancestors 'none'/,
    });
  }
  const plain = await service.app.inject({ url: '/checkout/nope' });
  t.equal(plain.json<{ error: { code: string } }>().error.code, 'not_found');
  const action = await press(service, path, 'destroy');
  t.equal(action.statusCode, 400);
});

t.test('a session that has begun can no longer be cancelled by its person', async (t) => {
  const { context } = service;
  const { id, path } = await hold(service);
  await press(service, path, 'confirm');
  await context.database
    .updateTable('bookings')
    .set({ starts_at: sql<Date>`booking_now()` })
    .where('id', '=', id)
    .execute();
  const answer = await press(service, path, 'cancel');
  t.equal(answer.statusCode, 303);
  t.equal(await status(service, id), 'confirmed');
  const page = await service.app.inject({ url: path, headers: { accept: 'text/html' } });
  t.match(page.body, /It can no longer be cancelled here/);
  t.notMatch(page.body, /value="cancel"/);

  const byStudio = await cancelByStudio(context, 'ada@desk', id);
  t.equal(byStudio.outcome, 'cancelled', 'the studio still may');
});

t.test(
  'the page shows the e-mail and the phone that are known, masked, and no contact without either',
  async (t) => {
    const { app, context } = service;
    const shown = async (contact: { email?: string; phone?: string }) => {
      const [slot] = await someOpenSlots(context, 1);
      const added = await addBooking(context, 'ada@desk', slot!, { name: 'Wanda', ...contact });
      if (added.outcome !== 'added') throw new Error(added.outcome);
      const { body } = await app.inject(`/checkout/${added.checkoutToken}`);
      return /<dt>For<\/dt><dd>(.*?)<\/dd>/.exec(body)?.[1];
    };
    const [email, phone] = ['wanda@example.com', '5035550142'];
    t.equal(await shown({ email, phone }), '<bdi>w•••@example.com</bdi>, •••0142');
    t.equal(await shown({ email }), '<bdi>w•••@example.com</bdi>');
    t.equal(await shown({ phone }), '•••0142');
    t.equal(await shown({}), undefined);
  },
);
