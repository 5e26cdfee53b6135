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

/** A date that exists, `YYYY-MM-DD`, in the studio's time zone. */
export const CalendarDate = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}$',
  format: 'date',
  description: "A date that exists, `YYYY-MM-DD`, in the studio's time zone.",
});
export type CalendarDate = Static<typeof CalendarDate>;

/** A session time, on the studio's wall clock. */
export const TimeSlot = Enum('string', ['9:00 AM', '1:00 PM', '5:00 PM']);
export type TimeSlot = Static<typeof TimeSlot>;

export const HoldRequest = Type.Object(
  {
    date: CalendarDate,
    time_slot: TimeSlot,

    /** The person's name, not blank. */
    name: Type.String({ minLength: 1, maxLength: 120 }),

    /** The person's e-mail address. */
    email: Type.String({ maxLength: 254, format: 'email' }),

    /**
     * A US telephone number: ten digits of the North American plan, also with `+1`, `1`, spaces,
     * dots, dashes, slashes or brackets.
     */
    phone: Type.String({ maxLength: 100 }),

    /** The person's pronouns. */
    pronouns: Type.Optional(Nullable(Type.String({ maxLength: 40 }))),

    /** What the person has in mind. */
    idea: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))),
  },
  { additionalProperties: false },
);
export type HoldRequest = Static<typeof HoldRequest>;

/** When the session starts, with the studio's own UTC offset. */
export const StartsAt = Type.String({ format: 'date-time' });
export type StartsAt = Static<typeof StartsAt>;

/**
 * When the session ends, as decided when it was booked. Absent from webhooks and replays
 * of bookings made before 2.9.
 */
export const EndsAt = Type.String({ format: 'date-time' });
export type EndsAt = Static<typeof EndsAt>;

/** Only where there are several. */
export const Artist = Type.Object(
  {
    name: Type.String(),
  },
  { additionalProperties: false },
);
export type Artist = Static<typeof Artist>;

/** An instant in UTC. */
export const Instant = Type.String({ format: 'date-time' });
export type Instant = Static<typeof Instant>;

export const Handoff = Type.Object(
  {
    type: Enum('string', ['url']),
    actor: Enum('string', ['end_user']),
    required: Enum('boolean', [true]),

    /** The same as `checkout_url`. */
    url: Type.String({ format: 'uri' }),
    url_host: Type.String(),

    /** What to tell the person. */
    message: Type.String(),
    agent_instructions: Type.Array(Type.String()),
    expires_at: Instant,

    /** A new hold, by the person on the same page, or by you once they are there. */
    on_expiry: Enum('string', ['create_new_hold']),
    status_url: Type.String({ format: 'uri' }),

    /** Do not read the status more often than this. */
    poll_interval_seconds: Type.Integer(),
  },
  { additionalProperties: false },
);
export type Handoff = Static<typeof Handoff>;

export const Hold = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    status: Enum('string', ['pending']),
    date: CalendarDate,
    time_slot: TimeSlot,
    starts_at: StartsAt,
    ends_at: Type.Optional(EndsAt),
    timezone: Type.String(),

    /** The slot, ready for a sentence. */
    label: Type.String(),
    artist: Type.Optional(Artist),
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

export const OpenSlot = Type.Object(
  {
    time_slot: TimeSlot,
    starts_at: StartsAt,
  },
  { additionalProperties: false },
);
export type OpenSlot = Static<typeof OpenSlot>;

export const AvailableDay = Type.Object(
  {
    date: CalendarDate,
    weekday: Weekday,
    slots: Type.Array(OpenSlot, { minItems: 1 }),
  },
  { additionalProperties: false },
);
export type AvailableDay = Static<typeof AvailableDay>;

/**
 * For a person who is away, or wants a certain artist (RFC 6570): a page that holds the
 * time once they press.
 */
export const BookUrlTemplate = Type.String();
export type BookUrlTemplate = Static<typeof BookUrlTemplate>;

export const Availability = Type.Object(
  {
    timezone: Type.String(),
    from: CalendarDate,
    to: CalendarDate,
    total_open: Type.Integer({ minimum: 0 }),

    /** Only dates with an open slot. */
    days: Type.Array(AvailableDay),
    book_url_template: Type.Optional(BookUrlTemplate),
  },
  { additionalProperties: false },
);
export type Availability = Static<typeof Availability>;

