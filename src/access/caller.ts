import { maxSubjectLength } from '../config/limits.js';
import type { Channel } from '../database/rows/schema.js';
import type { Keyring } from '../secrets/keyring.js';
import type { AccessLevel } from './budgets.js';
import type { Meter } from './meter.js';

/** A platform that calls for many people from addresses that the studio has listed. */
export interface Platform {
  name: string;
  readsPerMinute: number;
  holdsPerHour: number;
  /** Live bookings placed within 24 hours. */
  liveBookings: number;
  /** Its share of the studio's pending holds. */
  pendingHoldsPercent: number;
}

export interface Caller {
  /** Null if anonymous. */
  apiKeyId: string | null;
  /** The address for limits: IPv4, or the /64 of IPv6. */
  address: string;
  /** The network for caps of what stays, such as bookings, codes and streams: IPv4, or the /48 of IPv6. */
  network: string;
  /** Null if the address is not listed. */
  platform: Platform | null;
  /**
   * HMACs of the platform's person, one per known secret key, the current one first; null if the
   * platform does not say who it is.
   */
  personHashes: readonly Buffer[] | null;
  /** Stored with each booking that the caller makes. */
  channel: Channel;
  meter: Meter;
}

export function accessLevel(caller: Pick<Caller, 'apiKeyId'>): AccessLevel {
  return caller.apiKeyId === null ? 'anonymous' : 'keyed';
}

/** HMACs of the person whom a platform names. Ignored from other addresses, and if it is no usable text. */
export function personHashesOf(
  keyring: Keyring,
  { platform }: Pick<Caller, 'platform'>,
  subject: unknown,
): Buffer[] | null {
  if (platform === null || typeof subject !== 'string') return null;
  if (subject === '' || subject.length > maxSubjectLength) return null;
  // A platform's name has no space: a person of one platform is never that of another.
  return keyring.fingerprints(`${platform.name} ${subject}`, 'person of a platform');
}
