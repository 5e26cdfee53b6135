import type { Generated, JSONColumnType } from 'kysely';
import type { TimeSlot } from '../../generated/schemas.js';

export interface StudioTable {
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
}

/** A notice for the person about the session. */
export interface StudioNotice {
  title: string;
  text: string;
}

export interface OpeningHoursTable {
  /** ISO 8601: 1 is Monday, 7 is Sunday. */
  weekday: number;
  /** `HH:MM`, or null when closed. */
  opens: string | null;
  closes: string | null;
}

export interface WeeklySessionsTable {
  weekday: number;
  time_slot: TimeSlot;
}

export interface ClosuresTable {
  id: Generated<string>;
  from_date: string;
  to_date: string;
  /** null: the whole day. */
  time_slot: TimeSlot | null;
  reason: Generated<string>;
  created_at: Generated<Date>;
}

export interface InstallationTable {
  name: string;
  value: string;
}
