import { type Kysely, PostgresAdapter, sql } from 'kysely';
import { StartError } from '../errors.js';
import { listConnected } from './diagnostics.js';
import { baselineName, migrations } from './migrations/index.js';

/** The version whose schema is the baseline. */
export const adoptedVersion = '2.9.2';

/**
 * The migrations that it has run, which the baseline replaces.
 * @internal
 */
export const adoptedMigrations: readonly string[] = [
  '0001-calendar-and-bookings',
  '0002-access',
  '0003-webhooks',
  '0004-audit-log',
  '0005-why-disabled',
  '0006-live-bookings',
  '0007-changing-bookings',
  '0008-mail',
  '0009-platforms',
  '0010-console',
  '0011-calendars',
  '0012-traces',
  '0013-codes',
  '0014-caps',
  '0015-webhook-caps',
  '0016-minimum-version',
  '0017-mode',
  '0018-read-in-part',
  '0019-session-ends',
  '0020-midnight',
  '0021-changes',
  '0025-openings',
  '0027-form-nonces',
  '0028-zone-data',
  '0029-addresses',
  '0030-corrections',
  '0031-closing',
  '0033-folded-letters',
  '0034-studio-notes',
  '0035-visits',
  '0036-artists',
  '0037-mailboxes',
  '0038-last-booked',
  '0039-dismissed-mails',
];

/** The first version that knows the baseline. */
const baselineSince = '3.0.0';

/** The refusal of commands on a database still of that version: its backup could not be restored there. */
export const adoptBefore = `This database is of version ${adoptedVersion}. Stop all of its processes, write a backup with that version ("studio backup"), and start this version once; commands work after that.`;

/**
 * The migrations that a database or a backup has run, by the names of this version: the baseline where
 * its schema is exactly the adopted one. Null where it is older.
 */
export function byBaseline(applied: readonly string[]): string[] | null {
  if (applied.join() === adoptedMigrations.join()) return [baselineName];
  const isOlder =
    applied[0] === adoptedMigrations[0] &&
    applied.every((name) => adoptedMigrations.includes(name));
  return isOlder ? null : [...applied];
}

/**
 * Adopts a database of that version in place, in one transaction under the lock of Kysely's migrator: its
 * list of migrations becomes the baseline, and those after it run. Leaves any other database as it is.
 * Returns the names of what ran. Throws `StartError`, and changes nothing, on an older schema, or while a
 * process or a command of an earlier version is connected.
 */
export async function adoptDatabase(database: Kysely<unknown>): Promise<string[]> {
  if (!isToAdopt(await listApplied(database))) return [];
  const adapter = new PostgresAdapter();
  const lock = { lockTable: 'kysely_migration_lock', lockRowId: 'migration_lock' };
  return database.connection().execute(async (connection) => {
    await adapter.acquireMigrationLock(connection, lock);
    try {
      return await connection.transaction().execute(async (transaction) => {
        if (!isToAdopt(await listApplied(transaction))) return [];
        await refuseOlderProcesses(transaction);
        await sql`
          delete from kysely_migration where name <> ${baselineName}`.execute(transaction);
        const later = Object.entries(migrations).filter(([name]) => name !== baselineName);
        for (const [name, migration] of later) {
          await migration.up(transaction);
          await sql`
            insert into kysely_migration (name, timestamp)
            values (${name}, to_json(booking_now()) #>> '{}')`.execute(transaction);
        }
        return later.map(([name]) => name);
      });
    } finally {
      await adapter.releaseMigrationLock(connection, lock);
    }
  });
}

/** The applied migrations in their order; none in a database without any table. */
export async function listApplied<Schema>(database: Kysely<Schema>): Promise<string[]> {
  const { rows: tables } = await sql`
    select where to_regclass('kysely_migration') is not null`.execute(database);
  if (tables.length === 0) return [];
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration order by name collate "C"`.execute(database);
  return rows.map(({ name }) => name);
}

/** Checks a database like `byBaseline`. Throws `StartError` on an older schema. */
export function expectAdoptable(applied: readonly string[]): string[] {
  const known = byBaseline(applied);
  if (known !== null) return known;
  throw new StartError(
    `This database is of a version before ${adoptedVersion} (its newest migration is ${applied.at(-1)}): start ${adoptedVersion} on it once, write a backup with that version ("studio backup"), and then start this one.`,
  );
}

function isToAdopt(applied: readonly string[]): boolean {
  return expectAdoptable(applied).join() !== applied.join();
}

async function refuseOlderProcesses<Schema>(database: Kysely<Schema>): Promise<void> {
  const { compare } = new Intl.Collator('en', { numeric: true });
  const older = (await listConnected(database)).filter(
    (version) => version === null || compare(version, baselineSince) < 0,
  );
  if (older.length === 0) return;
  const versions = older.map((version) => version ?? 'before 2.9').join(', ');
  throw new StartError(
    `A process of an earlier version (${versions}) is connected to this database: stop all of them, write a backup with ${adoptedVersion} ("studio backup"), and start this version again. Nothing was changed.`,
  );
}
