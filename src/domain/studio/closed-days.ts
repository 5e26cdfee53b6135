import type { Transaction } from 'kysely';
import {
  liveBookings,
  type StudioData,
  studioData,
  takenSlots,
} from '../../board/calendar-state.js';
import type { NewClosure } from '../../database/rows/results.js';
import type { BookingRow, Database } from '../../database/rows/schema.js';
import type { DatabaseServices } from '../../database/services.js';
import { recordAudit } from '../../repositories/audit.js';
import { lockBooking } from '../../repositories/booking-search.js';
import {
  changeChoice,
  findIsClosed,
  keepBooking,
  listOpenQuestions,
} from '../../repositories/closed-days.js';
import { findSessionOfPerson, listOtherSessions } from '../../repositories/person-sessions.js';
import { lockSlots } from '../../repositories/slot-taking.js';
import { type CalendarRows, loadCalendar } from '../../repositories/studio.js';
import { alternatives, nextOfArtist } from '../../schedule/alternatives.js';
import {
  freeArtists,
  isInSlot,
  namedArtists,
  ofArtist,
  type SlotOfArtist,
} from '../../schedule/artists.js';
import { withoutTimes } from '../../schedule/busy-times.js';
import { type Calendar, scheduleState } from '../../schedule/calendar.js';
import { type Slot, slotKey, slotOf, isLive, statusAt } from '../../schedule/slots.js';
import { bookedSlot } from '../booking/booked-slot.js';
import { placeClosure } from './blocks.js';
import type { ListedBooking } from './booking-record.js';
import { findSlotForStudio, moveLocked } from './bookings.js';
import { cancelLocked } from './cancellation.js';

/** The decision about a booking on a day that the studio closes, as the caller saw the booking. */
export type Decision = ListedBooking &
  (
    | { choice: 'move'; to: SlotOfArtist & { artistName?: string | null } }
    | { choice: 'ask' | 'cancel' | 'keep' }
  );

export type Choice = Decision['choice'];

/** The reasons, within a sentence: `the time is taken`. */
export const refusalWords = {
  taken: 'the time is taken',
  elsewhere: 'the person has another session then',
  over: 'the time is over',
  no_such_slot: 'there is no such session',
  closed: 'the time is closed',
  changed: 'it has changed meanwhile',
  not_live: 'it is no longer booked',
  not_confirmed: 'it is only held',
  begun: 'it has begun',
  open: 'its day is not closed',
};

export type DecisionRefusal = keyof typeof refusalWords;

export interface Decided {
  decision: Decision;
  /** The present booking. */
  booking: BookingRow;
  /** `done`: also if it was decided so before: the same decisions, sent twice. */
  outcome: 'done' | DecisionRefusal;
}

/** The words for the people, and whose bookings may be decided; null: anybody's. */
interface DecisionOptions {
  word?: string | null;
  artistId?: number | null | undefined;
}

type DecisionServices = Pick<DatabaseServices, 'database' | 'config'>;

/** Carries out decisions in one transaction, each done or refused, each with at most one mail. */
export async function decide(
  { database, config }: DecisionServices,
  actor: string,
  decisions: readonly Decision[],
  options: DecisionOptions = {},
): Promise<Decided[]> {
  if (decisions.length === 0) return [];
  return database.transaction().execute(async (transaction) => {
    await lockSlots(transaction);
    return decideAll(transaction, config, actor, decisions, options);
  });
}

/** Like `decide`, in a transaction that has the lock of `lockSlots`. */
export async function decideAll(
  transaction: Transaction<Database>,
  config: DecisionServices['config'],
  actor: string,
  decisions: readonly Decision[],
  { word = null, artistId }: DecisionOptions,
): Promise<Decided[]> {
  if (decisions.length === 0) return [];
  const rows = await loadCalendar(transaction);
  const data = studioData(rows, config);
  const all: Decided[] = [];
  for (const decision of decisions) {
    const booking = await lockBooking(transaction, decision.id, artistId);
    if (booking === null) continue;
    const isClosed = await findIsClosed(transaction, booking.id);
    const done =
      refusalOf(booking, decision, rows.now, isClosed) ??
      (await carryOut(transaction, { rows, data, config, actor, word }, booking, decision));
    const isChanged = typeof done !== 'string';
    const as = isChanged ? { booking: done, outcome: 'done' as const } : { booking, outcome: done };
    all.push({ decision, ...as });
  }
  return all;
}

