import type { Transaction } from 'kysely';
import type { ConsoleSessionRow, PasskeyRow } from '../database/rows/console.js';
import type { Database } from '../database/rows/schema.js';
import type { DatabaseServices } from '../database/services.js';
import { type ArtistRowKind, countRowsOfArtist } from '../repositories/artist-rows.js';
import { listArtists } from '../repositories/artists.js';
import { recordAudit, recordRefusedSignIn } from '../repositories/audit.js';
import {
  deleteSessionOf,
  deleteSessions,
  findSession,
  insertLink,
  insertSession,
  isRecentSignIn,
  listSessions,
  takeLink,
} from '../repositories/console-sessions.js';
import { listPasskeys } from '../repositories/passkeys.js';
import type { Artist } from '../schedule/artists.js';
import { sha256 } from '../secrets/keyring.js';
import { createCredential, isCredential } from '../secrets/tokens.js';

type SessionServices = Pick<DatabaseServices, 'database'>;

/** The longest name of a session or a passkey, in characters. */
export const maxSessionNameLength = 60;

/** The name of a session or a passkey as typed, on one line. Null unless it has 1 to 60 characters. */
export function parseSessionName(typed: string): string | null {
  const name = typed.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
  return name === '' || [...name].length > maxSessionNameLength ? null : name;
}

/**
 * How the audit names a session of the console: `Ada’s phone (console 3f2a81c0)`, and with the slug of its
 * artist `Phone (mara, console 3f2a81c0)`.
 */
export function sessionActor(
  { name, id }: Pick<ConsoleSessionRow, 'name' | 'id'>,
  artist: string | null,
): string {
  return `${name} (${artist === null ? '' : `${artist}, `}console ${id.slice(0, 8)})`;
}

async function slugOf(
  transaction: Transaction<Database>,
  { artist_id }: Pick<ConsoleSessionRow, 'artist_id'>,
): Promise<string | null> {
  if (artist_id === null) return null;
  return (await listArtists(transaction)).find(({ id }) => id === artist_id)?.slug ?? null;
}

/**
 * Makes a link that signs in to the console once, within 15 minutes; only the hash of its token is
 * stored. `name`: the session's. `artist`: whose session it is; null: the owner's.
 */
export async function createConsoleLink(
  { database }: SessionServices,
  actor: string,
  { name, artist = null }: { name: string; artist?: LinkedArtist | null },
): Promise<ConsoleLink> {
  return database
    .transaction()
    .execute((transaction) => makeLink(transaction, actor, { name, artist }));
}

type LinkedArtist = Pick<Artist, 'id' | 'slug'>;

export interface ConsoleLink {
  token: string;
  expiresAt: Date;
}

/**
 * Makes a link for an artist in an owner's session; null if its sign-in is older than 10 minutes.
 */
export async function createArtistLink(
  { database }: SessionServices,
  session: ConsoleSessionRow,
  artist: LinkedArtist & Pick<Artist, 'name'>,
): Promise<ConsoleLink | null> {
  if (session.artist_id !== null) throw new Error('an artist makes no links');
  return database.transaction().execute(async (transaction) => {
    if (!(await isRecentSignIn(transaction, session.id))) return null;
    return makeLink(transaction, sessionActor(session, null), { name: artist.name, artist });
  });
}

async function makeLink(
  transaction: Transaction<Database>,
  actor: string,
  { name, artist }: { name: string; artist: LinkedArtist | null },
): Promise<ConsoleLink> {
  const token = createCredential('tsl');
  const artistId = artist?.id ?? null;
  const link = { tokenHash: sha256(token), name, artist_id: artistId };
  const { expires_at } = await insertLink(transaction, link);
  await recordAudit(transaction, actor, 'console link', {
    name,
    ...(artist !== null && { artist: artist.slug }),
  });
  return { token, expiresAt: expires_at };
}

export type { ArtistRowKind } from '../repositories/artist-rows.js';

/** Whether all rows exist and are the artist's. */
export async function ownsRows(
  { database }: SessionServices,
  artistId: number,
  kind: ArtistRowKind,
  named: readonly string[],
): Promise<boolean> {
  const ids = [...new Set(named)];
  return (await countRowsOfArtist(database, { artistId, kind, ids })) === ids.length;
}

export interface SignedIn {
  session: ConsoleSessionRow;
  /** The value of the cookie. Only its hash is stored. */
  token: string;
}

