import { join } from 'node:path';
import t, { type Test } from 'tap';
import { fetchDueCalendars } from '../../src/domain/studio/calendar-fetches.js';
import { listWatchedCalendars } from '../../src/domain/studio/watched-calendars.js';
import { slotStartsAt, timeSlots } from '../../src/schedule/slots.js';
import { createKeyring } from '../../src/secrets/keyring.js';
import { environmentOnServer, fill } from '../support/backup.js';
import { failCalendar, insertCalendar } from '../support/busy-calendars.js';
import { query, temporaryFolder } from '../support/embedded.js';
import { insertMail, now } from '../support/mail-rows.js';
import { everyOpenSlot, personNumber, someOpenSlots } from '../support/requests.js';
import { generous, startService } from '../support/service.js';
import { studioIn, studioOn } from '../support/studio.js';
import {
  anyHost,
  busyAt,
  busyDuring,
  prepareReader,
  secretAddress,
  watch,
} from '../support/watched-calendars.js';
import { startWholeService } from '../support/whole-service.js';

const emptyDatabase =
  'drop schema public cascade; create schema public; drop schema bullmq cascade';

/** Restores a backup into a new, empty database. Returns its environment. */
async function restore(t: Test, file: string, key = 'one key', ...options: string[]) {
  const fresh = await environmentOnServer(t, key);
  await query(fresh['DATABASE_URL']!, emptyDatabase);
  const restored = await studioIn(fresh)('restore', file, '--yes', ...options);
  t.match(restored, { code: 0, stderr: '' });
  return fresh;
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

  const url = (await restore(t, file))['DATABASE_URL']!;
  const mails = 'select kind, recipient, status, reason, attempts from mails order by position';
  const dropped = { status: 'dropped', reason: 'restored', attempts: 0 };
  t.strictSame(await query(url, mails), [
    { kind: 'confirmation', recipient: 'studio', ...dropped, attempts: 2 },
    { kind: 'reminder', recipient: 'person', ...dropped },
    { kind: 'confirmation', recipient: 'person', status: 'sent', reason: null, attempts: 1 },
    { kind: 'move', recipient: 'person', status: 'failed', reason: null, attempts: 1 },
    { kind: 'calendar_failure', recipient: 'studio', ...dropped },
    { kind: 'conflict', recipient: 'studio', ...dropped },
  ]);
  t.strictSame(await toMail(url), [], 'and codes are deleted');
});

void t.test(
  'a reminder that is still ahead at a restore is sent once, and what is dropped is counted',
  async (t) => {
    const file = join(await temporaryFolder(t), 'studio.backup');
    const { context, ...old } = await startService(t, generous, { mail: true });
    const slots = await everyOpenSlot(context, 3);
    const bookOn = async (person: number) => {
      // One for each day, each at the same time.
      const slot = slots.filter(({ timeSlot }) => timeSlot === timeSlots[1])[person + 1]!;
      const { id } = await old.book(slot, personNumber(person));
      await old.settle();
      const { epochMs } = slotStartsAt('America/Los_Angeles', slot.date, slot.timeSlot);
      return { id, remindedAt: epochMs - 86_400_000 };
    };
    const [sent, due] = [await bookOn(1), await bookOn(2)];
    const [ahead, unmade] = [await bookOn(3), await bookOn(4)];
    await old.shiftClock(sent.remindedAt + 1_000 - Date.now());
    await old.settle();
    await old.background.stop();
    await query(
      context.config.databaseUrl!,
      `delete from mails where booking_id = '${unmade.id}';
      insert into events_to_mail select id from events where booking_id = '${unmade.id}';
      insert into console_links values ('', 'Ada', booking_now(), booking_now())`,
    );
    t.match(await studioOn(context)('backup', file), { code: 0 });

    const fresh = await startService(t, generous, { mail: true });
    await fresh.shiftClock(due.remindedAt + 1_000 - Date.now());
    const restored = await studioOn(fresh.context)('restore', file, '--yes');
    t.match(restored, {
      code: 0,
      stdout: /: 1 sign-in link, 1 reminder, 2 unmailed changes\.\n.*: 2 reminders\.\n/,
    });
    for (const at of [ahead.remindedAt, unmade.remindedAt, unmade.remindedAt + 3_600_000]) {
      await fresh.shiftClock(at + 1_000 - Date.now());
      await fresh.settle();
    }
    t.strictSame(
      fresh.smtp
        .received()
        .map(({ to }) => to)
        .sort(),
      [3, 4].map((person) => [personNumber(person).email]),
    );
  },
);

/** A service on its own reader, with the secret key of its environment. */
async function serve(t: Test, environment: Record<string, string>) {
  const reader = prepareReader();
  const { context } = await startService(
    t,
    { ...environment, ...anyHost },
    { overrides: { calendarReader: reader, keyring: createKeyring(environment['SECRET_KEY']!) } },
  );
  return { context, reader };
}

void t.test(
  'a restored backup keeps watched calendars and what they closed, and fetches them at once',
  async (t) => {
    const file = join(await temporaryFolder(t), 'studio.backup');
    const environment = await environmentOnServer(t, 'one key');
    const { context, reader } = await serve(t, environment);
    const [slot] = await someOpenSlots(context, 1);
    reader.find(busyAt([busyDuring(slot!)], '"a"'));
    const { id } = await watch(context, secretAddress, 'Ada');
    await query(
      environment['DATABASE_URL']!,
      "update watched_calendars set claimed_until = booking_now() + interval '1 minute'",
    );
    t.match(await studioIn(environment)('backup', file), { code: 0 });

    for (const key of ['one key', 'another key']) {
      const options = key === 'one key' ? [] : ['--without-secret-key'];
      const fresh = await restore(t, file, key, ...options);
      const restored = await serve(t, fresh);
      t.match(await listWatchedCalendars(restored.context), [
        { id, label: 'Ada', claimed_until: null, busyIntervals: 1 },
      ]);
      await fetchDueCalendars(restored.context);
      const [calendar] = await listWatchedCalendars(restored.context);
      if (key === 'one key') {
        t.match(restored.reader.requests, [{ address: secretAddress, etag: '"a"' }]);
        t.equal(calendar?.last_error, null);
      } else {
        t.strictSame(restored.reader.requests, []);
        t.match(calendar, { last_error: 'secret_lost', busyIntervals: 1 });
      }
    }
  },
);
