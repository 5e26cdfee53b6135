import t, { type Test } from 'tap';
import { shiftDatabaseClock } from '../support/clock.js';
import { answer, startReceiver } from '../support/receiver.js';
import { someOpenSlots } from '../support/requests.js';
import { generous, startTestService } from '../support/service.js';
import { studioIn } from '../support/studio.js';
import { anyHost, turnMs } from '../support/watched-calendars.js';

const calendarType = { 'content-type': 'text/calendar' };

function calendarWith(...events: string[]): string {
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:x', ...events, 'END:VCALENDAR', ''].join(
    '\r\n',
  );
}

async function start(t: Test) {
  const { context } = await startTestService(t, { ...generous, ...anyHost });
  const receiver = await startReceiver();
  t.teardown(() => receiver.close());
  const environment = {
    DATABASE_URL: context.config.databaseUrl!,
    SECRET_KEY: context.config.secretKey!,
    ...anyHost,
  };
  const studio = studioIn(environment);
  const finding = async () => {
    const { checks } = (await studio('doctor', '--json')).json<{ checks: { check: string }[] }>();
    return checks.find(({ check }) => check === 'calendars');
  };
  return {
    context,
    receiver,
    environment,
    studio,
    finding,
    address: `${receiver.origin}/private/3kf9s0a7.ics`,
    pass: (milliseconds: number) => shiftDatabaseClock(context.database, milliseconds),
  };
}

t.test(
  'a calendar is added, listed, fetched and removed, and its address is never shown',
  async (t) => {
    const { context, receiver, studio, address } = await start(t);
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
    t.match(audit.json(), [
      { action: 'calendar watch remove', details: { calendar_id: calendar!.id } },
      { action: 'calendar watch add', details: { calendar_id: calendar!.id } },
    ]);
    written.push(audit.stdout, (await studio('events', 'tail', '--no-follow')).stdout);
    t.notMatch(written.join('\n'), /3kf9s0a7/);
  },
);

t.test('an address that cannot be watched is refused with a sentence', async (t) => {
  const { context, environment } = await start(t);
  const publicOnly = studioIn({ ...environment, WEBHOOK_ALLOW_PRIVATE_TARGETS: 'false' });
  for (const [address, sentence] of [
    ['http://calendar.example.com/a.ics', /must begin with https:/],
    ['https://127.0.0.1/a.ics', /on the public internet/],
    ['a.ics', /whole address/],
  ] as const) {
    const refused = await publicOnly('calendar', 'watch', 'add', address);
    t.match(refused, { code: 4, stdout: '', stderr: sentence }, address);
  }
  const withoutKey = studioIn({ ...environment, SECRET_KEY: 'x'.repeat(40) });
  const outcome = await withoutKey('calendar', 'watch', 'add', 'https://example.com/a.ics');
  t.equal(outcome.code, 1);
  t.match(outcome.stderr, /SECRET_KEY is not the key/);
  const rows = await context.database.selectFrom('watched_calendars').selectAll().execute();
  t.strictSame(rows, []);
});

t.test(
  'doctor warns of calendars that fail for two hours, and of those that no process fetches',
  async (t) => {
    const { receiver, studio, finding, address, pass } = await start(t);
    t.match(await finding(), { status: 'ok', message: 'No calendars are watched.' });
    receiver.behave(answer(500));
    await studio('calendar', 'watch', 'add', address, '--label', 'Ada');
    t.match(await finding(), { status: 'ok', message: /^1 watched calendar, none failing/ });
    await pass(25 * 60_000);
    t.match(await finding(), { status: 'ok' });
    await pass(turnMs + 30 * 60_000);
    t.match(await finding(), {
      status: 'warning',
      message: /^Not fetched for 30 minutes: Ada\. Start a process with ROLE=/,
    });
    await pass(2 * 3_600_000 + 60_000);
    const [calendar] = (await studio('calendar', 'watch', 'list', '--json')).json<
      { id: string }[]
    >();
    await studio('calendar', 'watch', 'fetch', calendar!.id);
    const message = 'Ada could not be read for two hours: Its server fails (500).';
    t.match(await finding(), { status: 'warning', message });
    const events = await studio('events', 'tail', '--no-follow', '--json');
    t.match(JSON.parse(events.stdout), { type: 'calendar.failing', booking_id: null });
    receiver.behave(answer(200, calendarType, calendarWith()));
    await studio('calendar', 'watch', 'fetch', calendar!.id);
    t.match(await finding(), { status: 'ok' });
  },
);
