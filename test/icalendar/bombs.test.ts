import t from 'tap';
import { calendarLimits } from '../../src/icalendar/read/limits.js';
import { answer } from '../support/receiver.js';
import {
  calendar,
  dentist,
  dentistBusy,
  event,
  failed,
  patientLimits,
  startReader,
} from './start-reader.js';

const start = 'DTSTART:19700101T000000Z\r\nDURATION:PT1M';

function many(count: number, line: string | ((index: number) => string)): string {
  const lineAt = (index: number) => (typeof line === 'string' ? line : line(index));
  return Array.from({ length: count }, (_, index) => lineAt(index)).join('\r\n');
}

/** A property of half a million dates. */
function dates(name: string): string {
  const date = (index: number) => Date.UTC(1990, 0, 1 + (index % 9_000));
  const text = (index: number) => new Date(date(index)).toISOString().slice(0, 10);
  return `${name};VALUE=DATE:${many(540_000, text).replaceAll('-', '').replaceAll('\r\n', ',')}`;
}

/** An event in a zone that changes its offset by a rule. */
const inZone = (rule: string) => [
  'BEGIN:VTIMEZONE\r\nTZID:x\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000',
  `TZOFFSETFROM:+0100\r\nTZOFFSETTO:+0200\r\n${rule}\r\nEND:STANDARD\r\nEND:VTIMEZONE`,
  event('DTSTART;TZID=x:20261101T100000', 'DURATION:PT1H'),
  dentist,
];

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index).join(',');
const everyMinute = `RRULE:FREQ=DAILY;BYHOUR=${upTo(24)};BYMINUTE=${upTo(60)}`;
const everySecond = `${everyMinute};BYSECOND=${upTo(60)}`;

/** The components of calendars that are built to take all time or memory. */
const bombs: Record<string, () => string[]> = {
  'half a million dates': () => [event(start, dates('RDATE')), dentist],
  'half a million excluded dates': () => [event(start, dates('EXDATE')), dentist],
  'values that are empty': () => [event(start, `EXDATE:${','.repeat(4_900_000)}`), dentist],
  'a million lines': () => [many(1_000_000, 'A:'), dentist],
  'events that say nothing': () => [many(180_000, event()), dentist],
  'components in components': () => [many(250_000, 'BEGIN:A'), many(250_000, 'END:A'), dentist],
  'a long line': () => [`SUMMARY:${'x'.repeat(4_900_000)}`, dentist],
  'a long line in short pieces': () => ['SUMMARY:', many(1_200_000, ' x'), dentist],
  'a million parameters': () => [event(`DTSTART${';A=B'.repeat(1_200_000)}:20200101`), dentist],
  'every second since 1970': () => [event(start, `${everySecond};COUNT=999999999`)],
  'a zone whose rule has no date and no end': () => inZone('RRULE:FREQ=DAILY;BYMONTHDAY=-5'),
  'a zone that changes its offset every second': () => inZone(everySecond),
  years: () => [event('DTSTART:00010101T000000Z', 'DTEND:00010101T000001Z'), dentist],
};

const refusals = ['too_many_events', 'too_slow', 'too_much_memory', 'unreadable'];

const { receiver, read } = await startReader(t, {
  limits: { ...calendarLimits, processorSeconds: 1 },
});
const patient = await startReader(t);

t.test('calendars that are built to take all time or memory are read or refused', async (t) => {
  for (const [what, components] of Object.entries(bombs)) {
    receiver.behave(answer(200, {}, calendar(...components())));
    const reading = await read();
    if (reading.outcome === 'read') t.same(reading.busy, dentistBusy, what);
    else t.ok(reading.outcome === 'failed' && refusals.includes(reading.error), what);
  }
  t.match(await patient.read(), { outcome: 'read', busy: dentistBusy });
});

t.test('a calendar of more than a million occurrences is refused', async (t) => {
  const minutely = `${everyMinute};COUNT=60000`;
  const text = calendar(many(20, (index) => event(`UID:${index}`, start, minutely)));
  patient.receiver.behave(answer(200, {}, text));
  t.same(await patient.read(), failed('too_many_events'));
});

t.test('a process that takes too long is ended, and the next read works', async (t) => {
  // Each of the recurring events is compared with each of the instances.
  const text = calendar(
    many(35_000, event('UID:1', 'DTSTART:20261201T100000Z')),
    many(30_000, event('UID:1', 'RECURRENCE-ID:20261201T101010Z')),
  );
  receiver.behave(answer(200, {}, text));
  t.same(await read(), failed('too_slow'));
  patient.receiver.behave(answer(200, {}, calendar(dentist)));
  t.match(await patient.read(), { outcome: 'read', busy: dentistBusy });
});

t.test('a process that takes too much memory is ended, and the next read works', async (t) => {
  const { receiver, read } = await startReader(t, {
    limits: { ...patientLimits, heapMegabytes: 12 },
  });
  receiver.behave(answer(200, {}, calendar(many(70_000, (index) => event(`UID:${index}`)))));
  t.same(await read(), failed('too_much_memory'));
  receiver.behave(answer(200, {}, calendar(dentist)));
  t.match(await read(), { outcome: 'read', busy: dentistBusy });
});

t.test('all of that took a bounded amount of memory', (t) => {
  const megabytes = process.resourceUsage().maxRSS / 1024;
  // A calendar as bytes and as text, and this process with its own texts.
  t.ok(megabytes < 600, `${Math.round(megabytes)} MB`);
  t.end();
});
