import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';
import type { Database } from './rows/schema.js';

type Row<Table extends keyof Database> = Selectable<Database[Table]>;

/** A function that reads the row with a value in a unique column; null without one. */
export function finder<Table extends keyof Database, Column extends keyof Row<Table> & string>(
  table: Table,
  column: Column,
) {
  return async (database: Kysely<Database>, value: Row<Table>[Column]) => {
    const { rows } = await sql<Row<Table>>`
      select * from ${sql.table(table)} where ${sql.ref(column)} = ${value}`.execute(database);
    return rows[0] ?? null;
  };
}

/** The entry of `installation` with a name; null without one. */
export const findEntry = finder('installation', 'name');

/** A function that deletes the row with a value in a unique column, and returns it; null without one. */
export function deleter<Table extends keyof Database, Column extends keyof Row<Table> & string>(
  table: Table,
  column: Column,
) {
  return async (transaction: Transaction<Database>, value: Row<Table>[Column]) => {
    const { rows } = await sql<Row<Table>>`
      delete from ${sql.table(table)} where ${sql.ref(column)} = ${value}
      returning *`.execute(transaction);
    return rows[0] ?? null;
  };
}

/** A function that reads the newest rows of a booking, oldest first. */
export function newestOfBooking<Table extends 'events' | 'mails'>(table: Table) {
  return async (database: Kysely<Database>, bookingId: string, limit: number) => {
    const { rows } = await sql<Row<Table>>`
      select * from ${sql.table(table)} where booking_id = ${bookingId}
      order by position desc limit ${limit}`.execute(database);
    return rows.reverse();
  };
}

/** The row of a query that always returns one; throws without it. */
export function onlyRow<Result>([row]: readonly Result[]): Result {
  if (row === undefined) throw new Error('the query returned no row');
  return row;
}
