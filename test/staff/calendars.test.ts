import { readFile } from 'node:fs/promises';
import t from 'tap';
import { addCalendarFeed } from '../../src/domain/studio/calendar-feeds.js';
import type { Slot } from '../../src/schedule/slots.js';
import { shiftDatabaseClock } from '../support/clock.js';
import { hold } from '../support/holds.js';
import { answer, startReceiver } from '../support/receiver.js';
import { someOpenSlots } from '../support/requests.js';
import { generous, startService } from '../support/service.js';
import { startOver } from '../support/start-over.js';
import { findingOf, studioOn } from '../support/studio.js';
import { anyHost, turnMs } from '../support/watched-calendars.js';

const calendarType = { 'content-type': 'text/calendar' };

function allDay(uid: string, { date }: Slot): string[] {
  const day = `DTSTART;VALUE=DATE:${date.replaceAll('-', '')}`;
  return ['BEGIN:VEVENT', `UID:${uid}`, day, 'END:VEVENT'];
}

function calendarWith(...events: string[]): string {
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:x', ...events, 'END:VCALENDAR', ''].join(
    '\r\n',
  );
}

const { app, context } = await startService(t, { ...generous, ...anyHost });
const studio = studioOn(context, anyHost);
t.beforeEach(() => startOver(context));
const receiver = await startReceiver();
t.teardown(() => receiver.close());
const address = `${receiver.origin}/private/3kf9s0a7.ics`;

interface Issued {
  added: { id: string };
  url: string;
}

t.test('a feed is added, listed, rotated and removed; its address is shown once', async (t) => {
  const status = async (url: string) => (await app.inject(new URL(url).pathname)).statusCode;
  t.match(await studio('calendar feed list'), { code: 0, stdout: 'No feeds.\n' });

  const { stdout } = await studio('calendar feed add --label Phone');
  const [url = ''] =
    /^http:\/\/studio\.test\/calendar\/tsf_[0-9A-Za-z]{38}\.ics$/m.exec(stdout) ?? [];
  t.equal(await status(url), 200);
  t.match(stdout, /Anyone who has this address can read the calendar/);
  t.match(stdout, /Subscribe to it/);

  const detailed = await studio('calendar feed add --label Desk --details --json');
  const { added, url: other } = detailed.json<Issued>();
  t.strictSame(Object.keys(added).sort(), ['created_at', 'has_details', 'id', 'label']);
  const desk = { id: added.id, label: 'Desk', has_details: true };
  t.match(added, desk);
  const listed = await studio('calendar feed list --json');
  t.match(listed.json(), [desk, { label: 'Phone', has_details: false }]);
  const table = (await studio('calendar feed list')).stdout;
  t.match(table, /^ID +LABEL +SHOWS +ADDED\n[0-9a-f]{8} +Desk +names and phones .*\n.* +initials /);
  t.notMatch(listed.stdout + table, 'tsf_');

  const id = added.id.slice(0, 8);
  for (const verb of ['rotate', 'remove']) {
    const asked = { code: 4, stderr: /“Desk”.*add --yes/ };
    t.match(await studio(`calendar feed ${verb} ${id}`), asked, `${verb} asks`);
    const unknown = { code: 3, stderr: /No feed has the id 00000000/ };
    t.match(await studio(`calendar feed ${verb} 00000000 --yes`), unknown);
  }
  t.equal(await status(other), 200);
  const rotated = await studio(`calendar feed rotate ${id} --yes --json`);
  t.match(rotated.json(), { rotated: desk });
  const { url: another } = rotated.json<Issued>();
  t.strictSame([await status(other), await status(another)], [404, 200]);
  const removed = await studio(`calendar feed remove ${id} --yes`);
  t.match(removed, { code: 0, stdout: 'Removed: Desk.\n' });
  t.strictSame([await status(another), await status(url)], [404, 200]);
});

t.test('the 21st feed is refused with what to do', async (t) => {
  const feed = { label: 'Phone', hasDetails: false };
  while ((await addCalendarFeed(context, 'ada@desk', feed)).outcome !== 'refused');
  const refused = await studio('calendar feed add --label Phone');
  t.match(refused, { code: 4, stdout: '', stderr: /20 feeds already: remove one first/ });
});

