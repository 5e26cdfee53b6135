import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { MailEventSnapshot } from '../database/rows/booking-snapshots.js';
import type { CalendarError, Unreadable } from '../database/rows/calendars.js';
import type { BookingMailKind, MailRecipient } from '../database/rows/mails.js';
import {
  type BookingRow,
  type Database,
  type EventType,
  publicBookingColumns,
} from '../database/rows/schema.js';
import type { StudioAddressRow } from '../database/rows/studio.js';
import { isUndecided } from './closed-days.js';
import { studioAddresses } from './studio.js';

/** A mail with the facts that decide whether and to whom it is sent. */
export type DueMail = DueBookingMail | DueCalendarMail;

interface DueMailBase {
  mailId: string;
  attempts: number;
  resends: number;
  /** Milliseconds since the epoch. */
  dueAt: number;
  occurredAt: Date;
  /** The time at which a code lapses; null for other mails. */
  lapsesAt: Date | null;
  /** Identifies the claim. */
  claimedUntil: Date;
  /** The trace context of the event; null for a code. */
  traceContext: string | null;
  /** That of its first attempt, before which the booking's; null where nobody has chosen. */
  language: string | null;
}

/** A mail about a booking, with its present columns. */
export interface DueBookingMail
  extends DueMailBase, Pick<BookingRow, (typeof bookingColumns)[number]> {
  kind: BookingMailKind;
  recipient: MailRecipient;
  sequence: number;
  /** Null of a code. */
  eventType: EventType | null;
  data: MailEventSnapshot;
  /** The studio's addresses by date, read with the mail, so that it has the change that it is about. */
  addresses: StudioAddressRow[];
  /** The sequence below which mails to the recipient are pointless, if greater than `sequence`. */
  bookingSequence: number;
  /** The present name of the artist to whom the mail goes; null for any other. */
  artistName: string | null;
  /** Null also if the artist has no address any more. */
  artistEmail: string | null;
  /**
   * The slug of the booking's artist, if the person has chosen them and they take bookings. Null also where
   * the studio has one.
   */
  chosenArtist: string | null;
  /** Whether the session is on a closed day, and undecided. */
  isUndecided: boolean;
  /**
   * For a mail to the studio about undecided sessions: those that are undecided by now. Null for any
   * other mail.
   */
  undecided:
    | Pick<
        BookingRow,
        'id' | 'name' | 'date' | 'time_slot' | 'ends_at_text' | 'artist_name' | 'phone'
      >[]
    | null;
  /** Whether the person asked, on any booking of the mailbox, for no reminders. */
  remindersStopped: boolean;
}

/** A mail about a watched calendar that could not be read, or only in part, with its present state. */
export interface DueCalendarMail extends DueMailBase {
  kind: 'calendar_failure';
  recipient: 'studio';
  calendarId: string;
  label: string;
  /** The last successful fetch; null before the first. */
  readAt: Date | null;
  /** The first failure; null if it can be read. After the event, it was read in between. */
  failingSince: Date | null;
  /** Null if it can be read. */
  lastError: CalendarError | null;
  lastStatusCode: number | null;
  /** The unreadable parts; null if there are none. */
  unreadable: Unreadable | null;
  /** The instant of the event about them. */
  unreadableToldAt: Date | null;
}

export type ClaimedMail = DueMail & {
  /**
   * The number of mails to the mailbox that were counted within a day before this one: the same at every
   * claim of that day. Null if it does not count.
   */
  countedBefore: number | null;
};

const bookingColumns = [
  'id',
  'status',
  'starts_at',
  'name',
  'email',
  'phone',
  'pronouns',
  'idea',
  'channel',
  'confirmed_via',
  'code_proven_at',
  'cancellation_reason',
  'closed_day_choice',
  'studio_word',
  'checkout_token_sealed',
  'current_token_sealed',
] as const satisfies (keyof BookingRow)[];

/**
 * The sequence below which a mail about `bookings` is pointless. For a mail to an artist, it is that of
 * the newest mail to them about the booking, since they are not mailed every change of it.
 */
export function newestSequence(mail: string): RawBuilder<number> {
  const column = (name: string) => sql.ref(`${mail}.${name}`);
  return sql`case when ${column('artist_id')} is null then bookings.sequence - bookings.quiet_changes
    else (
      select max(newer.sequence) from mails newer
      where newer.booking_id = ${column('booking_id')} and newer.artist_id = ${column('artist_id')}
    ) end`;
}

/** Whether two mails about one booking, in their order, go to the same mailbox. */
export function haveSameRecipient(one: string, other: string): RawBuilder<boolean> {
  const [oneArtist, otherArtist] = [one, other].map((mail) => sql.ref(`${mail}.artist_id`));
  return sql`(case when ${otherArtist} is null
    then ${sql.ref(`${one}.recipient`)} = ${sql.ref(`${other}.recipient`)}
    else ${oneArtist} = ${otherArtist} end)`;
}

