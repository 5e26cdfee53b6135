import t from 'tap';
import { isPossiblePhone } from '../../src/domain/hold-request.js';
import { startTestService } from '../support/service.js';
import { holdRequest, someOpenSlots } from '../support/requests.js';

interface ErrorBody {
  error: { code: string; message: string; request_id: string; details?: { path: string }[] };
}

const service = await startTestService(t);

/** Everything that a hold stores. */
async function stored(): Promise<unknown> {
  const { database } = service.context;
  const bookings = await database.selectFrom('bookings').selectAll().orderBy('id').execute();
  const events = await database.selectFrom('events').selectAll().orderBy('id').execute();
  return { bookings, events };
}

t.test('invalid input in any field gets 400 with the envelope, and stores nothing', async (t) => {
  const { app, context } = service;
  const before = await stored();
  const [slot] = await someOpenSlots(context, 1);
  const valid = holdRequest(slot!, { pronouns: 'she/her', idea: 'a heron' });
  const without = (member: string) =>
    Object.fromEntries(Object.entries(valid).filter(([name]) => name !== member));
  const texts = { name: 120, pronouns: 40, idea: 2000 };

  const cases: [string, object, string][] = [
    ...['date', 'time_slot', 'name', 'email', 'phone'].map((member): [string, object, string] => [
      `no ${member}`,
      without(member),
      `body.${member}`,
    ]),
    ...Object.keys(valid).flatMap((member): [string, object, string][] => [
      [`${member} is a number`, { ...valid, [member]: 7 }, `body.${member}`],
      [`${member} is a list`, { ...valid, [member]: [] }, `body.${member}`],
      [`${member} has a null byte`, { ...valid, [member]: 'a\u0000b' }, `body.${member}`],
      [`${member} has a lone surrogate`, { ...valid, [member]: 'a\uD83Db' }, `body.${member}`],
    ]),
    ...['date', 'time_slot', 'name', 'email', 'phone'].map((member): [string, object, string] => [
      `${member} is null`,
      { ...valid, [member]: null },
      `body.${member}`,
    ]),
    ...Object.entries(texts).flatMap(([member, most]): [string, object, string][] => [
      [`${member} one too long`, { ...valid, [member]: 'x'.repeat(most + 1) }, `body.${member}`],
      [
        `${member} one emoji too long`,
        { ...valid, [member]: '🖋'.repeat(most + 1) },
        `body.${member}`,
      ],
    ]),
    ['blank name', { ...valid, name: ' \t\n' }, 'body.name'],
    ...[
      '\u200B',
      '\u200B\uFEFF \u2060',
      '\u00AD',
      '\u202E\u2066',
      '\u3164\u115F',
      '\uFE0F',
      '\u{E0041}\u{E0100}',
      '\uFFF9\uFFFB',
      '\u2800',
      '\u0085\u001B',
      '\u3000\u2028',
    ].map((name): [string, object, string] => [
      `invisible name ${encodeURI(name)}`,
      { ...valid, name },
      'body.name',
    ]),
    ['empty name', { ...valid, name: '' }, 'body.name'],
    ['no e-mail address', { ...valid, email: 'ada at example' }, 'body.email'],
    ['e-mail too long', { ...valid, email: `${'a'.repeat(243)}@example.com` }, 'body.email'],
    ['nine digits', { ...valid, phone: '555555014' }, 'body.phone'],
    ['eleven digits without 1', { ...valid, phone: '25555550142' }, 'body.phone'],
    ['letters in phone', { ...valid, phone: '555-555-HEAR' }, 'body.phone'],
    ['foreign phone', { ...valid, phone: '+44 20 7946 0958' }, 'body.phone'],
    ['no number at all', { ...valid, phone: '' }, 'body.phone'],
    ['a plus without a country', { ...valid, phone: '+503 555 0199' }, 'body.phone'],
    ['a phone that is too long', { ...valid, phone: `5035550199${' '.repeat(91)}` }, 'body.phone'],
    ...[
      '0000000000',
      '1035550199',
      '0035550199',
      '9115550199',
      '5030550199',
      '5031550199',
      '5034110199',
    ].map((phone): [string, object, string] => [
      `${phone}, which the plan cannot have`,
      { ...valid, phone },
      'body.phone',
    ]),
    ['30 February', { ...valid, date: '2026-02-30' }, 'body.date'],
    ['the year 0000', { ...valid, date: '0000-01-01' }, 'body.date'],
    ['another date form', { ...valid, date: '12/01/2026' }, 'body.date'],
    ['another time', { ...valid, time_slot: '2:00 PM' }, 'body.time_slot'],
    ['unknown member', { ...valid, artist: 'Kim' }, 'body.artist'],
    ['a member of the prototype', JSON.parse('{"constructor": 1}') as object, 'body.constructor'],
  ];
  for (const [name, payload, path] of cases) {
    const answer = await app.inject({ method: 'POST', url: '/api/public/holds', payload });
    const { error } = answer.json<ErrorBody>();
    t.equal(answer.statusCode, 400, name);
    t.equal(error.code, 'invalid_request', name);
    t.ok(error.request_id, name);
    t.ok(
      error.details?.some((detail) => detail.path === path),
      `${name}: ${JSON.stringify(error.details)}`,
    );
  }
  t.strictSame(await stored(), before);
});

