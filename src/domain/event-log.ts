import type { DatabaseServices } from '../database/services.js';
import type { EventRow } from '../database/schema.js';
import { listEventsAfter, listNewestEvents } from '../repositories/events.js';

/** Positions below the newest that may still appear: commits are not in the order of positions. */
const reorderWindow = 1_000;

/**
 * Reads each event once, in the order of positions: the first call returns the newest `limit`
 * events, each further call those committed since.
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
        ? await listNewestEvents(database, Math.max(limit, reorderWindow))
        : await listEventsAfter(database, newest - reorderWindow);
    const fresh = rows.filter(({ id }) => !seen.has(id));
    seen = new Set(rows.map(({ id }) => id));
    newest = Math.max(newest ?? 0, ...rows.map(({ position }) => Number(position)));
    return isFirst ? fresh.slice(Math.max(0, fresh.length - limit)) : fresh;
  };
}