/**
 * `pending` until the person confirms or `expires_at` has passed. `expired` and `cancelled`
 * (by the person or the studio) are final.
 */
export const BookingStatus = Enum('string', ['pending', 'confirmed', 'expired', 'cancelled']);
export type BookingStatus = Static<typeof BookingStatus>;

/** An instant in UTC; null where it has not happened. */
export const NullableInstant = Nullable(Type.String({ format: 'date-time' }));
export type NullableInstant = Static<typeof NullableInstant>;

export const Booking = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    status: BookingStatus,
    date: CalendarDate,
    time_slot: TimeSlot,
    starts_at: StartsAt,
    ends_at: Type.Optional(EndsAt),
    timezone: Type.String(),
    label: Type.String(),
    artist: Type.Optional(Artist),
    created_at: Instant,
    expires_at: Instant,
    confirmed_at: NullableInstant,
    cancelled_at: NullableInstant,
    expired_at: NullableInstant,
  },
  { additionalProperties: false },
);
export type Booking = Static<typeof Booking>;

/** Codes may be added: treat one that you do not know by its status. */
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

export const ErrorDetail = Type.Object(
  {
    /** Such as `body.email` or `query.from`. */
    path: Type.String(),
    message: Type.String(),
  },
  { additionalProperties: false },
);
export type ErrorDetail = Static<typeof ErrorDetail>;

export const Alternative = Type.Object(
  {
    date: CalendarDate,
    time_slot: TimeSlot,
    starts_at: StartsAt,
    label: Type.String(),
  },
  { additionalProperties: false },
);
export type Alternative = Static<typeof Alternative>;

