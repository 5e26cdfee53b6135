import { randomBytes } from 'node:crypto';
import { sql, type Insertable } from 'kysely';
import type { Context } from '../../src/context.js';
import type { CalendarError, CalendarTables } from '../../src/database/rows/calendars.js';
import type { BusyInterval } from '../../src/schedule/busy-times.js';
import { now } from './mail-rows.js';
import { answer, type Behaviour } from './receiver.js';

type Database = Pick<Context, 'database'>;

/** A watched calendar that was read a moment ago, and that nobody fetches. */
export async function insertCalendar(
  context: Database,
  changes: Partial<Insertable<CalendarTables['watched_calendars']>> = {},
): Promise<string> {
  const at = await now(context);
  const { id } = await context.database
    .insertInto('watched_calendars')
    .values({
      label: 'Phone',
      host: 'calendar.example',
      address_sealed: randomBytes(16),
      address_hash: randomBytes(16),
      created_at: at,
      read_at: at,
      next_fetch_at: await now(context, 365 * 86_400),
      ...changes,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Replaces when a calendar is busy. */
export async function setBusy(
  { database }: Database,
  calendarId: string,
  ...intervals: [from: number, to: number][]
): Promise<void> {
  await database.deleteFrom('busy_intervals').where('calendar_id', '=', calendarId).execute();
  for (const [from, to] of intervals) {
    await database
      .insertInto('busy_intervals')
      .values({ calendar_id: calendarId, starts_at: new Date(from), ends_at: new Date(to) })
      .execute();
  }
}

/** As a fetch that fails, two hours after the first one that did: the studio is notified. */
export async function failCalendar(
  context: Database,
  id: string,
  {
    error = 'status',
    statusCode = 404,
  }: { error?: CalendarError; statusCode?: number | null } = {},
): Promise<void> {
  await context.database
    .updateTable('watched_calendars')
    .set({
      failing_since: await now(context, -7_200),
      last_error: error,
      last_status_code: statusCode,
      failure_told_at: await now(context),
    })
    .where('id', '=', id)
    .execute();
  await sql`
    insert into events (type, occurred_at, data)
    values ('calendar.failing', booking_now(), ${JSON.stringify({ calendar_id: id })})`.execute(
    context.database,
  );
}

/** As a successful fetch. */
export async function readAgain({ database }: Database, id: string): Promise<void> {
  await database
    .updateTable('watched_calendars')
    .set({
      read_at: sql<Date>`booking_now()`,
      failing_since: null,
      last_error: null,
      last_status_code: null,
      failure_told_at: null,
    })
    .where('id', '=', id)
    .execute();
}

/** The response of a server whose calendar is busy at these times. */
export function servesCalendar(...events: BusyInterval[]): Behaviour {
  const text = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//test//EN',
    ...events.flatMap(({ startsAt, endsAt }, index) => [
      'BEGIN:VEVENT',
      `UID:event-${index}@elsewhere.example`,
      `DTSTAMP:${utc(startsAt)}`,
      `DTSTART:${utc(startsAt)}`,
      `DTEND:${utc(endsAt)}`,
      'SUMMARY:What the event says',
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
    '',
  ].join('\r\n');
  return answer(200, { 'content-type': 'text/calendar' }, text);
}

/** `20271231T170000Z` (RFC 5545, 3.3.5). */
function utc(atMs: number): string {
  return new Date(atMs).toISOString().replaceAll(/[-:]|\.\d+/g, '');
}
