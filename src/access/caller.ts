import type { AccessLevel } from './budgets.js';
import type { Meter } from './meter.js';

/** Who asks, and what it costs them. */
export interface Caller {
  /** Null when anonymous. */
  apiKeyId: string | null;
  /** As the limits see it: IPv4, or an IPv6 /64. */
  address: string;
  /** As the cap of live bookings sees it: IPv4, or an IPv6 /48. */
  network: string;
  /** Of this one request. */
  meter: Meter;
}

export function accessLevel(caller: Pick<Caller, 'apiKeyId'>): AccessLevel {
  return caller.apiKeyId === null ? 'anonymous' : 'keyed';
}
