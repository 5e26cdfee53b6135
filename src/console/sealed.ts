import type { Keyring } from '../secrets/keyring.js';

/** The words of a search, and the bookings about which the studio was asked. */
type Purpose = 'console search' | 'console agreement';

export interface Sealing {
  keyring: Keyring;
}

/** A text that a page hands out, and nobody but this installation can read or make. */
export function seal({ keyring }: Sealing, text: string, purpose: Purpose): string {
  return keyring.encrypt(text, purpose).toString('base64url');
}

/** Null without a text, or if another installation, or nobody, has sealed it. */
export function unseal(
  { keyring }: Sealing,
  sealed: string | undefined,
  purpose: Purpose,
): string | null {
  if (sealed === undefined) return null;
  try {
    return keyring.decrypt(Buffer.from(sealed, 'base64url'), purpose);
  } catch {
    return null;
  }
}
