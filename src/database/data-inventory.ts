import type { Selectable } from 'kysely';
import type { Database } from './rows/schema.js';

/** What a column keeps of a person, and how the copy of their data and the erasure treat it. */
export interface InventoriedColumn {
  /** The label for the person. Null where it is not about them. */
  readonly label: string | null;
  /** `presence`: a hash or a secret; the copy says only that it is kept. */
  readonly copied: 'value' | 'presence' | 'no';
  /** Emptied by the erasure; of an API key, the row is deleted. */
  readonly isErased: boolean;
}

const column =
  (copied: 'value' | 'presence', isErased: boolean) =>
  (label: string): InventoriedColumn => ({ label, copied, isErased });

const personal = column('value', true);
const personalHash = column('presence', true);
/** A column that the erasure keeps, since it then names nobody. */
const kept = column('value', false);
const keptHash = column('presence', false);
/** A column for the work of the service, a copy of another column, or data of somebody else. */
const internal: InventoriedColumn = { label: null, copied: 'no', isErased: false };

type Columns<Table extends keyof Database> = Record<
  keyof Selectable<Database[Table]>,
  InventoriedColumn
>;

/**
 * Every table. Those that keep something of the person of a booking or of the owner of an API key have
 * their columns; the others null. The erasure and the copy of a person's data follow this list.
 */
