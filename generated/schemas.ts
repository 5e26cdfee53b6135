// Made from openapi.yaml by `npm run generate`; never edited by hand.

import { Type, type ObjectOptions, type Static, type TSchema } from '@sinclair/typebox';

/** A value from a list, kept as `enum`. */
export function Enum<const Value extends string | number | boolean | null>(
  type: string | string[],
  values: Value[],
) {
  return Type.Unsafe<Value>({ type, enum: values });
}

/** An object with any names, whose values all have one schema. */
export function MapOf<Values extends TSchema>(values: Values, options: ObjectOptions = {}) {
  return Type.Unsafe<Record<string, Static<Values>>>({
    ...options,
    type: 'object',
    additionalProperties: values,
  });
}

/** The schema or null, kept as a list of types. */
export function Nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Unsafe<Static<Schema> | null>({ ...schema, type: [schema['type'], 'null'] });
}

/** Exactly one of the schemas. */
export function OneOf<Schemas extends TSchema[]>(oneOf: [...Schemas]) {
  return Type.Unsafe<Static<Schemas[number]>>({ oneOf });
}

/**
 * A date that exists in the calendar, `YYYY-MM-DD`, in the studio's time zone. The calendar
 * has no
 * year 0000.
 */
export const CalendarDate = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}$',
  format: 'date',
  description:
    "A date that exists in the calendar, `YYYY-MM-DD`, in the studio's time zone. The calendar has no\nyear 0000.\n",
});
export type CalendarDate = Static<typeof CalendarDate>;

/** One of the three session times, on the studio's wall clock. */
export const TimeSlot = Enum('string', ['9:00 AM', '1:00 PM', '5:00 PM']);
export type TimeSlot = Static<typeof TimeSlot>;

/** A day of the week. */
export const Weekday = Enum('string', [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
]);
export type Weekday = Static<typeof Weekday>;

/**
 * `pending`: held until `expires_at`, waiting for the person. `confirmed`: the person (or
 * the
 * studio) locked it in. `expired`: nobody did in time (final). `cancelled`: given up by
 * the person or the
 * studio (final).
 */
export const BookingStatus = Enum('string', ['pending', 'confirmed', 'expired', 'cancelled']);
export type BookingStatus = Static<typeof BookingStatus>;

/** An instant in UTC, RFC 3339. */
export const Instant = Type.String({ format: 'date-time' });
export type Instant = Static<typeof Instant>;

/** An instant in UTC, RFC 3339; null where it has not happened. */
export const NullableInstant = Nullable(Type.String({ format: 'date-time' }));
export type NullableInstant = Static<typeof NullableInstant>;

/** When the session starts, RFC 3339 with the studio's own UTC offset. */
export const StartsAt = Type.String({ format: 'date-time' });
export type StartsAt = Static<typeof StartsAt>;

/** Where the studio is. */
export const Address = Type.Object(
  {
    /** Street and number. */
    street: Type.String(),

    /** City. */
    city: Type.String(),

    /** State or region. */
    region: Type.String(),

    /** Postal code. */
    postal_code: Type.String(),

    /** ISO 3166-1 alpha-2 country code, such as `US`. */
    country: Type.String(),
  },
  { additionalProperties: false },
);
export type Address = Static<typeof Address>;

/** How to reach the studio. */
export const Contact = Type.Object(
  {
    /** The studio's e-mail address. */
    email: Type.String(),

    /** The studio's telephone number. */
    phone: Type.String(),

    /** The studio's website. */
    website: Type.String(),
  },
  { additionalProperties: false },
);
export type Contact = Static<typeof Contact>;

/** One day of the week; `opens` and `closes` are null when the studio is closed. */
export const OpeningHours = Type.Object(
  {
    day: Weekday,

    /** Opening time, 24 hours, `HH:MM`, or null. */
    opens: Nullable(Type.String()),

    /** Closing time, 24 hours, `HH:MM`, or null. */
    closes: Nullable(Type.String()),
  },
  { additionalProperties: false },
);
export type OpeningHours = Static<typeof OpeningHours>;

/** One step of a booking. */
export const BookingStep = Type.Object(
  {
    /** The step's number, from 1. */
    step: Type.Integer(),

    /** Who does it; the agent never does a step of the end user. */
    actor: Enum('string', ['agent', 'end_user']),

    /** The step in a few words. */
    title: Type.String(),

    /** What to do. */
    description: Type.String(),
  },
  { additionalProperties: false },
);
export type BookingStep = Static<typeof BookingStep>;

