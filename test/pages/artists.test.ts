import { load } from 'cheerio';
import t from 'tap';
import { changeArtistDays } from '../../src/domain/studio/artist-days.js';
import { changeArtist } from '../../src/domain/studio/artists.js';
import { addDays, weekdayOf } from '../../src/schedule/dates.js';
import { type Slot, timeSlots } from '../../src/schedule/slots.js';
import { linkToBook } from '../../src/web/book-link.js';
import { agent } from '../support/agents.js';
import { addArtists } from '../support/artists.js';
import { bookForm, postBook, tokenOf } from '../support/book-form.js';
import { ada } from '../support/book-pages.js';
import { releaseCheckout } from '../support/checkouts.js';
import { addFeed, readFeed } from '../support/feeds.js';
import { close } from '../support/holds.js';
import { holdRequest, personNumber, someOpenSlots, type Slots } from '../support/requests.js';
import { generous, startService } from '../support/service.js';
import { startOver } from '../support/start-over.js';
import { visitor } from '../support/visitor.js';

const service = await startService(t, generous, { mail: true });
const { app, context, smtp } = service;
const base = context.config.publicBaseUrl;
await addArtists(context, 3);
await changeArtist(context, 'ada@desk', 'jon', { about: 'Blackwork & lettering' });

let slots: Slots<4>;
t.beforeEach(async () => {
  await startOver(context);
  slots = await someOpenSlots(context, 4);
});

t.test('programs read who there is and whose a session is, in every form', async (t) => {
  const [slot] = slots;
  const { data } = (await app.inject('/api/public/studio')).json<{ data: { artists: unknown } }>();
  t.strictSame(data.artists, [
    { name: 'Mara', about: '', book_url: `${base}/book?artist=mara` },
    { name: 'Jon', about: 'Blackwork & lettering', book_url: `${base}/book?artist=jon` },
    { name: 'Zoë', about: '', book_url: `${base}/book?artist=zoe` },
  ]);
  const held = await agent(app).hold(slot);
  const { data: hold } = held.json<{ data: Record<string, never> }>();
  t.match(hold, { artist: { name: 'Mara' }, label: / with Mara$/ });
  t.match(hold['handoff'], { message: / with Mara is held for you for 15 minutes, until / });
  const read = (await app.inject(`/api/public/bookings/${hold['id']}`)).json<{ data: object }>();
  t.match(read.data, { artist: { name: 'Mara' }, label: hold['label'] });
});

t.test('where the chosen artist has no session, others may', async (t) => {
  const [slot, other] = slots;
  const person = visitor(service);
  for (const each of [slot, other]) await close(context, each.date, each.timeSlot, 2);
  await context.board.refresh();
  const none = /^\u2068Jon\u2069 has no session on .*, though others may\. /;
  const jon = { slug: 'jon' };
  t.equal(await person.open(linkToBook(slot, jon)), 409);
  t.match(person.text('.trouble'), none);
  const posted = await postBook(service, bookForm(slot, { artist: 'jon' }));
  t.match(load(posted.body)('.trouble').text(), none);
  const confirmed = await service.book(other);
  await person.open(`/checkout/${confirmed.token}/move?${linkToBook(slot, jon).split('?')[1]}`);
  t.match(person.text('.trouble'), none);
  t.match(person.text('.trouble'), 'Nothing is lost');
});

t.test('a slot is open until its last artist is booked, on every page', async (t) => {
  const [slot] = slots;
  const isOpen = async () => {
    const url = `/api/public/availability?from=${slot.date}&to=${slot.date}`;
    return (await app.inject(url)).body.includes(`"${slot.timeSlot}"`);
  };
  for (const index of [0, 1, 2]) {
    t.ok(await isOpen());
    const held = await agent(app).hold(slot, undefined, personNumber(index));
    t.equal(held.statusCode, 201);
  }
  t.notOk(await isOpen());
  const refused = await agent(app).hold(slot, undefined, personNumber(3));
  t.match(refused.json(), {
    error: { code: 'slot_unavailable', message: /is held at the moment/ },
  });
});

