import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import t, { type Test } from 'tap';
import { changeStudio } from '../../src/domain/studio/settings.js';
import { bookingRow } from '../support/bookings.js';
import { temporaryFolder } from '../support/embedded.js';
import { launch } from '../support/process.js';
import { bundledProgram } from '../support/project.js';
import { startService } from '../support/service.js';
import { hostile, insertHostileRows } from '../support/staff-rows.js';
import {
  everyCommand,
  runAnswering,
  showBooking,
  studioEnvironment,
  studioIn,
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
  return lines.map((line) => commands.find((name) => `${line.join(' ')} `.startsWith(`${name} `))!);
}

const service = await startService(t);
const { database } = service.context;
const things = await insertHostileRows(service);
const environment = studioEnvironment(service.context);
const [asked = '', first = '', second = '', third = ''] = things.bookings;

void t.test('no command lets stored text control the terminal or forge a line', async (t) => {
  const { slot, subscription, closure, mail, calendarMail, passkey, feed, calendar } = things;
  const folder = await temporaryFolder(t);
  const freeDate = '2999-06-01';
  const unseen = '\u200b';
  const zoned = `DTSTART;TZID="${hostile.replaceAll('"', '')}":20261201T100000`;
  await writeFile(
    join(folder, `${hostile}.ics`),
    `BEGIN:VCALENDAR\nBEGIN:VEVENT\n${zoned}\nEND:VEVENT\nEND:VCALENDAR\n`,
  );
  const quoted = `"${hostile.replaceAll('"', '""')}"`;
  await writeFile(
    join(folder, `${hostile}.csv`),
    `name,email,start,end,${quoted}\n${quoted},,2999-06-04 9:00,2999-06-05\n,${quoted},${quoted}\n`,
  );
  const session = slot.timeSlot.replace(':00 ', '').toLowerCase();
  const { id: key } = await database.selectFrom('api_keys').select('id').executeTakeFirstOrThrow();
  const used = await runAll(
    t,
    environment,
    linesOf(`info set --street HOSTILE --address-from 2026-12-02 [--yes]
    info show
    info address remove 2026-12-02 [--yes]
    hours show
    hours set all --sessions none
    hours set all --sessions all
    closures list --all
    closures remove ${closure}
    closures add ${slot.date} --reason HOSTILE
    closures decide
    closures decide --cancel-bookings --word HOSTILE
    calendar why ${slot.date} ${session}
    closures add ${slot.date} --slot ${session} --cancel-bookings [--yes]
    closures remove ${closure} --yes
    openings add ${freeDate} --sessions 5pm
    openings list --past
    openings remove ${freeDate} [--yes]
    bookings list
    bookings list --limit 1
    bookings conflicts
    bookings show ${first}
    bookings cancel ${first} [--yes]
    bookings cancel ${second} --yes
    bookings move ${third} ${freeDate} 1pm [--yes]
    bookings correct ${third} --name HOSTILE --idea HOSTILE
    bookings add ${freeDate} 5pm --name HOSTILE --idea HOSTILE
    bookings import ${folder}/HOSTILE.csv
    bookings import ${folder}/HOSTILE.csv --skip-refused --yes
    bookings import ${folder}/HOSTILE.csv --map name=HOSTILE
    bookings import ${folder}/HOSTILE.ics --map name=HOSTILE --dry-run
    closures import ${folder}/HOSTILE.csv --map reason=name --skip-refused [--yes]
    closures import ${folder}/HOSTILE.ics --dry-run
    bookings no-show ${third}
    bookings cancel ${third} --yes --reason HOSTILE
    bookings show ${third}
    bookings copy ${third} --page ${folder}/HOSTILE.html
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
    calendar watch check ${folder}/HOSTILE.ics
    calendar watch fetch ${calendar}
    calendar watch remove ${calendar} [--yes]
    mail list
    mail show ${mail}
    mail resend ${mail} --yes
    mail show ${calendarMail}
    mail dismiss --all
    mail resend ${calendarMail}
    mail test ada@example.com
    mail preview ${folder}/HOSTILE
    confirmation link [--yes]
    retention resume [--yes]
    left-out dismiss [--yes]
    mail off [--yes]
    events tail --no-follow --limit 100
    audit list
    doctor
    backup ${folder}/HOSTILE.backup
    restore ${folder}/HOSTILE.backup --yes
    export ${folder}/HOSTILE.export
    import ${folder}/HOSTILE.export
    import ${folder}/HOSTILE
    restore --from ${folder}/HOSTILE [--yes]
    artists rename HOSTILE HOSTILE
    artists rename artist HOSTILE --about HOSTILE
    artists add ${unseen} --about HOSTILE --email HOSTILE --yes
    artists add Jon
    artists set HOSTILE --about xHOSTILE
    artists hours HOSTILE mon --sessions none
    artists hours HOSTILE mon --sessions none --other-days studio
    hours set tue --closed
    hours remove --from 2999-06-03 --to 2999-06-04
    artists order HOSTILE 2
    artists list
    closures add ${freeDate} --artist HOSTILE
    closures list
    calendar why ${freeDate} 1pm --artist HOSTILE
    bookings add ${freeDate} 1pm --name Ada --artist HOSTILE
    bookings list --date ${freeDate}
    clients list
    clients list --search HOSTILE
    clients show ada@example.com
    clients note ada@example.com HOSTILE
    figures --month ${freeDate.slice(0, 7)}
    figures --month ${freeDate.slice(0, 7)} --csv
    artists show Jon --yes
    artists leave HOSTILE ${freeDate} --yes
    calendar why 2999-12-31 1pm --artist HOSTILE
    artists hide HOSTILE --cancel-bookings --yes
    artists show HOSTILE
    info set --name xHOSTILE --description HOSTILE`),
  );
  t.strictSame([...new Set(used)].sort(), everyCommand(), 'every command was used');
});

