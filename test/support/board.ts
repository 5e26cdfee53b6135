import { sql } from 'kysely';
import type { CalendarState } from '../../src/board/board.js';
import { calendarState, liveBookings, studioData } from '../../src/board/calendar-state.js';
import type { Context } from '../../src/context.js';
import { loadCalendar } from '../../src/repositories/studio.js';
import type { Occupant } from '../../src/schedule/calendar.js';
import { referencePicture } from '../schedule/calendar-reference.js';
import { watchStatements } from './database.js';

/** The state by a query made now, not by the board. */
export async function queriedState(context: Context): Promise<CalendarState> {
  const rows = await loadCalendar(context.database);
  const facts = studioData(rows, context.config);
  return calendarState(facts, liveBookings(rows), context.clock.now(), null);
}

/** All that a state shows at an instant (ms since the epoch), as text. */
export function pictureOf(state: CalendarState, now: number): string {
  const { studio, openingHours, calendar, taken } = state;
  const holders = [...taken]
    .flatMap(([key, occupants]) => occupants.map((each): [string, Occupant] => [key, each]))
    .sort(([one, { artistId }], [other, each]) =>
      one === other ? artistId - each.artistId : one < other ? -1 : 1,
    );
  return JSON.stringify([
    studio,
    openingHours,
    holders.filter(([, { lapsesAt }]) => lapsesAt === null || lapsesAt > now),
    referencePicture(calendar, taken, now),
  ]);
}

/** Resolves once the state of the board matches. */
export async function untilBoard(
  { board }: Context,
  isWanted: (state: CalendarState) => boolean,
): Promise<void> {
  if (isWanted(await board.read())) return;
  await new Promise<void>((resolve) => {
    const unsubscribe = board.subscribe((state) => {
      if (!isWanted(state)) return;
      unsubscribe();
      resolve();
    });
  });
}

/** Counts the queries of the context's pool from now on; the board makes its own at any time. */
export function countQueries({ pool }: Context): { board: number; others: number } {
  const count = { board: 0, others: 0 };
  watchStatements(pool, ({ text }) => {
    count[text.includes("'weekDays'") ? 'board' : 'others'] += 1;
  });
  return count;
}

/**
 * Promises for the next loss of the listening connection, and for its return; resolves once the
 * listener reports both.
 */
export async function watchListener({ listener }: Context) {
  let connections = 0;
  let reportLoss: () => void;
  let reportReturn: () => void;
  const lost = new Promise<void>((resolve) => (reportLoss = resolve));
  const restored = new Promise<void>((resolve) => (reportReturn = resolve));
  await new Promise<void>((subscribed) => {
    listener.subscribe('booking_events', {
      notified: () => undefined,
      connected() {
        connections += 1;
        if (connections === 1) subscribed();
        else reportReturn();
      },
      lost: () => reportLoss(),
    });
  });
  return { lost, restored };
}

/** Ends all listening connections to the context's database. */
export async function cutListeners(context: Context): Promise<void> {
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name like '%listener'`.execute(
    context.database,
  );
}
