import { load } from 'cheerio';
import t from 'tap';
import type { Studio } from '../../generated/schemas.js';
import { parseSlotKey, slotKey } from '../../src/schedule/slots.js';
import { bookingLabel } from '../../src/schedule/words.js';
import { linkToBook } from '../../src/web/book-link.js';
import { releaseCheckout } from '../support/checkouts.js';
import { holdForPerson, sessionForPerson } from '../support/holds.js';
import { someOpenSlots } from '../support/requests.js';
import { startService } from '../support/service.js';
import { visitor, type Visitor } from '../support/visitor.js';

/** The studio as the page describes it to machines. */
function describedStudio({ $ }: Visitor) {
  return JSON.parse($('script[type="application/ld+json"]').text()) as Record<string, unknown>;
}

const openGraph = ({ $ }: Visitor, property: string): string | undefined =>
  $(`meta[property="og:${property}"]`).attr('content');

t.test('without script the page shows the calendar and the open times as links', async (t) => {
  const service = await startService(t);
  const { context } = service;
  const slots = await someOpenSlots(context, 20);
  await sessionForPerson(service);
  await holdForPerson(service);
  const { date } = slots.at(-1)!;
  const closure = { from_date: date, to_date: date };
  await context.database.insertInto('closures').values(closure).execute();
  await context.board.refresh();
  const person = visitor(service);
  await person.open('/');
  const { $ } = person;
  t.equal(person.text('h1'), 'Night Heron Tattoo');
  t.equal($('#days > li').length, 31);
  t.equal($('#days .slots > li').length, 93, 'three slots a day');
  const cell = (index: number) => person.text(`[data-key="${slotKey(slots[index]!)}"]`);
  t.match(cell(0), /taken/);
  t.match(cell(1), /held until \d+:\d\d\s[AP]M/);
  const shut = $(`li.day.shut:has(time[datetime="${date}"]) .word`);
  t.equal(shut.text(), 'closedclosedclosed');
  const cells = $('#days .slot.open').get();
  t.notMatch(person.text(), /\d+ (held|booked|open|watching)/, 'how many is for the console');
  t.equal(
    $('a, button').not('h1 a').first().text(),
    'Choose a time',
    'what a person does comes first',
  );
  for (const said of ['418 SE Alder Row', 'Tue – Sat', '9 AM – 8 PM', 'load it again']) {
    t.match(person.text(), said);
  }
  t.match(person.text(), /Mon ?closed/);
  t.equal($('#changes li').length, 3);

  t.ok(cells.length > 10, `${cells.length} open times`);
  for (const each of cells) {
    const slot = parseSlotKey($(each).attr('data-key')!);
    const links = $(each).find('a');
    t.equal(links.length, 1);
    t.equal(links.attr('href'), linkToBook(slot));
    const day = bookingLabel(slot).replace(/, \d+ at .*/, '');
    const name = links.text().replace(/\s+/g, ' ').trim();
    t.equal(name, `${slot.timeSlot.replace(':00', '')} on ${day}, open`);
  }
  t.equal($('#days a').length, cells.length, 'no other time leads anywhere');
  t.equal($('.next-open a').attr('href'), $(cells[0]!).find('a').attr('href'), 'the next one');
  for (const [name, href] of Object.entries({
    'Choose a time': '/book',
    'the guide': '/guide',
  })) {
    t.equal($(`a:contains("${name}")`).attr('href'), href);
  }
});

t.test('the page is rendered once per state, and an unchanged one gets 304', async (t) => {
  const { app, context } = await startService(t);
  const [first, second] = await Promise.all([app.inject('/'), app.inject('/')]);
  const etag = String(first.headers.etag);
  t.equal(second.headers.etag, etag);
  t.match(first.headers, {
    'cache-control': 'no-cache',
    'content-security-policy': /default-src 'none'/,
    vary: /accept-encoding/,
  });
  t.notMatch(first.headers['content-security-policy'], /unsafe-/);
  for (const url of ['/', '/present']) {
    const matching = [etag, etag.slice(2), `"other", ${etag}`, '*'];
    for (const condition of [...matching, '"other"', `"other${etag.slice(3)}`]) {
      const again = await app.inject({ url, headers: { 'if-none-match': condition } });
      t.equal(again.statusCode, matching.includes(condition) ? 304 : 200, `${url} ${condition}`);
      t.equal(again.body === '', again.statusCode === 304);
    }
  }
  const $ = load(first.body);
  const assets = $('script[src], link[rel=stylesheet]').get();
  let bytes = 0;
  for (const url of ['/', ...assets.map(({ attribs: { src, href } }) => (src ?? href)!)]) {
    const answer = await app.inject({ url, headers: { 'accept-encoding': 'br' } });
    bytes += answer.rawPayload.length;
  }
  t.ok(bytes > 1_000 && bytes < 50_000, `it loads ${bytes} bytes`);
  const present = (await app.inject('/present')).body;
  t.ok(first.body.includes(present), 'the page contains the part that changes');
  const held = await holdForPerson({ context });
  const changed = await app.inject({ url: '/', headers: { 'if-none-match': etag } });
  t.match(changed, { statusCode: 200, body: /held<span class="until"> until/ });
  for (const personal of ['Ada', 'example.com"', '5555550142', held.id, held.token]) {
    t.notMatch(changed.body, personal);
  }
});

