import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import t from 'tap';
import { writePreviews } from '../../src/mail/examples.js';
import { renderMail, type RenderedMail } from '../../src/mail/render.js';
import { slotStartsAt } from '../../src/schedule/slots.js';
import { bookingLabel } from '../../src/schedule/words.js';
import {
  bookingFacts,
  mailFacts,
  mailNames,
  mailSettings,
  mailStudio,
  plainWords,
  readCalendarPart,
  visibleWords,
  type MailChanges,
} from '../support/mails.js';
import { book, consolePages, expectedMails, long, page, stop } from './expected-mails.js';

const examples: [name: string, mail: RenderedMail][] = [];
for (const name of mailNames) examples.push([name, await renderMail(mailFacts(name))]);

/** A code is typed where it was asked for: its mail has neither the link of the page nor a calendar part. */
const isCode = (name: string) => name.startsWith('person-code');

/** An invitation, a changed one, or its end. */
const hasCalendar = (name: string) => /^person-(?!reminder|code)/.test(name);

const examplePhone = /\(555\) 555-0142/;
const unwrapped = (text: string) => text.replace(/\s+/g, ' ');

void t.test('each mail has its subject and says what its reader needs', async (t) => {
  t.strictSame(mailNames.toSorted(), Object.keys(expectedMails).toSorted());
  for (const [name, mail] of examples) {
    const [subject, ...says] = expectedMails[name]!;
    t.equal(mail.subject, subject);
    const isTimeless = isCode(name) || /^studio-(calendar|undecided)/.test(name);
    if (!isTimeless) says.push(`${long}\nPacific Standard Time`);
    for (const part of says) {
      t.ok(unwrapped(mail.text).includes(unwrapped(part)), `${name} says ${part}`);
    }
    // In links only.
    const plain = mail.text.replaceAll(/<https:[^>]*>/g, '');
    t.notMatch(plain, /terminal|\bMCP\b|\bREST\b|[\da-f]{8}/, name);
    const person = examplePhone.test(mail.text) ? 'href="tel:+15555550142"' : '';
    t.ok(mail.html.includes(person), `${name} dials the number that it shows`);
  }
});

void t.test('HTML and plain text say the same, in the same order', async (t) => {
  for (const [name, { html, text }] of examples) {
    t.strictSame(plainWords(text), visibleWords(html), name);
    t.match(html, /font:400 \d+px\/[\d.]+ 'Libre Caslon Display'/, name);
    const links = [...html.matchAll(/href="(https:[^"]*)"/g)].map(([, href = '']) => href);
    for (const link of links) {
      t.ok(text.includes(`<${link.replaceAll('&amp;', '&')}>`), `${name} writes out ${link}`);
    }
    t.ok(
      text.split('\n').every((line) => line.length <= 78 || line.startsWith('<https://')),
      `${name} has short lines`,
    );
  }
});

void t.test('a reminder tells nothing of the change that it was made of', async (t) => {
  const reminder = await renderMail(mailFacts('person-reminder'));
  const changes: MailChanges[] = [
    { type: 'booking.retimed', data: { by: 'service' } },
    { data: { by: 'studio', has_word: true }, booking: { studio_word: 'I am ill.' } },
  ];
  for (const change of changes) {
    t.strictSame(await renderMail(mailFacts('person-reminder', change)), reminder);
  }
});

void t.test('what a booking, a calendar or a person lacks is left out', async (t) => {
  const lacking = { email: null, phone: null, pronouns: null, idea: null, confirmed_via: null };
  const cases: [name: string, changes: MailChanges, says: RegExp, saysNot?: RegExp][] = [
    [
      'studio-confirmation',
      { booking: { ...lacking, channel: null } },
      /Who: Ada Example\n\nOpen the booking/,
      /null|undefined|\(\)/,
    ],
    ['studio-move', { booking: { ...lacking, name: null } }, /^Moved: a person, /],
    [
      'studio-calendar-failure',
      { calendar: { readAt: null } },
      /Last read: Never\n[^]*It closes no slots until it can be read\./,
      /stay in force/,
    ],
    [
      'studio-conflict',
      { booking: { email: null } },
      /move or cancel the\s+booking on its page\.\n/,
    ],
  ];
  for (const [name, changes, says, saysNot] of cases) {
    const { subject, text } = await renderMail(mailFacts(name, changes));
    t.match(`${subject}\n${text}`, says, name);
    if (saysNot) t.notMatch(text, saysNot, name);
  }
  const causes = ['person-move-by-person', 'person-cancellation-by-studio'];
  for (const name of [...causes, 'studio-move', 'studio-cancellation']) {
    const facts = bookingFacts(name, { booking: { cancellation_reason: null } });
    delete facts.event.data.by;
    const { text } = await renderMail(facts);
    t.notMatch(text, /We moved|You moved|We had to|You cancelled|by the (person|studio)/, name);
  }
});

