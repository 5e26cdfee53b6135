import { sql, type Insertable, type Kysely, type Transaction } from 'kysely';
import { finder } from '../database/row-queries.js';
import type { Database } from '../database/rows/schema.js';
import { maySignIn } from './console-sessions.js';

/** `artistId`: only those of the artist; null: all. */
export async function listPasskeys(database: Kysely<Database>, artistId: number | null) {
  return database
    .selectFrom('passkeys')
    .selectAll()
    .$if(artistId !== null, (query) => query.where('artist_id', '=', artistId))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}

/** Null if no passkey has this credential id (base64url). */
export const findPasskey = finder('passkeys', 'credential_id');

export type NewPasskey = Omit<
  Insertable<Database['passkeys']>,
  'id' | 'created_at' | 'last_used_at'
>;

/** Null if the credential has been added before. */
export async function insertPasskey(transaction: Transaction<Database>, passkey: NewPasskey) {
  const row = await transaction
    .insertInto('passkeys')
    .values({ ...passkey, created_at: sql<Date>`booking_now()` })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Stores the signature counter of a sign-in. Null if the passkey was removed, if its artist is hidden, or
 * if a sign-in has stored the same counter or a higher one meanwhile. A counter that stays 0 counts nothing (WebAuthn, 6.1.1).
 */
export async function updateCounter(
  transaction: Transaction<Database>,
  { id, counter }: { id: string; counter: number },
) {
  const row = await transaction
    .updateTable('passkeys')
    .set({ counter, last_used_at: sql<Date>`booking_now()` })
    .where('id', '=', id)
    .where(sql<boolean>`(counter < ${counter} or (counter = 0 and ${counter} = 0))`)
    .where(maySignIn)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** Deletes a passkey and the sessions that it started. Null if there is no such passkey. */
export async function deletePasskey(transaction: Transaction<Database>, id: string) {
  // A sign-in with the passkey locks it first, too.
  const passkey = await transaction
    .selectFrom('passkeys')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (passkey === undefined) return null;
  const ended = await transaction
    .deleteFrom('console_sessions')
    .where('passkey_id', '=', id)
    .returning('id')
    .execute();
  await transaction.deleteFrom('passkeys').where('id', '=', id).execute();
  return { passkey, sessionIds: ended.map((session) => session.id) };
}

/**
 * Records that a challenge has been signed. False if it was before, or has expired. Expired ones are
 * deleted.
 */
export async function useChallenge(
  transaction: Transaction<Database>,
  { hash, expiresAt }: { hash: Buffer; expiresAt: Date },
) {
  await sql`delete from used_challenges where expires_at <= booking_now()`.execute(transaction);
  const { rows } = await sql`
    insert into used_challenges (challenge_hash, expires_at)
    select ${hash}, ${expiresAt} where ${expiresAt} > booking_now()
    on conflict do nothing
    returning 1`.execute(transaction);
  return rows.length > 0;
}
