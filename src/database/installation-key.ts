import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { ConfigError, type Config } from '../config/config.js';
import { createKeyring, type Keyring } from '../secrets/keyring.js';
import { withClient } from './client.js';
import type { Connection } from './pool.js';
import { findEntry } from './row-queries.js';
import type { Database } from './rows/schema.js';
import { createSecretFile, readSecretFile } from './secret-file.js';
import type { DatabaseServices } from './services.js';

const name = 'secret_key_id';

const ifLost = 'If it is lost: "studio backup", then "studio restore --without-secret-key".';

/** The advice about a key that the database was not used with. */
export function wrongKeyText({ secretKey }: Pick<Config, 'secretKey'>): string {
  const [key, mend] =
    secretKey === null
      ? ['The file secret-key in DATA_DIR', 'Copy the right one there']
      : ['SECRET_KEY', 'Set the right one'];
  return `${key} is not the key that this database was used with. ${mend}; to change it, name the old one in SECRET_KEY_PREVIOUS. ${ifLost}`;
}

/** The data that only the key can open or find. */
export const lostWithKey =
  'the signing secrets of webhooks, the addresses of watched calendars, the links of bookings in mails to come, and which Idempotency-Key belongs to which hold';

export const missingKeyText = `The file secret-key is missing in DATA_DIR: restore it from your copy. Lost without it: ${lostWithKey}. ${ifLost}`;

/**
 * The keyring of this installation: from SECRET_KEY, or from the file beside the embedded database,
 * which is created for a first start. Throws `ConfigError` where the file is lost: another key could not
 * decrypt what the database has.
 */
export async function openKeyring(config: Config, connection: Connection): Promise<Keyring> {
  const keyring = await findKeyring(config);
  if (keyring !== null) return keyring;
  const isUsed = await withClient(connection, async (client) => {
    // Before the first migration there is no such table.
    const table = await client.query("select where to_regclass('installation') is not null");
    if (table.rowCount === 0) return false;
    const id = await client.query('select from installation where name = $1', [name]);
    return id.rowCount !== 0;
  });
  if (isUsed) throw new ConfigError(missingKeyText);
  return openNewKeyring(config);
}

/** Like `openKeyring`, but makes a new key where there is none, whatever the database was used with. */
export async function openNewKeyring(config: Config): Promise<Keyring> {
  return (
    (await findKeyring(config)) ?? keyringOf(config, await createSecretFile(secretPath(config)))
  );
}

/** The keyring of this installation, or null where neither SECRET_KEY nor the file exists. */
export async function findKeyring(config: Config): Promise<Keyring | null> {
  const secret = config.secretKey ?? (await readSecretFile(secretPath(config)));
  return secret === null ? null : keyringOf(config, secret);
}

/** Whether the secret key with that id is at hand. */
export async function hasKeyOf(config: Config, keyId: string | null): Promise<boolean> {
  const keyring = await findKeyring(config);
  return keyId === null || keyring?.currentKeyId === keyId || keyring?.previousKeyId === keyId;
}

function secretPath({ dataDir }: Config): string {
  return join(dataDir, 'secret-key');
}

function keyringOf({ secretKeyPrevious }: Config, secret: string): Keyring {
  return createKeyring(secret, secretKeyPrevious ?? undefined);
}

/**
 * Compares the keyring with the key id in the database, and stores it on first use. Throws
 * `ConfigError` for another key, which could not decrypt what the database has, unless it is the
 * previous key of a rotation (SECRET_KEY_PREVIOUS).
 */
export async function checkKeyring({
  config,
  database,
  keyring,
}: Pick<DatabaseServices, 'config' | 'database' | 'keyring'>): Promise<void> {
  const known = await database
    .insertInto('installation')
    .values({ name, value: keyring.currentKeyId })
    .onConflict((conflict) =>
      // An update that changes nothing, so that the statement returns the existing row.
      conflict.column('name').doUpdateSet((row) => ({ value: row.ref('installation.value') })),
    )
    .returning('value')
    .executeTakeFirstOrThrow();
  if (known.value === keyring.currentKeyId) return;
  if (known.value !== keyring.previousKeyId) {
    throw new ConfigError(wrongKeyText(config));
  }
  await adoptKeyring(database, keyring);
}

/** The id of the key that the database was used with; null before the first start. */
export async function readKeyId(database: Kysely<Database>): Promise<string | null> {
  return (await findEntry(database, name))?.value ?? null;
}

/** Replaces the key id, without regard to what was encrypted under the former key. */
export async function adoptKeyring(database: Kysely<Database>, keyring: Keyring): Promise<void> {
  await database
    .updateTable('installation')
    .set({ value: keyring.currentKeyId })
    .where('name', '=', name)
    .execute();
}
