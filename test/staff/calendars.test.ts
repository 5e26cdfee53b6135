import t from 'tap';
import { addCalendarFeed } from '../../src/domain/calendar-feeds.js';
import { shiftDatabaseClock } from '../support/clock.js';
import { answer, startReceiver } from '../support/receiver.js';
import { someOpenSlots } from '../support/requests.js';
import { generous, startService } from '../support/service.js';
import { findingOf, studioOn } from '../support/studio.js';
import { anyHost, turnMs } from '../support/watched-calendars.js';

const calendarType = { 'content-type': 'text/calendar' };

function calendarWith(...events: string[]): string {
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:x', ...events, 'END:VCALENDAR', ''].join(
    '\r\n',
  );
}

const { app, context } = await startService(t, { ...generous, ...anyHost });
const studio = studioOn(context, anyHost);
const receiver = await startReceiver();
t.teardown(() => receiver.close());
const address = `${receiver.origin}/private/3kf9s0a7.ics`;

interface Issued {
  added?: { id: string; label: string };
  rotated?: { id: string };
  url: string;
}

const feedAddress = /^http:\/\/studio\.test\/calendar\/tsf_[0-9A-Za-z]{38}\.ics$/m;

t.test('a feed is added, listed, rotated and removed; its address is shown once', async (t) => {
  const status = async (url: string) => (await app.inject(new URL(url).pathname)).statusCode;
  t.match(await studio('calendar', 'feed', 'list'), { code: 0, stdout: 'No feeds.\n' });

  const shown = await studio('calendar', 'feed', 'add', '--label', 'Phone');
  t.match(shown, { code: 0, stdout: feedAddress });
  t.match(shown.stdout, /Anyone who has this address can read the calendar/);
  t.match(shown.stdout, /Subscribe to it/);
  const [url = ''] = feedAddress.exec(shown.stdout) ?? [];
  t.equal(await status(url), 200);

  const detailed = await studio(
    'calendar',
    'feed',
    'add',
    '--label',
    'Desk',
    '--details',
    '--json',
  );
  const { added, url: other } = detailed.json<Issued>();
  t.strictSame(Object.keys(added!).sort(), ['created_at', 'has_details', 'id', 'label']);
  t.match(added, { label: 'Desk', has_details: true });
  t.equal(await status(other), 200);

  const listed = await studio('calendar', 'feed', 'list', '--json');
  t.match(listed.json(), [
    { id: added!.id, label: 'Desk', has_details: true },
    { label: 'Phone', has_details: false },
  ]);
  const table = (await studio('calendar', 'feed', 'list')).stdout;
  t.match(table, /^ID +LABEL +SHOWS +ADDED\n[0-9a-f]{8} +Desk +names and phones .*\n.* +initials /);
  t.notMatch(listed.stdout + table, 'tsf_');

  const short = added!.id.slice(0, 8);
  for (const verb of ['rotate', 'remove']) {
    const refused = await studio('calendar', 'feed', verb, short);
    t.match(refused, { code: 4, stderr: /“Desk”.*add --yes/ }, `${verb} asks`);
    t.match(await studio('calendar', 'feed', verb, '00000000', '--yes'), {
      code: 3,
      stderr: /No feed has the id 00000000/,
    });
  }
  t.equal(await status(other), 200);
  const rotated = await studio('calendar', 'feed', 'rotate', short, '--yes', '--json');
  const { url: another } = rotated.json<Issued>();
  t.match(rotated.json(), { rotated: { id: added!.id, label: 'Desk', has_details: true } });
  t.strictSame([await status(other), await status(another)], [404, 200]);
  const removed = await studio('calendar', 'feed', 'remove', short, '--yes');
  t.match(removed, { code: 0, stdout: 'Removed: Desk.\n' });
  t.strictSame([await status(another), await status(url)], [404, 200]);
});

t.test('the 21st feed is refused with what to do', async (t) => {
  const feed = { label: 'Phone', hasDetails: false };
  while ((await addCalendarFeed(context, 'ada@desk', feed)).outcome !== 'refused');
  const refused = await studio('calendar', 'feed', 'add', '--label', 'Phone');
  t.match(refused, { code: 4, stdout: '', stderr: /20 feeds already: remove one first/ });
});

