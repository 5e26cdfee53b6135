-- The statements of src/repositories/webhook-admin.ts. An argument that may be missing is given.

-- countOverdueDeliveries
select count(*)::integer as overdue
from webhook_subscriptions join webhook_deliveries on subscription_id = webhook_subscriptions.id
where disabled_at is null and status = 'pending'
  and next_attempt_at < booking_now() - interval '1 minute';

-- disableForLostSecrets
update webhook_deliveries set status = 'failed', next_attempt_at = null
where status = 'pending';

update webhook_subscriptions
set disabled_at = coalesce(disabled_at, booking_now()), disabled_reason = 'secret_lost',
  caller_hash = null, claimed_until = null;

-- enableSubscription
update "webhook_subscriptions"
set "disabled_at" = $1, "disabled_reason" = $2, "failing_since" = $3, "failures_in_a_row" = $4, "caller_hash" = $5
where "id" = $6 and "disabled_at" is not null and "disabled_reason" <> $7;

-- listSubscriptions
select subscription.*, counted.* from webhook_subscriptions subscription,
  lateral (
    select count(*) filter (where status = 'pending')::integer as pending,
      count(*) filter (where status = 'delivered')::integer as delivered,
      count(*) filter (where status = 'failed')::integer as failed
    from webhook_deliveries where subscription_id = subscription.id
  ) as counted
where id::text like $1
  and ($2::uuid is null or (created_at, id) < (
    select created_at, id from webhook_subscriptions where id = $3))
order by created_at desc, id desc limit $4;

-- redeliver
update webhook_deliveries delivery
set status = 'pending', attempts = 0, next_attempt_at = booking_now(),
  last_attempt_at = null, last_status_code = null, last_error = null
from events, webhook_subscriptions subscription
where events.id = event_id and subscription.id = subscription_id
  and disabled_at is null and webhook_body is not null
  and ($1::uuid is null or subscription_id = $2)
  and event_id::text like $3
returning subscription_id;
