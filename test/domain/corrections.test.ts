import t from 'tap';
import { addBooking } from '../../src/domain/studio/bookings.js';
import { noteClient, readClient } from '../../src/domain/studio/clients.js';
import type { GivenCorrections } from '../../src/domain/studio/correction.js';
import { resendMail } from '../../src/domain/studio/mail-admin.js';
import { listAuditRows } from '../../src/repositories/audit.js';
import { reminderToken } from '../../src/secrets/links.js';
import { agent } from '../support/agents.js';
import { bookingRow, eventTypesOf, storedBookings } from '../support/bookings.js';
import { confirmCheckout, releaseCheckout } from '../support/checkouts.js';
import { browserOn, codesOf, newestCode } from '../support/codes.js';
import { addPerson } from '../support/console.js';
import { correctingActor, correctionsOn } from '../support/corrections.js';
import { addFeed } from '../support/feeds.js';
import { holdForPerson } from '../support/holds.js';
import { readCalendarPart } from '../support/mails.js';
import { personNumber, someOpenSlots } from '../support/requests.js';
import { generous, startService } from '../support/service.js';

const actor = correctingActor;
const service = await startService(t, generous, { mail: true });
const { app, context, smtp } = service;
const { database } = context;

const { book, correct, corrected, mailbox } = correctionsOn(service);
const mailsOf = async (id: string) =>
  (await service.mails()).filter(({ booking_id }) => booking_id === id);

async function newestAction() {
  const [row] = await listAuditRows(database, 1);
  return row;
}

t.test('a new address gets the new link, once, and the former one nothing any more', async (t) => {
  const { id, token, wrong, right } = await book();
  t.match(await mailbox(wrong), [{ subject: /^Confirmed/ }]);
  const [first] = await mailsOf(id);
  const { newLink } = await corrected(id, { email: ` ${right} ` });
  t.match(newLink, { isMailed: true });
  await service.settle();
  await service.settle();
  const [mail, ...others] = await mailbox(right);
  t.strictSame(others, []);
  t.match(mail?.subject, /^Confirmed/);
  t.match(mail?.text, /This is the e-mail address of your booking now/);
  const [, link] = /\/checkout\/([\w-]{43})/.exec(mail?.text ?? '') ?? [];
  t.equal(link, newLink?.checkoutToken);
  t.notMatch(mail?.text, token);
  const content = Buffer.from(mail!.attachments[0]!.content as ArrayBuffer).toString();
  t.match(readCalendarPart(content).event, { uid: id, sequence: 2 });
  t.match(content, right);

  t.equal(await resendMail(context, actor, first!.id), 'superseded');
  const rows = await mailsOf(id);
  const again = rows.find(({ kind, sequence }) => kind === 'confirmation' && sequence === 2);
  t.equal(await resendMail(context, actor, again!.id), 'resent');
  await service.settle();
  t.equal((await mailbox(right)).length, 2);
  t.match((await mailbox(right))[1]?.text, newLink!.checkoutToken);
  const reminders = rows.filter(({ kind }) => kind === 'reminder');
  t.strictSame(
    reminders.map(({ sequence, status }) => [sequence, status]),
    [
      [1, 'dropped'],
      [2, 'pending'],
    ],
  );
  const { sequence } = await bookingRow(context, id);
  const browser = await service.browser(id);
  await releaseCheckout(context, link!, 'confirmed', sequence, browser);
  await service.settle();
  t.match((await mailbox(right)).at(-1), { subject: /^Cancelled/ });
  t.equal((await mailbox(wrong)).length, 1);
  const toStudio = smtp.received().filter(({ raw }) => raw.includes(`To: ${right}`));
  t.ok(toStudio.every(({ raw }) => !/^Subject: Moved/m.test(raw.toString())));
});

