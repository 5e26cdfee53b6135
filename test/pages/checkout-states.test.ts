import { load } from 'cheerio';
import t from 'tap';
import { cancelByStudio } from '../../src/domain/studio/cancellation.js';
import { decide, type Decision } from '../../src/domain/studio/closed-days.js';
import type { Slot } from '../../src/schedule/slots.js';
import { launchBrowser } from '../support/browser.js';
import { everyCheckoutState } from '../support/checkout-states.js';
import { confirmCheckout, moveCheckout, releaseCheckout } from '../support/checkouts.js';
import { close, holdForPerson, sessionForPerson } from '../support/holds.js';
import {
  expectFits,
  expectGoodLook,
  openPage,
  phone,
  undescribedButtons,
} from '../support/pages.js';
import { everyOpenSlot } from '../support/requests.js';
import { generous, startService } from '../support/service.js';
import { visitor } from '../support/visitor.js';

const browser = await launchBrowser(t);
const service = await startService(t, generous, { isReachable: true });
const { context } = service;
const base = context.config.publicBaseUrl;

const states = await everyCheckoutState(service);

t.test('every state has its own title and offers only the actions that it allows', async (t) => {
  const person = visitor(service);
  for (const [name, [url, title, actions = [], hasFile = false]] of Object.entries(states)) {
    await person.open(url);
    t.strictSame(person.texts('h1'), [title], name);
    t.equal(person.text('title'), `${title} – Night Heron Tattoo`, name);
    const offered = person.$('button').map((_, button) => person.$(button).attr('value'));
    t.strictSame(offered.get(), actions, name);
    const [rules] = person.$.html('main').split('<button');
    if (actions.length > 0)
      t.match(rules, 'Only the person confirms', `${name}: above its buttons`);
    t.strictSame(undescribedButtons(person.$.html()), [], `${name}: described as the person’s`);
    const files = person.$('a[href$="calendar.ics"]');
    const downloads = files.map((_, file) => person.$(file).attr('download') ?? 'opened').get();
    t.strictSame(downloads, hasFile ? ['opened', 'session.ics'] : [], `${name}: the calendar file`);
  }
  await person.open(states['cancelled']![0]);
  await person.follow('See what is open and book it');
  t.equal(person.path, '/book');
  await person.open(states['confirmed']![0]);
  t.match(person.text('main'), /Pacific (Standard|Daylight) Time/);
  for (const said of ['418 SE Alder Row', 'Nothing now', '18 or older']) {
    t.match(person.text('main'), said);
  }
  const map = person.$('a').filter((_, link) => person.$(link).text() === 'Open the map');
  const place = new URL(map.attr('href')!).searchParams.get('query');
  t.match(place, /418 SE Alder Row, Portland, OR 97214/);
});

t.test(
  'the studio’s words stand on the page, with regret, and in no title or meta tag',
  async (t) => {
    const word = 'I am ill.\nSee you <soon>';
    const person = visitor(service);
    const [to, next] = (await everyOpenSlot(context)).slice(-2) as [Slot, Slot];
    const session = () => sessionForPerson(service);
    type Session = Awaited<ReturnType<typeof session>>;
    const make =
      (choice: Decision['choice']) =>
      async ({ id, slot: { date, timeSlot } }: Session) => {
        await close(context, date, timeSlot);
        const decision = choice === 'move' ? { choice, to } : { choice };
        await decide(context, 'test', [{ id, sequence: 1, ...decision }], { word });
        await context.board.refresh();
      };
    const cancel = async ({ id }: Session) => {
      await cancelByStudio(context, 'test', id, { reason: 'a private one', word });
    };
    for (const [change, lead] of [
      [make('ask'), 'We cannot be there at this time, and are sorry.'],
      [make('move'), 'It has been moved to this time, and we are sorry for the change.'],
      [make('cancel'), 'We had to cancel it, and are sorry. You owe nothing.'],
      [cancel, 'We had to cancel it, and are sorry. You owe nothing.'],
    ] as const) {
      const booked = await session();
      await change(booked);
      await person.open(booked.url);
      t.match(person.text('.lead'), lead);
      t.equal(person.$('.word').text(), word, lead);
      t.notMatch(person.$.html('head'), 'I am ill', lead);
      t.notMatch(person.answer.body, 'a private one');
    }
    const asked = await session();
    await make('ask')(asked);
    await moveCheckout(context, asked.token, next, 2);
    await person.open(asked.url);
    t.match(person.text('.lead'), 'It has been moved to this time. See you then.');
    t.equal(person.$('.word').length, 0, 'not of a change by the person');
    await releaseCheckout(context, asked.token, 'confirmed');
    await person.open(asked.url);
    t.match(person.text('.lead'), 'The time is available to others again');
  },
);

