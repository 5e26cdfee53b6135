import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { createApiKey } from '../../src/access/api-keys.js';
import type { Context } from '../../src/context.js';
import type { CalendarError } from '../../src/database/rows/calendars.js';
import type { Service } from '../../src/service.js';
import { bookingRow } from './bookings.js';
import { failCalendar, insertCalendar, setBusy } from './busy-calendars.js';
import { sessionForPerson, hold } from './holds.js';
import { insertMail } from './mail-rows.js';
import type { Receiver } from './receiver.js';
import { callerNumber, someOpenSlots } from './requests.js';
import type { TestService } from './service.js';

/** Inserts the rows that every command works on. */
export async function makeThings({ context, app }: Service, receiver: Receiver) {
  const subscribed = await app!.inject({
    method: 'POST',
    url: '/api/public/webhooks',
    payload: { url: receiver.origin, events: ['hold.created'] },
  });
  const { data } = subscribed.json<{ data: { id: string } }>();
  await createApiKey(context, callerNumber(1), { email: 'ada@keys.example' });
  /** A slot and the id of the booking that has it. */
  const book = async (email: string) => {
    const { id, slot } = await sessionForPerson({ context }, { email });
    return { id, ...slot };
  };
  const bookings = {
    toCancel: await book('ada@example.com'),
    toForget: await book('forget@example.com'),
    toMeet: await book('grace@example.com'),
    /** A watched calendar is busy when it begins. */
    toOverlap: await book('edith@example.com'),
    /** A session that has begun. */
    toMiss: await book('mary@example.com'),
  };
  await context.database
    .updateTable('bookings')
    .set({
      starts_at: new Date(context.clock.now() - 60_000),
      ends_at: new Date(context.clock.now() + 60_000),
      may_overlap: true,
    })
    .where('id', '=', bookings.toMiss.id)
    .execute();
  await insertMail(context, bookings.toMeet.id);
  const { starts_at: busyAt } = await bookingRow(context, bookings.toOverlap.id);
  const calendarId = await insertCalendar(context, { label: 'Ada' });
  await setBusy(context, calendarId, [busyAt.getTime(), busyAt.getTime() + 60_000]);
  return {
    ...bookings,
    subscriptionId: data.id,
    passkeyId: await insertPasskey(context, { name: 'Ada' }),
    sessionId: await insertSession(context, { name: 'Ada' }),
  };
}

export type Things = Awaited<ReturnType<typeof makeThings>>;

/** Sets the window's title, clears the screen, rings, uses both forms of CSI, reverses the text. */
export const hostile =
  '\u001b]0;owned\u0007\u001b[2J\u0008\u007f\u0085\u009b31m\u202e\u2066\u200f\u2028\t\r\nFORGED';

