/**
 * What a hold takes and refuses, member by member. Every row is tried through `POST /holds`
 * (test/http/hold-input.test.ts), where the rules live; other entrances try a handful, to show that
 * they ask for the same and where they tell it.
 */

const missing = 'is required and missing';
const notText = 'must be a string';
const neitherTextNorNull = 'must be a string or null';
const unstorable = 'must not contain the null character (U+0000) or unpaired surrogates';
const blank = 'must not be blank';
const noDate = 'must be a date that exists in the calendar, YYYY-MM-DD';
const noDateForm =
  "must be as documented: A date that exists, `YYYY-MM-DD`, in the studio's time zone";
const noTime = 'must be one of "9:00 AM", "1:00 PM", "5:00 PM"';
const noEmail = 'must be an e-mail address';
const noPhone =
  'must be a US telephone number of ten digits, such as 503-555-0142; a person without one writes to hello@nightheron.example or calls +1 555-555-0100';
const unknown = (member: string) =>
  `is not known, so remove "${member}"; known are: date, time_slot, name, email, phone, pronouns, idea`;
const longerThan = (limit: number) => `must have at most ${limit} characters`;
/** One character too long, in UTF-16 units and in code points. */
const tooLong = (limit: number) => ['x'.repeat(limit + 1), '🖋'.repeat(limit + 1)];
const unstorableTexts = ['a\u0000b', 'a\uD83Db'];

const refused: [member: string, message: string, ...values: unknown[]][] = [
  ['date', missing, undefined],
  ['date', notText, null, 7, []],
  ['date', noDate, '2026-02-30', '0000-01-01', '0001-13-13'],
  ['date', noDateForm, '12/01/2026', '2026-12-1'],
  ['date', unstorable, ...unstorableTexts],
  ['time_slot', missing, undefined],
  ['time_slot', notText, null, 7, []],
  ['time_slot', noTime, '2:00 PM', '2 PM', ...unstorableTexts],
  ['name', missing, undefined],
  ['name', notText, null, 7, []],
  ['name', unstorable, ...unstorableTexts],
  ['name', longerThan(120), ...tooLong(120)],
  ['name', 'must not be empty', ''],
  ['name', blank, ' \t\n', '\u200B', '\u200B\uFEFF \u2060', '\u00AD', '\u202E\u2066'],
  ['name', blank, '\u3164\u115F', '\uFE0F', '\u{E0041}\u{E0100}', '\uFFF9\uFFFB', '\u2800'],
  ['name', blank, '\u0085\u001B', '\u3000\u2028'],
  ['email', missing, undefined],
  ['email', notText, null, 7, []],
  ['email', noEmail, '', 'ada', 'ada at example', ' ada@example.com'],
  ['email', unstorable, ...unstorableTexts],
  ['email', longerThan(254), `${'a'.repeat(64)}@${'b.'.repeat(93)}info`],
  ['phone', missing, undefined],
  ['phone', notText, null, 7, []],
  ['phone', unstorable, ...unstorableTexts],
  ['phone', longerThan(100), `5035550199${' '.repeat(91)}`],
  // No number; too few digits, or too many; letters; another country; a plus without a country.
  ['phone', noPhone, '', '555555014', '25555550142', '555-555-HEAR', '+44 20 7946 0958'],
  ['phone', noPhone, '+503 555 0199'],
  // What the North American plan cannot have.
  ['phone', noPhone, '0000000000', '1035550199', '0035550199', '9115550199', '5030550199'],
  ['phone', noPhone, '5031550199', '5034110199'],
  ['pronouns', neitherTextNorNull, 7, []],
  ['pronouns', unstorable, ...unstorableTexts],
  ['pronouns', longerThan(40), ...tooLong(40)],
  ['idea', neitherTextNorNull, 7, []],
  ['idea', unstorable, ...unstorableTexts],
  ['idea', longerThan(2000), ...tooLong(2000)],
  ['artist', unknown('artist'), 'Kim'],
  ['constructor', unknown('constructor'), 1],
];

/**
 * Values that are refused with 400 `invalid_request`; undefined: the member is missing. `message`: what
 * `details` says of the member, at the path `body.<member>`.
 */
export const refusedHolds = refused.flatMap(([member, message, ...values]) =>
  values.map((value) => ({ member, value, message })),
);

const longestEmail = `${'a'.repeat(64)}@${'b.'.repeat(93)}com`;

const stored: [
  member: 'name' | 'email' | 'phone' | 'pronouns' | 'idea',
  stored: string | null,
  ...values: (string | null)[],
][] = [
  ['name', '👩🏽‍🎨'.repeat(24), '👩🏽‍🎨'.repeat(24)],
  ['name', 'עדה لوفلايس ‮adA‬', 'עדה لوفلايس ‮adA‬'],
  ['name', `<b onload="x">'"&amp;</b>`, `<b onload="x">'"&amp;</b>`],
  ['name', '🖋'.repeat(120), '🖋'.repeat(120)],
  ['name', '愛', '愛', '  愛\n'],
  ['email', 'Ada.Park@Example.com', 'Ada.Park@Example.com'],
  ['email', longestEmail, longestEmail],
  ['phone', '5555550142', '5555550142', '(555) 555-0142', '+1 555.555.0142', '1-555-555-0142'],
  ['phone', '5555550142', '[555]5550142', '555/555-0142', '555\u00A0555\u2009\t0142\u2028'],
  // As Apple's contacts copy it, and what else phones put around and between digits.
  ['phone', '5555550142', '\u202A+1 (555) 555-0142\u202C'],
  ['phone', '5555550142', '\u2066\u200E\uFEFF555\u200B555\u00AD0142\u2069'],
  ['phone', '5555550142', '555\u2011555\u20130142', '555\u2212555\u20140142'],
  ['phone', '5555550142', '1\u00B7555\u2022555\uFF0E0142', '＋１（５５５）５５５－０１４２'],
  // Toll-free, with the exchange of a service code.
  ['phone', '8004110142', '1-800-411-0142'],
  ['pronouns', '👩'.repeat(40), '👩'.repeat(40)],
  ['pronouns', null, null, '', ' \n'],
  ['idea', '🖋'.repeat(2000), '🖋'.repeat(2000)],
  ['idea', 'a heron\nin flight', ' a heron\nin flight '],
  ['idea', null, null, '', ' \n'],
];

/** Values that are accepted, and the column of the same name as it is stored. */
export const storedHolds = stored.flatMap(([member, inDatabase, ...values]) =>
  values.map((value) => ({ member, value, stored: inDatabase })),
);
