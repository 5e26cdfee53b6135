-- The statements of src/repositories/api-keys.ts. An argument that may be missing is given.

-- countNetworksAtKeyCap
  select count(*)::integer as networks from (
    select from api_keys where network_hash is not null and (revoked_at is null and greatest(created_at, last_used_at)
> booking_now() - make_interval(days => 30))
    group by network_hash having count(*) >= $1
  ) as at_cap;

-- deleteApiKeysOfMailbox
delete
from "api_keys"
where canonical_mailbox(email) = canonical_mailbox($1);

-- deleteRevokedApiKeys
delete from api_keys
where revoked_at <= booking_now() - make_interval(days => $1);

-- findApiKey
select "id"
from "api_keys"
where "key_hash" = $1 and "revoked_at" is null;

-- findApiKeyByHash
select * from "api_keys" where "key_hash" = $1;

-- findApiKeysByIdPrefix
select *
from "api_keys"
where id::text like $1
limit $2;

-- insertApiKey
select pg_advisory_xact_lock(1801812339);

  insert into api_keys (key_hash, email, label, created_at, network_hash)
  select $1::bytea, $2, $3, booking_now(), $4::bytea
  where $5 > (
    select count(*) from api_keys
    where network_hash = any($6::bytea[]) and (revoked_at is null and greatest(created_at, last_used_at)
> booking_now() - make_interval(days => 30)))
  returning id, label, created_at;

-- listApiKeys
select *
from "api_keys"
where canonical_mailbox(email) = canonical_mailbox($1) and (created_at, id) < (select created_at, id
from api_keys
where id = $2)
order by "created_at" desc, "id" desc
limit $3;

-- recordApiKeyUses
update api_keys set last_used_at = greatest(last_used_at, uses.at)
from unnest($1::uuid[], $2::timestamptz[]) as uses (id, at)
where api_keys.id = uses.id;

-- revokeApiKey
update "api_keys"
set "revoked_at" = booking_now()
where "id" = $1 and "revoked_at" is null;
