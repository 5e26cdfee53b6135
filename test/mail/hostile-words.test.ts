import t from 'tap';
import { renderMail } from '../../src/mail/render.js';
import { displayName } from '../../src/mail/sanitize-facts.js';
import {
  mailFacts,
  mailNames,
  mailStudio,
  plainWords,
  readCalendarPart,
  visibleWords,
} from '../support/mails.js';

const hostile = [
  '<script>alert(1)</script><img src=x onerror=alert(1)>',
  '"><a href="https://evil.example">Confirm</a>',
  '</title></head><body><!-- ',
  '<!--[if mso]><b>x</b><![endif]--> ]]> --> <![CDATA[',
  'Ada\r\nBcc: evil@example.com\r\n\r\nBody',
  'Ada\nX-Evil: 1\rX-Evil: 2\u0085X-Evil: 3\u2028X-Evil: 4\u2029X-Evil: 5\u000bX\u000cX',
  'Ada\0\u0001\u001b[31m\u007f\u009b31m',
  'x":MAILTO:evil@example.com',
  'x\\";ATTENDEE:MAILTO:evil@example.com',
  'END:VEVENT\r\nBEGIN:VEVENT\r\nUID:evil',
  'Eve;CN=Eve:mailto:evil@example.com, \\n\\N \\;',
  '\u202eeveil\u202d\u2066\u2067\u2068 unclosed',
  'שרה כהן',
  '${name} {{name}} %s $& $1 $` <%= name %>',
  'https://evil.example/ www.evil.example',
  '=?utf-8?B?QmNjOiBldmls?=',
  '__proto__',
];

/** The tags of a document with their attributes, except for what the link to the map searches. */
function markup(html: string): string[] {
  const tags = html.replace(/<style>.*?<\/style>/gs, '').match(/<[^>]*>/g) ?? [];
  return tags
    .filter((tag) => tag !== '<br/>')
    .map((tag) => tag.replace(/(href="https:\/\/www\.google\.com\/maps\/)[^"]*/, '$1'));
}

const calendarSubject = /^(Part of a c|C)alendar cannot be read: ./;
const subjects: Record<string, RegExp> = {
  'studio-calendar-failure': calendarSubject,
  'studio-calendar-read-in-part': calendarSubject,
  'studio-undecided': /^Undecided on closed days: a session$/,
};

const undecided = {
  ...{ id: 'one', phone: '5555550142', date: '2026-12-01', artist_name: null },
  ends_at_text: '2026-12-01T13:00:00-08:00',
  time_slot: '9:00 AM',
} as const;

