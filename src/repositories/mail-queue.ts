import { sql, type Kysely, type RawBuilder } from 'kysely';
import { runPipelinedTransaction } from '../database/pipelined-transaction.js';
import type { Connector } from '../database/pool.js';
import type { MailDropReason } from '../database/rows/mails.js';
import type { Database } from '../database/rows/schema.js';
import {
  dueMailColumns,
  haveSameRecipient,
  mailSources,
  newestSequence,
  type ClaimedMail,
  type DueMail,
} from './due-mail.js';
import { isRecorded } from './installation.js';
import { lockMailsQuery } from './mail-dispatch.js';

/** The queues, each with an index. The later ones wait for the earlier ones. */
const queues = [
  sql`mails.kind = 'code'`,
  sql`mails.kind <> 'reminder' and mails.kind <> 'code'`,
  sql`mails.kind = 'reminder'`,
];

/** The time for which a mail counts towards the daily limit of its mailbox; a code never does. */
const countedFor = sql`interval '1 day'`;

/**
 * Claims up to `limit` due mails for `claimSeconds`, while mail is on; codes before all others, reminders
 * after them. Of the other mails of one booking to one recipient, only the first is claimed; superseded
 * ones and reminders that nobody is sending do not block later ones. The claim of a process that dies
 * expires.
 */
export async function claimDueMails(
  database: Kysely<Database>,
  connect: Connector,
  { limit, claimSeconds }: { limit: number; claimSeconds: number },
) {
  // A subquery, since after a join the planner would read and sort all that are due: the index has them
  // in their order.
  const now = sql`(select now from moment)`;
  const due = (isOfQueue: RawBuilder<unknown>) => sql`
    (select mails.id, mails.position, mails.kind, next_attempt_at,
      mails.recipient = 'person' and mails.kind <> 'code'
        and (counted_at is null or counted_at <= ${now} - ${countedFor}) as is_counted_now
    from mails left join bookings on bookings.id = booking_id
    where mails.status = 'pending' and ${isOfQueue} and next_attempt_at <= ${now}
      and (claimed_until is null or claimed_until <= ${now})
      and not exists (
        select from mails earlier
        where earlier.booking_id = mails.booking_id and ${haveSameRecipient('earlier', 'mails')}
          and earlier.kind <> 'code' and mails.kind <> 'code' and earlier.position < mails.position and earlier.status = 'pending'
          and (earlier.claimed_until > ${now}
            or earlier.kind <> 'reminder' and earlier.sequence >= ${newestSequence('earlier')})
      )
    order by next_attempt_at, mails.position
    limit ${limit})`;
  const query = sql<ClaimedMail>`
    with moment as materialized (select booking_now() as now),
    due as materialized (
      select * from (
        ${sql.join(queues.map(due), sql` union all `)}
      ) as candidates
      where ${isRecorded('mail_on')}
      order by kind = 'code' desc, kind = 'reminder', next_attempt_at, position
      limit ${limit}
    ),
    mail as (
      update mails
      set claimed_until = moment.now + make_interval(secs => ${claimSeconds}),
        counted_at = case when due.is_counted_now then moment.now else counted_at end
      from due, moment
      -- A process whose claim has expired may record its outcome at this moment.
      where mails.id = due.id and mails.status = 'pending'
      returning mails.*, due.is_counted_now
    )
    select ${dueMailColumns},
      case when mail.counted_at is not null and mail.kind <> 'code' then (
        select count(*) from mails other join bookings recipient on recipient.id = other.booking_id
        where canonical_mailbox(recipient.email) = canonical_mailbox(bookings.email)
          and recipient.email is not null
          and (recipient.confirmed_at is not null or recipient.code_asked_at is not null)
          and other.recipient = 'person' and other.kind <> 'code'
          and other.status in ('pending', 'sent')
          and other.counted_at > mail.counted_at - ${countedFor}
          and (other.counted_at, other.position) < (mail.counted_at, mail.position)
      ) + case when is_counted_now then row_number() over (
        partition by canonical_mailbox(bookings.email), is_counted_now order by mail.position
      ) - 1 else 0 end end::integer as "countedBefore"
    from mail ${mailSources}
    order by mail.kind = 'code' desc, mail.kind = 'reminder', mail.next_attempt_at, mail.position`.compile(
    database,
  );
  const [, rows] = await runPipelinedTransaction(connect, [
    lockMailsQuery(database),
    { name: 'claim due mails', query },
  ]);
  return rows as ClaimedMail[];
}

