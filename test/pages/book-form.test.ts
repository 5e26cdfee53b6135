import { load } from 'cheerio';
import fc from 'fast-check';
import t from 'tap';
import { type PersonMember, personMembers } from '../../src/domain/booking/person.js';
import type { TypedPerson } from '../../src/web/person-form.js';
import { checkoutTokenOf } from '../support/agents.js';
import { seed } from '../support/arbitraries.js';
import { bookForm, postBook, tokenOf, typedIn } from '../support/book-form.js';
import { releaseCheckout } from '../support/checkouts.js';
import { refusedHolds, storedHolds } from '../support/hold-cases.js';
import { undescribedButtons } from '../support/pages.js';
import { holdRequest, someOpenSlots } from '../support/requests.js';
import { startService } from '../support/service.js';

const service = await startService(t);
const { app, context } = service;
const [slot] = await someOpenSlots(context, 1);
const past = { date: '2020-01-02', timeSlot: '1:00 PM' } as const;

const notAnAddress = 'This is not an e-mail address. One looks like ada@example.com.';
const notANumber = 'Please type a US phone number: ten digits, such as (555) 555-0142.';

/** One of each kind of mistake, and what the page says of it. */
const mistakes: [field: PersonMember, text: string, sentence: string][] = [
  ['name', '', 'Please type your name.'],
  ['name', '\u3164'.repeat(121), 'Please type your name.'],
  ['name', '🖋'.repeat(121), 'Your name can have at most 120 characters; there are 121.'],
  ['name', 'a\u0000b', 'Some characters in your name cannot be stored. Please leave them out.'],
  ['email', ' ', 'Please type your e-mail address.'],
  ['email', `"><b>&amp;'@x`, notAnAddress],
  ['email', `${'a'.repeat(243)}@example.com`, notAnAddress],
  ['phone', '\t', 'Please type your phone number.'],
  ['phone', '+44 20 7946 0958', notANumber],
  ['phone', '0000000000', notANumber],
  ['phone', `5555550142${' '.repeat(90)}.`, notANumber],
  ['pronouns', 'x'.repeat(41), 'Your pronouns can have at most 40 characters; there are 41.'],
  [
    'pronouns',
    'a\u0000',
    'Some characters in your pronouns cannot be stored. Please leave them out.',
  ],
  ['idea', '🖋'.repeat(2001), 'Your idea can have at most 2,000 characters; there are 2,001.'],
  ['idea', 'a\u0000b', 'Some characters in your idea cannot be stored. Please leave them out.'],
];

/** The mistakes beside the fields that refer to them, and those at the top, by field. */
function mistakesIn(html: string) {
  const $ = load(html);
  const beside: Record<string, string> = {};
  for (const field of $('[aria-invalid=true]').get()) {
    const { id = '', 'aria-describedby': described = '' } = $(field).attr() ?? {};
    const ids = described.split(' ').filter((each) => each.endsWith('-mistake'));
    beside[id] = ids.map((each) => $(`[id="${each}"]`).text()).join();
  }
  const links = $('[role=alert] li a').get();
  const listed = Object.fromEntries(
    links.map((link) => [$(link).attr('href')?.slice(1), $(link).text()]),
  );
  return { beside, listed, heading: $('#mistakes').text() };
}

t.test('every mistake is shown beside its field and in a list, and nothing is held', async (t) => {
  for (const [field, text, sentence] of mistakes) {
    const page = await postBook(service, bookForm(slot, { [field]: text }));
    t.equal(page.statusCode, 400, sentence);
    const { beside, listed, heading } = mistakesIn(page.body);
    t.strictSame(beside, { [field]: sentence });
    t.strictSame(listed, beside);
    t.equal(heading, 'One answer needs correcting. Nothing is held yet.');
    t.notOk(page.cookies.some(({ name }) => name === 'hold'));
    t.match(page.body, /Without one, write to hello@nightheron\.example\./, 'whom to ask');
    t.strictSame(undescribedButtons(page.body), []);
  }
  const all = new Map(mistakes.map(([field, text, sentence]) => [field, { text, sentence }]));
  const texts = Object.fromEntries([...all].map(([field, { text }]) => [field, text]));
  const page = await postBook(service, bookForm(slot, texts));
  const { beside, listed, heading } = mistakesIn(page.body);
  const inOrder = Object.entries(listed);
  t.strictSame(
    inOrder,
    personMembers.map((field) => [field, all.get(field)!.sentence]),
  );
  t.strictSame(beside, listed);
  t.equal(heading, '5 answers need correcting. Nothing is held yet.');
  t.match(page.body, '<title>Something needs correcting');
  t.strictSame(await context.database.selectFrom('bookings').select('id').execute(), []);
});

