import { sql, type Kysely, type Transaction } from 'kysely';
import type { AuditAction, AuditRow, Database } from '../database/schema.js';

/** Writes down who did what, in the transaction that does it. */
export async function recordAudit(
  transaction: Transaction<Database>,
  actor: string,
  action: AuditAction,
  details: Record<string, unknown>,
): Promise<void> {
  await transaction
    .insertInto('audit_log')
    .values({
      occurred_at: sql<Date>`booking_now()`,
      actor,
      action,
      details: JSON.stringify(details),
    })
    .execute();
}

/** The newest first. */
export async function listAuditRows(
  database: Kysely<Database>,
  limit: number,
): Promise<AuditRow[]> {
  return database
    .selectFrom('audit_log')
    .selectAll()
    .orderBy('position', 'desc')
    .limit(limit)
    .execute();
}
