import { sql, type RawBuilder } from 'kysely';
import { codeOpensSeconds } from '../config/limits.js';
import type { ModeRecord } from './installation.js';

/** The proof that a person's change needs, and the browser that makes it. */
export interface Proof {
  /** The mode in which the browser must have typed a right code; null: it never must. */
  modeNeedingCode: ModeRecord | null;
  /** SHA-256 of the browser's nonce; null without one. */
  browserHash: Buffer | null;
}

/** The proof of a change that needs no code. */
export const noProof: Proof = { modeNeedingCode: null, browserHash: null };

/** Whether the browser of a row of `mails` may change the booking, in a statement with `moment.now`. */
export const isOpened = sql<boolean>`coalesce(
  mails.opened_at > moment.now - make_interval(secs => ${sql.lit(codeOpensSeconds)}), false)`;

/**
 * The time from sending a code to typing it. Null if the sending was not recorded, or came after the
 * typing because the mail was sent twice.
 */
const typedAfterSeconds = sql<number | null>`
  case when mails.status = 'sent' and mails.opened_at >= mails.ended_at
    then round(extract(epoch from mails.opened_at - mails.ended_at))::integer end`;

/**
 * The common table expression `proof`: the codes that allow the browser to change the booking. The
 * statement must provide `moment.now`, make its change only where `isProven` holds, and contain
 * `spendProof`: a crash then loses no code.
 */
export function proofOf(bookingId: string, { browserHash }: Proof): RawBuilder<unknown> {
  return sql`
    proof as materialized (
      select mails.id as code_id, ${typedAfterSeconds} as typed_after_seconds
      from mails, moment
      where booking_id = ${bookingId} and recipient = 'person' and kind = 'code'
        and browser_hash = ${browserHash}::bytea and ${isOpened}
    )`;
}

/** Whether a code is needed, read in the statement of the change, so that processes agree. */
export function isNeeded({ modeNeedingCode }: Proof): RawBuilder<boolean> {
  return sql`exists (select from installation where name = ${modeNeedingCode}::text)`;
}

export function isProven(proof: Proof): RawBuilder<boolean> {
  return sql`(not ${isNeeded(proof)} or exists (select from proof))`;
}

/** The assignment by which a booking remembers that a code has proven a change of it. */
export const rememberProof = sql`
  code_proven_at = case when exists (select from proof) then moment.now else code_proven_at end`;

/**
 * Further data, as JSON, of the event of a change that needed a code: the row of a code is deleted after
 * a day.
 */
export function proofData(proof: Proof): RawBuilder<unknown> {
  return sql`jsonb_strip_nulls(jsonb_build_object(
    'code_typed_after_seconds',
    (select typed_after_seconds from proof where ${isNeeded(proof)} limit 1)))`;
}

/** The common table expression `spent`, which spends the codes of `proof` if `changed` has a row. */
export function spendProof(changed: string): RawBuilder<unknown> {
  return sql`
    spent as (
      update mails set used_at = moment.now from moment, proof
      where mails.id = code_id and used_at is null and exists (select from ${sql.table(changed)})
    )`;
}
