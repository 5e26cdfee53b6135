import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';
import type { NamedStatement } from '../database/pipelined-transaction.js';
import type { Connector } from '../database/pool.js';
import type { BookedSlot } from '../database/rows/results.js';
import { heldBookingColumns, type BookingRow, type Database } from '../database/rows/schema.js';
import { type ArtistCap, isBeyondArtistCap } from './caps.js';
import { artistData, changeData, recordBookingEvents, wordData } from './events.js';
import { elsewhereOfBooking } from './person-sessions.js';
import {
  isProven,
  noProof,
  proofData,
  proofOf,
  rememberProof,
  spendProof,
  type Proof,
} from './proof.js';
import {
  expireLapsedHolds,
  freeArtist,
  labelWithArtist,
  lockSlotsQuery,
  takeSlot,
} from './slot-taking.js';

/** The columns that a move changes, and those that the board needs. */
const movedColumns = [...heldBookingColumns, 'moved_at', 'no_show_at'] as const;

export type MovedBooking = Pick<BookingRow, (typeof movedColumns)[number]>;

export interface Move {
  id: string;
  /** The booking's sequence as the caller read it; after another change the move does nothing. */
  sequence: number;
  to: BookedSlot;
  /** The new artist; without one, its own if they can, or another. */
  artistId?: number | null;
  /** The studio's words for the person. */
  word?: string | null;
}

export interface PersonMove extends Move {
  proof: Proof;
  /** The cap of the artist whom the person chooses or has chosen; null where nobody is chosen. */
  artistCap?: ArtistCap | null;
}

/** The limits of a person's moves. They do not bind the studio. */
export interface MoveLimits {
  whilePending: number;
  onceConfirmed: number;
  /** Before the start of a confirmed session. */
  noticeHours: number;
}

/**
 * Moves a booking for its person, in one round trip. Null if it has changed, if a limit or a closure
 * forbids the move, if the cap of the chosen artist is reached (`exceedsArtistCap`), if the proof is
 * missing, if no artist is free, if the person has another session then (`findSessionElsewhere`), or if
 * it is in the slot already.
 */
export async function moveForPerson(
  database: Kysely<Database>,
  connect: Connector,
  move: PersonMove,
  limits: MoveLimits,
) {
  const [, rows] = await takeSlot(connect, moveStatements(database, move, limits));
  return (rows as MovedBooking[])[0] ?? null;
}

/** The statements of `moveForPerson` between `begin` and `commit`. */
function moveStatements(
  database: Kysely<Database>,
  move: PersonMove,
  { whilePending, onceConfirmed, noticeHours }: MoveLimits,
): NamedStatement[] {
  const allowed = sql`not exists (select from elsewhere) and case status
    when 'pending' then moves_while_pending < ${whilePending} and not (
      ${isChosenAfter(move)} and ${isBeyondArtistCap(move.artistCap ?? null)})
    else starts_at > moment.now and (closed_day_choice = 'asked' or (
      moves_once_confirmed < ${onceConfirmed}
      and starts_at >= moment.now + make_interval(hours => ${noticeHours}))) end`;
  const counted = sql`
    is_artist_chosen = ${isChosenAfter(move)},
    moves_while_pending = moves_while_pending + (status = 'pending')::integer,
    moves_once_confirmed = moves_once_confirmed
      + (status = 'confirmed' and closed_day_choice is distinct from 'asked')::integer,`;
  const query = moveStatement(move, 'person', move.proof, allowed, counted).compile(database);
  return [lockSlotsQuery(database), { name: moveStatementName(move), query }];
}

/** The name of a prepared statement names everything that its text depends on. */
function moveStatementName({ to }: Move): string {
  return `move for the person${to.ends.length === 0 ? '' : ' differing'}`;
}

/** Whether the person has chosen the artist: whoever changes to an artist chooses them. */
function isChosenAfter({ artistId = null }: Move): RawBuilder<boolean> {
  return sql`(coalesce(${artistId}::integer <> bookings.artist_id, false)
    or (bookings.is_artist_chosen and bookings.artist_id = artist.artist_id))`;
}

/**
 * Moves a booking for the studio, also to a closed slot. The transaction must hold the lock of
 * `lockSlots`. Null if the booking has changed, or the slot is taken or its own.
 */
export async function moveForStudio(transaction: Transaction<Database>, move: Move) {
  const { rows } = await moveStatement(move, 'studio', noProof, sql`true`, sql``).execute(
    transaction,
  );
  return rows[0] ?? null;
}

/** `allowed` is a condition on the booking; `counted` is a list of assignments, or empty. */
function moveStatement(
  { id, sequence, to, artistId = null, word = null }: Move,
  by: 'person' | 'studio',
  proof: Proof,
  allowed: RawBuilder<unknown>,
  counted: RawBuilder<unknown>,
): RawBuilder<MovedBooking> {
  const slotAs = (prefix: string) => sql`jsonb_build_object(
    'date', ${sql.ref(`${prefix}date`)}, 'time_slot', ${sql.ref(`${prefix}time_slot`)},
    'starts_at', ${sql.ref(`${prefix}starts_at_text`)}) || ${artistData(sql.ref(`${prefix}artist_id`), sql.ref(`${prefix}artist_name`))}`;
  const fromAndTo = sql`jsonb_build_object('from', ${slotAs('from_')}, 'to', ${slotAs('')})`;
  const moreData = sql`${fromAndTo} || ${changeData(by)} || ${proofData(proof)} || ${wordData(word)}`;
  return sql`
    with moment as materialized (select booking_now() as now),
    ${expireLapsedHolds(to)},
    ${freeArtist(to, { by, only: artistId, moved: id })},
    ${proofOf(id, proof)},
    ${by === 'person' ? sql`${elsewhereOfBooking(id, { ...to, endsAt: sql`(select session_ends_at from artist)` })},` : sql``}
    present as materialized (
      select id as present_id, date as from_date, time_slot as from_time_slot,
        starts_at_text as from_starts_at_text, artist_id as from_artist_id,
        artist_name as from_artist_name
      from bookings where id = ${id}
    ),
    moved as (
      update bookings
      set date = ${to.date}::date, time_slot = ${to.timeSlot}, starts_at = ${to.startsAt}::timestamptz,
        starts_at_text = ${to.startsAtText}, ends_at = session_ends_at,
        ends_at_text = session_ends_at_text, timezone = ${to.timezone}, label = ${labelWithArtist(to)},
        artist_id = artist.artist_id, artist_name = artist.artist_name, may_overlap = artist.may_overlap,
        moved_at = moment.now, no_show_at = null, studio_word = ${word}, ${rememberProof}, ${counted}
        sequence = sequence + 1
      from moment, present, after_expiry, artist
      where id = present_id and sequence = ${sequence}
        and (status = 'confirmed' or (status = 'pending' and expires_at > moment.now))
        and (date, time_slot, bookings.artist_id) is distinct from
          (${to.date}::date, ${to.timeSlot}::time_slot, artist.artist_id)
        and ${allowed} and ${isProven(proof)}
      returning bookings.*, from_date, from_time_slot, from_starts_at_text, from_artist_id,
        from_artist_name
    ),
    ${spendProof('moved')},
    event as (${recordBookingEvents('booking.moved', 'moved', sql`(select now from moment)`, moreData)})
    select ${sql.join(movedColumns.map((column) => sql.ref(column)))} from moved`;
}
