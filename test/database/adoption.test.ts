import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { gunzipSync, createGzip } from 'node:zlib';
import pg from 'pg';
import t, { type Test } from 'tap';
import { adoptedMigrations } from '../../src/database/adoption.js';
import { withClient } from '../../src/database/client.js';
import { migrateToLatest, readSchemaState } from '../../src/database/migrate.js';
import { baselineName, migrations } from '../../src/database/migrations/index.js';
import { sessionEndsAt, zonedText } from '../../src/schedule/slots.js';
import { sha256 } from '../../src/secrets/keyring.js';
import { environmentOnServer, everyRow } from '../support/backup.js';
import { readCatalogue } from '../support/catalogue.js';
import { createEmptyDatabase, waitingSessions } from '../support/database.js';
import { query, temporaryFolder, until } from '../support/embedded.js';
import {
  createReleasedDatabase,
  releasedBackup,
  releasedCatalogue,
  releasedRecord,
} from '../support/released.js';
import { secretKey } from '../support/service.js';
import { studioIn } from '../support/studio.js';

const applied = 'select name from kysely_migration order by name';

/** An empty database with the secret key of the released backup. */
async function emptyEnvironment(t: Test) {
  const environment = await environmentOnServer(t, secretKey);
  const { connectionString } = await createEmptyDatabase(t);
  return { ...environment, DATABASE_URL: connectionString };
}

void t.test('the baseline has the schema of 2.9.2', async (t) => {
  const { connectionString } = await createReleasedDatabase(t);
  // The clock of the run.
  const catalogue = (await readCatalogue(connectionString))
    .join('\n')
    .replace(/\((clock_timestamp\(\)) \+ interval '-?\d+ milliseconds'\)/, '$1');
  t.equal(sha256(catalogue).toString('hex'), releasedCatalogue);
});

void t.test('a new, an adopted and a restored database have one schema', async (t) => {
  const { connectionString: fresh } = await createEmptyDatabase(t);
  await migrateToLatest({ connectionString: fresh });
  const { connectionString: adopted } = await createReleasedDatabase(t);
  t.match(await readSchemaState({ connectionString: adopted }), {
    applied: [baselineName],
    unknown: [],
  });
  const ran = await migrateToLatest({ connectionString: adopted });
  t.strictSame([baselineName, ...ran], Object.keys(migrations), 'those after the baseline ran');
  const environment = await emptyEnvironment(t);
  const restored = await studioIn(environment)('restore', releasedBackup, '--yes');
  t.match(restored, { code: 0, stderr: '' });

  const schema = await readCatalogue(fresh);
  for (const other of [adopted, environment.DATABASE_URL]) {
    t.strictSame(await readCatalogue(other), schema);
    t.strictSame(await query(other, applied), await query(fresh, applied));
  }
});

interface EventRow {
  type: string;
  data: Record<string, unknown>;
}

/** The types of the moves of 2.9 that moved nothing. */
const typeOfChange: Record<string, string> = {
  details: 'booking.corrected',
  address: 'booking.readdressed',
  zone_data: 'booking.retimed',
  asked: 'booking.asked',
  kept: 'booking.kept',
};

function asNow(event: EventRow): EventRow {
  const { change, from, to, ...data } = event.data;
  if (event.type !== 'booking.moved' || change === undefined) return event;
  const type = typeOfChange[change as string]!;
  return { ...event, type, data: { ...data, ...(type === 'booking.retimed' && { from, to }) } };
}

