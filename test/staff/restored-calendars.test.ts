import { join } from 'node:path';
import t, { type Test } from 'tap';
import { fetchDueCalendars } from '../../src/domain/calendar-fetches.js';
import { listWatchedCalendars } from '../../src/domain/watched-calendars.js';
import { environmentOnServer } from '../support/backup.js';
import { query, temporaryFolder } from '../support/embedded.js';
import { someOpenSlots } from '../support/requests.js';
import { createKeyring } from '../../src/platform/keyring.js';
import { startTestService } from '../support/service.js';
import { studioIn } from '../support/studio.js';
import {
  anyHost,
  busyAt,
  busyDuring,
  prepareReader,
  secretAddress,
  watch,
} from '../support/watched-calendars.js';

/** A service on its own reader, with the secret key of its environment. */
async function serve(t: Test, environment: Record<string, string>) {
  const reader = prepareReader();
  const { context } = await startTestService(
    t,
    { ...environment, ...anyHost },
    { calendarReader: reader, keyring: createKeyring(environment['SECRET_KEY']!) },
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
    reader.find(busyAt([busyDuring('America/Los_Angeles', slot!)], '"a"'));
    const { id } = await watch(context, secretAddress, 'Ada');
    await query(
      environment['DATABASE_URL']!,
      "update watched_calendars set claimed_until = booking_now() + interval '1 minute'",
    );
    t.match(await studioIn(environment)('backup', file), { code: 0 });

    for (const key of ['one key', 'another key']) {
      const fresh = await environmentOnServer(t, key);
      await query(
        fresh['DATABASE_URL']!,
        'drop schema public cascade; create schema public; drop schema bullmq cascade',
      );
      const options = key === 'one key' ? [] : ['--without-secret-key'];
      t.match(await studioIn(fresh)('restore', file, '--yes', ...options), { code: 0, stderr: '' });
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