/**
 * Reads claimed mails again, in their order: a person may have been forgotten, or a booking changed,
 * since the claim. Leaves out those that are no longer pending, and all while mail is off.
 */
export async function rereadMails(database: Kysely<Database>, mailIds: string[]) {
  const { rows } = await sql<DueMail>`
    select ${dueMailColumns}
    from mails as mail ${mailSources}
    where mail.id = any(${mailIds}::uuid[]) and mail.status = 'pending'
      and ${isRecorded('mail_on')}
    order by array_position(${mailIds}::uuid[], mail.id)`.execute(database);
  return rows;
}

/** What every attempt records. `language`: as `chosenTag` has it; null of a mail that is always English. */
type Attempted = { replyCode: number | null; language: string | null };

/** The outcome of a claimed mail's attempt. `delaySeconds` is until the next attempt. */
export type MailOutcome = { mailId: string; claimedUntil: Date } & (
  | ({ status: 'sent' } & Attempted)
  | ({ status: 'failed'; error: string } & Attempted)
  | ({ status: 'pending'; error: string; delaySeconds: number } & Attempted)
  | { status: 'dropped'; reason: MailDropReason }
  /** No attempt was made: it stays due. */
  | { status: 'released' }
  /** An undecided session's reminder waits, and the studio gets one mail. */
  | { status: 'postponed'; delaySeconds: number }
);

/**
 * Records outcomes and ends the claims, in one statement. After a claim has expired, only `sent` counts:
 * another process may be sending the mail. The ids are a condition of their own, since the planner
 * expects many from JSON and would read the whole table.
 */
export async function recordMailOutcomes(
  database: Kysely<Database>,
  outcomes: readonly MailOutcome[],
) {
  const mailIds = outcomes.map(({ mailId }) => mailId);
  await sql`
    with recorded as (
    update mails
    set status = case when outcome.status in ('released', 'postponed') then 'pending'
        else outcome.status end,
      reason = outcome.reason,
      attempts = attempts + outcome.attempted,
      last_attempt_at = case when outcome.attempted = 1 then moment.now else last_attempt_at end,
      last_reply_code =
        case when outcome.attempted = 1 then outcome."replyCode" else last_reply_code end,
      language = coalesce(mails.language, outcome.language),
      last_error = case when outcome.attempted = 1 then outcome.error else last_error end,
      next_attempt_at = case outcome.status
        when 'released' then next_attempt_at
        else moment.now + make_interval(secs => outcome."delaySeconds") end,
      ended_at = case when outcome.status not in ('pending', 'released', 'postponed')
        then moment.now end,
      claimed_until = null
    from (select booking_now() as now) as moment, (
      select *, (status in ('sent', 'failed', 'pending'))::integer as attempted
      from jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb) as each (
        "mailId" uuid, "claimedUntil" timestamptz, status text, reason text, "replyCode" integer,
        language text, error text, "delaySeconds" float8)
    ) as outcome
    where mails.id = any(${mailIds}::uuid[]) and mails.id = outcome."mailId"
      and mails.status = 'pending' and (outcome.status = 'sent' or mails.claimed_until = outcome."claimedUntil")
    returning mails.*, outcome.status as outcome, moment.now
    )
    insert into mails
      (event_id, booking_id, kind, recipient, sequence, created_at, next_attempt_at)
    select event_id, booking_id, kind, 'studio', sequence, now, now from recorded
    where outcome = 'postponed'
    on conflict (event_id, recipient, kind) do nothing`.execute(database);
}

/** Whether a mail is due that nobody is sending. */
export async function hasDueMail(database: Kysely<Database>) {
  const firstDueAt = (isOfQueue: RawBuilder<unknown>) => sql`(
    select next_attempt_at from mails
    where status = 'pending' and ${isOfQueue}
      and (claimed_until is null or claimed_until <= booking_now())
    order by next_attempt_at limit 1)`;
  const { rows } = await sql<{ due: boolean }>`
    select least(${sql.join(queues.map(firstDueAt))}) <= booking_now() as due`.execute(database);
  return rows[0]?.due === true;
}
