import type { Kysely } from 'kysely';
import { access } from './access.js';
import { artists } from './artists.js';
import { bookings, bookingsOfPersons, bookingTriggers } from './bookings.js';
import { calendars } from './calendars.js';
import { closures } from './closures.js';
import { studioConsole } from './console.js';
import { events } from './events.js';
import { installation } from './installation.js';
import { mails } from './mails.js';
import { studio } from './studio.js';
import { webhooks } from './webhooks.js';

/**
 * The schema of 2.9.2. It is never changed, since a database of 2.9.2 is adopted as it is: what later
 * versions change are migrations after it.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  const parts = [
    ...[installation, studio, artists, closures],
    ...[bookings, bookingsOfPersons, bookingTriggers],
    ...[events, calendars, mails, access, webhooks, studioConsole],
  ];
  for (const part of parts) await part.execute(database);
}
