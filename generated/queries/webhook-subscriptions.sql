-- The statements of src/repositories/webhook-subscriptions.ts. An argument that may be missing is given.

-- countLiveSubscriptions
select count(*)::integer as total,
  (count(*) filter (where caller_hash = any($1::bytea[])))::integer as "ofCaller",
  (count(*) filter (
    where target_host in ($2, $3)
      or right(target_host, length($4)) = $5
  ))::integer as "ofDomain"
from webhook_subscriptions where disabled_at is null;

-- countSubscriptions
select count(*)::integer as total,
  (count(*) filter (where not has_succeeded))::integer as unproven
from webhook_subscriptions where disabled_at is null;

-- deleteSubscription
delete
from "webhook_deliveries"
where "subscription_id" = $1;

delete
from "webhook_subscriptions"
where "id" = $1;

-- disableSubscription
with ended as (
  update webhook_deliveries set status = 'failed', next_attempt_at = null
  where subscription_id = $1 and status = 'pending'
  returning 1
)
update webhook_subscriptions
set disabled_at = booking_now(), disabled_reason = $2, caller_hash = null,
  claimed_until = null
from (select count(*) from ended) as after_deliveries
where id = $3 and disabled_at is null
returning id;

-- findOldestUnproven
select "id"
from "webhook_subscriptions"
where "disabled_at" is null and "has_succeeded" = $1
order by "created_at", "id"
limit $2 for update skip locked;

-- findSubscriptionByToken
select * from "webhook_subscriptions" where "manage_token_hash" = $1;

-- insertSubscription
insert into "webhook_subscriptions" ("url", "target_host", "events", "signing_secret_sealed", "manage_token_hash", "caller_hash", "created_at")
values ($1, $2, $3, $4, $5, $6, booking_now())
returning *;

-- listRecentDeliveries
select event_id, type, status, attempts, last_status_code, last_attempt_at, next_attempt_at
from webhook_deliveries join events on events.id = event_id
where subscription_id = $1
order by webhook_deliveries.id desc limit $2;

-- listSecretsSealedByOtherKeys
select id, signing_secret_sealed from webhook_subscriptions
where substr(signing_secret_sealed, 2, 4) <> decode($1, 'hex')
  and disabled_reason is distinct from 'secret_lost';

-- lockSubscriptionCreation
select pg_advisory_xact_lock(1752133483);

-- replaceSealedSecret
update "webhook_subscriptions"
set "signing_secret_sealed" = $1
where "id" = $2;