t.test('a body that is not JSON, too large or of another type gets the envelope', async (t) => {
  const { app } = service;
  const before = await stored();
  const json = { 'content-type': 'application/json' };
  const cases: [string, number, string, Record<string, string>, string][] = [
    ['broken JSON', 400, 'invalid_request', json, '{"date": '],
    ['empty body', 400, 'invalid_request', json, ''],
    ['JSON with a prototype', 400, 'invalid_request', json, '{"__proto__": {"a": 1}}'],
    ['a list', 400, 'invalid_request', json, '[]'],
    ['null', 400, 'invalid_request', json, 'null'],
    ['1 MB', 413, 'payload_too_large', json, JSON.stringify({ idea: 'x'.repeat(1_000_000) })],
    ['a form', 415, 'unsupported_media_type', { 'content-type': 'text/plain' }, 'date=x'],
    ['no type', 415, 'unsupported_media_type', {}, 'date=x'],
  ];
  for (const [name, status, code, headers, payload] of cases) {
    const answer = await app.inject({
      method: 'POST',
      url: '/api/public/holds',
      headers,
      payload,
    });
    t.equal(answer.statusCode, status, name);
    t.equal(answer.json<ErrorBody>().error.code, code, name);
    t.match(answer.headers['content-type'], 'application/json', name);
  }
  t.strictSame(await stored(), before);
});

t.test('text of any script up to the limit is stored unchanged', async (t) => {
  const { app, context } = service;
  const slots = await someOpenSlots(context, 6);
  const texts = {
    emoji: '👩🏽‍🎨'.repeat(24),
    'right-to-left': 'עדה لوفلايس ‮adA‬',
    markup: `<b onload="x">'"&amp;</b>`,
    longest: '🖋'.repeat(120),
    'white space around': '  Ada  ',
    'one character': '愛',
  };
  for (const [index, [kind, name]] of Object.entries(texts).entries()) {
    const payload = holdRequest(slots[index]!, { name, pronouns: null, idea: '' });
    const answer = await app.inject({ method: 'POST', url: '/api/public/holds', payload });
    t.equal(answer.statusCode, 201, kind);
    const row = await context.database
      .selectFrom('bookings')
      .select(['name', 'idea'])
      .where('id', '=', answer.json<{ data: { id: string } }>().data.id)
      .executeTakeFirstOrThrow();
    t.strictSame(row, { name: name.trim(), idea: null }, kind);
  }
});

t.test('phone numbers in every accepted format are stored as ten digits', async (t) => {
  const { app, context } = service;
  const spellings = [
    '5555550142',
    '(555) 555-0142',
    '+1 555.555.0142',
    '1-555-555-0142',
    '[555]5550142',
    '555/555-0142',
    '\u202A+1 (555) 555-0142\u202C', // as Apple's contacts copy it
    '\u2066\u200E\uFEFF555\u200B555\u00AD0142\u2069',
    '555\u00A0555\u2009\t0142\u2028',
    '555\u2011555\u20130142',
    '555\u2212555\u20140142',
    '1\u00B7555\u2022555\uFF0E0142',
    '＋１（５５５）５５５－０１４２',
  ];
  t.ok(isPossiblePhone('1-800-411-0142'), 'toll-free, with the exchange of a service code');
  const slots = await someOpenSlots(context, spellings.length);
  const ids: string[] = [];
  for (const [index, phone] of spellings.entries()) {
    const payload = holdRequest(slots[index]!, { phone });
    const answer = await app.inject({ method: 'POST', url: '/api/public/holds', payload });
    t.equal(answer.statusCode, 201, phone);
    ids.push(answer.json<{ data: { id: string } }>().data.id);
  }
  const rows = await context.database
    .selectFrom('bookings')
    .select('phone')
    .where('id', 'in', ids)
    .execute();
  t.strictSame(
    rows.map((row) => row.phone),
    spellings.map(() => '5555550142'),
  );
});

t.test('a slot that is not open gets 409 with the reason and alternatives', async (t) => {
  const { app, context } = await startTestService(t);
  const [slot] = await someOpenSlots(context, 1);
  await context.database
    .insertInto('closures')
    .values({ from_date: slot!.date, to_date: slot!.date })
    .execute();
  await context.board.refresh();
  const cases: [string, RegExp][] = [
    ['2020-01-01', /in the past/],
    ['0001-01-01', /^Monday, January 1, 1 at .* in the past/],
    ['9999-12-31', /too far ahead/],
    [slot!.date, /closed/],
  ];
  for (const [date, reason] of cases) {
    const payload = holdRequest({ date, timeSlot: slot!.timeSlot });
    const answer = await app.inject({ method: 'POST', url: '/api/public/holds', payload });
    t.equal(answer.statusCode, 409, date);
    const { error } = answer.json<{
      error: { code: string; message: string; alternatives: unknown[] };
    }>();
    t.equal(error.code, 'slot_unavailable');
    t.match(error.message, reason);
    t.equal(error.alternatives.length, 5);
  }
});

t.test('a body that is not UTF-8 is rejected', async (t) => {
  const { app, context } = service;
  const [slot] = await someOpenSlots(context, 1);
  const text = JSON.stringify(holdRequest(slot!, { name: 'José' }));
  const hold = (encoding: 'latin1' | 'utf8') =>
    app.inject({
      method: 'POST',
      url: '/api/public/holds',
      headers: { 'content-type': 'application/json' },
      payload: Buffer.from(text, encoding),
    });
  const refused = await hold('latin1');
  t.equal(refused.statusCode, 400);
  t.match(refused.json<ErrorBody>(), {
    error: { code: 'invalid_request', details: [{ path: 'body' }] },
  });
  const held = await hold('utf8');
  t.equal(held.statusCode, 201);
  const { name } = await context.database
    .selectFrom('bookings')
    .select('name')
    .where('id', '=', held.json<{ data: { id: string } }>().data.id)
    .executeTakeFirstOrThrow();
  t.equal(name, 'José');
});
