import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { Command } from 'commander';
import t from 'tap';
import { createProgram } from '../../src/staff/program.js';
import { placeHold } from '../../src/domain/holds.js';
import { temporaryFolder } from '../support/embedded.js';
import { callerNumber, holdRequest, someOpenSlots } from '../support/requests.js';
import { startTestService } from '../support/service.js';
import { studioIn } from '../support/studio.js';

interface Person {
  name: string;
}

interface Added {
  closure: { id: string };
}

const nowhere = { DATA_DIR: '/nonexistent/data' };

/** Of 255 characters. */
const longAddress = `ada@${'x.'.repeat(124)}com`;

const invalidLines: [string, RegExp][] = [
  ['closures add', /missing required argument 'from'/],
  ['closures add 2026-02-30', /date that exists/],
  ['closures add christmas', /date that exists, such as 2026-12-24/],
  ['closures add 2026-12-24 2026-12-20', /last date comes before the first/],
  ['closures add 2026-12-24 --slot 2pm', /9:00 AM, 1:00 PM, 5:00 PM/],
  ['closures add 2026-12-24 --reason', /argument missing/],
  ['closures remove x', /at least its first four/],
  ['closures ad 2026-12-24', /unknown command 'ad'\n\(Did you mean add\?\)/],
  ['bookings list --status confirmd', /any of pending, confirmed/],
  ['bookings list --limit 0', /whole number from 1/],
  ['bookings list --email nobody', /e-mail address such as/],
  ['bookings list --date 2026-12-01 --to 2026-12-02', /--date cannot be combined/],
  ['bookings list 2026-12-01', /too many arguments/],
  ['bookings show', /missing required argument 'id'/],
  ['bookings show 12', /first four characters/],
  ['bookings forget ada', /e-mail address such as/],
  ['bookings cancel 12345678 --force', /unknown option '--force'/],
  ['bookings cancel 12345678 --reason', /argument missing/],
  [`bookings cancel 12345678 --reason ${'x'.repeat(501)}`, /1 to 500 characters/],
  ['bookings move 12345678', /missing required argument 'date'/],
  ['bookings move 12345678 2026-12-02', /missing required argument 'session'/],
  ['bookings move 12345678 2026-12-02 noon', /Sessions are at/],
  ['bookings no-show x', /first four characters/],
  ['bookings add 2026-12-02 1pm', /required option '--name <name>'/],
  ['bookings add 2026-12-02 1pm --name \u200b', /120 characters that can be seen/],
  [`bookings add 2026-12-02 1pm --name ${'x'.repeat(121)}`, /120 characters that can be seen/],
  ['bookings add 2026-12-02 1pm --name Ada --email nobody', /e-mail address such as/],
  [`bookings add 2026-12-02 1pm --name Ada --email ${longAddress}`, /e-mail address such as/],
  ['bookings add 2026-12-02 1pm --name Ada --phone 5035550', /ten digits/],
  ['bookings add 2026-12-02 1pm --name Ada --phone 0000000000', /ten digits/],
  [`bookings add 2026-12-02 1pm --name Ada --pronouns ${'x'.repeat(41)}`, /most 40 characters/],
  [`bookings add 2026-12-02 1pm --name Ada --idea ${'x'.repeat(2001)}`, /most 2,000 characters/],
  ['calendar feed add', /required option '--label <text>'/],
  ['calendar feed add --label \u200b', /60 characters that can be seen/],
  [`calendar feed add --label ${'x'.repeat(61)}`, /60 characters that can be seen/],
  ['calendar feed rotate', /missing required argument 'id'/],
  ['calendar feed remove x', /first four characters/],
  ['platforms add claude', /missing required argument 'range'/],
  ['platforms add Claude 192.0.2.0/24', /lower-case letters/],
  ['platforms add claude 0.0.0.0/0', /range of all addresses/],
  ['platforms add claude ::/0', /range of all addresses/],
  ['platforms add claude 192.0.2', /range such as/],
  ['platforms add claude 192.0.2.0/33', /range such as/],
  ['platforms add claude 2001:db8::/129', /range such as/],
  ['platforms add claude 010.0.0.0/8', /range such as/],
  ['platforms add claude example.com', /range such as/],
  ['platforms add claude 192.0.2.9/24', /did you mean 192\.0\.2\.0\/24/],
  ['platforms add claude 2001:db8::1/32', /did you mean 2001:db8::\/32/],
  ['platforms add claude ::ffff:192.0.2.0/120', /as IPv4/],
  ['platforms add claude 192.0.2.0/24 192.0.2.128/25', /overlaps with 192\.0\.2\.0\/24/],
  ['platforms add claude 192.0.2.0/24 --holds-per-hour 0', /whole number from 1/],
  ['platforms add claude 192.0.2.0/24 --pending-share 101', /whole number from 1 to 100/],
  ['platforms set claude', /nothing would change/],
  ['hours set', /missing required argument 'day'/],
  ['hours set someday --closed', /days such as monday/],
  ['hours set fri-tue --closed', /in the order of the week/],
  ['hours set mon', /--opens and --closes, --sessions, or --closed/],
  ['hours set mon --opens 9am', /--opens and --closes together/],
  ['hours set mon --opens 9 --closes 17:00', /a time such as 09:00/],
  ['hours set mon --opens 25:00 --closes 26:00', /a time such as 09:00/],
  ['hours set mon --closed --sessions all', /--closed cannot be combined/],
  ['hours set mon --sessions noon', /Sessions are at/],
  ['info set', /Give at least one option/],
  ['info set --timezone Berlin', /such as Europe\/Berlin/],
  ['info set --timezone +02:00', /IANA time zone/],
  ['info set --timezone PST', /IANA time zone/],
  ['info set --email me', /e-mail address such as/],
  ['info set --website nightheron.example', /https:\/\/example.com/],
  ['info set --country Germany', /two-letter/],
  ['info set --name  ', /1 to 120 characters/],
  ['mail list --status bounced', /any of pending, sent, failed, dropped/],
  ['mail list --booking 12', /first four characters/],
  ['mail show', /missing required argument 'id'/],
  ['mail resend x', /first four characters/],
  ['mail test', /missing required argument 'address'/],
  ['mail test nobody', /e-mail address such as/],
  ['mail test ada@example.com,eve@example.com', /e-mail address such as/],
  ['mail preview', /missing required argument 'folder'/],
  ['events tail --limit -1', /whole number from 0/],
  ['audit list --limit many', /whole number from 1/],
  ['backup', /missing required argument 'file'/],
  ['restore', /missing required argument 'file'/],
  ['doctor now', /too many arguments/],
  ['nonsense', /unknown command 'nonsense'/],
];

