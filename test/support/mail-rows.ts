import { sql, type Insertable } from 'kysely';
import type { Context } from '../../src/context.js';
import type { MailRow } from '../../src/database/rows/mails.js';
import type { Database } from '../../src/database/rows/schema.js';
import { sha256 } from '../../src/secrets/keyring.js';
import { createCheckoutToken } from '../../src/secrets/tokens.js';

/**
 * Inserts a mail about a booking, made of its newest event: by default the person's confirmation,
 * sent a moment ago.
 */
export async function insertMail(
  { database }: Pick<Context, 'database'>,
  bookingId: string,
  changes: Partial<Insertable<Database['mails']>> = {},
): Promise<MailRow> {
  const event = await database
    .selectFrom('events')
    .select('id')
    .where('booking_id', '=', bookingId)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  const { sequence } = await database
    .selectFrom('bookings')
    .select('sequence')
    .where('id', '=', bookingId)
    .executeTakeFirstOrThrow();
  const at = await now({ database });
  return database
    .insertInto('mails')
    .values({
      event_id: event.id,
      booking_id: bookingId,
      kind: 'confirmation',
      recipient: 'person',
      sequence,
      created_at: at,
      ...(changes.status === 'pending'
        ? { next_attempt_at: at }
        : { status: 'sent', attempts: 1, last_attempt_at: at, last_reply_code: 250, ended_at: at }),
      ...changes,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Inserts a code that counts towards the codes that are for everybody. */
export async function insertCode(
  context: Pick<Context, 'database'>,
  bookingId: string,
): Promise<void> {
  await insertMail(context, bookingId, {
    event_id: null,
    kind: 'code',
    lapses_at: await now(context, 600),
    browser_hash: Buffer.alloc(32),
    network_hash: Buffer.alloc(32),
    budget_share: 'common',
  });
}

/** What a browser keeps whose person has typed a right code for the booking. */
export async function provenBrowser(
  { database }: Pick<Context, 'database'>,
  bookingId: string,
): Promise<string> {
  const browser = createCheckoutToken();
  await sql`
    insert into mails (booking_id, kind, recipient, sequence, created_at, status, ended_at, lapses_at,
      browser_hash, opened_at)
    select id, 'code', 'person', sequence, now, 'sent', now, now, ${sha256(browser)}, now
    from bookings, booking_now() as now
    where id = ${bookingId}`.execute(database);
  return browser;
}

/** As a later change of the booking does, which makes earlier mails pointless. */
export async function raiseSequence(
  { database }: Pick<Context, 'database'>,
  bookingId: string,
): Promise<void> {
  await database
    .updateTable('bookings')
    .set((row) => ({ sequence: row('sequence', '+', 1) }))
    .where('id', '=', bookingId)
    .execute();
}

/** By the database's clock, shifted by seconds. */
export async function now(
  { database }: Pick<Context, 'database'>,
  shiftSeconds = 0,
): Promise<Date> {
  const { at } = await database
    .selectNoFrom((row) => row.fn<Date>('booking_now', []).as('at'))
    .executeTakeFirstOrThrow();
  return new Date(at.getTime() + shiftSeconds * 1_000);
}

export async function mailRow(
  { database }: Pick<Context, 'database'>,
  id: string,
): Promise<MailRow | undefined> {
  return database.selectFrom('mails').selectAll().where('id', '=', id).executeTakeFirst();
}
