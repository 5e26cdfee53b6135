import t, { type Test } from 'tap';
import { createApp } from '../../src/app.js';
import { releaseCheckout } from '../../src/domain/checkout.js';
import { charged } from '../support/agents.js';
import {
  bookForm,
  encodeForm,
  postBook,
  tokenOf,
  type FormFields,
  type Posting,
} from '../support/book-form.js';
import { standingClock } from '../support/clock.js';
import { someOpenSlots } from '../support/requests.js';
import { originMismatch } from '../support/service-log.js';
import { startNeighbour, startTestService, type TestService } from '../support/service.js';

async function stored({ context: { database } }: TestService) {
  const bookings = await database.selectFrom('bookings').selectAll().orderBy('id').execute();
  const events = await database.selectFrom('events').selectAll().orderBy('id').execute();
  return { bookings, events };
}

const typed = { name: 'Zaphod <Beeblebrox>', email: 'zaphod@heart.example', idea: 'Magrathea' };
const traces = /Zaphod|Beeblebrox|heart\.example|Magrathea|5555550142/i;

void t.test(
  'a form that is not that of the page gets 4xx, changes nothing and costs one page',
  async (t) => {
    const service = await startTestService(t, {}, { clock: standingClock() });
    const [slot] = await someOpenSlots(service.context, 1);
    const form = bookForm(slot!, typed);
    const { name: _, ...nameless } = form;
    const { slot: __, ...slotless } = form;
    const { nonce: ___, ...nonceless } = form;
    const { action: ____, ...actionless } = form;
    const twice = (field: string): FormFields => ({
      ...form,
      [field]: [form[field]!, form[field]!].flat(),
    });
    const type = (contentType: string | undefined): Posting => ({
      headers: { 'content-type': contentType },
    });
    const cases: [string, number, Parameters<typeof postBook>[1], Posting?][] = [
      ['no fields', 400, ''],
      ['no name', 400, nameless],
      ['no slot', 400, slotless],
      ['no nonce', 400, nonceless],
      ['no action', 400, actionless],
      ...['action', 'nonce', 'name', 'email', 'phone', 'pronouns', 'idea'].map(
        (field): [string, number, FormFields] => [`${field} twice`, 400, twice(field)],
      ),
      ...['', 'x', '1', 'A'.repeat(36), `${String(form['nonce'])}\n`].map(
        (nonce): [string, number, FormFields] => [`nonce ${nonce}`, 400, { ...form, nonce }],
      ),
      ...['', 'Hold', 'confirm', 'cancel', 'constructor', '__proto__'].map(
        (action): [string, number, FormFields] => [`action ${action}`, 400, { ...form, action }],
      ),
      ...[
        '',
        'x',
        slot!.date,
        `${slot!.date} 2:00 PM`,
        `${slot!.date}  ${slot!.timeSlot}`,
        `${slot!.date} ${slot!.timeSlot} `,
        '2026-02-30 1:00 PM',
        '0000-01-01 1:00 PM',
        '+012026-01-01 1:00 PM',
        'constructor 1:00 PM',
      ].map((key): [string, number, FormFields] => [`slot ${key}`, 400, { ...form, slot: key }]),
      ['slot twice, the last none', 400, { ...form, slot: [String(form['slot']), 'x'] }],
      ['release, no number', 400, { action: 'release', sequence: '1e3' }],
      ['release, two numbers', 400, { action: 'release', sequence: ['0', '1'] }],
      ['JSON', 415, JSON.stringify(form), type('application/json')],
      ['text', 415, encodeForm(form), type('text/plain')],
      ['multipart', 415, encodeForm(form), type('multipart/form-data; boundary=x')],
      ['no type', 415, encodeForm(form), type(undefined)],
      ['70 kB', 413, { ...form, idea: 'x'.repeat(70_000) }],
    ];
    const before = await stored(service);
    for (const [index, [name, status, fields, posting = {}]] of cases.entries()) {
      const isPage = index % 2 === 0;
      const headers = { ...posting.headers, accept: isPage ? 'text/html' : '*/*' };
      const answer = await postBook(service, fields, { ...posting, headers });
      t.equal(answer.statusCode, status, name);
      t.equal(charged(answer), `pages ${299 - index}/300`, name);
      t.match(answer.headers, { 'cache-control': 'no-store' }, name);
      t.match(answer.headers['content-type'], isPage ? 'text/html' : 'application/json', name);
      t.match(
        answer.body,
        isPage ? /<h1>(We did not understand|That is too much text)/ : '"error":{"code"',
        name,
      );
      t.notMatch(answer.body, traces, name);
      t.equal(answer.cookies.filter(({ value }) => value !== '').length, 0, name);
    }
    t.strictSame(await stored(service), before);
    t.notMatch(service.logLines.join('\n'), traces);
  },
);