t.test('a mail that the wrong address did not take is never sent there again', async (t) => {
  smtp.misbehave(({ stage, recipient }) =>
    stage === 'RCPT' && recipient !== 'hello@nightheron.example' ? { code: 451 } : null,
  );
  const { id, wrong, right } = await book();
  smtp.misbehave(null);
  await corrected(id, { email: right });
  await service.settle();
  t.strictSame(await mailbox(wrong), []);
  t.equal((await mailbox(right)).length, 1);
  const [first] = await mailsOf(id);
  t.match(first, { status: 'dropped', reason: 'superseded' });
});

t.test(
  'other details change without a mail, and those that are not sent yet stay of use',
  async (t) => {
    const { id, token, right, wrong } = await book();
    const before = await bookingRow(context, id);
    const { path: feed } = await addFeed(context, true);
    const { etag = '' } = (await app.inject(feed)).headers;
    const given = { name: ' Ida Corrected ', phone: '+1 (503) 555-0199', idea: '' };
    const { newLink, ...made } = await corrected(id, given);
    t.equal(newLink, null);
    t.strictSame(made.corrected, ['name', 'phone', 'idea']);
    const after = await bookingRow(context, id);
    const changed = { name: 'Ida Corrected', phone: '5035550199', idea: null };
    const { changed_at } = after;
    t.ok(changed_at! > before.changed_at!, 'calendar files say when');
    t.strictSame(after, { ...before, ...changed, changed_at, sequence: 2, quiet_changes: 1 });
    await service.settle();
    const [confirmation, , reminder, ...others] = await mailsOf(id);
    t.strictSame(others, []);
    t.match(reminder, { kind: 'reminder', status: 'pending' });
    t.equal(await resendMail(context, actor, confirmation!.id), 'resent');
    await service.settle();
    t.match(await mailbox(wrong), [{ subject: /^Confirmed/ }, { text: token }]);
    const event = {
      type: 'booking.corrected',
      data: { is_quiet: true, by: 'studio', sequence: 2 },
    };
    const events = database
      .selectFrom('events')
      .select(['type', 'data'])
      .orderBy('position')
      .where('booking_id', '=', id);
    t.match((await events.execute()).at(-1), event);
    const action = { booking_id: id, corrected: ['name', 'phone', 'idea'] };
    t.match(await newestAction(), { action: 'mail resend' });
    t.match((await listAuditRows(database, 2))[1], { actor, details: action });
    const read = await app.inject({ url: feed, headers: { 'if-none-match': String(etag) } });
    t.match(read, { statusCode: 200, body: /Ida Corrected/ });

    const audited = await newestAction();
    const { bookings } = await storedBookings(context);
    const refusals: [GivenCorrections, string, object?][] = [
      [{ name: 'Ida Corrected', phone: '503.555.0199', email: wrong, idea: ' ' }, 'unchanged'],
      [{ name: 'Eve' }, 'changed', { sequence: 1 }],
      [{ email: right }, 'changed', { sequence: 1 }],
      [{ email: '' }, 'incomplete'],
      [{ phone: '' }, 'incomplete'],
    ];
    for (const [given, outcome, seen] of refusals) {
      t.match(await correct(id, given, seen), { outcome }, JSON.stringify(given));
    }
    for (const given of [{ name: '\u200b' }, { name: '' }, { phone: '911' }]) {
      await t.rejects(correct(id, given), { code: 'invalid_request' });
    }
    t.strictSame((await storedBookings(context)).bookings, bookings);
    t.strictSame(await newestAction(), audited);
  },
);