/** Puts hostile text into every text column that no constraint restricts. Resolves with ids. */
export async function insertHostileRows({ context }: TestService) {
  const { database } = context;
  const slots = await someOpenSlots(context, 5);
  const bookings: string[] = [];
  for (const slot of slots) {
    bookings.push((await hold(context, slot.date, slot.timeSlot)).booking.id);
  }
  await createApiKey(context, callerNumber(1), { email: 'ada@keys.example', label: 'x' });
  const evil = JSON.stringify({ [hostile]: hostile, label: hostile, change: hostile });
  await sql`update bookings set name = ${hostile}, email = 'ada@example.com' || ${hostile},
    pronouns = ${hostile}, idea = ${hostile}, label = ${hostile}`.execute(database);
  await sql`update studio set name = ${hostile}, description = ${hostile}, street = ${hostile},
    city = ${hostile}, region = ${hostile}, postal_code = ${hostile}, country = ${hostile},
    email = ${hostile}, phone = ${hostile}, website = ${hostile},
    notices = ${JSON.stringify([{ title: hostile, text: hostile }])}`.execute(database);
  await sql`update api_keys set label = ${hostile}, email = email || ${hostile}`.execute(database);
  await sql`insert into events (type, occurred_at, data)
    values (${hostile}, booking_now(), ${evil})`.execute(database);
  const subscribed = await sql<{ id: string }>`
    insert into webhook_subscriptions
      (url, target_host, events, signing_secret_sealed, manage_token_hash, caller_hash, created_at)
    values ('https://hook.example/' || ${hostile}, 'hook.example', '{hold.created}', '', '', '',
      booking_now())
    returning id`.execute(database);
  const subscription = subscribed.rows[0]!.id;
  await sql`insert into webhook_deliveries
      (event_id, subscription_id, status, attempts, last_attempt_at, last_error)
    select id, ${subscription}, 'failed', 1, booking_now(), ${hostile} from events`.execute(
    database,
  );
  await sql`insert into audit_log (occurred_at, actor, action, details)
    values (booking_now(), ${hostile}, ${hostile}, ${evil})`.execute(database);
  const { rows } = await sql<{ id: string }>`
    insert into closures (from_date, to_date, reason)
    values ('2030-01-01', '2030-01-02', ${hostile}) returning id`.execute(database);
  await context.board.refresh();
  const mail = await insertMail(context, bookings[0]!, { last_error: hostile });
  // Busy during the next sessions, of which the last two are confirmed.
  const calendarId = await insertCalendar(context, { label: hostile, host: hostile });
  const at = context.clock.now();
  await setBusy(context, calendarId, [at, at + 30 * 86_400_000]);
  await sql`update bookings set status = 'confirmed', confirmed_at = booking_now()
    where id in (${bookings[3]!}, ${bookings[4]!})`.execute(database);
  await failCalendar(context, calendarId, { error: hostile as CalendarError });
  const { id: eventId } = await database
    .selectFrom('events')
    .select('id')
    .where('type', '=', 'calendar.failing')
    .executeTakeFirstOrThrow();
  const about = { booking_id: null, calendar_id: calendarId, kind: 'calendar_failure' } as const;
  const calendarMail = await insertMail(context, bookings[0]!, {
    ...{ ...about, event_id: eventId, recipient: 'studio' },
  });
  const passkey = await insertPasskey(context, { name: hostile });
  const feed = await sql<{ id: string }>`
    insert into calendar_feeds (token_hash, label, has_details, created_at)
    values ('', ${hostile}, true, booking_now()) returning id`.execute(database);
  const calendar = await sql<{ id: string }>`
    insert into watched_calendars (label, host, address_sealed, address_hash, created_at,
      failing_since, last_error, next_fetch_at)
    values (${hostile}, ${hostile}, '', '', booking_now(), booking_now() - interval '1 day',
      'secret_lost', booking_now() - interval '1 day')
    returning id`.execute(database);
  return {
    bookings,
    slot: slots[2]!,
    subscription,
    closure: rows[0]!.id,
    mail: mail.id,
    calendarMail: calendarMail.id,
    session: await insertSession(context, { name: hostile }),
    passkey,
    feed: feed.rows[0]!.id,
    calendar: calendar.rows[0]!.id,
  };
}

/** A passkey that no device has. Resolves with its id. */
async function insertPasskey(
  { database }: Pick<Context, 'database'>,
  { name }: { name: string },
): Promise<string> {
  const { id } = await database
    .insertInto('passkeys')
    .values({
      credential_id: randomBytes(16).toString('base64url'),
      public_key: randomBytes(32),
      counter: 0,
      transports: ['internal'],
      name,
      created_at: sql<Date>`booking_now()`,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** A session of the console whose cookie no browser has. Resolves with its id. */
async function insertSession(
  { database }: Pick<Context, 'database'>,
  { name }: { name: string },
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into console_sessions (session_hash, name, signed_in_at, last_seen_at)
    values ('', ${name}, booking_now(), booking_now()) returning id`.execute(database);
  return rows[0]!.id;
}
