import t from 'tap';
import { findCheckout } from '../../src/domain/booking/checkout.js';
import { placeHold } from '../../src/domain/booking/holds.js';
import { parseSlotKey, slotKey, timeSlots } from '../../src/schedule/slots.js';
import { linkToBook } from '../../src/web/book-link.js';
import { bookForm, postBook, releaseForm, tokenOf, typedIn } from '../support/book-form.js';
import { everyBooking } from '../support/book-pages.js';
import { moveCheckout, releaseCheckout } from '../support/checkouts.js';
import { sessionForPerson } from '../support/holds.js';
import { age } from '../support/pages.js';
import { callerNumber, holdRequest, personNumber, someOpenSlots } from '../support/requests.js';
import { generous, startService } from '../support/service.js';
import { visitor } from '../support/visitor.js';

const service = await startService(t);
const { app, context } = service;

const again = () => ({ nonce: crypto.randomUUID() });

const rows = (of = context) => everyBooking(of);
const idOf = async (token: string) => (await findCheckout(context, token))!.booking.id;
const statusOf = async (token: string) => (await findCheckout(context, token))!.status;
const holding = 'You are holding a time';
async function isShown(cookie: string): Promise<boolean> {
  const page = await app.inject({ url: '/book', headers: { cookie: `hold=${cookie}` } });
  return page.body.includes(holding);
}

t.test('the cookie lasts as long as the hold, and only pages below /book get it', async (t) => {
  const [slot] = await someOpenSlots(context, 1);
  t.equal((await postBook(service, bookForm(slot!))).cookies[0]!.secure, undefined);

  const secure = await startService(t, { ...generous, PUBLIC_BASE_URL: 'https://studio.test' });
  const form = bookForm(slot!);
  const held = await postBook(secure, form);
  const [row] = await rows(secure.context);
  const left = Math.floor((row!.expires_at.getTime() - secure.context.clock.now()) / 1000);
  const attributes = { path: '/book', sameSite: 'Lax', httpOnly: true, secure: true } as const;
  t.match(held.cookies, [
    { ...attributes, name: 'hold', value: tokenOf(held), expires: undefined },
  ]);
  const isAbout = (seconds: number, wanted: number) => Math.abs(seconds - wanted) <= 60;
  const maxAge = held.cookies[0]!.maxAge!;
  t.ok(isAbout(maxAge, left) && isAbout(left, 900), `${maxAge} of ${left} s`);
  await secure.shiftClock(300_000);
  const later = (await postBook(secure, form)).cookies[0]!.maxAge!;
  t.ok(isAbout(later, left - 300), `${later} s, five minutes later`);
  const gone = await postBook(secure, releaseForm(row!.id), { cookie: tokenOf(held) });
  t.match(gone, { statusCode: 303, headers: { location: '/book' } });
  t.match(gone.cookies, [{ name: 'hold', value: '', path: '/book', maxAge: 0 }]);
  t.match(await rows(secure.context), [{ status: 'cancelled' }]);
});

t.test('a cookie that is no live hold does nothing', async (t) => {
  const confirmed = await sessionForPerson(service);
  const form = bookForm(confirmed.slot);
  const before = await rows();
  const { token } = confirmed;
  const malformed = ['', 'a'.repeat(43), 'a'.repeat(10_000), '%', '%E0%A4%A', '__proto__'];
  for (const cookie of [token, `${token}; hold=${token}`, "' or 1=1 --", ...malformed]) {
    const shown = cookie.slice(0, 20);
    t.notOk(await isShown(cookie), shown);
    for (const sequence of [0, 1, 2]) {
      const gone = await postBook(service, releaseForm(confirmed.id, sequence), { cookie });
      t.match(gone, { statusCode: 303, headers: { location: '/book' } }, shown);
    }
    const taken = await postBook(service, { ...form, action: 'replace' }, { cookie });
    t.match(taken, { statusCode: 409, body: 'That time has been taken' }, shown);
    t.notMatch(taken.body, token);
  }
  t.strictSame(await rows(), before);
});

t.test('a page lets go of the hold that it shows, as it shows it, and of no other', async (t) => {
  const [slot, other, third] = await someOpenSlots(context, 3);
  const cookie = tokenOf(await postBook(service, bookForm(slot!)));
  await moveCheckout(context, cookie, other!, 0);
  const id = await idOf(cookie);
  const later = tokenOf(await postBook(service, bookForm(third!)));
  for (const kept of [cookie, later]) {
    const stale = await postBook(service, releaseForm(id), { cookie: kept });
    t.match(stale, { statusCode: 303, headers: { location: '/book' } });
    t.equal(stale.cookies.length, 0, 'the browser still knows it');
    t.equal(await statusOf(kept), 'pending');
    t.ok(await isShown(kept));
  }
  const gone = await postBook(service, releaseForm(id, 1), { cookie });
  t.equal(gone.cookies[0]?.value, '');
  t.equal(await statusOf(cookie), 'cancelled');
});

