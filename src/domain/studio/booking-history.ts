import type {
  ChangeSnapshot,
  MailEventSnapshot,
  MoveSnapshot,
} from '../../database/rows/booking-snapshots.js';
import type { AuditAction, AuditRow, ChangeInSlot, EventRow } from '../../database/rows/schema.js';
import { type Slot, slotOf } from '../../schedule/slots.js';

/** A slot with its artist, where there were several. */
export type MovedSlot = Slot & {
  readonly artistId: number | null;
  readonly artistName: string | null;
};

export type HistoryEntry = {
  at: Date;
  /** Null where it was not recorded. */
  by: 'person' | 'studio' | 'service' | null;
  /** The member of the studio, as the audit names them; null for others. */
  actor: string | null;
  /** Seconds from sending the code to typing it; null without one, or if unknown. */
  codeTypedAfterSeconds: number | null;
} & (
  | { what: 'held' | 'confirmed' | 'added' | 'expired' }
  /** `through` is the action that cancelled it, if another than `bookings cancel`. */
  | { what: 'cancelled'; through: AuditAction | null }
  | { what: 'moved'; from: MovedSlot; to: MovedSlot }
  | { what: 'changed'; change: ChangeInSlot }
  /** A watched calendar was found to be busy during the session. */
  | { what: 'conflict'; slot: Slot }
  | { what: 'no-show'; isUndone: boolean }
  | { what: 'action'; action: AuditAction }
);

/**
 * Joins the events of a booking with the actions of the studio that name it: an event by the studio gets
 * the actor of its action. Both are oldest first, and may lack their beginning.
 */
export function bookingHistory(
  events: readonly EventRow[],
  actions: readonly AuditRow[],
): HistoryEntry[] {
  const unmatched = [...actions];
  const entries: HistoryEntry[] = [];
  // This begins with the newest: the beginning of either may be missing.
  for (const event of [...events].reverse()) {
    const data = event.data as ChangeSnapshot;
    const by = data.by ?? null;
    const index =
      by === 'studio' ? unmatched.findLastIndex((action) => isActionOf(action, event)) : -1;
    const action = unmatched[index] ?? null;
    // Erasing a person's data also cancels sessions: the two are separate entries.
    if (action !== null && action.action !== 'bookings forget') unmatched.splice(index, 1);
    const entry = entryOf(event, action);
    if (entry !== null) entries.push(entry);
  }
  for (const action of unmatched) entries.push(entryOfAction(action));
  return entries.sort((one, other) => one.at.getTime() - other.at.getTime());
}

function entryOf(event: EventRow, action: AuditRow | null): HistoryEntry | null {
  const { by = null, code_typed_after_seconds: codeTypedAfterSeconds = null } =
    event.data as ChangeSnapshot;
  const common = {
    at: event.occurred_at,
    by,
    actor: action?.actor ?? null,
    codeTypedAfterSeconds,
  };
  switch (event.type) {
    case 'hold.created':
      return { ...common, what: 'held' };
    case 'booking.confirmed':
      return { ...common, what: by === 'studio' ? 'added' : 'confirmed' };
    case 'hold.expired':
      return { ...common, what: 'expired' };
    case 'booking.cancelled': {
      const isDirect = action === null || action.action === 'bookings cancel';
      return { ...common, what: 'cancelled', through: isDirect ? null : action.action };
    }
    case 'booking.moved': {
      const { from, to } = event.data as MoveSnapshot;
      return { ...common, what: 'moved', from: slotOfArtist(from), to: slotOfArtist(to) };
    }
    case 'booking.corrected':
    case 'booking.readdressed':
    case 'booking.retimed':
    case 'booking.asked':
    case 'booking.kept':
      return { ...common, what: 'changed', change: event.type };
    case 'booking.conflict': {
      // A closure that left sessions undecided records one for all of them.
      const { left_undecided: left, ...data } = event.data as MailEventSnapshot;
      return left === undefined ? { ...common, what: 'conflict', slot: slotOf(data) } : null;
    }
    case 'calendar.changed':
    case 'calendar.failing':
      return null;
  }
}

function slotOfArtist(slot: MoveSnapshot['from']): MovedSlot {
  return {
    ...slotOf(slot),
    artistId: slot.artist_id ?? null,
    artistName: slot.artist_name ?? null,
  };
}

function entryOfAction({ occurred_at, actor, action, details }: AuditRow): HistoryEntry {
  const common = { at: occurred_at, by: 'studio' as const, actor, codeTypedAfterSeconds: null };
  if (action !== 'bookings no-show') return { ...common, what: 'action', action };
  return { ...common, what: 'no-show', isUndone: details['undone'] === true };
}

/** Whether an action of the studio recorded an event of the same booking. */
function isActionOf({ action, details }: AuditRow, { type, data }: EventRow): boolean {
  switch (type) {
    case 'booking.confirmed':
      return action === 'bookings add';
    case 'booking.moved': {
      const { to } = data as MoveSnapshot;
      const actionTo = details['to'] as Partial<MoveSnapshot['to']> | undefined;
      return (
        action === 'bookings move' &&
        actionTo?.date === to.date &&
        actionTo.time_slot === to.time_slot &&
        actionTo.artist_name === to.artist_name
      );
    }
    case 'booking.corrected':
    case 'booking.readdressed':
    case 'booking.retimed':
    case 'booking.asked':
    case 'booking.kept':
      return action === actionOfChange[type];
    case 'booking.cancelled':
      return action === 'bookings cancel' || Array.isArray(details['cancelled_bookings']);
    default:
      return false;
  }
}

/** The actions of changes; null where the service makes a change by itself. */
const actionOfChange: Record<ChangeInSlot, AuditAction | null> = {
  'booking.retimed': null,
  'booking.readdressed': 'info set',
  'booking.corrected': 'bookings correct',
  'booking.asked': 'bookings ask',
  'booking.kept': 'bookings keep',
};
