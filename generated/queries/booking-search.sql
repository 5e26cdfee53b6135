-- The statements of src/repositories/booking-search.ts. An argument that may be missing is given.

-- findBooking
select *
from "bookings"
where "id" = $1;

-- findBookingsByIdPrefix
select *
from "bookings"
where id between $1::uuid and $2::uuid
limit $3;

-- findBookingsByText
select *
from "bookings"
where ("name" ilike $1 or "email" ilike $2)
order by "date" desc, "starts_at" desc, "created_at" desc
limit $3;

-- listBookingNames
select "id", "name"
from "bookings"
where id = any($1::uuid[]);

-- listLiveBookingsOutsideSessions
select * from "bookings" where status in ('pending', 'confirmed') and not (status = 'pending' and expires_at <= booking_now()) and "date" >= $1 and not (exists (
    select from weekly_sessions
    where weekday = extract(isodow from "bookings"."date") and weekly_sessions.time_slot = "bookings"."time_slot"
  ) or exists (
    select from openings where openings.date = "bookings"."date" and openings.time_slot = "bookings"."time_slot"
  )) order by "date", "starts_at";

-- listUpcomingBookingsOf
select *
from "bookings"
where status in ('pending', 'confirmed') and not (status = 'pending' and expires_at <= booking_now()) and lower(email) = lower($1) and "starts_at" > booking_now()
order by "date", "starts_at";

-- listUpcomingBookingsOfSlots
select *
from "bookings"
where status in ('pending', 'confirmed') and not (status = 'pending' and expires_at <= booking_now()) and "starts_at" > booking_now() and "date" >= $1 and "date" <= $2 and "time_slot" = $3
order by "date", "starts_at";

-- listUpcomingOutsideZone
select *
from "bookings"
where status in ('pending', 'confirmed') and not (status = 'pending' and expires_at <= booking_now()) and "starts_at" > booking_now() and "timezone" <> $1
order by "starts_at";

-- lockBooking
select *
from "bookings"
where "id" = $1 for update;

-- searchBookings
select *
from "bookings"
where "date" >= $1 and "date" <= $2 and lower(email) = lower($3) and case when (status = 'pending' and expires_at <= booking_now()) then 'expired' else status end in $4
order by "date", "starts_at", "created_at"
limit $5 offset $6;
