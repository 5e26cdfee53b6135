import { sql } from 'kysely';
import t from 'tap';
import { placeHold } from '../../src/domain/booking/holds.js';
import { readBooking } from '../../src/domain/booking/public-bookings.js';
import { addBooking } from '../../src/domain/studio/bookings.js';
import { cancelByStudio } from '../../src/domain/studio/cancellation.js';
import { statusAt } from '../../src/schedule/slots.js';
import { postForm, pressOn } from '../support/forms.js';
import { callerNumber, holdRequest, someOpenSlots } from '../support/requests.js';
import { startService } from '../support/service.js';

const origin = 'http://studio.test';
const html = { accept: 'text/html' };

const service = await startService(t);
const { app, context } = service;
/** With these headers alone. */
const press = (path: string, action: string, headers: Record<string, string> = { origin }) =>
  pressOn(service, path, action, { headers: { accept: undefined, origin: undefined, ...headers } });

/** A held slot and the path of its checkout page. */
async function hold(changes = {}) {
  const [slot] = await someOpenSlots(context, 1);
  const placed = await placeHold(context, callerNumber(1), holdRequest(slot!, changes), null);
  return { id: placed.booking.id, slot: slot!, path: `/checkout/${placed.checkoutToken}` };
}

async function statusOf(id: string): Promise<string> {
  return statusAt(await readBooking(context, id), context.clock.now());
}

t.test('a forged cross-site post is refused', async (t) => {
  const { id, path } = await hold();
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin, 'sec-fetch-site': 'cross-site' },
    { origin, 'sec-fetch-site': 'same-site' },
    {},
  ]) {
    const answer = await press(path, 'confirm', headers);
    t.match(answer, { statusCode: 403, body: '"code":"forbidden"' }, JSON.stringify(headers));
  }
  t.equal(await statusOf(id), 'pending');
});

t.test('a post that is not the form of the page gets 415, and changes nothing', async (t) => {
  const { id, path } = await hold();
  const payload = '{"action":"confirm"}';
  for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x']) {
    const headers = { origin, 'content-type': type };
    const answer = await app.inject({ method: 'POST', url: path, headers, payload });
    t.match(answer, { statusCode: 415, body: '"code":"unsupported_media_type"' }, type);
    t.notMatch(answer.body, 'JSON', 'and does not suggest what is refused');
    const page = { method: 'POST', url: path, headers: { ...headers, ...html }, payload } as const;
    t.match(await app.inject(page), { statusCode: 415, body: 'We did not understand that' });
  }
  t.equal(await statusOf(id), 'pending');
});

t.test('what is too large for a page gets a page that does not blame the service', async (t) => {
  const { path } = await hold();
  const address = await app.inject({ url: `${path}/move?${'x'.repeat(5_000)}`, headers: html });
  t.match(address, { statusCode: 414, body: 'We did not understand that' });
  const fields = { action: 'confirm', x: 'x'.repeat(70_000) };
  const body = await postForm(service, path, fields);
  t.match(body, { statusCode: 413, body: 'That is too much text' });
});

t.test('the person confirms, and confirming again changes nothing', async (t) => {
  const { id, path } = await hold();
  const answer = await press(path, 'confirm', { origin, 'sec-fetch-site': 'same-origin' });
  t.match(answer, { statusCode: 303, headers: { location: path } });
  const confirmed = await readBooking(context, id);
  t.equal(confirmed.status, 'confirmed');
  await press(path, 'confirm');
  t.strictSame(await readBooking(context, id), confirmed);
});

t.test('the person releases a hold or cancels a session, and both are final', async (t) => {
  const first = await hold();
  for (const action of ['release', 'confirm']) {
    await press(first.path, action);
    t.equal(await statusOf(first.id), 'cancelled', action);
  }
  const { id, path, slot } = await hold();
  t.strictSame(slot, first.slot, 'the released slot is open again');
  for (const [action, status] of [
    ['confirm', 'confirmed'],
    // From a stale page.
    ['release', 'confirmed'],
    ['cancel', 'cancelled'],
    ['confirm', 'cancelled'],
  ] as const) {
    await press(path, action);
    t.equal(await statusOf(id), status, action);
  }
});

t.test('the page shows contact details only masked, and keeps secrets to itself', async (t) => {
  const { path } = await hold({ idea: 'my secret idea', name: 'Ada Lovelace' });
  const page = await app.inject({ url: path, headers: html });
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

const [email, phone] = ['wanda@example.com', '5035550142'];
for (const [contact, shown] of [
  [{ email, phone }, '<bdi>w•••@example.com</bdi>, •••0142'],
  [{ email }, '<bdi>w•••@example.com</bdi>'],
  [{ phone }, '•••0142'],
  [{}, undefined],
] as const) {
  const known = Object.keys(contact).join(' and ') || 'nothing';
  t.test(`where ${known} of a person is known, the page shows ${shown}`, async (t) => {
    const [slot] = await someOpenSlots(context, 1);
    const added = await addBooking(context, 'ada@desk', slot!, { name: 'Wanda', ...contact });
    if (added.outcome !== 'added') throw new Error(added.outcome);
    const { body } = await app.inject(`/checkout/${added.checkoutToken}`);
    t.equal(/<dt>For<\/dt><dd>(.*?)<\/dd>/.exec(body)?.[1], shown);
  });
}

t.test('an unknown link and an unknown action get an error, as a page in a browser', async (t) => {
  for (const token of ['nope', 'A'.repeat(43), '%00', '%%%', '%ff/state']) {
    const answer = await app.inject({ url: `/checkout/${token}`, headers: html });
    t.equal(answer.statusCode, 404, token);
    t.match(answer.headers, {
      'content-type': /text\/html/,
      'cache-control': 'no-store',
      'x-robots-tag': /noindex/,
      'x-content-type-options': 'nosniff',
      'content-security-policy': /frame-ancestors 'none'/,
    });
  }
  t.match(await app.inject('/checkout/nope'), { body: '"code":"not_found"' });
  const { path } = await hold();
  t.equal((await press(path, 'destroy')).statusCode, 400);
});

t.test('a session that has begun can no longer be cancelled by its person', async (t) => {
  const { id, path } = await hold();
  await press(path, 'confirm');
  const at = (hours: number) => sql<Date>`booking_now() + make_interval(hours => ${hours})`;
  const begun = { starts_at: at(0), ends_at: at(4) };
  await context.database.updateTable('bookings').set(begun).where('id', '=', id).execute();
  t.equal((await press(path, 'cancel')).statusCode, 303);
  t.equal(await statusOf(id), 'confirmed');
  const { body } = await app.inject({ url: path, headers: html });
  t.match(body, /This session has begun\.<.*It can no longer be cancelled here/s);
  t.notMatch(body, /value="cancel"/);
  const over = { starts_at: at(-5), ends_at: at(-1) };
  await context.database.updateTable('bookings').set(over).where('id', '=', id).execute();
  t.match((await app.inject({ url: path, headers: html })).body, 'This session is over.<');
  const byStudio = await cancelByStudio(context, 'ada@desk', id);
  t.equal(byStudio.outcome, 'cancelled', 'the studio still may');
});
