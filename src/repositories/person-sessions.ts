import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { BookingRow, Database } from '../database/rows/schema.js';
import type { Session } from '../schedule/times.js';
import { isRecorded } from './installation.js';
import { type Proof, proofOf } from './proof.js';
import { areSeveral, isLiveNow } from './slot-taking.js';

/**
 * One person has one session at a time: a live booking refuses an overlapping one of its person, with any
 * artist. Without a code that proves the mailbox, only bookings of the same caller count, so that a
 * stranger neither blocks a person nor learns of their bookings. With one artist, sessions never overlap,
 * and nothing is looked up.
 */

/** Values, or columns that the statement provides. */
type OneOf<Columns extends keyof BookingRow> = Readonly<
  Record<Columns, BookingRow[Columns] | RawBuilder<unknown>>
>;

export type Person = OneOf<'name' | 'email' | 'phone'>;

/** The placers of a booking: any of these networks (keyed hashes) and API keys. A null is nobody. */
export interface Placers {
  networkHashes: readonly (Buffer | null)[];
  apiKeyIds: readonly (string | null)[];
}

/** A person, as a caller names them. */
export interface PersonOfCaller extends Placers, Person {
  /** A booking that would be given up, if any. */
  exceptId?: string | null;
}

export type Time = OneOf<'date'> & Record<'startsAt' | 'endsAt', Date | RawBuilder<unknown>>;

/** A name as it is compared: without accents, letter case, spaces, full stops and hyphens. */
export function foldedName(name: unknown): RawBuilder<string> {
  return sql`translate(fold_letters(${name}), ' .-', '')`;
}

// Conditions on rows of `bookings`:

export function isNamed({ name }: Pick<Person, 'name'>): RawBuilder<boolean> {
  return sql`${foldedName(sql`name`)} = ${foldedName(name)}`;
}

export function hasMailbox({ email }: Pick<Person, 'email'>): RawBuilder<boolean> {
  return sql`canonical_mailbox(email) = canonical_mailbox(${email})`;
}

/** Same mailbox and name; where no code proves a mailbox, also same phone and name. */
function isOfPerson(person: Person): RawBuilder<boolean> {
  return sql`((${hasMailbox(person)} or (phone = ${person.phone} and not ${isRecorded('code_on')}))
    and ${isNamed(person)})`;
}

/** The studio's condition: the same mailbox or phone, and name. Its bookings may have no mailbox. */
function isKnownPerson(person: Person): RawBuilder<boolean> {
  return sql`((${hasMailbox(person)} or phone = ${person.phone}) and ${isNamed(person)})`;
}

function isPlacedBy({ networkHashes, apiKeyIds }: Placers): RawBuilder<boolean> {
  return sql`(caller_network_hash = any(${networkHashes}::bytea[])
    or api_key_id = any(${apiKeyIds}::uuid[]))`;
}

/** Bookings at the time, live at `moment.now`. The dates of any two zones differ by two at most. */
function isLiveThen({ date, startsAt, endsAt }: Time): RawBuilder<boolean> {
  return sql`date between ${date}::date - 2 and ${date}::date + 2
    and starts_at < ${endsAt}::timestamptz
    and ends_at > ${startsAt}::timestamptz
    and ${isLiveNow}`;
}

/** Whether it is a session of the person that the same caller has placed. */
export function isOwnSession(person: PersonOfCaller): RawBuilder<boolean> {
  return sql`${isPlacedBy(person)} and ${isOfPerson(person)}`;
}

/** The person of the booking in `own`, a common table expression or a subquery. */
const own = {
  name: sql`own_name`,
  email: sql`own_email`,
  phone: sql`own_phone`,
};

/**
 * The common table expressions `own`, a booking, and `elsewhere`, its person's other session at the time
 * (by default, that of the booking), or no row. Sessions of the same caller count; for a
 * person who has typed a code, and so reads the mailbox, also those that a code has proven or the studio
 * has booked. The statement must provide `moment.now` and `proof`.
 */
