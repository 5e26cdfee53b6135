import { sql, type Transaction } from 'kysely';
import type { BookingRow, Database } from '../database/rows/schema.js';
import { changeInSlotData, recordBookingEvents } from './events.js';
import { isRecorded } from './installation.js';

/** The details of a person, all of them. */
export type CorrectedPerson = Pick<BookingRow, 'name' | 'email' | 'phone' | 'pronouns' | 'idea'>;

/** A new link for a changed e-mail address. */
export interface NewToken {
  hash: Buffer;
  sealed: Buffer;
}

/**
 * Corrects the details of a live booking, and inserts the event row. A new e-mail address needs a new
 * token: it voids the former link, all codes, and browsers that have typed one or sent the form, and the
 * former mailbox's proofs and choices do not count for the new one. Without a token, the change is quiet.
 * Null if the booking is no longer live. `isMailed`: whether the person gets a mail of it
 * (`mailsOfEvent`).
 */
export async function correctBooking(
  transaction: Transaction<Database>,
  id: string,
  { name, email, phone, pronouns, idea }: CorrectedPerson,
  newToken: NewToken | null,
) {
  const isQuiet = newToken === null;
  const linked =
    newToken === null
      ? sql`quiet_changes = quiet_changes + 1`
      : sql`
        checkout_token_hash = ${newToken.hash}, current_token_sealed = ${newToken.sealed},
        form_nonce_hash = null, code_proven_at = null,
        reminders_stopped_at = case
          when canonical_mailbox(email) = canonical_mailbox(${email}) then reminders_stopped_at end`;
  const moreData = changeInSlotData('studio', isQuiet);
  const { rows } = await sql<BookingRow & { isMailed: boolean }>`
    with moment as materialized (select booking_now() as now),
    corrected as (
      update bookings
      set name = ${name}, email = ${email}, phone = ${phone}, pronouns = ${pronouns}, idea = ${idea},
        ${linked}, sequence = sequence + 1
      from moment
      where id = ${id}
        and (status = 'confirmed' or (status = 'pending' and expires_at > moment.now))
      returning bookings.*
    ),
    voided as (
      update mails set lapses_at = least(lapses_at, moment.now), opened_at = null
      from moment, corrected
      where not ${sql.lit(isQuiet)} and booking_id = corrected.id and recipient = 'person'
        and kind = 'code'
    ),
    event as (${recordBookingEvents('booking.corrected', 'corrected', sql`(select now from moment)`, moreData)})
    select bookings.*, not ${sql.lit(isQuiet)} and email is not null and status = 'confirmed'
        and starts_at > moment.now and ${isRecorded('mail_on')} as "isMailed"
    from corrected as bookings, moment`.execute(transaction);
  return rows[0] ?? null;
}

/** Changes the note about the bookings, or about their client, only, without an event. */
export async function setNote(
  transaction: Transaction<Database>,
  column: 'studio_note' | 'client_note',
  ids: readonly string[],
  note: string | null,
) {
  await sql`update bookings set ${sql.ref(column)} = ${note} where id = any(${ids}::uuid[])`.execute(
    transaction,
  );
}