t.test('replacing gives up one’s own hold of that slot and no other', async (t) => {
  const [slot, other] = await someOpenSlots(context, 2);
  const form = bookForm(slot!);
  const cookie = tokenOf(await postBook(service, form));
  const own = await postBook(service, { ...form, ...again() }, { cookie });
  t.match(own, { statusCode: 409, body: 'You already hold this time' });
  t.match(own.body, 'value="replace"');
  t.notMatch(own.body, 'value="hold"');

  const replacing = () => ({ ...form, ...again(), action: 'replace' });
  const elsewhere = { ...bookForm(other!), action: 'replace' };
  t.equal((await postBook(service, elsewhere, { cookie })).statusCode, 303);
  t.equal(await statusOf(cookie), 'pending');
  const mistaken = await postBook(service, { ...replacing(), phone: '1' }, { cookie });
  t.equal(mistaken.statusCode, 400);
  t.equal(await statusOf(cookie), 'pending', 'a mistake gives nothing up');

  const corrected = { ...replacing(), name: 'Ada L. Park' };
  const first = await postBook(service, corrected, { cookie });
  t.equal(first.statusCode, 303);
  t.equal(await statusOf(cookie), 'cancelled');
  const { booking } = (await findCheckout(context, tokenOf(first)))!;
  t.match(booking, { status: 'pending', name: 'Ada L. Park' });
  const before = await rows();
  // Pressed twice, and again after the browser has kept the new hold.
  for (const kept of [cookie, tokenOf(first)]) {
    const twice = await postBook(service, corrected, { cookie: kept });
    t.equal(twice.headers.location, first.headers.location);
  }
  t.strictSame(await rows(), before);
});

t.test('what a cap or a limit refuses says whether the former hold is let go', async (t) => {
  const capped = await startService(t, { ...generous, MAX_LIVE_BOOKINGS_PER_PERSON: '1' });
  const [slot, other] = await someOpenSlots(capped.context, 2);
  const full = { email: 'grace@example.com', phone: '5555550143' };
  const others = bookForm(other!, full);
  await postBook(capped, others, { address: '192.0.2.2' });
  const form = bookForm(slot!);
  const cookie = tokenOf(await postBook(capped, form));
  const replacing = () => ({ ...form, ...again(), action: 'replace' });
  const refused = await postBook(capped, { ...replacing(), email: full.email }, { cookie });
  t.match(refused, { statusCode: 429, body: 'What you held before is let go.' });
  t.notMatch(refused.body, holding);
  t.match(await rows(capped.context), [{ status: 'pending' }, { status: 'cancelled' }]);
  const anew = await postBook(capped, { ...form, ...again() }, { cookie });
  t.equal(anew.statusCode, 303);
  const elsewhere = { ...replacing(), slot: slotKey(other!) };
  t.notMatch((await postBook(capped, elsewhere, { cookie })).body, 'is let go');
  const both = `${tokenOf(anew)}; form-00000000=${String(others['nonce'])}`;
  const one = await postBook(capped, { ...replacing(), email: full.email }, { cookie: both });
  t.match(one.body, 'What you held before is let go.');
  t.match(one.body, holding, 'the other one is held still');

  const limited = await startService(t, { ...generous, WRITES_PER_HOUR_ANONYMOUS: '1' });
  const kept = tokenOf(await postBook(limited, form));
  const nothing = await postBook(limited, replacing(), { cookie: kept });
  t.match(nothing, { statusCode: 429, body: holding });
  t.match(await rows(limited.context), [{ status: 'pending' }]);
});

t.test('where the key of its link is lost, a hold is not shown by its form alone', async (t) => {
  const [slot] = await someOpenSlots(context, 1);
  const form = bookForm(slot!);
  const token = tokenOf(await postBook(service, form));
  const byForm = () =>
    app.inject({ url: '/book', headers: { cookie: `form-00000000=${String(form['nonce'])}` } });
  t.match((await byForm()).body, holding);
  await context.database
    .updateTable('bookings')
    .set({ checkout_token_sealed: Buffer.alloc(0) })
    .where('id', '=', await idOf(token))
    .execute();
  const page = await byForm();
  t.equal(page.statusCode, 200);
  t.notMatch(page.body, holding);
  t.ok(await isShown(token), 'the cookie with its token opens it still');
});

