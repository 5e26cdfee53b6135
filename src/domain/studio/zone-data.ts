import type { DatabaseServices } from '../../database/services.js';
import { recordCalendarChange } from '../../repositories/events.js';
import { lockSlots } from '../../repositories/slot-taking.js';
import {
  changeInstants,
  readZoneRecords,
  recordZoneData,
  type NewInstant,
  type StoredInstant,
  type ZoneRecord,
} from '../../repositories/zone-data.js';
import { instantOfWallClock, wallClockOf, zonedText } from '../../schedule/slots.js';
import { replaceBlocks } from './blocks.js';

export interface ZoneData {
  /** Such as `2026c`; null if unknown: then nothing is computed again. */
  version: string | null;
  instantOfWallClock: typeof instantOfWallClock;
}

/** Those of this process's Node.js. */
export const ownZoneData: ZoneData = {
  version: knownVersion(process.versions['tz']),
  instantOfWallClock,
};

/** A version that can be compared, by bytes, or null. @internal */
export function knownVersion(version: string | undefined): string | null {
  return version !== undefined && /^\d{4}[a-z]{1,2}$/.test(version) ? version : null;
}

/** The bookings that one statement changes: the lock of holds is held meanwhile. */
const batchSize = 100;

/**
 * Computes the instants of live bookings to come, and of blocks, again from their wall-clock times, where the data of
 * their zones are at least as new as any known to the database; each change has an event. Equally new
 * data find what a process with older ones has made or moved since. One version changes a booking once in
 * a slot, so that processes with different data under one version do not alternate. Returns the number of
 * changed bookings.
 */
export async function followZoneData(
  { database, log }: Pick<DatabaseServices, 'database' | 'log'>,
  data: ZoneData = ownZoneData,
): Promise<number> {
  const { version } = data;
  if (version === null) return 0;
  const found = await readZoneRecords(database);
  if (unrecorded(found, version).length + outdated(found, data, version).length === 0) return 0;
  for (let total = 0; ;) {
    const changed = await database.transaction().execute(async (transaction) => {
      await lockSlots(transaction);
      const zones = await readZoneRecords(transaction);
      const newer = unrecorded(zones, version);
      await recordZoneData(transaction, newer, version);
      if (newer.length > 0 && (await replaceBlocks(transaction, data.instantOfWallClock)) > 0) {
        await recordCalendarChange(transaction, 'zone data');
      }
      const instants = outdated(zones, data, version).slice(0, batchSize);
      return instants.length === 0 ? 0 : changeInstants(transaction, instants, version);
    });
    total += changed;
    if (changed < batchSize) {
      if (total > 0) log.info({ bookings: total, version }, 'instants follow newer time zone data');
      return total;
    }
  }
}

/** The time zones of which this version is the newest. */
function unrecorded(zones: readonly ZoneRecord[], version: string): string[] {
  return zones
    .filter((zone) => zone.version === null || zone.version < version)
    .map(({ timezone }) => timezone);
}

/** The bookings whose instants this version changes. */
function outdated(zones: readonly ZoneRecord[], data: ZoneData, version: string): NewInstant[] {
  return zones
    .filter((zone) => zone.version === null || zone.version <= version)
    .flatMap(({ timezone, bookings }) =>
      bookings
        .filter((booking) => booking.version === null || booking.version < version)
        .flatMap((booking) => newInstantOf(timezone, booking, data) ?? []),
    );
}

/** The instants of a booking by these data; null if they are unchanged. */
export function newInstantOf(
  timezone: string,
  booking: StoredInstant,
  data: ZoneData,
): NewInstant | null {
  const { id, sequence, date, timeSlot, startsAtText, endsAtText } = booking;
  const start = data.instantOfWallClock(timezone, wallClockOf({ date, timeSlot }));
  if (start.epochMs === Date.parse(startsAtText)) return null;
  // The session ends at the same time of day as before, whatever the opening hours are now.
  const end = data.instantOfWallClock(timezone, endsAtText.slice(0, wallClockLength));
  const lastsMs = Date.parse(endsAtText) - Date.parse(startsAtText);
  const endsAt =
    end.epochMs > start.epochMs ? end.iso : zonedText(start.epochMs + lastsMs, timezone);
  return { id, sequence, startsAtText: start.iso, endsAtText: endsAt };
}

const wallClockLength = '2026-12-01T09:00:00'.length;
