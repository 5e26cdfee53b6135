import type pg from 'pg';

/** What the database says after a race, read without any code of the service. */
export interface History {
  bookings: BookingRecord[];
  /** By position; those of one transaction have the same `transaction`. */
  events: EventRecord[];
  /** By transaction: of a closure that cancels, its own entry, which is the last. */
  audit: Map<string, { action: string; details: Record<string, unknown> }>;
  now: number;
}

export interface BookingRecord {
  id: string;
  status: string;
  slot: string;
  /** The slot and its artist. */
  place: string;
  /** The person, as their caller names them; null for what the studio adds. */
  person: string | null;
  sequence: number;
  startsAt: number;
  startsAtText: string;
  expiresAt: number;
}

export interface EventRecord {
  position: number;
  transaction: string;
  type: string;
  bookingId: string | null;
  /** Of the booking: 0 for the event that made it. */
  sequence: number;
  occurredAt: number;
  data: EventData;
}

export type SlotData = Record<'date' | 'time_slot', string> & { artist_name?: string };

interface EventData extends SlotData {
  status: string;
  starts_at_text: string;
  expires_at: string;
  sequence?: number;
  from?: SlotData & { starts_at: string };
  to?: SlotData & { starts_at: string };
}

export const slotOf = ({ date, time_slot }: SlotData): string => `${date} ${time_slot}`;

/** A slot with its artist, where there are several. */
export const placeOf = (slot: SlotData): string =>
  [slotOf(slot), ...(slot.artist_name === undefined ? [] : [slot.artist_name])].join(' with ');

/** By the booking's id and the sequence after the change, such as `<id> 0` for what made it. */
export function changesOf(events: EventRecord[]): Map<string, EventRecord> {
  return new Map(events.map((event) => [`${event.bookingId} ${event.sequence}`, event]));
}

export function isMoveTo({ type, data }: EventRecord, slot: string): boolean {
  return type === 'booking.moved' && [slotOf(data.to!), placeOf(data.to!)].includes(slot);
}

export async function readHistory(database: pg.Pool): Promise<History> {
  const bookings = await database.query<BookingRecord>(`
    select id, status, date || ' ' || time_slot as slot, sequence,
      date || ' ' || time_slot || coalesce(' with ' || artist_name, '') as place,
      name || ' ' || email || ' ' || encode(caller_network_hash, 'hex') as person,
      extract(epoch from starts_at)::float8 * 1000 as "startsAt",
      starts_at_text as "startsAtText",
      extract(epoch from expires_at)::float8 * 1000 as "expiresAt"
    from bookings`);
  // What a closure leaves undecided changes no booking.
  const events = await database.query<EventRecord>(`
    select position::integer, xmin::text as transaction, type, booking_id as "bookingId",
      (row_number() over (partition by booking_id order by position))::integer - 1 as sequence,
      extract(epoch from occurred_at)::float8 * 1000 as "occurredAt", data
    from events where type <> 'booking.conflict' order by position`);
  const audit = await database.query<{
    transaction: string;
    action: string;
    details: Record<string, unknown>;
  }>('select xmin::text as transaction, action, details from audit_log order by position');
  const clock = await database.query<{ now: number }>(
    'select extract(epoch from booking_now())::float8 * 1000 as now',
  );
  return {
    bookings: bookings.rows,
    events: events.rows,
    audit: new Map(audit.rows.map((row) => [row.transaction, row])),
    now: clock.rows[0]!.now,
  };
}