export const Error = Type.Object(
  {
    code: ErrorCode,
    message: Type.String(),

    /** Name it when you ask the studio about a failure. */
    request_id: Type.String(),

    /** On `invalid_request`. */
    details: Type.Optional(Type.Array(ErrorDetail)),

    /** On `slot_unavailable`, open slots near the one asked for, the best first. */
    alternatives: Type.Optional(Type.Array(Alternative, { maxItems: 5 })),

    /** On 429 and 503, as `Retry-After`. */
    retry_after_seconds: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  { additionalProperties: false },
);
export type Error = Static<typeof Error>;

export const ErrorResponse = Type.Object(
  {
    error: Error,
  },
  { additionalProperties: false },
);
export type ErrorResponse = Static<typeof ErrorResponse>;

export const Address = Type.Object(
  {
    street: Type.String(),
    city: Type.String(),
    region: Type.String(),
    postal_code: Type.String(),
    country: Type.String(),
  },
  { additionalProperties: false },
);
export type Address = Static<typeof Address>;

export const Contact = Type.Object(
  {
    email: Type.String(),
    phone: Type.String(),
    website: Type.String(),
  },
  { additionalProperties: false },
);
export type Contact = Static<typeof Contact>;

export const WeeklySession = Type.Object(
  {
    time_slot: TimeSlot,
    ends: Type.String(),
  },
  { additionalProperties: false },
);
export type WeeklySession = Static<typeof WeeklySession>;

export const OpeningHours = Type.Object(
  {
    day: Weekday,

    /** `HH:MM`; null, as `closes`, when closed. */
    opens: Nullable(Type.String()),
    closes: Nullable(Type.String()),

    /** Those that can be booked with anybody now, and when each ends at the latest, `HH:MM`. */
    sessions: Type.Optional(Type.Array(WeeklySession)),
  },
  { additionalProperties: false },
);
export type OpeningHours = Static<typeof OpeningHours>;

export const Notice = Type.Object(
  {
    title: Type.String(),
    text: Type.String(),
  },
  { additionalProperties: false },
);
export type Notice = Static<typeof Notice>;

export const StudioArtist = Type.Object(
  {
    name: Type.String(),
    about: Type.String(),

    /** Where the person chooses a time with them. */
    book_url: Type.String({ format: 'uri' }),
  },
  { additionalProperties: false },
);
export type StudioArtist = Static<typeof StudioArtist>;

export const BookingStep = Type.Object(
  {
    step: Type.Integer(),
    actor: Enum('string', ['agent', 'end_user']),
    title: Type.String(),
    description: Type.String(),
  },
  { additionalProperties: false },
);
export type BookingStep = Static<typeof BookingStep>;

export const BookingFlow = Type.Object(
  {
    hold_minutes: Type.Number(),
    payment_required: Type.Boolean(),
    steps: Type.Array(BookingStep),
  },
  { additionalProperties: false },
);
export type BookingFlow = Static<typeof BookingFlow>;

export const Studio = Type.Object(
  {
    name: Type.String(),
    description: Type.String(),

    /** IANA time zone. */
    timezone: Type.String(),
    address: Address,
    contact: Contact,
    hours: Type.Array(OpeningHours, { minItems: 7, maxItems: 7 }),
    session_times: Type.Array(TimeSlot),

    /** How long a session lasts, unless the day ends earlier. */
    session_minutes: Type.Integer({ minimum: 1 }),

    /** What a person must know beforehand. */
    notices: Type.Array(Notice, { maxItems: 10 }),

    /** Whom a person can choose, where there are several. */
    artists: Type.Optional(Type.Array(StudioArtist)),
    booking_flow: BookingFlow,
  },
  { additionalProperties: false },
);
export type Studio = Static<typeof Studio>;

export const Transports = Type.Object(
  {
    rest: Type.Object(
      {
        base_url: Type.String({ format: 'uri' }),
        openapi_url: Type.String({ format: 'uri' }),
      },
      { additionalProperties: false },
    ),
    mcp: Type.Object(
      {
        url: Type.String({ format: 'uri' }),
        protocol_versions: Type.Array(Type.String()),
      },
      { additionalProperties: false },
    ),
    sse: Type.Object(
      {
        url: Type.String({ format: 'uri' }),
        events: Type.Array(Type.String()),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);
export type Transports = Static<typeof Transports>;

export const Capability = Type.Object(
  {
    name: Type.String(),
    version: Type.String(),
    description: Type.String(),
    operations: Type.Array(Type.String()),
    tools: Type.Array(Type.String()),
  },
  { additionalProperties: false },
);
export type Capability = Static<typeof Capability>;

export const Budget = Type.Object(
  {
    name: Type.String(),
    window_seconds: Type.Integer(),
    anonymous: Type.Integer(),
    keyed: Type.Integer(),

    /** `caller`: the API key, or the address of an anonymous caller (IPv6 by /64). */
    counted_per: Enum('string', ['caller', 'address']),

    /** All others are charged to `reads`, and what is outside the interface to `pages`. */
    operations: Type.Array(Type.String()),
  },
  { additionalProperties: false },
);
export type Budget = Static<typeof Budget>;

/** Shared by all people of a hosted assistant that the studio has listed. */
export const PlatformLimits = Type.Object(
  {
    reads_per_minute: Type.Integer(),
    holds_per_hour: Type.Integer(),
    max_pending_holds: Type.Integer(),
    max_live_bookings: Type.Integer(),
  },
  { additionalProperties: false },
);
export type PlatformLimits = Static<typeof PlatformLimits>;

export const Limits = Type.Object(
  {
    budgets: Type.Array(Budget),
    hold_lifetime_seconds: Type.Integer(),

    /** Beyond it, 503. */
    max_pending_holds: Type.Integer(),
    max_pending_holds_per_caller: Type.Integer(),

    /**
     * Pending, or confirmed and not over; by `email` and, where confirming takes no code, by
     * `phone`. Beyond it, 429.
     */
    max_live_bookings_per_person: Type.Integer(),

    /** Placed within 24 hours. */
    max_live_bookings_per_caller: Type.Integer(),
    platform: PlatformLimits,
    min_notice_minutes: Type.Integer(),
    booking_horizon_days: Type.Integer(),
    availability_range_days: Type.Integer(),
    max_alternatives: Type.Integer(),
    max_wait_seconds: Type.Integer(),
    max_waits_per_caller: Type.Integer(),
    max_streams_per_address: Type.Integer(),

    /** By IPv4 address or IPv6 /48. */
    max_webhooks_per_network: Type.Integer(),

    /** By the target's registrable domain. */
    max_webhooks_per_domain: Type.Integer(),

    /** Now `max_webhooks_per_network`. */
    max_webhooks_per_address: Type.Integer(),

    /** Now `max_webhooks_per_domain`. */
    max_webhooks_per_host: Type.Integer(),
    max_webhooks: Type.Integer(),

    /** With so many live, one per network and domain. */
    webhooks_scarce_from: Type.Integer(),
    max_body_bytes: Type.Integer(),

    /** Of each member of a hold request, in characters. */
    max_lengths: MapOf(Type.Integer()),
  },
  { additionalProperties: false },
);
export type Limits = Static<typeof Limits>;

export const WebhookFacts = Type.Object(
  {
    events: Type.Array(Type.String()),
    signature: Type.String(),
    retry_schedule_seconds: Type.Array(Type.Integer()),

    /** Deliveries that wait, until the first success. */
    max_waiting_until_proven: Type.Integer(),
  },
  { additionalProperties: false },
);
export type WebhookFacts = Static<typeof WebhookFacts>;

export const IdempotencyFacts = Type.Object(
  {
    header: Type.String(),
    tool_argument: Type.String(),
    operations: Type.Array(Type.String()),
    max_length: Type.Integer(),
    replay_header: Type.String(),
  },
  { additionalProperties: false },
);
export type IdempotencyFacts = Static<typeof IdempotencyFacts>;

export const ErrorFacts = Type.Object(
  {
    code: ErrorCode,
    status: Type.Integer(),

    /** Whether the same request may succeed later. */
    retryable: Type.Boolean(),
  },
  { additionalProperties: false },
);
export type ErrorFacts = Static<typeof ErrorFacts>;

export const HumanConfirmation = Type.Object(
  {
    required: Type.Boolean(),
    actor: Enum('string', ['end_user']),

    /**
     * `link`: confirming takes the link. `code`: also six digits, mailed to the `email` of the
     * hold.
     */
    proof: Enum('string', ['link', 'code']),
    operation: Type.String(),
    tool: Type.String(),
    url_member: Type.String(),
    hold_lifetime_seconds: Type.Integer(),
    description: Type.String(),
  },
  { additionalProperties: false },
);
export type HumanConfirmation = Static<typeof HumanConfirmation>;

export const DeprecationFacts = Type.Object(
  {
    headers: Type.Array(Type.String()),
    notice_days: Type.Integer(),
  },
  { additionalProperties: false },
);
export type DeprecationFacts = Static<typeof DeprecationFacts>;

export const CompatibilityFacts = Type.Object(
  {
    stable_within: Type.String(),
    additions: Type.Array(Type.String()),
    policy_url: Type.String({ format: 'uri' }),
    deprecation: DeprecationFacts,
  },
  { additionalProperties: false },
);
export type CompatibilityFacts = Static<typeof CompatibilityFacts>;

export const Capabilities = Type.Object(
  {
    interface_version: Type.String(),
    service: Type.String(),
    documentation_url: Type.String({ format: 'uri' }),
    book_url_template: Type.Optional(BookUrlTemplate),
    transports: Transports,
    capabilities: Type.Array(Capability),
    limits: Limits,
    webhooks: WebhookFacts,
    idempotency: IdempotencyFacts,
    errors: Type.Array(ErrorFacts),
    human_confirmation: HumanConfirmation,
    compatibility: CompatibilityFacts,
  },
  { additionalProperties: false },
);
export type Capabilities = Static<typeof Capabilities>;

export const AgentKeyRequest = Type.Object(
  {
    /** Where the key's owner is reached. */
    email: Type.String({ maxLength: 254, format: 'email' }),

    /** A name for the key. */
    label: Type.Optional(Nullable(Type.String({ maxLength: 120 }))),
  },
  { additionalProperties: false },
);
export type AgentKeyRequest = Static<typeof AgentKeyRequest>;

export const AgentKeyLimits = Type.Object(
  {
    reads_per_minute: Type.Integer({ minimum: 1 }),

    /** Holds, and as many webhook subscriptions. */
    writes_per_hour: Type.Integer({ minimum: 1 }),
  },
  { additionalProperties: false },
);
export type AgentKeyLimits = Static<typeof AgentKeyLimits>;

export const AgentKey = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),

    /** Shown only here. */
    key: Type.String({ pattern: '^tsk_[0-9A-Za-z]{38}$', description: 'Shown only here.' }),
    label: Nullable(Type.String()),
    created_at: Instant,
    limits: AgentKeyLimits,
    notice: Type.String(),
  },
  { additionalProperties: false },
);
export type AgentKey = Static<typeof AgentKey>;

export const WebhookRequest = Type.Object(
  {
    /** `https`, port 443 or 8443, without user name and password, on the public internet. */
    url: Type.String({ maxLength: 2048, format: 'uri' }),

    /** All three when left out. */
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

/** A hold that the person lets go, and a booking that is cancelled or moved, send no event. */
export const WebhookEventType = Enum('string', [
  'hold.created',
  'booking.confirmed',
  'hold.expired',
]);
export type WebhookEventType = Static<typeof WebhookEventType>;

export const CreatedWebhook = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    url: Type.String({ format: 'uri' }),
    events: Type.Array(WebhookEventType),
    status: Enum('string', ['active']),
    created_at: Instant,

    /** Verifies deliveries. Shown only here. */
    signing_secret: Type.String({
      pattern: '^whsec_[A-Za-z0-9+/]{43}=$',
      description: 'Verifies deliveries. Shown only here.',
    }),

    /** The bearer token for `GET` and `DELETE`. Shown only here. */
    manage_token: Type.String({
      pattern: '^tsm_[0-9A-Za-z]{38}$',
      description: 'The bearer token for `GET` and `DELETE`. Shown only here.',
    }),
  },
  { additionalProperties: false },
);
export type CreatedWebhook = Static<typeof CreatedWebhook>;

export const WebhookStatus = Enum('string', ['active', 'disabled']);
export type WebhookStatus = Static<typeof WebhookStatus>;

export const WebhookDelivery = Type.Object(
  {
    /** As `webhook-id` names it. */
    event_id: Type.String({ format: 'uuid' }),
    type: WebhookEventType,

    /** `failed`: no attempts are left, or the subscription was disabled. */
    status: Enum('string', ['pending', 'delivered', 'failed']),
    attempts: Type.Integer({ minimum: 0 }),

    /** Null when the receiver never answered. */
    last_status_code: Nullable(Type.Integer()),
    last_attempt_at: NullableInstant,
    next_attempt_at: NullableInstant,
  },
  { additionalProperties: false },
);
export type WebhookDelivery = Static<typeof WebhookDelivery>;

export const Webhook = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    url: Type.String({ format: 'uri' }),
    events: Type.Array(WebhookEventType),
    status: WebhookStatus,

    /** `gone`: the receiver answered 410. `studio`: ask by e-mail. Otherwise subscribe anew. */
    disabled_reason: Enum(
      ['string', 'null'],
      ['gone', 'never_succeeded', 'failing', 'studio', 'secret_lost', null],
    ),
    created_at: Instant,

    /** Events never sent, because 20 deliveries waited. */
    skipped: Type.Integer({ minimum: 0 }),

    /** Newest first. */
    recent_deliveries: Type.Array(WebhookDelivery, { maxItems: 20 }),
  },
  { additionalProperties: false },
);
export type Webhook = Static<typeof Webhook>;

