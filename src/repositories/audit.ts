import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';
import type { AuditAction, AuditRow, Database } from '../database/rows/schema.js';

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

/** The newest rows first. `before`: the position of the previous page's last row. */
export async function listAuditRows(
  database: Kysely<Database>,
  limit: number,
  before: string | null = null,
) {
  let query = database.selectFrom('audit_log').selectAll();
  if (before !== null) query = query.where('position', '<', before);
  return query.orderBy('position', 'desc').limit(limit).execute();
}

/** SQL: whether an action names a booking. */
const namesBooking = (id: RawBuilder<unknown>) => sql<boolean>`(
  details @> jsonb_build_object('booking_id', ${id})
  or details @> jsonb_build_object('cancelled_bookings', jsonb_build_array(${id}))
  or details @> jsonb_build_object('changed_bookings', jsonb_build_array(${id})))`;

/** The newest actions that name a booking, oldest first. */
export async function listAuditRowsOfBooking(
  database: Kysely<Database>,
  bookingId: string,
  limit: number,
) {
  const rows = await database
    .selectFrom('audit_log')
    .selectAll()
    .where(namesBooking(sql`${bookingId}::uuid`))
    .orderBy('position', 'desc')
    .limit(limit)
    .execute();
  return rows.reverse();
}

/** All actions that name a booking of several, once for each, oldest first. */
export async function listAuditRowsOfBookings(
  database: Kysely<Database>,
  bookingIds: readonly string[],
) {
  const { rows } = await sql<AuditRow & { booking_id: string }>`
    select audit_log.*, booking_id
    from unnest(${bookingIds}::uuid[]) as booking_id
      join audit_log on ${namesBooking(sql`booking_id`)}
    order by position`.execute(database);
  return rows;
}

/** The actor of refused sign-ins: nobody is known. */
const stranger = 'an unknown visitor';
/** The limit that keeps strangers from filling the log. */
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
