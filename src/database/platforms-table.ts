import type { Selectable } from 'kysely';

export interface PlatformsTable {
  name: string;
  /** CIDR ranges in PostgreSQL's canonical form, IPv4 and IPv6. */
  ranges: string[];
  reads_per_minute: number;
  holds_per_hour: number;
  /** Live bookings placed within 24 hours. */
  live_bookings: number;
  /** Its share of the studio's pending holds. */
  pending_holds_percent: number;
  created_at: Date;
}

export type PlatformRow = Selectable<PlatformsTable>;
