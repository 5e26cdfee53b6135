import fc from 'fast-check';
import t from 'tap';
import { releaseCheckout } from '../../src/domain/checkout.js';
import { personFields, type Typed } from '../../src/pages/book/hold-form.js';
import { checkoutTokenOf } from '../support/agents.js';
import { seed } from '../support/arbitraries.js';
import {
  bookForm,
  encodeForm,
  mistakesIn,
  postBook,
  tokenOf,
  typedIn,
} from '../support/book-form.js';
import { launchBrowser } from '../support/browser.js';
import { holdRequest, someOpenSlots } from '../support/requests.js';
import { startTestService } from '../support/service.js';

const service = await startTestService(t);
const [slot, other] = await someOpenSlots(service.context, 2);
const past = { date: '2020-01-02', timeSlot: '1:00 PM' } as const;

async function bookingCount(): Promise<number> {
  const rows = await service.context.database.selectFrom('bookings').select('id').execute();
  return rows.length;
}

const nothing = 'Please type';
const wrong: Record<keyof Typed, [text: string, mistake: string | RegExp][]> = {
  name: [
    ['', nothing],
    [' \t ', nothing],
    ['\u200B\u2060\u2800', nothing],
    ['\u3164'.repeat(121), nothing],
    ['x'.repeat(121), 'at most 120 characters; there are 121'],
    ['🖋'.repeat(121), 'at most 120 characters; there are 121'],
    ['a\u0000b', 'cannot store'],
  ],
  email: [
    ['', nothing],
    ['  ', nothing],
    ['ada at example', 'not an e-mail address'],
    [`"><b>&amp;'@x`, 'not an e-mail address'],
    [`${'a'.repeat(243)}@example.com`, 'not an e-mail address'],
  ],
  phone: [
    ['', nothing],
    ['555-0142', 'ten digits'],
    ['+44 20 7946 0958', 'ten digits'],
    ['(555) 555-HEAR', 'ten digits'],
    ['0000000000', 'ten digits'],
    [`5555550142${' '.repeat(90)}.`, 'ten digits'],
  ],
  pronouns: [
    ['x'.repeat(41), 'at most 40 characters; there are 41'],
    ['a\u0000', 'cannot store'],
  ],
  idea: [
    ['x'.repeat(2001), 'at most 2,000 characters; there are 2,001'],
    ['🖋'.repeat(2001), 'at most 2,000 characters; there are 2,001'],
    ['a\u0000b', 'cannot store'],
  ],
};

void t.test(
  'every kind of mistake is shown beside its field and in the list, and nothing is held',
  async (t) => {
    for (const field of personFields) {
      for (const [text, mistake] of wrong[field]) {
        const page = await postBook(service, bookForm(slot!, { [field]: text }));
        const shown = `${field}: ${JSON.stringify(text.slice(0, 30))}`;
        t.equal(page.statusCode, 400, shown);
        const { beside, listed, invalid } = mistakesIn(page.body);
        t.strictSame(Object.keys(beside), [field], shown);
        t.match(beside[field], mistake, shown);
        t.strictSame(listed, beside, shown);
        t.equal(invalid, 1, shown);
        t.match(page.body, 'One answer needs correcting');
        t.equal(page.cookies.length, 0);
      }
    }
    t.equal(await bookingCount(), 0);
  },
);

void t.test('all mistakes are shown at once, in the order of the form', async (t) => {
  const rounds = Math.max(...Object.values(wrong).map((each) => each.length));
  for (let round = 0; round < rounds; round += 1) {
    const texts = personFields.map((field) => [
      field,
      wrong[field][round % wrong[field].length]![0],
    ]);
    const page = await postBook(service, bookForm(slot!, Object.fromEntries(texts)));
    t.equal(page.statusCode, 400);
    const { beside, listed, invalid } = mistakesIn(page.body);
    t.strictSame(Object.keys(beside), [...personFields]);
    t.strictSame(listed, beside);
    t.equal(invalid, personFields.length);
    t.match(page.body, '5 answers need correcting');
    t.match(page.body, /<title>Something needs correcting/);
  }
});

/** Texts that a careless page would change; each with a mistake, so that it is shown again. */
const texts = {
  quotes: `"double" 'single' \`back\` «»`,
  markup: `</textarea></form><script>alert(1)</script><!-- & &amp; &lt; &#39; -->`,
  'leading space and line breaks': '  \n\n  a heron',
  'line breaks at both ends': '\n\na heron\n\n',
  'right to left': 'עדה لوفلايس \u202EadA\u202C',
  emoji: '👩🏽‍🎨🖋️🏳️‍⚧️',
  'tabs and spaces': '\ta \t  b  ',
  'what means something in a form': '100% +1 a=b&c=d;e %41 %ZZ',
  'a pattern of replacements': "$& $1 $' $$",
} as const;

void t.test('everything typed is shown again byte for byte, as a browser reads it', async (t) => {
  const browser = await launchBrowser(t);
  const tab = await browser?.newPage();
  for (const [kind, text] of Object.entries(texts)) {
    const line = text.replaceAll('\n', ' ');
    const typed: Typed = {
      name: `${line}${'x'.repeat(121)}`,
      email: line,
      phone: line,
      pronouns: line,
      idea: text + 'x'.repeat(2001),
    };
    // Browsers send line breaks as CR LF.
    const sent = { ...typed, idea: typed.idea.replaceAll('\n', '\r\n') };
    const page = await postBook(service, bookForm(slot!, sent));
    t.equal(page.statusCode, 400, kind);
    t.strictSame(typedIn(page.body), typed, kind);
    if (tab === undefined) continue;
    await tab.setContent(page.body);
    const values: [string, string][] = [];
    for (const field of personFields)
      values.push([field, await tab.locator(`#${field}`).inputValue()]);
    // Browsers trim the value of a field for an e-mail address.
    const inBrowser = { ...typed, email: typed.email.trim() };
    t.strictSame(Object.fromEntries(values), inBrowser, `${kind}: in a browser`);
    t.equal(await tab.locator('form.person, script:not([src])').count(), 1, kind);
  }
});

