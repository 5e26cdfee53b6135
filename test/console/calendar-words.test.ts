import t from 'tap';
import { busyWords } from '../../src/console/calendars/words.js';

t.test('a busy time names its dates only where it leaves the date of the session', async (t) => {
  const session = { date: '2027-03-14', timezone: 'America/Los_Angeles' };
  const words = (startsAt: string, endsAt: string) =>
    busyWords({ startsAt: new Date(startsAt), endsAt: new Date(endsAt) }, session);
  for (const [startsAt, endsAt, expected] of [
    ['2027-03-14T14:00-07:00', '2027-03-14T16:00-07:00', '2 – 4 PM'],
    ['2027-03-14T11:30-07:00', '2027-03-14T13:00-07:00', '11:30 AM – 1 PM'],
    ['2027-03-14T20:00-07:00', '2027-03-15T00:00-07:00', 'Mar 14, 8 PM – Mar 15, 12 AM'],
    ['2027-03-13T22:00-08:00', '2027-03-14T10:00-07:00', 'Mar 13, 10 PM – Mar 14, 10 AM'],
    // The clocks go forward: the day has 23 hours.
    ['2027-03-14T00:00-08:00', '2027-03-15T00:00-07:00', 'all day'],
    ['2027-03-13T00:00-08:00', '2027-03-16T00:00-07:00', 'Mar 13 – 15, all day'],
    ['2027-03-15T00:00-07:00', '2027-03-16T00:00-07:00', 'Mar 15, all day'],
  ] as const) {
    t.equal(words(startsAt, endsAt), expected);
  }
});