/** How a booking is made, and who does which step. */
export const BookingFlow = Type.Object(
  {
    /** How long a hold lasts, in minutes. */
    hold_minutes: Type.Number(),

    /** Whether the person pays. Booking is free. */
    payment_required: Type.Boolean(),

    /** The steps, in order. */
    steps: Type.Array(BookingStep),
  },
  { additionalProperties: false },
);
export type BookingFlow = Static<typeof BookingFlow>;

/** The studio, as a person would ask about it. */
export const Studio = Type.Object(
  {
    /** The studio's name. */
    name: Type.String(),

    /** What the studio does, in a few sentences. */
    description: Type.String(),

    /** IANA time zone, such as `America/Los_Angeles`. */
    timezone: Type.String(),
    address: Address,
    contact: Contact,

    /** The week, Monday first; seven rows. */
    hours: Type.Array(OpeningHours, { minItems: 7, maxItems: 7 }),

    /** The three session times. */
    session_times: Type.Array(TimeSlot),
    booking_flow: BookingFlow,
  },
  { additionalProperties: false },
);
export type Studio = Static<typeof Studio>;

/** One open slot. */
export const OpenSlot = Type.Object(
  {
    time_slot: TimeSlot,
    starts_at: StartsAt,
  },
  { additionalProperties: false },
);
export type OpenSlot = Static<typeof OpenSlot>;

/** One date with its open slots. */
export const AvailableDay = Type.Object(
  {
    date: CalendarDate,
    weekday: Weekday,

    /** The open slots of the date, in order. */
    slots: Type.Array(OpenSlot, { minItems: 1 }),
  },
  { additionalProperties: false },
);
export type AvailableDay = Static<typeof AvailableDay>;

/** Open slots grouped by date. */
export const Availability = Type.Object(
  {
    /** The studio's IANA time zone. */
    timezone: Type.String(),
    from: CalendarDate,
    to: CalendarDate,

    /** How many slots are open in the range. */
    total_open: Type.Integer({ minimum: 0 }),

    /** The dates with at least one open slot, in order. */
    days: Type.Array(AvailableDay),
  },
  { additionalProperties: false },
);
export type Availability = Static<typeof Availability>;

/** The open slots of today and the 30 days after. */
export const AvailabilityEvent = Type.Object(
  {
    /** What `data` is. */
    event: Enum('string', ['availability']),

    /** Stands for the content of `data`. */
    id: Type.String(),
    data: Availability,
  },
  { additionalProperties: false },
);
export type AvailabilityEvent = Static<typeof AvailabilityEvent>;

/** An open slot that can be held. */
export const Alternative = Type.Object(
  {
    date: CalendarDate,
    time_slot: TimeSlot,
    starts_at: StartsAt,

    /** The slot, ready for a sentence. */
    label: Type.String(),
  },
  { additionalProperties: false },
);
export type Alternative = Static<typeof Alternative>;

/** The studio in figures. */
export const Pulse = Type.Object(
  {
    /** How many slots are open today and in the 30 days after. */
    open_slots: Type.Integer({ minimum: 0 }),

    /** The first open slot, however far ahead; null when none is open. */
    next_open: OneOf([Alternative, Type.Null()]),

    /** How many holds wait for their person. */
    pending_holds: Type.Integer({ minimum: 0 }),

    /** How many confirmed sessions have not started yet. */
    confirmed_upcoming: Type.Integer({ minimum: 0 }),

    /** How many streams are open on the server that answers. */
    viewers: Type.Integer({ minimum: 0 }),
    server_time: Instant,
  },
  { additionalProperties: false },
);
export type Pulse = Static<typeof Pulse>;

/** The studio in figures. */
export const PulseEvent = Type.Object(
  {
    /** What `data` is. */
    event: Enum('string', ['pulse']),
    data: Pulse,
  },
  { additionalProperties: false },
);
export type PulseEvent = Static<typeof PulseEvent>;

/** A sign of life. */
export const Heartbeat = Type.Object(
  {
    server_time: Instant,
  },
  { additionalProperties: false },
);
export type Heartbeat = Static<typeof Heartbeat>;

/** A sign of life. */
export const HeartbeatEvent = Type.Object(
  {
    /** What `data` is. */
    event: Enum('string', ['heartbeat']),
    data: Heartbeat,
  },
  { additionalProperties: false },
);
export type HeartbeatEvent = Static<typeof HeartbeatEvent>;

/** One event of the live stream, with its `data` parsed. */
export const LiveEvent = OneOf([AvailabilityEvent, PulseEvent, HeartbeatEvent]);
export type LiveEvent = Static<typeof LiveEvent>;

