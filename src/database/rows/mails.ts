import type { ColumnType, Generated, Selectable } from 'kysely';

export interface MailTables {
  /** The events whose mails are not made yet. A trigger inserts them. */
  events_to_mail: {
    event_id: string;
  };

  /** Contains no address: that is read from the booking, studio or artist when a mail is sent. */
  mails: {
    id: Generated<string>;
    /** Mails of one booking are sent in this order. */
    position: ColumnType<string, never, never>;
    /** Null for a code, which a person asks for. */
    event_id: string | null;
    /** Null for a mail about a calendar. */
    booking_id: string | null;
    /** The watched calendar that the mail is about; null for a mail about a booking. */
    calendar_id: string | null;
    kind: MailKind;
    recipient: MailRecipient;
    /** The artist to whom the mail goes; null for any other. */
    artist_id: ColumnType<number | null, number | null | undefined>;
    /** The booking's sequence after the event; SEQUENCE in the calendar. 0 for a mail about a calendar. */
    sequence: number;
    created_at: Date;
    status: Generated<MailStatus>;
    /** The reason for dropping it. */
    reason: MailDropReason | null;
    /** Null unless pending. */
    next_attempt_at: Date | null;
    attempts: Generated<number>;
    last_attempt_at: Date | null;
    /** The SMTP reply to the last attempt (RFC 5321, 4.2). */
    last_reply_code: number | null;
    /** Why the last attempt failed (`MailSendError`, or `render`). */
    last_error: string | null;
    /** Null while pending. */
    ended_at: Date | null;
    /** When the studio acknowledged the failure: it needs nobody any more. */
    dismissed_at: ColumnType<Date | null, Date | null | undefined>;
    /** How often the studio sent it again; part of its Message-ID. */
    resends: Generated<number>;
    /** That of its first attempt (BCP 47), which later ones keep. */
    language: ColumnType<string | null, string | null | undefined>;
    /** When it was counted towards the daily limit of its mailbox. */
    counted_at: Date | null;
    /** Until this instant, no other process sends it. */
    claimed_until: Date | null;
    /** The end of a code: then it is neither sent nor accepted; null for other mails. */
    lapses_at: Date | null;
    /** When a change was made with the code. */
    used_at: Date | null;
    /** SHA-256 of the nonce of the browser that asked for the code; null in one of version 2.8.2. */
    browser_hash: Buffer | null;
    /** A keyed hash of the network, or of the person at a platform, that asked for the code. */
    network_hash: Buffer | null;
    /** How often the code was typed wrongly. */
    tries: Generated<number>;
    /** When the code was typed rightly: its browser may then change the booking for a while. */
    opened_at: Date | null;
    /** The part of the studio's budget that the code counts towards; null is `common`. */
    budget_share: CodeShare | null;
    /** A network's first code for a booking, beyond what all networks together may ask for. */
    is_beyond_totals: Generated<boolean>;
  };
}

/** A part of the studio's budget of codes; `new_network`: for networks that asked for none within a day. */
export type CodeShare = 'common' | 'confirmed' | 'new_network';

/** `conflict`: a watched calendar is busy during the confirmed session. */
export type BookingMailKind =
  | 'confirmation'
  | 'move'
  | 'cancellation'
  | 'reminder'
  | 'code'
  | 'conflict';
/** `calendar_failure`: a watched calendar cannot be read. */
export type MailKind = BookingMailKind | 'calendar_failure';
/** `former_artist`: the artist before the move that the mail is about. */
export type MailRecipient = 'person' | 'studio' | 'artist' | 'former_artist';
export type MailStatus = 'pending' | 'sent' | 'failed' | 'dropped';

/**
 * `superseded`: a later change of the booking made it pointless, or the calendar was read. `over`: the
 * session has begun. `forgotten`: the personal data is erased. `no_address`: the artist has none any
 * more. `stopped`: the person stopped reminders. `daily_limit`: its mailbox had reached the limit of a
 * day. `mail_off`, `restored`: mail was switched off, or a backup restored, before it was sent. `lapsed`:
 * the code's time was over.
 */
export type MailDropReason =
  | 'superseded'
  | 'over'
  | 'forgotten'
  | 'no_address'
  | 'stopped'
  | 'daily_limit'
  | 'mail_off'
  | 'restored'
  | 'lapsed';

export type MailRow = Selectable<MailTables['mails']>;
