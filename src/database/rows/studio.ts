import type { ColumnType, Generated, JSONColumnType, Selectable } from 'kysely';
import type { TimeSlot } from '../../../generated/schemas.js';

export interface StudioTables {
  studio: {
    id: Generated<number>;
    name: string;
    description: string;
    timezone: string;
    street: string;
    city: string;
    region: string;
    postal_code: string;
    country: string;
    email: string;
    phone: string;
    website: string;
    notices: JSONColumnType<StudioNotice[]>;
    /** The date from which its address counts; null: always. */
    address_from: Generated<string | null>;
    /** Of people who have chosen none (BCP 47). */
    language: Generated<string>;
  };

  /** The studio's former and future addresses. */
  studio_addresses: {
    from_date: string;
    street: string;
    city: string;
    region: string;
    postal_code: string;
    country: string;
  };

  /** The weeks of the studio and of artists, by days; `daysFor` says which counts. */
  week_days: {
    /** null: the studio's. */
    artist_id: number | null;
    /** ISO 8601: 1 is Monday, 7 is Sunday. */
    weekday: number;
    /** From which date to which it counts; both null in the week that goes on. */
    from_date: ColumnType<string | null, string | null | undefined>;
    to_date: ColumnType<string | null, string | null | undefined>;
    /** `HH:MM`. Both null: closed, or of an artist, the studio's hours of the date. */
    opens: string | null;
    closes: string | null;
    sessions: TimeSlot[];
  };

  closures: {
    id: Generated<string>;
    from_date: string;
    to_date: string;
    /** null: the whole day. */
    time_slot: TimeSlot | null;
    reason: Generated<string>;
    /** null: of every artist. */
    artist_id: ColumnType<number | null, number | null | undefined>;
    /** The hours of a block on the studio's clock, `HH:MM`; null: no block, as the next three. */
    from_time: ColumnType<string | null, string | null | undefined>;
    /** Up to `24:00`. */
    to_time: ColumnType<string | null, string | null | undefined>;
    /** When these hours begin and end. */
    starts_at: ColumnType<Date | null, Date | null | undefined>;
    ends_at: ColumnType<Date | null, Date | null | undefined>;
    created_at: Generated<Date>;
  };

  /** Whose sessions are booked; at least one. */
  artists: {
    id: Generated<number>;
    /** The slug of the links to their open times; it never changes once there is a name. */
    slug: string;
    /** Empty until there is a second artist. */
    name: string;
    about: Generated<string>;
    /** Gets the studio's mails about their sessions too. */
    email: ColumnType<string | null, string | null | undefined>;
    /** The place in the studio's list. */
    position: number;
    /** When they stopped taking new bookings. */
    hidden_at: ColumnType<Date | null, Date | null | undefined>;
    /** The dates before and after which nobody can book them; null: open. */
    first_day: ColumnType<string | null, string | null | undefined>;
    last_day: ColumnType<string | null, string | null | undefined>;
    /** Whether they are hidden because their week and first day were never shown and saved. */
    is_new: Generated<boolean>;
  };

  /** Sessions of single dates, besides those of the week; of every artist. */
  openings: {
    date: string;
    time_slot: TimeSlot;
    created_at: Date;
  };

  installation: {
    name: string;
    value: string;
  };

  /** The newest version of the data of a time zone that a process of the service had. */
  zone_data: {
    timezone: string;
    /** Such as `2026c`. */
    version: string;
    recorded_at: Date;
  };

  platforms: {
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
  };
}

/** A notice for the person about the session. */
export interface StudioNotice {
  title: string;
  text: string;
}

export type PlatformRow = Selectable<StudioTables['platforms']>;

export type StudioRow = Selectable<StudioTables['studio']>;

export type WeekDayRow = Selectable<StudioTables['week_days']>;
export type StudioAddressRow = Selectable<StudioTables['studio_addresses']>;