void t.test('without the link of the page, a mail says which page it was', async (t) => {
  for (const name of mailNames.filter((each) => each.startsWith('person') && !isCode(each))) {
    const { html, text } = await renderMail(mailFacts(name, { facts: { checkoutUrl: null } }));
    t.match(text, /the page on\s+which you confirmed/i, name);
    t.notMatch(html, '/checkout/');
    t.strictSame(plainWords(text), visibleWords(html));
  }
});

void t.test('mails to the studio, and those with a code, have no link of the page', async (t) => {
  for (const [name, { html, text }] of examples) {
    if (!name.startsWith('studio') && !isCode(name)) continue;
    const words = (html + text).replaceAll(`${consolePages}/`, '');
    t.notMatch(words, /book\.nightheron|checkout|example-of-a-secret/, name);
  }
});

void t.test(
  'a mail loads nothing, and links only to pages of the studio and the map',
  async (t) => {
    const maps = 'https://www.google.com/maps/';
    const allowed = [page, book, stop, `${consolePages}/`, maps, 'https://nightheron.example/'];
    for (const [name, { html, text }] of examples) {
      t.notMatch(
        html,
        /<(img|script|link|iframe|object|form|input|svg|base)\b|\bsrc=|@import|url\(/i,
      );
      for (const [url] of (html + text).matchAll(/\w+:\/\/[^\s"<>]*/g)) {
        t.ok(
          allowed.some((start) => url.startsWith(start)),
          `${name}: ${url}`,
        );
      }
      for (const [, href = ''] of html.matchAll(/href="([^"]*)"/g)) {
        t.match(href, /^(https:\/\/|mailto:\S+@|tel:\+?\d+$)/);
      }
    }
  },
);

void t.test('html, text and calendar together are at most 30 kB', async (t) => {
  for (const filling of ['"', '&', '<', '🐦', 'י', 'word ', '\n', '&\n', 'x']) {
    const long = filling.repeat(20_000);
    const idea = [...long].slice(0, 2_000).join('');
    const line = [...long].slice(0, 120).join('');
    const notices = [1, 2, 3, 4].map((each) => ({ title: `${each} ${line}`, text: long }));
    for (const name of mailNames) {
      const mail = await renderMail(
        mailFacts(name, {
          booking: { idea, name: `x${line.slice(1)}`, cancellation_reason: idea.slice(0, 500) },
          studio: { notices },
          calendar: { label: line.slice(0, 60) },
        }),
      );
      const parts = [mail.html, mail.text, mail.calendar?.content ?? ''];
      const bytes = Buffer.byteLength(parts.join(''));
      t.ok(bytes <= 30_000, `${name} of ${JSON.stringify(filling)} has ${bytes} bytes`);
    }
  }
});

void t.test('notices that are too long for a mail end with an ellipsis', async (t) => {
  const notices = [{ title: 'Care', text: 'Keep it clean. '.repeat(1_000) }];
  const { text } = await renderMail(mailFacts('person-confirmation', { studio: { notices } }));
  t.match(text, /clean\.…|it…|Keep…/);
  for (const [name, mail] of examples) t.notMatch(mail.text, '…', name);
});

void t.test('the year is in the subject where it is not that of the change', async (t) => {
  const data = {
    date: '2027-01-05',
    starts_at_text: '2027-01-05T09:00:00-08:00',
    label: 'Tuesday, January 5, 2027 at 9:00 AM',
  };
  const { subject } = await renderMail(mailFacts('person-confirmation', { data }));
  t.equal(subject, 'Confirmed: Tuesday, January 5, 2027, 9:00 AM – 1:00 PM · Night Heron Tattoo');
});

void t.test('previews are files of every mail, with the studio’s own words', async (t) => {
  const studio = { ...mailStudio, name: 'Kingfisher Ink' };
  const paths = await writePreviews(`${t.testdir()}/new`, { ...mailSettings, studio });
  const expected = mailNames.flatMap((name) => [
    `${name}.html`,
    `${name}.txt`,
    ...(hasCalendar(name) ? [`${name}.ics`] : []),
  ]);
  t.strictSame(paths.map((path) => basename(path)).sort(), expected.sort());
  for (const path of paths) t.match(await readFile(path, 'utf8'), 'Kingfisher Ink', path);
});

void t.test(
  'the calendar parts are a REQUEST of the studio to the person, its changes and its end: one UID, and the sequence of each change',
  async (t) => {
    for (const [name, example] of examples) {
      t.equal(example.calendar !== null, hasCalendar(name), name);
      if (!hasCalendar(name)) continue;
      const facts = bookingFacts(name);
      facts.event.sequence = 7;
      const { calendar } = await renderMail(facts);
      const method = name.includes('cancellation') ? 'CANCEL' : 'REQUEST';
      t.equal(calendar?.method, method, name);
      const { root, component, event } = readCalendarPart(calendar!.content);
      const value = (property: string) => String(component.getFirstPropertyValue(property));
      t.equal(root.getFirstPropertyValue('method'), method);
      t.equal(value('status'), method === 'CANCEL' ? 'CANCELLED' : 'CONFIRMED');
      t.equal(event.uid, facts.booking.id);
      t.equal(event.sequence, 7);
      for (const each of ['dtstamp', 'last-modified']) t.equal(value(each), '2026-11-22T18:30:00Z');
      const all = (each: string) => component.getAllProperties(each).map((one) => one.toJSON());
      const [organizer] = all('organizer');
      const studio = 'mailto:booking@nightheron.example';
      t.match(organizer, ['organizer', { cn: 'Night Heron' }, 'cal-address', studio]);
      const [attendee, ...others] = all('attendee');
      t.strictSame(others, []);
      const accepted = { partstat: 'ACCEPTED', rsvp: 'FALSE', role: 'REQ-PARTICIPANT' };
      const person = /^mailto:ada@example\.com$/i;
      t.match(attendee, ['attendee', { cn: 'Ada Example', ...accepted }, 'cal-address', person]);
      // Calendars are shared.
      const unfolded = calendar!.content.replaceAll('\r\n ', '');
      t.notMatch(unfolded, /https?:|example-of-a-secret|checkout\/[^/]/, name);
    }
  },
);

void t.test(
  'the time is right in every zone, around both changes of daylight saving',
  async (t) => {
    const zones: Record<string, string[]> = {
      'America/Los_Angeles': ['2027-03-13', '2027-03-14', '2027-11-06', '2027-11-07'],
      'Europe/London': ['2027-03-27', '2027-03-28', '2027-10-30', '2027-10-31'],
      'Australia/Lord_Howe': ['2027-04-03', '2027-04-04', '2027-10-02', '2027-10-03'],
      'Asia/Kathmandu': ['2027-02-02'],
      UTC: ['2027-02-02'],
    };
    for (const [timezone, dates] of Object.entries(zones)) {
      for (const date of dates) {
        const start = slotStartsAt(timezone, date, '9:00 AM');
        const label = bookingLabel({ date, timeSlot: '9:00 AM' });
        const data = { timezone, date, label, starts_at_text: start.iso, ends_at_text: null };
        // The studio may have moved to another zone since.
        const studio = { timezone: 'Asia/Tokyo' };
        const mail = await renderMail(mailFacts('person-confirmation', { data, studio }));
        const { event } = readCalendarPart(mail.calendar!.content);
        t.equal(event.startDate.toJSDate().getTime(), start.epochMs, `${timezone} ${date}`);
        t.equal(event.startDate.hour, 9, `${timezone} ${date} on the studio's clock`);
        t.match(mail.subject, '9:00 AM');
      }
    }
  },
);