export const DeletedWebhook = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    deleted: Enum('boolean', [true]),
  },
  { additionalProperties: false },
);
export type DeletedWebhook = Static<typeof DeletedWebhook>;

export const WebhookEvent = Type.Object(
  {
    type: WebhookEventType,
    timestamp: Instant,
    data: Booking,
  },
  { additionalProperties: false },
);
export type WebhookEvent = Static<typeof WebhookEvent>;

export const AvailabilityEvent = Type.Object(
  {
    event: Enum('string', ['availability']),
    id: Type.String(),
    data: Availability,
  },
  { additionalProperties: false },
);
export type AvailabilityEvent = Static<typeof AvailabilityEvent>;

export const Pulse = Type.Object(
  {
    open_slots: Type.Integer({ minimum: 0 }),

    /** The first open slot, however far ahead. */
    next_open: OneOf([Alternative, Type.Null()]),
    pending_holds: Type.Integer({ minimum: 0 }),
    confirmed_upcoming: Type.Integer({ minimum: 0 }),
    viewers: Type.Integer({ minimum: 0 }),
    server_time: Instant,
  },
  { additionalProperties: false },
);
export type Pulse = Static<typeof Pulse>;

export const PulseEvent = Type.Object(
  {
    event: Enum('string', ['pulse']),
    data: Pulse,
  },
  { additionalProperties: false },
);
export type PulseEvent = Static<typeof PulseEvent>;

