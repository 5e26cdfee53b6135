import t from 'tap';
import { readBookingRecord } from '../../src/domain/studio/booking-record.js';
import { cancelByStudio } from '../../src/domain/studio/cancellation.js';
import { createRetention } from '../../src/domain/studio/retention.js';
import { addDays } from '../../src/schedule/dates.js';
import { findCheckoutLink } from '../../src/secrets/links.js';
import { bookingRow } from '../support/bookings.js';
import { addPerson, newestActions, signedIn } from '../support/console.js';
import { holdForPerson } from '../support/holds.js';
import { everyOpenSlot, someOpenSlots } from '../support/requests.js';
import { startService } from '../support/service.js';
import { startOver } from '../support/start-over.js';
import { visitor } from '../support/visitor.js';

const service = await startService(t);
const { context, shiftClock } = service;

t.beforeEach(() => startOver(context));

t.test('bookings are listed by date, and found by what nothing logs', async (t) => {
  const slots = await everyOpenSlot(context, 2);
  const heron = await addPerson(service, slots[60]!, {
    name: 'Zoë Nguyễn O’Heron_Smith',
    email: 'Zoe+tattoo@example.com',
    phone: '(971) 555-0199',
    idea: 'A secret crane',
  });
  const gone = await addPerson(service, slots[61]!, { name: 'Gone أحمد Γιώργος' });
  await cancelByStudio(context, 'test', gone.id, { reason: 'A private reason' });
  for (const slot of slots.slice(0, 55)) await addPerson(service, slot, { name: 'Somebody' });

  const ada = await signedIn(service);
  const list = '/console/bookings';
  const rows = () => ada.texts('.booking-rows li');
  await ada.open(list);
  t.equal(rows().length, 50);
  await ada.follow('Later');
  t.equal(rows().length, 6);
  await ada.follow('Earlier');
  t.equal(rows().length, 50);
  await ada.press('Show', { from: heron.date, to: addDays(heron.date, 14), status: 'cancelled' });
  t.match(ada.path, /status=cancelled/);
  t.match(rows(), [/Gone/]);
  t.equal(rows().length, 1);
  await ada.open(`${list}?from=nonsense&to=2026-02-31&status=__proto__&page=-3`);
  t.equal(rows().length, 50, 'what is no filter is ignored');

  for (const text of [
    'zoë',
    'ZOE NGUYEN',
    "nguyễn o'heron",
    'OHeron',
    'heron_s',
    'ZOE+TATTOO@example.com',
    '(971) 555-0199',
    '+1 971 555 0199',
    '\u202A+1 (971) 555\u00A00199\u202C',
    '0199',
    heron.id.slice(0, 8),
    heron.id,
  ]) {
    await ada.press('Search', { text });
    t.match(ada.text('main [role=status]'), /^1 found/, text);
    t.match(rows(), [/Zoë Nguyễn O’Heron_Smith/]);
    t.match(ada.path, /^\/console\/bookings\?search=[\w-]+$/);
    t.equal(ada.$('[type=search]').val(), text);
  }
  const found = ada.path;
  for (const text of ['احمد', 'أَحْمَد', 'ΓΙΏΡΓΟΣ']) {
    await ada.press('Search', { text });
    t.match(rows(), [/Gone/], text);
  }
  await ada.open(found);
  await ada.follow('Zoë Nguyễn O’Heron_Smith');
  t.equal(await ada.open(found), 200, 'one can go back to what was found');
  t.match(rows(), [/O’Heron_Smith/]);
  await ada.open(found.replace(/....$/, 'AAAA'));
  t.equal(rows().length, 50, 'what was not sealed here is no search');
  for (const [text, answer] of [
    ['%', 'Nothing was found.'],
    ['heron%smith', 'Nothing was found.'],
    ['deadbeef is no id', 'Nothing was found.'],
    ['\\', 'Nothing was found.'],
    ['  ', 'Nothing was found.'],
    ['’', 'Nothing was found.'],
    ['somebody', 'The first 50 found'],
  ] as const) {
    await ada.press('Search', { text });
    t.match(ada.text('main [role=status]'), answer);
  }
  t.notMatch(ada.path, /somebody|c29tZWJvZHk/i);
  await ada.open(`${list}/${heron.id}`);
  const log = service.logLines.join('\n');
  t.notMatch(log, /zo[eë]|heron_|5550199|crane|private reason/i);
});

t.test('a search shows the sessions to come first, in their order', async (t) => {
  const slots = await someOpenSlots(context, 4);
  const [past, cancelled, ...toCome] = await Promise.all(
    slots.map((slot) => addPerson(service, slot, { name: 'Marie Müller' })),
  );
  await cancelByStudio(context, 'test', cancelled!.id);
  await shiftClock(past!.ends_at!.getTime() - context.clock.now() + 60_000);
  const ada = await signedIn(service);
  await ada.open('/console/bookings');
  await ada.press('Search', { text: 'muller' });
  t.strictSame(
    ada
      .$('.booking-rows .client')
      .map((_, each) => ada.$(each).attr('href'))
      .get(),
    [...toCome, cancelled, past].map((booking) => `/console/bookings/${booking!.id}`),
  );
  await shiftClock(0);
});

