import t from 'tap';
import { confirmCheckout } from '../../src/domain/checkout.js';
import { moveCheckout } from '../../src/domain/moves.js';
import { bookForm, postBook, releaseForm, tokenOf } from '../support/book-form.js';
import { holdForPerson } from '../support/pages.js';
import { someOpenSlots } from '../support/requests.js';
import { originMismatch } from '../support/service-log.js';
import { generous, startTestService, type TestService } from '../support/service.js';

const again = () => ({ nonce: crypto.randomUUID() });

async function rows({ context: { database } }: TestService) {
  return database.selectFrom('bookings').selectAll().orderBy('id').execute();
}

async function statusOf(service: TestService): Promise<string[]> {
  return (await rows(service))
    .sort((a, b) => +a.created_at - +b.created_at)
    .map((row) => row.status);
}

void t.test('a post of another site or of an agent gets 403 and changes nothing', async (t) => {
  const service = await startTestService(t);
  service.expectLog(originMismatch);
  const [slot, other] = await someOpenSlots(service.context, 2);
  const form = bookForm(slot!);
  const cookie = tokenOf(await postBook(service, form));
  const before = await rows(service);
  const release = releaseForm(before[0]!.id);
  const foreign: Record<string, string | undefined>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'https://studio.test' },
    { origin: undefined },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { origin: undefined, 'sec-fetch-site': 'cross-site' },
    { 'signature-agent': '"https://agent.example"' },
    { authorization: 'Bearer tsk_anything' },
  ];
  for (const headers of foreign) {
    for (const fields of [bookForm(other!), release, { ...form, ...again(), action: 'replace' }]) {
      const page = await postBook(service, fields, { cookie, headers });
      t.equal(page.statusCode, 403, JSON.stringify(headers));
      t.match(page.body, /Please press the button yourself|This page is open at another address/);
      t.equal(page.cookies.length, 0);
    }
  }
  t.strictSame(await rows(service), before);
});

void t.test(
  'the cookie lasts as long as the hold, and only pages below /book get it',
  async (t) => {
    for (const scheme of ['http', 'https']) {
      const publicBaseUrl = `${scheme}://studio.test`;
      const service = await startTestService(t, { ...generous, PUBLIC_BASE_URL: publicBaseUrl });
      const [slot] = await someOpenSlots(service.context, 1);
      const form = bookForm(slot!);
      const held = await postBook(service, form);
      const [row] = await rows(service);
      const left = Math.floor((row!.expires_at.getTime() - service.context.clock.now()) / 1000);
      const [cookie] = held.cookies;
      t.match(cookie, { name: 'hold', value: tokenOf(held), path: '/book', sameSite: 'Lax' });
      t.equal(cookie!.httpOnly, true);
      t.equal(cookie!.secure, scheme === 'https' ? true : undefined);
      t.ok(Math.abs(cookie!.maxAge! - left) <= 2 && left > 890, `${cookie!.maxAge} of ${left} s`);
      t.equal(cookie!.expires, undefined);
      await service.shiftClock(300_000);
      const later = (await postBook(service, form)).cookies[0]!.maxAge!;
      t.ok(Math.abs(later - left + 300) <= 5, `${later} s, five minutes later`);
      const gone = await postBook(service, releaseForm(row!.id), { cookie: tokenOf(held) });
      t.match(gone, { statusCode: 303, headers: { location: '/book' } });
      t.match(gone.cookies, [{ name: 'hold', value: '', path: '/book', maxAge: 0 }]);
      t.strictSame(await statusOf(service), ['cancelled']);
    }
  },
);

void t.test('a cookie that is no live hold does nothing', async (t) => {
  const service = await startTestService(t);
  const confirmed = await holdForPerson({ service });
  await confirmCheckout(service.context, confirmed.token);
  const form = bookForm(confirmed.slot);
  const before = await rows(service);
  for (const cookie of [
    confirmed.token,
    '',
    'x',
    'a'.repeat(43),
    'a'.repeat(10_000),
    '%',
    '%E0%A4%A',
    `${confirmed.token}; hold=${confirmed.token}`,
    '__proto__',
    "' or 1=1 --",
  ]) {
    const shown = cookie.slice(0, 20);
    const page = await service.app.inject({ url: '/book', headers: { cookie: `hold=${cookie}` } });
    t.equal(page.statusCode, 200, shown);
    t.notMatch(page.body, 'You are holding a time', shown);
    for (const sequence of [0, 1, 2]) {
      const gone = await postBook(service, releaseForm(confirmed.id, sequence), { cookie });
      t.match(gone, { statusCode: 303, headers: { location: '/book' } }, shown);
    }
    const taken = await postBook(service, { ...form, action: 'replace' }, { cookie });
    t.equal(taken.statusCode, 409, shown);
    t.match(taken.body, 'That time has been taken', shown);
    t.notMatch(taken.body, confirmed.token);
  }
  t.strictSame(await rows(service), before);
});

