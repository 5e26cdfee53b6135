import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import t from 'tap';
import { writePreviews } from '../../src/mail/preview.js';
import { renderMail } from '../../src/mail/render.js';
import {
  bookingFacts,
  mailFacts,
  mailNames,
  mailSettings,
  mailStudio,
  plainWords,
  visibleWords,
} from '../support/mails.js';
import { book, consolePages, expectedMails, page, session, stop } from './expected-mails.js';

/** Of these, the time of a session is no part. */
function isTimeless(name: string): boolean {
  return isCode(name) || name === 'studio-calendar-failure';
}

/** A code is typed where it was asked for: its mail has neither the link of the page nor a calendar part. */
function isCode(name: string): boolean {
  return name.startsWith('person-code');
}

void t.test('each mail has its subject and says what its reader needs', async (t) => {
  t.strictSame(mailNames.toSorted(), Object.keys(expectedMails).toSorted());
  for (const [name, [subject, ...says]] of Object.entries(expectedMails)) {
    const mail = await renderMail(mailFacts(name));
    t.equal(mail.subject, subject);
    const text = unwrapped(mail.text);
    const time = isTimeless(name) ? [] : [`${session}\nPacific Standard Time, 2026`];
    for (const part of [...time, ...says]) {
      t.ok(text.includes(unwrapped(part)), `${name} says ${part}`);
    }
  }
});

void t.test('HTML and plain text say the same, in the same order', async (t) => {
  for (const name of mailNames) {
    const { html, text } = await renderMail(mailFacts(name));
    t.strictSame(plainWords(text), visibleWords(html), name);
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

void t.test('a mail names nobody as the cause where the event does not', async (t) => {
  for (const name of [
    'person-move-by-person',
    'person-cancellation-by-studio',
    'studio-move',
    'studio-cancellation',
  ]) {
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

void t.test('details that a booking lacks are left out', async (t) => {
  const lacking = { email: null, phone: null, pronouns: null, idea: null, confirmed_via: null };
  const { text } = await renderMail(
    mailFacts('studio-confirmation', { booking: { ...lacking, channel: null } }),
  );
  t.match(text, 'Who: Ada Example\nId: ');
  t.notMatch(text, /null|undefined|\(\)/);
  const erased = await renderMail(
    mailFacts('studio-move', { booking: { ...lacking, name: null } }),
  );
  t.match(erased.subject, 'Moved: a person, ');
});

void t.test(
  'mails to the studio, and those with a code, have neither the link of the page nor a calendar part',
  async (t) => {
    for (const name of mailNames.filter((each) => each.startsWith('studio') || isCode(each))) {
      const { html, text, calendar } = await renderMail(mailFacts(name));
      const words = (html + text).replaceAll(`${consolePages}/`, '');
      t.notMatch(words, /book\.nightheron|checkout|example-of-a-secret/, name);
      t.equal(calendar, null);
    }
  },
);

void t.test(
  'a mail loads nothing, and links only to the pages of the studio and the map',
  async (t) => {
    const allowed = [
      page,
      book,
      stop,
      `${consolePages}/`,
      'https://www.google.com/maps/',
      'https://nightheron.example/',
    ];
    for (const name of mailNames) {
      const { html, text } = await renderMail(mailFacts(name));
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
  const fillings = ['"', '&', '<', '🐦', 'י', 'word ', '\n', '&\n', 'x'];
  for (const filling of fillings) {
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
  const short = await renderMail(mailFacts('person-confirmation'));
  t.notMatch(short.text, '…');
});

void t.test('a mail about a calendar says what holds where it was never read', async (t) => {
  const calendar = { readAt: null };
  const { text } = await renderMail(mailFacts('studio-calendar-failure', { calendar }));
  t.match(text, 'Last read: Never\n');
  t.match(text, 'It closes no slots until it can be read.');
  t.notMatch(text, /stay in force/);
});

void t.test('a conflict of a person without an address promises no mail to them', async (t) => {
  const { text } = await renderMail(mailFacts('studio-conflict', { booking: { email: null } }));
  t.match(text, /move or cancel the\s+booking on its page\.\n/);
});

void t.test('the year is in the subject where it is not that of the change', async (t) => {
  const { subject } = await renderMail(
    mailFacts('person-confirmation', {
      data: {
        date: '2027-01-05',
        starts_at_text: '2027-01-05T09:00:00-08:00',
        label: 'Tuesday, January 5, 2027 at 9:00 AM',
      },
    }),
  );
  t.equal(subject, 'Confirmed: Tuesday, January 5, 2027 at 9:00 AM – Night Heron Tattoo');
});

void t.test('previews are files of every mail, with the studio’s own words', async (t) => {
  const folder = t.testdir();
  const studio = { ...mailStudio, name: 'Kingfisher Ink' };
  const paths = await writePreviews(`${folder}/new`, { ...mailSettings, studio });
  const files = paths.map((path) => basename(path));
  const invitations = mailNames.filter((name) => /^person-(?!reminder|code)/.test(name));
  t.strictSame(
    files.toSorted(),
    [
      ...mailNames.flatMap((name) => [`${name}.html`, `${name}.txt`]),
      ...invitations.map((name) => `${name}.ics`),
    ].toSorted(),
  );
  for (const path of paths) t.match(await readFile(path, 'utf8'), 'Kingfisher Ink', path);
});

function unwrapped(text: string): string {
  return text.replace(/\s+/g, ' ');
}
