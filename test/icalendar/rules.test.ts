import t from 'tap';
import { createOccurrenceBudget } from '../../src/icalendar/read/limits.js';
import { ruleTimes } from '../../src/icalendar/read/rule-times.js';
import { parseRule } from '../../src/icalendar/read/rule.js';

const dayMs = 86_400_000;

/** The rule's first times as `YYYY-MM-DDTHH:MM`. */
function timesOf(text: string, start: string, count: number, from = start): string[] {
  const { rule } = parseRule(text);
  const startMs = Date.parse(`${start}Z`);
  const range = { from: Date.parse(`${from}Z`), to: startMs + 40 * 366 * dayMs };
  const budget = createOccurrenceBudget(1_000_000);
  const times: string[] = [];
  for (const local of ruleTimes(rule, { start: startMs, isDate: false }, range, budget)) {
    if (local < range.from) continue;
    if (times.push(new Date(local).toISOString().slice(0, 16)) === count) break;
  }
  return times;
}

/**
 * Examples of RFC 5545, 3.8.5.3, of RFC 7529, 4.1, and of parts that mean nothing there: the rule, its
 * start, and its first dates; then usual forms, as ical.js has them.
 */
const examples = `
FREQ=YEARLY;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA | 1998-01-31 | 1998-01-31 1999-01-01
FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=MO,WE,FR | 1997-09-01 | 1997-09-01 1997-09-03 1997-09-05 1997-09-15 1997-09-17 1997-09-19 1997-09-29 1997-10-01
FREQ=MONTHLY;BYMONTHDAY=-3 | 1997-09-28 | 1997-09-28 1997-10-29 1997-11-28 1997-12-29
FREQ=MONTHLY;BYMONTHDAY=1,-1 | 1997-09-30 | 1997-09-30 1997-10-01 1997-10-31 1997-11-01
FREQ=MONTHLY;INTERVAL=18;BYMONTHDAY=10,11,12,13,14,15 | 1997-09-10 | 1997-09-10 1997-09-11 1997-09-12 1997-09-13 1997-09-14 1997-09-15 1999-03-10 1999-03-11
FREQ=YEARLY;INTERVAL=3;BYYEARDAY=1,100,200 | 1997-01-01 | 1997-01-01 1997-04-10 1997-07-19 2000-01-01 2000-04-09 2000-07-18 2003-01-01
FREQ=YEARLY;BYDAY=20MO | 1997-05-19 | 1997-05-19 1998-05-18 1999-05-17
FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO | 1997-05-12 | 1997-05-12 1998-05-11 1999-05-17
FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13 | 1997-09-02 | 1998-02-13 1998-03-13 1998-11-13 1999-08-13
FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13 | 1997-09-13 | 1997-09-13 1997-10-11 1997-11-08 1997-12-13
FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8 | 1996-11-05 | 1996-11-05 2000-11-07 2004-11-02
FREQ=MONTHLY;BYDAY=TU,WE,TH;BYSETPOS=3 | 1997-09-04 | 1997-09-04 1997-10-07 1997-11-06
FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2 | 1997-09-29 | 1997-09-29 1997-10-30 1997-11-27 1997-12-30 1998-01-29 1998-02-26 1998-03-30
FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=MO | 1997-08-05 | 1997-08-05 1997-08-10 1997-08-19
FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU | 1997-08-05 | 1997-08-05 1997-08-17 1997-08-19
FREQ=MONTHLY;SKIP=FORWARD | 2027-01-31 | 2027-01-31 2027-03-01 2027-03-31 2027-05-01
FREQ=MONTHLY;SKIP=BACKWARD;BYMONTHDAY=31 | 2027-01-31 | 2027-01-31 2027-02-28 2027-03-31 2027-04-30
FREQ=YEARLY;SKIP=FORWARD | 2024-02-29 | 2024-02-29 2025-03-01 2026-03-01 2027-03-01 2028-02-29
FREQ=YEARLY;SKIP=BACKWARD;BYMONTH=2,4;BYMONTHDAY=30 | 2027-02-28 | 2027-02-28 2027-04-30 2028-02-29
FREQ=DAILY;BYYEARDAY=1;BYWEEKNO=1 | 2027-01-31 | 2027-01-31 2027-02-01
FREQ=YEARLY;BYDAY=-1MO | 1998-12-28 | 1998-12-28 1999-12-27 2000-12-25 2001-12-31
FREQ=YEARLY;INTERVAL=2;BYDAY=-2WE | 2025-12-24 | 2025-12-24 2027-12-22 2029-12-19 2031-12-24 2033-12-21
FREQ=YEARLY;BYMONTH=3,11;BYDAY=-2WE | 2026-03-18 | 2026-03-18 2026-11-18 2027-03-24 2027-11-17 2028-03-22
FREQ=YEARLY;BYMONTH=4;BYDAY=MO,SU | 2027-04-25 | 2027-04-25 2027-04-26 2028-04-02 2028-04-03 2028-04-09
FREQ=DAILY;INTERVAL=3;BYDAY=MO,SU;BYMONTH=1,12 | 2026-12-07 | 2026-12-07 2026-12-13 2026-12-28 2027-01-03 2027-01-18 2027-01-24 2027-12-05
FREQ=WEEKLY;INTERVAL=3;BYDAY=SU,TU | 2026-12-27 | 2026-12-27 2027-01-12 2027-01-17 2027-02-02 2027-02-07
FREQ=MONTHLY;INTERVAL=2;BYDAY=5SU | 2026-03-29 | 2026-03-29 2026-05-31 2026-11-29 2027-01-31 2027-05-30 2028-01-30
FREQ=MONTHLY;INTERVAL=3 | 2026-08-31 | 2026-08-31 2027-05-31 2027-08-31 2028-05-31 2028-08-31
FREQ=MONTHLY;BYMONTHDAY=30,31 | 2026-12-30 | 2026-12-30 2026-12-31 2027-01-30 2027-01-31 2027-03-30`;

