import { sql, type Kysely, type Transaction } from 'kysely';
import type { AuditAction, Database } from '../database/schema.js';

/** Records an action in the transaction that performs it. */
export async function recordAudit(
  transaction: Transaction<Database>,
  actor: string,
  action: AuditAction,
  details: Record<string, unknown>,
) {
  await recordAudits(transaction, actor, action, [details]);
}

/** A row for each of `details`. */
export async function recordAudits(
  transaction: Transaction<Database>,
  actor: string,
  action: AuditAction,
  details: readonly Record<string, unknown>[],
) {
  await sql`
    insert into audit_log (occurred_at, actor, action, details)
    select booking_now(), ${actor}, ${action}, value
    from jsonb_array_elements(${JSON.stringify(details)}::jsonb)`.execute(transaction);
}

/** Newest first. `before`: the position of the last row of the page before. */
export async function listAuditRows(
  database: Kysely<Database>,
  limit: number,
  before: string | null = null,
) {
  let query = database.selectFrom('audit_log').selectAll();
  if (before !== null) query = query.where('position', '<', before);
  return query.orderBy('position', 'desc').limit(limit).execute();
}

/** The newest actions that name a booking, oldest first. */
export async function listAuditRowsOfBooking(
  database: Kysely<Database>,
  bookingId: string,
  limit: number,
) {
  const names = (details: object) => sql<boolean>`details @> ${JSON.stringify(details)}::jsonb`;
  const rows = await database
    .selectFrom('audit_log')
    .selectAll()
    .where((row) =>
      row.or([
        names({ booking_id: bookingId }),
        names({ cancelled_bookings: [bookingId] }),
        names({ changed_bookings: [bookingId] }),
      ]),
    )
    .orderBy('position', 'desc')
    .limit(limit)
    .execute();
  return rows.reverse();
}

/** Who refused sign-ins are recorded as: nobody is known. */
const stranger = 'an unknown visitor';
/** Strangers must not fill the log. */
const refusedSignInsPerHour = 100;

/** Records a refused sign-in to the console, at most 100 in an hour. */
export async function recordRefusedSignIn(
  transaction: Transaction<Database>,
  way: 'link' | 'passkey',
) {
  await sql`
    insert into audit_log (occurred_at, actor, action, details)
    select booking_now(), ${stranger}, ${'console sign-in refused' satisfies AuditAction},
      ${JSON.stringify({ with: way })}
    where (
      select count(*) from (
        select from audit_log
        where action = 'console sign-in refused'
          and occurred_at > booking_now() - interval '1 hour'
        limit ${refusedSignInsPerHour}) as recent
    ) < ${refusedSignInsPerHour}`.execute(transaction);
}
