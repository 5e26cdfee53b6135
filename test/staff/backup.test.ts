import { copyFile, mkdir, readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import t from 'tap';
import { addCalendarFeed, feedPath } from '../../src/domain/calendar-feeds.js';
import { findServedDatabase } from '../../src/database/embedded/server.js';
import { environmentOf, environmentOnServer, fill } from '../support/backup.js';
import { untilBoard } from '../support/board.js';
import { mode, query, temporaryFolder } from '../support/embedded.js';
import { soonMs } from '../support/seconds.js';
import { everyRow } from '../support/snapshot.js';
import { studioIn } from '../support/studio.js';
import { startWholeService } from '../support/whole-service.js';

void t.test(
  'a restore into a new folder restores every row, and the service starts on it',
  async (t) => {
    const folder = await temporaryFolder(t);
    const file = join(folder, 'studio.backup');
    const old = await environmentOf(join(folder, 'old'));
    const service = await startWholeService(t, old);
    const { path, key } = await fill(service);
    const added = await addCalendarFeed(service.context, 'ada@desk', {
      label: 'Phone',
      hasDetails: true,
    });
    if (added.outcome === 'refused') throw new Error(added.message);
    const rows = await everyRow((await findServedDatabase(old['DATA_DIR']!))!);
    const backup = await studioIn(old)('backup', file);
    t.match(backup, { code: 0, stdout: /does not contain the secret key/ });
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
    t.match(refused, { code: 4, stderr: /secret key .* is missing/ });

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
    // A restore mails nothing of what happened before.
    othersBefore['events_to_mail'] = [];
    t.strictSame(others, othersBefore);
    // The restore adds one row to each.
    t.equal(audit.length, auditBefore!.length + 1);
    t.equal(events.length, eventsBefore!.length + 1);
    for (const row of auditBefore!) t.ok(audit.includes(row));

    const page = await fetch(`${restored.context.config.publicBaseUrl}${path}`);
    t.equal(page.status, 200, 'a checkout link of the old service works');
    const { publicBaseUrl } = restored.context.config;
    const calendar = await fetch(`${publicBaseUrl}${feedPath(added.issued.token)}`);
    t.equal(calendar.status, 200, 'and the address of a feed');
    await untilBoard(restored.context, ({ taken }) => taken.has(key));
    const before = await studio('events', 'tail', '--no-follow', '--json');
    await studio('closures', 'add', '2999-06-01');
    const after = await studio('events', 'tail', '--no-follow', '--json');
    t.equal(after.stdout.split('\n').length, before.stdout.split('\n').length + 1);
    t.match(await studio('doctor', '--json'), { code: 0 });
  },
);

void t.test('a restore into a running new service updates its board', async (t) => {
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
});

void t.test(
  'with the secret key lost, a restore with --without-secret-key uses another one',
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
    t.equal(page.status, 200, 'checkout links still work');
    const { manage_token: token } = subscribed.json<{ data: { manage_token: string } }>().data;
    const subscription = await again.app!.inject({
      url: '/api/public/webhooks',
      headers: { authorization: `Bearer ${token}` },
    });
    t.match(subscription.json(), { data: { status: 'disabled', disabled_reason: 'secret_lost' } });
    const { id } = subscription.json<{ data: { id: string } }>().data;
    const enabled = await studioIn(fresh)('webhooks', 'enable', id);
    t.match(enabled, { code: 4, stderr: /must subscribe again/ });
  },
);

void t.test('other tables in the database are neither backed up nor changed', async (t) => {
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
});

void t.test('a restore without --yes creates no database', async (t) => {
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
