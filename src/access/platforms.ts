import { platformDefaults } from '../config/limits.js';
import type { PlatformRow } from '../database/rows/studio.js';
import type { DatabaseServices } from '../database/services.js';
import { recordAudit } from '../repositories/audit.js';
import {
  deletePlatform,
  findOverlap,
  findPlatform,
  insertPlatform,
  lockPlatforms,
  updatePlatform,
  type NewPlatform,
  type PlatformChanges,
} from '../repositories/platforms.js';

type PlatformServices = Pick<DatabaseServices, 'database'>;

export type PlatformOutcome =
  | { outcome: 'done'; platform: PlatformRow }
  | { outcome: 'exists' }
  | { outcome: 'unknown' }
  /** The range of another platform that shares addresses with one that was given. */
  | { outcome: 'overlaps'; with: { name: string; range: string } };

/**
 * Lists a platform, with the default of each limit that is not given. Every process applies it
 * within a second.
 */
export async function addPlatform(
  { database }: PlatformServices,
  actor: string,
  given: Pick<NewPlatform, 'name' | 'ranges'> & PlatformChanges,
): Promise<PlatformOutcome> {
  const platform: NewPlatform = {
    reads_per_minute: platformDefaults.readsPerMinute,
    holds_per_hour: platformDefaults.holdsPerHour,
    live_bookings: platformDefaults.liveBookings,
    pending_holds_percent: platformDefaults.pendingHoldsPercent,
    ...given,
  };
  return database.transaction().execute(async (transaction) => {
    await lockPlatforms(transaction);
    if ((await findPlatform(transaction, platform.name)) !== null) return { outcome: 'exists' };
    const overlap = await findOverlap(transaction, platform);
    if (overlap !== null) return { outcome: 'overlaps', with: overlap };
    const added = await insertPlatform(transaction, platform);
    await recordAudit(transaction, actor, 'platforms add', { ...platform });
    return { outcome: 'done', platform: added };
  });
}

export async function setPlatform(
  { database }: PlatformServices,
  actor: string,
  name: string,
  changes: PlatformChanges,
): Promise<PlatformOutcome> {
  return database.transaction().execute(async (transaction) => {
    await lockPlatforms(transaction);
    const overlap =
      changes.ranges === undefined
        ? null
        : await findOverlap(transaction, { name, ranges: changes.ranges });
    if (overlap !== null) return { outcome: 'overlaps', with: overlap };
    const changed = await updatePlatform(transaction, name, changes);
    if (changed === null) return { outcome: 'unknown' };
    await recordAudit(transaction, actor, 'platforms set', { name, ...changes });
    return { outcome: 'done', platform: changed };
  });
}

/** Removes a platform: its addresses are callers like any other. Null if it does not exist. */
export async function removePlatform(
  { database }: PlatformServices,
  actor: string,
  name: string,
): Promise<PlatformRow | null> {
  return database.transaction().execute(async (transaction) => {
    const removed = await deletePlatform(transaction, name);
    if (removed === null) return null;
    await recordAudit(transaction, actor, 'platforms remove', { name, ranges: removed.ranges });
    return removed;
  });
}
