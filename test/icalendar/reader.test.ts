import { gzipSync } from 'node:zlib';
import t from 'tap';
import { calendarLimits } from '../../src/icalendar/read/limits.js';
import { later } from '../support/clock.js';
import { answer } from '../support/receiver.js';
import {
  calendar,
  dentist,
  dentistBusy,
  event,
  failed,
  slotStarts,
  startReader,
  utc,
} from './start-reader.js';

const ours = '3f2b8c1e-7a4d-4e9b-8c6f-0d1e2f3a4b5c';
const theirs = '9a8b7c6d-5e4f-4a3b-9c2d-1e0f9a8b7c6d';
const ourEvent = event(`UID:${ours}`, 'DTSTART:20261201T170000Z');
const withOurs = answer(200, {}, calendar(ourEvent, dentist));

t.test('a calendar is fetched and read', async (t) => {
  const { receiver, read } = await startReader(t, {
    behaviour: answer(200, { etag: '"v1"' }, `\ufeff\r\n${calendar(dentist)}`),
  });
  t.same(await read(), {
    outcome: 'read',
    etag: '"v1"',
    movedTo: null,
    busy: dentistBusy,
    hasEvents: true,
    unreadable: { count: 0, lines: [] },
    zones: {},
  });
  const request = await receiver.request(1);
  const agent = { 'user-agent': /^tattoo-studio-booking-calendars\// };
  const headers = { accept: 'text/calendar', 'accept-encoding': 'gzip', ...agent };
  t.match(request, { method: 'GET', path: '/calendar.ics', headers });
  t.notOk('if-none-match' in request.headers);
});

t.test('what of a calendar was read in part, or is empty, is said', async (t) => {
  const text = calendar(dentist, event('DTSTART;TZID=Pacific Standard Time:20261131T100000'));
  const { receiver, read } = await startReader(t, { behaviour: answer(200, {}, text) });
  t.match(await read(), {
    busy: dentistBusy,
    unreadable: { count: 1, lines: [{ line: 9, reason: 'date' }] },
  });
  const inZone = event('DTSTART;TZID=Pacific Standard Time:20261201T100000', 'DURATION:PT1H');
  receiver.behave(answer(200, {}, calendar(inZone)));
  const zones = { 'Pacific Standard Time': 'America/Los_Angeles' };
  t.match(await read(), { busy: dentistBusy, hasEvents: true, zones });
  receiver.behave(answer(200, {}, calendar()));
  t.match(await read(), { outcome: 'read', busy: [], hasEvents: false });
});

t.test('a compressed body is inflated, whatever its server says of it', async (t) => {
  const { receiver, read } = await startReader(t);
  const body = gzipSync(calendar(dentist));
  for (const [coding, bytes] of [
    ['gzip', body],
    ['', body],
    ['', calendar(dentist)],
    ['deflate', calendar(dentist)],
    ['none', calendar(dentist)],
  ] as const) {
    receiver.behave(answer(200, { 'content-encoding': coding }, bytes));
    t.match(await read(), { outcome: 'read', busy: dentistBusy }, coding);
  }
});

t.test('a body that is there is read as a fetched one', async (t) => {
  const { receiver, reader } = await startReader(t);
  const findOwnIds = () => Promise.resolve([]);
  const request = { timezone: 'America/Los_Angeles', slotStarts, findOwnIds };
  const readBody = (body: string | Buffer) => reader.readBody(Buffer.from(body), request);
  const contents = { busy: dentistBusy, hasEvents: true, zones: {} };
  const unreadable = { count: 0, lines: [] };
  for (const body of [calendar(dentist), gzipSync(calendar(dentist))]) {
    t.same(await readBody(body), { outcome: 'read', ...contents, unreadable });
  }
  t.same(await readBody('{}'), failed('not_a_calendar'));
  t.same(await readBody(Buffer.alloc(20_000_001)), failed('too_large'));
  t.same(await readBody(gzipSync('').subarray(0, 5)), failed('bad_answer'));
  await reader.close();
  t.same(await readBody(calendar(dentist)), { outcome: 'aborted' }, 'closed');
  t.equal(receiver.connectionCount(), 0);
});

t.test('at most two redirects are followed, and permanent ones are told', async (t) => {
  const { receiver, read } = await startReader(t);
  const to = (status: number, path: string) => answer(status, { location: path });
  const at = (path: string) => `${receiver.origin}${path}`;
  const calendarAnswer = answer(200, {}, calendar(dentist));
  for (const [statuses, movedTo] of [
    [[301], at('/1')],
    [[308, 301], at('/1')],
    [[302], null],
    [[303, 301], null],
    [[301, 307], null],
  ] as const) {
    const count = receiver.requests.length;
    const answers = statuses.map((status, index) => to(status, `/${statuses.length - index}`));
    receiver.behave(answers[0]!, ...answers.slice(1), calendarAnswer);
    t.match(await read(), { outcome: 'read', busy: dentistBusy, movedTo }, statuses.join());
    t.equal(receiver.requests.length, count + statuses.length + 1);
  }
  receiver.behave(to(301, '/1'), to(302, '/2'), to(307, '/3'), calendarAnswer);
  t.same(await read(), failed('redirect', 307), 'a third is not followed');
});

t.test('a calendar that has not changed is not read again', async (t) => {
  const { receiver, read } = await startReader(t, { behaviour: answer(304) });
  t.same(await read({ etag: '"v1"' }), { outcome: 'unchanged' });
  t.equal((await receiver.request(1)).headers['if-none-match'], '"v1"');
  t.same(await read(), failed('status', 304), 'which only answers a condition');
  receiver.behave(answer(302, { location: '/1' }), answer(304));
  t.same(await read({ etag: '"v1"' }), { outcome: 'unchanged' }, 'after a redirect');
  t.match(await receiver.request(4), { path: '/1', headers: { 'if-none-match': '"v1"' } });
});

t.test('an entity tag is kept only if a later request can send it', async (t) => {
  const { receiver, read } = await startReader(t);
  const kept = async (etag: string) => {
    receiver.behave(answer(200, { etag }, calendar(dentist)));
    const reading = await read();
    return reading.outcome === 'read' ? reading.etag : undefined;
  };
  t.equal(await kept('W/"weak"'), 'W/"weak"');
  t.equal(await kept(`"${'x'.repeat(198)}"`), `"${'x'.repeat(198)}"`);
  t.equal(await kept(`"${'x'.repeat(199)}"`), null, 'too long');
  t.equal(await kept('"é"'), null, 'not ASCII');
});

t.test('events with the UID of a booking or closure of this service are not busy', async (t) => {
  const at = (hour: number) => `DTSTART:20261201T${hour}0000Z\r\nDURATION:PT30M`;
  const text = calendar(
    event(`UID:${ours.toUpperCase()}`, at(17)),
    event(`UID:${theirs}`, at(21)),
    event(`UID:${theirs}@example.com`, at(23)),
  );
  const { read } = await startReader(t, { behaviour: answer(200, {}, text) });
  const asked: (readonly string[])[] = [];
  const reading = await read({
    findOwnIds: (ids) => {
      asked.push(ids);
      return Promise.resolve([ours]);
    },
  });
  t.same(asked, [[ours, theirs]], 'asked once, for what may be an id');
  t.match(reading, { busy: [{ startsAt: utc(21), endsAt: utc(21, 30) }] });
});

t.test('a read rejects if ids cannot be looked for; one without ids asks nothing', async (t) => {
  const { receiver, read } = await startReader(t, { behaviour: withOurs });
  const findOwnIds = () => Promise.reject(new Error('no database'));
  await t.rejects(read({ findOwnIds }), { message: 'no database' });
  receiver.behave(answer(200, {}, calendar(dentist)));
  t.match(await read({ findOwnIds }), { outcome: 'read', busy: dentistBusy });
});

t.test('the wait for the ids is not counted as the time of reading', async (t) => {
  const limits = { ...calendarLimits, readSeconds: 6 };
  const { read } = await startReader(t, { limits, behaviour: withOurs });
  const findOwnIds = () => later(6_500).then(() => []);
  t.match(await read({ findOwnIds }), { outcome: 'read', busy: dentistBusy });
});

t.test('reads at the same time do not mix, and end with the reader', async (t) => {
  const { reader, read } = await startReader(t);
  const readings = await Promise.all(Array.from({ length: 4 }, () => read()));
  for (const reading of readings) t.match(reading, { outcome: 'read', busy: dentistBusy });
  t.match(await read({ slotStarts: [] }), { outcome: 'read', busy: [] });
  await reader.close();
  t.same(await read(), { outcome: 'aborted' }, 'closed');
});

t.test('closing ends a read that waits for a response, for a body, or for ids', async (t) => {
  for (const kind of ['hang', 'drip body'] as const) {
    const behaviour = { kind, status: 200, everyMs: 5 };
    const { receiver, reader, read } = await startReader(t, { behaviour });
    const reading = read();
    await receiver.request(1);
    await reader.close();
    t.same(await reading, { outcome: 'aborted' }, kind);
  }
  const { reader, read } = await startReader(t, { behaviour: withOurs });
  let asked = () => undefined as void;
  const isAsked = new Promise<void>((resolve) => (asked = resolve));
  const never = new Promise<readonly string[]>(() => undefined);
  const findOwnIds = () => {
    asked();
    return never;
  };
  const readings = [read({ findOwnIds }), read()];
  await isAsked;
  await reader.close();
  t.same(await Promise.all(readings), [{ outcome: 'aborted' }, { outcome: 'aborted' }]);
});