void t.test(
  'nothing typed is in a log line, a header or an address, however it ends',
  async (t) => {
    const service = await startTestService(t);
    service.expectLog(originMismatch);
    const [slot] = await someOpenSlots(service.context, 1);
    const form = bookForm(slot!, typed);
    const ends: [number, FormFields, Posting?][] = [
      [303, form],
      [303, form],
      [409, { ...form, nonce: crypto.randomUUID() }],
      [400, { ...form, phone: '5555550142x' }],
      [400, { ...form, nonce: 'x' }],
      [403, form, { headers: { origin: 'https://evil.example' } }],
    ];
    for (const [status, fields, posting] of ends) {
      const answer = await postBook(service, fields, posting);
      t.equal(answer.statusCode, status);
      t.notMatch(JSON.stringify(answer.headers), traces);
      t.notMatch(answer.body.match(/(?:href|action|src)="[^"]*"/g)?.join(' ') ?? '', traces);
    }
    t.ok(service.logLines.length > ends.length);
    t.notMatch(service.logLines.join('\n'), traces);
  },
);

async function startTwin(
  t: Test,
  service: TestService,
): Promise<Pick<TestService, 'app' | 'context'>> {
  const context = await startNeighbour(t, service.context);
  const app = await createApp(context);
  t.teardown(() => app.close());
  return { app, context };
}

void t.test(
  'one form twenty times at once, through two processes, makes one hold at the price of one',
  async (t) => {
    const service = await startTestService(t, {});
    const twin = await startTwin(t, service);
    const [slot] = await someOpenSlots(service.context, 1);
    for (const processes of [[service], [service, twin]]) {
      const form = bookForm(slot!);
      const address = `192.0.2.${processes.length}`;
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          postBook(processes[index % processes.length]!, form, { address }),
        ),
      );
      t.strictSame([...new Set(answers.map(({ statusCode }) => statusCode))], [303]);
      t.equal(new Set(answers.map(({ headers }) => headers.location)).size, 1);
      const cookies = new Set(answers.map(({ cookies: [cookie] }) => cookie?.value));
      t.strictSame([...cookies], [tokenOf(answers[0]!)], 'each remembers the hold');
      const paid = answers.filter((answer) => charged(answer).startsWith('holds'));
      t.equal(paid.length, 1);
      const { database } = service.context;
      const holds = await database
        .selectFrom('bookings')
        .select('id')
        .where('status', '=', 'pending')
        .execute();
      t.equal(holds.length, 1);
      await releaseCheckout(service.context, tokenOf(answers[0]!), 'pending');
      await twin.context.board.refresh();
    }
  },
);

