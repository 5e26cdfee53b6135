import t from 'tap';
import { bookingLabel, zoneName } from '../../src/calendar/slot-label.js';

t.test('a slot label does not depend on the time zone of the process', (t) => {
  const before = process.env['TZ'];
  t.teardown(() => {
    if (before === undefined) delete process.env['TZ'];
    else process.env['TZ'] = before;
  });
  for (const zone of ['America/Los_Angeles', 'Pacific/Kiritimati', 'UTC']) {
    process.env['TZ'] = zone;
    t.equal(
      bookingLabel({ date: '2026-12-01', timeSlot: '9:00 AM' }),
      'Tuesday, December 1, 2026 at 9:00 AM',
    );
  }
  t.equal(
    bookingLabel({ date: '2028-02-29', timeSlot: '5:00 PM' }),
    'Tuesday, February 29, 2028 at 5:00 PM',
  );
  t.end();
});

t.test('a time zone is named as on that date', (t) => {
  const winter = Date.parse('2026-12-01T17:00Z');
  const summer = Date.parse('2026-07-01T17:00Z');
  t.equal(zoneName('America/Los_Angeles', winter), 'Pacific Standard Time');
  t.equal(zoneName('America/Los_Angeles', summer), 'Pacific Daylight Time');
  t.equal(zoneName('Asia/Kathmandu', winter), 'Nepal Time');
  t.throws(() => zoneName('America/Atlantis', winter), RangeError);
  t.end();
});

t.test('every time zone that Node knows has a name', (t) => {
  const zones = Intl.supportedValuesOf('timeZone');
  t.ok(zones.length > 400);
  t.strictSame(
    zones.filter((zone) => !/\S/.test(zoneName(zone, 0))),
    [],
  );
  t.end();
});
