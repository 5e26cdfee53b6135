import { sql } from 'kysely';

/** Webhook subscriptions and their deliveries. The caps count live subscriptions by the caller's hash. */
export const webhooks = sql`
  create table webhook_subscriptions (
    id uuid primary key default gen_random_uuid(),
    url text not null,
    target_host text not null,
    events text[] not null
      check (events <@ array['hold.created', 'booking.confirmed', 'hold.expired']
        and cardinality(events) between 1 and 3),
    signing_secret_sealed bytea not null,
    manage_token_hash bytea not null unique,
    caller_hash bytea,
    created_at timestamptz not null,

    has_succeeded boolean not null default false,
    failing_since timestamptz,
    disabled_at timestamptz,
    disabled_reason text check (disabled_reason in
      ('gone', 'never_succeeded', 'failing', 'studio', 'secret_lost')),
    claimed_until timestamptz,
    failures_in_a_row integer not null default 0 check (failures_in_a_row >= 0),
    skipped integer not null default 0 check (skipped >= 0),

    check ((disabled_at is null) = (disabled_reason is null)),
    check ((disabled_at is null) = (caller_hash is not null))
  ) with (fillfactor = 70);
  create index webhook_subscriptions_live_by_host on webhook_subscriptions (target_host)
    where disabled_at is null;
  create index webhook_subscriptions_live_by_caller on webhook_subscriptions (caller_hash)
    where disabled_at is null;

  create table webhook_deliveries (
    id bigint generated always as identity primary key,
    event_id uuid not null references events (id) on delete cascade,
    subscription_id uuid not null references webhook_subscriptions (id) on delete cascade,
    status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
    attempts integer not null default 0,
    next_attempt_at timestamptz,
    last_attempt_at timestamptz,
    last_status_code integer,
    last_error text,

    unique (event_id, subscription_id),
    check ((status = 'pending') = (next_attempt_at is not null)),
    check ((attempts = 0) = (last_attempt_at is null)),
    check (status <> 'delivered' or attempts > 0)
  ) with (fillfactor = 80);
  create index webhook_deliveries_pending
    on webhook_deliveries (subscription_id, next_attempt_at, id) where status = 'pending';
  create index webhook_deliveries_by_subscription on webhook_deliveries (subscription_id, id);
`;
