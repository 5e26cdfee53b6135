import t from 'tap';
import { storedBookings } from '../support/bookings.js';
import { refusedHolds, storedHolds } from '../support/hold-cases.js';
import { holdRequest, someOpenSlots } from '../support/requests.js';
import { startService } from '../support/service.js';

interface ErrorBody {
  error: { message: string; details?: { path: string; message: string }[] };
}

const service = await startService(t);
const { app, context } = service;
const { database } = context;
const slots = await someOpenSlots(context, storedHolds.length + 3);
const slot = slots.pop()!;

function send(
  payload: object | string | Buffer,
  headers: Record<string, string> = { 'content-type': 'application/json' },
) {
  return app.inject({ method: 'POST', url: '/api/public/holds', headers, payload });
}

/** In letters that any terminal shows. */
function titleOf(member: string, value: unknown): string {
  return `${member} ${encodeURI(JSON.stringify(String(value).slice(0, 30)))}`;
}

t.test('invalid input gets 400 with the member and its rule, and stores nothing', async (t) => {
  const before = await storedBookings(context);
  const valid = holdRequest(slot, { pronouns: 'she/her', idea: 'a heron' });
  for (const { member, value, message } of refusedHolds) {
    const answer = await send({ ...valid, [member]: value });
    const { error } = answer.json<ErrorBody>();
    const title = titleOf(member, value);
    t.equal(answer.statusCode, 400, title);
    t.match(error, { code: 'invalid_request', request_id: /./ }, title);
    t.strictSame(error.details, [{ path: `body.${member}`, message }], title);
    t.match(error.message, `body.${member} ${message}`, title);
  }
  const two = await send({ ...valid, name: '\u200B', phone: '1' });
  const details = [{ path: 'body.name' }, { path: 'body.phone' }];
  t.match(two.json(), { error: { details } }, 'two at once');
  const all = await send({});
  t.match(
    all.json<ErrorBody>().error.message,
    /date is required and missing; body.time_slot .*; body.name is required and missing; and more\./,
  );
  t.strictSame(await storedBookings(context), before);
});

t.test('a body that is not a JSON object gets the envelope, and stores nothing', async (t) => {
  const before = await storedBookings(context);
  const json = { 'content-type': 'application/json' };
  const latin1 = Buffer.from(JSON.stringify(holdRequest(slot, { name: 'José' })), 'latin1');
  const large = JSON.stringify({ idea: 'x'.repeat(1_000_000) });
  const cases: [string, number, string, Record<string, string>, string | Buffer][] = [
    ['broken JSON', 400, 'invalid_request', json, '{"date": '],
    ['empty body', 400, 'invalid_request', json, ''],
    ['JSON with a prototype', 400, 'invalid_request', json, '{"__proto__": {"a": 1}}'],
    ['a list', 400, 'invalid_request', json, '[]'],
    ['null', 400, 'invalid_request', json, 'null'],
    ['not UTF-8', 400, 'invalid_request', json, latin1],
    ['1 MB', 413, 'payload_too_large', json, large],
    ['a form', 415, 'unsupported_media_type', { 'content-type': 'text/plain' }, 'date=x'],
    ['no type', 415, 'unsupported_media_type', {}, 'date=x'],
  ];
  for (const [name, status, code, headers, payload] of cases) {
    const answer = await send(payload, headers);
    t.match(answer, { statusCode: status, headers: { 'content-type': /json/ } }, name);
    t.match(answer.json(), { error: { code } }, name);
  }
  const { details } = (await send(latin1)).json<ErrorBody>().error;
  t.match(details, [{ path: 'body' }], 'what is not UTF-8 is the body');
  t.strictSame(await storedBookings(context), before);
});

t.test('text of any script is stored as it is, trimmed, and a phone as ten digits', async (t) => {
  const { date: _, time_slot: __, ...person } = holdRequest(slot);
  for (const [index, { member, value, stored }] of storedHolds.entries()) {
    const title = titleOf(member, value);
    const answer = await send(holdRequest(slots[index]!, { [member]: value }));
    t.equal(answer.statusCode, 201, `${title} ${answer.body.slice(0, 300)}`);
    const row = await database
      .selectFrom('bookings')
      .select(['name', 'email', 'phone', 'pronouns', 'idea'])
      .where('id', '=', answer.json<{ data: { id: string } }>().data.id)
      .executeTakeFirstOrThrow();
    t.strictSame(row, { ...person, pronouns: null, idea: null, [member]: stored }, title);
  }
});

t.test('a slot that is not open gets 409 with the reason and alternatives', async (t) => {
  const closed = slots.at(-1)!;
  const closure = { from_date: closed.date, to_date: closed.date };
  await database.insertInto('closures').values(closure).execute();
  await context.board.refresh();
  const cases: [string, RegExp][] = [
    ['2020-01-01', /in the past/],
    ['0001-01-01', /^Monday, January 1, 1 at .* in the past/],
    ['9999-12-31', /too far ahead/],
    [closed.date, /closed/],
  ];
  for (const [date, reason] of cases) {
    const answer = await send(holdRequest({ date, timeSlot: closed.timeSlot }));
    t.equal(answer.statusCode, 409, date);
    const alternatives = { length: 5 };
    t.match(answer.json(), { error: { code: 'slot_unavailable', message: reason, alternatives } });
  }
});