t.test(
  'a network holds a third of the open times of an artist’s week, who is chosen',
  async (t) => {
    const monday = addDays(slots[0].date, 15 - weekdayOf(slots[0].date));
    // Of Jon, six times are left in the week.
    for (const day of [0, 3, 4, 5, 6]) await close(context, addDays(monday, day), null, 2);
    await context.board.refresh();
    const times = [1, 2].flatMap((day) =>
      timeSlots.map((timeSlot) => ({ date: addDays(monday, day), timeSlot })),
    );
    let people = 0;
    const hold = (slot: Slot, artist: string, address = '192.0.2.1', cookie?: string) => {
      const { name, email, phone } = holdRequest(slot, personNumber((people += 1)));
      const fields = { name, email, phone, artist, action: cookie ? 'replace' : 'hold' };
      return postBook(service, bookForm(slot, fields), { address, cookie });
    };
    t.equal((await hold(times[0]!, 'jon')).statusCode, 303);
    const both = await Promise.all([hold(times[1]!, 'jon'), hold(times[2]!, 'jon')]);
    t.strictSame(
      both.map(({ statusCode }) => statusCode).sort(),
      [303, 429],
      'a race passes no cap',
    );
    const refused = await hold(times[3]!, 'jon');
    t.match(refused, { statusCode: 429, body: /a third of this artist’s open times of that week/ });
    t.equal((await hold(times[3]!, 'jon', '198.51.100.7')).statusCode, 303, 'another network');
    const nextWeek = { ...times[0]!, date: addDays(monday, -6) };
    t.equal((await hold(nextWeek, 'jon')).statusCode, 303, 'another week');
    const anyone = await hold(times[4]!, '');
    t.equal(anyone.statusCode, 303, 'who chooses nobody is not counted');

    const person = visitor(service);
    t.equal((await hold(times[4]!, 'jon', '192.0.2.1', tokenOf(anyone))).statusCode, 429);
    await person.open(String(anyone.headers.location));
    t.match(person.text('h1'), /held/, 'what one had stays held');
    await person.follow('Jon');
    t.equal(await person.press('Move to this time'), 409);
    t.match(person.text('main'), /a third of this artist’s open times/);
    const held = both.find(({ statusCode }) => statusCode === 303)!;
    await releaseCheckout(context, tokenOf(held), 'pending');
    await person.open(String(anyone.headers.location));
    await person.follow('Jon');
    t.equal(await person.press('Move to this time'), 200);
    t.match(person.text('.when'), /with Jon/);
    t.equal((await hold(times[5]!, 'jon')).statusCode, 429, 'the switch counts');

    // At times at which only Jon works, who chooses nobody gets him, and has not chosen him.
    for (const artist of [1, 3]) await close(context, times[5]!.date, times[5]!.timeSlot, artist);
    await context.board.refresh();
    const his = await hold(times[5]!, '');
    const { date, timeSlot: time_slot } = times[both.indexOf(held) + 1]!;
    const query = new URLSearchParams({ date, time_slot });
    await person.open(`/checkout/${tokenOf(his)}/move?${query.toString()}`);
    t.equal(await person.press('Move to this time'), 200, 'a move of time chooses nobody');
  },
);

