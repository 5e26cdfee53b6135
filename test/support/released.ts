import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import type { Test } from 'tap';
import { adoptedMigrations } from '../../src/database/adoption.js';
import { openBackup } from '../../src/database/backup/reader.js';
import { adjustSequences } from '../../src/database/backup/restore.js';
import { copyTarget, describeTables } from '../../src/database/backup/tables.js';
import { withClient } from '../../src/database/client.js';
import { migrateTo } from '../../src/database/migrate.js';
import { baselineName } from '../../src/database/migrations/index.js';
import { onlyRow } from '../../src/database/row-queries.js';
import { createEmptyDatabase } from './database.js';
import { projectRoot } from './project.js';

/**
 * A backup that 2.9.2 wrote, with the secret key of the tests: bookings in every status, some without an
 * end, mails in every state, undispatched events of every type, two artists, and what can be withdrawn.
 */
export const releasedBackup = join(projectRoot, 'test/database/released/2.9.2.backup');

/** What 2.9.2 itself did and answered when it went on with that database, and what it had told. */
export const releasedRecord = join(projectRoot, 'test/database/released/2.9.2.json');

/** What `readCatalogue` finds in a database that 2.9.2 has migrated, as a hash. */
export const releasedCatalogue = '5b303cc3f641d1c512462c932bf4d43015d53964c01027b065bd568c589feae0';

const unvalidated = [
  ['events', 'events_trace_context_check'],
  ['mails', 'mails_budget_share_check'],
] as const;

/** When 2.9.2 wrote it, in milliseconds since the epoch. */
export const releasedAt = Date.parse('2026-12-01T20:16:13.138Z');

/** The database as 2.9.2 left it: its schema, its list of migrations, and every row. */
export async function createReleasedDatabase(t: Test): Promise<{ connectionString: string }> {
  const connection = await createEmptyDatabase(t);
  await migrateTo(connection, baselineName);
  const backup = await openBackup(releasedBackup);
  t.teardown(() => backup.close());
  await withClient(connection, async (client) => {
    await client.query('set session_replication_role to replica');
    await client.query('delete from artists');
    for (const table of backup.header.tables) {
      const rows = client.query(copyFrom(`copy ${copyTarget(table)} from stdin`));
      await pipeline(backup.nextRows(table), rows);
    }
    await adjustSequences(client, await describeTables(client));
    // Which its migrations added so to tables with rows.
    for (const [table, name] of unvalidated) {
      const constraint = `(select oid from pg_constraint where conname = '${name}')`;
      const { rows } = await client.query<{ check: string }>(
        `select pg_get_constraintdef(${constraint}) as check`,
      );
      await client.query(`alter table ${table} drop constraint ${name},
        add constraint ${name} ${onlyRow(rows).check} not valid`);
    }
    await client.query('delete from kysely_migration');
    await client.query(
      'insert into kysely_migration select name, name from unnest($1::text[]) as name',
      [adoptedMigrations],
    );
  });
  return connection;
}
