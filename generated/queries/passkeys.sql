-- The statements of src/repositories/passkeys.ts. An argument that may be missing is given.

-- deletePasskey
select *
from "passkeys"
where "id" = $1 for update;

-- findPasskey
select * from "passkeys" where "credential_id" = $1;

-- insertPasskey
insert into "passkeys" ("credential_id", "public_key", "counter", "transports", "name", "created_at")
values ($1, $2, $3, $4, $5, booking_now())
on conflict ("credential_id") do nothing
returning *;

-- listPasskeys
select *
from "passkeys"
order by "created_at" desc, "id";

-- updateCounter
update "passkeys"
set "counter" = $1, "last_used_at" = booking_now()
where "id" = $2 and (counter < $3 or (counter = 0 and $4 = 0))
returning *;

-- useChallenge
delete
from used_challenges
where expires_at <= booking_now();

insert into used_challenges (challenge_hash, expires_at)
select $1, $2 where $3 > booking_now()
on conflict do nothing
returning 1;
