import pg from 'pg';
import { dataInventory } from '../data-inventory.js';
import type { BackupTable } from './format.js';

/** A backup leaves out all others: an extension's tables, another program's, Kysely's. */
export const serviceTables = Object.keys(dataInventory);

/**
 * The service's tables with their columns and row counts, each after those that it references.
 * `others` are tables of an older schema that this version does not have.
 */
export async function describeTables(
  client: pg.Client,
  others: readonly string[] = [],
): Promise<BackupTable[]> {
  const { rows } = await client.query<{ name: string; columns: string[]; references: string[] }>(
    `select relname as name,
        array(
          select attname::text from pg_attribute
          where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
          order by attnum
        ) as columns,
        array(
          select distinct other.relname::text from pg_constraint
          join pg_class other on other.oid = confrelid
          where conrelid = pg_class.oid and contype = 'f' and confrelid <> conrelid
        ) as "references"
      from pg_class
      where relkind = 'r' and relnamespace = current_schema()::regnamespace
        and relname = any ($1)
      order by relname`,
    [[...serviceTables, ...others]],
  );
  const tables: BackupTable[] = [];
  for (const { name, columns } of sortByReferences(rows)) {
    const counted = await client.query<{ rows: string }>(
      `select count(*) as rows from ${pg.escapeIdentifier(name)}`,
    );
    tables.push({ name, columns, rows: Number(counted.rows[0]?.rows) });
  }
  return tables;
}

function sortByReferences<Table extends { name: string; references: string[] }>(
  tables: readonly Table[],
): Table[] {
  const ordered = new Set<Table>();
  const visit = (table: Table, path: readonly string[]): void => {
    if (path.includes(table.name)) throw new Error(`tables reference each other: ${path.join()}`);
    for (const name of table.references) {
      const other = tables.find((candidate) => candidate.name === name);
      if (other !== undefined) visit(other, [...path, table.name]);
    }
    ordered.add(table);
  };
  for (const table of tables) visit(table, []);
  return [...ordered];
}

/** Those of a server that limit how long a copy takes; some are newer than others. */
const serverTimeouts = [
  'statement_timeout',
  'transaction_timeout',
  'idle_in_transaction_session_timeout',
  'idle_session_timeout',
];

/** Makes the text of rows independent of the server's settings, and lets a copy take as long as it takes. */
export async function prepareSession(client: pg.Client): Promise<void> {
  await client.query(`set datestyle to 'iso'; set timezone to 'UTC'; set bytea_output to 'hex';
    set extra_float_digits to 1`);
  await client.query(`select set_config(name, '0', false) from pg_settings where name = any ($1)`, [
    serverTimeouts,
  ]);
}

/** `bookings (id, date, …)`, quoted, for COPY. */
export function copyTarget({ name, columns }: BackupTable): string {
  const quoted = columns.map((column) => pg.escapeIdentifier(column));
  return `${pg.escapeIdentifier(name)} (${quoted.join(', ')})`;
}
