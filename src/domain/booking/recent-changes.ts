import type { CalendarState } from '../../board/board.js';
import type { CalendarServices } from '../../board/services.js';
import type { BookingSnapshot, MoveSnapshot } from '../../database/rows/booking-snapshots.js';
import type { EventType } from '../../database/rows/schema.js';
import { listNewestEvents } from '../../repositories/events.js';
import { namedArtists } from '../../schedule/artists.js';
import { scheduleState, openFor } from '../../schedule/calendar.js';
import { slotOf, type Slot } from '../../schedule/slots.js';

/** A slot became held, taken (its booking was confirmed) or free. */
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
  for (const [id, previous] of before.bookings) {
    const isReleased = after.bookings.get(id)?.slotKey !== previous.slotKey;
    // A session that has started leaves the board but does not free its slot.
    if (!isReleased || previous.startsAt <= now) continue;
    const { slot } = previous;
    // A slot outside the schedule can only be the studio's. Another artist may have been free before.
    if (scheduleState(after.calendar, slot) !== 'open' || isOpen(before, slot)) continue;
    const at = previous.lapsesAt === null ? now : Math.min(previous.lapsesAt, now);
    changes.push({ slot, kind: 'freed', at });
  }
  for (const [id, current] of after.bookings) {
    const previous = before.bookings.get(id);
    const isSame = previous?.slotKey === current.slotKey && previous.lapsesAt === current.lapsesAt;
    if (isSame || isOpen(after, current.slot)) continue;
    changes.push({
      slot: current.slot,
      kind: current.lapsesAt === null ? 'taken' : 'held',
      at: now,
    });
  }
  return changes;
}

function isOpen(state: CalendarState, slot: Slot): boolean {
  return openFor(state, slot, null, state.validFrom) === 'open';
}

const kindByEventType: Partial<Record<EventType, SlotChange['kind']>> = {
  'hold.created': 'held',
  'booking.confirmed': 'taken',
  'hold.expired': 'freed',
  'booking.cancelled': 'freed',
};

/** The events read: more than the dashboard shows, because those that change no slot are skipped. */
const maxEventsRead = 50;

/** Reads the latest slot changes from the event log, newest first. */
export async function listRecentChanges({
  database,
  board,
}: Pick<CalendarServices, 'database' | 'board'>): Promise<SlotChange[]> {
  const events = await listNewestEvents(database, maxEventsRead);
  const state = await board.read();
  const changes = events.reverse().flatMap(({ type, data, occurred_at }) => {
    const at = occurred_at.getTime();
    if (type === 'booking.moved') {
      const { status, from, to } = data as MoveSnapshot;
      const kind = status === 'confirmed' ? ('taken' as const) : ('held' as const);
      return [{ slot: slotOf(to), kind, at }, ...freed(from, from.starts_at, at)];
    }
    const kind = kindByEventType[type];
    if (kind === undefined) return [];
    const booking = data as BookingSnapshot;
    if (kind === 'freed') return freed(booking, booking.starts_at_text, at);
    return [{ slot: slotOf(booking), kind, at }];
  });
  const hasOthers = namedArtists(state).length > 0;
  return changes.filter(({ kind, slot }) =>
    kind === 'freed'
      ? scheduleState(state.calendar, slot) === 'open'
      : !(hasOthers && isOpen(state, slot)),
  );
}

/** A session that has started does not free its slot. */
function freed(
  slot: Pick<BookingSnapshot, 'date' | 'time_slot'>,
  startsAt: string,
  at: number,
): SlotChange[] {
  return Date.parse(startsAt) > at ? [{ slot: slotOf(slot), kind: 'freed', at }] : [];
}