t.test('until it lapses, a hold is one’s own in the browser that placed it', async (t) => {
  const [slot, next] = await someOpenSlots(context, 2);
  const person = visitor(service);
  const stranger = visitor(service);
  const times = `/book?from=${slot!.date}`;
  const shown = async (who: typeof person, url: string) => {
    await who.open(url);
    const isOpen = who.$(`.open-times a[href="${linkToBook(slot!)}"]`).length > 0;
    return { own: who.$('.own-hold').length > 0, open: isOpen };
  };
  const { name, email, phone } = holdRequest(slot!);
  const hold = async () => {
    await person.open(linkToBook(slot!));
    t.match(person.text('form.person'), 'Only the person confirms');
    await person.press('Hold this time', { name, email, phone });
    return person.path;
  };
  t.strictSame(await shown(stranger, times), { own: false, open: true });
  const checkout = await hold();
  for (const url of [times, linkToBook(slot!)]) {
    t.strictSame(await shown(person, url), { own: true, open: false }, url);
    t.strictSame(await shown(stranger, url), { own: false, open: false }, url);
    t.notMatch(stranger.answer.body, checkout, 'nor is its page named');
  }
  await person.open(linkToBook(next!));
  t.equal(person.text('.own-hold h2'), holding, 'also on the form of another time');
  t.match(person.text('.own-hold'), 'Only the person confirms');
  await person.follow('Go on and confirm');
  t.equal(person.path, checkout, 'the person can go on');

  await age(service, await idOf(checkout.slice('/checkout/'.length)), 901);
  t.strictSame(await shown(person, times), { own: false, open: true }, 'after it has lapsed');
  await hold();
  await person.open(times);
  await person.press('Let it go');
  t.equal(person.path, '/book');
  t.strictSame(await shown(person, times), { own: false, open: true });
});

t.test('who is shown a hold of somebody else says so, and the browser forgets it', async (t) => {
  const [slot] = await someOpenSlots(context, 1);
  const person = visitor(service);
  await person.open(linkToBook(slot!));
  const { name, email, phone } = holdRequest(slot!);
  await person.press('Hold this time', { name, email, phone });
  const token = person.path.slice('/checkout/'.length);
  await person.open(linkToBook(slot!));
  await person.press('Not me');
  t.equal(person.path, '/book');
  t.equal(person.$('.own-hold').length, 0);
  t.equal(person.cookies.size, 0, 'also the forms, by which it would be found');
  t.equal(await statusOf(token), 'pending', 'it stays held');
});

/** Characters that a page could take for its own, and text that is written from right to left. */
const hostile = {
  name: `Ada "><script>alert(1)</script> O’Park & 'Co'`,
  email: 'ada&eve+a@example.com',
  phone: '(555) 555-0142',
  pronouns: 'هي / היא </textarea>',
  idea: '\n\n  </textarea><b onmouseover=alert(1)>\n&lt;טקסט מימין לשמאל‏ 🦉\n\nlast ',
};

t.test('of a time taken meanwhile, all that was typed is kept, for another time', async (t) => {
  const [slot] = await someOpenSlots(context, 1);
  const person = visitor(service);
  await person.open(linkToBook(slot!));
  const other = await placeHold(
    context,
    callerNumber(2),
    holdRequest(slot!, personNumber(2)),
    null,
  );
  const before = await rows();
  t.equal(await person.press('Hold this time', hostile), 409);
  t.equal(await person.press('Hold the time you chose'), 400, 'none is chosen');
  t.equal(person.text('h1'), 'Choose a time');
  t.match(person.text('.trouble'), 'You have not chosen one of the times that are open.');
  t.strictSame(typedIn(person.answer.body), hostile);
  t.strictSame(await rows(), before);
  for (const group of person.$('fieldset fieldset').get()) {
    const days = person.$(group).find('input').get();
    const starts = days.map((day) => {
      const { date, timeSlot } = parseSlotKey(String(person.$(day).val()));
      return `${date} ${timeSlots.indexOf(timeSlot as (typeof timeSlots)[number])}`;
    });
    t.strictSame(starts, starts.toSorted(), 'in the order of time');
  }
  t.match(person.texts('fieldset legend'), [/^These are open/, /^At .* on other days$/]);
  await releaseCheckout(context, other.checkoutToken, 'pending');
  t.equal(await person.press('Hold the time you chose', { phone: '1' }), 400);
  t.match(person.text('.trouble'), 'is free again, too');
  t.match(person.text('#phone-mistake'), 'ten digits');
  const again = holdRequest(slot!, personNumber(3));
  await placeHold(context, callerNumber(3), again, null);
  t.equal(await person.press('Hold this time', hostile), 409);
  const choices = person.$('input[type=radio][name=slot]').get();
  const wanted = String(person.$(choices[1]!).val());
  t.not(wanted, slotKey(slot!));
  await person.press('Hold the time you chose', { slot: [slotKey(slot!), wanted] });
  t.equal(person.$('body').attr('class'), 'pending');
  const { booking } = (await findCheckout(context, person.path.slice('/checkout/'.length)))!;
  t.equal(slotKey({ date: booking.date, timeSlot: booking.time_slot }), wanted);
  const { name, pronouns, email, idea } = hostile;
  t.match(booking, { name, pronouns, email, idea: idea.trim(), channel: 'page' });
});