/** The sources of `mail`: its event, its booking or calendar, and its artist. */
export const mailSources = sql`
  left join events on events.id = mail.event_id
  left join bookings on bookings.id = mail.booking_id
  left join watched_calendars calendars on calendars.id = mail.calendar_id
  left join artists on artists.id = mail.artist_id`;

/** The data of a mail with a code, which has no event: the present booking. */
const bookingData = sql`jsonb_build_object(${sql.join(
  publicBookingColumns.flatMap((column) => [sql.lit(column), sql.ref(`bookings.${column}`)]),
)})`;

/** Whether `mail` is about what a closure left undecided, or one of those whose reminder is due. */
const isAboutUndecided = sql`(mail.recipient = 'studio'
  and (mail.kind = 'reminder' or mail.kind = 'conflict' and events.data ? 'left_undecided'))`;

/** The columns of `DueMail`, of `mail` and `mailSources`; those of the other type are null. */
export const dueMailColumns = sql`
  ${sql.join(bookingColumns.map((column) => sql.ref(`bookings.${column}`)))},
  mail.id as "mailId", mail.kind, mail.recipient, mail.attempts, mail.resends, mail.sequence,
  (extract(epoch from mail.next_attempt_at) * 1000)::float8 as "dueAt",
  coalesce(events.occurred_at, mail.created_at) as "occurredAt",
  coalesce(mail.language, bookings.language) as language,
  events.type as "eventType", coalesce(events.data, ${bookingData}) as data,
  ${newestSequence('mail')} as "bookingSequence",
  artists.name as "artistName", artists.email as "artistEmail",
  (select chosen.slug from artists chosen
    where chosen.id = bookings.artist_id and bookings.is_artist_chosen and chosen.hidden_at is null
      and exists (select from artists other where other.id <> chosen.id)) as "chosenArtist",
  ${studioAddresses} as addresses,
  mail.lapses_at as "lapsesAt", ${isUndecided('bookings')} as "isUndecided",
  case when ${isAboutUndecided} then coalesce((
    select jsonb_agg(jsonb_build_object(
      'id', other.id, 'name', other.name, 'date', other.date, 'time_slot', other.time_slot,
      'ends_at_text', other.ends_at_text, 'artist_name', other.artist_name, 'phone', other.phone)
      order by other.starts_at)
    from jsonb_array_elements_text(
      coalesce(events.data->'left_undecided', jsonb_build_array(bookings.id))) as left_there
      join bookings other on other.id = left_there::uuid
    where ${isUndecided('other')} and other.starts_at > booking_now()), '[]') end as "undecided",
  mail.kind = 'reminder' and exists (
    select from bookings other
    where canonical_mailbox(other.email) = canonical_mailbox(bookings.email) and other.email is not null
      and other.confirmed_at is not null and other.reminders_stopped_at is not null
  ) as "remindersStopped",
  mail.claimed_until as "claimedUntil", events.trace_context as "traceContext", mail.calendar_id as "calendarId", calendars.label,
  calendars.read_at as "readAt", calendars.failing_since as "failingSince",
  calendars.last_error as "lastError", calendars.last_status_code as "lastStatusCode",
  calendars.unreadable, calendars.unreadable_told_at as "unreadableToldAt"`;

/**
 * The NOTIFY channels of mails, webhook deliveries and watched calendars that have become due, for the
 * processes that send and fetch them. If a notification is lost, the sweeper finds what it announced.
 */
export const dueChannels = {
  mails: 'mails_due',
  deliveries: 'deliveries_due',
  calendars: 'calendars_due',
} as const;

/** The payload of `mails`: it differs each time that a mail becomes due. Columns of `mails`. */
export const dueMailKey = sql<string>`id || '-' || resends`;

export async function announceDueDeliveries(
  transaction: Transaction<Database>,
  subscriptionIds: readonly string[],
) {
  await sql`
    select pg_notify(${dueChannels.deliveries}, id || ' ' || pg_current_xact_id())
    from unnest(${subscriptionIds}::uuid[]) as id`.execute(transaction);
}

/** The payload of `deliveries`: a subscription with due ones, and the transaction that made them due. */
export function parseDueDeliveries(payload: string) {
  const [subscriptionId = '', transactionId = ''] = payload.split(' ');
  return { subscriptionId, transactionId };
}

/** The payload is the transaction that made them due. */
export async function announceDueCalendars(transaction: Transaction<Database>) {
  await sql`select pg_notify(${dueChannels.calendars}, pg_current_xact_id()::text)`.execute(
    transaction,
  );
}
