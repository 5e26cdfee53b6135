import { sql } from 'kysely';
import type { Context } from '../../src/context.js';
import { lockMails } from '../../src/repositories/mail-dispatch.js';
import { shiftDatabaseClock } from './clock.js';

/**
 * Deletes what earlier tests of a file have left, and sets the database's clock right: so that tests
 * that count everything or shift the clock share a service. The studio as it is now and its week stay.
 * `neighbours`: other processes on the database, whose boards are to show it too.
 */
export async function startOver(context: Context, ...neighbours: Context[]): Promise<void> {
  const { database } = context;
  await shiftDatabaseClock(database, 0);
  await database.transaction().execute(async (transaction) => {
    // A dispatcher that has just listed the events would insert mails of ones that are gone.
    await lockMails(transaction);
    await sql`
      delete from events;
      delete from bookings;
      delete from closures;
      delete from openings;
      delete from watched_calendars;
      delete from calendar_feeds;
      delete from studio_addresses;
      update studio set address_from = null;
      delete from audit_log`.execute(transaction);
  });
  for (const { board } of [context, ...neighbours]) await board.refresh();
}
