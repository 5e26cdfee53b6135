import t from 'tap';
import { createApp } from '../../src/app.js';
import { findCheckout } from '../../src/domain/booking/checkout.js';
import { charged } from '../support/agents.js';
import {
  bookForm,
  postBook,
  releaseForm,
  tokenOf,
  type BookPosting,
} from '../support/book-form.js';
import { livingOf, storedBookings } from '../support/bookings.js';
import { releaseCheckout } from '../support/checkouts.js';
import { standingClock } from '../support/clock.js';
import { encodeForm, type FormFields } from '../support/forms.js';
import { age } from '../support/pages.js';
import { someOpenSlots } from '../support/requests.js';
import { originMismatch } from '../support/service-log.js';
import { generous, startNeighbour, startService } from '../support/service.js';

const overrides = { clock: standingClock() };
const service = await startService(t, generous, { overrides });
const { context } = service;
service.expectLog(originMismatch);

/** A second process of the service. */
const neighbour = await startNeighbour(t, context);
const twin = { context: neighbour, app: await createApp(neighbour) };
t.teardown(() => twin.app.close());

const stored = () => storedBookings(context);
const again = () => ({ nonce: crypto.randomUUID() });
const typed = { name: 'Zaphod <Beeblebrox>', email: 'zaphod@heart.example', idea: 'Magrathea' };
const traces = /Zaphod|Beeblebrox|heart\.example|Magrathea|5555550142/i;

t.test('a form that is not that of the page changes nothing and costs one page', async (t) => {
  const [slot] = await someOpenSlots(context, 1);
  const form = bookForm(slot!, typed);
  const once = ['action', 'nonce', 'name', 'email', 'phone', 'pronouns', 'idea'];
  const twice = once.map((field) => ({ [field]: [form[field]!, form[field]!].flat() }));
  const fields = (name: string, ...values: string[]) => values.map((text) => ({ [name]: text }));
  const changed: FormFields[] = [
    ...twice,
    ...fields('nonce', '', 'x', '1', 'A'.repeat(36), `${String(form['nonce'])}\n`),
    ...fields('action', '', 'Hold', 'confirm', 'cancel', 'constructor', '__proto__'),
    ...fields('slot', '', 'x', slot!.date, `${slot!.date} 2:00 PM`, '2026-02-30 1:00 PM'),
    ...fields('slot', `${slot!.date}  ${slot!.timeSlot}`, `${slot!.date} ${slot!.timeSlot} `),
    ...fields('slot', '0000-01-01 1:00 PM', '+012026-01-01 1:00 PM', 'constructor 1:00 PM'),
    { slot: [String(form['slot']), 'x'] },
    { action: 'release', sequence: '1e3' },
    { action: 'release', sequence: ['0', '1'] },
  ];
  const without = ['name', 'slot', 'nonce', 'action'].map((missing) =>
    Object.fromEntries(Object.entries(form).filter(([name]) => name !== missing)),
  );
  const types = ['application/json', 'text/plain', 'multipart/form-data; boundary=x', undefined];
  const cases: [number, Parameters<typeof postBook>[1], string?][] = [
    ...[{}, ...without, ...changed.map((change) => ({ ...form, ...change }))].map(
      (sent): [number, FormFields] => [400, sent],
    ),
    ...types.map((type): [number, string, string] => [415, encodeForm(form), type ?? '']),
    [413, { ...form, idea: 'x'.repeat(70_000) }],
  ];
  const before = await stored();
  for (const [index, [status, sent, type]] of cases.entries()) {
    const isPage = index % 2 === 0;
    const accept = isPage ? 'text/html' : '*/*';
    const contentType = type !== undefined && { 'content-type': type === '' ? undefined : type };
    const posting = { address: '192.0.2.50', headers: { accept, ...contentType } };
    const answer = await postBook(service, sent, posting);
    const name = `${index}: ${JSON.stringify(sent).slice(0, 200)} ${type ?? ''}`;
    t.equal(answer.statusCode, status, name);
    t.equal(charged(answer), `pages ${299 - index}/300`, name);
    t.match(answer.headers, {
      'cache-control': 'no-store',
      'content-type': isPage ? /text\/html/ : /application\/json/,
    });
    const words = isPage ? /<h1>(We did not understand|That is too much text)/ : '"error":{"code"';
    t.match(answer.body, words, name);
    t.notMatch(answer.body, traces, name);
    t.equal(answer.cookies.filter(({ value }) => value !== '').length, 0, name);
  }
  t.strictSame(await stored(), before);
  t.notMatch(service.logLines.join('\n'), traces);
});

t.test('a post of another site or of an agent gets 403 and changes nothing', async (t) => {
  const [slot, other] = await someOpenSlots(context, 2);
  const form = bookForm(slot!);
  const cookie = tokenOf(await postBook(service, form));
  const before = await stored();
  const { id } = (await findCheckout(context, cookie))!.booking;
  const foreign: Record<string, string | undefined>[] = [
    { origin: 'https://evil.example' },
    { origin: 'https://studio.test' },
    { origin: undefined },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { 'signature-agent': '"https://agent.example"' },
    { authorization: 'Bearer tsk_anything' },
  ];
  for (const headers of foreign) {
    const replacing = { ...form, ...again(), action: 'replace' };
    for (const fields of [bookForm(other!), releaseForm(id), replacing]) {
      const page = await postBook(service, fields, { cookie, headers });
      t.equal(page.statusCode, 403, JSON.stringify(headers));
      t.match(page.body, /Please press the button yourself|This page is open at another address/);
      t.equal(page.cookies.length, 0);
    }
  }
  t.strictSame(await stored(), before);
});

