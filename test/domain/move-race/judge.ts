import {
  changesOf,
  placeOf,
  slotOf,
  type BookingRecord,
  type EventRecord,
  type History,
  type SlotData,
} from './history.js';
import type { Attempt, BoardEntry } from './race.js';

/**
 * A sentence for each thing that is wrong after a race; none when all is well. `isKilled`: processes were
 * killed, so that more may have been done than was reported.
 */
export function judge(
  history: History,
  attempts: Attempt[],
  boards: BoardEntry[][],
  isKilled: boolean,
): string[] {
  return [
    ...paths(history),
    ...takenTwice(history, placeOf),
    ...personsTwice(history),
    ...untrueOutcomes(history, attempts, isKilled),
    ...boards.flatMap((board, index) => boardDiffers(history, board, index)),
    ...attempts
      .filter(({ outcome }) => outcome.startsWith('unexpected'))
      .map(({ kind, outcome }) => `${kind}: ${outcome}`),
  ];
}

/** Replays the events of each booking, and compares the outcome with its row. */
function paths({ bookings, events }: History): string[] {
  const byBooking = groupBy(events, ({ bookingId }) => bookingId);
  const findings = bookings.flatMap((booking) => {
    const finding = wrongStep(byBooking.get(booking.id) ?? [], booking);
    return finding === null ? [] : [`booking ${booking.id}: ${finding}`];
  });
  const ids = new Set(bookings.map(({ id }) => id));
  const strays = events.filter(({ bookingId }) => bookingId !== null && !ids.has(bookingId));
  return [...findings, ...strays.map(({ position }) => `event ${position} has no booking`)];
}

