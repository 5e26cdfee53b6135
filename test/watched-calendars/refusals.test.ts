import t from 'tap';
import { calendarLimits } from '../../src/watched-calendars/limits.js';
import { answer, type Behaviour } from '../support/receiver.js';
import { calendar, dentist, dentistBusy, event, failed, startReader } from './start-reader.js';

const start = 'DTSTART:20200101T000000Z\r\nDURATION:PT1H';

t.test('only a response of 200 is a calendar', async (t) => {
  const { receiver, read } = await startReader(t);
  for (const status of [201, 204, 206, 401, 403, 404, 410, 429, 500, 503]) {
    receiver.behave(answer(status, {}, status === 204 ? '' : calendar(dentist)));
    t.same(await read(), failed('status', status));
  }
});

t.test('redirects are not followed', async (t) => {
  const { receiver, read } = await startReader(t);
  for (const status of [301, 302, 303, 307, 308]) {
    receiver.behave(answer(status, { location: `${receiver.origin}/else` }));
    t.same(await read(), failed('redirect', status));
  }
  t.equal(receiver.requests.length, 5);
});

t.test('a login page or any other text is no calendar', async (t) => {
  const { receiver, read } = await startReader(t);
  const texts = ['<!doctype html><title>Sign in</title>', '{}', '', 'BEGIN:VCARD\r\nEND:VCARD\r\n'];
  for (const text of [...texts, 'BEGIN:VCALENDARS\r\n', '\0'.repeat(20)]) {
    receiver.behave(answer(200, { 'content-type': 'text/calendar' }, text));
    t.same(await read(), failed('not_a_calendar'));
  }
});

t.test('a body of more than 5 MB is not read to its end', async (t) => {
  const { receiver, read } = await startReader(t);
  const padding = 5_000_000 - calendar(dentist, 'X-A:').length;
  const full = calendar(dentist, `X-A:${'x'.repeat(padding)}`);
  t.equal(full.length, 5_000_000);
  receiver.behave(answer(200, {}, full));
  t.match(await read(), { outcome: 'read', busy: dentistBusy });
  receiver.behave(answer(200, {}, `${full}\n`));
  t.same(await read(), failed('too_large'), 'one byte too long, and said so');
  receiver.behave(answer(200, { 'transfer-encoding': 'chunked' }, `${full}\n`));
  t.same(await read(), failed('too_large'), 'and not said');
  receiver.behave({ kind: 'raw', bytes: 'HTTP/1.1 200 OK\r\ncontent-length: 5000001\r\n\r\n' });
  t.same(await read(), failed('too_large'), 'before any of it has come');
  receiver.behave({ kind: 'gigabyte', status: 200 });
  t.same(await read(), failed('too_large'));
  t.ok(receiver.bodyBytesSent() < 100_000_000, `${receiver.bodyBytesSent()} bytes`);
});

t.test('a body with an encoding is refused: it could unpack to any size', async (t) => {
  const { receiver, read } = await startReader(t);
  receiver.behave(answer(200, { 'content-encoding': 'gzip' }, calendar(dentist)));
  t.same(await read(), failed('bad_answer'));
  receiver.behave(answer(200, { 'content-encoding': 'Identity' }, calendar(dentist)));
  t.match(await read(), { outcome: 'read' });
});

t.test('a response that never ends fails with timeout', async (t) => {
  const slow: Behaviour[] = [
    { kind: 'hang' },
    { kind: 'drip head', everyMs: 5 },
    { kind: 'drip body', status: 200, everyMs: 5 },
  ];
  for (const behaviour of slow) {
    const limits = { ...calendarLimits, fetchSeconds: 0.3 };
    const { receiver, read } = await startReader(t, { behaviour, limits });
    t.same(await read(), failed('timeout'), behaviour.kind);
    await (
      await receiver.request(1)
    ).closed;
  }
});

t.test('a response that breaks off or is not HTTP says how', async (t) => {
  const { receiver, read } = await startReader(t);
  receiver.behave({ kind: 'reset' });
  t.same(await read(), failed('connection_lost'));
  receiver.behave({ kind: 'raw', bytes: 'HELLO\r\n\r\n' });
  t.same(await read(), failed('bad_answer'));
  const { port } = receiver;
  await receiver.close();
  t.same(await read({ address: `http://127.0.0.1:${port}/` }), failed('connection_refused'));
});

t.test('a broken line, component, date or rule makes a calendar unreadable', async (t) => {
  const { receiver, read } = await startReader(t);
  const broken = {
    'line without a value': calendar('X-NOTHING', dentist),
    'quote without an end': calendar(event('UID:1', 'DTSTART;TZID="x:20261201T180000')),
    'end of the text': calendar(dentist).slice(0, -20),
    'component without an end': calendar('BEGIN:VEVENT', 'UID:1'),
    'line after the end': `${calendar(dentist)}UID:1\r\n`,
    'date that does not exist': calendar(event('DTSTART:20260231T100000Z')),
    'date with letters': calendar(event('DTSTART:tomorrow')),
    'time that does not exist': calendar(event('DTSTART:20261201T250000Z')),
    duration: calendar(event('DTSTART:20261201T180000Z', 'DURATION:1H')),
    rule: calendar(event(start, 'RRULE:FREQ=SOMETIMES')),
    'end of a rule': calendar(event(start, 'RRULE:FREQ=DAILY;UNTIL=never')),
    'excluded date': calendar(event(start, 'RRULE:FREQ=DAILY', 'EXDATE:x')),
    period: calendar(event(start, 'RDATE;VALUE=PERIOD:20261201T180000Z/x')),
    'offset of a zone': calendar(
      'BEGIN:VTIMEZONE\r\nTZID:x\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000',
      'TZOFFSETFROM:0\r\nTZOFFSETTO:1\r\nEND:STANDARD\r\nEND:VTIMEZONE',
      event('DTSTART;TZID=x:20261201T100000', 'DURATION:PT1H'),
    ),
  };
  for (const [what, text] of Object.entries(broken)) {
    receiver.behave(answer(200, {}, text));
    t.same(await read(), failed('unreadable'), what);
  }
});
