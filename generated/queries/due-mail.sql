-- The statements of src/repositories/due-mail.ts. An argument that may be missing is given.

-- announceDueCalendars
select pg_notify($1, pg_current_xact_id()::text);

-- announceDueDeliveries
select pg_notify($1, id || ' ' || pg_current_xact_id())
from unnest($2::uuid[]) as id;