function groupBy<Item, Key>(items: Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

const statusAfter: Record<string, string> = {
  'hold.created': 'pending',
  'booking.confirmed': 'confirmed',
  'hold.expired': 'expired',
  'booking.cancelled': 'cancelled',
};

function wrongStep(events: EventRecord[], booking: BookingRecord): string | null {
  const [first, ...rest] = events;
  if (first === undefined) return 'it has no event';
  if (first.type !== 'hold.created' && first.type !== 'booking.confirmed') {
    return `it begins with ${first.type}`;
  }
  const state = { status: statusAfter[first.type], slot: placeOf(first.data) };
  let startsAtText = first.data.starts_at_text;
  for (const { type, sequence, data, occurredAt } of rest) {
    const step = `${type} (${sequence})`;
    if ((data.sequence ?? sequence) !== sequence) return `${step} says ${data.sequence}`;
    if (state.status !== 'pending' && state.status !== 'confirmed') {
      return `${step} follows ${state.status}`;
    }
    const expiresAt = Date.parse(data.expires_at);
    const hasLapsed = occurredAt >= expiresAt;
    if (state.status === 'pending' && hasLapsed !== (type === 'hold.expired')) {
      return `${step} is on the wrong side of ${data.expires_at}`;
    }
    if (state.status === 'confirmed' && type !== 'booking.cancelled' && type !== 'booking.moved') {
      return `${step} follows confirmed`;
    }
    if (type === 'booking.moved') {
      if (data.from === undefined || placeOf(data.from) !== state.slot) {
        return `${step} is from ${JSON.stringify(data.from)} and it was at ${state.slot}`;
      }
      if (data.to === undefined || placeOf(data.to) === state.slot) return `${step} moves nothing`;
      if (data.from.starts_at !== startsAtText) return `${step} is from another start`;
      if (data.status !== state.status) return `${step} changes the status`;
      state.slot = placeOf(data.to);
      startsAtText = data.to.starts_at;
    } else {
      state.status = statusAfter[type];
    }
    if (placeOf(data) !== state.slot) return `${step} shows ${placeOf(data)}, not ${state.slot}`;
  }
  if (booking.status !== state.status) return `it is ${booking.status}, not ${state.status}`;
  if (booking.place !== state.slot) return `it is at ${booking.place}, not ${state.slot}`;
  if (booking.sequence !== rest.length) return `${booking.sequence} changes, ${rest.length} events`;
  if (booking.startsAtText !== startsAtText || Date.parse(startsAtText) !== booking.startsAt) {
    return `it starts at ${booking.startsAtText}, not ${startsAtText}`;
  }
  return null;
}

const takes = (event: EventRecord, seen: Set<string>): boolean =>
  event.type === 'hold.created' ||
  event.type === 'booking.moved' ||
  (event.type === 'booking.confirmed' && !seen.has(event.bookingId!));

/** No person had two sessions in one slot that one caller had placed. */
function personsTwice(history: History): string[] {
  const persons = new Map(history.bookings.map(({ id, person }) => [id, person]));
  return takenTwice(history, (slot, id) => `${slotOf(slot)} as ${persons.get(id) ?? id}`);
}

/** Follows who has what of which there is one, event by event. */
function takenTwice(
  { events }: History,
  keyOf: (slot: SlotData, bookingId: string) => string,
): string[] {
  const findings: string[] = [];
  const holders = new Map<string, string>();
  const seen = new Set<string>();
  // Within one statement the order of the events says nothing: what it frees, it frees first.
  for (const group of groupBy(events, ({ transaction }) => transaction).values()) {
    const free = (slot: string, id: string) => {
      if (holders.get(slot) === id) holders.delete(slot);
      else findings.push(`${id} left ${slot}, which ${holders.get(slot)} had`);
    };
    for (const { type, bookingId, data } of group) {
      if (type === 'booking.moved') free(keyOf(data.from!, bookingId!), bookingId!);
      if (type === 'hold.expired' || type === 'booking.cancelled') {
        free(keyOf(data, bookingId!), bookingId!);
      }
    }
    for (const event of group) {
      if (event.bookingId === null || !takes(event, seen)) continue;
      seen.add(event.bookingId);
      const slot = keyOf(event.data, event.bookingId);
      const holder = holders.get(slot);
      if (holder !== undefined) findings.push(`${event.bookingId} took ${slot} of ${holder}`);
      holders.set(slot, event.bookingId);
    }
  }
  return findings;
}

/** Compares what the operations reported with the events. */
function untrueOutcomes(
  { bookings, events, audit, now }: History,
  attempts: Attempt[],
  isKilled: boolean,
): string[] {
  const made = new Set(attempts.flatMap((attempt) => attempt.made ?? []));
  const changes = changesOf(events);
  const findings = [...made]
    .filter((id) => !changes.has(`${id} 0`))
    .map((id) => `${id} was acknowledged and is no booking`);
  const returned = new Set(
    attempts.flatMap(({ outcome, move }) =>
      move !== undefined && outcome === 'returned'
        ? [`${move.id} ${move.sequence} ${move.to}`]
        : [],
    ),
  );
  for (const { type, bookingId, sequence, transaction, data } of events) {
    if (type !== 'booking.moved' || audit.has(transaction)) continue;
    const wanted = [slotOf(data.to!), placeOf(data.to!)];
    if (wanted.some((to) => returned.has(`${bookingId} ${sequence - 1} ${to}`)) || isKilled)
      continue;
    findings.push(`${bookingId} moved to ${slotOf(data.to!)}, and everybody who tried was refused`);
  }
  const rows = new Map(bookings.map((row) => [row.id, row]));
  for (const { kind, outcome, move } of attempts) {
    if (move === undefined || outcome !== 'returned') continue;
    // Moved, or nothing was left to do: it has changed, was there already, or has lapsed.
    const row = rows.get(move.id)!;
    const isLapsed = row.status === 'pending' && row.expiresAt <= now;
    const isThere = row.slot === move.to || row.place === move.to;
    if (row.sequence === move.sequence && !isThere && !isLapsed) {
      findings.push(`${kind}: ${move.id} was not moved to ${move.to}`);
    }
  }
  const counts: [kind: string, outcome: string, action: string][] = [
    ['studio move', 'moved', 'bookings move'],
    ['studio add', 'added', 'bookings add'],
    ['studio cancel', 'cancelled', 'bookings cancel'],
    ['close', 'added', 'closures add'],
    ['reopen', 'removed', 'closures remove'],
  ];
  for (const [kind, outcome, action] of counts) {
    const reported = attempts.filter((each) => each.kind === kind && each.outcome === outcome);
    const recorded = [...audit.values()].filter((row) => row.action === action);
    const lost = recorded.length - reported.length;
    if (isKilled ? lost < 0 : lost !== 0) {
      findings.push(`${kind}: ${reported.length} × ${outcome}, ${recorded.length} audited`);
    }
  }
  return findings;
}

function boardDiffers(history: History, board: BoardEntry[], index: number): string[] {
  const show = ({ place, id, sequence }: Pick<BoardEntry, 'place' | 'id' | 'sequence'>) =>
    `${place} ${id} ${sequence}`;
  const lasts = (lapsesAt: number | null) => lapsesAt === null || lapsesAt > history.now;
  const shown = new Set(board.filter(({ lapsesAt }) => lasts(lapsesAt)).map(show));
  const isLive = ({ status, expiresAt }: BookingRecord) =>
    status === 'confirmed' || (status === 'pending' && lasts(expiresAt));
  const rows = new Set(history.bookings.filter(isLive).map(show));
  return [
    ...[...shown].filter((each) => !rows.has(each)).map((each) => `board ${index} shows ${each}`),
    ...[...rows].filter((each) => !shown.has(each)).map((each) => `board ${index} lacks ${each}`),
  ];
}
