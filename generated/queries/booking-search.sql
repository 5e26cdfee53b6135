-- The statements of src/repositories/booking-search.ts. An argument that may be missing is given.

-- findBooking
select * from "bookings" where "id" = $1;

-- findBookingsByText
select * from "bookings" where (name is not null and (
    ((select fold_letters($1)) <> ''
      and position((select fold_letters($2)) in fold_letters(name || E'\n' || coalesce(email, ''))) > 0)
    or ($3 and phone like $4))) and artist_id = $5 order by (status in ('pending', 'confirmed') and not (status = 'pending' and expires_at <= booking_now()) and ends_at > booking_now()) desc, case when (status in ('pending', 'confirmed') and not (status = 'pending' and expires_at <= booking_now()) and ends_at > booking_now()) then starts_at end, "starts_at" desc, "created_at" desc limit $6;

-- listBookingNames
select "id", "name"
from "bookings"
where id = any($1::uuid[]);

-- listLiveBookingsOutsideSessions
select "bookings".* from "bookings" inner join "artists" on "artists"."id" = "artist_id" where status in ('pending', 'confirmed') and not (status = 'pending' and expires_at <= booking_now()) and "date" >= $1 and not ((
    select "bookings"."time_slot" = any (sessions) from week_days
    where weekday = extract(isodow from "bookings"."date") and (from_date is null or "bookings"."date" between from_date and to_date)
      and (week_days.artist_id is null or week_days.artist_id = "artists"."id")
    order by week_days.artist_id, from_date
    limit 1
  ) or exists (
    select from openings where openings.date = "bookings"."date" and openings.time_slot = "bookings"."time_slot"
  )) order by "date", "starts_at";

-- listUpcomingBookingsOf
select *
from "bookings"
where (status in ('pending', 'confirmed') and not (status = 'pending' and expires_at <= booking_now()) and starts_at > booking_now() and canonical_mailbox(email) = canonical_mailbox($1))
order by "date", "starts_at";

-- listUpcomingBookingsOfSlots
select * from "bookings" where (status in ('pending', 'confirmed') and not (status = 'pending' and expires_at <= booking_now()) and starts_at > booking_now() and starts_at < $1
          and ends_at > $2
          and date between $3::date - 2 and $4::date + 2 and time_slot = $5 and artist_id = $6) order by "date", "starts_at";

-- listUpcomingOutsideZone
select *
from "bookings"
where (status in ('pending', 'confirmed') and not (status = 'pending' and expires_at <= booking_now()) and starts_at > booking_now() and timezone <> $1)
order by "date", "starts_at";

-- lockBooking
select * from bookings where id = $1 and artist_id = $2 for update;

-- searchBookings
select *
from "bookings"
where artist_id = $1 and "date" >= $2 and "date" <= $3 and lower(email) = lower($4) and id between $5::uuid and $6::uuid and case when (status = 'pending' and expires_at <= booking_now()) then 'expired' else status end in $7
order by "date", "starts_at", "created_at"
limit $8 offset $9;
