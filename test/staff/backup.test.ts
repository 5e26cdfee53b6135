import { copyFile, mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { findServedDatabase } from '../../src/database/embedded/running.js';
import { cancelByStudio } from '../../src/domain/cancellation.js';
import { confirmCheckout } from '../../src/domain/checkout.js';
import { placeHold } from '../../src/domain/holds.js';
import type { Service } from '../../src/service.js';
import { seed } from '../support/arbitraries.js';
import { untilBoard } from '../support/board.js';
import { createTestDatabase } from '../support/database.js';
import { mode, query, temporaryFolder } from '../support/embedded.js';
import { freePort } from '../support/process.js';
import { callerNumber, holdRequest, someOpenSlots } from '../support/requests.js';
import { soonMs } from '../support/seconds.js';
import { generous } from '../support/service.js';
import { everyRow } from '../support/snapshot.js';
import { studioIn } from '../support/studio.js';
import { startWholeService } from '../support/whole-service.js';

type Environment = Record<string, string>;

async function environmentOf(dataDir: string): Promise<Environment> {
  return { ...generous, DATA_DIR: dataDir, PORT: String(await freePort()) };
}

/** A migrated, empty database on a server, and a secret key of its own. */
async function environmentOnServer(t: Test, secret: string): Promise<Environment> {
  const { connectionString } = await createTestDatabase(t);
  return {
    ...generous,
    DATABASE_URL: connectionString,
    SECRET_KEY: secret.padEnd(32, '.'),
    PORT: String(await freePort()),
  };
}

/** Texts that a format could trip over. */
const strange = 'tab\t, back\\slash, \\N, \\., quote " and \' é 漢 🖋\nsecond line\r\n\\.\n';

/** A service with something in every state. Returns a checkout link's path and the slot held. */
async function fill({ context }: Service): Promise<{ path: string; key: string }> {
  const slots = await someOpenSlots(context, 3);
  const place = (index: number) =>
    placeHold(
      context,
      callerNumber(index),
      holdRequest(slots[index]!, { name: strange.trim(), idea: strange }),
      `key ${index}`,
    );
  const [confirmed, cancelled, pending] = [await place(0), await place(1), await place(2)];
  await confirmCheckout(context, confirmed.checkoutToken);
  await cancelByStudio(context, 'ada@desk', cancelled.booking.id);
  await context.database
    .insertInto('closures')
    .values({ from_date: '2030-01-01', to_date: '2030-01-02', time_slot: null, reason: strange })
    .execute();
  const key = `${slots[2]!.date} ${slots[2]!.timeSlot}`;
  return { path: `/checkout/${pending.checkoutToken}`, key };
}

void t.test(
  'a restore into a fresh folder brings back every row, and the service starts on it',
  async (t) => {
    const folder = await temporaryFolder(t);
    const file = join(folder, 'studio.backup');
    const old = await environmentOf(join(folder, 'old'));
    const service = await startWholeService(t, old);
    const { path, key } = await fill(service);
    const rows = await everyRow((await findServedDatabase(old['DATA_DIR']!))!);
    const backup = await studioIn(old)('backup', file);
    t.match(backup, { code: 0, stdout: /The secret key is not in it/ });
    t.equal(await mode(file), '600');
    t.strictSame(
      (await readdir(folder)).filter((name) => name.includes('backup')),
      ['studio.backup'],
    );
    const secret = (await readFile(join(folder, 'old', 'secret-key'), 'utf8')).trim();
    t.notOk(gunzipSync(await readFile(file)).includes(secret), 'without the secret key');
    await service.stop();

    const fresh = await environmentOf(join(folder, 'fresh'));
    const studio = studioIn(fresh);
    const refused = await studio('restore', file, '--yes');
    t.match(refused, { code: 4, stderr: /secret key .* is not here/ });

    await mkdir(join(folder, 'fresh'));
    await copyFile(join(folder, 'old', 'secret-key'), join(folder, 'fresh', 'secret-key'));
    t.match(await studio('restore', file, '--yes'), { code: 0, stdout: /bookings +3\n/ });

    const restored = await startWholeService(t, fresh);
    const {
      audit_log: audit = [],
      events = [],
      ...others
    } = await everyRow((await findServedDatabase(fresh['DATA_DIR']!))!);
    const { audit_log: auditBefore, events: eventsBefore, ...othersBefore } = rows;
    t.strictSame(others, othersBefore);
    // And what the restore wrote down.
    t.equal(audit.length, auditBefore!.length + 1);
    t.equal(events.length, eventsBefore!.length + 1);
    for (const row of auditBefore!) t.ok(audit.includes(row));

    const page = await fetch(`${restored.context.config.publicBaseUrl}${path}`);
    t.equal(page.status, 200, 'a checkout link from before works');
    await untilBoard(restored.context, ({ taken }) => taken.has(key));
    const before = await studio('events', 'tail', '--no-follow', '--json');
    await studio('closures', 'add', '2999-06-01');
    const after = await studio('events', 'tail', '--no-follow', '--json');
    t.equal(after.stdout.split('\n').length, before.stdout.split('\n').length + 1);
    t.match(await studio('doctor', '--json'), { code: 0 });
  },
);

void t.test(
  'a restore goes into a running service that is new, and its board follows',
  async (t) => {
    const folder = await temporaryFolder(t);
    const file = join(folder, 'studio.backup');
    const secret = { SECRET_KEY: 'a secret of both, which is long enough for it' };
    const old = { ...(await environmentOf(join(folder, 'old'))), ...secret };
    const service = await startWholeService(t, old);
    const { key } = await fill(service);
    await studioIn(old)('backup', file);
    await service.stop();

    const fresh = { ...(await environmentOf(join(folder, 'fresh'))), ...secret };
    const running = await startWholeService(t, fresh);
    const restored = await studioIn(fresh)('restore', file, '--yes', '--json');
    t.match(restored.json(), { with_secret_key: true, rows: { bookings: 3 } });
    const began = performance.now();
    await untilBoard(running.context, ({ taken }) => taken.has(key));
    t.ok(performance.now() - began < soonMs);
  },
);

void t.test(
  'with the key lost, a restore goes on with another one when it is told to',
  async (t) => {
    const folder = await temporaryFolder(t);
    const file = join(folder, 'studio.backup');
    const old = await environmentOnServer(t, 'the key that is lost');
    const service = await startWholeService(t, old);
    const { path } = await fill(service);
    const subscribed = await service.app!.inject({
      method: 'POST',
      url: '/api/public/webhooks',
      payload: { url: 'http://127.0.0.1:9/hook' },
    });
    t.equal(subscribed.statusCode, 201);
    await studioIn(old)('backup', file);
    await service.stop();

    const fresh = await environmentOnServer(t, 'another key');
    const refused = await studioIn(fresh)('restore', file, '--yes', '--json');
    t.match(JSON.parse(refused.stderr), { error: { code: 'refused', message: /secret key/ } });
    const restored = await studioIn(fresh)('restore', file, '--yes', '--without-secret-key');
    t.match(restored, { code: 0, stdout: /webhook subscriptions are disabled/ });
    const again = await startWholeService(t, fresh);
    const page = await fetch(`${again.context.config.publicBaseUrl}${path}`);
    t.equal(page.status, 200, 'checkout links work on');
    const { manage_token: token } = subscribed.json<{ data: { manage_token: string } }>().data;
    const subscription = await again.app!.inject({
      url: '/api/public/webhooks',
      headers: { authorization: `Bearer ${token}` },
    });
    t.match(subscription.json(), { data: { status: 'disabled', disabled_reason: 'secret_lost' } });
    const { id } = subscription.json<{ data: { id: string } }>().data;
    const enabled = await studioIn(fresh)('webhooks', 'enable', id);
    t.match(enabled, { code: 4, stderr: /must subscribe anew/ });
  },
);

void t.test(
  'what lies beside the tables of the service is neither taken nor touched',
  async (t) => {
    const folder = await temporaryFolder(t);
    const file = join(folder, 'studio.backup');
    const [old, fresh] = [
      await environmentOnServer(t, 'one key'),
      await environmentOnServer(t, 'one key'),
    ];
    for (const { DATABASE_URL: url } of [old, fresh]) {
      await query(url!, 'create table others as select 1 as number');
    }
    const service = await startWholeService(t, old);
    await fill(service);
    const backup = await studioIn(old)('backup', file, '--json');
    t.notOk('others' in backup.json<{ rows: object }>().rows);
    t.match(await studioIn(fresh)('restore', file, '--yes'), { code: 0, stderr: '' });
    t.strictSame(await query(fresh['DATABASE_URL']!, 'select * from others'), [{ number: 1 }]);
  },
);

void t.test('a restore that nobody agreed to makes no database', async (t) => {
  const folder = await temporaryFolder(t);
  const environment = await environmentOnServer(t, 'one key');
  const service = await startWholeService(t, environment);
  await service.stop();
  const file = join(folder, 'studio.backup');
  await studioIn(environment)('backup', file);

  const dataDir = join(folder, 'new');
  const fresh = studioIn({ DATA_DIR: dataDir });
  t.match(await fresh('restore', file, '--without-secret-key'), { code: 4, stderr: /add --yes/ });
  t.match(await fresh('restore', file, '--yes'), { code: 4, stderr: /secret key/ });
  await t.rejects(stat(dataDir), { code: 'ENOENT' });
});

/** A backup of a filled service, its content, and the folder that it lies in. */
async function someBackup(t: Test) {
  const folder = await temporaryFolder(t);
  const environment = await environmentOnServer(t, 'one key');
  const service = await startWholeService(t, environment);
  await fill(service);
  const studio = studioIn(environment);
  const file = join(folder, 'studio.backup');
  await studio('backup', file);
  await service.stop();
  const whole = await readFile(file);
  const content = gunzipSync(whole).toString();
  const header = content.slice(0, content.indexOf('\n') + 1);
  return { folder, studio, file, whole, content, header, rows: content.slice(header.length) };
}

type Header = Record<string, unknown> & { tables: { columns: string[]; rows: number }[] };

void t.test('what is no whole backup is refused with its line, and changes nothing', async (t) => {
  const { folder, studio, file, whole, content, header, rows } = await someBackup(t);
  const withHeader = (change: (header: Header) => void): Buffer => {
    const changed = JSON.parse(header) as Header;
    change(changed);
    return gzipSync(`${JSON.stringify(changed)}\n${rows}`);
  };
  const lines = content.split('\n');
  const number = lines.findIndex((line) => line.includes('\tpending\t')) + 1;
  const withLine = (change: (line: string) => string[]): Buffer =>
    gzipSync(lines.flatMap((line, at) => (at + 1 === number ? change(line) : [line])).join('\n'));
  const end = lines.length - 1;
  const flipped = Buffer.from(whole);
  flipped[flipped.length - 6]! ^= 1;
  const broken: Record<string, [Buffer, RegExp]> = {
    'is cut off': [whole.subarray(0, whole.length - 50), /, line \d+: .* ends too early/],
    'has a wrong checksum': [flipped, /, line \d+: it cannot be read \(Z_DATA_ERROR\)/],
    'lacks its end': [
      gzipSync(content.slice(0, -3)),
      new RegExp(`, line ${end}: .* ends too early`),
    ],
    'goes on': [gzipSync(`${content}more`), new RegExp(`, line ${end + 1}: .* goes on`)],
    'lacks a row': [withLine(() => []), /, line \d+: table bookings has less than its 3 rows/],
    'has a row twice': [withLine((line) => [line, line]), /, line \d+: table bookings has more/],
    'lacks a column': [
      withLine((line) => [line.slice(0, line.lastIndexOf('\t'))]),
      new RegExp(`, line ${number}: the row has not the columns`),
    ],
    'has a wrong value': [
      withLine((line) => [line.replace(/^[\da-f]/, 'x')]),
      new RegExp(`, line ${number}: a value is not of the type`),
    ],
    'breaks a rule': [
      withLine((line) => [line.replace('\tpending\t', '\tsecret\t')]),
      new RegExp(`, line ${number}: the row breaks a rule`),
    ],
    'refers to nothing': [
      withLine((line) => [line.replace(/^[\da-f]{8}/, '00000000')]),
      /, line \d+: in this or a later line, the row refers to one/,
    ],
    'is none': [gzipSync('{"format": "something else"}\n'), /is no backup of this service/],
    'is none either': [gzipSync('\0\x01\x02'.repeat(100)), /is no backup of this service/],
    'is null': [gzipSync('null\n'), /is no backup of this service/],
    'is of another format': [
      withHeader((changed) => (changed['format'] = String(changed['format']).replace('1', '2'))),
      /another version of the service/,
    ],
    'is not compressed': [Buffer.from(content), /, line 1: it cannot be read \(Z_DATA_ERROR\)/],
    'is empty': [Buffer.alloc(0), /, line 1: .* ends too early/],
    'has a line without end': [
      gzipSync(header + 'x'.repeat(64 * 1024 * 1024)),
      /, line 2: it is longer than any row is/,
    ],
    'is of a newer version': [
      withHeader((changed) => (changed['migrations'] = ['9999-the-future'])),
      /of a newer version/,
    ],
    'has no tables': [withHeader((changed) => (changed['tables'] = [])), /, line 1: the header is/],
    'lacks a table': [
      withHeader((changed) => (changed.tables = changed.tables.slice(0, -1))),
      /, line \d+: .* goes on after its end/,
    ],
    'has a table of its own': [
      gzipSync(`${header.replace('"closures"', '"closures2"')}${rows}`),
      /, line 1: the tables and columns are not those/,
    ],
    'has a column of its own': [
      withHeader(({ tables }) => (tables[0]!.columns[0] = 'a "b";')),
      /, line 1: the tables and columns are not those/,
    ],
    ...Object.fromEntries(
      ['migrations', 'tables', 'secretKeyId', 'createdAt'].flatMap((member) =>
        [undefined, 7, 'x\ty', [7], [null], [{ name: 7, columns: 7, rows: -1 }], {}].map(
          (value, index) => [
            `has a strange ${member} (${index})`,
            [withHeader((changed) => (changed[member] = value)), /, line 1: the header is damaged/],
          ],
        ),
      ),
    ),
  };
  delete broken['has a strange secretKeyId (2)'];

  const environment = await environmentOnServer(t, 'one key');
  const fresh = studioIn(environment);
  const before = await everyRow(environment['DATABASE_URL']!);
  const path = join(folder, 'broken');
  for (const [fault, [bytes, expected]] of Object.entries(broken)) {
    await writeFile(path, bytes);
    const { code, stdout, stderr } = await fresh('restore', path, '--yes');
    t.match({ code, stdout, stderr }, { code: 4, stdout: '', stderr: expected }, fault);
    t.match(stderr, oneSentence, fault);
  }
  t.strictSame(await everyRow(environment['DATABASE_URL']!), before);
  t.equal((await fresh('restore', join(folder, 'none'), '--yes')).code, 3);
  t.match(
    await fresh('restore', file, '--yes'),
    { code: 0 },
    'the whole one can still be restored',
  );
  t.match(await studio('backup', file), { code: 4, stderr: /exists already/ });
  t.equal((await stat(file)).size, whole.length);
});

/** No stack, no SQL, no error of JavaScript. */
const oneSentence = /^(?!.*(TypeError|undefined|select |copy |insert |syntax))[^\n]+\.\n$/i;

void t.test('a backup with any one damage is restored or refused in one sentence', async (t) => {
  const { folder, whole, content } = await someBackup(t);
  const bytes = Buffer.from(content);
  const path = join(folder, 'broken');
  let environment = await environmentOnServer(t, 'one key');
  let before = await everyRow(environment['DATABASE_URL']!);
  const at = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  const piece = fc.constantFrom('', '\t', '\n', '\\N', '\\.\n', '\\', '"', '9', '\0', '\xff', '漢');
  const damages = fc.sample(fc.record({ at, piece, cut: fc.nat(40) }), { seed, numRuns: 90 });
  for (const { at: share, piece: inserted, cut } of damages) {
    // Of the file as it lies there each third: its checksum finds those.
    const target = cut % 3 === 0 ? whole : bytes;
    const from = Math.floor(share * target.length);
    const head = target.subarray(0, from);
    const damaged = Buffer.concat([head, Buffer.from(inserted), target.subarray(from + cut)]);
    await writeFile(path, target === whole ? damaged : gzipSync(damaged));
    const { code, stderr } = await studioIn(environment)('restore', path, '--yes');
    const told = `${cut} bytes at ${from} replaced by ${JSON.stringify(inserted)}`;
    if (code === 0) {
      // What was damaged is a text of somebody's: only the checksum knows.
      t.ok(target !== whole || damaged.equals(whole), told);
      environment = await environmentOnServer(t, 'one key');
      before = await everyRow(environment['DATABASE_URL']!);
    } else {
      t.equal(code, 4, `${told}: ${stderr}`);
      t.match(stderr, oneSentence, told);
    }
  }
  t.strictSame(await everyRow(environment['DATABASE_URL']!), before);
});