t.test(
  'a person chooses an artist, changes to another at the same time, and is told',
  async (t) => {
    const [slot, other] = slots;
    await close(context, slot.date, slot.timeSlot, 2);
    await context.board.refresh();
    const person = visitor(service);
    await person.open('/book');
    t.strictSame(person.texts('nav.artist-nav a'), ['Anyone', 'Mara', 'Jon', 'Zoë']);
    const link = (of: Slot) => `a[href="${linkToBook(of, null)}"]`;
    t.equal(person.$(link(slot)).length, 1, 'somebody is free');
    await person.follow('Jon');
    t.equal(person.text('nav.artist-nav + p'), 'Blackwork & lettering');
    const ofJon = (of: Slot) => `a[href="${linkToBook(of, { slug: 'jon' })}"]`;
    t.equal(person.$(ofJon(slot)).length, 0, 'Jon is not');
    t.equal(await person.open(linkToBook(slot, { slug: 'jon' })), 409);
    await person.open(linkToBook(other, { slug: 'jon' }));
    t.match(person.text('.when'), /with Jon/);
    await person.press('Hold this time', ada);
    const token = person.path.split('/').at(-1)!;
    t.match(person.text('.when'), /with Jon/);
    t.match(person.text('main'), /At the same time, you can have it with Mara or Zoë\./);

    t.match(person.text('.when'), /, \d{4}\s.*\d [AP]M\s+\S+ \S+ Time\s+with Jon$/s);
    await person.open(`/checkout/${token}/move`);
    t.match(person.text('.lead'), / P[DS]T with Jon\. Keep it$/, 'the zone beside the time');
    await person.open(`/checkout/${token}`);
    await person.follow('Zoë');
    t.match(person.text('h1'), /Move from .* with Jon to .* with Zoë\?/);
    await person.press('Move to this time');
    t.equal(person.path, `/checkout/${token}`);
    t.match(person.text('.when'), /with Zoë/);
    const rows = await context.database.selectFrom('bookings').selectAll().execute();
    t.match(rows, [{ artist_name: 'Zoë', sequence: 1, moves_while_pending: 1 }]);
    await person.press('Confirm my session');
    await service.settle();
    const told = smtp.received().at(-1)!;
    const { subject, text } = await told.parsed();
    t.match([subject, text], [/with Zoë/, /with Zoë/]);
    const { path } = await addFeed(context);
    t.match((await readFeed(service, path)).events, [{ summary: / with Zoë$/ }]);
    const file = await app.inject(`/checkout/${token}/calendar.ics`);
    t.match(file.body, /SUMMARY:Session with Zoë at/);

    // Another time: with Zoë, unless another artist is chosen.
    await agent(app).hold(slot, undefined, personNumber(1));
    await person.open(`/checkout/${token}/move`);
    t.equal(person.text('nav.artist-nav [aria-current]'), 'Zoë');
    await person.follow('Anyone');
    t.equal(person.text('nav.artist-nav [aria-current]'), 'Anyone');
    await person.follow('Zoë');
    const { date, timeSlot: time_slot } = slot;
    const query = new URLSearchParams({ date, time_slot }).toString();
    await person.open(person.$(`main a[href*="${query}"]`).attr('href')!);
    t.match(person.text('h1'), /Move from .* with Zoë to .* with Zoë\?/);
  },
);

t.test('one person has a time once, and loses a hold for no other', async (t) => {
  const [slot] = slots;
  const held = () =>
    context.database
      .selectFrom('bookings')
      .select('artist_name')
      .where('status', '=', 'pending')
      .orderBy('created_at')
      .execute();
  const person = visitor(service);
  await person.open(linkToBook(slot, { slug: 'mara' }));
  const fields = new URLSearchParams(
    person
      .$('form.person')
      .serializeArray()
      .map(({ name, value }): [string, string] => [name, value]),
  );
  const send = (action: string) =>
    person.post('/book', { ...Object.fromEntries(fields), ...ada, action });
  await person.open(linkToBook(slot, { slug: 'jon' }));
  await person.press('Hold this time', ada);
  await agent(app).hold(slot, undefined, personNumber(1));
  t.strictSame(await held(), [{ artist_name: 'Jon' }, { artist_name: 'Mara' }]);
  t.equal(await send('hold'), 409, 'the form of another tab');
  t.equal(await send('replace'), 409, 'the artist is held by somebody else');
  t.strictSame(await held(), [{ artist_name: 'Jon' }, { artist_name: 'Mara' }]);
});

