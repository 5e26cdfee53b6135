import { sql, type Kysely } from 'kysely';
import type { Test } from 'tap';
import type { HoldRequest } from '../../generated/schemas.js';
import type { Context } from '../../src/context.js';
import type { MailRow } from '../../src/database/rows/mails.js';
import type { Database } from '../../src/database/rows/schema.js';
import { until } from './embedded.js';
import { sessionForPerson } from './holds.js';
import { someOpenSlots } from './requests.js';
import type { ReceivedMail } from './smtp.js';

const studioAddress = 'hello@nightheron.example';

/** Where one of these is, something says whom mail goes to. */
const personalWords = /quirina|blau|personal\.example|\b5557654\d{3}\b|hello@nightheron/i;

/** A different person for each number, by words that occur nowhere else. */
export function mailedPerson(index: number): Pick<HoldRequest, 'name' | 'email' | 'phone'> {
  return {
    name: `Quirina Blau ${index}`,
    email: `quirina${index}@personal.example`,
    phone: `5557654${String(index).padStart(3, '0')}`,
  };
}

/** Different persons hold and confirm sessions, all at once. */
export async function confirmSessions(context: Context, count: number): Promise<void> {
  const { rows } = await sql`select from bookings`.execute(context.database);
  const slots = await someOpenSlots(context, count);
  await Promise.all(
    slots.map((slot, index) =>
      sessionForPerson({ context }, mailedPerson(rows.length + index), slot),
    ),
  );
}

/** All mails but reminders, in their order. */
export function dueMails(database: Kysely<Database>): Promise<MailRow[]> {
  return database
    .selectFrom('mails')
    .selectAll()
    .where('kind', '<>', 'reminder')
    .orderBy('position')
    .execute();
}

/** Resolves when the mails of all events are made, and none but reminders is pending. */
export async function untilMailed(database: Kysely<Database>): Promise<void> {
  await until(async () => {
    const { rows } = await sql<{ left: string }>`
      select (select count(*) from events_to_mail) + (
        select count(*) from mails where status = 'pending' and kind <> 'reminder'
      ) as left`.execute(database);
    return Number(rows[0]?.left) === 0;
  });
}

/** The mail's row, by its Message-ID. */
export function mailIdOf({ raw }: ReceivedMail): string {
  const [, id = ''] = /^Message-ID: <([^@>]+)@nightheron\.example>\r$/im.exec(raw.toString()) ?? [];
  return id;
}

/**
 * The mails that the server has received whole and the database does not know as sent: after a crash
 * these may arrive once more.
 */
export async function unrecordedMails(
  database: Kysely<Database>,
  received: readonly ReceivedMail[],
): Promise<string[]> {
  const rows = await dueMails(database);
  const sent = new Set(rows.filter(({ status }) => status === 'sent').map(({ id }) => id));
  return received.map(mailIdOf).filter((id) => !sent.has(id));
}

/**
 * Compares the confirmed bookings, the rows of their mails and what the server has received: each
 * mail was sent, to whom it should be, once, or again only where that is allowed, as the same mail.
 * Returns how many were received again.
 */
export async function auditMails(
  t: Test,
  {
    database,
    received,
    texts,
    repeatable = [],
  }: {
    database: Kysely<Database>;
    received: readonly ReceivedMail[];
    /** The mails that may arrive once more, by id, once for each time that they are listed. */
    repeatable?: readonly string[];
    /** Logs and metrics, in which nobody may be named. */
    texts: readonly string[];
  },
): Promise<number> {
  const confirmed = await database
    .selectFrom('events')
    .innerJoin('bookings', 'bookings.id', 'events.booking_id')
    .select(['bookings.id', 'email'])
    .where('type', '=', 'booking.confirmed')
    .execute();
  const rows = await dueMails(database);
  t.strictSame(
    rows.map(({ booking_id, recipient }) => `${booking_id} ${recipient}`).sort(),
    confirmed.flatMap(({ id }) => [`${id} person`, `${id} studio`]).sort(),
    'each confirmation makes a mail to the person and one to the studio',
  );
  t.strictSame(
    rows.filter(({ status }) => status !== 'sent'),
    [],
    'all are sent',
  );

  const addresses = new Map(confirmed.map(({ id, email }) => [id, email]));
  const faults: string[] = [];
  let repeats = 0;
  for (const { id, booking_id, recipient } of rows) {
    const copies = received.filter((mail) => mailIdOf(mail) === id);
    const address = recipient === 'studio' ? studioAddress : addresses.get(booking_id ?? '');
    if (copies.some(({ to }) => to.length !== 1 || to[0] !== address)) {
      faults.push(`${id} went to ${copies.flatMap(({ to }) => to).join(', ')}`);
    }
    const allowed = 1 + repeatable.filter((each) => each === id).length;
    if (copies.length === 0 || copies.length > allowed) {
      faults.push(`${id} arrived ${copies.length} times, of 1 to ${allowed}`);
    }
    if (new Set(copies.map(contentOf)).size > 1) faults.push(`${id} arrived in two versions`);
    repeats += copies.length - 1;
  }
  t.strictSame(faults, []);
  t.equal(received.length, rows.length + repeats, 'nothing else has arrived');
  auditPrivacy(t, rows, texts);
  return repeats;
}

/** Neither rows nor logs nor metrics name anybody. */
export function auditPrivacy(t: Test, rows: readonly MailRow[], texts: readonly string[]): void {
  const lines = [JSON.stringify(rows), ...texts.flatMap((text) => text.split('\n'))];
  t.strictSame(
    lines.filter((line) => personalWords.test(line)),
    [],
    'neither rows nor logs nor metrics name anybody',
  );
}

/** The bytes of a mail, without the random boundaries between its parts. */
function contentOf({ raw }: ReceivedMail): string {
  return raw.toString('latin1').replace(/--_NmP-[0-9a-f]+-/g, '--_NmP-');
}