void t.test('adoption keeps every row, also where two processes start at once', async (t) => {
  const { connectionString } = await createReleasedDatabase(t);
  const bookings = 'select to_jsonb(bookings) as row from bookings order by id';
  const rowsOf = async () =>
    (await query<{ row: Record<string, unknown> }>(connectionString, bookings)).map(
      ({
        row: {
          caller_hash,
          code_tries,
          code_tries_since,
          ends_at,
          ends_at_text,
          may_overlap,
          language,
          client_note,
          ...row
        },
      }) => row,
    );
  const eventsOf = async () =>
    (
      await query<{ row: EventRow }>(
        connectionString,
        'select to_jsonb(events) as row from events order by position',
      )
    ).map(({ row }) => row);
  await query(connectionString, `update artists set has_own_week = true where slug = 'jon'`);
  await query(
    connectionString,
    `insert into artist_sessions select id, 4, '1:00 PM' from artists where slug = 'jon'`,
  );
  const [before, bookingsBefore] = [await everyRow(connectionString), await rowsOf()];
  const eventsBefore = await eventsOf();
  await Promise.all([migrateToLatest({ connectionString }), migrateToLatest({ connectionString })]);
  const after = await everyRow(connectionString);
  // What later versions add is last.
  const added = (rows: string[], column: string) =>
    rows.map((row) => row.replace(/\)$/, `,${column})`));
  const settings = (rows: string[]) => rows.filter((row) => !row.includes('minimum_version'));
  const { opening_hours: _hours, weekly_sessions: _week, artist_sessions: _own, ...kept } = before;
  t.strictSame(after, {
    ...kept,
    bookings: after['bookings'],
    events: after['events'],
    mails: added(before['mails']!, ''),
    console_links: added(before['console_links']!, ''),
    console_sessions: added(before['console_sessions']!, ''),
    passkeys: added(before['passkeys']!, ''),
    closures: added(before['closures']!, ',,,'),
    studio: added(before['studio']!, 'en'),
    installation: [...settings(before['installation']!), '(minimum_version,3.1.0)'].sort(),
    artists: before['artists']!.map((row) => row.replace(/,[ft]\)$/, ',,,f)')),
    week_days: after['week_days'],
  });
  const weeks = `select slug, count(*)::integer as days, sum(cardinality(sessions))::integer as sessions
    from week_days left join artists on artists.id = artist_id group by slug order by slug`;
  t.strictSame(
    await query(connectionString, weeks),
    [
      { slug: 'jon', days: 7, sessions: 1 },
      { slug: null, days: 7, sessions: 16 },
    ],
    'each stored day stays, also those without sessions',
  );
  t.strictSame(await rowsOf(), bookingsBefore);
  t.strictSame(await eventsOf(), eventsBefore.map(asNow));
  const lock = (version: string) => query(connectionString, `select lock_slots('${version}')`);
  await t.rejects(lock('2.9.2'), { code: 'BV001' }, 'no process of 2.9 takes a slot');
  await t.rejects(lock('3.0.0'), { code: 'BV001' }, 'nor one of 3.0, which does not know dates');
  await lock('3.1.0');
});

void t.test('every booking gets its end, and those that overlap by it then may', async (t) => {
  const { connectionString } = await createReleasedDatabase(t);
  const ids = JSON.parse(await readFile(releasedRecord, 'utf8')) as Record<string, string>;
  // Booked while the studio's zone was another: an hour earlier than its label says now.
  await query(
    connectionString,
    `update bookings set timezone = 'America/Denver', starts_at = starts_at - interval '1 hour',
      starts_at_text = replace(starts_at_text, '-08:00', '-07:00') where id = '${ids['later']}'`,
  );
  const open = await query<{ id: string }>(
    connectionString,
    'select id from bookings where ends_at is null',
  );
  const overlapping = 'select id from bookings where may_overlap order by id';
  const before = await query<{ id: string }>(connectionString, overlapping);
  await migrateToLatest({ connectionString });
  const openingHours = await query<{ weekday: number; closes: string | null }>(
    connectionString,
    'select weekday, closes from week_days where artist_id is null',
  );
  const rows = await query<{ id: string; timezone: string; starts: string; ends: string }>(
    connectionString,
    `select id, timezone, starts_at_text as starts, ends_at_text as ends from bookings
      where ends_at = ends_at_text::timestamptz`,
  );
  for (const { id } of open) {
    const { timezone, starts, ends } = rows.find((row) => row.id === id)!;
    const expected = sessionEndsAt(Date.parse(starts), timezone, openingHours);
    t.equal(ends, zonedText(expected, timezone), starts);
  }
  t.equal(open.length, 7);
  t.strictSame(
    (await query<{ id: string }>(connectionString, overlapping)).map(({ id }) => id),
    [...before.map(({ id }) => id), ids['early'], ids['later']].sort(),
  );
});

