import t from 'tap';
import { summaryOf } from '../../src/database/traced-queries.js';

void t.test(
  'the summary of a statement names what it does to which tables, and nothing else',
  (t) => {
    for (const [text, summary] of [
      ['begin', 'BEGIN'],
      [`select 'Ada' from "bookings" where name = 'from Ada'`, 'SELECT bookings'],
      ['with moment as (select booking_now() as now) select now from moment', 'SELECT'],
      ['select * from events where dispatched_at is null for update skip locked', 'SELECT events'],
      [
        `with held as (insert into bookings (name) select 'insert into Ada' returning *)
      insert into events (type) select 'hold.created' from held`,
        'INSERT bookings INSERT events',
      ],
      ['update "mails" set status = $1', 'UPDATE mails'],
      ['delete from events_to_mail using events', 'DELETE events_to_mail'],
    ] as const) {
      t.equal(summaryOf(text), summary);
    }
    t.end();
  },
);
