import type { Channel } from '../database/schema.js';
import type { AccessLevel } from './budgets.js';
import type { Meter } from './meter.js';

/** The caller of a request. */
export interface Caller {
  /** Null if anonymous. */
  apiKeyId: string | null;
  /** For limits: an IPv4 address or an IPv6 /64. */
  address: string;
  /** For the cap of live bookings: an IPv4 address or an IPv6 /48. */
  network: string;
  /** Stored with each booking that the caller makes. */
  channel: Channel;
  /** Charges this request. */
  meter: Meter;
}

export function accessLevel(caller: Pick<Caller, 'apiKeyId'>): AccessLevel {
  return caller.apiKeyId === null ? 'anonymous' : 'keyed';
}
