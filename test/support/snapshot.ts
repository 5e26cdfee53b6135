import { query } from './embedded.js';

/** Every row of every table of the service, as text: `bookings` → its rows, sorted. */
export async function everyRow(connectionString: string): Promise<Record<string, string[]>> {
  const tables = await query<{ name: string }>(
    connectionString,
    `select tablename as name from pg_tables
      where schemaname = 'public' and tablename not like 'kysely%' order by tablename`,
  );
  const rows: Record<string, string[]> = {};
  for (const { name } of tables) {
    const found = await query<{ row: string }>(
      connectionString,
      `select ${name}::text as row from ${name} order by 1`,
    );
    rows[name] = found.map(({ row }) => row);
  }
  return rows;
}
