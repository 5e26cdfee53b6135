import type { AccessServices } from '../access/services.js';
import type { CalendarServices } from '../board/services.js';
import type { PublicBookingRow } from '../database/rows/schema.js';
import type { CalendarReader } from '../icalendar/calendar-reader.js';
import type { KeyedMutex } from '../platform/concurrency.js';

/** Rejects URLs of webhooks and calendars that resolve to private addresses (SSRF guard). */
export interface WebhookTargets {
  /** Checks the URL without DNS. */
  checkUrl(url: string): { allowed: true; url: URL } | ({ allowed: false } & TargetRefusal);
  /** Checks the addresses that the host resolves to; null if they are allowed. */
  checkResolves(url: URL): Promise<TargetRefusal | null>;
  /** The registrable domain of the host; null for a literal address and a name without one. */
  domainOf(url: URL): Promise<string | null>;
}

export interface TargetRefusal {
  /** Which rule refused it. */
  rule: 'url' | 'scheme' | 'credentials' | 'port' | 'hostname' | 'address';
  /** For the subscriber of a webhook. */
  message: string;
}

/** The services of the domain. A function names the ones it needs. */
export interface DomainServices extends CalendarServices, AccessServices {
  /** Reads the public columns of a booking; null if it does not exist. */
  publicBookings(this: void, id: string): Promise<PublicBookingRow | null>;
  /** Serializes requests for one slot, or with one Idempotency-Key, in this process. */
  slotMutex: KeyedMutex;
  webhookTargets: WebhookTargets;
  calendarReader: CalendarReader;
}
