import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Context } from '../../src/context.js';

/** A passkey that no device has. Resolves with its id. */
export async function insertPasskey(
  { database }: Pick<Context, 'database'>,
  { name }: { name: string },
): Promise<string> {
  const { id } = await database
    .insertInto('passkeys')
    .values({
      credential_id: randomBytes(16).toString('base64url'),
      public_key: randomBytes(32),
      counter: 0,
      transports: ['internal'],
      name,
      created_at: sql<Date>`booking_now()`,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