t.test('every state looks good', { skip: browser === null }, async (t) => {
  if (browser === null) return;
  const page = await openPage(t, { browser });
  // The others show the same page as one of these, with other words.
  for (const name of Object.keys(states).filter((each) => !/truncated|extended/.test(each))) {
    await page.goto(states[name]![0]);
    if (name === 'confirmed') await page.click('summary');
    await expectGoodLook(t, page, name);
  }
});

t.test('no page has inline scripts or styles, and no policy allows them', async (t) => {
  const inline =
    /<script(?![^>]* src=|(?: type="application\/ld\+json")>)|<style|\sstyle=|\son[a-z]+=/i;
  const urls = Object.values(states).map(([url]) => url);
  for (const url of [base, `${base}/book`, ...urls]) {
    const request = { url: url.slice(base.length) || '/', headers: { accept: 'text/html' } };
    const { headers, body } = await service.app.inject(request);
    const policy = headers['content-security-policy'];
    t.match(policy, "default-src 'none'", url);
    t.notMatch(policy, /unsafe-|\*/, url);
    t.notMatch(body, inline, url);
  }
});

const markup = `"'><script>alert(1)</script><img src=x onerror=alert(2)></title><b>&amp;${'`'}`;
const bidirectional = '\u202E\u2067gnihtyna\u200F';
const long = (text: string, length: number): string => text.repeat(length).slice(0, length);

t.test('hostile text in every field is shown as text and does not break the layout', async (t) => {
  const { database } = context;
  const name = long(markup + bidirectional, 120);
  const idea = long(bidirectional + markup, 2_000);
  const held = await holdForPerson(service, { name, idea, pronouns: long(markup, 40) });
  const email = `${markup}${bidirectional}@${markup}`;
  await database.updateTable('bookings').set({ email }).where('id', '=', held.id).execute();
  const hostile = long(`${markup}${bidirectional}`, 2_000);
  const places = ['street', 'city', 'region', 'postal_code', 'country'];
  const texts = ['name', 'description', ...places, 'email', 'phone'];
  const website = `javascript:alert("${hostile}")`;
  const notices = JSON.stringify([{ title: hostile, text: hostile }]);
  const studio = { ...Object.fromEntries(texts.map((each) => [each, hostile])), website, notices };
  await database.updateTable('studio').set(studio).execute();
  await context.board.refresh();

  const page = browser && (await openPage(t, { browser }, phone));
  for (const [state, url] of [
    ['pending', held.url],
    ['confirmed', held.url],
    ['the open times', `${held.url}/move`],
    ['the dashboard', base],
  ] as const) {
    if (state === 'confirmed') await confirmCheckout(context, held.token);
    const answer = await fetch(url, { headers: { accept: 'text/html' } });
    const $ = load(await answer.text());
    const scripts = 'script:not([src]):not([type="application/ld+json"])';
    t.equal($(`img, b:not(#digits b), ${scripts}`).length, 0, state);
    t.ok($('body').text().includes(hostile), `${state}: the studio's words are unchanged`);
    t.ok($('title').text().includes('<script>'), `${state}: the title too`);
    const links = $('a').map((_, link) => $(link).attr('href'));
    t.notMatch(links.get().join(' '), 'javascript:', `${state}: no link runs a script`);
    if (state !== 'the dashboard') {
      t.equal($('body > .page').length, 1, `${state}: the page is complete`);
      t.ok($('main').text().includes(markup), `${state}: the address is unchanged`);
    }
    await page?.goto(url);
    if (page !== null) await expectFits(t, page);
  }
});

t.test('a database failure shows an error page for people, with a reference', async (t) => {
  service.expectLog(/relation .+ does not exist/);
  await context.database.schema.alterTable('bookings').renameTo('away').execute();
  const person = visitor(service);
  t.equal(await person.open(states['pending']![0]), 500);
  t.match(person.text('h1'), 'Something went wrong on our side');
  t.match(person.text('main'), /Reference: [0-9a-f-]{36}/);
  t.notMatch(person.answer.body, /relation|bookings|select/i, 'no internals');
});
