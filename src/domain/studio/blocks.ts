import type { Transaction } from 'kysely';
import type { NewClosure } from '../../database/rows/results.js';
import type { ClosureRow, Database } from '../../database/rows/schema.js';
import type { DatabaseServices } from '../../database/services.js';
import {
  type ClosureInterval,
  listBlocks,
  type PlacedClosure,
  updateIntervals,
} from '../../repositories/closures.js';
import { readStudio } from '../../repositories/studio-settings.js';
import { hoursInterval } from '../../schedule/busy-times.js';
import { instantOfWallClock, type Slot } from '../../schedule/slots.js';

/** Blocks are closures with hours: their instants follow the clock of the studio. */

/** A closure with the instants of its hours on the studio's clock. */
export function placeClosure<Closure extends Pick<NewClosure, 'fromDate' | 'hours'>>(
  timezone: string,
  closure: Closure,
): Closure & Pick<PlacedClosure, 'interval'> {
  const { fromDate, hours } = closure;
  return { ...closure, interval: hours ? hoursInterval(timezone, fromDate, hours) : null };
}

/** The stored instants of a block; null: the closure is none. */
export function intervalOf({ starts_at, ends_at }: ClosureRow): ClosureInterval | null {
  if (starts_at === null || ends_at === null) return null;
  return { startsAt: starts_at.getTime(), endsAt: ends_at.getTime() };
}

/** Whether a closure of an artist, or of all, covers the session of a slot. */
export function covers(
  closure: ClosureRow,
  { date, timeSlot, startsAt, endsAt }: Slot & ClosureInterval,
): boolean {
  const block = intervalOf(closure);
  if (block !== null) return block.startsAt < endsAt && block.endsAt > startsAt;
  const { from_date, to_date, time_slot } = closure;
  return from_date <= date && date <= to_date && (time_slot === null || time_slot === timeSlot);
}

/** The blocks from one date to another, inclusive, by their start. */
export async function readBlocks(
  { database }: Pick<DatabaseServices, 'database'>,
  dates: { from: string; to: string },
): Promise<ClosureRow[]> {
  return listBlocks(database, dates);
}

/**
 * Computes the instants of all blocks again, after a change of the studio's time zone or of its data.
 * Returns the number of changed ones. The transaction holds the lock of `lockSlots`.
 */
export async function replaceBlocks(
  transaction: Transaction<Database>,
  instantOf = instantOfWallClock,
): Promise<number> {
  const { timezone } = await readStudio(transaction);
  const blocks = await listBlocks(transaction, { from: '0001-01-01', to: '9999-12-31' });
  const outdated = blocks.flatMap((block) => {
    const { id, from_date, from_time: from, to_time: to } = block;
    if (from === null || to === null) return [];
    const interval = hoursInterval(timezone, from_date, { from, to }, instantOf);
    const known = intervalOf(block);
    const isSame = known?.startsAt === interval.startsAt && known.endsAt === interval.endsAt;
    return isSame ? [] : [{ id, interval }];
  });
  if (outdated.length > 0) await updateIntervals(transaction, outdated);
  return outdated.length;
}
