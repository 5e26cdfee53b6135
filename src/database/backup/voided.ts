import type pg from 'pg';

/** Numbers of rows by kind, such as `reminder`. */
export interface RestoreEffects {
  /** Rows that may have been sent, used or ended since the backup. */
  dropped: Record<string, number>;
  /** Mails that are due later. */
  kept: Record<string, number>;
}

/** The reminders of changes whose mails were not made before the backup. */
const makeReminders = `
  insert into mails (event_id, booking_id, kind, recipient, sequence, created_at, next_attempt_at)
  select distinct on (booking_id) events.id, booking_id, 'reminder', 'person', sequence,
    booking_now(), starts_at - make_interval(hours => $1)
  from events_to_mail join events on events.id = event_id join bookings on bookings.id = booking_id
  where type in ('booking.confirmed', 'booking.moved', 'booking.corrected', 'booking.readdressed',
      'booking.retimed', 'booking.asked', 'booking.kept')
    and data->>'is_quiet' is distinct from 'true'
    and status = 'confirmed' and email is not null and $1 > 0
    and starts_at - make_interval(hours => $1) > booking_now()
    and exists (select from installation where name = 'mail_on')
  order by booking_id, events.position desc
  on conflict do nothing`;

const dropDueMails = `
  update mails set status = 'dropped', reason = 'restored', ended_at = booking_now(),
    next_attempt_at = null, claimed_until = null
  where status = 'pending' and next_attempt_at <= booking_now()`;

/** Statements by the kind of their rows, which may have been sent or used since the backup. */
const voided: Record<string, string> = {
  'sign-in': 'delete from console_sessions',
  'sign-in link': 'delete from console_links',
  code: "delete from mails where kind = 'code'",
  reminder: `${dropDueMails} and kind = 'reminder'`,
  'other mail': dropDueMails,
  'unmailed change': 'delete from events_to_mail',
};

/** Drops what is void after a restore. */
export async function dropVoided(
  client: pg.Client,
  reminderHours: number,
): Promise<RestoreEffects> {
  const dropped: Record<string, number> = {};
  await client.query(makeReminders, [reminderHours]);
  for (const [what, statement] of Object.entries(voided)) {
    dropped[what] = (await client.query(statement)).rowCount ?? 0;
  }
  const pending = await client.query<{ what: string; number: number }>(
    `select case kind when 'reminder' then kind else 'other mail' end as what,
      count(*)::integer as number
    from mails where status = 'pending' group by 1`,
  );
  // Their claims are of processes of another database.
  await client.query(
    'update watched_calendars set next_fetch_at = booking_now(), claimed_until = null',
  );
  return { dropped, kept: Object.fromEntries(pending.rows.map((row) => [row.what, row.number])) };
}
