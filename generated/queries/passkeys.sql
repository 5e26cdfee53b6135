-- The statements of src/repositories/passkeys.ts. An argument that may be missing is given.

-- deletePasskey
select *
from "passkeys"
where "id" = $1 for update;

-- findPasskey
select * from "passkeys" where "credential_id" = $1;

-- insertPasskey
insert into "passkeys" ("created_at")
values (booking_now())
on conflict ("credential_id") do nothing
returning *;

-- listPasskeys
select *
from "passkeys"
where "artist_id" = $1
order by "created_at" desc, "id";

-- updateCounter
update "passkeys" set "counter" = $1, "last_used_at" = booking_now() where "id" = $2 and (counter < $3 or (counter = 0 and $4 = 0)) and (
  artist_id is null or artist_id in (
    select artists.id from artists, studio
    where hidden_at is null
      and (last_day is null or last_day >= (booking_now() at time zone timezone)::date))) returning *;

-- useChallenge
delete
from used_challenges
where expires_at <= booking_now();

insert into used_challenges (challenge_hash, expires_at)
select $1, $2 where $3 > booking_now()
on conflict do nothing
returning 1;
