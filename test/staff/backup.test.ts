import { copyFile, mkdir, readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import t from 'tap';
import { findServedDatabase } from '../../src/database/embedded/server.js';
import { changeArtistDays } from '../../src/domain/studio/artist-days.js';
import { addBooking } from '../../src/domain/studio/bookings.js';
import { addCalendarFeed, removeCalendarFeed } from '../../src/domain/studio/calendar-feeds.js';
import { parseSlotKey } from '../../src/schedule/slots.js';
import { addArtists } from '../support/artists.js';
import { environmentOf, environmentOnServer, fill, everyRow } from '../support/backup.js';
import { untilBoard } from '../support/board.js';
import { mode, query, temporaryFolder } from '../support/embedded.js';
import { addFeed } from '../support/feeds.js';
import { runAnswering, studioIn } from '../support/studio.js';
import { startWholeService } from '../support/whole-service.js';

void t.test(
  'a restore into a new folder restores every row, and the service starts on it',
  async (t) => {
    const folder = await temporaryFolder(t);
    const file = join(folder, 'studio.backup');
    const old = await environmentOf(join(folder, 'old'));
    const service = await startWholeService(t, old);
    const { path, key } = await fill(service);
    const feed = await addFeed(service.context, true);
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
    // The service that has started records its own address.
    for (const tables of [others, othersBefore]) {
      tables['installation'] = tables['installation']!.filter((row) => !row.includes('base_url'));
    }
    t.strictSame(others, othersBefore);
    // The restore adds one row to each.
    t.equal(audit.length, auditBefore!.length + 1);
    t.equal(events.length, eventsBefore!.length + 1);
    for (const row of auditBefore!) t.ok(audit.includes(row));

    for (const old of [path, feed.path]) {
      const answer = await restored.app!.inject(old);
      t.equal(answer.statusCode, 200, 'checkout links and feeds of the old service work');
    }
    await untilBoard(restored.context, ({ taken }) => taken.has(key));
    const before = await studio('events', 'tail', '--no-follow', '--json');
    await studio('closures', 'add', '2999-06-01');
    const after = await studio('events', 'tail', '--no-follow', '--json');
    t.equal(after.stdout.split('\n').length, before.stdout.split('\n').length + 1);
    t.match(await studio('doctor', '--json'), { code: 0 });
  },
);

void t.test('of a service on a database server', async (t) => {
  const folder = await temporaryFolder(t);
  const file = join(folder, 'studio.backup');
  const old = await environmentOnServer(t, 'one key');
  const withOthers = 'create table others as select 1 as number';
  await query(old['DATABASE_URL']!, withOthers);
  const service = await startWholeService(t, old);
  const { context } = service;
  const { path, key } = await fill(service);
  const [, jon] = await addArtists(context, 2);
  const again = { ...parseSlotKey(key), artistId: jon!.id };
  t.match(await addBooking(context, 'desk', again, { name: 'Jo' }), { outcome: 'added' });
  const removed = await addFeed(context);
  for (const [label, artistId] of [
    ['Kept', null],
    ['Desk', jon!.id],
  ] as const) {
    const feed = { label, hasDetails: true, artistId };
    t.match(await addCalendarFeed(context, 'ada@desk', feed), { outcome: 'added' });
  }
  await query(
    old['DATABASE_URL']!,
    `insert into passkeys (credential_id, public_key, counter, transports, name, created_at, artist_id)
    values ('a', '', 0, '{}', 'Own', booking_now(), null),
      ('b', '', 0, '{}', 'Tablet', booking_now(), ${jon!.id})`,
  );
  const subscribed = await service.app!.inject({
    method: 'POST',
    url: '/api/public/webhooks',
    payload: { url: 'http://127.0.0.1:9/hook' },
  });
  const { id, manage_token: token } = subscribed.json<{
    data: { id: string; manage_token: string };
  }>().data;
  const backup = await studioIn(old)('backup', file, '--json');
  t.notOk('others' in backup.json<{ rows: object }>().rows);
  await removeCalendarFeed(context, 'ada@desk', removed.id);
  t.match(await changeArtistDays(context, 'ada@desk', 'jon', { isHidden: true }), {
    outcome: 'saved',
  });
  const forget = ['bookings', 'forget', 'ada@example.com', '--cancel-bookings', '--yes'];
  t.match(await studioIn(old)(...forget), { code: 0 });
  const restore = ['restore', file];
  const bookingsIn = ({ DATABASE_URL: url }: Record<string, string>) =>
    query(url!, 'select from bookings');

  await t.test('a restore into a running new service updates its board', async (t) => {
    const fresh = await environmentOnServer(t, 'one key');
    const running = await startWholeService(t, fresh);
    const restored = await studioIn(fresh)(...restore, '--yes', '--json');
    const result = { with_secret_key: true, revived: null, rows: { bookings: 4, artists: 2 } };
    t.match(restored.json(), result);
    await untilBoard(running.context, ({ taken }) => taken.get(key)?.length === 2);
  });

  await t.test(
    'with the secret key lost, a restore with --without-secret-key uses another one',
    async (t) => {
      const fresh = await environmentOnServer(t, 'another key');
      const studio = studioIn(fresh);
      const refused = await studio(...restore, '--yes', '--json');
      t.match(JSON.parse(refused.stderr), { error: { code: 'refused', message: /secret key/ } });
      const restored = await studio(...restore, '--yes', '--without-secret-key');
      t.match(restored, { code: 0, stdout: /webhook subscriptions are disabled/ });
      const { app } = await startWholeService(t, fresh);
      t.equal((await app!.inject(path)).statusCode, 200, 'checkout links still work');
      const headers = { authorization: `Bearer ${token}` };
      const subscription = await app!.inject({ url: '/api/public/webhooks', headers });
      const disabled = { status: 'disabled', disabled_reason: 'secret_lost' };
      t.match(subscription.json(), { data: { id, ...disabled } });
      const enabled = await studio('webhooks', 'enable', id);
      t.match(enabled, { code: 4, stderr: /must subscribe again/ });
    },
  );

  await t.test(
    'a restore lists what it revives, or says that it cannot know, and leaves other tables',
    async (t) => {
      const fresh = await environmentOnServer(t, 'one key');
      await query(fresh['DATABASE_URL']!, withOthers);
      const blind = await runAnswering(fresh, restore, ['n']);
      t.match(blind, { code: 4, asked: /cannot be known here/ });
      const replaces = [...restore, '--replaces', old['DATABASE_URL']!];
      const refused = await runAnswering(fresh, replaces, ['y', 'n']);
      const revived =
        /calendar feed +Desk .*\n *calendar feed +Phone .*\n *passkey +Tablet .*\n.*person/;
      t.match(refused, { code: 4, asked: revived });
      t.notMatch(refused.asked, /Kept|Own/);
      t.equal((await bookingsIn(fresh)).length, 0, 'nothing is restored');
      const { code, asked } = await runAnswering(fresh, replaces, ['y', 'y']);
      t.equal(code, 0, asked);
      t.equal((await bookingsIn(fresh)).length, 4);
      t.strictSame(await query(fresh['DATABASE_URL']!, 'table others'), [{ number: 1 }]);
    },
  );

  await t.test('a restore without --yes creates no database', async (t) => {
    const dataDir = join(folder, 'new');
    const fresh = studioIn({ DATA_DIR: dataDir });
    const unasked = await fresh(...restore, '--without-secret-key');
    t.match(unasked, { code: 4, stderr: /add --yes/ });
    t.match(await fresh(...restore, '--yes'), { code: 4, stderr: /secret key/ });
    await t.rejects(stat(dataDir), { code: 'ENOENT' });
  });
});
