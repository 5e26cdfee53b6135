import type { TimeSlot } from '../../generated/schemas.js';
import type { DatabaseServices } from '../database/services.js';
import type { EventType } from '../database/schema.js';
import type { CalendarState } from '../calendar/board.js';
import { listNewestEvents } from '../repositories/events.js';
import type { Slot } from '../calendar/slots.js';

/** A change of a slot: held, confirmed, or free again. */
export interface SlotChange {
  readonly slot: Slot;
  readonly kind: 'held' | 'taken' | 'freed';
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** The changes between two states of the board, in no particular order. */
export function changesBetween(before: CalendarState, after: CalendarState): SlotChange[] {
  const changes: SlotChange[] = [];
  const now = after.validFrom;
  for (const [key, was] of before.taken) {
    const isGone = after.taken.get(key)?.id !== was.id;
    // A session that has begun leaves the board, and is not freed.
    if (!isGone || was.startsAt <= now) continue;
    const at = was.lapsesAt === null ? now : Math.min(was.lapsesAt, now);
    changes.push({ slot: slotOf(key), kind: 'freed', at });
  }
  for (const [key, is] of after.taken) {
    const was = before.taken.get(key);
    if (was?.id === is.id && was.lapsesAt === is.lapsesAt) continue;
    changes.push({ slot: slotOf(key), kind: is.lapsesAt === null ? 'taken' : 'held', at: now });
  }
  return changes;
}

const kinds: Partial<Record<EventType, SlotChange['kind']>> = {
  'hold.created': 'held',
  'booking.confirmed': 'taken',
  'hold.expired': 'freed',
  'booking.cancelled': 'freed',
};

/** Events of the studio's own changes are among them and are skipped. */
const eventsRead = 50;

/** The latest changes from the event log, newest first. */
export async function listRecentChanges({
  database,
}: Pick<DatabaseServices, 'database'>): Promise<SlotChange[]> {
  const events = await listNewestEvents(database, eventsRead);
  return events.reverse().flatMap(({ type, data, occurred_at }) => {
    const kind = kinds[type];
    if (kind === undefined) return [];
    const { date, time_slot } = data as { date: string; time_slot: TimeSlot };
    return [{ slot: { date, timeSlot: time_slot }, kind, at: occurred_at.getTime() }];
  });
}

/** The inverse of `slotKey`. */
function slotOf(key: string): Slot {
  const end = key.indexOf(' ');
  return { date: key.slice(0, end), timeSlot: key.slice(end + 1) as TimeSlot };
}
