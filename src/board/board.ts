import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Listener } from '../database/listener.js';
import type { Database } from '../database/rows/schema.js';
import type { Clock } from '../platform/clock.js';
import { singleFlight } from '../platform/concurrency.js';
import type { Logger } from '../platform/log.js';
import { loadCalendar } from '../repositories/studio.js';
import {
  type CalendarRules,
  calendarState,
  type CalendarState,
  type ChangedBooking,
  isValidAt,
  liveBookings,
  type LiveBookings,
  studioData,
  type StudioData,
  withChange,
} from './calendar-state.js';

export type { CalendarState, ChangedBooking } from './calendar-state.js';

/**
 * The board: an in-memory projection of the studio's calendar, updated by NOTIFY and by the clock.
 * It may lag by milliseconds; conflicts are decided by the unique index in the database.
 */
export interface Board {
  /**
   * Returns the current state: synchronously from memory while the board is fresh, otherwise from a
   * query that starts after the call and may fail. Throws before the first `refresh`.
   */
  read(): CalendarState | Promise<CalendarState>;
  /** Whether notifications are received, so that `read` is synchronous. */
  isFresh(): boolean;
  /**
   * Applies a committed change of this process without a query, before its response is sent, so that
   * the caller's next read includes it.
   */
  applyLocalChange(changed: ChangedBooking): void;
  /** Calls `changed` with each new state. Returns a function that unsubscribes. */
  subscribe(changed: (state: CalendarState) => void): () => void;
  /**
   * Reloads the board and corrects the clock, with a query that starts after the call. The start calls it
   * first, once the tables and the studio are there: no query runs before.
   */
  refresh(): Promise<void>;
  close(): void;
}

/** A change made by this process. A query that started before it may not include it. */
interface LocalChange {
  booking: ChangedBooking;
  /** Number of queries started before the change was applied. */
  queriesBefore: number;
}

/** Minimum time between queries triggered by notifications. */
const minQueryIntervalMs = 50;
/** Maximum time between queries: corrects the clock and finds changes without a notification. */
const maxQueryIntervalMs = 30_000;
/** Polling interval while notifications are not received. */
const staleQueryIntervalMs = 1_000;

export function createBoard({
  database,
  listener,
  clock,
  log,
  rules,
}: {
  database: Kysely<Database>;
  listener: Listener;
  clock: Clock;
  log: Logger;
  rules: CalendarRules;
}): Board {
  const subscribers = new Set<(state: CalendarState) => void>();
  const localChanges = new Map<string, LocalChange>();
  let facts: StudioData | null = null;
  let bookings: LiveBookings = new Map();
  let state: CalendarState | null = null;
  let isStarted = false;
  let isFresh = false;
  let isListening = false;
  let connectionCount = 0;
  let queryCount = 0;
  let lastQueryAt = -Infinity;
  let reloadTimer: NodeJS.Timeout | undefined;
  let notificationTimer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const query = singleFlight(async (): Promise<void> => {
    queryCount += 1;
    const number = queryCount;
    const connection = connectionCount;
    lastQueryAt = performance.now();
    try {
      const sentAt = clock.own();
      const rows = await loadCalendar(database);
      clock.correct(rows.now, sentAt, clock.own());
      facts = studioData(rows, rules, facts);
      bookings = liveBookings(rows);
      for (const [id, change] of localChanges) {
        if (change.queriesBefore < number) localChanges.delete(id);
        else bookings = withChange(bookings, change.booking);
      }
      // If LISTEN started during the query, changes in between may be missing.
      isFresh = isListening && connection === connectionCount;
      publish(facts);
    } catch (error) {
      isFresh = false;
      throw error;
    } finally {
      scheduleReload();
    }
  });

  function publish(studio: StudioData): CalendarState {
    const previous = state;
    state = calendarState(studio, bookings, clock.now(), previous);
    if (state !== previous) {
      ({ bookings } = state);
      for (const changed of subscribers) changed(state);
    }
    return state;
  }

  function currentState(): CalendarState {
    if (state === null || facts === null) throw new Error('the board has no state');
    if (isValidAt(state, clock.now())) return state;
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
      if (!isClosed) log.warn({ err: error }, 'the board could not be read; retrying');
    });
  }

  function onNotification(): void {
    if (notificationTimer !== undefined) return;
    const waitMs = lastQueryAt + minQueryIntervalMs - performance.now();
    if (waitMs <= 0) {
      queryInBackground();
      return;
    }
    notificationTimer = setTimeout(() => {
      notificationTimer = undefined;
      queryInBackground();
    }, waitMs);
  }

  const unsubscribe = listener.subscribe('booking_events', {
    notified: onNotification,
    connected() {
      isListening = true;
      connectionCount += 1;
      if (isStarted) queryInBackground();
    },
    lost() {
      isListening = false;
      isFresh = false;
      scheduleReload();
    },
  });

  return {
    read() {
      if (!isStarted) throw new Error('the board was read before the start has loaded it');
      return isFresh ? currentState() : query().then(currentState);
    },
    isFresh: () => isFresh,
    applyLocalChange(booking) {
      const previous = localChanges.get(booking.id);
      if (previous !== undefined && previous.booking.sequence > booking.sequence) return;
      localChanges.set(booking.id, { booking, queriesBefore: queryCount });
      // A stale board is not updated: the next query includes the change.
      if (!isFresh || facts === null) return;
      bookings = withChange(bookings, booking);
      publish(facts);
      scheduleReload();
    },
    subscribe(changed) {
      subscribers.add(changed);
      return () => void subscribers.delete(changed);
    },
    refresh() {
      isStarted = true;
      return query();
    },
    close() {
      isClosed = true;
      unsubscribe();
      clearTimeout(reloadTimer);
      clearTimeout(notificationTimer);
    },
  };
}

/**
 * Caches results computed from the board until its state changes, at most `maxKept`. The returned
 * function looks a result up by key or computes it; it is synchronous while the board is fresh.
 */
export function createBoardCache<Answer extends object>(
  board: Board,
  maxKept: number,
): (key: string, compute: (state: CalendarState) => Answer) => Answer | Promise<Answer> {
  const kept = new LRUCache<string, Answer>({ max: maxKept });
  let version: number | null = null;

  return (key, compute) => {
    const answer = (state: CalendarState): Answer => {
      if (state.version !== version) kept.clear();
      ({ version } = state);
      const known = kept.get(key);
      if (known !== undefined) return known;
      const computed = compute(state);
      kept.set(key, computed);
      return computed;
    };
    const state = board.read();
    return state instanceof Promise ? state.then(answer) : answer(state);
  };
}
