import { sql, type Kysely, type Transaction } from 'kysely';
import { type CopiedRow, copyRow, inventoriedColumns } from '../database/data-inventory.js';
import { findEntry, finder } from '../database/rows.js';
import type { AuditRow, BookingRow, Database, EventRow } from '../database/schema.js';
import { listApiKeys } from './api-keys.js';
import { listAuditRowsOfBooking } from './audit.js';
import { isSelected, type BookingSelector } from './booking-search.js';
import { listFeeds } from './calendar-feeds.js';
import { listConflictsOfBooking } from './conflicts.js';
import { listEventsOfBooking } from './events.js';
import { listMailsOfBooking } from './mail-admin.js';
import { listDeliveriesOfBooking } from './webhook-deliveries.js';

/**
 * The personal data of a booking, including hashes of it, and that of its caller. Id, slot and
 * instants remain.
 */
const erased = sql.join(
  inventoriedColumns('bookings')
    .filter(([, { isErased }]) => isErased)
    .map(([name]) => sql`${sql.ref(name)} = null`),
  sql`,
  `,
);

/** The studio's words to and about the person, which processes of versions before do not all erase. */
const hasWords = sql`(
  cancellation_reason is not null or studio_word is not null or studio_note is not null)`;

export interface Retention {
  /** After a hold expired or a booking was cancelled. */
  unconfirmedDays: number;
  /** After the session of a confirmed booking began. */
  confirmedDays: number;
}

const batchSize = 1_000;

/**
 * Erases up to 1,000 bookings past their retention; locked rows are skipped. Returns their number. A
 * process of a version before erases everything but the studio's words, which are then due at once.
 */
export async function eraseDuePersonalData(
  transaction: Transaction<Database>,
  { unconfirmedDays, confirmedDays }: Retention,
) {
  const { rows } = await sql`
    with due as materialized (
      select id from bookings
      where (name is null and ${hasWords}) or (name is not null and (
        (status in ('expired', 'cancelled') and coalesce(expired_at, cancelled_at)
          <= booking_now() - make_interval(days => ${unconfirmedDays}))
        or (status = 'confirmed'
          and starts_at <= booking_now() - make_interval(days => ${confirmedDays}))
      ))
      limit ${sql.lit(batchSize)}
      for update skip locked
    )
    update bookings set ${erased} from due where bookings.id = due.id
    returning bookings.id`.execute(transaction);
  return rows.length;
}

/** Erases the personal data of the bookings. Returns the number of those that had any. */
export async function erasePersonalDataOf(
  transaction: Transaction<Database>,
  bookings: BookingSelector,
) {
  const { rows } = await sql`
    update bookings set ${erased}
    where ${isSelected(bookings)} and (name is not null or ${hasWords})
    returning id`.execute(transaction);
  return rows.length;
}

export { copiedWords } from '../database/data-inventory.js';

/** More than there can be of one booking or one person. */
const everyRow = 1_000_000;

/** A booking with what is kept of its person, table by table. */
export interface BookingRecords {
  booking: BookingRow;
  row: CopiedRow;
  /** The name that the owner of the API key gave it; null without one. */
  keyLabel: string | null;
  tables: Record<string, CopiedRow[]>;
}

/** The selected bookings with all that the tables keep of them, oldest first. */
export async function readBookingRecords(
  database: Kysely<Database>,
  whose: BookingSelector,
  /** The date from which calendar feeds show sessions. */
  feedsFrom: string,
): Promise<BookingRecords[]> {
  const bookings = await database
    .selectFrom('bookings')
    .selectAll()
    .where(isSelected(whose))
    .orderBy('created_at')
    .execute();
  const feeds = await listFeeds(database);
  const records: BookingRecords[] = [];
  for (const booking of bookings) {
    const { id, api_key_id: keyId, status, date } = booking;
    const events = await listEventsOfBooking(database, id, everyRow);
    const actions = await listAuditRowsOfBooking(database, id, everyRow);
    const mails = await listMailsOfBooking(database, id, everyRow);
    const conflicts = await listConflictsOfBooking(database, id);
    const deliveries = await listDeliveriesOfBooking(database, id);
    const shownIn = status === 'confirmed' && date >= feedsFrom ? feeds : [];
    records.push({
      booking,
      row: copyRow('bookings', booking),
      keyLabel: keyId === null ? null : ((await findKey(database, keyId))?.label ?? null),
      tables: {
        events: events.map((event) => copyRow('events', withoutOthers(event, 'data'))),
        audit_log: actions.map((action) => copyRow('audit_log', withoutOthers(action, 'details'))),
        mails: mails.map((mail) => copyRow('mails', mail)),
        webhook_deliveries: deliveries.map(({ target_host, ...delivery }) => ({
          sent_to: target_host,
          ...copyRow('webhook_deliveries', delivery),
        })),
        calendar_feeds: shownIn.map((feed) => copyRow('calendar_feeds', feed)),
        booking_conflicts: conflicts.map((conflict) => copyRow('booking_conflicts', conflict)),
      },
    });
  }
  return records;
}

const findKey = finder('api_keys', 'id');

/** Without the ids of other people's bookings. */
function withoutOthers<Row extends EventRow | AuditRow>(
  row: Row,
  member: keyof Row & ('data' | 'details'),
): Row {
  const own = Object.entries(row[member] as object).filter(([name]) => !ofOthers.test(name));
  return { ...row, [member]: Object.fromEntries(own) };
}

const ofOthers = /_bookings$|^left_undecided$/;

/** The API keys of an e-mail address, as the copy has them. */
export async function readApiKeyRecords(database: Kysely<Database>, email: string) {
  const keys = await listApiKeys(database, { email, limit: everyRow });
  return keys.map((key) => copyRow('api_keys', key));
}

const nightlyName = 'personal_data_erased_on';

/** The date of the last nightly erasure, or null. */
export async function readErasureNight(database: Kysely<Database>) {
  return (await findEntry(database, nightlyName))?.value ?? null;
}

export async function recordErasureNight(database: Kysely<Database>, night: string) {
  await database
    .insertInto('installation')
    .values({ name: nightlyName, value: night })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: night }))
    .execute();
}
