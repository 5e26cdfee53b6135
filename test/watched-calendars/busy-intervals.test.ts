import t from 'tap';
import { busyIntervals } from '../../src/watched-calendars/busy-intervals.js';
import { readCalendarText } from '../../src/watched-calendars/calendar-text.js';
import { cases } from './cases.js';
import { calendar, dentist, dentistBusy, event, slotStarts, utc } from './start-reader.js';

/** As the cases write it. */
function busyTimes(ics: string | readonly string[], studio: string, starts = slotStarts): string {
  const text = typeof ics === 'string' && /^BEGIN:VC/.test(ics) ? ics : calendar(...[ics].flat());
  const time = (at: number) =>
    new Date(at).toISOString().slice(8, 16).replace('T', ' ').replace('01 ', '');
  try {
    const events = readCalendarText(text, studio);
    return busyIntervals(events, { slotStarts: starts, occurrences: 10_000 })
      .map(({ startsAt, endsAt }) => `${time(startsAt)}-${time(endsAt)}`)
      .join(' ');
  } catch (error) {
    // A rule without an end, for which the case is too small.
    if ((error as Error).name === 'TooManyOccurrencesError') throw error;
    return 'unreadable';
  }
}

t.test('calendars are busy when they say so, in each form that calendars use', (t) => {
  for (const [what, ics, busy, studio = 'America/Los_Angeles'] of cases) {
    t.equal(busyTimes(ics, studio), busy, what);
  }
  t.end();
});

t.test('only the intervals that decide about one of the slots are returned', (t) => {
  const [what, ics] = cases[0]!;
  for (const [starts, busy] of [
    [[utc(17)], '17:00-18:00'],
    [[utc(18)], '19:00-19:30'],
    [[utc(25)], ''],
    [[], ''],
  ] as const) {
    t.equal(busyTimes(ics, 'UTC', [...starts]), busy, what);
  }
  t.end();
});

t.test('the limit of occurrences counts those of all events', (t) => {
  const counted = event('DTSTART:20200101T000000Z', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=600');
  const events = readCalendarText(calendar(counted, counted, dentist), 'UTC');
  const limited = (occurrences: number) => busyIntervals(events, { slotStarts, occurrences });
  t.same(limited(2_410), dentistBusy);
  t.throws(() => limited(1_300), { name: 'TooManyOccurrencesError' });
  t.end();
});