void t.test(
  'a replacement pressed twice at once, through two processes, is answered with the one new hold',
  async (t) => {
    const service = await startTestService(t);
    const twin = await startTwin(t, service);
    for (const slot of await someOpenSlots(service.context, 6)) {
      const form = bookForm(slot);
      const cookie = tokenOf(await postBook(service, form));
      await twin.context.board.refresh();
      const replacing = { ...form, nonce: crypto.randomUUID(), action: 'replace' };
      const answers = await Promise.all(
        [service, twin, service, twin].map((each) => postBook(each, replacing, { cookie })),
      );
      t.equal(new Set(answers.map(tokenOf)).size, 1);
      t.not(tokenOf(answers[0]!), cookie);
      const remembered = answers.map(({ cookies: [kept] }) => kept?.value);
      t.strictSame([...new Set(remembered)], [tokenOf(answers[0]!)]);
    }
    const { bookings } = await stored(service);
    const statuses = bookings.map(({ status }) => status).sort();
    t.strictSame(statuses, [
      ...Array<string>(6).fill('cancelled'),
      ...Array<string>(6).fill('pending'),
    ]);
  },
);

void t.test('another nonce, slot or character makes another hold', async (t) => {
  const service = await startTestService(t);
  const [slot, other] = await someOpenSlots(service.context, 2);
  const form = bookForm(slot!, { idea: 'a heron', pronouns: 'she/her' });
  const first = tokenOf(await postBook(service, form));
  await releaseCheckout(service.context, first, 'pending');
  t.equal(tokenOf(await postBook(service, form)), first, 'the same form leads to the same hold');
  const tokens = new Set([first]);
  const others: FormFields[] = [
    { nonce: crypto.randomUUID() },
    { slot: `${other!.date} ${other!.timeSlot}` },
    { name: 'Ada Parks' },
    { email: 'ada@example.org' },
    { phone: '5555550143' },
    { pronouns: 'she/they' },
    { idea: 'a heron.' },
  ];
  for (const [index, change] of others.entries()) {
    const token = tokenOf(await postBook(service, { ...form, ...change }));
    t.equal(tokens.size, index + 1);
    tokens.add(token);
    await releaseCheckout(service.context, token, 'pending');
  }
  t.equal(tokens.size, others.length + 1);
});

void t.test('a nonce leads nobody to a hold without all that was typed with it', async (t) => {
  const service = await startTestService(t);
  const [slot] = await someOpenSlots(service.context, 1);
  const form = bookForm(slot!, { idea: 'a heron' });
  const token = tokenOf(await postBook(service, form));
  for (const change of [{ name: 'Grace' }, { idea: '' }, { email: 'grace@example.com' }]) {
    const page = await postBook(service, { ...form, ...change }, { address: '192.0.2.66' });
    t.equal(page.statusCode, 409);
    t.notOk(page.body.includes(token));
    t.equal(page.cookies.length, 0);
    t.match(page.body, 'That time has been taken');
  }
});

void t.test(
  'a form that is sent again after its hold has lapsed leads to its page, and is not remembered',
  async (t) => {
    const service = await startTestService(t);
    const [slot] = await someOpenSlots(service.context, 1);
    const form = bookForm(slot!);
    const first = await postBook(service, form);
    t.equal(first.cookies.length, 1);
    await service.shiftClock(15 * 60_000);
    const again = await postBook(service, form);
    t.equal(again.statusCode, 303);
    t.equal(again.headers.location, first.headers.location);
    t.equal(again.cookies.length, 0);
    const page = await service.app.inject({ url: `/checkout/${tokenOf(again)}` });
    t.match(page.body, 'Hold it again');
  },
);

void t.test(
  'a form that is sent again after its hold was let go does not hide a later hold',
  async (t) => {
    const service = await startTestService(t);
    const [slot, other] = await someOpenSlots(service.context, 2);
    const form = bookForm(slot!);
    const first = tokenOf(await postBook(service, form));
    await releaseCheckout(service.context, first, 'pending');
    const cookie = tokenOf(await postBook(service, bookForm(other!)));
    const again = await postBook(service, form, { cookie });
    t.equal(tokenOf(again), first, 'its page says that it is let go');
    t.equal(again.cookies.length, 0, 'the browser still knows the later one');
  },
);
