-- The statements of src/repositories/audit.ts. An argument that may be missing is given.

-- listAuditRows
select *
from "audit_log"
where "position" < $1
order by "position" desc
limit $2;

-- listAuditRowsOfBooking
select * from "audit_log" where (
  details @> jsonb_build_object('booking_id', $1::uuid)
  or details @> jsonb_build_object('cancelled_bookings', jsonb_build_array($2::uuid))
  or details @> jsonb_build_object('changed_bookings', jsonb_build_array($3::uuid))) order by "position" desc limit $4;

-- listAuditRowsOfBookings
  select audit_log.*, booking_id
  from unnest($1::uuid[]) as booking_id
    join audit_log on (
details @> jsonb_build_object('booking_id', booking_id)
or details @> jsonb_build_object('cancelled_bookings', jsonb_build_array(booking_id))
or details @> jsonb_build_object('changed_bookings', jsonb_build_array(booking_id)))
  order by position;

-- recordAudit
insert into audit_log (occurred_at, actor, action, details)
select booking_now(), $1, $2, value
from jsonb_array_elements($3::jsonb);

-- recordAudits
insert into audit_log (occurred_at, actor, action, details)
select booking_now(), $1, $2, value
from jsonb_array_elements($3::jsonb);

-- recordRefusedSignIn
insert into audit_log (occurred_at, actor, action, details)
select booking_now(), $1, $2,
  $3
where (
  select count(*) from (
    select from audit_log
    where action = 'console sign-in refused'
      and occurred_at > booking_now() - interval '1 hour'
    limit $4) as recent
) < $5;
