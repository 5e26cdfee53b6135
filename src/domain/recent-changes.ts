import type { TimeSlot } from '../../generated/schemas.js';
import type { DatabaseServices } from '../database/services.js';
import type { EventType } from '../database/schema.js';
import type { CalendarState } from '../calendar/board.js';
import { listNewestEvents } from '../repositories/events.js';
import type { Slot } from '../calendar/slots.js';

/** What has become of a slot: somebody holds it, somebody has confirmed it, or it is free again. */
export interface SlotChange {
  readonly slot: Slot;
  readonly kind: 'held' | 'taken' | 'freed';
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** What happened to the slots between two states of the board, in no particular order. */
export function changesBetween(before: CalendarState, after: CalendarState): SlotChange[] {
  const changes: SlotChange[] = [];
  const now = after.validFrom;
  for (const [key, was] of before.taken) {
    const isGone = after.taken.get(key)?.id !== was.id;
    // A session that has begun leaves the board without being given up.
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

/** Enough to find some bookings among the studio's own changes. */
const eventsLookedAt = 50;

/** What happened last, newest first, as the database remembers it. */
export async function listRecentChanges({
  database,
}: Pick<DatabaseServices, 'database'>): Promise<SlotChange[]> {
  const events = await listNewestEvents(database, eventsLookedAt);
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