/** Which slot to hold, and for whom. */
export const HoldRequest = Type.Object(
  {
    date: CalendarDate,
    time_slot: TimeSlot,

    /** The person's name; at least one character that can be seen, at most 120 characters. */
    name: Type.String({
      minLength: 1,
      maxLength: 120,
      pattern: '^(?=\\s*\\S)[^\\u0000\\uD800-\\uDFFF]*$',
      description:
        "The person's name; at least one character that can be seen, at most 120 characters.\n",
    }),

    /** The person's e-mail address, at most 254 characters. */
    email: Type.String({
      maxLength: 254,
      pattern: '^[^\\u0000\\uD800-\\uDFFF]*$',
      format: 'email',
      description: "The person's e-mail address, at most 254 characters.",
    }),

    /**
     * A US telephone number: ten digits. Spaces, dots, dashes, brackets and a leading `+1` or
     * `1` are accepted and removed.
     */
    phone: Type.String({
      maxLength: 40,
      pattern: '^[ .()\\[\\]\\-]*(?:\\+?1[ .()\\[\\]\\-]*)?(?:[0-9][ .()\\[\\]\\-]*){10}$',
      description:
        'A US telephone number: ten digits. Spaces, dots, dashes, brackets and a leading `+1` or\n`1` are accepted and removed.\n',
    }),

    /** The person's pronouns, at most 40 characters. */
    pronouns: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 40,
          pattern: '^[^\\u0000\\uD800-\\uDFFF]*$',
          description: "The person's pronouns, at most 40 characters.",
        }),
      ),
    ),

    /** What the person has in mind, at most 2,000 characters. */
    idea: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 2000,
          pattern: '^[^\\u0000\\uD800-\\uDFFF]*$',
          description: 'What the person has in mind, at most 2,000 characters.',
        }),
      ),
    ),
  },
  { additionalProperties: false },
);
export type HoldRequest = Static<typeof HoldRequest>;

/** Everything needed to hand the last step to the person. */
export const Handoff = Type.Object(
  {
    /** The hand-off is a link. */
    type: Enum('string', ['url']),

    /** Who must act. */
    actor: Enum('string', ['end_user']),

    /** Without it there is no booking. */
    required: Enum('boolean', [true]),

    /** The link for the person, as `checkout_url`. */
    url: Type.String({ format: 'uri' }),

    /** The link's host, to show where it leads. */
    url_host: Type.String(),

    /** What to tell the person. */
    message: Type.String(),

    /** What the agent does and does not do next. */
    agent_instructions: Type.Array(Type.String()),
    expires_at: Instant,

    /** What to do when the hold has expired. */
    on_expiry: Enum('string', ['create_new_hold']),

    /** Where to read the booking's status. */
    status_url: Type.String({ format: 'uri' }),

    /** Do not read the status more often than this, in seconds. */
    poll_interval_seconds: Type.Integer(),
  },
  { additionalProperties: false },
);
export type Handoff = Static<typeof Handoff>;

/** A slot held for 15 minutes, and what to hand to the person. */
export const Hold = Type.Object(
  {
    /** The booking's id. */
    id: Type.String({ format: 'uuid' }),

    /** A new hold is pending. */
    status: Enum('string', ['pending']),
    date: CalendarDate,
    time_slot: TimeSlot,
    starts_at: StartsAt,

    /** The studio's IANA time zone. */
    timezone: Type.String(),

    /** The slot, ready for a sentence. */
    label: Type.String(),
    created_at: Instant,
    expires_at: Instant,
    server_time: Instant,

    /** The address that the person opens. Never open it yourself. */
    checkout_url: Type.String({ format: 'uri' }),
    handoff: Handoff,
  },
  { additionalProperties: false },
);
export type Hold = Static<typeof Hold>;

/** A booking's status. It has no personal data. */
export const Booking = Type.Object(
  {
    /** The booking's id. */
    id: Type.String({ format: 'uuid' }),
    status: BookingStatus,
    date: CalendarDate,
    time_slot: TimeSlot,
    starts_at: StartsAt,

    /** The studio's IANA time zone. */
    timezone: Type.String(),

    /** The slot, ready for a sentence. */
    label: Type.String(),
    created_at: Instant,
    expires_at: Instant,
    confirmed_at: NullableInstant,
    cancelled_at: NullableInstant,
    expired_at: NullableInstant,
  },
  { additionalProperties: false },
);
export type Booking = Static<typeof Booking>;

/**
 * `hold.created`: a slot is held. `booking.confirmed`: the person locked it in.
 * `hold.expired`: nobody did in time. A hold that the person lets go, and a booking that
 * is
 * cancelled or moved, send no event: read the booking to learn of it.
 */
export const WebhookEventType = Enum('string', [
  'hold.created',
  'booking.confirmed',
  'hold.expired',
]);
export type WebhookEventType = Static<typeof WebhookEventType>;