export function elsewhereOfBooking(id: string, time: Time | null = null): RawBuilder<unknown> {
  const isOfSameCaller = sql`(caller_network_hash = own_network_hash or api_key_id = own_api_key_id)`;
  const isKnown = sql`(code_proven_at is not null or confirmed_via in ('code', 'studio'))`;
  const ownTime = { date: sql`own_date`, startsAt: sql`own_starts_at`, endsAt: sql`own_ends_at` };
  return sql`
    own as materialized (
      select id as own_id, date as own_date, starts_at as own_starts_at,
        ends_at as own_ends_at,
        name as own_name, email as own_email, phone as own_phone,
        caller_network_hash as own_network_hash, api_key_id as own_api_key_id
      from bookings where id = ${id}
    ),
    elsewhere as materialized (
      select date, time_slot as "timeSlot", artist_name as "artistName" from bookings, moment, own
      where ${areSeveral} and ${isLiveThen(time ?? ownTime)} and id <> own_id and (
        (${isOfSameCaller} and ${isOfPerson(own)})
        or (exists (select from proof) and ${isKnown} and ${hasMailbox(own)} and ${isNamed(own)}))
      limit 1
    )`;
}

/** The session in `elsewhereOfBooking`; null without one. */
export async function findSessionElsewhere(
  database: Kysely<Database>,
  id: string,
  proof: Proof,
  time: Time | null = null,
) {
  const { rows } = await sql<Session>`
    with moment as materialized (select booking_now() as now),
    ${proofOf(id, proof)},
    ${elsewhereOfBooking(id, time)}
    select * from elsewhere`.execute(database);
  return rows[0] ?? null;
}

/** The time of a session, in milliseconds since the epoch. */
export interface SessionTime {
  startsAt: number;
  endsAt: number;
}

const sessionTime = sql`extract(epoch from starts_at)::float8 * 1000 as "startsAt",
  extract(epoch from ends_at)::float8 * 1000 as "endsAt"`;

/** The person's live sessions of the same caller, from now on. */
export async function listSessionsOfCaller(database: Kysely<Database>, person: PersonOfCaller) {
  const { rows } = await sql<SessionTime>`
    with moment as materialized (select booking_now() as now)
    select ${sessionTime} from bookings, moment
    where ${isLiveNow} and starts_at > moment.now - interval '1 day'
      and id is distinct from ${person.exceptId ?? null}::uuid
      and ${isPlacedBy(person)} and ${isOfPerson(person)}`.execute(database);
  return rows;
}

/** A live session of the person of the booking `id`, in another booking. */
export interface OtherSession extends SessionTime {
  id: string;
  otherId: string;
}

/** The live sessions that each booking's person has besides it, from now on, whoever placed them. */
export async function listOtherSessions(database: Kysely<Database>, ids: readonly string[]) {
  const { rows } = await sql<OtherSession>`
    with moment as materialized (select booking_now() as now)
    select own_id as id, other.* from moment, (
      select id as own_id, name as own_name, email as own_email, phone as own_phone
      from bookings where id = any(${ids}::uuid[])
    ) as own, lateral (
      select id as "otherId", ${sessionTime} from bookings
      where ${isLiveNow} and starts_at > moment.now - interval '1 day' and id <> own_id
        and ${isKnownPerson(own)}
    ) as other`.execute(database);
  return rows;
}

/** A live session of the person at the time, whoever placed it; null without one, and with one artist. */
export async function findSessionOfPerson(
  database: Kysely<Database>,
  person: Person,
  time: Time,
  exceptId: string | null = null,
) {
  const { rows } = await sql<BookingRow>`
    with moment as materialized (select booking_now() as now)
    select bookings.* from bookings, moment
    where ${areSeveral} and ${isLiveThen(time)} and id is distinct from ${exceptId}::uuid
      and ${isKnownPerson(person)}
    order by starts_at, id
    limit 1`.execute(database);
  return rows[0] ?? null;
}
