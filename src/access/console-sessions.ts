import type { Transaction } from 'kysely';
import type { ConsoleSessionRow, PasskeyRow } from '../database/rows/console.js';
import type { Database } from '../database/rows/schema.js';
import type { DatabaseServices } from '../database/services.js';
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

/** How the audit names a session of the console. */
export function sessionActor({ name, id }: Pick<ConsoleSessionRow, 'name' | 'id'>): string {
  return `${name} (console ${id.slice(0, 8)})`;
}

/**
 * Makes a link that signs in to the console once, within 15 minutes; only the hash of its token is
 * stored. `name`: the session's.
 */
export async function createConsoleLink(
  { database }: SessionServices,
  actor: string,
  name: string,
) {
  const token = createCredential('tsl');
  return database.transaction().execute(async (transaction) => {
    const { expires_at } = await insertLink(transaction, { tokenHash: sha256(token), name });
    await recordAudit(transaction, actor, 'console link', { name });
    return { token, expiresAt: expires_at };
  });
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
    const name = isLink ? await takeLink(transaction, sha256(linkToken)) : null;
    if (name === null) {
      await recordRefusedSignIn(transaction, 'link');
      return null;
    }
    return startSession(transaction, { name, passkeyId: null, formerToken });
  });
}

interface SignIn {
  /** The name of the session. */
  name: string;
  /** Null for a link. */
  passkeyId: string | null;
  /** The unverified token of the browser's cookie, whose session ends; null without a cookie. */
  formerToken: string | null;
}

/** Starts a session with a new token, in the transaction of a sign-in. */
export async function startSession(
  transaction: Transaction<Database>,
  { name, passkeyId, formerToken }: SignIn,
): Promise<SignedIn> {
  if (formerToken !== null && isCredential('tss', formerToken)) {
    const former = await deleteSessionOf(transaction, sha256(formerToken));
    if (former !== null) await recordEnd(transaction, sessionActor(former), [former]);
  }
  const token = createCredential('tss');
  const row = { token_hash: sha256(token), name, passkey_id: passkeyId };
  const session = await insertSession(transaction, row);
  await recordAudit(transaction, sessionActor(session), 'console sign-in', {
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

/** Who is signed in, and what can sign in, as the session sees it. Commands have no session. */
export async function readSignIns(
  { database }: SessionServices,
  session: Pick<ConsoleSessionRow, 'id'> | null = null,
): Promise<SignIns> {
  const [sessions, passkeys, mayAddPasskey] = await Promise.all([
    listSessions(database),
    listPasskeys(database),
    session !== null && isRecentSignIn(database, session.id),
  ]);
  return { sessions, passkeys, mayAddPasskey };
}

export async function endOtherSessions(
  services: SessionServices,
  session: ConsoleSessionRow,
): Promise<ConsoleSessionRow[]> {
  const sessions = await listSessions(services.database);
  const others = sessions.map(({ id }) => id).filter((id) => id !== session.id);
  return endConsoleSessions(services, sessionActor(session), others);
}
