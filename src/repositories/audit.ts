import { sql, type Kysely, type Transaction } from 'kysely';
import type { AuditAction, AuditRow, Database } from '../database/schema.js';

/** Records an action in the transaction that performs it. */
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

/** Newest first. */
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
