import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { PassThrough } from 'node:stream';
import { sql } from 'kysely';
import t, { type Test } from 'tap';
import type { Context } from '../../src/context.js';
import { changeStudio } from '../../src/domain/studio-settings.js';
import { temporaryFolder } from '../support/embedded.js';
import { hostile, insertHostileRows } from '../support/hostile-rows.js';
import { launch } from '../support/process.js';
import { bundledProgram } from '../support/project.js';
import { startService } from '../support/service.js';
import {
  everyCommand,
  runAnswering,
  studioEnvironment,
  studioIn,
  studioOn,
} from '../support/studio.js';

const unsafe = /[\0-\t\v-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

/** The words of each line, with the hostile text; `[--yes]` stands for one line without and one with. */
function linesOf(text: string): string[][] {
  return text
    .split('\n    ')
    .flatMap((line) =>
      line.endsWith(' [--yes]') ? [line.slice(0, -8), line.replace('[--yes]', '--yes')] : [line],
    )
    .map((line) => line.split(' ').map((word) => word.replaceAll('HOSTILE', hostile)));
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
  const commands = everyCommand();
  return lines.map((line) => {
    const [first = '', second = '', third = ''] = line;
    const names = [first, `${first} ${second}`, `${first} ${second} ${third}`];
    return names.find((name) => commands.includes(name)) ?? names[1]!;
  });
}

void t.test('no command lets stored text control the terminal or forge a line', async (t) => {
  const service = await startService(t);
  const things = await insertHostileRows(service);
  const { bookings, slot, subscription, closure, mail, calendarMail, passkey } = things;
  const { feed, calendar } = things;
  const environment = studioEnvironment(service.context);
  const folder = await temporaryFolder(t);
  const [first = '', second = '', third = ''] = bookings;
  const freeDate = '2999-06-01';
  const backup = join(folder, `${hostile}.backup`);
  const session = slot.timeSlot.replace(':00 ', '').toLowerCase();
  const [key = ''] = await keyIds(service.context);
  const used = await runAll(
    t,
    environment,
    linesOf(`info show
    hours show
    hours set all --sessions none
    hours set all --sessions all
    closures list --all
    closures remove ${closure}
    closures add ${slot.date}
    closures add ${slot.date} --slot ${session} --cancel-bookings [--yes]
    closures remove ${closure} --yes
    bookings list
    bookings list --limit 1
    bookings conflicts
    bookings show ${first}
    bookings cancel ${first} [--yes]
    bookings cancel ${second} --yes
    bookings move ${third} ${freeDate} 1pm [--yes]
    bookings add ${freeDate} 5pm --name HOSTILE --idea HOSTILE
    bookings no-show ${third}
    bookings cancel ${third} --yes --reason HOSTILE
    bookings show ${third}
    bookings forget ${third} --yes
    bookings forget ${hostile.replaceAll(/\s/g, '')}@example.com --yes
    keys list
    keys revoke ${key} [--yes]
    webhooks list
    webhooks show ${subscription}
    webhooks enable ${subscription}
    webhooks redeliver ${subscription} --failed-since 1h
    webhooks disable ${subscription} [--yes]
    webhooks redeliver ${subscription} --failed-since 1h --yes
    webhooks enable ${subscription}
    platforms add claude 192.0.2.0/24
    platforms list
    platforms set claude --holds-per-hour 600
    platforms remove claude --yes
    console link --name HOSTILE
    console sessions list
    console sessions end ${things.session} [--yes]
    console passkeys list
    console passkeys remove ${passkey} [--yes]
    calendar feed add --label HOSTILE
    calendar feed list
    calendar feed rotate ${feed} [--yes]
    calendar feed remove ${feed} [--yes]
    calendar watch add https://127.0.0.1:1/HOSTILE --label HOSTILE
    calendar watch add https://127.0.0.1:1/ --label HOSTILE
    calendar watch list
    calendar watch fetch ${calendar}
    calendar watch remove ${calendar} [--yes]
    mail list
    mail show ${mail}
    mail resend ${mail} --yes
    mail show ${calendarMail}
    mail resend ${calendarMail}
    mail test ada@example.com
    mail preview ${folder}/HOSTILE
    confirmation link [--yes]
    mail off [--yes]
    events tail --no-follow --limit 100
    audit list
    doctor
    backup ${folder}/HOSTILE.backup
    restore ${folder}/HOSTILE.backup --yes
    info set --name xHOSTILE --description HOSTILE`),
  );
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
    await runAll(t, environment, [['restore', backup, '--without-secret-key', '--yes']]);
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

void t.test('a prompt that quotes stored text cannot control the terminal', async (t) => {
  const service = await startService(t);
  const { context } = service;
  const { bookings } = await insertHostileRows(service);
  const line = ['bookings', 'cancel', bookings[0]!];
  const { code, asked } = await runAnswering(studioEnvironment(context), line, ['n']);
  t.equal(code, 4);
  t.match(asked, /\? Cancel/);
  t.match(asked, /\\u001b\]0;owned\\u0007/);
  // The prompt's own sequences only move the cursor and clear lines.
  const others = asked.replaceAll(/\u001b\[[\d;?]*[A-IK-Za-z]|[\r\n]/g, '');
  t.notOk(unsafe.test(others));
});

void t.test('events tail exits with 0 when its reader closes the pipe', async (t) => {
  const { context } = await startService(t);
  const program = [bundledProgram('studio'), 'events', 'tail', '--json'];
  await changeStudio(context, 'ada@desk', { name: 'Day Heron' });
  const { child } = launch(t, studioEnvironment(context), program);
  const exited = once(child, 'exit');
  await once(child.stdout!, 'data');
  child.stdout!.destroy();
  for (let round = 0; child.exitCode === null && child.signalCode === null; round += 1) {
    await changeStudio(context, 'ada@desk', { name: `Heron ${round}` });
  }
  const [code] = (await exited) as [number | null];
  t.equal(code, 0);
});

void t.test('events tail shows new events until it is interrupted', async (t) => {
  const { context } = await startService(t);
  const studio = studioOn(context);
  const interruption = new AbortController();
  const stdout = new PassThrough();
  const follower = studioIn(studioEnvironment(context), interruption.signal, stdout);
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
