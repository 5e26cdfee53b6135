import { checkKeyring, findKeyring } from '../database/installation-key.js';
import type { Keyring } from '../secrets/keyring.js';
import { StaffError } from './failure.js';
import type { StaffServices } from './session.js';

/** The service's own key, for commands that store something encrypted. */
export async function openKeyring({ config, database }: StaffServices): Promise<Keyring> {
  const keyring = await findKeyring(config);
  if (keyring === null) {
    throw new StaffError(
      'refused',
      "The secret key is missing: set SECRET_KEY to the service's, or copy its file secret-key into DATA_DIR.",
    );
  }
  await checkKeyring(database, keyring);
  return keyring;
}