t.test('nothing typed is in a log line, a header or an address, however it ends', async (t) => {
  const [slot] = await someOpenSlots(context, 1);
  const form = bookForm(slot!, typed);
  const ends: [number, FormFields, BookPosting?][] = [
    [303, form],
    [303, form],
    [409, { ...form, ...again() }],
    [400, { ...form, phone: '5555550142x' }],
    [400, { ...form, nonce: 'x' }],
    [403, form, { headers: { origin: 'https://evil.example' } }],
  ];
  const linesBefore = service.logLines.length;
  for (const [status, fields, posting] of ends) {
    const answer = await postBook(service, fields, posting);
    t.equal(answer.statusCode, status);
    t.notMatch(JSON.stringify(answer.headers), traces);
    t.notMatch(answer.body.match(/(?:href|action|src)="[^"]*"/g)?.join(' ') ?? '', traces);
  }
  const lines = service.logLines.slice(linesBefore);
  t.ok(lines.length > ends.length);
  t.notMatch(lines.join('\n'), traces);
});

t.test('one form ten times at once, in two processes, is one hold, paid once', async (t) => {
  const [slot] = await someOpenSlots(context, 1);
  for (const processes of [[service], [service, twin]]) {
    const form = bookForm(slot!);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        postBook(processes[index % processes.length]!, form),
      ),
    );
    t.strictSame([...new Set(answers.map(({ statusCode }) => statusCode))], [303]);
    const [token, ...others] = new Set(answers.map(tokenOf));
    t.strictSame(others, []);
    const cookies = new Set(answers.map(({ cookies: [cookie] }) => cookie?.value));
    t.strictSame([...cookies], [token], 'each remembers the hold');
    t.equal(answers.filter((answer) => charged(answer).startsWith('holds')).length, 1);
    t.strictSame(await livingOf(context, slot!), ['pending']);
    await releaseCheckout(context, token!, 'pending');
    await twin.context.board.refresh();
  }
});

t.test('a replacement pressed twice at once, in two processes, is one new hold', async (t) => {
  for (const slot of await someOpenSlots(context, 6)) {
    const form = bookForm(slot);
    const cookie = tokenOf(await postBook(service, form));
    await twin.context.board.refresh();
    const replacing = { ...form, ...again(), action: 'replace' };
    const answers = await Promise.all(
      [service, twin, service, twin].map((each) => postBook(each, replacing, { cookie })),
    );
    const [token, ...others] = new Set(answers.map(tokenOf));
    t.strictSame(others, []);
    t.not(token, cookie);
    t.strictSame([...new Set(answers.map(({ cookies: [kept] }) => kept?.value))], [token]);
    t.strictSame(await livingOf(context, slot), ['pending']);
  }
});

t.test('another nonce, slot or character makes another hold', async (t) => {
  const [slot, other] = await someOpenSlots(context, 2);
  const form = bookForm(slot!, { idea: 'a heron', pronouns: 'she/her' });
  const first = tokenOf(await postBook(service, form));
  await releaseCheckout(context, first, 'pending');
  t.equal(tokenOf(await postBook(service, form)), first, 'the same form leads to the same hold');
  const others: FormFields[] = [
    again(),
    { slot: `${other!.date} ${other!.timeSlot}` },
    { name: 'Ada Parks' },
    { email: 'ada@example.org' },
    { phone: '5555550143' },
    { pronouns: 'she/they' },
    { idea: 'a heron.' },
  ];
  const tokens = new Set([first]);
  for (const change of others) {
    const token = tokenOf(await postBook(service, { ...form, ...change }));
    tokens.add(token);
    await releaseCheckout(context, token, 'pending');
  }
  t.equal(tokens.size, others.length + 1);
});

t.test('a form sent again after its hold is over leads to its page, and is not kept', async (t) => {
  const [slot, other] = await someOpenSlots(context, 2);
  const letGo = bookForm(slot!);
  const first = tokenOf(await postBook(service, letGo));
  await releaseCheckout(context, first, 'pending');
  const lapsing = bookForm(other!);
  const cookie = tokenOf(await postBook(service, lapsing));
  const sentAgain = await postBook(service, letGo, { cookie });
  t.equal(tokenOf(sentAgain), first, 'its page says that it is let go');
  t.equal(sentAgain.cookies.length, 0, 'the browser still knows the later one');

  await age(service, (await findCheckout(context, cookie))!.booking.id, 2_000);
  const late = await postBook(service, lapsing);
  t.match(late, { statusCode: 303, headers: { location: `/checkout/${cookie}` } });
  t.equal(late.cookies.length, 0);
  t.match((await service.app.inject(`/checkout/${cookie}`)).body, 'Hold it again');
});
