import { Temporal } from 'temporal-polyfill';
import type { Context } from '../../src/context.js';
import type { BookingRow } from '../../src/database/rows/schema.js';
import type { ZoneData } from '../../src/domain/studio/zone-data.js';
import { addDays } from '../../src/schedule/dates.js';
import { instantOfWallClock, slotStartsAt } from '../../src/schedule/slots.js';

/** The time zone of the example studio. */
export const studioZone = 'America/Los_Angeles';

/** Zones whose clocks differ from the studio's in winter, in summer, always, always, and never. */
export const otherClocks = [
  'America/Phoenix',
  'Etc/GMT+8',
  'America/Denver',
  'America/Anchorage',
  studioZone,
];

let year = 2030;
/** Data by which the studio's zone has the clock of another; newer than any before unless given. */
export function dataAs(zone: string, version = `${(year += 1)}a`): ZoneData {
  const clockOf = (timezone: string) => (timezone === studioZone ? zone : timezone);
  return {
    version,
    instantOfWallClock: (timezone, wallClock) => instantOfWallClock(clockOf(timezone), wallClock),
  };
}

/** The dates of the next two changes of the studio's clock, and those beside them. */
export function datesOfChanges({ clock }: Pick<Context, 'clock'>): string[] {
  const now = Temporal.Instant.fromEpochMilliseconds(clock.now()).toZonedDateTimeISO(studioZone);
  const first = now.getTimeZoneTransition('next')!;
  return [first, first.getTimeZoneTransition('next')!].flatMap((change) => {
    const date = change.toPlainDate().toString();
    return [addDays(date, -1), date, addDays(date, 1)];
  });
}

/** A booking after a change to such data at `changedAt`; itself if nothing is to change. */
export function expectedAs(
  zone: string,
  version: string,
  row: BookingRow,
  changedAt: Date | null,
): BookingRow {
  const start = slotStartsAt(zone, row.date, row.time_slot);
  if (start.iso === row.starts_at_text) return row;
  const end = instantOfWallClock(zone, row.ends_at_text!.slice(0, start.iso.length - 6));
  return {
    ...row,
    starts_at: new Date(start.epochMs),
    starts_at_text: start.iso,
    ends_at: new Date(end.epochMs),
    ends_at_text: end.iso,
    zone_data_version: version,
    may_overlap: true,
    sequence: row.sequence + 1,
    quiet_changes: row.quiet_changes + 1,
    changed_at: changedAt,
  };
}

/** The data of the events by which newer data changed a booking, oldest first. */
export async function zoneChangesOf(
  { database }: Pick<Context, 'database'>,
  id: string,
): Promise<Record<string, unknown>[]> {
  const rows = await database
    .selectFrom('events')
    .select('data')
    .where('booking_id', '=', id)
    .where('type', '=', 'booking.retimed')
    .orderBy('position')
    .execute();
  return rows.map(({ data }) => data as Record<string, unknown>);
}
