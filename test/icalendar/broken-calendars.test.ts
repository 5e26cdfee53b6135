import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { busyIntervals } from '../../src/icalendar/read/busy-intervals.js';
import { holds } from '../schedule/calendar-scenarios.js';
import { readText } from './cases.js';
import { calendar, event } from './start-reader.js';

const hourMs = 3_600_000;
const hour = 'DURATION:PT1H';
const zone = [
  'BEGIN:VTIMEZONE\r\nTZID:Home\r\nX-LIC-LOCATION:Europe/Berlin',
  'BEGIN:STANDARD\r\nDTSTART:20001029T030000\r\nRRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10',
  'TZOFFSETFROM:+0200\r\nTZOFFSETTO:+0100\r\nEND:STANDARD\r\nEND:VTIMEZONE',
].join('\r\n');
const alarm = 'BEGIN:VALARM\r\nTRIGGER:-PT15M\r\nACTION:DISPLAY\r\nEND:VALARM';

/** The components of a good calendar, each with the instants at which it is busy for an hour. */
const components: readonly (readonly [text: string, ...busy: string[]])[] = [
  [zone],
  [event('UID:a', 'DTSTART:20261201T180000Z', hour, alarm), '2026-12-01T18:00Z'],
  [
    event('UID:b', 'DTSTART;TZID=Home:20261203T100000', hour, 'RRULE:FREQ=WEEKLY;COUNT=2'),
    ...['2026-12-03T09:00Z', '2026-12-10T09:00Z'],
  ],
  [event('UID:c', 'DTSTART:20261204T180000Z', hour, 'STATUS:CANCELLED')],
  [
    event('UID:d', 'SUMMARY:Lunch\\, then\r\n  more', 'DTSTART:20261205T180000Z', hour),
    '2026-12-05T18:00Z',
  ],
  ['BEGIN:VTODO\r\nUID:e\r\nDUE:20261206T180000Z\r\nEND:VTODO'],
  [
    event(
      ...['UID:f', 'DTSTART;TZID="America/New_York":20261207T100000', hour],
      'ATTENDEE;CN="Ada: Park":mailto:ada@example.com',
      'EXDATE;TZID=America/New_York:20261208T100000\r\nRRULE:FREQ=DAILY;COUNT=3',
    ),
    ...['2026-12-07T15:00Z', '2026-12-09T15:00Z'],
  ],
  [event('UID:g', 'DTSTART:20261213T180000Z', hour, 'TRANSP:TRANSPARENT')],
  [event('UID:h', alarm, 'DTSTART:20261214T180000Z', hour), '2026-12-14T18:00Z'],
];

interface Line {
  readonly text: string;
  /** Index of its component; −1 for the lines of the calendar. */
  readonly of: number;
}

const goodLines: Line[] = calendar(
  ...components.map(([text], of) => text.replace(/^|\n/g, `$&${of}|`)),
)
  .split('\r\n')
  .filter((line) => line !== '')
  .map((line) => {
    const [, of = '-1', text = ''] = /^(?:(\d)\|)?(.*)$/.exec(line) ?? [];
    return { text, of: Number(of) };
  });

const place = fc.integer({ min: 0, max: goodLines.length - 1 });
const mutation = fc.record({
  kind: fc.constantFrom('byte', 'byte', 'cut', 'double', 'move'),
  line: place,
  to: place,
  at: fc.nat(),
  byte: fc.integer({ min: 0, max: 255 }),
});
type Mutation = typeof mutation extends fc.Arbitrary<infer Value> ? Value : never;

/** The calendar after a mutation, and the components that it touched. */
function mutate({ kind, line, to, at, byte }: Mutation): { bytes: Buffer; touched: Set<number> } {
  const lines = [...goodLines];
  const touched = new Set([lines[line]!.of]);
  if (kind === 'byte') {
    const { text } = lines[line]!;
    const bytes = Buffer.from(`${text}\r\n`);
    bytes[at % bytes.length] = byte;
    // A line break between components is damaged for both, but for that after an END.
    const isJoined = at % bytes.length >= bytes.length - 2 && !text.startsWith('END:');
    if (isJoined) touched.add(lines[line + 1]?.of ?? -1);
    const before = lines.slice(0, line).map(({ text }) => `${text}\r\n`);
    const after = lines.slice(line + 1).map(({ text }) => `${text}\r\n`);
    return {
      bytes: Buffer.concat([Buffer.from(before.join('')), bytes, Buffer.from(after.join(''))]),
      touched,
    };
  }
  if (kind === 'double') lines.splice(line, 0, lines[line]!);
  const [moved] = kind === 'double' ? [] : lines.splice(line, 1);
  if (kind === 'move') {
    touched.add(lines[to - 1]?.of ?? -1).add(lines[to]?.of ?? -1);
    lines.splice(to, 0, moved!);
  }
  return { bytes: Buffer.from(lines.map(({ text }) => `${text}\r\n`).join('')), touched };
}

const slotStarts = Array.from(
  { length: 30 * 24 },
  (_, index) => Date.UTC(2026, 11, 1) + index * hourMs,
);

/** Null where it is refused whole. */
function busyIn(bytes: Buffer): ((instant: string) => boolean) | null {
  try {
    const { events } = readText(bytes, 'America/Los_Angeles');
    const busy = busyIntervals(events, { slotStarts, occurrences: 100_000, isWhole: true });
    return (instant) => {
      const at = Date.parse(instant);
      return busy.some(({ startsAt, endsAt }) => startsAt <= at && at + hourMs <= endsAt);
    };
  } catch (error) {
    assert.equal((error as Error).name, 'UnreadableCalendarError');
    return null;
  }
}

t.test('whatever happens to a part of a calendar, the other events stay busy', (t) => {
  const good = busyIn(Buffer.from(goodLines.map(({ text }) => `${text}\r\n`).join('')));
  const all = components.flatMap(([, ...busy]) => busy);
  t.ok(good !== null && all.every(good) && !good('2026-12-08T15:00Z'));
  holds(
    t,
    1_000,
    fc.property(mutation, (given) => {
      const { bytes, touched } = mutate(given);
      const isBusy = busyIn(bytes);
      // Only what is cut, or is no calendar, is refused whole.
      if (isBusy === null) return assert.ok(touched.has(-1), bytes.toString('latin1'));
      for (const [index, [text, ...busy]] of components.entries()) {
        const isTouched = touched.has(index) || (touched.has(0) && text.includes('TZID=Home'));
        if (isTouched) continue;
        assert.ok(busy.every(isBusy), `${index}\n${bytes.toString('latin1')}`);
      }
    }),
  );
  t.end();
});
