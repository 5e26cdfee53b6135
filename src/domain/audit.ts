import type { DatabaseServices } from '../database/services.js';
import type { AuditAction, AuditRow } from '../database/schema.js';
import { listAuditRows, recordAudit } from '../repositories/audit.js';
import { recordCalendarChange } from '../repositories/events.js';

/** What the studio did, the newest first. */
export async function readAudit(
  { database }: Pick<DatabaseServices, 'database'>,
  limit: number,
): Promise<AuditRow[]> {
  return listAuditRows(database, limit);
}

/** Writes down something that was done to the database as a whole. */
export async function recordAction(
  { database }: Pick<DatabaseServices, 'database'>,
  actor: string,
  action: AuditAction,
  details: Record<string, unknown>,
): Promise<void> {
  await database
    .transaction()
    .execute((transaction) => recordAudit(transaction, actor, action, details));
}

/** Writes down that a backup was restored, and lets every process read everything anew. */
export async function recordRestore(
  { database }: Pick<DatabaseServices, 'database'>,
  actor: string,
  details: Record<string, unknown>,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await recordCalendarChange(transaction, 'restore');
    await recordAudit(transaction, actor, 'restore', details);
  });
}