void t.test(
  'a hold that has moved is not let go by the page of before, and stays known',
  async (t) => {
    const service = await startTestService(t);
    const [slot, other] = await someOpenSlots(service.context, 2);
    const cookie = tokenOf(await postBook(service, bookForm(slot!)));
    await moveCheckout(service.context, cookie, other!, 0);
    const [{ id } = { id: '' }] = await rows(service);
    const stale = await postBook(service, releaseForm(id), { cookie });
    t.match(stale, { statusCode: 303, headers: { location: '/book' } });
    t.equal(stale.cookies.length, 0, 'the browser still knows it');
    t.strictSame(await statusOf(service), ['pending']);
    const list = await service.app.inject({ url: '/book', headers: { cookie: `hold=${cookie}` } });
    t.match(list.body, 'You are holding a time');
    const gone = await postBook(service, releaseForm(id, 1), { cookie });
    t.equal(gone.cookies[0]?.value, '');
    t.strictSame(await statusOf(service), ['cancelled']);
  },
);

void t.test('replacing gives up one’s own hold of that slot and no other', async (t) => {
  const service = await startTestService(t);
  const [slot, other] = await someOpenSlots(service.context, 2);
  const form = bookForm(slot!);
  const cookie = tokenOf(await postBook(service, form));
  const own = await postBook(service, { ...form, ...again() }, { cookie });
  t.equal(own.statusCode, 409);
  t.match(own.body, 'You already hold this time');

  const elsewhere = { ...bookForm(other!), action: 'replace' };
  t.equal((await postBook(service, elsewhere, { cookie })).statusCode, 303);
  t.strictSame(await statusOf(service), ['pending', 'pending']);

  const mistaken = { ...form, ...again(), action: 'replace', phone: '1' };
  t.equal((await postBook(service, mistaken, { cookie })).statusCode, 400);
  t.strictSame(await statusOf(service), ['pending', 'pending'], 'a mistake gives nothing up');

  const corrected = { ...form, ...again(), action: 'replace', name: 'Ada L. Park' };
  const first = await postBook(service, corrected, { cookie });
  t.equal(first.statusCode, 303);
  t.strictSame(await statusOf(service), ['cancelled', 'pending', 'pending']);
  // Pressed twice, and again after the browser has kept the new hold.
  for (const kept of [cookie, tokenOf(first)]) {
    const twice = await postBook(service, corrected, { cookie: kept });
    t.equal(twice.headers.location, first.headers.location);
    t.strictSame(await statusOf(service), ['cancelled', 'pending', 'pending']);
  }
});

void t.test('a replacement that a cap refuses says that the former hold is let go', async (t) => {
  const service = await startTestService(t, { ...generous, MAX_LIVE_BOOKINGS_PER_PERSON: '1' });
  const [slot, other] = await someOpenSlots(service.context, 2);
  const full = { email: 'grace@example.com', phone: '5555550143' };
  await postBook(service, bookForm(other!, full), { address: '192.0.2.2' });
  const form = bookForm(slot!);
  const cookie = tokenOf(await postBook(service, form));
  const replacing = { ...form, ...again(), action: 'replace', email: full.email };
  const refused = await postBook(service, replacing, { cookie });
  t.equal(refused.statusCode, 429);
  t.match(refused.body, 'What you held before is let go.');
  t.notMatch(refused.body, 'You are holding a time');
  t.strictSame(await statusOf(service), ['pending', 'cancelled']);
  t.equal((await postBook(service, { ...form, ...again() }, { cookie })).statusCode, 303);
  const elsewhere = {
    ...form,
    ...again(),
    action: 'replace',
    slot: `${other!.date} ${other!.timeSlot}`,
  };
  t.notMatch((await postBook(service, elsewhere, { cookie })).body, 'is let go');
});

void t.test('a replacement that the limit refuses gives nothing up', async (t) => {
  const service = await startTestService(t, { ...generous, WRITES_PER_HOUR_ANONYMOUS: '1' });
  const [slot] = await someOpenSlots(service.context, 1);
  const form = bookForm(slot!);
  const cookie = tokenOf(await postBook(service, form));
  const replacing = { ...form, ...again(), action: 'replace' };
  const refused = await postBook(service, replacing, { cookie });
  t.equal(refused.statusCode, 429);
  t.match(refused.body, 'You are holding a time');
  t.strictSame(await statusOf(service), ['pending']);
});
