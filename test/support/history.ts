import type pg from 'pg';

const subscriptions = 50;
const deliveriesPerBooking = 3;

/**
 * Writes a year of history: one confirmed booking per slot of the past year, the rest of `bookings`
 * expired or cancelled, and each another person's; two events, two mails and three deliveries each.
 * Reminders are pending only of the last two days' bookings: of 100,000, about as many as sessions can be
 * ahead.
 */
export async function writeHistory(database: pg.Client, bookings: number): Promise<void> {
  // The history has no events: nothing is notified or dispatched.
  await database.query(`set session_replication_role = 'replica'`);
  await database.query(
    `insert into bookings (status, date, time_slot, starts_at, starts_at_text, ends_at, ends_at_text,
       timezone, label,
       created_at, expires_at, confirmed_at, cancelled_at, expired_at,
       name, email, phone, checkout_token_hash, checkout_token_sealed, request_hash)
     select status, date, slot, date + slot::time + interval '8 hours', date || 'T13:00:00-08:00',
       date + slot::time + interval '12 hours', date || 'T17:00:00-08:00',
       'America/Los_Angeles', 'A session', made, made + interval '15 minutes',
       case when status = 'confirmed' then made + interval '5 minutes' end,
       case when status = 'cancelled' then made + interval '5 minutes' end,
       case when status = 'expired' then made + interval '15 minutes' end,
       'Person ' || number, 'person' || number || '@example.com', (5550000000 + number)::text,
       sha256(('token' || number)::bytea),
       sha256(('sealed' || number)::bytea), sha256(('request' || number)::bytea)
     from (
       select number, booking_now()::date - 1 - (number / 3) % 365 as date,
         (array['9:00 AM', '1:00 PM', '5:00 PM'])[1 + number % 3] as slot,
         case when number < 3 * 365 then 'confirmed' when number % 4 = 0 then 'cancelled'
           else 'expired' end as status,
         booking_now() - make_interval(days => 2 + (number / 3) % 365) as made
       from generate_series(0, $1 - 1) as number
     ) as year`,
    [bookings],
  );
  await database.query(`
    insert into events (type, booking_id, occurred_at, data, dispatched_at, webhook_body)
    select kind, id, created_at, jsonb_build_object('id', id, 'status', status), created_at,
      repeat('x', 450)
    from bookings cross join unnest(array['hold.created', 'hold.expired']) as kind
    where created_at < booking_now() - interval '1 day'`);
  await database.query(
    `insert into webhook_subscriptions (url, target_host, events, signing_secret_sealed,
       manage_token_hash, created_at, disabled_at, disabled_reason)
     select 'https://example.com/' || number, 'example.com', '{hold.created}', '', int8send(number),
       booking_now() - interval '1 year', booking_now() - interval '1 day', 'gone'
     from generate_series(1, $1::bigint) as number`,
    [subscriptions],
  );
  await database.query(
    `insert into webhook_deliveries
       (event_id, subscription_id, status, attempts, last_attempt_at, last_status_code)
     select events.id, chosen.id, 'delivered', 1, events.occurred_at, 204
     from events, (
       select id, row_number() over () as number from webhook_subscriptions
       where disabled_at is not null
     ) as chosen
     where chosen.number <= $1 and events.type = 'hold.created'
       and events.occurred_at < booking_now() - interval '1 day'`,
    [deliveriesPerBooking],
  );
  await database.query(`
    insert into mails (event_id, booking_id, kind, recipient, sequence, created_at, status, attempts,
      next_attempt_at, last_attempt_at, ended_at, counted_at)
    select id, booking_id, kind, 'person', 1, occurred_at,
      case when is_ahead then 'pending' else 'sent' end, 1,
      case when is_ahead then occurred_at + interval '500 days' end, occurred_at,
      case when not is_ahead then occurred_at end, occurred_at
    from events cross join unnest(array['confirmation', 'reminder']) as kind,
      lateral (
        select kind = 'reminder' and occurred_at > booking_now() - interval '4 days' as is_ahead
      ) as due
    where type = 'hold.created' and occurred_at < booking_now() - interval '1 day'`);
  await database.query('reset session_replication_role');
  await database.query('vacuum analyze');
}
