import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../support/embedded.js';
import { hold } from '../support/holds.js';
import { someOpenSlots } from '../support/requests.js';
import { startService } from '../support/service.js';
import { everyCommand, showBooking, studioIn, studioOn } from '../support/studio.js';

const nowhere = { DATA_DIR: '/nonexistent/data' };

/** Of 255 characters. */
const longAddress = `ada@${'x.'.repeat(124)}com`;

const added = 'bookings add 2026-12-02 1pm';
const person = `${added} --name Ada`;
const claude = 'platforms add claude';
const cancel = 'bookings cancel 12345678';
const correct = 'bookings correct 12345678';

/** A message, and the lines that it is about. */
const invalidLines: [RegExp, lines: string][] = [
  [
    /missing required argument '\w+'/,
    `closures add; openings remove; bookings show; calendar feed rotate; mail show; bookings move 12345678;
    bookings move 12345678 2026-12-02; ${claude}; hours set; mail test; mail preview; backup`,
  ],
  [
    /date that exists, such as 2026-12-24/,
    'closures add 2026-02-30; closures add christmas; openings remove monday',
  ],
  [/last date comes before the first/, 'closures add 2026-12-24 2026-12-20'],
  [/9:00 AM, 1:00 PM, 5:00 PM/, 'closures add 2026-12-24 --slot 2pm'],
  [
    /hours such as 13:00-15:00/,
    'closures add 2026-12-24 --hours 13:00; closures add today --hours 1-2-3',
  ],
  [/hours end before they begin/, 'closures add 2026-12-24 --hours 3pm-1pm'],
  [/hours or a session/, 'closures add 2026-12-24 --hours 1pm-3pm --slot 9am'],
  [/no other last date/, 'closures add 2026-12-24 2026-12-25 --hours 13:00-00:00'],
  [/argument missing/, `closures add 2026-12-24 --reason; ${cancel} --reason`],
  [/at least its first four/, 'closures remove x'],
  [/unknown command 'ad'\n\(Did you mean add\?\)/, 'closures ad 2026-12-24'],
  [/any of pending, confirmed/, 'bookings list --status confirmd'],
  [
    /whole number from 1/,
    `bookings list --limit 0; ${claude} 192.0.2.0/24 --holds-per-hour 0; audit list --limit many`,
  ],
  [
    /e-mail address such as/,
    `bookings list --email nobody; bookings forget ada; bookings copy ada; ${person} --email nobody;
    ${person} --email ${longAddress}; info set --email me; info set --email a..b@studio.example;
    info set --email mära@studio.example; mail test nobody;
    mail test ada@example.com,eve@example.com`,
  ],
  [/--date cannot be combined/, 'bookings list --date 2026-12-01 --to 2026-12-02'],
  [/too many arguments/, 'bookings list 2026-12-01; doctor now'],
  [
    /first four characters/,
    `bookings show 12; bookings no-show x; calendar feed remove x; mail list --booking 12;
    mail resend x`,
  ],
  [/unknown option '--force'/, `${cancel} --force`],
  [/1 to 500 characters/, `${cancel} --reason ${'x'.repeat(501)}`],
  [
    /Sessions are at/,
    `bookings move 12345678 2026-12-02 noon; hours set mon --sessions noon;
    openings add 2999-06-03 --sessions noon`,
  ],
  [/required option '--name <name>'/, `${added}`],
  [/required option '--sessions <list>'/, 'openings add 2999-06-03'],
  [
    /120 characters that can be seen/,
    `${added} --name \u200b; ${correct} --name \u200b; ${added} --name ${'x'.repeat(121)}`,
  ],
  [/ten digits/, `${person} --phone 5035550; ${person} --phone 0000000000; ${correct} --phone 911`],
  [/most 40 characters/, `${person} --pronouns ${'x'.repeat(41)}`],
  [/most 2,000 characters/, `${person} --idea ${'x'.repeat(2001)}`],
  [/required option '--label <text>'/, 'calendar feed add'],
  [
    /60 characters that can be seen/,
    `calendar feed add --label \u200b; calendar feed add --label ${'x'.repeat(61)}`,
  ],
  [/lower-case letters/, 'platforms add Claude 192.0.2.0/24'],
  [/range of all addresses/, `${claude} 0.0.0.0/0; ${claude} ::/0`],
  [
    /range such as/,
    `${claude} 192.0.2; ${claude} 192.0.2.0/33; ${claude} 2001:db8::/129; ${claude} 010.0.0.0/8;
    ${claude} example.com`,
  ],
  [/did you mean 192\.0\.2\.0\/24/, `${claude} 192.0.2.9/24`],
  [/did you mean 2001:db8::\/32/, `${claude} 2001:db8::1/32`],
  [/as IPv4/, `${claude} ::ffff:192.0.2.0/120`],
  [/overlaps with 192\.0\.2\.0\/24/, `${claude} 192.0.2.0/24 192.0.2.128/25`],
  [/whole number from 1 to 100/, `${claude} 192.0.2.0/24 --pending-share 101`],
  [/nothing would change/, 'platforms set claude'],
  [/days such as monday/, 'hours set someday --closed'],
  [/in the order of the week/, 'hours set fri-tue --closed'],
  [/--opens and --closes, --sessions, or --closed/, 'hours set mon'],
  [/--opens and --closes together/, 'hours set mon --opens 9am'],
  [
    /a time such as 09:00/,
    `hours set mon --opens 9 --closes 17:00; hours set mon --opens 25:00 --closes 26:00`,
  ],
  [/--closed cannot be combined/, 'hours set mon --closed --sessions all'],
  [/Give at least one option/, 'info set; bookings correct 12345678'],
  [/such as Europe\/Berlin/, 'info set --timezone Berlin'],
  [/IANA time zone/, 'info set --timezone +02:00; info set --timezone PST'],
  [/https:\/\/example.com/, 'info set --website nightheron.example'],
  [/two-letter/, 'info set --country Germany'],
  [/Give the address that counts/, 'info set --name Heron --address-from 2027-01-15'],
  [/choices are yes, no/, 'info set --street Oak --mail maybe'],
  [/1 to 120 characters/, 'info set --name  '],
  [/any of pending, sent, failed, dropped/, 'mail list --status bounced'],
  [/whole number from 0/, 'events tail --limit -1'],
  [/Give the file of a backup, or --from/, 'restore; restore x --from y'],
  [/--from cannot be combined/, 'restore --from x --replaces y'],
  [/address such as postgres:/, 'restore x --replaces postgres://:x:/'],
  [/Give --about or --email/, 'artists set mara'],
  [
    /days with --sessions, or --as-studio/,
    'artists hours jon mon; artists hours jon mon --as-studio --sessions all; artists hours jon --sessions all; artists hours jon mon --closes 17:00; artists hours jon --other-days none',
  ],
  [/whole number from 1 to 20/, 'artists order jon 0'],
  [/unknown command 'nonsense'/, 'nonsense'],
];

