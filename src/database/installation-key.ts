import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { ConfigError, type Config } from '../config.js';
import type { Database } from './schema.js';
import { createKeyring, type Keyring } from '../platform/keyring.js';
import { createSecretFile, readSecretFile } from '../platform/secret-file.js';

const name = 'secret_key_id';

/**
 * The keyring of this installation: from SECRET_KEY, or from the secret that is kept beside the
 * embedded database and made on first start.
 */
export async function openKeyring(config: Config): Promise<Keyring> {
  return (
    (await findKeyring(config)) ?? keyringOf(config, await createSecretFile(secretPath(config)))
  );
}

/** The same, or null where no secret is set or was made yet. */
export async function findKeyring(config: Config): Promise<Keyring | null> {
  const secret = config.secretKey ?? (await readSecretFile(secretPath(config)));
  return secret === null ? null : keyringOf(config, secret);
}

function secretPath({ dataDir }: Config): string {
  return join(dataDir, 'secret-key');
}

function keyringOf({ secretKeyPrevious }: Config, secret: string): Keyring {
  return createKeyring(secret, secretKeyPrevious ?? undefined);
}

/**
 * Holds the keyring against the name of the key that the database was used with, and remembers it
 * on first use. Throws `ConfigError` on another key: what is sealed could not be opened. A rotation
 * names the old key in SECRET_KEY_PREVIOUS.
 */
export async function checkKeyring(database: Kysely<Database>, keyring: Keyring): Promise<void> {
  const known = await database
    .insertInto('installation')
    .values({ name, value: keyring.currentKeyId })
    .onConflict((conflict) =>
      // Changes nothing, and so returns the row as it is.
      conflict.column('name').doUpdateSet((row) => ({ value: row.ref('installation.value') })),
    )
    .returning('value')
    .executeTakeFirstOrThrow();
  if (known.value === keyring.currentKeyId) return;
  if (known.value !== keyring.previousKeyId) {
    throw new ConfigError(
      'SECRET_KEY is not the key that this database was used with. Set the right one; to change it, name the old one in SECRET_KEY_PREVIOUS.',
    );
  }
  await adoptKeyring(database, keyring);
}

/** The name of the key that the database was used with; null before the first start. */
export async function readKeyId(database: Kysely<Database>): Promise<string | null> {
  const row = await database
    .selectFrom('installation')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.value ?? null;
}

/** Takes another key into use, whatever was sealed under the former one. */
export async function adoptKeyring(database: Kysely<Database>, keyring: Keyring): Promise<void> {
  await database
    .updateTable('installation')
    .set({ value: keyring.currentKeyId })
    .where('name', '=', name)
    .execute();
}
