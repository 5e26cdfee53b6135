import type { ColumnType, Generated, Selectable } from 'kysely';

export interface ConsoleTables {
  /** Links that `studio console link` made and nobody has used. */
  console_links: {
    token_hash: Buffer;
    /** The name of the session that the link starts. */
    name: string;
    /** The artist whose sign-in it is; null: the owner's. */
    artist_id: ColumnType<number | null, number | null | undefined>;
    created_at: Date;
    expires_at: Date;
  };

  console_sessions: {
    id: Generated<string>;
    /** Of the value of its cookie. */
    session_hash: Buffer;
    /** The name of its user in the words of the studio: `Ada's phone`. The audit names it. */
    name: string;
    /** The passkey that it was signed in with; null for a link. */
    passkey_id: string | null;
    /** The artist whose sign-in it is; null: the owner's. */
    artist_id: ColumnType<number | null, number | null | undefined>;
    signed_in_at: Date;
    /** The latest request, to the minute. */
    last_seen_at: Date;
  };

  /** The last two visits of each of the studio's people to the first page of the console. */
  console_visits: {
    /** The name of the session. */
    name: string;
    /** The latest look. */
    seen_at: Date;
    /** The latest look of the visit before; null in the first. */
    before_at: Date | null;
  };

  /** The passkeys (WebAuthn credentials) that sign in to the console. */
  passkeys: {
    id: Generated<string>;
    /** In base64url. */
    credential_id: string;
    /** In COSE. */
    public_key: Buffer;
    /** The authenticator's signature counter; 0 where it has none. */
    counter: ColumnType<string, number, number>;
    transports: string[];
    /** The name of the sessions that the passkey starts. */
    name: string;
    /** The artist whose sign-in it is; null: the owner's. */
    artist_id: ColumnType<number | null, number | null | undefined>;
    created_at: Date;
    last_used_at: Date | null;
  };

  /** Challenges that a passkey has signed, so that none is accepted twice. */
  used_challenges: {
    challenge_hash: Buffer;
    expires_at: Date;
  };
}

export type ConsoleSessionRow = Selectable<ConsoleTables['console_sessions']>;
export type PasskeyRow = Selectable<ConsoleTables['passkeys']>;
