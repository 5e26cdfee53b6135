import { sql } from 'kysely';
import type { Context } from '../../src/context.js';
import { shiftDatabaseClock } from './clock.js';

/**
 * Deletes what earlier tests of a file have left, and sets the database's clock right: so that tests
 * that count everything or shift the clock share a service. The studio and its week stay.
 */
export async function startOver({ database, board }: Context): Promise<void> {
  await shiftDatabaseClock(database, 0);
  await database.transaction().execute((transaction) =>
    sql`
      delete from events;
      delete from bookings;
      delete from closures;
      delete from watched_calendars;
      delete from calendar_feeds;
      delete from audit_log`.execute(transaction),
  );
  await board.refresh();
}
