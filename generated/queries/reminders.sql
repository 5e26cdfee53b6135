-- The statements of src/repositories/reminders.ts. An argument that may be missing is given.

-- readReminderChoice
select id, current_token_sealed, email, exists (
  select from bookings other
  where canonical_mailbox(other.email) = canonical_mailbox(bookings.email)
    and other.confirmed_at is not null and other.email is not null
    and other.reminders_stopped_at is not null
) as stopped
from bookings where id = $1;

-- updateReminderChoice
with chosen as materialized (
  select id from bookings
  where canonical_mailbox(email) = (select canonical_mailbox(email) from bookings where id = $1)
    and confirmed_at is not null and email is not null
    and (reminders_stopped_at is null) = $2
  order by id
  for no key update
)
update bookings set reminders_stopped_at = null
from chosen where bookings.id = chosen.id;
