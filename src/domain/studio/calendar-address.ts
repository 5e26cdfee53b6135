import type { WatchedCalendarRow } from '../../database/rows/calendars.js';
import {
  listAddressesSealedByOtherKeys,
  replaceSealedAddress,
  type SealedAddress,
} from '../../repositories/watched-calendars.js';
import type { Keyring } from '../../secrets/keyring.js';
import type { DomainServices, TargetRefusal } from '../deps.js';

/** The address of a watched calendar is a secret: anyone who has it can read the calendar. */

const encryptionPurpose = 'watched calendar';
const hashPurpose = 'watched calendar address';

const maxAddressLength = 2_000;

/**
 * Checks an address before it is watched; returns it in the form that is fetched and compared. `webcal:`
 * is another name for `https:`, and a fragment is never sent.
 */
export async function checkAddress(
  { webhookTargets }: Pick<DomainServices, 'webhookTargets'>,
  given: string,
): Promise<{ url: URL } | { message: string }> {
  const text = given.trim().replace(/^webcal:/i, 'https:');
  if (text.length > maxAddressLength) {
    const limit = maxAddressLength.toLocaleString('en-US');
    return { message: `The address can have at most ${limit} characters.` };
  }
  const target = webhookTargets.checkUrl(text);
  if (!target.allowed) return { message: addressRefusals[target.rule] };
  const { url } = target;
  url.hash = '';
  const refusal = await webhookTargets.checkResolves(url);
  return refusal === null ? { url } : { message: addressRefusals[refusal.rule] };
}

/** The columns of an address. */
export function sealAddress(keyring: Keyring, address: string): SealedAddress {
  return {
    addressSealed: keyring.encrypt(address, encryptionPurpose),
    addressHash: keyring.fingerprint(address, hashPurpose),
  };
}

/** The hashes by which an address is found, one for each known secret key. */
export function hashesOfAddress(keyring: Keyring, address: string): Buffer[] {
  return keyring.fingerprints(address, hashPurpose);
}

/** Null if it was encrypted with a secret key that is lost. */
export function openAddress(
  keyring: Keyring,
  { address_sealed }: Pick<WatchedCalendarRow, 'address_sealed'>,
): string | null {
  return openSealed(keyring, address_sealed);
}

function openSealed(keyring: Keyring, sealed: Buffer): string | null {
  try {
    return keyring.decrypt(sealed, encryptionPurpose);
  } catch {
    return null;
  }
}

/** Reseals the addresses under the current key, so that SECRET_KEY_PREVIOUS can be removed. */
export async function resealCalendarAddresses({
  database,
  keyring,
}: Pick<DomainServices, 'database' | 'keyring'>): Promise<void> {
  if (keyring.previousKeyId === null) return;
  for (const row of await listAddressesSealedByOtherKeys(database, keyring.currentKeyId)) {
    const address = openAddress(keyring, row);
    const former = row.former_address_sealed && openSealed(keyring, row.former_address_sealed);
    if (address !== null) {
      const sealedFormer = former === null ? null : sealAddress(keyring, former);
      await replaceSealedAddress(database, row.id, sealAddress(keyring, address), sealedFormer);
    }
  }
}

/** Why a calendar cannot be watched, by the rule that its address breaks. */
const addressRefusals: Readonly<Record<TargetRefusal['rule'], string>> = {
  url: 'Give the whole address of the calendar, such as https://example.com/calendar.ics.',
  scheme: 'The address must begin with https:// or webcal://.',
  credentials:
    'The address must contain no user name and no password. Most calendars have a secret address that needs neither.',
  port: 'The address must use port 443 or 8443.',
  hostname: 'The address must name a host on the public internet.',
  address: 'The host of the address must exist, and be on the public internet.',
};