export const Heartbeat = Type.Object(
  {
    server_time: Instant,
  },
  { additionalProperties: false },
);
export type Heartbeat = Static<typeof Heartbeat>;

export const HeartbeatEvent = Type.Object(
  {
    event: Enum('string', ['heartbeat']),
    data: Heartbeat,
  },
  { additionalProperties: false },
);
export type HeartbeatEvent = Static<typeof HeartbeatEvent>;

export const LiveEvent = OneOf([AvailabilityEvent, PulseEvent, HeartbeatEvent]);
export type LiveEvent = Static<typeof LiveEvent>;

export const JsonRpcVersion = Enum('string', ['2.0']);
export type JsonRpcVersion = Static<typeof JsonRpcVersion>;

export const JsonRpcId = Type.Unsafe<string | number>({ type: ['string', 'number'] });
export type JsonRpcId = Static<typeof JsonRpcId>;

export const JsonRpcMethod = Type.String();
export type JsonRpcMethod = Static<typeof JsonRpcMethod>;

export const JsonRpcParams = Nullable(
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
);
export type JsonRpcParams = Static<typeof JsonRpcParams>;

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

export const JsonRpcNotification = Type.Object(
  {
    jsonrpc: JsonRpcVersion,
    method: JsonRpcMethod,
    params: Type.Optional(JsonRpcParams),
  },
  { additionalProperties: false },
);
export type JsonRpcNotification = Static<typeof JsonRpcNotification>;