void t.test(
  'words of people change neither markup nor subject nor calendar, and both parts show them alike',
  async (t) => {
    for (const name of mailNames) {
      const plain = await renderMail(mailFacts(name));
      for (const words of hostile) {
        const label = `${name}: ${shown(words)}`;
        const { subject, html, text, calendar } = await renderMail(
          mailFacts(name, {
            booking: {
              name: words,
              pronouns: words,
              idea: words,
              ...(name.includes('-by-studio') && { cancellation_reason: words }),
              ...(name.includes('another-time') && { studio_word: words }),
            },
            studio: {
              name: words,
              street: words,
              description: words,
              notices: mailStudio.notices.map(({ title }, index) => ({
                title: index === 0 ? words : title,
                text: words,
              })),
            },
            calendar: { label: words },
            data: { artist_name: words },
            facts: {
              from: { name: words, address: 'booking@nightheron.example' },
              ...(name.includes('undecided') && { undecided: [{ ...undecided, name: words }] }),
            },
          }),
        );
        t.strictSame(markup(html), markup(plain.html), label);
        t.strictSame(plainWords(text), visibleWords(html), label);
        t.notMatch(subject, /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066\u2067]/u, label);
        const expected = subjects[name] ?? /\bTuesday, December 1, 9:00 AM – 1:00 PM/;
        t.match(subject, expected);
        t.equal(calendar === null, plain.calendar === null, label);
        if (calendar === null || plain.calendar === null) continue;
        t.strictSame(factsOf(calendar.content), factsOf(plain.calendar.content), label);
        t.notMatch(calendar.content, /[^\r]\n|\r[^\n]/, 'lines end in CRLF only');
        const parameterLines = calendar.content.replaceAll('\r\n ', '').match(/^(ATT|ORG).*$/gm)!;
        for (const line of parameterLines) t.equal(line.match(/"/g)?.length, 2, shown(line));
      }
    }
  },
);

/** What the words of people must not change in a calendar part. */
function factsOf(content: string) {
  const { root, component, names } = readCalendarPart(content);
  const attendee = component.getFirstProperty('attendee')!.toJSON() as [string, object];
  const fixed = ['attendee', 'organizer', 'uid', 'status', 'sequence', 'dtstart'];
  return {
    events: root.getAllSubcomponents('vevent').length,
    names,
    parameters: Object.keys(attendee[1]),
    values: fixed.map((property) => String(component.getFirstPropertyValue(property))),
  };
}

void t.test('nothing that a person writes is a link in a mail to the studio', async (t) => {
  const linked: [typed: string, shown: string][] = [
    [
      'see www.evil.example/x or http://evil.example',
      'see www[.]evil[.]example/x or http[://]evil[.]example',
    ],
    ['ｗｗｗ．ｅｖｉｌ．ｅｘａｍｐｌｅ evil。example', 'www[.]evil[.]example evil[。]example'],
    [
      String.raw`ada@evil.example \\evil\x 💩.la`,
      String.raw`ada[@]evil[.]example [\\]evil\x 💩[.]la`,
    ],
    ['evil.\u00adexample', 'evil[.]\u00adexample'],
    ['3.5 in. by J.R. Park… soon', '3.5 in. by J.R. Park… soon'],
  ];
  const email = 'www.evil.example/x@evil.example';
  for (const name of mailNames.filter((each) => each.startsWith('studio'))) {
    for (const [typed, shown] of linked) {
      const booking = { email, name: typed, pronouns: typed, idea: `${typed}\n${typed}` };
      const facts = name.includes('undecided') && { undecided: [{ ...undecided, name: typed }] };
      const mail = await renderMail(mailFacts(name, { booking, ...(facts && { facts }) }));
      for (const part of [mail.html, mail.text]) {
        t.notOk(typed !== shown && part.includes(typed), name);
        t.notOk(part.includes(email), name);
        t.equal(part.includes(shown), !name.includes('calendar'), `${name}: ${shown}`);
      }
    }
  }
});

void t.test('what a person writes starts no line of the plain text, and no preview', async (t) => {
  const forged = 'Booked: By the studio';
  const long = 'x'.repeat(60);
  for (const name of mailNames) {
    const booking = {
      name: `Ada ${long} ${forged} ${long} ${forged}`,
      pronouns: `she ${forged}`,
      idea: `A heron\n${forged}\n\n${long} ${forged}\n> Confirmed: With a code`,
    };
    const facts = name.includes('undecided') && {
      undecided: [{ ...undecided, name: `Ada ${long} ${forged} ${long} Confirmed:` }],
    };
    const changes = { booking, ...(facts && { facts }) };
    const { subject, html, text } = await renderMail(mailFacts(name, changes));
    t.notMatch(text, /^ *(Confirmed:,|Booked: By the studio|Confirmed: With a code)/m, name);
    const [preview = ''] = /<div class="preview"[^]*?<\/div>/.exec(html) ?? [];
    t.notMatch(`${subject}${preview}`, /A heron/, name);
    if (text.includes('A heron')) t.match(text, `> A heron\n> ${forged}\n> \n> ${long}`, name);
  }
});

void t.test('a name that runs right to left does not turn the time after it', async (t) => {
  const { subject } = await renderMail(
    mailFacts('studio-confirmation', { booking: { name: 'שרה' } }),
  );
  t.equal(subject, 'Booked: \u2068שרה\u2069, Tuesday, December 1, 9:00 AM – 1:00 PM');
});

/** In ASCII: messages with other line breaks would break the lines of TAP. */
function shown(words: string): string {
  return JSON.stringify(words).replace(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

void t.test(
  'a name that a stranger may have typed is no display name with a link in it',
  async (t) => {
    const links = [
      'https://evil.example/',
      'Win at www.evil',
      'evil.example',
      'x@evil',
      'Ada bit.ly/x',
      'ｅｖｉｌ．ｅｘａｍｐｌｅ',
      'evil。example',
    ];
    const unproven = ['Ada (call 555)', 'Win 500 dollars', 'x'.repeat(41), 'Ada\u200b'];
    for (const code_proven_at of [null, new Date()]) {
      const isProven = code_proven_at !== null;
      for (const name of isProven ? links : [...links, ...unproven]) {
        t.equal(displayName({ name, code_proven_at }), '', name);
        const facts = mailFacts('person-confirmation', { booking: { name, code_proven_at } });
        const { html, text, calendar } = await renderMail(facts);
        for (const words of [html, text, calendar!.content]) t.notOk(words.includes(name), name);
      }
      const names = [
        'Ada Park',
        'J. R. Smith',
        'A.J. Lee',
        'St. John',
        "D'Arcy",
        'D’Arcy',
        'שרה כהן',
      ];
      for (const name of [...names, 'Zoë Ng-Łoś', ...(isProven ? unproven : [])]) {
        t.equal(displayName({ name, code_proven_at }), name);
      }
    }
  },
);
