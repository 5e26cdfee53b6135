import t from 'tap';
import { durationWords, holdEndWords } from '../../src/calendar/words.js';
import { at } from './calendar-example.js';

const zone = 'America/Los_Angeles';
const words = (placedAt: string, endsAt: string) => holdEndWords(zone, at(placedAt), at(endsAt));

void t.test("the end of a hold is a time on the studio's clock", async (t) => {
  t.equal(
    words('2026-12-01T18:00:00Z', '2026-12-01T18:15:00Z'),
    "10:15 AM, the studio's time (America/Los_Angeles)",
  );
  t.equal(
    words('2026-07-01T18:00:00Z', '2026-07-01T18:15:00Z'),
    "11:15 AM, the studio's time (America/Los_Angeles)",
    'in summer',
  );
  t.equal(
    words('2026-12-01T23:50:00Z', '2026-12-02T00:05:00Z'),
    "4:05 PM, the studio's time (America/Los_Angeles)",
    'midnight elsewhere is none',
  );
});

void t.test('a hold that ends on another day than it began has its date', async (t) => {
  t.equal(
    words('2026-12-02T07:50:00Z', '2026-12-02T08:05:00Z'),
    "Wednesday, December 2 at 12:05 AM, the studio's time (America/Los_Angeles)",
  );
  t.equal(
    words('2027-01-01T07:50:00Z', '2027-01-01T08:05:00Z'),
    "Friday, January 1, 2027 at 12:05 AM, the studio's time (America/Los_Angeles)",
    'and its year, if that is another one',
  );
});

void t.test('a duration is neither rounded nor in the wrong number', async (t) => {
  t.strictSame([900, 60, 90, 1].map(durationWords), [
    '15 minutes',
    '1 minute',
    '90 seconds',
    '1 second',
  ]);
});
