import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import t, { type Test } from 'tap';
import type { Context } from '../../src/context.js';
import { createApiKey } from '../../src/access/api-keys.js';
import { runStudio } from '../../src/staff/program.js';
import { hold } from '../support/board.js';
import { temporaryFolder } from '../support/embedded.js';
import { someOpenSlots } from '../support/requests.js';
import { startTestService, type TestService } from '../support/service.js';
import { insertMail } from '../support/mail-rows.js';
import { everyCommand, studioIn } from '../support/studio.js';

/** Sets the window's title, clears the screen, rings, uses both forms of CSI, reverses the text. */
const hostile =
  '\u001b]0;owned\u0007\u001b[2J\u0008\u007f\u0085\u009b31m\u202e\u2066\u200f\u2028\t\r\nFORGED';
const unsafe = /[\0-\t\v-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

interface Things {
  bookings: string[];
  slot: { date: string; timeSlot: string };
  subscription: string;
  closure: string;
  mail: string;
}

/** Puts hostile text into every text column that no constraint restricts. */
async function fill({ context }: TestService): Promise<Things> {
  const { database } = context;
  const slots = await someOpenSlots(context, 5);
  const bookings: string[] = [];
  for (const slot of slots) {
    bookings.push((await hold(context, slot.date, slot.timeSlot)).booking.id);
  }
  await createApiKey(context, { email: 'ada@keys.example', label: 'x' });
  const evil = JSON.stringify({ [hostile]: hostile, label: hostile, change: hostile });
  await sql`update bookings set name = ${hostile}, email = 'ada@example.com' || ${hostile},
    pronouns = ${hostile}, idea = ${hostile}, label = ${hostile}`.execute(database);
  await sql`update studio set name = ${hostile}, description = ${hostile}, street = ${hostile},
    city = ${hostile}, region = ${hostile}, postal_code = ${hostile}, country = ${hostile},
    email = ${hostile}, phone = ${hostile}, website = ${hostile},
    notices = ${JSON.stringify([{ title: hostile, text: hostile }])}`.execute(database);
  await sql`update api_keys set label = ${hostile}, email = email || ${hostile}`.execute(database);
  await sql`insert into events (type, occurred_at, data)
    values (${hostile}, booking_now(), ${evil})`.execute(database);
  const subscribed = await sql<{ id: string }>`
    insert into webhook_subscriptions
      (url, target_host, events, signing_secret_sealed, manage_token_hash, caller_hash, created_at)
    values ('https://hook.example/' || ${hostile}, 'hook.example', '{hold.created}', '', '', '',
      booking_now())
    returning id`.execute(database);
  const subscription = subscribed.rows[0]!.id;
  await sql`insert into webhook_deliveries
      (event_id, subscription_id, status, attempts, last_attempt_at, last_error)
    select id, ${subscription}, 'failed', 1, booking_now(), ${hostile} from events`.execute(
    database,
  );
  await sql`insert into audit_log (occurred_at, actor, action, details)
    values (booking_now(), ${hostile}, ${hostile}, ${evil})`.execute(database);
  const { rows } = await sql<{ id: string }>`
    insert into closures (from_date, to_date, reason)
    values ('2030-01-01', '2030-01-02', ${hostile}) returning id`.execute(database);
  await context.board.refresh();
  const mail = await insertMail(context, bookings[0]!, { last_error: hostile });
  return { bookings, slot: slots[2]!, subscription, closure: rows[0]!.id, mail: mail.id };
}

function environmentOf({ config }: Context): Record<string, string> {
  return { DATABASE_URL: config.databaseUrl!, SECRET_KEY: config.secretKey! };
}

/** Runs each line with and without `--json`, checks the output, and returns the commands. */
async function runAll(
  t: Test,
  environment: Record<string, string>,
  lines: string[][],
): Promise<string[]> {
  for (const args of lines.flatMap((line) => [line, [...line, '--json']])) {
    const { code, stdout, stderr } = await studioIn(environment)(...args);
    const name = args.join(' ').replaceAll(/[^ -~]/g, '');
    for (const written of [stdout, stderr]) {
      // Compared as a boolean: the characters themselves would garble the test report.
      t.notOk(unsafe.test(written), name);
      t.notOk(/^\s*FORGED/m.test(written), name);
    }
    if (!args.includes('--json')) continue;
    const json = code === 0 ? stdout : stderr;
    for (const document of args[0] === 'events' ? json.trim().split('\n') : [json]) {
      t.doesNotThrow(() => void JSON.parse(document), name);
    }
  }
  return lines.map(([first = '', second = '']) =>
    everyCommand().includes(first) ? first : `${first} ${second}`,
  );
}

void t.test('no command lets stored text control the terminal or forge a line', async (t) => {
  const service = await startTestService(t);
  const { bookings, slot, subscription, closure, mail } = await fill(service);
  const environment = environmentOf(service.context);
  const folder = await temporaryFolder(t);
  const [first = '', second = '', third = ''] = bookings;
  const freeDate = '2999-06-01';
  const backup = join(folder, `${hostile}.backup`);
  const used = await runAll(t, environment, [
    ['info', 'show'],
    ['hours', 'show'],
    ['hours', 'set', 'all', '--sessions', 'none'],
    ['hours', 'set', 'all', '--sessions', 'all'],
    ['closures', 'list', '--all'],
    ['closures', 'remove', closure],
    ['closures', 'add', slot.date],
    ['closures', 'add', slot.date, '--slot', slot.timeSlot, '--cancel-bookings'],
    ['closures', 'add', slot.date, '--slot', slot.timeSlot, '--cancel-bookings', '--yes'],
    ['closures', 'remove', closure, '--yes'],
    ['bookings', 'list'],
    ['bookings', 'list', '--limit', '1'],
    ['bookings', 'show', first],
    ['bookings', 'cancel', first],
    ['bookings', 'cancel', first, '--yes'],
    ['bookings', 'cancel', second, '--yes'],
    ['bookings', 'move', third, freeDate, '1:00 PM'],
    ['bookings', 'move', third, freeDate, '1:00 PM', '--yes'],
    ['bookings', 'add', freeDate, '5:00 PM', '--name', hostile, '--idea', hostile],
    ['bookings', 'no-show', third],
    ['bookings', 'cancel', third, '--yes', '--reason', hostile],
    ['bookings', 'show', third],
    ['bookings', 'forget', third, '--yes'],
    ['bookings', 'forget', `${hostile.replaceAll(/\s/g, '')}@example.com`, '--yes'],
    ['keys', 'list'],
    ['keys', 'revoke', (await keyIds(service.context))[0]!],
    ['keys', 'revoke', (await keyIds(service.context))[0]!, '--yes'],
    ['webhooks', 'list'],
    ['webhooks', 'show', subscription],
    ['webhooks', 'enable', subscription],
    ['webhooks', 'redeliver', subscription, '--failed-since', '1h'],
    ['webhooks', 'disable', subscription],
    ['webhooks', 'disable', subscription, '--yes'],
    ['webhooks', 'redeliver', subscription, '--failed-since', '1h', '--yes'],
    ['webhooks', 'enable', subscription],
    ['platforms', 'add', 'claude', '192.0.2.0/24'],
    ['platforms', 'list'],
    ['platforms', 'set', 'claude', '--holds-per-hour', '600'],
    ['platforms', 'remove', 'claude', '--yes'],
    ['mail', 'list'],
    ['mail', 'show', mail],
    ['mail', 'resend', mail, '--yes'],
    ['mail', 'test', 'ada@example.com'],
    ['mail', 'preview', join(folder, hostile)],
    ['events', 'tail', '--no-follow', '--limit', '100'],
    ['audit', 'list'],
    ['doctor'],
    ['backup', backup],
    ['restore', backup, '--yes'],
    ['info', 'set', '--name', `x${hostile}`, '--description', hostile],
  ]);
  t.strictSame([...new Set(used)].sort(), everyCommand(), 'every command was used');

  const [header = '', ...rows] = gunzipSync(await readFile(backup))
    .toString()
    .split('\n');
  for (const member of ['createdAt', 'secretKeyId', 'migrations', 'tables', 'format']) {
    const made = JSON.parse(header) as Record<string, unknown>;
    if (member === 'tables') (made[member] as { name: string }[])[0]!.name = hostile;
    else if (member === 'migrations') made[member] = [hostile];
    else made[member] = member === 'createdAt' ? `2026-12-01 (${hostile})` : hostile;
    await writeFile(backup, gzipSync([JSON.stringify(made), ...rows].join('\n')));
    await runAll(t, environment, [
      ['restore', backup, '--without-secret-key'],
      ['restore', backup, '--without-secret-key', '--yes'],
    ]);
  }
  await sql`insert into kysely_migration values (${hostile}, '')`.execute(service.context.database);
  await runAll(t, environment, [['bookings', 'list'], ['doctor']]);
});

void t.test('no command echoes arguments or settings that control the terminal', async (t) => {
  // Without line breaks: a person may well type those.
  const typed = hostile.replaceAll('\n', '');
  const nowhere = { DATA_DIR: `/nonexistent/${typed}` };
  await runAll(t, nowhere, [
    [typed],
    ['bookings', typed],
    ['bookings', 'list', `--${typed}`],
    ['bookings', 'list', '--status', typed],
    ['bookings', 'show', typed],
    ['restore', typed],
    ['backup', typed],
    ['bookings', 'list'],
    ['doctor'],
    ['help', typed],
  ]);
  await runAll(t, { PORT: typed, LOG_LEVEL: typed }, [['bookings', 'list'], ['doctor']]);
});

async function keyIds({ database }: Context): Promise<string[]> {
  return (await database.selectFrom('api_keys').select('id').execute()).map(({ id }) => id);
}

void t.test(
  'a confirmation prompt that quotes stored text cannot control the terminal',
  async (t) => {
    const service = await startTestService(t);
    const { bookings } = await fill(service);
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    const stderr = Object.assign(new PassThrough(), { isTTY: true });
    // A process's standard error cannot be ended either.
    stderr.end = () => stderr;
    let asked = '';
    stderr.on('data', (chunk: Buffer) => {
      if (asked === '') setImmediate(() => stdin.write('n\n'));
      asked += chunk.toString();
    });
    const code = await runStudio(['bookings', 'cancel', bookings[0]!], {
      stdin,
      stdout: new PassThrough(),
      stderr,
      environment: environmentOf(service.context),
      interrupted: new AbortController().signal,
    });
    t.equal(code, 4);
    t.match(asked, /\? Cancel/);
    t.match(asked, /\\u001b\]0;owned\\u0007/);
    // The prompt's own sequences only move the cursor and clear lines.
    const others = asked.replaceAll(/\u001b\[[\d;?]*[A-IK-Za-z]|[\r\n]/g, '');
    t.notOk(unsafe.test(others));
  },
);