t.test('the latest changes are listed, newest first, also those before the start', async (t) => {
  const service = await startService(t);
  const { context } = service;
  const person = visitor(service);
  const changes = async () => {
    await person.open('/present');
    return person.texts('#changes .what').map((text) => text.replace(/^.*(?= is )/, '').trim());
  };
  t.strictSame(await changes(), []);
  const confirmed = await sessionForPerson(service);
  t.strictSame(await changes(), ['is taken', 'is held']);
  await holdForPerson(service);
  t.strictSame(await changes(), ['is held', 'is taken', 'is held']);
  await releaseCheckout(context, confirmed.token, 'confirmed');
  await service.shiftClock(15 * 60_000);
  const before = ['is held', 'is taken', 'is held'];
  t.strictSame(await changes(), ['is free again', 'is free again', ...before]);
});

t.test('the page describes the studio to machines and to those who share it', async (t) => {
  const service = await startService(t);
  const url = `${service.context.config.publicBaseUrl}/`;
  const person = visitor(service);
  await person.open('/');
  const answer = await service.app.inject('/api/public/studio');
  const { data: studio } = answer.json<{ data: Studio }>();
  const { address, contact, hours, name, description } = studio;
  const { hasMap, ...described } = describedStudio(person);
  const open = hours.filter(({ opens }) => opens !== null);
  t.ok(open.length > 0 && open.length < 7, 'with and without hours');
  const typed = (type: string, members: object) => ({ '@type': type, ...members });
  const platforms = ['DesktopWebPlatform', 'MobileWebPlatform'];
  t.strictSame(described, {
    '@context': 'https://schema.org',
    ...typed('TattooParlor', { name, description, url, sameAs: contact.website }),
    telephone: contact.phone,
    email: contact.email,
    address: typed('PostalAddress', {
      streetAddress: address.street,
      addressLocality: address.city,
      addressRegion: address.region,
      postalCode: address.postal_code,
      addressCountry: address.country,
    }),
    openingHoursSpecification: open.map(({ day, opens, closes }) => {
      const dayOfWeek = day.slice(0, 1).toUpperCase() + day.slice(1);
      return typed('OpeningHoursSpecification', { dayOfWeek, opens, closes });
    }),
    potentialAction: typed('ReserveAction', {
      target: typed('EntryPoint', {
        urlTemplate: `${url}book`,
        actionPlatform: platforms.map((each) => `https://schema.org/${each}`),
      }),
      result: typed('Reservation', { name: 'Tattoo session' }),
    }),
  });
  t.equal(hasMap, person.$('a:contains("Open the map")').attr('href'));
  const shared = { type: 'website', title: person.$('title').text(), description, url };
  const image = `${url}share.png`;
  for (const [property, content] of Object.entries({ ...shared, site_name: name, image })) {
    t.equal(openGraph(person, property), content, property);
  }
  const linked = person.$('link[rel=apple-touch-icon], link[rel=manifest]').get();
  const manifest = (await service.app.inject('/manifest.webmanifest')).json<{
    name: string;
    icons: { src: string }[];
  }>();
  t.equal(manifest.name, name);
  for (const [path, type] of [
    ...linked.map(
      ({ attribs: { href } }) => [href!, /^(image\/png|application\/manifest)/] as const,
    ),
    [manifest.icons[0]!.src, /^image\/png/],
    ['/share.png', /^image\/png/],
    ['/favicon.ico', /^image\/x-icon/],
  ] as const) {
    const file = await service.app.inject(path);
    t.match(file, { statusCode: 200, headers: { 'content-type': type } }, path);
  }
  t.equal(linked.length, 2);
});

t.test('no text of the studio ends the data block or a tag of Open Graph', async (t) => {
  const service = await startService(t);
  const { context } = service;
  const person = visitor(service);
  for (const hostile of [
    '</script><script>alert(1)</script>',
    '</SCRIPT ><img src=x onerror=alert(2)>',
    '<!--<script>',
    ']]>--></title>\u2028\u2029"\\u003c/script>\\',
    `"'><meta property="og:url" content="https://elsewhere.example">&lt;`,
  ]) {
    const texts = { name: hostile, description: hostile, city: hostile, phone: hostile };
    await context.database.updateTable('studio').set(texts).execute();
    await context.board.refresh();
    await person.open('/');
    const address = { addressLocality: hostile };
    const said = { name: hostile, description: hostile, telephone: hostile, address };
    t.match(describedStudio(person), said);
    t.equal(openGraph(person, 'description'), hostile);
    t.equal(openGraph(person, 'site_name'), hostile);
    t.equal(person.$('meta[property="og:url"]').length, 1);
    t.equal(openGraph(person, 'url'), 'http://studio.test/');
    t.equal(person.$('script').length, 2, 'the data block and the script of the page');
    t.equal(person.$('img').length, 0);
    t.equal(person.$('.colophon').length, 1, 'the page is complete');
  }
});
