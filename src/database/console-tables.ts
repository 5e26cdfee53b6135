import type { ColumnType, Generated, Selectable } from 'kysely';

/** Links that `studio console link` made and nobody has used. */
export interface ConsoleLinksTable {
  token_hash: Buffer;
  /** Of the session that it starts. */
  name: string;
  created_at: Date;
  expires_at: Date;
}

export interface ConsoleSessionsTable {
  id: Generated<string>;
  token_hash: Buffer;
  /** Whose it is, in the words of the studio: `Ada's phone`. The audit names it. */
  name: string;
  /** The passkey that it was signed in with; null for a link. */
  passkey_id: string | null;
  signed_in_at: Date;
  /** The latest request, to the minute. */
  last_seen_at: Date;
}

/** The last two visits of each of the studio's people to the first page of the console. */
export interface ConsoleVisitsTable {
  /** Of their sessions. */
  name: string;
  /** The latest look. */
  seen_at: Date;
  /** The latest of the visit before; null in the first. */
  before_at: Date | null;
}

/** The passkeys (WebAuthn credentials) that sign in to the console. */
export interface PasskeysTable {
  id: Generated<string>;
  /** In base64url. */
  credential_id: string;
  /** In COSE. */
  public_key: Buffer;
  /** The authenticator's signature counter; 0 where it has none. */
  counter: ColumnType<string, number, number>;
  transports: string[];
  /** Of the sessions that it starts. */
  name: string;
  created_at: Date;
  last_used_at: Date | null;
}

/** Challenges that a passkey has signed, so that none is accepted twice. */
export interface UsedChallengesTable {
  challenge_hash: Buffer;
  expires_at: Date;
}

export type ConsoleSessionRow = Selectable<ConsoleSessionsTable>;
export type PasskeyRow = Selectable<PasskeysTable>;
