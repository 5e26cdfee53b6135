import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { TimeSlot } from '../../generated/schemas.js';
import type { NamedStatement } from '../database/pipelined-transaction.js';
import type { Connector } from '../database/pool.js';
import type { Handover } from '../database/rows/results.js';
import type { BookedSlot, ReplacedHold } from '../database/rows/results.js';
import {
  heldBookingColumns,
  type Channel,
  type Database,
  type HeldBookingRow,
} from '../database/rows/schema.js';
import type { Session } from '../schedule/times.js';
import { cancellation } from './booking-transitions.js';
import {
  type ArtistCap,
  countsTowardsCallerCap,
  countsTowardsPersonCap,
  type HoldCaps,
  isAtArtistCap,
} from './caps.js';
import { recordBookingEvents } from './events.js';
import { isOwnSession, type Placers } from './person-sessions.js';
import {
  expireLapsedHolds,
  freeArtist,
  labelWithArtist,
  lockSlotsQuery,
  takeSlot,
} from './slot-taking.js';

/** The columns of a new hold; the database sets `created_at` and `expires_at`. */
export interface NewHold extends BookedSlot {
  lifetimeSeconds: number;
  channel: Channel;
  /** The platform that placed it. */
  platform: string | null;
  name: string;
  email: string;
  phone: string;
  pronouns: string | null;
  idea: string | null;
  /** In which the person posted the form; null of an agent. */
  language: string | null;
  /**
   * HMACs of the caller's network, one per known secret key, the current one first; at a platform, of its
   * person, and none if that is not known.
   */
  callerNetworkHashes: readonly Buffer[];
  apiKeyId: string | null;
  checkoutTokenHash: Buffer;
  checkoutTokenSealed: Buffer;
  idempotencyScope: Buffer | null;
  idempotencyKey: string | null;
  requestHash: Buffer;
  /** The nonce of the form on `/book`. */
  formNonceHash: Buffer | null;
  /** The caller's own hold of the slot, which is given up for this one. */
  replaced: ReplacedHold | null;
  /** The chosen artist; null: whoever is free. */
  artistId: number | null;
  /** The cap where the person has chosen one of several artists; else null. */
  artistCap: ArtistCap | null;
  /** Whether the caller knows of one artist only; if there are several, nothing is held. */
  isOnlyArtist: boolean;
  handover: Handover;
  /** Whose bookings of the same person refuse it: the caller's, and those of the hold that it follows. */
  placers: Placers;
}

export interface HoldOutcome {
  /**
   * Null if nothing was held: a cap was reached, the slot was taken or closed, or the person has a session
   * then.
   */
  booking: HeldBookingRow | null;
  /** The session that the caller has placed for the same person at the same time. */
  ownSession: Session | null;
  /** One of the caps of pending holds, the platform's included. */
  isPendingAtCap: boolean;
  isPersonAtCap: boolean;
  isCallerAtCap: boolean;
  isArtistAtCap: boolean;
  /** The cap that the caller's platform has reached. */
  platformAtCap: 'pending_holds' | 'live_bookings' | null;
}

/**
 * Cancels the replaced hold, expires lapsed holds in the way, and holds the slot with a free artist,
 * unless there is none, the idempotency key is used, a cap is reached or the caller has placed a session
 * of the same person at that time. Inserts the event rows. All in one round trip (src/decisions.md).
 */
export async function insertHold(
  database: Kysely<Database>,
  connect: Connector,
  hold: NewHold,
  caps: HoldCaps,
): Promise<HoldOutcome> {
  const rows = await takeSlot(connect, holdStatements(database, hold, caps));
  const [row] = rows.at(-1) as [
    HeldBookingRow &
      HoldOutcome & { own: [date: string, timeSlot: TimeSlot, artistName: string | null] | null },
  ];
  const { own, isPendingAtCap, isPersonAtCap, isCallerAtCap, ...others } = row;
  const { isArtistAtCap, platformAtCap, ...booking } = others;
  const reached = { isPendingAtCap, isPersonAtCap, isCallerAtCap, isArtistAtCap, platformAtCap };
  const ownSession = own && { date: own[0], timeSlot: own[1], artistName: own[2] };
  return { booking: booking.id === null ? null : booking, ownSession, ...reached };
}