t.test(
  'a calendar is added, listed, fetched and removed, and its address is never shown',
  async (t) => {
    t.match(await studio('calendar watch list'), { stdout: 'No calendars are watched.\n' });
    const slots = await someOpenSlots(context, 12);
    const [slot, own] = [slots[0]!, slots.at(-1)!];
    // As in a calendar that has the feed of this service: a session closes no slot but its own.
    const { booking } = await hold(context, own.date, own.timeSlot);
    const calendarText = calendarWith(...allDay('one', slot), ...allDay(booking.id, own));
    receiver.behave(answer(200, calendarType, calendarText));
    const written: string[] = [];
    const run = async (line: string) => {
      const outcome = await studio(`calendar watch ${line}`);
      written.push(outcome.stdout, outcome.stderr);
      return outcome;
    };
    t.match(await run(`add ${address} --label Ada`), {
      code: 0,
      stdout: /^Calendar +Ada at 127\.0\.0\.1 \([0-9a-f]{8}\)\nRead +\d{4}-.*\nBusy +1 interval\n$/,
    });
    t.match(await run(`add ${address}#x`), { code: 4, stderr: /watched already: Ada \(/ });
    const [calendar] = (await run('list --json')).json<[{ id: string }]>();
    t.match(calendar, {
      ...{ label: 'Ada', host: '127.0.0.1', busy_intervals: 1, read_at: String },
      ...{ last_error: null, problem: null },
    });
    const { id } = calendar;
    const table = /^ID +LABEL +HOST +READ +BUSY .*\n.{8} +Ada +127\.0\.0\.1 /;
    t.match((await run('list')).stdout, table);

    receiver.behave(answer(404));
    t.match(await run(`fetch ${id.slice(0, 8)}`), {
      code: 0,
      stdout: /Busy +1 interval\nProblem +There is no calendar .*\(404\)/,
    });
    t.match(await run('list'), { stdout: /\d \d\d:\d\d +There is no calendar at its address/ });
    t.match((await run(`fetch ${id} --json`)).json(), {
      fetched: { last_error: 'status', last_status_code: 404, failing_since: String },
    });
    for (const [line, code, said] of [
      [`remove ${id}`, 4, { stderr: /add --yes/ }],
      [`remove ${id} --yes`, 0, { stdout: /^Removed: Ada/ }],
      [`remove ${id} --yes`, 3, { stderr: /No watched calendar has the id/ }],
      [`fetch ${id}`, 3, { stderr: /No watched calendar has the id/ }],
    ] as const) {
      t.match(await run(line), { code, ...said }, line);
    }
    const audit = await studio('audit list --json');
    t.match(audit.json<object[]>().slice(0, 2), [
      { action: 'calendar watch remove', details: { calendar_id: id } },
      { action: 'calendar watch add', details: { calendar_id: id } },
    ]);
    written.push(audit.stdout, (await studio('events tail --no-follow')).stdout);
    t.notMatch(written.join('\n'), /3kf9s0a7/);
  },
);

t.test('an address that cannot be watched is refused with a sentence', async (t) => {
  const strict = studioOn(context, { WEBHOOK_ALLOW_PRIVATE_TARGETS: 'false' });
  const refused = await strict('calendar watch add https://127.0.0.1/a.ics');
  t.match(refused, { code: 4, stdout: '', stderr: /on the public internet/ });
  const withoutKey = studioOn(context, { ...anyHost, SECRET_KEY: 'x'.repeat(40) });
  const outcome = await withoutKey('calendar watch add https://example.com/a.ics');
  t.match(outcome, { code: 1, stderr: /SECRET_KEY is not the key/ });
  t.strictSame((await studio('calendar watch list --json')).json(), []);
});

t.test(
  'a file or an address is read as a watched calendar would be, and nothing is stored',
  async (t) => {
    const folder = t.testdir({
      'ada.ics': calendarWith(
        'BEGIN:VEVENT\r\nUID:1\r\nDTSTART;TZID=Eastern Standard Time:20261203T130000',
        'DURATION:PT1H\r\nEND:VEVENT',
        'BEGIN:VEVENT\r\nUID:2\r\nDTSTART:20261131T130000Z\r\nSUMMARY:Secret\r\nEND:VEVENT',
      ),
      'cut.ics': 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n',
    });
    const checked = {
      busy: [{ starts_at: '2026-12-03T18:00:00.000Z', ends_at: '2026-12-03T19:00:00.000Z' }],
      slots: [{ date: '2026-12-03', time_slot: '9:00 AM' }],
      unreadable: [{ line: 11, reason: 'date' }],
      zones: { 'Eastern Standard Time': 'America/New_York' },
    };
    const file = `${folder}/ada.ics`;
    const dates = '--from 2026-12-01 --to 2026-12-31';
    t.strictSame((await studio(`calendar watch check ${file} ${dates} --json`)).json(), checked);
    const inBlock = await studio(`calendar watch check ${file} ${dates}`);
    t.equal(
      inBlock.stdout,
      [
        'Busy: 1 interval (times in America/Los_Angeles)',
        '  2026-12-03 10:00 to 2026-12-03 11:00',
        'Closes: 1 session',
        '  2026-12-03 at 9:00 AM',
        'Cannot be read: 1 line',
        '  line 11: a date or time',
        'Time zones:',
        '  Eastern Standard Time  America/New_York',
        '',
      ].join('\n'),
    );
    const later = await studio(`calendar watch check ${file} --from 2026-12-04 --json`);
    t.match(later.json(), { busy: [], slots: [] });

    receiver.behave(answer(200, calendarType, await readFile(file)));
    t.strictSame((await studio(`calendar watch check ${address} ${dates} --json`)).json(), checked);
    receiver.behave(answer(404));
    const refusals = [
      [`check ${address}`, 4, /\(404\)/],
      [`check ${folder}/cut.ics`, 4, /its end is missing/],
      [`check ${folder}/no.ics`, 3, /cannot be opened/],
      ['check ftp://x', 3, /cannot be opened/],
    ] as const;
    for (const [command, code, stderr] of refusals) {
      t.match(await studio(`calendar watch ${command}`), { code, stdout: '', stderr }, command);
    }
    t.match(await studio('calendar watch list'), { stdout: 'No calendars are watched.\n' });
  },
);

t.test('why a session is closed is told: by whom, and when they are busy', async (t) => {
  const [slot] = await someOpenSlots(context, 1);
  const { date, timeSlot } = slot!;
  const why = (...more: string[]) => studio(`calendar why ${date}`, timeSlot, ...more);
  t.equal((await why()).stdout, `${date} at ${timeSlot}: can be booked.\n`);
  receiver.behave(answer(200, calendarType, calendarWith(...allDay('1', slot!))));
  await studio(`calendar watch add ${address} --label Ada`);
  await studio(`closures add ${date} --reason Ill`);
  const [first, closure, calendar, ...others] = (await why()).stdout.split('\n');
  t.equal(first, `${date} at ${timeSlot}: is closed.`);
  t.match(closure, new RegExp(`^  Closure [0-9a-f]{8}, ${date}: Ill$`));
  t.match(
    calendar,
    new RegExp(`^  Watched calendar Ada \\([0-9a-f]{8}\\), busy ${date} 0\\d:00 to `),
  );
  t.strictSame(others, ['']);
  t.match((await why('--json')).json(), {
    state: 'closed',
    in_week: true,
    closures: [{ from_date: date, reason: 'Ill' }],
    busy: [{ label: 'Ada', starts_at: String }],
  });
});

t.test(
  'doctor warns of calendars that were never read or fail for two hours, and of those that no process fetches',
  async (t) => {
    const expectFinding = async (status: string, message: string | RegExp) =>
      t.match(await findingOf(studio, 'calendars'), { status, message });
    await expectFinding('ok', 'No calendars are watched.');
    receiver.behave(answer(500));
    const refused = await studio(`calendar watch add ${address} --label Ada`);
    t.match(refused, { code: 4, stdout: '', stderr: /cannot be read: Its server fails \(500\)\./ });
    await expectFinding('ok', 'No calendars are watched.');
    const adding = await studio(`calendar watch add ${address} --label Ada --anyway --json`);
    const fetch = `calendar watch fetch ${adding.json<Issued>().added.id}`;
    const never = 'It has never been read; it closes nothing.';
    await expectFinding('warning', `Ada: ${never} Its server fails (500).`);
    t.match((await studio('calendar watch list')).stdout, never);
    receiver.behave(answer(200, calendarType, calendarWith()));
    await studio(fetch);
    receiver.behave(answer(500));
    await studio(fetch);
    await expectFinding('ok', '1 watched calendar, all read.');
    await shiftDatabaseClock(context.database, 25 * 60_000);
    await expectFinding('ok', /^1 watched calendar/);
    await shiftDatabaseClock(context.database, turnMs + 30 * 60_000);
    const late = /^Not fetched for 30 minutes: Ada\. Start a process with ROLE=/;
    await expectFinding('warning', late);
    await shiftDatabaseClock(context.database, 2 * 3_600_000 + 60_000);
    await studio(fetch);
    await expectFinding('warning', 'Ada could not be read for two hours: Its server fails (500).');
    const events = await studio('events tail --no-follow --limit 1 --json');
    t.match(JSON.parse(events.stdout), { type: 'calendar.failing', booking_id: null });
    receiver.behave(answer(200, calendarType, calendarWith()));
    await studio(fetch);
    await expectFinding('ok', /^1 watched calendar/);
  },
);