t.test(
  'a note is for the studio only, and a booking leads to the sessions of its client',
  async (t) => {
    const link = (of: string) => `/console/bookings/${of}`;
    const [one, two, three, four, five, six] = await someOpenSlots(context, 6);
    const person = { name: 'Nora', email: 'nora@example.com', phone: '(971) 555-0177' };
    const { id } = await addPerson(service, one!, person);
    const second = await addPerson(service, two!, { name: 'N.', email: 'NORA+x@example.com' });
    await addPerson(service, three!, { name: 'Nora', phone: person.phone });
    const fourth = await addPerson(service, four!, { name: 'Nora', phone: person.phone });
    const fifth = await addPerson(service, five!, { name: 'N.', email: person.email });
    const neverConfirmed = await holdForPerson(service, { ...person, phone: '9715550177' }, six);
    for (const { id } of [fourth, fifth, neverConfirmed]) await cancelByStudio(context, 'test', id);
    const [ada, bo] = [await signedIn(service), await signedIn(service, 'Bo')];
    for (const each of [ada, bo]) await each.open(link(id));
    const links = (selector: string) =>
      ada
        .$(`${selector} a`)
        .map((_, each) => ada.$(each).attr('href'))
        .get();
    await ada.follow('2 sessions');
    t.strictSame(
      links('[aria-labelledby=sessions]'),
      [fifth.id, second.id, id].map((other) => link(other)),
    );
    t.strictSame(links('[aria-labelledby=same-phone]'), [`/console/clients/${fourth.id}`]);
    await ada.open(link(id));
    const note = 'Allergic to <b>latex</b>';
    await ada.press('Save the note', { note });
    t.equal(ada.text('.done'), 'The note is saved.');
    t.match(ada.text('.facts'), note);
    t.equal(await bo.press('Save the note', { note: 'Prefers mornings' }), 409, 'not blindly');
    t.match(bo.text('.facts'), note);
    t.equal(bo.$('#note').val(), 'Prefers mornings');
    t.equal(await bo.press('Save the note', { note: 'x'.repeat(2_001) }), 400);
    await ada.open(`/console?date=${one!.date}`);
    t.match(ada.text('.slots'), `Note: ${note}`);

    const { booking } = (await readBookingRecord(context, id))!;
    t.match(booking, { studio_note: note, sequence: 0 }, 'no event and no mail');
    const persons = visitor(service);
    await persons.open(findCheckoutLink(context.keyring, context.config.publicBaseUrl, booking)!);
    const api = await service.app.inject(`/api/public/bookings/${id}`);
    const { rows } = await context.pool.query<{ data: string }>(
      'select data::text from events union all select details::text from audit_log',
    );
    const told = [
      persons.answer.body,
      api.body,
      ...service.logLines,
      ...rows.map((row) => row.data),
    ];
    t.equal(api.statusCode, 200);
    t.notMatch(told.join(), /latex/i);
    t.match(await newestActions(service, 1), [
      { action: 'bookings note', details: { booking_id: id } },
    ]);

    // A process of the version before erases all but the note, which is then due at once.
    await context.pool.query(
      'update bookings set name = null, email = null, phone = null where id = $1',
      [id],
    );
    await shiftClock(0);
    await createRetention(context).apply();
    t.match(await bookingRow(context, id), { studio_note: null });
    await ada.open(link(second.id));
    await ada.press('Save the note', { note });
    await ada.press('Erase this booking’s data');
    t.match(await bookingRow(context, second.id), { name: null, studio_note: null });
  },
);

t.test('names and ideas that are markup or turn text around are only text', async (t) => {
  const markup = '</title><img src=x onerror=alert(1)>"\'<script>alert(2)</script>';
  const { id } = await holdForPerson(service, {
    name: `\u202e${markup}`,
    idea: `\u202e</textarea>${markup}\n${'w'.repeat(900)}`,
    pronouns: '\u2067<b>they</b>',
  });
  const ada = await signedIn(service);
  const path = `/console/bookings/${id}`;
  for (const address of ['/console', '/console/bookings', `${path}/move`, path]) {
    await ada.open(address);
    t.match(ada.text('#work'), '<script>alert(2)</script>');
    t.equal(ada.$('img, b, main script').length, 0);
  }
  t.equal(ada.$('.facts bdi:contains("onerror")').length, 1);
  await ada.open('/console/bookings');
  await ada.press('Search', { text: `"><img src=x>${markup}` });
  t.match(ada.text('main'), 'Nothing was found.');
  t.equal(ada.$('img').length, 0);
});

t.test('a copy of all that is kept of a person is a page or JSON, and audited', async (t) => {
  const [one, two] = await someOpenSlots(context, 2);
  const first = await addPerson(service, one!, { name: 'Ada Park', email: 'copied@example.com' });
  await addPerson(service, two!, { name: 'Ada Park', email: 'COPIED@example.com' });
  const path = `/console/bookings/${first.id}`;
  const ada = await signedIn(service);
  await ada.open(path);
  await ada.press('Page of this client');
  t.match(ada.answer.headers, { 'content-security-policy': /^default-src 'none'; style-src/ });
  t.equal(ada.texts('h2.booking').length, 2);
  t.equal(await ada.open(ada.path), 200, 'the address of the form leads back');
  await ada.press('JSON of this booking');
  t.match(ada.answer.headers, {
    'content-disposition': /^attachment/,
    'cache-control': 'no-store',
  });
  t.match(ada.answer.json(), { of: { booking_id: first.id }, bookings: [{ name: 'Ada Park' }] });
  const copies = await newestActions(service, 2);
  t.match(copies, [
    { actor: /Ada/, action: 'bookings copy', details: { booking_id: first.id, bookings: 1 } },
    { actor: /Ada/, action: 'bookings copy', details: { bookings: 2, api_keys: 0 } },
  ]);
  await ada.open(path);
  t.match(ada.text('[aria-labelledby=history]'), 'Personal data copied by Ada');
});