export const JsonRpcResult = Type.Object(
  {
    jsonrpc: JsonRpcVersion,
    id: JsonRpcId,
    result: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
  },
  { additionalProperties: false },
);
export type JsonRpcResult = Static<typeof JsonRpcResult>;

export const JsonRpcError = Type.Object(
  {
    /**
     * Besides JSON-RPC's own: `-32022` a protocol revision that is not served, `-32020` headers
     * that contradict the message.
     */
    code: Type.Integer(),
    message: Type.String(),
    data: Type.Optional(Type.Unknown()),
  },
  { additionalProperties: false },
);
export type JsonRpcError = Static<typeof JsonRpcError>;

export const JsonRpcFailure = Type.Object(
  {
    jsonrpc: JsonRpcVersion,

    /** Null where none could be read. */
    id: Type.Unsafe<string | number | null>({ type: ['string', 'number', 'null'] }),
    error: JsonRpcError,
  },
  { additionalProperties: false },
);
export type JsonRpcFailure = Static<typeof JsonRpcFailure>;

export const JsonRpcResponse = OneOf([JsonRpcResult, JsonRpcFailure]);
export type JsonRpcResponse = Static<typeof JsonRpcResponse>;

export const JsonRpcMessage = OneOf([JsonRpcRequest, JsonRpcNotification, JsonRpcResponse]);
export type JsonRpcMessage = Static<typeof JsonRpcMessage>;

export const ServerCardRemote = Type.Object(
  {
    type: Enum('string', ['streamable-http']),
    url: Type.String({ format: 'uri' }),
    supportedProtocolVersions: Type.Array(Type.String()),
  },
  { additionalProperties: false },
);
export type ServerCardRemote = Static<typeof ServerCardRemote>;

export const ServerCard = Type.Object(
  {
    $schema: Type.String({ format: 'uri' }),
    name: Type.String(),
    title: Type.String(),
    description: Type.String({ maxLength: 100 }),
    version: Type.String(),
    websiteUrl: Type.String({ format: 'uri' }),
    remotes: Type.Array(ServerCardRemote),
  },
  { additionalProperties: false },
);
export type ServerCard = Static<typeof ServerCard>;
