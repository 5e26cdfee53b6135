import { sql, type Kysely, type RawBuilder, type Selectable, type Transaction } from 'kysely';
import {
  dataInventory,
  inventoriedColumns,
  type InventoriedColumn,
  type PersonalTable,
} from '../database/data-inventory.js';
import type { BookingSelector, CopiedRow, PersonalCopy } from '../database/rows/results.js';
import type { BookingRow, Database } from '../database/rows/schema.js';
import { listApiKeys } from './api-keys.js';
import { listAuditRowsOfBookings } from './audit.js';
import { clientKey, isSelected } from './booking-search.js';
import { listFeeds } from './calendar-feeds.js';
import { listDeliveriesOfBookings } from './webhook-deliveries.js';

/**
 * The erased columns: the personal data of a booking and its caller, including hashes. Id, slot and
 * instants remain.
 */
const erased = sql.join(
  inventoriedColumns('bookings')
    .filter(([, { isErased }]) => isErased)
    .map(([name]) => sql`${sql.ref(name)} = null`),
  sql`,
  `,
);

/** The studio's words to and about the person. */
const hasWords = sql`(
  cancellation_reason is not null or studio_word is not null or studio_note is not null
  or client_note is not null)`;

/**
 * Erases the selected bookings, and returns their number. A note about a client stays with the bookings
 * that are left of them, also with those that were made since it was written; mails stay without their
 * language.
 */
async function erase(transaction: Transaction<Database>, selection: RawBuilder<unknown>) {
  const { rows } = await sql`
    with due as materialized (select id from bookings where ${selection}),
    leaving as materialized (
      select distinct on (client) * from (
        select ${clientKey} as client, client_note as note, created_at from bookings
        where client_note is not null and id in (select id from due)
      ) as noted
      order by client, created_at desc
    ),
    left_to as (
      update bookings set client_note = leaving.note from leaving
      where ${clientKey} = leaving.client and client_note is null and name is not null
        and confirmed_at is not null and bookings.id not in (select id from due)
    ),
    erased as (
      update bookings set ${erased} from due where bookings.id = due.id
      returning bookings.id
    ),
    mailed as (
      update mails set language = null from erased
      where booking_id = erased.id and language is not null
    )
    select id from erased`.execute(transaction);
  return rows.length;
}

export interface Retention {
  /** The days after a hold expired or a booking was cancelled. */
  unconfirmedDays: number;
  /** The days after the session of a confirmed booking began. */
  confirmedDays: number;
}

const batchSize = 1_000;

/** Erases up to 1,000 bookings past their retention; locked rows are skipped. Returns their number. */
export async function eraseDuePersonalData(
  transaction: Transaction<Database>,
  { unconfirmedDays, confirmedDays }: Retention,
) {
  const selection = sql`
    (name is null and ${hasWords}) or (name is not null and (
      (status in ('expired', 'cancelled') and coalesce(expired_at, cancelled_at)
        <= booking_now() - make_interval(days => ${unconfirmedDays}))
      or (status = 'confirmed'
        and starts_at <= booking_now() - make_interval(days => ${confirmedDays}))
    ))
    limit ${sql.lit(batchSize)}
    for update skip locked`;
  return erase(transaction, selection);
}

/** Erases the personal data of the bookings. Returns the number of those that had any. */
export async function erasePersonalDataOf(
  transaction: Transaction<Database>,
  bookings: BookingSelector,
) {
  const selection = sql`${isSelected(bookings)} and (name is not null or ${hasWords}) for update`;
  return erase(transaction, selection);
}

/** The copy's words for a hash or a secret that is kept. */
const notShown = 'kept, not shown';

const isCopied = ([, { copied }]: [name: string, InventoriedColumn]) => copied !== 'no';

/** The columns of a row that are about the person. */
function copyRow<Table extends PersonalTable>(
  table: Table,
  row: Partial<Selectable<Database[Table]>>,
): CopiedRow {
  const values = row as CopiedRow;
  return Object.fromEntries(
    inventoriedColumns(table)
      .filter(isCopied)
      .map(([name, { copied }]) => {
        const value = values[name] ?? null;
        return [name, value !== null && copied === 'presence' ? notShown : value];
      }),
  );
}

/** The labels of the columns that are copied, by table. */
export function columnLabels(): PersonalCopy['labels'] {
  return Object.fromEntries(
    Object.entries(dataInventory).flatMap(([table, columns]) => {
      if (columns === null) return [];
      const copied = Object.entries<InventoriedColumn>(columns).filter(isCopied);
      return [[table, Object.fromEntries(copied.map(([name, { label }]) => [name, label]))]];
    }),
  );
}

/** A booking with everything that is kept of its person, by table. */
export interface BookingRecords {
  booking: BookingRow;
  row: CopiedRow;
  tables: Record<string, CopiedRow[]>;
}

/** The selected bookings with everything that the tables keep of them, oldest first. */
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
  const ids = bookings.map(({ id }) => id);
  const events = await listRows(database, 'events', 'position', ids);
  const mails = await listRows(database, 'mails', 'position', ids);
  const conflicts = await listRows(database, 'booking_conflicts', 'found_at', ids);
  const actions = await listAuditRowsOfBookings(database, ids);
  const deliveries = await listDeliveriesOfBookings(database, ids);
  const feeds = await listFeeds(database);
  return bookings.map((booking) => {
    const { id, status, date } = booking;
    const own = <Row extends { booking_id: string | null }>(rows: readonly Row[]) =>
      rows.filter((row) => row.booking_id === id);
    const shownIn = status === 'confirmed' && date >= feedsFrom ? feeds : [];
    return {
      booking,
      row: copyRow('bookings', booking),
      tables: {
        events: own(events).map((event) =>
          copyRow('events', { ...event, data: withoutOthers(event.data, id) }),
        ),
        audit_log: own(actions).map((row) =>
          copyRow('audit_log', { ...row, details: withoutOthers(row.details, id) }),
        ),
        mails: own(mails).map((mail) => copyRow('mails', mail)),
        webhook_deliveries: own(deliveries).map((delivery) => ({
          sent_to: delivery.target_host,
          ...copyRow('webhook_deliveries', delivery),
        })),
        calendar_feeds: shownIn.map((feed) => copyRow('calendar_feeds', feed)),
        booking_conflicts: own(conflicts).map((row) => copyRow('booking_conflicts', row)),
      },
    };
  });
}

async function listRows<Table extends 'events' | 'mails' | 'booking_conflicts'>(
  database: Kysely<Database>,
  table: Table,
  orderedBy: keyof Selectable<Database[Table]> & string,
  bookingIds: readonly string[],
) {
  const { rows } = await sql<Selectable<Database[Table]>>`
    select * from ${sql.table(table)} where booking_id = any(${bookingIds}::uuid[])
    order by ${sql.ref(orderedBy)}`.execute(database);
  return rows;
}

const someId = /[0-9a-f]{8}-[0-9a-f]{4}-/i;

/** The data without members with ids, which may be of other people's bookings; own ids stay. */
function withoutOthers<Members extends object>(members: Members, bookingId: string): Members {
  const own = Object.entries(members).filter(
    ([name, value]) =>
      name === 'mail_id' || value === bookingId || !someId.test(JSON.stringify(value)),
  );
  return Object.fromEntries(own) as Members;
}

/** A limit beyond the rows of one person. */
const everyRow = 1_000_000;

/** The API keys of an e-mail address, for the copy. */
export async function readApiKeyRecords(database: Kysely<Database>, email: string) {
  const keys = await listApiKeys(database, { email, limit: everyRow });
  return keys.map((key) => copyRow('api_keys', key));
}