/** The statements of `insertHold` between `begin` and `commit`. @internal */
export function holdStatements(
  database: Kysely<Database>,
  hold: NewHold,
  caps: HoldCaps,
): NamedStatement[] {
  return [
    lockSlotsQuery(database),
    ...(hold.replaced === null ? [] : [giveUpStatement(database, hold.replaced)]),
    { name: holdStatementName(hold, caps), query: holdStatement(hold, caps).compile(database) },
  ];
}

/** Gives up a hold in the transaction of the new one, so that each makes room for one. */
function giveUpStatement(
  database: Kysely<Database>,
  { id, sequence }: ReplacedHold,
): NamedStatement {
  const cancelled = sql`${cancellation(id, 'pending', 'person', { sequence })} select id from cancelled`;
  return { name: 'give up hold', query: cancelled.compile(database) };
}

/**
 * The name of a prepared statement, of at most 63 characters, names everything that its text depends on.
 */
function holdStatementName({ isOnlyArtist, ends }: NewHold, caps: HoldCaps): string {
  const { liveOfPerson, isCodeRequired, liveOfCaller, platform } = caps;
  const artists = isOnlyArtist ? 'one' : ends.length === 0 ? 'several' : 'differing';
  const proof = isCodeRequired ? 'code' : 'link';
  return `insert hold ${artists} ${proof} ${liveOfPerson} ${liveOfCaller} ${platform?.live ?? ''}`;
}

