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
 * The calendar in memory: a projection of the database that follows its notifications and its
 * clock. It can be late by milliseconds and is never the authority.
 */
export interface Board {
  /**
   * The state at this instant: from memory while notifications arrive, so at once and without a
   * query; otherwise from a query that begins after the call, which may fail.
   */
  read(): CalendarState | Promise<CalendarState>;
  /** Whether notifications arrive, so that `read` answers at once. */
  isFresh(): boolean;
  /**
   * Shows a change of this process's own, after its commit and before its answer leaves, so that
   * whoever made it sees it. The database is not asked.
   */
  apply(changed: ChangedBooking): void;
  /** Called with each new state. Returns the function that ends it. */
  subscribe(changed: (state: CalendarState) => void): () => void;
  /** Resolves when the board shows what the database showed after the call, its clock included. */
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

/** A change that a query begun earlier may not show. */
interface OwnChange {
  booking: ChangedBooking;
  /** How many queries had begun when it was applied. */
  afterQueries: number;
}

/** A crowd of notifications costs one query per so many milliseconds, the first one at once. */
const queryPauseMs = 50;
/** Also measures the clock again, and finds what no notification told. */
const longestUnqueriedMs = 30_000;
/** While notifications do not arrive, whoever follows the board is kept right by asking. */
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
  let alarm: NodeJS.Timeout | undefined;
  let notifiedQuery: NodeJS.Timeout | undefined;
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
      // What was committed before the channel was listened to may have been missed.
      isFresh = isListening && connection === connections;
      publish(facts);
    } catch (error) {
      isFresh = false;
      throw error;
    } finally {
      setAlarm();
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
    setAlarm();
    return next;
  }

  function setAlarm(): void {
    clearTimeout(alarm);
    if (isClosed) return;
    const untilChange = state === null ? Infinity : state.validUntil - clock.now();
    const delayMs = isFresh
      ? Math.min(Math.max(untilChange, 0) + 1, longestUnqueriedMs)
      : staleQueryIntervalMs;
    alarm = setTimeout(queryInBackground, delayMs).unref();
  }

  function queryInBackground(): void {
    query().catch((error: unknown) => {
      if (!isClosed) log.warn({ err: error }, 'the board could not be read; it tries again');
    });
  }

  function notified(): void {
    if (notifiedQuery !== undefined) return;
    const waitMs = lastQueryAt + queryPauseMs - performance.now();
    if (waitMs <= 0) {
      queryInBackground();
      return;
    }
    notifiedQuery = setTimeout(() => {
      notifiedQuery = undefined;
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
      setAlarm();
    },
  });

  return {
    read: () => (isFresh ? present() : query().then(present)),
    isFresh: () => isFresh,
    apply(booking) {
      const known = ownChanges.get(booking.id);
      if (known !== undefined && known.booking.sequence > booking.sequence) return;
      ownChanges.set(booking.id, { booking, afterQueries: queries });
      // Without notifications the rest of the memory may be wrong: the next query tells it all.
      if (!isFresh || facts === null) return;
      bookings = withChange(bookings, booking);
      publish(facts);
      setAlarm();
    },
    subscribe(changed) {
      subscribers.add(changed);
      return () => void subscribers.delete(changed);
    },
    refresh: query,
    close() {
      isClosed = true;
      unsubscribe();
      clearTimeout(alarm);
      clearTimeout(notifiedQuery);
    },
  };
}