t.test('rules have the dates that the standards list for them', (t) => {
  for (const line of examples.trim().split('\n')) {
    const [rule, start, listed] = line.split(' | ') as [string, string, string];
    const times = listed.split(' ').map((date) => `${date}T09:00`);
    t.same(timesOf(rule, `${start}T09:00`, times.length), times, rule);
    const later = times.slice(2);
    if (later[0] !== undefined) {
      t.same(timesOf(rule, `${start}T09:00`, later.length, later[0]), later, `${rule}, later`);
    }
  }
  t.end();
});

t.test('rules have the times of day that RFC 5545 lists for them', (t) => {
  const start = '1997-09-02T09:00';
  const on = (...times: string[]) => times.map((time) => `1997-09-02T${time}`);
  const daily = timesOf('FREQ=DAILY;BYHOUR=9,10;BYMINUTE=0,20,40', start, 7);
  const times = on('09:00', '09:20', '09:40', '10:00', '10:20', '10:40');
  t.same(daily, [...times, '1997-09-03T09:00']);
  t.same(timesOf('FREQ=DAILY;BYHOUR=9,10;BYMINUTE=0,20,40;BYSETPOS=-1,2', start, 3), [
    ...on('09:20', '10:40'),
    '1997-09-03T09:20',
  ]);
  const twice = timesOf('FREQ=WEEKLY;BYSECOND=0,30', start, 3);
  t.same(twice, [...on('09:00', '09:00'), '1997-09-09T09:00']);
  t.end();
});

t.test(
  'a rule that is no rule, repeats within a day, or changes dates by an extension, is refused',
  (t) => {
    const broken =
      'FREQ=SOMETIMES BYDAY=MO FREQ=DAILY;COUNT=0 FREQ=DAILY;INTERVAL=x FREQ=WEEKLY;BYDAY=XX ' +
      'FREQ=MONTHLY;BYMONTHDAY=32 FREQ=YEARLY;BYMONTH=13 FREQ=DAILY;WKST=1 ' +
      'FREQ=HOURLY;INTERVAL=3 FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10 FREQ=SECONDLY;COUNT=2 ' +
      'FREQ=YEARLY;RSCALE=HEBREW;BYMONTH=5 FREQ=YEARLY;RSCALE=GREGORIAN;SKIP=LATER ' +
      `FREQ=YEARLY;BYYEARDAY=${'1,'.repeat(6_000)}1`;
    for (const text of ['', ...broken.split(' ')])
      t.throws(() => parseRule(text), { name: 'UnreadableCalendarError' }, text);
    t.doesNotThrow(() => parseRule('freq=daily;interval=0;x-other=1;'));
    t.end();
  },
);
