import { join } from 'node:path';
import t, { type Test } from 'tap';
import { timeSlots } from '../../src/calendar/slots.js';
import { writeBackup } from '../../src/database/backup/write.js';
import { migrateTo } from '../../src/database/migrate.js';
import { createKeyring } from '../../src/platform/keyring.js';
import { environmentOnServer, fill } from '../support/backup.js';
import { failCalendar, insertCalendar } from '../support/busy-calendars.js';
import { createTestDatabase } from '../support/database.js';
import { query, temporaryFolder } from '../support/embedded.js';
import { insertMail, now } from '../support/mail-rows.js';
import { connectPreviousVersion } from '../support/previous-version.js';
import { secretKey } from '../support/service.js';
import { studioIn } from '../support/studio.js';
import { startWholeService } from '../support/whole-service.js';

const emptyDatabase =
  'drop schema public cascade; create schema public; drop schema bullmq cascade';

/** Restores a backup into a new, empty database. Returns its address. */
async function restore(t: Test, file: string): Promise<string> {
  const fresh = await environmentOnServer(t, 'one key');
  const url = fresh['DATABASE_URL']!;
  await query(url, emptyDatabase);
  t.match(await studioIn(fresh)('restore', file, '--yes'), { code: 0, stderr: '' });
  return url;
}

/** The types of the events of which mails would be made. */
async function toMail(url: string): Promise<string[]> {
  const rows = await query<{ type: string }>(
    url,
    'select type from events join events_to_mail on event_id = id order by position',
  );
  return rows.map(({ type }) => type);
}

void t.test('a restored backup mails nothing of what happened before', async (t) => {
  const file = join(await temporaryFolder(t), 'studio.backup');
  const old = await environmentOnServer(t, 'one key');
  const service = await startWholeService(t, old);
  const { context } = service;
  await fill(service);
  const { id } = await context.database
    .selectFrom('bookings')
    .select('id')
    .where('status', '=', 'confirmed')
    .executeTakeFirstOrThrow();
  await insertMail(context, id, {
    status: 'pending',
    recipient: 'studio',
    attempts: 2,
    claimed_until: await now(context, 60),
  });
  await insertMail(context, id, { kind: 'reminder', status: 'pending' });
  await insertMail(context, id);
  await insertMail(context, id, { kind: 'move', status: 'failed' });
  const calendarId = await insertCalendar(context);
  await failCalendar(context, calendarId);
  const failing = await context.database
    .selectFrom('events')
    .select('id as event_id')
    .where('type', '=', 'calendar.failing')
    .executeTakeFirstOrThrow();
  const about = { ...failing, booking_id: null, calendar_id: calendarId };
  const toStudio = { recipient: 'studio', status: 'pending' } as const;
  await insertMail(context, id, { ...about, ...toStudio, kind: 'calendar_failure' });
  await insertMail(context, id, { ...toStudio, kind: 'conflict' });
  for (const status of ['pending', 'sent'] as const) {
    const code = { kind: 'code' as const, event_id: null, lapses_at: await now(context, 600) };
    await insertMail(context, id, { ...code, status });
  }
  await service.stop();
  await query(
    old['DATABASE_URL']!,
    'insert into events_to_mail select id from events where booking_id is not null on conflict do nothing',
  );
  t.match(await studioIn(old)('backup', file), { code: 0 });

  const url = await restore(t, file);
  const mails = 'select kind, recipient, status, reason, attempts from mails order by position';
  t.strictSame(await query(url, mails), [
    {
      kind: 'confirmation',
      recipient: 'studio',
      status: 'dropped',
      reason: 'restored',
      attempts: 2,
    },
    { kind: 'reminder', recipient: 'person', status: 'dropped', reason: 'restored', attempts: 0 },
    { kind: 'confirmation', recipient: 'person', status: 'sent', reason: null, attempts: 1 },
    { kind: 'move', recipient: 'person', status: 'failed', reason: null, attempts: 1 },
    {
      kind: 'calendar_failure',
      recipient: 'studio',
      status: 'dropped',
      reason: 'restored',
      attempts: 0,
    },
    { kind: 'conflict', recipient: 'studio', status: 'dropped', reason: 'restored', attempts: 0 },
  ]);
  t.strictSame(await toMail(url), [], 'and codes are deleted');
});

void t.test('a backup of the version before mail is restored, and mails nothing', async (t) => {
  const file = join(await temporaryFolder(t), 'studio.backup');
  const { connectionString } = await createTestDatabase(t);
  await query(connectionString, emptyDatabase);
  await migrateTo({ connectionString }, '0007-changing-bookings');
  const keyring = createKeyring(secretKey);
  const previous = await connectPreviousVersion(t, connectionString, keyring);
  const date = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
  const held = await previous.hold({ date, timeSlot: timeSlots[0]! });
  t.ok(await previous.confirm(held!.id));
  const silent = { total: () => undefined, advance: () => undefined };
  const { signal } = new AbortController();
  const header = await writeBackup({ connectionString }, file, silent, signal);
  t.notMatch(JSON.stringify(header), /mails|to_mail/, 'the backup knows no mails');

  const url = await restore(t, file);
  const rows = await query(url, 'select id, status, reminders_stopped_at from bookings');
  t.strictSame(rows, [{ id: held!.id, status: 'confirmed', reminders_stopped_at: null }]);
  t.strictSame(await query(url, 'select id from mails'), []);
  t.strictSame(await toMail(url), []);
});
