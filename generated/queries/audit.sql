-- The statements of src/repositories/audit.ts. An argument that may be missing is given.

-- listAuditRows
select *
from "audit_log"
where "position" < $1
order by "position" desc
limit $2;

-- listAuditRowsOfBooking
select *
from "audit_log"
where (details @> $1::jsonb or details @> $2::jsonb or details @> $3::jsonb)
order by "position" desc
limit $4;

-- recordAudit
insert into "audit_log" ("occurred_at", "actor", "action", "details")
values (booking_now(), $1, $2, $3);

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