/** Where to send which events. */
export const WebhookRequest = Type.Object(
  {
    /**
     * Where deliveries go: `https`, port 443 or 8443, without user name and password, on the
     * public internet. At most 2,048 characters. A service that runs on a loopback address,
     * to be tried, also takes `http`, any port and private addresses.
     */
    url: Type.String({
      maxLength: 2048,
      pattern: '^[^\\u0000\\uD800-\\uDFFF]*$',
      format: 'uri',
      description:
        'Where deliveries go: `https`, port 443 or 8443, without user name and password, on the\npublic internet. At most 2,048 characters. A service that runs on a loopback address,\nto be tried, also takes `http`, any port and private addresses.\n',
    }),

    /** The kinds of events to send, each once; all three when left out. */
    events: Type.Optional(
      Type.Array(Enum('string', ['hold.created', 'booking.confirmed', 'hold.expired']), {
        minItems: 1,
        uniqueItems: true,
      }),
    ),
  },
  { additionalProperties: false },
);
export type WebhookRequest = Static<typeof WebhookRequest>;

/**
 * `active`: events are delivered. `disabled`: nothing is sent any more, see `disabled_reason`;
 * subscribe anew.
 */
export const WebhookStatus = Enum('string', ['active', 'disabled']);
export type WebhookStatus = Static<typeof WebhookStatus>;

/** A new subscription, with the two secrets that are shown only here. */
export const CreatedWebhook = Type.Object(
  {
    /** The subscription's id. */
    id: Type.String({ format: 'uuid' }),

    /** Where deliveries go. */
    url: Type.String({ format: 'uri' }),

    /** The kinds of events that are sent. */
    events: Type.Array(WebhookEventType),

    /** A new subscription is active. */
    status: Enum('string', ['active']),
    created_at: Instant,

    /**
     * The secret to verify deliveries with: `whsec_` and the base64 of 32 random bytes. Shown
     * only here.
     */
    signing_secret: Type.String({
      pattern: '^whsec_[A-Za-z0-9+/]{43}=$',
      description:
        'The secret to verify deliveries with: `whsec_` and the base64 of 32 random bytes. Shown\nonly here.\n',
    }),

    /** The bearer token for `GET` and `DELETE /api/public/webhooks`. Shown only here. */
    manage_token: Type.String({
      pattern: '^tsm_[0-9A-Za-z]{38}$',
      description:
        'The bearer token for `GET` and `DELETE /api/public/webhooks`. Shown only here.\n',
    }),
  },
  { additionalProperties: false },
);
export type CreatedWebhook = Static<typeof CreatedWebhook>;

/** One event on its way to a subscription. */
export const WebhookDelivery = Type.Object(
  {
    /** The event, as `webhook-id` names it. */
    event_id: Type.String({ format: 'uuid' }),
    type: WebhookEventType,

    /**
     * `pending`: waiting for its first or its next attempt. `delivered`: the receiver answered
     * 2xx. `failed`: no attempts are left, or the subscription was disabled.
     */
    status: Enum('string', ['pending', 'delivered', 'failed']),

    /** How often it was tried. */
    attempts: Type.Integer({ minimum: 0 }),

    /** What the receiver answered last; null when it never answered. */
    last_status_code: Nullable(Type.Integer()),
    last_attempt_at: NullableInstant,
    next_attempt_at: NullableInstant,
  },
  { additionalProperties: false },
);
export type WebhookDelivery = Static<typeof WebhookDelivery>;

/** A subscription and its last deliveries. */
export const Webhook = Type.Object(
  {
    /** The subscription's id. */
    id: Type.String({ format: 'uuid' }),

    /** Where deliveries go. */
    url: Type.String({ format: 'uri' }),

    /** The kinds of events that are sent. */
    events: Type.Array(WebhookEventType),
    status: WebhookStatus,

    /**
     * Null while active. `gone`: the receiver answered 410. `never_succeeded`: 24 hours without
     * a first success. `failing`: five days of nothing but failures. `studio`: the studio
     * disabled it; ask by e-mail. `secret_lost`: the studio lost its signing secret.
     */
    disabled_reason: Enum(
      ['string', 'null'],
      ['gone', 'never_succeeded', 'failing', 'studio', 'secret_lost', null],
    ),
    created_at: Instant,

    /** The last 20 deliveries, newest first. */
    recent_deliveries: Type.Array(WebhookDelivery, { maxItems: 20 }),
  },
  { additionalProperties: false },
);
export type Webhook = Static<typeof Webhook>;

/** Which subscription was deleted. */
export const DeletedWebhook = Type.Object(
  {
    /** The id that it had. */
    id: Type.String({ format: 'uuid' }),

    /** It is gone. */
    deleted: Enum('boolean', [true]),
  },
  { additionalProperties: false },
);
export type DeletedWebhook = Static<typeof DeletedWebhook>;