void t.test('adoption changes nothing while a process of 2.9 is connected', async (t) => {
  const { connectionString } = await createReleasedDatabase(t);
  const [before, schema] = [
    await everyRow(connectionString),
    await readCatalogue(connectionString),
  ];
  for (const name of [' 2.9.2 2025b listener', ' 2.9.2 2025b queues', ' 2.9.2 2025b', '']) {
    const application_name = `tattoo-studio-booking${name}`;
    const older = new pg.Client({ connectionString, application_name });
    await older.connect();
    await t.rejects(migrateToLatest({ connectionString }), {
      message: new RegExp(
        `an earlier version \\(${name === '' ? 'before 2\\.9' : '2\\.9\\.2'}\\).*"studio backup"`,
      ),
    });
    await older.end();
    t.strictSame(await everyRow(connectionString), before);
    t.strictSame(await readCatalogue(connectionString), schema);
    t.strictSame(
      await query(connectionString, applied),
      adoptedMigrations.map((name) => ({ name })),
    );
  }
  t.ok((await migrateToLatest({ connectionString })).length > 0);
});

void t.test('an adoption that waits for a lock leaves a database of 2.9.2', async (t) => {
  const { connectionString } = await createReleasedDatabase(t);
  const names = await query(connectionString, applied);
  let adopting: Promise<string[]> | undefined;
  await withClient({ connectionString }, async (reader) => {
    await reader.query('begin; lock table bookings in access share mode');
    adopting = migrateToLatest({ connectionString });
    await until(async () => (await waitingSessions(reader)).length > 0);
    t.strictSame(await query(connectionString, applied), names);
    await reader.query('commit');
  });
  t.ok((await adopting)?.length);
});

void t.test('a database or a backup of an older version is left as it is', async (t) => {
  const older = adoptedMigrations.slice(0, -1);
  const { connectionString } = await createReleasedDatabase(t);
  await query(connectionString, `delete from kysely_migration where name = '${baselineName}'`);
  const before = await everyRow(connectionString);
  const message = /before 2\.9\.2 .*0038-last-booked.*: start 2\.9\.2 .*"studio backup"/;
  await t.rejects(migrateToLatest({ connectionString }), { message });
  await t.rejects(readSchemaState({ connectionString }), { message });
  t.strictSame(await everyRow(connectionString), before);
  t.equal((await query(connectionString, applied)).length, older.length);

  const file = join(await temporaryFolder(t), 'older.backup');
  const text = gunzipSync(await readFile(releasedBackup)).toString();
  await pipeline(
    [text.replace(JSON.stringify(adoptedMigrations), JSON.stringify(older))],
    createGzip(),
    createWriteStream(file),
  );
  const environment = await emptyEnvironment(t);
  const refused = await studioIn(environment)('restore', file, '--yes');
  t.match(refused, { code: 4, stderr: /before 2\.9\.2: restore it with 2\.9\.2.*"studio backup"/ });
  t.strictSame(
    await query(
      environment.DATABASE_URL,
      'select from pg_tables where schemaname = current_schema()',
    ),
    [],
  );
});

void t.test('a command on a database of 2.9 says what is to do', async (t) => {
  const { connectionString } = await createReleasedDatabase(t);
  const studio = studioIn({ DATABASE_URL: connectionString, SECRET_KEY: secretKey });
  const stderr =
    /of version 2\.9\.2\. Stop all .* backup with that version .*start this version once/;
  const before = await query(connectionString, applied);
  for (const command of ['bookings list', 'backup studio.backup']) {
    t.match(await studio(command), { code: 4, stderr });
  }
  t.strictSame(await query(connectionString, applied), before);
});
