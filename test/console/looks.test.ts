import t from 'tap';
import { sections } from '../../src/console/console-page.js';
import { linkToAdd, linkToBlock, linkToMove } from '../../src/console/links.js';
import { changeArtist } from '../../src/domain/studio/artists.js';
import { addCalendarFeed } from '../../src/domain/studio/calendar-feeds.js';
import { addClosure } from '../../src/domain/studio/closures.js';
import { changeStudio } from '../../src/domain/studio/settings.js';
import { addArtists } from '../support/artists.js';
import { insertCalendar, setBusy } from '../support/busy-calendars.js';
import { mailOn } from '../support/codes.js';
import { addPerson, signedIn } from '../support/console.js';
import { holdForPerson } from '../support/holds.js';
import { insertCode, now } from '../support/mail-rows.js';
import { someOpenSlots } from '../support/requests.js';
import { generous, startService, type TestService } from '../support/service.js';
import type { Visitor } from '../support/visitor.js';
import { look } from './look.js';
import { insertRows } from './rows.js';

/** The pages that differ with several artists: the first has a long name, the last a day off. */
async function pagesOfArtists(service: TestService, ada: Visitor, { mo }: Rows, count: number) {
  const { context } = service;
  const artists = await addArtists(context, count);
  await changeArtist(context, 'test', 'mara', { name: 'w'.repeat(60) });
  const dates = { fromDate: mo.date, toDate: mo.date, timeSlot: null, reason: 'w'.repeat(100) };
  const artistId = artists.at(-1)!.id;
  await addClosure(context, 'test', { ...dates, artistId }, { others: 'keep' });
  for (const hours of [
    { from: '08:00', to: '10:30' },
    { from: '13:00', to: '14:15' },
  ]) {
    await addClosure(context, 'test', { ...dates, hours }, { others: 'keep' });
  }
  await context.board.refresh();
  const slot = { date: mo.date, timeSlot: mo.time_slot };
  await addPerson({ context }, { ...slot, artistId }, { name: `x${'w'.repeat(90)}` });
  const day = `/console?date=${mo.date}`;
  const move = `/console/bookings/${mo.id}/move`;
  const question = linkToMove(mo.id, slot, 'jon');
  const pages = [];
  const figures = `/console/figures?month=${mo.date.slice(0, 7)}`;
  const ways = [day, `${day}&artist=mara`, `${move}?artist=`, question, linkToAdd(slot), figures];
  for (const path of ways) {
    const status = await ada.open(path);
    pages.push({ path, status, answer: ada.answer, weight: await weightOf(service, ada) });
  }
  await ada.open('/console/bookings');
  return [...pages, { path: ada.path, status: 200, answer: ada.answer, weight: 6_000 }];
}

type Rows = Awaited<ReturnType<typeof insertRows>>;

/**
 * All pages of a console with long texts, and with a booking that is in conflict with a calendar.
 * Another calendar fails.
 */
async function everyPage(service: TestService, ada: Visitor, { mo }: Rows) {
  const { context } = service;
  await insertCode(context, mo.id);
  const [slot] = await someOpenSlots(context, 1);
  const name = 'Maximilian von Hohenstein-Lichtenberg-Braunschweig';
  const idea = 'A night heron on the left forearm, about 12 cm, fine lines. '.repeat(30);
  const contact = { phone: '5035550142', email: `${'m'.repeat(50)}@example.com` };
  const { id, starts_at: at } = await addPerson({ context }, slot!, { name, idea, ...contact });
  const unbroken = { name: `<b>${'w'.repeat(90)}`, idea: 'w'.repeat(900) };
  const held = await holdForPerson({ context }, unbroken);

  const label = 'Guest artists of the whole street, in Portland and elsewhere';
  const host = `${'calendars-of-everybody.'.repeat(4)}example.com`;
  const busy = await insertCalendar(context, { label, host });
  await setBusy(context, busy, [at.getTime(), at.getTime() + 3 * 86_400_000]);
  const last_error = 'not_a_calendar';
  const failing = { failing_since: await now(context, -7_200), last_error } as const;
  await insertCalendar(context, { label: 'x'.repeat(60), host, ...failing });
  await addCalendarFeed(context, 'test', { label, hasDetails: true });
  const street = 'w'.repeat(200);
  await changeStudio(context, 'test', { street }, {}, { from: '2999-01-01' });
  await context.board.refresh();
  const pages = [];
  for (const path of [
    ...Object.values(sections).map(({ path }) => path),
    `/console?date=${slot!.date}`,
    `/console/bookings/${id}`,
    `/console/bookings/${id}/move`,
    `/console/bookings/${id}/correct`,
    `/console/bookings/${held.id}`,
    `/console/clients/${id}`,
    `/console/clients/${held.id}`,
    '/console/bookings/new',
    linkToBlock(slot!.date, '13:00'),
    '/console/openings/new',
    '/console/artists',
    '/console/no-such-page',
  ]) {
    const status = await ada.open(path);
    pages.push({ path, status, answer: ada.answer, weight: await weightOf(service, ada) });
  }
  return pages;
}

/** The bytes of a page and of what it loads, compressed. */
async function weightOf({ app }: TestService, { $, path, cookies }: Visitor): Promise<number> {
  const assets = $('link[rel=stylesheet], script').get();
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const headers = { cookie, accept: 'text/html', 'accept-encoding': 'br, gzip' };
  let bytes = 0;
  for (const url of [path, ...assets.map(({ attribs: { src, href } }) => src ?? href)]) {
    bytes += (await app.inject({ url: url!, headers })).rawPayload.length;
  }
  return bytes;
}

const service = await startService(
  t,
  { ...generous, ...mailOn, MAX_CODES_PER_HOUR: '1' },
  { browser: true },
);
if (service !== null) {
  t.jobs = 2;
  const rows = await insertRows(service.context);
  const ada = await signedIn(service, 'ada@adas-macbook-pro.local');
  const pages = [
    ...(await everyPage(service, ada, rows)).map((page) => ({ ...page, artists: 1 })),
    ...(await pagesOfArtists(service, ada, rows, 3)).map((page) => ({ ...page, artists: 3 })),
    ...(await pagesOfArtists(service, ada, rows, 8)).map((page) => ({ ...page, artists: 8 })),
  ];
  for (const { status, weight, artists, ...shown } of pages) {
    const title = `of ${artists}, ${shown.path} fits the screen, axe finds nothing, and it weighs ≤ 100 kB`;
    void t.test(title, async (t) => {
      t.equal(status, shown.path.endsWith('no-such-page') ? 404 : 200);
      t.ok(weight > 5_000 && weight <= 100_000, `${weight} bytes`);
      await look(t, service, shown);
    });
  }
}