/** The body of a delivery; every retry has the same bytes. */
export const WebhookEvent = Type.Object(
  {
    type: WebhookEventType,
    timestamp: Instant,
    data: Booking,
  },
  { additionalProperties: false },
);
export type WebhookEvent = Static<typeof WebhookEvent>;

/** Whom an API key is for. */
export const AgentKeyRequest = Type.Object(
  {
    /** Where the key's owner is reached, at most 254 characters. */
    email: Type.String({
      maxLength: 254,
      pattern: '^[^\\u0000\\uD800-\\uDFFF]*$',
      format: 'email',
      description: "Where the key's owner is reached, at most 254 characters.",
    }),

    /** A name for the key, to tell it from others; at most 120 characters. */
    label: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 120,
          pattern: '^[^\\u0000\\uD800-\\uDFFF]*$',
          description: 'A name for the key, to tell it from others; at most 120 characters.',
        }),
      ),
    ),
  },
  { additionalProperties: false },
);
export type AgentKeyRequest = Static<typeof AgentKeyRequest>;

/** The budgets of a keyed caller. */
export const AgentKeyLimits = Type.Object(
  {
    /** Reads in a minute. */
    reads_per_minute: Type.Integer({ minimum: 1 }),

    /** Holds in an hour, and as many webhook subscriptions. */
    writes_per_hour: Type.Integer({ minimum: 1 }),
  },
  { additionalProperties: false },
);
export type AgentKeyLimits = Static<typeof AgentKeyLimits>;

/** A new API key. */
export const AgentKey = Type.Object(
  {
    /** The key's id; it is no secret. */
    id: Type.String({ format: 'uuid' }),

    /** The key itself: send it as `Authorization: Bearer <key>`. Shown only here. */
    key: Type.String({
      pattern: '^tsk_[0-9A-Za-z]{38}$',
      description: 'The key itself: send it as `Authorization: Bearer <key>`. Shown only here.',
    }),

    /** The label that was given. */
    label: Nullable(Type.String()),
    created_at: Instant,
    limits: AgentKeyLimits,

    /** What to do with the key now. */
    notice: Type.String(),
  },
  { additionalProperties: false },
);
export type AgentKey = Static<typeof AgentKey>;

