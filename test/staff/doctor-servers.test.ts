import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import t from 'tap';
import { uniqueIndexes } from '../../src/database/diagnostics.js';
import { checkKeyring } from '../../src/database/installation-key.js';
import { migrateToLatest } from '../../src/database/migrate.js';
import { exampleStudio } from '../../src/database/seed.js';
import { recordPublicBaseUrl } from '../../src/repositories/installation.js';
import { createEmptyDatabase } from '../support/database.js';
import { between, nameEach, ownDetails, type State } from '../support/doctor.js';
import { initialisedFolder } from '../support/embedded.js';
import { redisMissing, startTestRedis } from '../support/redis.js';
import type { Environment } from '../support/servers.js';
import { startService } from '../support/service.js';
import { studioEnvironment } from '../support/studio.js';

const { context } = await startService(t);
const { database } = context;
const own: Environment = { ...studioEnvironment(context), TRUST_PROXY: '127.0.0.1/32' };
await checkKeyring(context);
await database.updateTable('studio').set(ownDetails).execute();

const states: State[] = [
  [
    'a table that was dropped',
    'failure migrations: The database has lost its tables platforms: restore a backup.',
    (t) =>
      between(
        t,
        database,
        'alter table platforms rename to lost',
        'alter table lost rename to platforms',
      ),
  ],
  [
    'unique indexes that were dropped, or not built to their end',
    /^failure indexes: The database lacks unique indexes, .* valid: bookings_apart, bookings_one_live_per_slot\. .* booked twice: .* restore it into an empty database/,
    (t) =>
      between(
        t,
        database,
        `update pg_index set indisvalid = false where indexrelid = 'bookings_apart'::regclass;
        alter index bookings_one_live_per_slot rename to lost`,
        `update pg_index set indisvalid = true where indexrelid = 'bookings_apart'::regclass;
        alter index lost rename to bookings_one_live_per_slot`,
      ),
  ],
  [
    'a database that is read-only',
    /^failure writes: The database takes no writes \(cannot execute INSERT in a read-only transaction\), .* DATABASE_URL/,
    () => {
      const url = new URL(own['DATABASE_URL'] ?? '');
      url.searchParams.set('options', '-c default_transaction_read_only=on');
      return { DATABASE_URL: url.href };
    },
  ],
  [
    'a database that does not know all letters',
    /^failure encoding: The database stores text as SQL_ASCII, .* ENCODING 'UTF8'/,
    async (t) => {
      const { connectionString } = await createEmptyDatabase(
        t,
        `encoding 'SQL_ASCII' locale 'C' locale_provider libc`,
      );
      await migrateToLatest({ connectionString });
      const others = await startService(t, { DATABASE_URL: connectionString });
      await checkKeyring(others.context);
      await others.context.database.updateTable('studio').set(ownDetails).execute();
      return studioEnvironment(others.context);
    },
  ],
  [
    'files of another PostgreSQL',
    /^failure server: The database in \S+ is of PostgreSQL 12, and this version of the service brings PostgreSQL \d\d\. Start the version that you ran before, make a backup .*"studio backup".*"studio restore"/,
    async (t) => {
      const DATA_DIR = await initialisedFolder(t);
      await writeFile(join(DATA_DIR, 'postgres', 'PG_VERSION'), '12\n');
      return { DATABASE_URL: '', DATA_DIR };
    },
  ],
  [
    'an address for others with what is only for this machine',
    'warning ready for others: The studio is still the invented one in its street, email: set your own with "studio info set", or in the console. Links lead to http://localhost:3000, which only this machine reaches: set PUBLIC_BASE_URL to the address that people open.',
    async (t) => {
      t.teardown(() => database.updateTable('studio').set(ownDetails).execute());
      const { street, email } = exampleStudio;
      await database.updateTable('studio').set({ street, email }).execute();
      const address = 'http://localhost:3000';
      await recordPublicBaseUrl(database, address);
      t.teardown(() => recordPublicBaseUrl(database, 'http://studio.test'));
      return { HOST: '0.0.0.0', PUBLIC_BASE_URL: address };
    },
  ],
  [
    'a proxy that is not trusted',
    'warning ready for others: A proxy answers at http://studio.test, and everybody shares its limits: set TRUST_PROXY to its addresses.',
    () => ({ TRUST_PROXY: '' }),
  ],
  [
    'Redis that deletes when its memory is full',
    'warning queues: Redis deletes jobs and counted requests once its memory is full (maxmemory-policy allkeys-lru): set maxmemory-policy to noeviction.',
    async (t) => {
      const redis = (await startTestRedis(t.testdir(), undefined, 'allkeys-lru'))!;
      t.teardown(() => redis.stop());
      return { REDIS_URL: redis.url };
    },
    redisMissing,
  ],
  [
    'TLS to a Redis without',
    'failure queues: Redis answers without TLS: begin REDIS_URL with redis://, or switch TLS on in Redis.',
    () => ({ REDIS_URL: (process.env['TEST_REDIS_URL'] ?? '').replace('redis:', 'rediss:') }),
    redisMissing,
  ],
];

t.test('doctor names what a database, a Redis or an address for others lacks', (t) =>
  nameEach(t, states, own),
);

t.test('doctor knows every unique index of the schema, and no other', async (t) => {
  const { rows } = await sql<{ name: string }>`
    select indexrelid::regclass::text as name from pg_index join pg_class on pg_class.oid = indrelid
    where (indisunique or indisexclusion) and relnamespace = 'public'::regnamespace
      and relname not like 'kysely%'`.execute(database);
  t.strictSame(rows.map(({ name }) => name).sort(), [...uniqueIndexes].sort());
});