void t.test('every invalid argument has its own message and exit code 2', async (t) => {
  const studio = studioIn(nowhere);
  for (const [expected, line] of invalidLines.flatMap(([message, lines]) =>
    lines.split(';').map((each) => [message, each.trimStart()] as const),
  )) {
    const args = line.split(' ').map((word) => (word === '' ? ' ' : word));
    const { code, stdout, stderr } = await studio(...args);
    t.equal(code, 2, line);
    t.match(stderr, expected, line);
    t.equal(stdout, '');
    const asJson = await studio(...args, '--json');
    t.equal(asJson.code, 2, `${line} --json`);
    const { error } = JSON.parse(asJson.stderr);
    t.equal(error.code, 'usage');
    t.match(error.message, expected);
  }
});

void t.test('the help of every command has an example of that command', async (t) => {
  for (const name of everyCommand()) {
    const { code, stdout } = await studioIn(nowhere)(`${name} --help`);
    t.equal(code, 0);
    const [, examples = ''] = stdout.split(/Examples?:\n/);
    t.match(examples, new RegExp(`^ .*studio ${name}`, 'm'), name);
  }
  t.equal((await studioIn(nowhere)('help', 'bookings')).code, 0);
  const bare = await studioIn(nowhere)();
  t.match(bare, { code: 2, stderr: /Exit codes:/ }, 'without a command, the help goes to stderr');
});

void t.test('each command takes --yes', async (t) => {
  for (const name of everyCommand()) {
    const { stderr } = await studioIn(nowhere)(`${name} --yes --unknown`);
    t.notMatch(stderr, "option '--yes'", name);
  }
});

void t.test('a command creates no database where there is none', async (t) => {
  const folder = await temporaryFolder(t);
  const studio = studioIn({ DATA_DIR: join(folder, 'data') });
  t.match(await studio('bookings list'), { code: 1, stderr: /no database in .*DATA_DIR/ });
  t.match(await studio('doctor --json'), { code: 5, stdout: /no database in/ });
  t.strictSame(await readdir(folder), []);
  t.match(await studioIn({ PORT: 'x' })('info show'), { code: 1, stderr: /PORT/ });
});

void t.test('a command fails when the database server refuses or does not respond', async (t) => {
  process.env['TEST_TRUE_TIMEOUTS'] = '1';
  t.teardown(() => delete process.env['TEST_TRUE_TIMEOUTS']);
  const silent = createServer((socket) => socket.on('error', () => undefined));
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  t.teardown(() => silent.close());
  for (const port of [1, (silent.address() as AddressInfo).port]) {
    const url = `postgres://studio@127.0.0.1:${port}/none`;
    const studio = studioIn({ DATABASE_URL: url, SECRET_KEY: 'x'.repeat(40) });
    const { code, stderr } = await studio('hours show --json');
    t.equal(code, 1);
    t.match(JSON.parse(stderr), { error: { message: /^The database does not answer/ } });
  }
});