t.test('an artist who takes no bookings any more is not lost silently', async (t) => {
  const [slot] = slots;
  const person = visitor(service);
  await person.open(linkToBook(slot, { slug: 'mara' }));
  await changeArtistDays(context, 'ada@desk', 'mara', { isHidden: true });
  await context.board.refresh();
  t.equal(await person.press('Hold this time', ada), 400);
  t.match(person.text('.trouble'), /whoever is free/);
  t.equal(person.$('[name=name]').attr('value'), ada.name);
  await person.press('Hold this time');
  t.match(person.text('.when'), /with Jon/);
  const { date, timeSlot: time_slot } = slot;
  const query = new URLSearchParams({ date, time_slot, artist: 'zoe' }).toString();
  await person.open(`${person.path}/move?${query}`);
  await changeArtistDays(context, 'ada@desk', 'zoe', { isHidden: true });
  await context.board.refresh();
  t.equal(await person.press('Move to this time'), 409);
  t.match(person.text('.trouble'), /Nothing is lost/);
  for (const slug of ['mara', 'zoe'])
    await changeArtistDays(context, 'ada@desk', slug, { isHidden: false });
});

t.test(
  'a link to an artist is any case, and shows nobody else where they cannot be had',
  async (t) => {
    const [slot] = slots;
    const person = visitor(service);
    const words = '<b>Nobody\u202e</b> x';
    for (const artist of ['JON', 'Jon', ' jon ']) {
      t.equal(await person.open(`/book?${new URLSearchParams({ artist }).toString()}`), 200);
      t.equal(person.text('nav.artist-nav [aria-current]'), 'Jon');
    }
    await changeArtistDays(context, 'ada@desk', 'zoe', { isHidden: true });
    await context.board.refresh();
    const { date, timeSlot: time_slot } = slot;
    for (const [query, trouble] of [
      [{ artist: words }, `There is no artist called “\u2068${words}\u2069”.`],
      [{ artist: 'x'.repeat(70) }, `There is no artist called “\u2068${'x'.repeat(60)}…\u2069”.`],
      [{ artist: 'Mara\0' }, 'There is no artist called “\u2068Mara\ufffd\u2069”.'],
      [{ artist: words, date, time_slot }, `There is no artist called`],
      [{ artist: 'ZOË', weekday: 'friday' }, '\u2068Zoë\u2069 takes no new bookings.'],
    ] as const) {
      t.equal(await person.open(`/book?${new URLSearchParams({ ...query }).toString()}`), 400);
      t.ok(person.$('.trouble').text().startsWith(trouble), person.text('.trouble'));
      t.match(person.text('.trouble'), /Please choose one of these\.$/);
      t.equal(person.$('a[href*="date="], .trouble b, nav [aria-current]').length, 0);
      t.strictSame(person.texts('nav.artist-nav a'), ['Anyone', 'Mara', 'Jon']);
      await person.follow('Jon');
      t.equal(person.answer.statusCode, 200);
      t.ok(person.$('a[href*="artist=jon"][href*="date="]').length > 0);
    }
    t.equal(await person.open('/book?artist=mara&artist=jon'), 400, 'nor two');
    const program = await app.inject('/book?artist=nobody');
    t.match(program.json(), {
      error: {
        code: 'invalid_request',
        details: [{ message: 'must be one of "mara" (Mara), "jon" (Jon)' }],
      },
    });

    await person.open(linkToBook(slot, { slug: 'Mara' }));
    t.equal(person.$('[name=artist]').attr('value'), 'mara');
    t.equal(await person.press('Hold this time', { ...ada, artist: words }), 400);
    t.match(person.text('.trouble'), /There is no artist called .*with whoever is free/);
    t.equal(await person.press('Hold this time', { artist: 'JON' }), 200);
    t.match(person.text('.when'), /with Jon/);
    const checkout = person.path;
    t.equal(await person.open(`${checkout}/move?artist=MARA`), 200);
    t.equal(person.text('nav.artist-nav [aria-current]'), 'Mara');
    t.equal(await person.open(`${checkout}/move?artist=nobody`), 409);
    t.match(person.text('.trouble'), /There is no artist called .*Nothing is lost/);
    await changeArtistDays(context, 'ada@desk', 'zoe', { isHidden: false });
  },
);