t.test(
  'of a hold, too, the former link and its replays open nothing; the replays keep their bytes',
  async (t) => {
    const [slot] = await someOpenSlots(context, 1);
    const caller = agent(app);
    const placed = await caller.hold(slot!, 'once', personNumber(900));
    const { id, checkout_url } = placed.json<{
      data: { id: string; checkout_url: string };
    }>().data;
    const former = new URL(checkout_url).pathname;
    const person = browserOn(service);
    t.equal((await person.open(former)).statusCode, 200);
    const { newLink } = await corrected(id, { email: personNumber(901).email });
    t.match(newLink, { isMailed: false }, 'a hold mails nobody');
    await service.settle();
    t.strictSame(await mailsOf(id), []);
    const replayed = await caller.hold(slot!, 'once', personNumber(900));
    t.strictSame([replayed.statusCode, replayed.body], [placed.statusCode, placed.body]);

    for (const path of ['', '/state', '/calendar.ics', '/move']) {
      t.equal((await person.open(`${former}${path}`)).statusCode, 404, path);
    }
    t.match((await person.open(former)).body, 'has a new link once we have corrected');
    for (const action of ['confirm', 'release', 'send_code']) {
      t.equal((await person.press(former, action)).statusCode, 404, action);
    }
    t.match(await bookingRow(context, id), { status: 'pending', sequence: 1 });
    await confirmCheckout(context, newLink!.checkoutToken);
    await service.settle();
    t.match(await mailbox(personNumber(901).email), [{ text: newLink!.checkoutToken }]);
    t.strictSame(await mailbox(personNumber(900).email), []);
    const path = ['hold.created', 'booking.corrected', 'booking.confirmed'];
    t.strictSame(await eventTypesOf(context, id), path);
    const read = await app.inject(`/api/public/bookings/${id}`);
    t.notMatch(read.body, 'example.com');
  },
);

t.test(
  'codes, opened browsers, and what the former mailbox chose and proved are void with its link',
  async (t) => {
    const { id, token, right } = await book();
    const [typing, asking] = [browserOn(service), browserOn(service)];
    const path = `/checkout/${token}`;
    await typing.open(path);
    await typing.press(path, 'send_code');
    const proven =
      'update mails set opened_at = booking_now() where booking_id = $1 and lapses_at > booking_now()';
    await context.pool.query(proven, [id]);
    t.match((await typing.open(path)).body, 'value="cancel"');
    await asking.open(path);
    await asking.press(path, 'send_code');
    await context.pool.query(
      `update bookings set code_proven_at = booking_now(), reminders_stopped_at = booking_now()
      where id = $1`,
      [id],
    );
    const former = `/reminders/${reminderToken(context.keyring, await bookingRow(context, id))}`;
    t.match((await app.inject(former)).body, 'No more reminders');
    const code = await newestCode(service, id);
    const { newLink } = await corrected(id, { email: right });
    const now = `/checkout/${newLink!.checkoutToken}`;
    t.notMatch((await typing.open(now)).body, 'value="cancel"', 'not open any more');
    const typed = await asking.press(now, 'cancel', { fields: { code, sequence: '2' } });
    t.match(typed, { statusCode: 403, body: 'No code is valid in this browser' });
    for (const { lapses_at, opened_at } of await codesOf(service, id)) {
      t.ok(lapses_at!.getTime() <= context.clock.now() && opened_at === null);
    }
    const row = await bookingRow(context, id);
    t.match(row, { status: 'confirmed', code_proven_at: null, reminders_stopped_at: null });
    t.equal((await app.inject(former)).statusCode, 404, 'nor for the new mailbox');
    const present = `/reminders/${reminderToken(context.keyring, row)}`;
    t.match((await app.inject(present)).body, 'Reminders of your sessions');
    const [, domain] = right.split('@');
    await context.pool.query(
      'update bookings set reminders_stopped_at = booking_now() where id = $1',
      [id],
    );
    await corrected(id, { email: `${right.split('@')[0]!.toUpperCase()}@${domain}` });
    t.not((await bookingRow(context, id)).reminders_stopped_at, null, 'the same mailbox');
  },
);