/** Why a decision is refused; null if it is not. `now`: in milliseconds since the epoch. */
function refusalOf(
  booking: BookingRow,
  decision: Decision,
  now: number,
  isClosed: boolean,
): 'done' | DecisionRefusal | null {
  if (isAsDecided(booking, decision)) return 'done';
  if (!isLive(statusAt(booking, now))) return 'not_live';
  if (booking.sequence !== decision.sequence) return 'changed';
  if (booking.starts_at.getTime() <= now) return 'begun';
  // The form's dates were changed after it showed the booking, or the day was opened again.
  if (!isClosed && booking.closed_day_choice !== 'asked') return 'open';
  // A hold is not mailed to anybody.
  return decision.choice === 'ask' && booking.status !== 'confirmed' ? 'not_confirmed' : null;
}

function isAsDecided(booking: BookingRow, decision: Decision): boolean {
  switch (decision.choice) {
    case 'cancel':
      return booking.status === 'cancelled';
    case 'move':
      return isLive(booking.status) && isInSlot(booking, decision.to);
    case 'ask':
      return booking.status === 'confirmed' && booking.closed_day_choice === 'asked';
    case 'keep':
      return isLive(booking.status) && booking.closed_day_choice === 'kept';
  }
}

interface Job {
  rows: CalendarRows;
  data: StudioData;
  config: DecisionServices['config'];
  actor: string;
  word: string | null;
}

/** The present booking, or why it was not changed. */
async function carryOut(
  transaction: Transaction<Database>,
  { rows, data, config, actor, word }: Job,
  booking: BookingRow,
  decision: Decision,
): Promise<BookingRow | DecisionRefusal> {
  const { id } = booking;
  switch (decision.choice) {
    case 'move': {
      const found = findSlotForStudio(rows, config, decision.to, data);
      if (found.outcome !== 'free') return found.outcome;
      const { artistId } = decision.to;
      const isHidden = data.artists.some((artist) => artist.id === artistId && artist.isHidden);
      // The slot was open when it was offered.
      if (isHidden || found.scheduleOf(artistId ?? null) !== 'open') return 'closed';
      const other = await findSessionOfPerson(transaction, booking, found.slot, id);
      if (other !== null) return 'elsewhere';
      const to = { ...found.slot, artistId };
      return (await moveLocked(transaction, actor, booking, to, word)) ?? 'taken';
    }
    case 'cancel':
      return (
        (await cancelLocked(transaction, actor, booking, { reason: word, word })) ?? 'not_live'
      );
    case 'ask':
    case 'keep': {
      const isQuiet = decision.choice === 'keep' && booking.closed_day_choice !== 'asked';
      const chosen = isQuiet
        ? await keepBooking(transaction, id)
        : await changeChoice(transaction, id, decision.choice === 'ask' ? 'asked' : 'kept', word);
      if (chosen === null) return 'begun';
      await recordAudit(transaction, actor, `bookings ${decision.choice}`, { booking_id: id });
      return chosen;
    }
  }
}

/**
 * Sessions to come on closed days, by their start: undecided ones, and those whose person is asked to
 * choose another time, even if the day is open again. `artistId`: only those of the artist.
 */
export async function readOpenQuestions(
  { database }: Pick<DatabaseServices, 'database'>,
  artistId: number | null = null,
) {
  const all = await listOpenQuestions(database);
  const rows = all.filter(({ artist_id }) => (artistId ?? artist_id) === artist_id);
  const isAsked = ({ closed_day_choice }: BookingRow) => closed_day_choice === 'asked';
  return { undecided: rows.filter((row) => !isAsked(row)), asked: rows.filter(isAsked) };
}

/** A closure that is not added yet. */
export type ClosureToAdd = Omit<NewClosure, 'reason'>;

