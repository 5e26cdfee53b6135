import { withClient } from '../../database/client.js';
import { isSession } from '../../database/diagnostics.js';
import { onlyRow } from '../../database/row-queries.js';
import { StaffError } from '../failure.js';
import { minServerVersion } from './server-checks.js';

interface TargetFacts {
  major: number;
  isUtf8: boolean;
  isReadOnly: boolean;
  mayCreate: boolean | null;
}

/** The address of a database without the user and the password. */
export function nameOfDatabase(url: string): string {
  const { host, pathname, searchParams } = new URL(url);
  return `${searchParams.get('host') ?? host}${pathname}`;
}

/** Throws unless the service can work on the database with that address. */
export async function checkTarget(connectionString: string): Promise<void> {
  const refuse = (problem: string) => {
    throw new StaffError('refused', `${nameOfDatabase(connectionString)} ${problem}.`);
  };
  const { folds, ...facts } = await withClient({ connectionString }, async (client) => {
    const { rows } = await client.query<TargetFacts>(
      `select current_setting('server_version_num')::integer / 10000 as major,
        getdatabaseencoding() = 'UTF8' as "isUtf8",
        pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as "isReadOnly",
        has_schema_privilege(current_schema(), 'create')
          and has_database_privilege(current_database(), 'create') as "mayCreate"`,
    );
    const found = onlyRow(rows);
    const knowsLetters =
      found.isUtf8 && (await client.query(`select where lower('Ж') = 'ж'`)).rowCount === 1;
    return { ...found, folds: knowsLetters };
  });
  if (facts.major < minServerVersion) {
    refuse(`runs PostgreSQL ${facts.major}: the service needs ${minServerVersion} or newer`);
  }
  if (facts.isReadOnly) refuse('is read-only: name the primary server');
  if (facts.mayCreate !== true) {
    refuse('does not let this user create tables and schemas: name its owner');
  }
  if (!folds) {
    refuse(
      "does not know the letters of all languages: create it with encoding 'UTF8' and a locale such as 'C.UTF-8'",
    );
  }
  if (!(await isSession({ connectionString })))
    refuse('is behind a pooler in transaction mode: name the server itself, or use session mode');
}
