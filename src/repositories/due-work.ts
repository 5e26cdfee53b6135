import { sql, type Transaction } from 'kysely';
import type { Database } from '../database/schema.js';

/**
 * The NOTIFY channels of mails, webhook deliveries and watched calendars that have become due, for the
 * processes that send and fetch them. If a notification is lost, the sweeper finds what it announced.
 */
export const dueChannels = {
  mails: 'mails_due',
  deliveries: 'deliveries_due',
  calendars: 'calendars_due',
} as const;

/** The payload of `mails`: it differs each time that a mail becomes due. Columns of `mails`. */
export const dueMailKey = sql<string>`id || '-' || resends`;

/** A subscription with due deliveries, and the transaction that made them due. */
export interface DueDeliveries {
  subscriptionId: string;
  transactionId: string;
}

export async function announceDueDeliveries(
  transaction: Transaction<Database>,
  subscriptionIds: readonly string[],
): Promise<void> {
  await sql`
    select pg_notify(${dueChannels.deliveries}, id || ' ' || pg_current_xact_id())
    from unnest(${subscriptionIds}::uuid[]) as id`.execute(transaction);
}

/** The payload of `deliveries`. */
export function parseDueDeliveries(payload: string): DueDeliveries {
  const [subscriptionId = '', transactionId = ''] = payload.split(' ');
  return { subscriptionId, transactionId };
}

/** The payload is the transaction that made them due. */
export async function announceDueCalendars(transaction: Transaction<Database>): Promise<void> {
  await sql`select pg_notify(${dueChannels.calendars}, pg_current_xact_id()::text)`.execute(
    transaction,
  );
}