t.test(
  'what the studio added may get an address and lose it; what is over or forgotten stays',
  async (t) => {
    const [slot, other] = await someOpenSlots(context, 2);
    const added = await addBooking(context, actor, slot!, { name: 'Walk In' });
    if (added.outcome !== 'added') throw new Error(added.outcome);
    const { id } = added.booking;
    const { email, phone } = personNumber(910);
    t.match(await corrected(id, { email, phone }), { newLink: { isMailed: true } });
    await service.settle();
    t.equal((await mailbox(email)).length, 1);
    const opens = async (token: string) =>
      (await app.inject(`/checkout/${token}`)).statusCode === 200;
    t.notOk(await opens(added.checkoutToken));
    const removed = await corrected(id, { email: '', phone: ' ' });
    t.match(removed, { booking: { email: null, phone: null }, newLink: { isMailed: false } });
    t.ok(await opens(removed.newLink!.checkoutToken));
    const begun = `
      update bookings set starts_at = booking_now(), starts_at_text = to_json(booking_now()) #>> '{}',
        may_overlap = true
      where id = $1`;
    await context.pool.query(begun, [id]);
    t.match(await corrected(id, { email }), { newLink: { isMailed: false } }, 'it has begun');
    await service.settle();
    t.equal((await mailbox(email)).length, 1);
    await context.pool.query('update bookings set name = null where id = $1', [id]);
    t.match(await correct(id, { name: 'Eve' }), { outcome: 'erased' });

    const held = await agent(app).hold(other!, undefined, personNumber(911));
    const { id: lapsed } = held.json<{ data: { id: string } }>().data;
    await context.pool.query('update bookings set expires_at = booking_now() where id = $1', [
      lapsed,
    ]);
    const { bookings } = await storedBookings(context);
    t.match(await correct(lapsed, { name: 'Eve' }), { outcome: 'not_live' });
    const unknown = '00000000-0000-4000-8000-000000000000';
    t.match(await correct(unknown, { name: 'Eve' }), { outcome: 'not_found' });
    t.strictSame((await storedBookings(context)).bookings, bookings);
  },
);

t.test('a correction of all that are to come spares others, and mails each its link', async (t) => {
  const slots = await someOpenSlots(context, 5);
  const wrong = 'ida.all@exmaple.com';
  const right = 'ida.all@example.com';
  const ida = { name: 'Ida All', email: wrong, idea: 'A crane' };
  const [first, second, daughter, held, joined] = [
    await addPerson(service, slots[0]!, ida),
    await addPerson(service, slots[1]!, {
      ...ida,
      name: 'ida  all',
      email: 'IDA.ALL+x@exmaple.com',
    }),
    await addPerson(service, slots[2]!, { ...ida, name: 'Eva All' }),
    await holdForPerson(service, { ...ida, phone: '5035550123' }, slots[3]),
    await addPerson(service, slots[4]!, { name: 'Ida Right', email: right }),
  ];
  for (const [of, note] of [
    [first, 'Latex'],
    [joined, 'Mornings'],
  ] as const) {
    t.equal(await noteClient(context, actor, of.id, { note, seen: '' }), 'saved');
  }
  await service.settle();
  const given = { email: right, idea: 'A heron' };
  const seen = [{ id: second.id, sequence: second.sequence }];
  const asked = await correct(first.id, given, { others: seen });
  t.match(asked, { outcome: 'joins', other: { id: joined.id } });
  const elsewhere = { agreed: [`elsewhere:${joined.id}`], others: seen };
  t.match(await correct(first.id, given, elsewhere), { outcome: 'joins' });
  const agreed = { agreed: [`joins:${joined.id}`] };
  t.match(await correct(first.id, given, { ...agreed, others: [] }), { outcome: 'changed' });
  t.match(await correct(first.id, given, { ...agreed, others: seen }), {
    outcome: 'corrected',
    booking: { id: first.id, email: right, idea: 'A heron' },
    newLink: { isMailed: true },
    others: [{ booking: { id: second.id, email: right, idea: 'A crane' }, newLink: {} }],
  });
  for (const { id } of [daughter, held]) t.match(await bookingRow(context, id), { email: wrong });
  const actions = await listAuditRows(database, 2);
  t.match(actions, [
    { action: 'bookings correct', details: { booking_id: second.id, corrected: ['email'] } },
    { action: 'bookings correct', details: { corrected: ['email', 'idea'] } },
  ]);
  await service.settle();
  const links = (await mailbox(right)).filter(({ text }) => /is the e-mail address/.test(text!));
  t.equal(links.length, 2, 'a mail and a link for each');
  const client = await readClient(context, { email: right });
  t.match(client, { names: Array, note: 'Latex\n\nMornings', sessions: 3 });
  t.match(client!.samePhone, []);
});
