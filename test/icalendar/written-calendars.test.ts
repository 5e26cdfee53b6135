import { readFileSync } from 'node:fs';
import t from 'tap';
import { busyIntervals } from '../../src/icalendar/read/busy-intervals.js';
import { readText } from './cases.js';

/**
 * A small calendar as a program writes it, and when it is busy between October 2026 and March 2027, for a
 * studio in Los Angeles; null where it is refused whole.
 */
interface WrittenCalendar {
  readonly id: string;
  readonly ics?: string;
  readonly base64?: string;
  readonly busy: [from: string, to: string][] | null;
}

const calendars = JSON.parse(
  readFileSync('test/icalendar/written-calendars.json', 'utf8'),
) as WrittenCalendar[];

/** Read otherwise than listed: in each of them, more is closed, by the rule that is given. */
const closesMore: Record<string, string> = {
  'D08 DTSTART date, DTEND time': 'from a date on, days are whole',
  'R12 INTERVAL=-1': 'a rule that cannot be read closes its first occurrence',
  'R38 BYMONTH=12L (leap month)': 'a rule that cannot be read closes its first occurrence',
  'E08 RECURRENCE-ID at midnight of the day': 'an instance has that time, or it is none',
  'X12 TZID quoted over the value': 'quotes that are wrong mean nothing',
};

const dayMs = 86_400_000;
const from = Date.parse('2026-10-01T07:00Z');
const to = Date.parse('2027-04-01T07:00Z');
const slotStarts = Array.from({ length: (to - from) / dayMs + 1 }, (_, day) => from + day * dayMs);

function busyIn(ics: Buffer): [number, number][] | null {
  try {
    const { events } = readText(ics, 'America/Los_Angeles');
    const limits = { slotStarts, occurrences: 100_000, isWhole: true };
    return busyIntervals(events, limits).map(({ startsAt, endsAt }) => [startsAt, endsAt]);
  } catch {
    return null;
  }
}

t.test('calendars are busy as their programs mean them', (t) => {
  for (const { id, ics = '', base64, busy } of calendars) {
    const found = busyIn(base64 === undefined ? Buffer.from(ics) : Buffer.from(base64, 'base64'));
    const listed = busy?.map(([startsAt, endsAt]) => [Date.parse(startsAt), Date.parse(endsAt)]);
    if (closesMore[id] === undefined) {
      t.strictSame(found, listed ?? null, id);
      continue;
    }
    t.notSame(found, listed, `${id}: ${closesMore[id]}`);
    for (const [startsAt = 0, endsAt = 0] of listed ?? []) {
      const isClosed = found?.some(([begins, ends]) => begins <= startsAt && endsAt <= ends);
      t.ok(isClosed, `${id} leaves no busy time open`);
    }
  }
  t.equal(calendars.length, 164);
  t.end();
});