/** A slot to which a booking can be moved, and an artist who is free. No name where the studio has one. */
export type Offer = Slot & { readonly artistId: number; readonly artistName: string | null } & {
  /** Whether it is the next time of the booking's own artist, beside offers with others. */
  readonly isOwn?: boolean;
};

/**
 * The free slots for each of the bookings, by id: the same time with another artist, then the nearest
 * other time; unless one of these is with the booking's own artist, also the next time of that artist. Each
 * slot is offered once, none at a time of the person's other session, and all same times before the nearest
 * ones, and these before the artists' own. `closure`: one that is not added yet.
 */
export async function nearestTimes(
  { database, config, clock }: DecisionServices & Pick<DatabaseServices, 'clock'>,
  bookings: readonly BookingRow[],
  closure?: ClosureToAdd,
): Promise<Map<string, Offer[]>> {
  const rows = await loadCalendar(database);
  const { closures } = rows;
  if (closure !== undefined) {
    const { fromDate: from_date, toDate: to_date, timeSlot: time_slot, artistId = null } = closure;
    const { interval } = placeClosure(rows.studio.timezone, closure);
    const block = { starts_at: interval?.startsAt ?? null, ends_at: interval?.endsAt ?? null };
    closures.push({ from_date, to_date, time_slot, artist_id: artistId, ...block });
  }
  const data = studioData(rows, config);
  const now = clock.now();
  const taken = takenSlots(liveBookings(rows), data);
  const nameOf = (wanted: number) =>
    namedArtists(data).find(({ id }) => id === wanted)?.name ?? null;
  const sessions = await listOtherSessions(
    database,
    bookings.map(({ id }) => id),
  );
  /** The calendar without the times at which the person has another session, or is offered one. */
  const calendarFor = (booking: BookingRow) =>
    withoutTimes(
      data,
      sessions.filter(({ id }) => id === booking.id),
    ).calendar;
  const offerIn = ({ id }: BookingRow, slot: Slot, [artist]: readonly { id: number }[]) => {
    if (artist === undefined) return [];
    const key = slotKey(slot);
    taken.set(key, [...(taken.get(key) ?? []), { artistId: artist.id, lapsesAt: null }]);
    const { startsAt, endsAt } = bookedSlot(data, slot, artist.id);
    const time = { startsAt: startsAt.getTime(), endsAt: endsAt.getTime() };
    const others = sessions.filter((session) => session.id === id);
    sessions.push(...others.map(({ otherId }) => ({ id: otherId, otherId: id, ...time })));
    const { date, timeSlot } = slot;
    return [{ date, timeSlot, artistId: artist.id, artistName: nameOf(artist.id) }];
  };
  /** Slots within the notice count, too: it binds people only. */
  const atSameTime = (calendar: Calendar, slot: Slot) =>
    calendar.artists.filter(
      ({ id, isHidden }) =>
        !isHidden &&
        scheduleState(ofArtist(calendar, id), slot) === 'open' &&
        !(taken.get(slotKey(slot)) ?? []).some(
          ({ artistId, lapsesAt }) => artistId === id && (lapsesAt ?? Infinity) > now,
        ),
    );
  const offers = new Map<string, Offer[]>();
  for (const booking of bookings) {
    const slot = slotOf(booking);
    offers.set(booking.id, offerIn(booking, slot, atSameTime(calendarFor(booking), slot)));
  }
  for (const booking of bookings) {
    const theirs = calendarFor(booking);
    const nearest = alternatives(theirs, taken, slotOf(booking), now, 1);
    const free = nearest.flatMap((slot) =>
      offerIn(booking, slot, freeArtists(theirs, taken, slot, now)),
    );
    offers.get(booking.id)?.push(...free);
  }
  for (const booking of namedArtists(data).length === 0 ? [] : bookings) {
    const theirs = offers.get(booking.id) ?? [];
    if (theirs.some(({ artistId }) => artistId === booking.artist_id)) continue;
    const next = nextOfArtist(calendarFor(booking), taken, booking, now);
    const own = next === null ? [] : offerIn(booking, next, [{ id: booking.artist_id }]);
    theirs.push(...own.map((offer) => ({ ...offer, isOwn: true })));
  }
  return offers;
}
