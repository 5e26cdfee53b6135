import type { Transaction } from 'kysely';
import type { AuditAction, Database } from '../../database/rows/schema.js';
import type { DatabaseServices } from '../../database/services.js';
import { recordAudit } from '../../repositories/audit.js';
import { recordCalendarChange } from '../../repositories/events.js';
import { announcePlatforms } from '../../repositories/platforms.js';

/** Records an action on the database as a whole. */
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

/** Records that a backup or a data folder was restored, and makes every process reload its calendar and platforms. */
export async function recordRestore(
  transaction: Transaction<Database>,
  actor: string,
  details: Record<string, unknown>,
): Promise<void> {
  await recordCalendarChange(transaction, 'restore');
  await announcePlatforms(transaction);
  await recordAudit(transaction, actor, 'restore', details);
}
