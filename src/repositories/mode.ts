import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';
import type { ConfirmationProof } from '../config.js';
import type { Database } from '../database/schema.js';

/** A row of `installation`, whose value is an instant, while mail is on, or confirming takes a code. */
export type ModeRecord = 'mail_on' | 'code_on';

/** What belongs to the installation, whatever the settings of one process are. */
export interface InstallationMode {
  mail: boolean;
  /** `code` only with mail on. */
  confirmation: ConfirmationProof;
}

export function isRecorded(record: ModeRecord): RawBuilder<boolean> {
  return sql`exists (select from installation where name = ${sql.lit(record)})`;
}

/** `InstallationMode`, as JSON. */
export const modeObject = sql<InstallationMode>`json_build_object(
  'mail', ${isRecorded('mail_on')},
  'confirmation', case when ${isRecorded('code_on')} then 'code' else 'link' end)`;

export async function readMode(database: Kysely<Database>): Promise<InstallationMode> {
  const { rows } = await sql<{ mode: InstallationMode }>`select ${modeObject} as mode`.execute(
    database,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the query returned no row');
  return row.mode;
}

/** Records the mode, and has the boards of all processes read it. The caller holds `lockMails`. */
export async function recordMode(
  transaction: Transaction<Database>,
  record: ModeRecord,
  isOn: boolean,
): Promise<void> {
  await (
    isOn
      ? sql`insert into installation (name, value)
        values (${record}, to_json(booking_now()) #>> '{}') on conflict do nothing`
      : sql`delete from installation where name = ${record}`
  ).execute(transaction);
  const notice = JSON.stringify({ type: 'mode', booking_id: null });
  await sql`select pg_notify('booking_events', ${notice})`.execute(transaction);
}