function holdStatement(hold: NewHold, caps: HoldCaps): RawBuilder<HoldOutcome> {
  // These are literals: the planner overestimates the rows of a parameter in OFFSET, and then replans
  // each time.
  const areAtLeast = (cap: number, which: RawBuilder<unknown>) => sql`
    exists (select from bookings where ${which} offset ${sql.lit(cap - 1)})`;
  const live = countsTowardsPersonCap(caps.sessionHours, caps.isCodeRequired);
  const recent = countsTowardsCallerCap(caps.sessionHours);
  const isMailboxAtCap = areAtLeast(
    caps.liveOfPerson,
    sql`canonical_mailbox(email) = canonical_mailbox(${hold.email}) and ${live}`,
  );
  // A code proves a mailbox. A cap by number would let strangers lock its owner out.
  const isPersonAtCap = caps.isCodeRequired
    ? isMailboxAtCap
    : sql`${isMailboxAtCap} or ${areAtLeast(caps.liveOfPerson, sql`phone = ${hold.phone} and ${live}`)}`;
  const ofNetwork = sql`
    count(*) filter (where caller_network_hash = any(${hold.callerNetworkHashes}::bytea[]))`;
  // This transaction has cancelled it.
  const hasGivenUp = sql`exists (
    select from bookings where id = ${hold.replaced?.id ?? null} and xmin = pg_current_xact_id()::xid)`;
  // If there is no platform, the columns and the statement's plan have nothing of platforms.
  const isPendingOfPlatform =
    caps.platform === null
      ? sql`false`
      : sql`count(*) filter (where platform = ${hold.platform}) >= ${caps.platform.pending}`;
  const isLiveOfPlatform =
    caps.platform === null
      ? sql`false`
      : areAtLeast(caps.platform.live, sql`platform = ${hold.platform} and ${recent}`);
  const taker = {
    by: 'person',
    only: hold.artistId,
    isOnlyArtist: hold.isOnlyArtist,
    isOwnSession: hold.isOnlyArtist ? null : isOwnSession({ ...hold, ...hold.placers }),
  } as const;
  const isArtistAtCap = hold.isOnlyArtist
    ? sql`false`
    : isAtArtistCap(
        hold.artistCap,
        sql`caller_network_hash = any(${hold.callerNetworkHashes}::bytea[])`,
      );
  // One artist has one chair.
  const ownSession = hold.isOnlyArtist
    ? sql`null::text[]`
    : sql`(select max(own_session) from booked)`;
  const handover = sql`jsonb_build_object('handover', ${JSON.stringify(hold.handover)}::jsonb)`;
  return sql`
    with moment as materialized (select booking_now() as now),
    ${expireLapsedHolds(hold)},
    ${freeArtist(hold, taker)},
    pending as (
      select ${isPendingOfPlatform} as "isPendingOfPlatform",
        count(*) >= ${caps.pendingOfStudio}
          or (count(*) >= ${caps.pendingInCommon} and not ${hasGivenUp}
            and (${ofNetwork} > 0 or cardinality(${hold.callerNetworkHashes}::bytea[]) = 0))
          or ${ofNetwork} >= ${caps.pendingOfCaller}
          or count(*) filter (where api_key_id = ${hold.apiKeyId}) >= ${caps.pendingOfCaller}
          as "isPendingAtCap"
      from bookings, moment
      where status = 'pending' and expires_at > moment.now
    ),
    live as materialized (
      select
        ${isPersonAtCap} as "isPersonAtCap",
        ${areAtLeast(caps.liveOfCaller, sql`caller_network_hash = any(${hold.callerNetworkHashes}::bytea[]) and ${recent}`)}
          or ${areAtLeast(caps.liveOfCaller, sql`api_key_id = ${hold.apiKeyId} and ${recent}`)}
          as "isCallerAtCap",
        ${isArtistAtCap} as "isArtistAtCap", ${isLiveOfPlatform} as "isLiveOfPlatform"
      from moment
    ),
    held as (
      insert into bookings (
        date, time_slot, starts_at, starts_at_text, ends_at, ends_at_text, timezone, label,
        artist_id, artist_name, is_artist_chosen, created_at, expires_at,
        channel, platform, name, email, phone, pronouns, idea, language,
        caller_network_hash, api_key_id, checkout_token_hash, checkout_token_sealed,
        idempotency_scope, idempotency_key, request_hash, form_nonce_hash
      )
      select ${hold.date}::date, ${hold.timeSlot}, ${hold.startsAt}::timestamptz,
        ${hold.startsAtText}, session_ends_at, session_ends_at_text, ${hold.timezone},
        ${labelWithArtist(hold)}, artist.artist_id, artist.artist_name, ${hold.artistCap !== null}::boolean,
        moment.now,
        moment.now + make_interval(secs => ${hold.lifetimeSeconds}), ${hold.channel}, ${hold.platform},
        ${hold.name}, ${hold.email}, ${hold.phone}, ${hold.pronouns}, ${hold.idea}, ${hold.language},
        ${hold.callerNetworkHashes[0] ?? null}::bytea, ${hold.apiKeyId}::uuid,
        ${hold.checkoutTokenHash}::bytea, ${hold.checkoutTokenSealed}::bytea,
        ${hold.idempotencyScope}::bytea, ${hold.idempotencyKey}, ${hold.requestHash}::bytea,
        ${hold.formNonceHash}::bytea
      from moment, pending, live, after_expiry, artist
      where not "isPendingAtCap" and not "isPendingOfPlatform"
        and not "isPersonAtCap" and not "isCallerAtCap" and not "isLiveOfPlatform"
        and not "isArtistAtCap"
        and ${ownSession} is null
      -- Not of any conflict: each index would be searched before it is written.
      on conflict (idempotency_scope, idempotency_key) where idempotency_key is not null do nothing
      returning *
    ),
    held_event as (${recordBookingEvents('hold.created', 'held', sql`created_at`, handover)})
    select "isPendingAtCap" or "isPendingOfPlatform" as "isPendingAtCap",
      "isPersonAtCap", "isCallerAtCap", "isArtistAtCap", ${ownSession} as own,
      case when "isPendingOfPlatform" then 'pending_holds'
        when "isLiveOfPlatform" then 'live_bookings' end as "platformAtCap",
      ${sql.join(heldBookingColumns.map((column) => sql.ref(column)))}
    from pending cross join live left join held on true`;
}