t.test(
  'a calendar is added, listed, fetched and removed, and its address is never shown',
  async (t) => {
    t.match(await studio('calendar', 'watch', 'list'), {
      code: 0,
      stdout: 'No calendars are watched.\n',
    });
    const [slot] = await someOpenSlots(context, 1);
    const event = [
      'BEGIN:VEVENT',
      'UID:one',
      `DTSTART;VALUE=DATE:${slot!.date.replaceAll('-', '')}`,
      'END:VEVENT',
    ];
    receiver.behave(answer(200, calendarType, calendarWith(...event)));
    const written: string[] = [];
    const run = async (...args: string[]) => {
      const outcome = await studio('calendar', 'watch', ...args);
      written.push(outcome.stdout, outcome.stderr);
      return outcome;
    };
    t.match(await run('add', address, '--label', 'Ada'), {
      code: 0,
      stdout: /^Calendar +Ada at 127\.0\.0\.1 \([0-9a-f]{8}\)\nRead +\d{4}-.*\nBusy +1 interval\n$/,
    });
    t.match(await run('add', `${address}#x`), { code: 4, stderr: /watched already: Ada \(/ });
    const listed = await run('list', '--json');
    const [calendar] = listed.json<{ id: string }[]>();
    t.match(calendar, {
      label: 'Ada',
      host: '127.0.0.1',
      busy_intervals: 1,
      read_at: String,
      last_error: null,
      problem: null,
    });
    t.match(
      (await run('list')).stdout,
      /^ID +LABEL +HOST +READ +BUSY .*\n.{8} +Ada +127\.0\.0\.1 /,
    );

    receiver.behave(answer(404));
    const fetched = await run('fetch', calendar!.id.slice(0, 8));
    t.match(fetched, {
      code: 0,
      stdout: /Busy +1 interval\nProblem +There is no calendar .*\(404\)/,
    });
    t.match(await run('list'), { stdout: /\d \d\d:\d\d +There is no calendar at its address/ });
    t.match((await run('fetch', calendar!.id, '--json')).json(), {
      fetched: { last_error: 'status', last_status_code: 404, failing_since: String },
    });
    t.match(await run('remove', calendar!.id), { code: 4, stderr: /add --yes/ });
    t.match(await run('remove', calendar!.id, '--yes'), { code: 0, stdout: /^Removed: Ada/ });
    for (const args of [
      ['remove', calendar!.id, '--yes'],
      ['fetch', calendar!.id],
    ]) {
      t.match(await run(...args), { code: 3, stderr: /No watched calendar has the id/ });
    }
    const audit = await studio('audit', 'list', '--json');
    t.match(audit.json<object[]>().slice(0, 2), [
      { action: 'calendar watch remove', details: { calendar_id: calendar!.id } },
      { action: 'calendar watch add', details: { calendar_id: calendar!.id } },
    ]);
    written.push(audit.stdout, (await studio('events', 'tail', '--no-follow')).stdout);
    t.notMatch(written.join('\n'), /3kf9s0a7/);
  },
);

t.test('an address that cannot be watched is refused with a sentence', async (t) => {
  const publicOnly = studioOn(context, { ...anyHost, WEBHOOK_ALLOW_PRIVATE_TARGETS: 'false' });
  for (const [address, sentence] of [
    ['http://calendar.example.com/a.ics', /must begin with https:/],
    ['https://127.0.0.1/a.ics', /on the public internet/],
    ['a.ics', /whole address/],
  ] as const) {
    const refused = await publicOnly('calendar', 'watch', 'add', address);
    t.match(refused, { code: 4, stdout: '', stderr: sentence }, address);
  }
  const withoutKey = studioOn(context, { ...anyHost, SECRET_KEY: 'x'.repeat(40) });
  const outcome = await withoutKey('calendar', 'watch', 'add', 'https://example.com/a.ics');
  t.equal(outcome.code, 1);
  t.match(outcome.stderr, /SECRET_KEY is not the key/);
  const rows = await context.database.selectFrom('watched_calendars').selectAll().execute();
  t.strictSame(rows, []);
});

t.test(
  'doctor warns of calendars that fail for two hours, and of those that no process fetches',
  async (t) => {
    t.match(await findingOf(studio, 'calendars'), {
      status: 'ok',
      message: 'No calendars are watched.',
    });
    receiver.behave(answer(500));
    await studio('calendar', 'watch', 'add', address, '--label', 'Ada');
    t.match(await findingOf(studio, 'calendars'), {
      status: 'ok',
      message: /^1 watched calendar, none failing/,
    });
    await shiftDatabaseClock(context.database, 25 * 60_000);
    t.match(await findingOf(studio, 'calendars'), { status: 'ok' });
    await shiftDatabaseClock(context.database, turnMs + 30 * 60_000);
    t.match(await findingOf(studio, 'calendars'), {
      status: 'warning',
      message: /^Not fetched for 30 minutes: Ada\. Start a process with ROLE=/,
    });
    await shiftDatabaseClock(context.database, 2 * 3_600_000 + 60_000);
    const [calendar] = (await studio('calendar', 'watch', 'list', '--json')).json<
      { id: string }[]
    >();
    await studio('calendar', 'watch', 'fetch', calendar!.id);
    const message = 'Ada could not be read for two hours: Its server fails (500).';
    t.match(await findingOf(studio, 'calendars'), { status: 'warning', message });
    const events = await studio('events', 'tail', '--no-follow', '--limit', '1', '--json');
    t.match(JSON.parse(events.stdout), { type: 'calendar.failing', booking_id: null });
    receiver.behave(answer(200, calendarType, calendarWith()));
    await studio('calendar', 'watch', 'fetch', calendar!.id);
    t.match(await findingOf(studio, 'calendars'), { status: 'ok' });
  },
);