export const dataInventory = {
  bookings: {
    label: kept('Session'),
    status: kept('Status'),
    name: personal('Name'),
    email: personal('E-mail'),
    phone: personal('Phone'),
    pronouns: personal('Pronouns'),
    language: personal('Language of your pages and mails'),
    idea: personal('Idea'),
    studio_note: personal('The studio’s own note'),
    client_note: personal('The studio’s note about you'),
    studio_word: personal('The studio’s words to you'),
    cancellation_reason: personal('The studio’s reason for cancelling'),
    no_show_at: kept('Recorded that you did not come'),
    closed_day_choice: kept('On a day that the studio closed'),
    date: kept('Date'),
    time_slot: kept('Begins at'),
    starts_at: kept('Begins'),
    starts_at_text: kept('Begins, as programs read it'),
    ends_at: kept('Ends'),
    ends_at_text: kept('Ends, as programs read it'),
    artist_name: kept('With'),
    artist_id: internal,
    is_artist_chosen: kept('You chose who it is with'),
    may_overlap: internal,
    timezone: kept('Time zone'),
    zone_data_version: kept('Data of the time zone by which it was computed again'),
    created_at: kept('Held or added'),
    expires_at: kept('Hold ends'),
    confirmed_at: kept('Confirmed'),
    cancelled_at: kept('Cancelled'),
    expired_at: kept('Lapsed'),
    channel: kept('Came through (rest, mcp: an assistant; page: our page; studio: us)'),
    platform: kept('Platform of the assistant'),
    api_key_id: personal('API key that it was held with'),
    confirmed_via: kept('Confirmed with'),
    moves_while_pending: kept('Moves by you while it was held'),
    moves_once_confirmed: kept('Moves by you since it was confirmed'),
    moved_at: kept('Last moved'),
    changed_at: kept('Last changed'),
    sequence: kept('Changes'),
    quiet_changes: kept('Latest changes without a mail'),
    reminders_stopped_at: personal('You stopped reminders'),
    code_asked_at: personal('You last asked for a code'),
    code_proven_at: personal('You last made a change with a code'),
    caller_network_hash: personalHash('Hash of the network, or of your name at a platform'),
    idempotency_scope: personalHash('Hash of the sender of the Idempotency-Key'),
    idempotency_key: personalHash('Idempotency-Key of the request'),
    request_hash: personalHash('Hash of the request'),
    form_nonce_hash: personalHash('Hash of the form’s random number'),
    checkout_token_hash: keptHash('Hash of the link of its page'),
    checkout_token_sealed: keptHash('Link that was made with it, encrypted'),
    current_token_sealed: keptHash('Link that a correction made, encrypted'),
    id: kept('Id'),
  },
  events: {
    type: kept('What happened'),
    occurred_at: kept('When'),
    data: kept('The booking then'),
    dispatched_at: kept('Handed to mail and other programs'),
    webhook_body: kept('Text for other programs'),
    trace_context: keptHash('Number of the request in the operator’s measurements'),
    id: kept('Id'),
    booking_id: internal,
    position: internal,
  },
  audit_log: {
    action: kept('What the studio did'),
    occurred_at: kept('When'),
    details: kept('Details'),
    id: kept('Id'),
    position: internal,
    /** Somebody else's: those who work for the studio (src/decisions.md). */
    actor: internal,
  },
  mails: {
    kind: kept('Mail'),
    recipient: kept('To'),
    status: kept('Status'),
    created_at: kept('Made'),
    ended_at: kept('Ended'),
    reason: kept('Dropped because'),
    sequence: kept('Changes of the booking until then'),
    attempts: kept('Attempts'),
    last_attempt_at: kept('Last attempt'),
    next_attempt_at: kept('Next attempt'),
    last_reply_code: kept('Reply of the mail server'),
    last_error: kept('Why the last attempt failed'),
    resends: kept('Sent again'),
    language: personal('Language'),
    dismissed_at: kept('Acknowledged by the studio as failed'),
    counted_at: kept('Counted towards the limit of a day'),
    lapses_at: kept('Code valid until'),
    used_at: kept('Code used'),
    opened_at: kept('Code typed'),
    tries: kept('Wrong tries'),
    budget_share: kept('Limit that the code counts towards'),
    is_beyond_totals: kept('Code beyond the limits of all networks'),
    browser_hash: keptHash('Hash of the browser that asked for the code'),
    network_hash: keptHash('Hash of the network, or of your name at a platform'),
    id: kept('Id'),
    event_id: kept('Event'),
    booking_id: internal,
    calendar_id: internal,
    artist_id: internal,
    claimed_until: internal,
    position: internal,
  },
  /** It is emptied when its mails are made: the event itself says all. */
  events_to_mail: null,
  webhook_deliveries: {
    status: kept('Status'),
    attempts: kept('Attempts'),
    last_attempt_at: kept('Last attempt'),
    next_attempt_at: kept('Next attempt'),
    last_status_code: kept('Response'),
    last_error: kept('Why the last attempt failed'),
    event_id: kept('Event'),
    subscription_id: kept('Subscription'),
    id: kept('Id'),
  },
  booking_conflicts: {
    starts_at: kept('Session during which a studio calendar was busy'),
    found_at: kept('Found'),
    booking_id: internal,
  },
  api_keys: {
    email: personal('E-mail'),
    /** A label by whoever made the key: anybody can, with any address. */
    label: internal,
    created_at: personal('Made'),
    last_used_at: personal('Last used'),
    revoked_at: personal('Revoked'),
    key_hash: personalHash('Hash of the key'),
    network_hash: personalHash('Hash of the network that asked for it'),
    id: personal('Id'),
  },
  calendar_feeds: {
    label: kept('Calendar'),
    has_details: kept('Shows your name and phone, not only initials'),
    created_at: kept('Since'),
    id: internal,
    artist_id: internal,
    token_hash: internal,
  },
  studio: null,
  studio_addresses: null,
  artists: null,
  week_days: null,
  closures: null,
  openings: null,
  installation: null,
  zone_data: null,
  platforms: null,
  webhook_subscriptions: null,
  console_links: null,
  console_sessions: null,
  console_visits: null,
  passkeys: null,
  used_challenges: null,
  watched_calendars: null,
  busy_intervals: null,
} satisfies { [Table in keyof Database]: Columns<Table> | null };

type Inventory = typeof dataInventory;

/** A table that keeps something of a person. */
export type PersonalTable = {
  [Table in keyof Inventory]: Inventory[Table] extends null ? never : Table;
}[keyof Inventory];

/** The columns of such a table, in the order for the person. */
export function inventoriedColumns(table: PersonalTable): [name: string, InventoriedColumn][] {
  return Object.entries(dataInventory[table]);
}