/** The ways to reach the service; all have the same functions. */
export const Transports = Type.Object(
  {
    /** HTTP and JSON. */
    rest: Type.Object(
      {
        /** What every path is appended to. */
        base_url: Type.String({ format: 'uri' }),

        /** The OpenAPI document. */
        openapi_url: Type.String({ format: 'uri' }),
      },
      { additionalProperties: false },
    ),

    /** The Model Context Protocol over Streamable HTTP. */
    mcp: Type.Object(
      {
        /** The connector's address. */
        url: Type.String({ format: 'uri' }),

        /** The protocol revisions that it speaks, newest first. */
        protocol_versions: Type.Array(Type.String()),
      },
      { additionalProperties: false },
    ),

    /** The live stream, as server-sent events. */
    sse: Type.Object(
      {
        /** The stream's address. */
        url: Type.String({ format: 'uri' }),

        /** The kinds of events on the stream. */
        events: Type.Array(Type.String()),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);
export type Transports = Static<typeof Transports>;

/** One thing that the service can do. */
export const Capability = Type.Object(
  {
    /** The capability's name. */
    name: Type.String(),

    /** Its version; a consumer of `2.x` can use every `2.y`. */
    version: Type.String(),

    /** What it is for. */
    description: Type.String(),

    /** The `operationId`s of the OpenAPI document that belong to it. */
    operations: Type.Array(Type.String()),

    /** The MCP tools of the same purpose. */
    tools: Type.Array(Type.String()),
  },
  { additionalProperties: false },
);
export type Capability = Static<typeof Capability>;

/** How many requests a window of time holds. */
export const Budget = Type.Object(
  {
    /** As in `RateLimit-Policy`. */
    name: Type.String(),

    /** The window's length. */
    window_seconds: Type.Integer(),

    /** Requests per window without an API key. */
    anonymous: Type.Integer(),

    /** Requests per window with an API key. */
    keyed: Type.Integer(),

    /**
     * `caller`: the API key, or the address of an anonymous caller (IPv6 by /64). `address`:
     * always the address.
     */
    counted_per: Enum('string', ['caller', 'address']),

    /**
     * The operations that are charged to it; `reads` is charged for all others, and `pages`
     * for
     * what is outside the interface, such as `/guide.md`.
     */
    operations: Type.Array(Type.String()),
  },
  { additionalProperties: false },
);
export type Budget = Static<typeof Budget>;

/**
 * Hosted assistants call for many people from a few addresses. From addresses that the studio
 * has listed as a platform's, each figure that is counted per caller counts per person,
 * where a
 * tool call says who the person is (`_meta["openai/subject"]`); these count all people of
 * the
 * platform together, unless the studio has given it others.
 */
export const PlatformLimits = Type.Object(
  {
    /** Reads of all its people. */
    reads_per_minute: Type.Integer(),

    /** Holds of all its people. */
    holds_per_hour: Type.Integer(),

    /** Its pending holds, a share of `max_pending_holds`. */
    max_pending_holds: Type.Integer(),

    /** Its bookings that are pending, or confirmed and not over, and were placed within 24 hours. */
    max_live_bookings: Type.Integer(),
  },
  { additionalProperties: false },
);
export type PlatformLimits = Static<typeof PlatformLimits>;

/** Every figure to plan with, as configured here. */
export const Limits = Type.Object(
  {
    /** How many requests a window of time holds. */
    budgets: Type.Array(Budget),

    /** How long a hold lasts. */
    hold_lifetime_seconds: Type.Integer(),

    /** Pending holds of the whole studio; beyond it, 503. */
    max_pending_holds: Type.Integer(),

    /** Pending holds of one caller, by API key and by address; beyond it, 503. */
    max_pending_holds_per_caller: Type.Integer(),

    /**
     * Bookings of one person that are pending, or confirmed and not over, by `email` (in lower
     * case, without a `+tag`) and by `phone`; beyond it, 429.
     */
    max_live_bookings_per_person: Type.Integer(),

    /**
     * Bookings that are pending, or confirmed and not over, and that one caller placed within
     * 24 hours, by API key and by address (IPv6 by /48); beyond it, 429.
     */
    max_live_bookings_per_caller: Type.Integer(),
    platform: PlatformLimits,

    /** How far ahead a session must be held. */
    min_notice_minutes: Type.Integer(),

    /** How far ahead sessions can be held. */
    booking_horizon_days: Type.Integer(),

    /** How many days `to` may be after `from`. */
    availability_range_days: Type.Integer(),

    /** How many open slots `slot_unavailable` offers. */
    max_alternatives: Type.Integer(),

    /** The longest `Prefer: wait=N` on `GET /api/public/bookings/{id}`. */
    max_wait_seconds: Type.Integer(),

    /** How many such waits one caller may have at once. */
    max_waits_per_caller: Type.Integer(),

    /** How many live streams one address may have open. */
    max_streams_per_address: Type.Integer(),

    /** How many live webhook subscriptions one address may have. */
    max_webhooks_per_address: Type.Integer(),

    /** How many live webhook subscriptions may have one host as their target. */
    max_webhooks_per_host: Type.Integer(),

    /** How many live webhook subscriptions there may be in all. */
    max_webhooks: Type.Integer(),

    /** The largest request body. */
    max_body_bytes: Type.Integer(),

    /** The longest text of each member of a hold request, in characters. */
    max_lengths: MapOf(Type.Integer()),
  },
  { additionalProperties: false },
);
export type Limits = Static<typeof Limits>;

/** How events are delivered. */
export const WebhookFacts = Type.Object(
  {
    /** The kinds of events that can be subscribed to. */
    events: Type.Array(Type.String()),

    /** How a delivery is signed. */
    signature: Type.String(),

    /** After how many seconds a failed delivery is tried again, each time. */
    retry_schedule_seconds: Type.Array(Type.Integer()),
  },
  { additionalProperties: false },
);
export type WebhookFacts = Static<typeof WebhookFacts>;

/** How to repeat a request without doing it twice. */
export const IdempotencyFacts = Type.Object(
  {
    /** The request header that carries the key. */
    header: Type.String(),

    /** The tool argument that carries it. */
    tool_argument: Type.String(),

    /** The operations that honour it. */
    operations: Type.Array(Type.String()),

    /** The longest key. */
    max_length: Type.Integer(),

    /** The header that marks a replayed answer. */
    replay_header: Type.String(),
  },
  { additionalProperties: false },
);
export type IdempotencyFacts = Static<typeof IdempotencyFacts>;

/**
 * What went wrong, for programs. New codes may be added: treat one that you do not know
 * by its
 * status.
 */
export const ErrorCode = Enum('string', [
  'invalid_request',
  'idempotency_key_reused',
  'manage_token_missing',
  'manage_token_invalid',
  'forbidden',
  'booking_not_found',
  'subscription_not_found',
  'not_found',
  'method_not_allowed',
  'request_timeout',
  'slot_unavailable',
  'payload_too_large',
  'uri_too_long',
  'unsupported_media_type',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'too_many_pending_holds',
  'service_unavailable',
]);
export type ErrorCode = Static<typeof ErrorCode>;

/** One error code. */
export const ErrorFacts = Type.Object(
  {
    code: ErrorCode,

    /** The HTTP status that it comes with. */
    status: Type.Integer(),

    /** Whether the same request may succeed later. */
    retryable: Type.Boolean(),
  },
  { additionalProperties: false },
);
export type ErrorFacts = Static<typeof ErrorFacts>;

/** What only the person may do. */
export const HumanConfirmation = Type.Object(
  {
    /** Whether a booking needs it. */
    required: Type.Boolean(),

    /** Who confirms. */
    actor: Enum('string', ['end_user']),

    /**
     * What confirming takes: `link`, that the person has the link; `code`, also six digits that
     * are mailed to the `email` of the hold when the person asks for them on the page.
     */
    proof: Enum('string', ['link', 'code']),

    /** The operation whose answer has the link. */
    operation: Type.String(),

    /** The tool whose answer has the link. */
    tool: Type.String(),

    /** The member that has the link. */
    url_member: Type.String(),

    /** How long the person has. */
    hold_lifetime_seconds: Type.Integer(),

    /** The rule, in words. */
    description: Type.String(),
  },
  { additionalProperties: false },
);
export type HumanConfirmation = Static<typeof HumanConfirmation>;

/** How the end of an operation is announced. */
export const DeprecationFacts = Type.Object(
  {
    /** The headers of its answers that tell since when, and until when. */
    headers: Type.Array(Type.String()),

    /** How many days before the end, at least. */
    notice_days: Type.Integer(),
  },
  { additionalProperties: false },
);
export type DeprecationFacts = Static<typeof DeprecationFacts>;

/** What consumers may rely on, and how the end of something is announced. */
export const CompatibilityFacts = Type.Object(
  {
    /** The versions in which whatever works now goes on working, such as `2.x`. */
    stable_within: Type.String(),

    /** What may be added in these versions; consumers tolerate it. */
    additions: Type.Array(Type.String()),

    /** The policy, in words. */
    policy_url: Type.String({ format: 'uri' }),
    deprecation: DeprecationFacts,
  },
  { additionalProperties: false },
);
export type CompatibilityFacts = Static<typeof CompatibilityFacts>;

/** What the service can do, and within which limits. */
export const Capabilities = Type.Object(
  {
    /** The version of this interface, as `info.version` of the OpenAPI document. */
    interface_version: Type.String(),

    /** The service's name. */
    service: Type.String(),

    /** The documentation for people. */
    documentation_url: Type.String({ format: 'uri' }),
    transports: Transports,

    /** What can be done, and by which operations and tools. */
    capabilities: Type.Array(Capability),
    limits: Limits,
    webhooks: WebhookFacts,
    idempotency: IdempotencyFacts,

    /** Every error code that an answer may carry. */
    errors: Type.Array(ErrorFacts),
    human_confirmation: HumanConfirmation,
    compatibility: CompatibilityFacts,
  },
  { additionalProperties: false },
);
export type Capabilities = Static<typeof Capabilities>;

/** Always `2.0`. */
export const JsonRpcVersion = Enum('string', ['2.0']);
export type JsonRpcVersion = Static<typeof JsonRpcVersion>;

/** Chosen by the client; the response has the same. */
export const JsonRpcId = Type.Unsafe<string | number>({
  type: ['string', 'number'],
  pattern: '^[^\\u0000\\uD800-\\uDFFF]*$',
  description: 'Chosen by the client; the response has the same.',
});
export type JsonRpcId = Static<typeof JsonRpcId>;

/** The MCP method, such as `tools/call`. */
export const JsonRpcMethod = Type.String({
  pattern: '^[^\\u0000\\uD800-\\uDFFF]*$',
  description: 'The MCP method, such as `tools/call`.',
});
export type JsonRpcMethod = Static<typeof JsonRpcMethod>;

/** The method's parameters, by name. */
export const JsonRpcParams = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
});
export type JsonRpcParams = Static<typeof JsonRpcParams>;

/** A request; it is answered. */
export const JsonRpcRequest = Type.Object(
  {
    jsonrpc: JsonRpcVersion,
    id: JsonRpcId,
    method: JsonRpcMethod,
    params: Type.Optional(JsonRpcParams),
  },
  { additionalProperties: false },
);
export type JsonRpcRequest = Static<typeof JsonRpcRequest>;

/** A notification; it is accepted and not answered. */
export const JsonRpcNotification = Type.Object(
  {
    jsonrpc: JsonRpcVersion,
    method: JsonRpcMethod,
    params: Type.Optional(JsonRpcParams),
  },
  { additionalProperties: false },
);
export type JsonRpcNotification = Static<typeof JsonRpcNotification>;

/** The response to a request that was understood. */
export const JsonRpcResult = Type.Object(
  {
    jsonrpc: JsonRpcVersion,
    id: JsonRpcId,

    /** What the method answers, as MCP defines it. */
    result: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
  },
  { additionalProperties: false },
);
export type JsonRpcResult = Static<typeof JsonRpcResult>;

/** Why there is no result. */
export const JsonRpcError = Type.Object(
  {
    /**
     * `-32700` no JSON, `-32600` no JSON-RPC message or a batch, `-32601` unknown method,
     * `-32602` wrong params or an unknown tool, `-32022` a protocol revision that is not
     * served, `-32020` headers that contradict the message.
     */
    code: Type.Integer(),

    /** What was wrong and what to do next. */
    message: Type.String({
      pattern: '^[^\\u0000\\uD800-\\uDFFF]*$',
      description: 'What was wrong and what to do next.',
    }),

    /** More, for programs, such as the revisions that are served. */
    data: Type.Optional(Type.Unknown()),
  },
  { additionalProperties: false },
);
export type JsonRpcError = Static<typeof JsonRpcError>;

/** The response to what was no proper request. */
export const JsonRpcFailure = Type.Object(
  {
    jsonrpc: JsonRpcVersion,

    /** The request's id; null where none could be read. */
    id: Type.Unsafe<string | number | null>({
      type: ['string', 'number', 'null'],
      pattern: '^[^\\u0000\\uD800-\\uDFFF]*$',
      description: "The request's id; null where none could be read.",
    }),
    error: JsonRpcError,
  },
  { additionalProperties: false },
);
export type JsonRpcFailure = Static<typeof JsonRpcFailure>;

/** A response; either a result or an error. */
export const JsonRpcResponse = OneOf([JsonRpcResult, JsonRpcFailure]);
export type JsonRpcResponse = Static<typeof JsonRpcResponse>;

/** One JSON-RPC 2.0 message, as MCP clients send it. No batches. */
export const JsonRpcMessage = OneOf([JsonRpcRequest, JsonRpcNotification, JsonRpcResponse]);
export type JsonRpcMessage = Static<typeof JsonRpcMessage>;

/** One address of the connector. */
export const ServerCardRemote = Type.Object(
  {
    /** The transport. */
    type: Enum('string', ['streamable-http']),

    /** The address to connect to. */
    url: Type.String({ format: 'uri' }),

    /** The protocol revisions that it speaks, newest first. */
    supportedProtocolVersions: Type.Array(Type.String()),
  },
  { additionalProperties: false },
);
export type ServerCardRemote = Static<typeof ServerCardRemote>;

/** An MCP Server Card (SEP-2127). It names the connector and says how to reach it. */
export const ServerCard = Type.Object(
  {
    /** The schema of server cards. */
    $schema: Type.String({ format: 'uri' }),

    /** The connector's name, in reverse-DNS form. */
    name: Type.String(),

    /** The name to show. */
    title: Type.String(),

    /** What it does, in a sentence. */
    description: Type.String({ maxLength: 100 }),

    /** The interface version. */
    version: Type.String(),

    /** Where the documentation is. */
    websiteUrl: Type.String({ format: 'uri' }),

    /** Where to connect. */
    remotes: Type.Array(ServerCardRemote),
  },
  { additionalProperties: false },
);
export type ServerCard = Static<typeof ServerCard>;

/** One member that was wrong. */
export const ErrorDetail = Type.Object(
  {
    /** Which member, such as `body.email` or `query.from`. */
    path: Type.String(),

    /** What was wrong with it. */
    message: Type.String(),
  },
  { additionalProperties: false },
);
export type ErrorDetail = Static<typeof ErrorDetail>;

/** What was wrong, and what to do next. */
export const Error = Type.Object(
  {
    code: ErrorCode,

    /** What was wrong and what to do next. */
    message: Type.String(),

    /** Name it when you ask the studio about a failure. */
    request_id: Type.String(),

    /** On `invalid_request`, each member that was wrong. */
    details: Type.Optional(Type.Array(ErrorDetail)),

    /** On `slot_unavailable`, up to five open slots near the one asked for. */
    alternatives: Type.Optional(Type.Array(Alternative, { maxItems: 5 })),

    /** On 429 and 503, after how many seconds to try again; as `Retry-After`. */
    retry_after_seconds: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  { additionalProperties: false },
);
export type Error = Static<typeof Error>;

/** The shape of every failure. */
export const ErrorResponse = Type.Object(
  {
    error: Error,
  },
  { additionalProperties: false },
);
export type ErrorResponse = Static<typeof ErrorResponse>;
