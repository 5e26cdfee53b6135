import type { DatabaseServices } from '../database/services.js';
import type { EventRow } from '../database/schema.js';
import { listEventsAfter, listNewestEvents } from '../repositories/events.js';

/** Transactions end in another order than they began: so far back, an event may still turn up. */
const lateness = 1_000;

/**
 * Reads what happens, each event once: the first call returns the newest `limit` events, every
 * further one those that came since; in the order in which they were written down.
 */
export function followEvents(
  { database }: Pick<DatabaseServices, 'database'>,
  limit: number,
): () => Promise<EventRow[]> {
  let newest: number | null = null;
  let seen = new Set<string>();
  return async () => {
    const isFirst = newest === null;
    const rows =
      newest === null
        ? await listNewestEvents(database, Math.max(limit, lateness))
        : await listEventsAfter(database, newest - lateness);
    const fresh = rows.filter(({ id }) => !seen.has(id));
    seen = new Set(rows.map(({ id }) => id));
    newest = Math.max(newest ?? 0, ...rows.map(({ position }) => Number(position)));
    return isFirst ? fresh.slice(Math.max(0, fresh.length - limit)) : fresh;
  };
}