void t.test('on a database server', async (t) => {
  const { context } = await startService(t);
  const studio = studioOn(context);
  const [slot] = await someOpenSlots(context, 1);
  const { date, timeSlot } = slot!;
  const session = timeSlot.replace(':00 ', '').toLowerCase();
  const { booking } = await hold(context, date, timeSlot);
  const { id, email, name } = booking;

  await t.test(
    'without a terminal and --yes, no destructive command changes anything',
    async (t) => {
      const closing = await studio(`closures add ${date} --json`);
      const { closure } = closing.json<{ closure: { id: string } }>();
      await studio('openings add 2999-06-03 --sessions all');
      for (const line of [
        `bookings cancel ${id}`,
        `bookings move ${id} 2999-06-01 1pm`,
        `bookings forget ${email}`,
        `bookings forget ${id}`,
        `closures remove ${closure.id}`,
        'openings remove 2999-06-03',
        `closures add ${date} --slot ${session} --cancel-bookings`,
      ]) {
        t.match(await studio(line), { code: 4, stderr: /--yes/ }, line);
      }
      t.match(await showBooking(studio, id), { status: 'pending', date, name });
      t.equal((await studio('closures list --json')).json<unknown[]>().length, 1);
      t.equal((await studio('openings list --json')).json<unknown[]>().length, 1);
    },
  );

  await t.test('a missing row exits with 3, an existing closure with 4', async (t) => {
    const unknown = '00000000-0000-4000-8000-000000000000';
    for (const line of [
      `bookings show ${unknown}`,
      `bookings cancel ${unknown} --yes`,
      `bookings move ${unknown} 2999-06-01 1pm --yes`,
      `bookings correct ${unknown} --name Ada`,
      `bookings no-show ${unknown}`,
      'bookings copy nobody@example.com',
      `bookings copy ${unknown}`,
      'bookings forget nobody@example.com --yes',
      `bookings forget ${unknown} --yes`,
      `closures remove ${unknown} --yes`,
      'openings remove 2999-06-10 --yes',
    ]) {
      const { code, stderr } = await studio(`${line} --json`);
      t.equal(code, 3, line);
      t.match(JSON.parse(stderr), { error: { code: 'not_found' } });
    }
    t.match(await studio(`bookings copy ${email}`), { code: 2, stderr: /--page <file> .* --json/ });
    t.match(await studio(`closures add ${date}`), { code: 4, stderr: /Already closed/ });
    t.match(await studio('closures add 2020-01-01'), { code: 2, stderr: /is in the past/ });
    const outside = await studio('hours set tue --opens 10:00 --closes 20:00');
    t.match(outside, { code: 4, stderr: /9:00 AM on Tuesday/ });
  });

  await t.test('openings add says what stays closed, and remove what stays booked', async (t) => {
    const day = '2999-06-03';
    const [past, none, week, twice] = [
      'openings add 2020-01-06 --sessions all',
      `openings add ${day} --sessions none`,
      'openings add 2999-06-04 --sessions all',
      `openings add ${day} --sessions 9am`,
    ];
    t.match(await studio(past), { code: 2, stderr: '2020-01-06 is in the past.' });
    t.match(await studio(none), { code: 2, stderr: 'Choose at least one session.' });
    t.match(await studio(week), { code: 4, stderr: /has 9:00 AM, .* on Tuesday anyway\.$/m });
    t.match(await studio(twice), { code: 4, stderr: `${day} is open at 9:00 AM already.` });

    await studio('openings remove', day, '--sessions', '1pm', '--yes');
    await studio(`closures add ${day} --slot 1pm`);
    const { code, stdout } = await studio(`openings add ${day} --sessions all`);
    t.equal(code, 0);
    t.strictSame(stdout.split('\n'), [
      `Opened: ${day} at 1:00 PM.`,
      `1:00 PM stays closed until its closure is removed; see: studio calendar why ${day} "1:00 PM"`,
      '',
    ]);
    t.match((await studio('openings list')).stdout, /AM, 1:00 PM, 5:00 PM +1:00 PM$/m);
    const why = (await studio(`calendar why ${day} 1pm`)).stdout;
    t.match(why, /has no session then\.\n  It is opened on this date\.\n  Closure/);
    t.match((await studio(`bookings add ${day} 9am --name Ada`)).code, 0);
    const removed = await studio(`openings remove ${day} --yes`);
    t.match(removed.stdout, /^Removed: .*\n1 booking outside the week on this date, unchanged:\n/);
    t.match(removed.stdout, /9:00 AM – 1:00 PM +confirmed +Ada/);
    t.equal((await studio('openings list --past')).stdout, 'No openings.\n');
  });

  await t.test('closures add --cancel-bookings cancels the bookings on its dates', async (t) => {
    const added = await studio(`closures add ${date} --slot ${session} --cancel-bookings --yes`);
    t.match(added, { code: 0, stdout: /Cancel +done/ });
    const again = { code: 4, stderr: /is already cancelled/ };
    t.match(await studio(`bookings cancel ${id} --yes`), again);
  });
});