/** Texts that a careless page would change; each is sent with a mistake, so that it is shown again. */
const texts = [
  `"double" 'single' \`back\` «»`,
  `</textarea></form><script>alert(1)</script><!-- & &amp; &lt; &#39; -->`,
  '  \n\n  a heron',
  '\n\na heron\n\n',
  'עדה لوفلايس \u202EadA\u202C 👩🏽‍🎨🖋️🏳️‍⚧️',
  '\ta \t  b  ',
  '100% +1 a=b&c=d;e %41 %ZZ',
  "$& $1 $' $$",
];

t.test('everything typed is shown again byte for byte', async (t) => {
  for (const text of texts) {
    const line = text.replaceAll('\n', ' ');
    const typed: TypedPerson = {
      name: `${line}${'x'.repeat(121)}`,
      email: line,
      phone: line,
      pronouns: line,
      idea: text + 'x'.repeat(2001),
    };
    // Browsers send line breaks as CR LF.
    const sent = { ...typed, idea: typed.idea.replaceAll('\n', '\r\n') };
    const page = await postBook(service, bookForm(slot, sent));
    t.equal(page.statusCode, 400, text);
    t.strictSame(typedIn(page.body), typed, text);
    t.notMatch(page.body, '<script>');
  }
});

const anyText = fc.oneof(fc.string({ unit: 'binary', maxLength: 50 }), fc.string());
const spaces = fc.constantFrom('', '', ' ', '\t', '\u00A0', '\uFEFF', '\n', '\u3000');

/** A text for a field: three of four times one that is accepted, but for the spaces around it. */
function textFor(field: PersonMember): fc.Arbitrary<string> {
  const good = storedHolds.filter(({ member }) => member === field).map(({ value }) => value ?? '');
  const bad = refusedHolds
    .filter(({ member }) => member === field)
    .flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
  const odd = fc.oneof(anyText, fc.constantFrom(...bad));
  const text = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...good) }, odd);
  return fc.tuple(spaces, text, spaces).map((parts) => parts.join(''));
}

const people = fc.record<TypedPerson>({
  name: textFor('name'),
  email: textFor('email'),
  phone: textFor('phone'),
  pronouns: textFor('pronouns'),
  idea: textFor('idea'),
});

/** As a form carries a text: without unpaired surrogates; as the page reads it: trimmed. */
function asRead(typed: TypedPerson): TypedPerson {
  const read = (text: string) => Buffer.from(text).toString().replaceAll('\r\n', '\n').trim();
  return Object.fromEntries(
    personMembers.map((field) => [field, read(typed[field])]),
  ) as TypedPerson;
}

t.test('the form accepts and stores what POST /holds does of the trimmed texts', async (t) => {
  const askApi = (date: Parameters<typeof holdRequest>[0], person: object) =>
    app.inject({ method: 'POST', url: '/api/public/holds', payload: holdRequest(date, person) });
  const storedOf = async (token: string) => {
    const pending = context.database.selectFrom('bookings').where('status', '=', 'pending');
    const row = await pending.select([...personMembers]).executeTakeFirstOrThrow();
    await releaseCheckout(context, token, 'pending');
    return row;
  };
  let held = 0;
  await fc.assert(
    fc.asyncProperty(people, async (typed) => {
      const read = asRead(typed);
      // The API tells of an invisible name only where all else is right: each field is asked alone.
      const refused = [];
      for (const field of personMembers) {
        const answer = await askApi(past, { [field]: read[field] });
        if (answer.statusCode !== 409) refused.push(field);
      }
      const page = await postBook(service, bookForm(past, { ...typed }));
      const { beside } = mistakesIn(page.body);
      if (page.statusCode !== (refused.length > 0 ? 400 : 409)) return false;
      if (Object.keys(beside).join() !== refused.join()) return false;
      if (refused.length > 0) return true;

      held += 1;
      const form = await postBook(service, bookForm(slot, { ...typed }));
      if (form.statusCode !== 303) return false;
      const byForm = await storedOf(tokenOf(form));
      const answer = await askApi(slot, read);
      if (answer.statusCode !== 201) return false;
      const byApi = await storedOf(checkoutTokenOf(answer));
      return JSON.stringify(byForm) === JSON.stringify(byApi);
    }),
    { seed, numRuns: 100 },
  );
  t.ok(held > 10, `${held} were held`);
});

t.test('text that is not UTF-8 is stored as text, or shown as a mistake', async (t) => {
  const form = new URLSearchParams(bookForm(slot, { name: 'NAME' }) as Record<string, string>);
  const named = (raw: string) => form.toString().replace('NAME', raw);
  for (const raw of ['%ED%A0%BD', '%FF%FE', '%00', '%', 'Jos%E9', Buffer.from('José', 'latin1')]) {
    const sent = typeof raw === 'string' ? named(raw) : Buffer.from(named('José'), 'latin1');
    const page = await postBook(service, sent);
    t.ok([303, 400].includes(page.statusCode), `${String(raw)}: ${page.statusCode}`);
    if (page.statusCode === 303) await releaseCheckout(context, tokenOf(page), 'pending');
    else t.match(mistakesIn(page.body).beside, { name: String }, String(raw));
  }
});