/**
 * Uses a link up, and ends the session of `formerToken`, the browser's previous one. Null, and audited,
 * if the link is unknown, used or expired.
 */
export async function signInWithLink(
  { database }: SessionServices,
  linkToken: string,
  formerToken: string | null,
): Promise<SignedIn | null> {
  return database.transaction().execute(async (transaction) => {
    const isLink = isCredential('tsl', linkToken);
    const link = isLink ? await takeLink(transaction, sha256(linkToken)) : null;
    if (link === null) {
      await recordRefusedSignIn(transaction, 'link');
      return null;
    }
    return startSession(transaction, { ...link, passkeyId: null, formerToken });
  });
}

interface SignIn {
  /** The name of the session. */
  name: string;
  /** The artist whose session it is; null: the owner's. */
  artist_id: number | null;
  /** Null for a link. */
  passkeyId: string | null;
  /** The unverified token of the browser's cookie, whose session ends; null without a cookie. */
  formerToken: string | null;
}

/** Starts a session with a new token, in the transaction of a sign-in. */
export async function startSession(
  transaction: Transaction<Database>,
  { name, artist_id, passkeyId, formerToken }: SignIn,
): Promise<SignedIn> {
  if (formerToken !== null && isCredential('tss', formerToken)) {
    const former = await deleteSessionOf(transaction, sha256(formerToken));
    if (former !== null) {
      const actor = sessionActor(former, await slugOf(transaction, former));
      await recordEnd(transaction, actor, [former]);
    }
  }
  const token = createCredential('tss');
  const row = { session_hash: sha256(token), name, artist_id, passkey_id: passkeyId };
  const session = await insertSession(transaction, row);
  const actor = sessionActor(session, await slugOf(transaction, session));
  await recordAudit(transaction, actor, 'console sign-in', {
    session_id: session.id,
    with: passkeyId === null ? 'link' : 'passkey',
    ...(passkeyId !== null && { passkey_id: passkeyId }),
  });
  return { session, token };
}

/**
 * The live session of a cookie; null without one. A refresh that no person asked for (`isUse` false)
 * does not keep it alive.
 */
export async function findConsoleSession(
  { database }: SessionServices,
  token: string,
  { isUse }: { isUse: boolean },
): Promise<ConsoleSessionRow | null> {
  if (!isCredential('tss', token)) return null;
  return findSession(database, sha256(token), isUse);
}

/** Ends sessions, on every process at once. Resolves with those that had not been ended before. */
export async function endConsoleSessions(
  { database }: SessionServices,
  actor: string,
  ids: readonly string[],
): Promise<ConsoleSessionRow[]> {
  if (ids.length === 0) return [];
  return database.transaction().execute(async (transaction) => {
    const ended = await deleteSessions(transaction, ids);
    if (ended.length > 0) await recordEnd(transaction, actor, ended);
    return ended;
  });
}

async function recordEnd(
  transaction: Transaction<Database>,
  actor: string,
  ended: readonly ConsoleSessionRow[],
): Promise<void> {
  await recordAudit(transaction, actor, 'console sessions end', {
    session_ids: ended.map(({ id }) => id),
  });
}

export interface SignIns {
  /** The live sessions, the latest sign-in first. */
  sessions: ConsoleSessionRow[];
  /** The newest first. */
  passkeys: PasskeyRow[];
  /** Whether the session may add a passkey: it began in the last 10 minutes. */
  mayAddPasskey: boolean;
}

/**
 * Who is signed in, and what can sign in, as the session sees it: an artist sees only their own. Commands
 * have no session.
 */
export async function readSignIns(
  { database }: SessionServices,
  session: Pick<ConsoleSessionRow, 'id' | 'artist_id'> | null = null,
): Promise<SignIns> {
  const artistId = session?.artist_id ?? null;
  const [sessions, passkeys, mayAddPasskey] = await Promise.all([
    listSessions(database, artistId),
    listPasskeys(database, artistId),
    session !== null && isRecentSignIn(database, session.id),
  ]);
  return { sessions, passkeys, mayAddPasskey };
}

export async function endOtherSessions(
  services: SessionServices,
  actor: string,
  session: ConsoleSessionRow,
): Promise<ConsoleSessionRow[]> {
  const sessions = await listSessions(services.database, session.artist_id);
  const others = sessions.map(({ id }) => id).filter((id) => id !== session.id);
  return endConsoleSessions(services, actor, others);
}
