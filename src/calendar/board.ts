import type { Kysely } from 'kysely';
import type { Clock } from '../platform/clock.js';
import type { Listener } from '../database/listener.js';
import type { Database } from '../database/schema.js';
import type { Logger } from '../platform/log.js';
import { loadCalendar } from '../repositories/studio.js';
import { singleFlight } from '../platform/single-flight.js';
import {
  calendarState,
  holdsAt,
  liveBookings,
  studioFacts,
  withChange,
  type CalendarRules,
  type CalendarState,
  type ChangedBooking,
  type LiveBookings,
  type StudioFacts,
} from './calendar-state.js';

export type { CalendarState, ChangedBooking } from './calendar-state.js';

/**
 * The board: the studio's calendar in memory, a projection of the database that follows NOTIFY and
 * the clock. It can be late by milliseconds and is never the authority: the unique index is.
 */
export interface Board {
  /**
   * The current state: from memory, synchronously, while the board is fresh; otherwise from a query
   * that begins after the call, which may fail.
   */
  read(): CalendarState | Promise<CalendarState>;
  /** Whether notifications are received, so that `read` is synchronous. */
  isFresh(): boolean;
  /**
   * Applies a committed change of this process without a query, before its response is sent, so that
   * the caller's next read includes it.
   */
  apply(changed: ChangedBooking): void;
  /** Calls back with each new state. Returns the function that unsubscribes. */
  subscribe(changed: (state: CalendarState) => void): () => void;
  /** Reloads the board and corrects the clock, with a query that begins after the call. */
  refresh(): Promise<void>;
  close(): void;
}

export interface BoardOptions {
  database: Kysely<Database>;
  listener: Listener;
  clock: Clock;
  log: Logger;
  rules: CalendarRules;
}

/** A change that queries which began before it may not include. */
interface OwnChange {
  booking: ChangedBooking;
  /** The number of queries begun before it was applied. */
  afterQueries: number;
}

/** Between queries caused by notifications; the first is immediate. */
const minQueryIntervalMs = 50;
/** Corrects the clock, and picks up changes whose notification was lost. */
const maxQueryIntervalMs = 30_000;
/** Polls for subscribers while notifications are not received. */
const staleQueryIntervalMs = 1_000;

export function createBoard(options: BoardOptions): Board {
  const { database, listener, clock, log, rules } = options;
  const subscribers = new Set<(state: CalendarState) => void>();
  const ownChanges = new Map<string, OwnChange>();
  let facts: StudioFacts | null = null;
  let bookings: LiveBookings = new Map();
  let state: CalendarState | null = null;
  let isFresh = false;
  let isListening = false;
  let connections = 0;
  let queries = 0;
  let lastQueryAt = -Infinity;
  let reloadTimer: NodeJS.Timeout | undefined;
  let notifiedTimer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const query = singleFlight(async (): Promise<void> => {
    queries += 1;
    const number = queries;
    const connection = connections;
    lastQueryAt = performance.now();
    try {
      const sentAt = clock.own();
      const rows = await loadCalendar(database);
      clock.correct(rows.now, sentAt, clock.own());
      facts = studioFacts(rows, rules);
      bookings = liveBookings(rows);
      for (const [id, change] of ownChanges) {
        if (change.afterQueries < number) ownChanges.delete(id);
        else bookings = withChange(bookings, change.booking);
      }
      // Not if LISTEN began during the query: changes before it may be missing.
      isFresh = isListening && connection === connections;
      publish(facts);
    } catch (error) {
      isFresh = false;
      throw error;
    } finally {
      scheduleReload();
    }
  });

  function publish(known: StudioFacts): CalendarState {
    const previous = state;
    state = calendarState(known, bookings, clock.now(), previous);
    if (state !== previous) {
      bookings = state.taken;
      for (const changed of subscribers) changed(state);
    }
    return state;
  }

  function present(): CalendarState {
    if (state === null || facts === null) throw new Error('the board was read before its query');
    if (holdsAt(state, clock.now())) return state;
    const next = publish(facts);
    scheduleReload();
    return next;
  }

  function scheduleReload(): void {
    clearTimeout(reloadTimer);
    if (isClosed) return;
    const untilChange = state === null ? Infinity : state.validUntil - clock.now();
    const delayMs = isFresh
      ? Math.min(Math.max(untilChange, 0) + 1, maxQueryIntervalMs)
      : staleQueryIntervalMs;
    reloadTimer = setTimeout(queryInBackground, delayMs).unref();
  }

  function queryInBackground(): void {
    query().catch((error: unknown) => {
      if (!isClosed) log.warn({ err: error }, 'the board could not be read; it tries again');
    });
  }

  function notified(): void {
    if (notifiedTimer !== undefined) return;
    const waitMs = lastQueryAt + minQueryIntervalMs - performance.now();
    if (waitMs <= 0) {
      queryInBackground();
      return;
    }
    notifiedTimer = setTimeout(() => {
      notifiedTimer = undefined;
      queryInBackground();
    }, waitMs);
  }

  const unsubscribe = listener.subscribe('booking_events', {
    notified,
    connected() {
      isListening = true;
      connections += 1;
      queryInBackground();
    },
    lost() {
      isListening = false;
      isFresh = false;
      scheduleReload();
    },
  });

  return {
    read: () => (isFresh ? present() : query().then(present)),
    isFresh: () => isFresh,
    apply(booking) {
      const known = ownChanges.get(booking.id);
      if (known !== undefined && known.booking.sequence > booking.sequence) return;
      ownChanges.set(booking.id, { booking, afterQueries: queries });
      // Otherwise the rest of the state may be stale, and the next query includes the change.
      if (!isFresh || facts === null) return;
      bookings = withChange(bookings, booking);
      publish(facts);
      scheduleReload();
    },
    subscribe(changed) {
      subscribers.add(changed);
      return () => void subscribers.delete(changed);
    },
    refresh: query,
    close() {
      isClosed = true;
      unsubscribe();
      clearTimeout(reloadTimer);
      clearTimeout(notifiedTimer);
    },
  };
}
