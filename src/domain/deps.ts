import type { CalendarServices } from '../calendar/services.js';
import type { AccessServices } from '../access/services.js';
import type { KeyedMutex } from '../platform/keyed-mutex.js';
import type { PublicBookings } from './public-bookings.js';

/** Rejects webhook URLs that resolve to private addresses (SSRF guard). */
export interface WebhookTargets {
  /** Judges the spelling. `message` is for the subscriber. */
  checkUrl(url: string): { allowed: true; url: URL } | { allowed: false; message: string };
  /** Asks the name servers; null where nothing is wrong. */
  checkResolves(url: URL): Promise<{ message: string } | null>;
}

/** What the rules need; each function names the few that it uses. */
export interface DomainServices extends CalendarServices, AccessServices {
  publicBookings: PublicBookings;
  /** Serializes requests for one slot, or with one Idempotency-Key, in this process. */
  slotMutex: KeyedMutex;
  webhookTargets: WebhookTargets;
}