void t.test('every invalid argument has its own message and exit code 2', async (t) => {
  const studio = studioIn(nowhere);
  for (const [line, expected] of invalidLines) {
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
  const visit = async (command: Command, path: string[]): Promise<void> => {
    const { code, stdout } = await studioIn(nowhere)(...path, '--help');
    t.equal(code, 0);
    t.match(stdout, command.description());
    if (command.commands.length === 0) {
      const [, examples = ''] = stdout.split(/Examples?:\n/);
      t.match(examples, new RegExp(`^ .*studio ${path.join(' ')}`, 'm'), path.join(' '));
    }
    for (const each of command.commands) await visit(each, [...path, each.name()]);
  };
  const terminal = {
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    environment: {},
    interrupted: new AbortController().signal,
  };
  await visit(createProgram(terminal), []);
  t.equal((await studioIn(nowhere)('help', 'bookings')).code, 0);
  const bare = await studioIn(nowhere)();
  t.match(bare, { code: 2, stderr: /Exit codes:/ }, 'without a command, the help goes to stderr');
});

void t.test('a command creates no database where there is none', async (t) => {
  const folder = await temporaryFolder(t);
  const studio = studioIn({ DATA_DIR: join(folder, 'data') });
  t.match(await studio('bookings', 'list'), { code: 1, stderr: /no database in .*DATA_DIR/ });
  t.match(await studio('doctor', '--json'), { code: 5, stdout: /no database in/ });
  t.strictSame(await readdir(folder), []);
  t.match(await studioIn({ PORT: 'x' })('info', 'show'), { code: 1, stderr: /PORT/ });
  const refused = 'postgres://nobody@127.0.0.1:1/none';
  const remote = { DATABASE_URL: refused, SECRET_KEY: 'x'.repeat(40) };
  const unanswered = await studioIn(remote)('bookings', 'list', '--json');
  t.equal(unanswered.code, 1);
  t.match(JSON.parse(unanswered.stderr), { error: { message: /does not answer/ } });
});

void t.test('on a database server', async (t) => {
  const { context } = await startTestService(t);
  const { databaseUrl, secretKey } = context.config;
  const studio = studioIn({ DATABASE_URL: databaseUrl!, SECRET_KEY: secretKey! });
  const [slot] = await someOpenSlots(context, 1);
  const request = holdRequest(slot!, {
    name: 'Ada \u001b[31m\u009b2J\u202eevil',
    idea: 'first\nsecond',
  });
  const { booking } = await placeHold(context, callerNumber(1), request, null);

  await t.test('text from strangers cannot control the terminal', async (t) => {
    for (const args of [
      ['bookings', 'list'],
      ['bookings', 'show', booking.id],
      ['bookings', 'list', '--json'],
    ]) {
      const { code, stdout } = await studio(...args);
      t.equal(code, 0);
      t.notMatch(stdout, /[\u001b\u009b\u202e]/);
      t.match(stdout, /Ada \\u001b\[31m\\u009b2J\\u202eevil/);
    }
    const shown = (await studio('bookings', 'show', booking.id, '--json')).json<Person>();
    t.equal(shown.name, request.name, 'JSON decodes to the original text');
  });

  await t.test(
    'without a terminal and --yes, no destructive command changes anything',
    async (t) => {
      const closure = (await studio('closures', 'add', slot!.date, '--json')).json<Added>().closure
        .id;
      for (const args of [
        ['bookings', 'cancel', booking.id],
        ['bookings', 'move', booking.id, '2999-06-01', '1:00 PM'],
        ['bookings', 'forget', request.email],
        ['bookings', 'forget', booking.id],
        ['closures', 'remove', closure],
        ['closures', 'add', slot!.date, '--slot', slot!.timeSlot, '--cancel-bookings'],
      ]) {
        t.match(await studio(...args), { code: 4, stderr: /--yes/ }, args.join(' '));
      }
      t.match((await studio('bookings', 'show', booking.id, '--json')).json(), {
        status: 'pending',
        date: slot!.date,
        name: request.name,
      });
      t.equal((await studio('closures', 'list', '--json')).json<unknown[]>().length, 1);
    },
  );

  await t.test('a missing row exits with 3, an existing closure with 4', async (t) => {
    const unknown = '00000000-0000-4000-8000-000000000000';
    for (const args of [
      ['bookings', 'show', unknown],
      ['bookings', 'cancel', unknown, '--yes'],
      ['bookings', 'move', unknown, '2999-06-01', '1:00 PM', '--yes'],
      ['bookings', 'no-show', unknown],
      ['bookings', 'forget', 'nobody@example.com', '--yes'],
      ['bookings', 'forget', unknown, '--yes'],
      ['closures', 'remove', unknown, '--yes'],
    ]) {
      const { code, stderr } = await studio(...args, '--json');
      t.equal(code, 3);
      t.equal(JSON.parse(stderr).error.code, 'not_found');
    }
    t.match(await studio('closures', 'add', slot!.date), { code: 4, stderr: /Already closed/ });
    t.match(await studio('closures', 'add', '2020-01-01'), { code: 2, stderr: /is in the past/ });
    const outside = ['hours', 'set', 'tue', '--opens', '10:00', '--closes', '20:00'];
    t.match(await studio(...outside), { code: 4, stderr: /9:00 AM on Tuesday/ });
  });

  await t.test('closures add --cancel-bookings cancels the bookings on its dates', async (t) => {
    const args = ['closures', 'add', slot!.date, '--slot', slot!.timeSlot];
    const added = await studio(...args, '--cancel-bookings', '--yes');
    t.match(added, { code: 0, stdout: /Cancelled 1 booking:/ });
    t.match(await studio('bookings', 'cancel', booking.id, '--yes'), {
      code: 4,
      stderr: /is already cancelled/,
    });
  });

  await t.test('events tail shows new events until it is interrupted', async (t) => {
    const interruption = new AbortController();
    const stdout = new PassThrough();
    const environment = { DATABASE_URL: databaseUrl!, SECRET_KEY: secretKey! };
    const follower = studioIn(environment, interruption.signal, stdout);
    const run = follower('events', 'tail', '--limit', '0', '--json');
    let shown = '';
    stdout.on('data', (chunk: Buffer) => (shown += chunk.toString()));
    for (let round = 0; !shown.includes('info set'); round += 1) {
      await studio('info', 'set', '--name', `Studio ${round}`);
    }
    interruption.abort();
    t.equal((await run).code, 0);
    t.match(JSON.parse(shown.split('\n')[0]!), { type: 'calendar.changed' });
  });
});