const spaces = fc.constantFrom('', '', ' ', '  ', '\t', '\u00A0', '\uFEFF', '\n', '\u3000');
const edges = fc.constantFrom(
  '',
  ' ',
  '\u200B\uFEFF',
  '\u2800',
  '\u0000',
  'a\u0000b',
  '\uD83D',
  'a\uDE00b',
  '\u202E\u2066',
  '🖋',
  'Ada',
  'José\u0301',
  "O'Neil & <Sons>",
);
const anyText = fc.oneof(edges, fc.string({ unit: 'binary', maxLength: 50 }), fc.string());
const ofLength = (most: number) =>
  fc
    .tuple(
      fc.constantFrom('x', '🖋', ' ', '\n', '\u200B'),
      fc.constantFrom(most - 1, most, most + 1),
    )
    .map(([unit, count]) => `a${unit.repeat(count - 2)}a`);
const usually = (valid: fc.Arbitrary<string>, odd: fc.Arbitrary<string>) =>
  fc
    .tuple(spaces, fc.oneof({ weight: 3, arbitrary: valid }, { weight: 1, arbitrary: odd }), spaces)
    .map((parts) => parts.join(''));

const people: fc.Arbitrary<Typed> = fc.record({
  name: usually(fc.constantFrom('Ada Park', '愛', 'עדה'), fc.oneof(anyText, ofLength(120))),
  email: usually(fc.emailAddress(), anyText),
  phone: usually(
    fc.constantFrom(
      '5555550142',
      '(555) 555-0142',
      '+1 555.555.0142',
      '\u202A+1 (503) 555\u20110199\u202C',
    ),
    fc.oneof(anyText, fc.string({ unit: fc.constantFrom(...'0123456789+-(). '), maxLength: 42 })),
  ),
  pronouns: usually(fc.constantFrom('', 'she/her'), fc.oneof(anyText, ofLength(40))),
  idea: usually(fc.constantFrom('', 'a heron\nin flight'), fc.oneof(anyText, ofLength(2000))),
});

/** As a form carries a text: without unpaired surrogates; as the page reads it: trimmed. */
function asRead(typed: Typed): Typed {
  const read = (text: string) =>
    new TextDecoder('utf-8', { ignoreBOM: true })
      .decode(new TextEncoder().encode(text))
      .replaceAll('\r\n', '\n')
      .trim();
  return Object.fromEntries(personFields.map((field) => [field, read(typed[field])])) as Typed;
}

void t.test(
  'the form accepts what POST /holds accepts of the trimmed texts, and stores the same',
  async (t) => {
    const { app, context } = service;
    const askApi = (date: { date: string; timeSlot: typeof past.timeSlot }, person: object) =>
      app.inject({ method: 'POST', url: '/api/public/holds', payload: holdRequest(date, person) });
    const storedOf = async (token: string) => {
      const row = await context.database
        .selectFrom('bookings')
        .select([...personFields])
        .where('status', '=', 'pending')
        .executeTakeFirstOrThrow();
      await releaseCheckout(context, token, 'pending');
      return row;
    };
    let held = 0;
    await fc.assert(
      fc.asyncProperty(people, async (typed) => {
        const read = asRead(typed);
        // The API tells of an invisible name only where all else is right: each field is asked alone.
        const refused = [];
        for (const field of personFields) {
          const answer = await askApi(past, { [field]: read[field] });
          if (answer.statusCode !== 409) refused.push(field);
        }
        const page = await postBook(service, bookForm(past, { ...typed }));
        const { beside } = mistakesIn(page.body);
        if (page.statusCode !== (refused.length > 0 ? 400 : 409)) return false;
        if (Object.keys(beside).join() !== refused.join()) return false;
        if (refused.length > 0) return true;

        held += 1;
        const form = await postBook(service, bookForm(slot!, { ...typed }));
        if (form.statusCode !== 303) return false;
        const byForm = await storedOf(tokenOf(form));
        const answer = await askApi(slot as typeof past, read);
        if (answer.statusCode !== 201) return false;
        const byApi = await storedOf(checkoutTokenOf(answer));
        return JSON.stringify(byForm) === JSON.stringify(byApi);
      }),
      { seed, numRuns: 150 },
    );
    t.ok(held > 20, `${held} were held`);
  },
);

void t.test('text that is not UTF-8 is stored as text, or shown as a mistake', async (t) => {
  const named = (raw: string) =>
    encodeForm(bookForm(other!, { name: 'NAME' })).replace('NAME', raw);
  for (const raw of ['%ED%A0%BD', '%FF%FE', '%00', '%', 'Jos%E9']) {
    const page = await postBook(service, named(raw));
    t.ok([303, 400].includes(page.statusCode), `${raw}: ${page.statusCode}`);
    if (page.statusCode === 303) await releaseCheckout(service.context, tokenOf(page), 'pending');
    else t.match(mistakesIn(page.body).beside, { name: String }, raw);
  }
  const latin = Buffer.from(named('José'), 'latin1');
  t.ok([303, 400].includes((await postBook(service, latin)).statusCode));
});