void t.test('no header of a backup controls the terminal', async (t) => {
  const backup = join(await temporaryFolder(t), `${hostile}.backup`);
  t.equal((await studioIn(environment)('backup', backup)).code, 0);
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
});

void t.test('no name of a migration controls the terminal', async (t) => {
  await sql`insert into kysely_migration values (${hostile}, '')`.execute(database);
  await runAll(t, environment, [['bookings', 'list'], ['doctor']]);
  await sql`delete from kysely_migration where name = ${hostile}`.execute(database);
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
    ['backup', typed],
    ['bookings', 'list'],
    ['doctor'],
    ['help', typed],
  ]);
  await runAll(t, { PORT: typed, LOG_LEVEL: typed }, [['bookings', 'list'], ['doctor']]);
});

void t.test('a prompt that quotes stored text cannot control the terminal', async (t) => {
  const prompt = await runAnswering(environment, ['bookings', 'cancel', asked], ['n']);
  t.match(prompt, { code: 4, asked: /\? Cancel/ });
  t.match(prompt.asked, /\\u001b\]0;owned\\u0007/);
  // The prompt's own sequences only move the cursor and clear lines.
  const others = prompt.asked.replaceAll(/\u001b\[[\d;?]*[A-IK-Za-z]|[\r\n]/g, '');
  t.notOk(unsafe.test(others));
  const shown = (await showBooking(studioIn(environment), asked)) as { name: string };
  t.ok(shown.name === (await bookingRow(service.context, asked)).name, 'JSON decodes to the text');
});

void t.test('events tail exits with 0 when its reader closes the pipe', async (t) => {
  const program = [bundledProgram('studio'), 'events', 'tail', '--json'];
  const { child } = launch(t, environment, program);
  const exited = once(child, 'exit');
  await once(child.stdout!, 'data');
  child.stdout!.destroy();
  for (let round = 0; child.exitCode === null && child.signalCode === null; round += 1) {
    await changeStudio(service.context, 'ada@desk', { name: `Heron ${round}` });
  }
  t.strictSame(await exited, [0, null]);
});

void t.test('events tail shows new events until it is interrupted', async (t) => {
  const interruption = new AbortController();
  const stdout = new PassThrough();
  let shown = '';
  stdout.on('data', (chunk: Buffer) => (shown += chunk.toString()));
  const follower = studioIn(environment, interruption.signal, stdout);
  const run = follower('events tail --limit 0 --json');
  for (let round = 0; !shown.includes('info set'); round += 1) {
    await changeStudio(service.context, 'ada@desk', { name: `Studio ${round}` });
  }
  interruption.abort();
  t.equal((await run).code, 0);
  t.match(JSON.parse(shown.split('\n')[0]!), { type: 'calendar.changed' });
});
