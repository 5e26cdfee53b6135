import { sql } from 'kysely';
import type { Context } from '../../src/context.js';
import { shiftDatabaseClock } from './clock.js';

/**
 * Deletes what earlier tests of a file have left, and sets the database's clock right: so that tests
 * that count everything or shift the clock share a service. The studio as it is now and its week stay.
 * There is one artist, without a name. `neighbours`: other processes on the database, whose boards are to show it too.
 */
export async function startOver(context: Context, ...neighbours: Context[]): Promise<void> {
  const { database } = context;
  await shiftDatabaseClock(database, 0);
  await database.transaction().execute((transaction) =>
    sql`
      delete from events;
      delete from bookings;
      delete from closures;
      delete from openings;
      delete from watched_calendars;
      delete from calendar_feeds;
      delete from artist_sessions;
      delete from artists where id <> 1;
      update artists set slug = 'artist', name = '', about = '', email = null, position = 1,
        hidden_at = null, has_own_week = false;
      create unique index if not exists bookings_one_live_per_slot on bookings (date, time_slot)
        where status in ('pending', 'confirmed');
      delete from studio_addresses;
      update studio set address_from = null;
      delete from audit_log`.execute(transaction),
  );
  for (const { board } of [context, ...neighbours]) await board.refresh();
}
