// Made from openapi.yaml by `npm run generate`; never edited by hand.

export interface paths {
  '/api/public/studio': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the studio's details
     * @description Name, address, contact, opening hours, the three session times and the steps of a booking.
     *     `hours` are for show; which sessions are really open is what `GET /api/public/availability`
     *     answers.
     */
    get: operations['getStudio'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/public/availability': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List open session times
     * @description Open slots grouped by date, in the studio's time zone. Only dates with an open slot appear;
     *     an empty `days` means that nothing is open in the range. Past dates are allowed and are
     *     simply not open. A slot that is listed here can still be taken by somebody else before your
     *     hold: then `POST /api/public/holds` answers 409 with `alternatives`.
     */
    get: operations['listAvailability'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/public/holds': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Hold one session for a person
     * @description Holds one open slot for 15 minutes and answers with the `checkout_url` for the person.
     *     Show the person `handoff.message` and the link. Never open the link yourself: the person
     *     must lock the session in. Nothing extends a hold; when it has expired, place a new one.
     *
     *     Send an `Idempotency-Key` (a new random UUID for each hold that you mean). If the answer is
     *     lost, repeat the same request with the same key: you get the original answer again, with
     *     `Idempotency-Replayed: true`, and never a second hold. Keys are private to your API key, or
     *     to the request's `email` when you are anonymous. Failures are not remembered.
     *
     *     One person has at most 3 live bookings (pending, or confirmed and not over), by `email` and
     *     by `phone`, and one caller at most 12 that were placed within 24 hours. Beyond that, 429
     *     `rate_limited`: the hold was refused, and costs a write as a 409 does.
     */
    post: operations['createHold'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/public/bookings/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a booking's status
     * @description What became of a hold: `pending` until the person confirms, then `confirmed`; `expired` from
     *     the instant in `expires_at` on if nobody did; `cancelled` when it was given up. `expired`
     *     and `cancelled` are final. The person or the studio may move a booking: then its slot is the
     *     new one, and `label` names it. The answer has no personal data and no checkout address.
     *
     *     To wait for your person without polling, send `Prefer: wait=60`: while the booking is
     *     pending, the answer then comes as soon as its status or its slot changes, or after that many
     *     seconds with the booking as it is; ask again then. `Preference-Applied` shows that the service waited, or
     *     that there was nothing to wait for. Where it is missing, too many requests wait already and
     *     the answer came at once: poll every `poll_interval_seconds` of the hold.
     */
    get: operations['getBooking'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/public/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Follow open times live
     * @description A stream of server-sent events (WHATWG HTML, "Server-sent events") for a screen or an agent
     *     that stays. It starts with the present state, and tells every change within a second:
     *
     *     - `availability`: the open slots of today and the 30 days after, as
     *       `GET /api/public/availability` answers in `data`, at the start and whenever they change.
     *       Its `id` stands for the content: it is the same from every server of this service.
     *     - `pulse`: the studio in figures, at the start and when one changes, at most once a second.
     *     - `heartbeat`: every 15 seconds. After 45 seconds of silence, connect again.
     *
     *     Each event is a state that replaces the one before, not a step of a log: a slow reader is
     *     told the newest one. To follow one booking, read it with `Prefer: wait=60` instead.
     *
     *     On a lost connection wait for as long as the last `retry` said and connect again with
     *     `Last-Event-ID`, as `EventSource` does by itself; after a 429 or 503, where `EventSource`
     *     gives up, wait for as long as `Retry-After` says. An address may keep 10 streams open.
     */
    get: operations['streamEvents'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/public/webhooks': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a webhook subscription
     * @description The subscription that the manage token belongs to, with what became of its last 20
     *     deliveries. A subscription that was disabled stays readable for 30 days.
     */
    get: operations['getWebhook'];
    put?: never;
    /**
     * Subscribe to webhooks
     * @description Registers an address that gets a signed POST for each event of the chosen kinds. The answer
     *     is the only place where `signing_secret` (to verify deliveries) and `manage_token` (to read
     *     or delete the subscription) ever appear: store both.
     *
     *     **Events** are `hold.created`, `booking.confirmed` and `hold.expired`. A hold that the person
     *     lets go, and a booking that is cancelled or moved, send none: read the booking to learn of it.
     *     A booking that the studio itself adds sends `booking.confirmed` only.
     *
     *     **Deliveries** follow Standard Webhooks 1.0.0: `webhook-id` (the event's id, the same on every
     *     retry), `webhook-timestamp` (of the attempt) and `webhook-signature: v1,<base64>`, an
     *     HMAC-SHA256 over `id.timestamp.body`. Verify with any `standardwebhooks` library and refuse
     *     old timestamps. The body is `{"type", "timestamp", "data"}`, where `data` is the booking as
     *     `GET /api/public/bookings/{id}` answers it, as it was at that moment; no personal data.
     *     Every retry sends the same bytes.
     *
     *     **At least once, unordered.** The same event may arrive twice: deduplicate by `webhook-id`.
     *     Answer 2xx within 15 seconds and work afterwards. Redirects are failures. A failed delivery is
     *     tried again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h (give or take a
     *     tenth); `Retry-After` on 429 and 503 is honoured within that schedule. 410, 24 hours without
     *     a first success, or five days of nothing but failures disables the subscription.
     *
     *     **Limits.** 10 live subscriptions per address, 200 per target host, 1,000 in all; beyond that,
     *     429 `rate_limited`. Disabled subscriptions do not count.
     */
    post: operations['createWebhook'];
    /**
     * Delete a webhook subscription
     * @description Ends the subscription that the manage token belongs to, and forgets it. Deliveries that are
     *     waiting are not sent.
     */
    delete: operations['deleteWebhook'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/public/agent-keys': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Get an API key for higher limits
     * @description Makes an API key. It is optional: everything works without one. The key is shown in this
     *     answer and never again; store it, and send it as `Authorization: Bearer <key>`. A keyed
     *     caller has budgets of its own, and higher ones. A key that is unknown, mistyped or revoked
     *     is served as anonymous: `RateLimit-Policy` shows which level was applied. To have a key
     *     revoked, write to the studio from the `email` given here.
     */
    post: operations['createAgentKey'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/public/capabilities': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read what the service can do, and its limits
     * @description A versioned list of what the service can do, over which transports, with every limit as it
     *     is configured here and every error code. Read it once and plan with it; it is the same for
     *     every caller, and changes only when the service does.
     */
    get: operations['getCapabilities'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/public/mcp': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Call the MCP connector
     * @description The Model Context Protocol over Streamable HTTP, stateless and without credentials: one
     *     JSON-RPC 2.0 message per request, answered as JSON. Point any MCP client at this address.
     *     Both eras of the protocol are served: revisions up to 2025-11-25 (`initialize`,
     *     `tools/list`, `tools/call`, `ping`) and 2026-07-28 (`server/discover`, `tools/list`,
     *     `tools/call`; the request's `_meta` and headers name the revision).
     *
     *     **Tools**: `get_studio_info`, `list_open_times`, `hold_slot`, `get_booking_status`. Their
     *     `structuredContent` is the `data` of the REST operation of the same purpose. A refusal (the
     *     slot is taken, a limit is reached, an argument is wrong) is a result with `isError: true`
     *     whose text is the error envelope. What is no proper request is a JSON-RPC error instead.
     *
     *     **Limits**: `hold_slot` costs what `POST /api/public/holds` costs, everything else a read.
     *     Over the limit a tool call gets a result with `isError: true`, any other message a 429.
     *
     *     Batches are refused with `-32600`. Notifications are accepted and answered 202. There is no
     *     stream to open and no session to delete: `GET` and `DELETE` answer 405. A browser page of
     *     another origin gets 403, unless it is on localhost or the studio has allowed it.
     */
    post: operations['callMcp'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/public/mcp/server-card': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the MCP connector's server card
     * @description What an MCP client needs to know before it connects: the connector's name, its address and
     *     the protocol revisions that it speaks (MCP Server Cards, SEP-2127). What the tools are is
     *     answered by the connector itself. `/.well-known/ai-catalog.json` leads here.
     */
    get: operations['getServerCard'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/public/openapi.json': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read this description
     * @description This OpenAPI 3.1 document, with `servers` naming the service's public address.
     */
    get: operations['getOpenapi'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export interface webhooks {
  event: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * What a subscriber receives
     * @description One event, signed by Standard Webhooks 1.0.0: `webhook-id`, `webhook-timestamp` and
     *     `webhook-signature: v1,<base64>`, an HMAC-SHA256 over `id.timestamp.body` under the 32 bytes
     *     that `signing_secret` holds after `whsec_` in base64. Verify on the bytes as they came, and
     *     deduplicate by `webhook-id`.
     */
    post: operations['receiveEvent'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export interface components {
  schemas: {
    /**
     * Format: date
     * @description A date that exists in the calendar, `YYYY-MM-DD`, in the studio's time zone. The calendar has no
     *     year 0000.
     * @example 2026-12-01
     */
    CalendarDate: string;
    /**
     * @description One of the three session times, on the studio's wall clock.
     * @enum {string}
     */
    TimeSlot: '9:00 AM' | '1:00 PM' | '5:00 PM';
    /**
     * @description A day of the week.
     * @enum {string}
     */
    Weekday: 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday';
    /**
     * @description `pending`: held until `expires_at`, waiting for the person. `confirmed`: the person (or the
     *     studio) locked it in. `expired`: nobody did in time (final). `cancelled`: given up by the person or the
     *     studio (final).
     * @enum {string}
     */
    BookingStatus: 'pending' | 'confirmed' | 'expired' | 'cancelled';
    /**
     * Format: date-time
     * @description An instant in UTC, RFC 3339.
     * @example 2026-11-21T18:00:00.000Z
     */
    Instant: string;
    /**
     * Format: date-time
     * @description An instant in UTC, RFC 3339; null where it has not happened.
     * @example null
     */
    NullableInstant: string | null;
    /**
     * Format: date-time
     * @description When the session starts, RFC 3339 with the studio's own UTC offset.
     * @example 2026-12-01T09:00:00-08:00
     */
    StartsAt: string;
    /** @description The studio, as a person would ask about it. */
    Studio: {
      /** @description The studio's name. */
      name: string;
      /** @description What the studio does, in a few sentences. */
      description: string;
      /** @description IANA time zone, such as `America/Los_Angeles`. */
      timezone: string;
      address: components['schemas']['Address'];
      contact: components['schemas']['Contact'];
      /** @description The week, Monday first; seven rows. */
      hours: components['schemas']['OpeningHours'][];
      /** @description The three session times. */
      session_times: components['schemas']['TimeSlot'][];
      booking_flow: components['schemas']['BookingFlow'];
    };
    /** @description Where the studio is. */
    Address: {
      /** @description Street and number. */
      street: string;
      /** @description City. */
      city: string;
      /** @description State or region. */
      region: string;
      /** @description Postal code. */
      postal_code: string;
      /** @description ISO 3166-1 alpha-2 country code, such as `US`. */
      country: string;
    };
    /** @description How to reach the studio. */
    Contact: {
      /** @description The studio's e-mail address. */
      email: string;
      /** @description The studio's telephone number. */
      phone: string;
      /** @description The studio's website. */
      website: string;
    };
    /** @description One day of the week; `opens` and `closes` are null when the studio is closed. */
    OpeningHours: {
      day: components['schemas']['Weekday'];
      /** @description Opening time, 24 hours, `HH:MM`, or null. */
      opens: string | null;
      /** @description Closing time, 24 hours, `HH:MM`, or null. */
      closes: string | null;
    };
    /** @description How a booking is made, and who does which step. */
    BookingFlow: {
      /** @description How long a hold lasts, in minutes. */
      hold_minutes: number;
      /** @description Whether the person pays. Booking is free. */
      payment_required: boolean;
      /** @description The steps, in order. */
      steps: components['schemas']['BookingStep'][];
    };
    /** @description One step of a booking. */
    BookingStep: {
      /** @description The step's number, from 1. */
      step: number;
      /**
       * @description Who does it; the agent never does a step of the end user.
       * @enum {string}
       */
      actor: 'agent' | 'end_user';
      /** @description The step in a few words. */
      title: string;
      /** @description What to do. */
      description: string;
    };
    /** @description Open slots grouped by date. */
    Availability: {
      /** @description The studio's IANA time zone. */
      timezone: string;
      from: components['schemas']['CalendarDate'];
      to: components['schemas']['CalendarDate'];
      /** @description How many slots are open in the range. */
      total_open: number;
      /** @description The dates with at least one open slot, in order. */
      days: components['schemas']['AvailableDay'][];
    };
    /** @description One date with its open slots. */
    AvailableDay: {
      date: components['schemas']['CalendarDate'];
      weekday: components['schemas']['Weekday'];
      /** @description The open slots of the date, in order. */
      slots: components['schemas']['OpenSlot'][];
    };
    /** @description One open slot. */
    OpenSlot: {
      time_slot: components['schemas']['TimeSlot'];
      starts_at: components['schemas']['StartsAt'];
    };
    /** @description One event of the live stream, with its `data` parsed. */
    LiveEvent:
      | components['schemas']['AvailabilityEvent']
      | components['schemas']['PulseEvent']
      | components['schemas']['HeartbeatEvent'];
    /** @description The open slots of today and the 30 days after. */
    AvailabilityEvent: {
      /**
       * @description What `data` is.
       * @enum {string}
       */
      event: 'availability';
      /** @description Stands for the content of `data`. */
      id: string;
      data: components['schemas']['Availability'];
    };
    /** @description The studio in figures. */
    PulseEvent: {
      /**
       * @description What `data` is.
       * @enum {string}
       */
      event: 'pulse';
      data: components['schemas']['Pulse'];
    };
    /** @description A sign of life. */
    HeartbeatEvent: {
      /**
       * @description What `data` is.
       * @enum {string}
       */
      event: 'heartbeat';
      data: components['schemas']['Heartbeat'];
    };
    /** @description The studio in figures. */
    Pulse: {
      /** @description How many slots are open today and in the 30 days after. */
      open_slots: number;
      /** @description The first open slot, however far ahead; null when none is open. */
      next_open: components['schemas']['Alternative'] | null;
      /** @description How many holds wait for their person. */
      pending_holds: number;
      /** @description How many confirmed sessions have not started yet. */
      confirmed_upcoming: number;
      /** @description How many streams are open on the server that answers. */
      viewers: number;
      server_time: components['schemas']['Instant'];
    };
    /** @description A sign of life. */
    Heartbeat: {
      server_time: components['schemas']['Instant'];
    };
    /** @description Which slot to hold, and for whom. */
    HoldRequest: {
      date: components['schemas']['CalendarDate'];
      time_slot: components['schemas']['TimeSlot'];
      /** @description The person's name; at least one character that can be seen, at most 120 characters. */
      name: string;
      /**
       * Format: email
       * @description The person's e-mail address, at most 254 characters.
       */
      email: string;
      /**
       * @description A US telephone number: ten digits. Spaces, dots, dashes, brackets and a leading `+1` or
       *     `1` are accepted and removed.
       * @example 5555550142
       */
      phone: string;
      /** @description The person's pronouns, at most 40 characters. */
      pronouns?: string | null;
      /** @description What the person has in mind, at most 2,000 characters. */
      idea?: string | null;
    };
    /** @description A slot held for 15 minutes, and what to hand to the person. */
    Hold: {
      /**
       * Format: uuid
       * @description The booking's id.
       */
      id: string;
      /**
       * @description A new hold is pending.
       * @enum {string}
       */
      status: 'pending';
      date: components['schemas']['CalendarDate'];
      time_slot: components['schemas']['TimeSlot'];
      starts_at: components['schemas']['StartsAt'];
      /** @description The studio's IANA time zone. */
      timezone: string;
      /** @description The slot, ready for a sentence. */
      label: string;
      created_at: components['schemas']['Instant'];
      expires_at: components['schemas']['Instant'];
      server_time: components['schemas']['Instant'];
      /**
       * Format: uri
       * @description The address that the person opens. Never open it yourself.
       */
      checkout_url: string;
      handoff: components['schemas']['Handoff'];
    };
    /** @description Everything needed to hand the last step to the person. */
    Handoff: {
      /**
       * @description The hand-off is a link.
       * @enum {string}
       */
      type: 'url';
      /**
       * @description Who must act.
       * @enum {string}
       */
      actor: 'end_user';
      /**
       * @description Without it there is no booking.
       * @enum {boolean}
       */
      required: true;
      /**
       * Format: uri
       * @description The link for the person, as `checkout_url`.
       */
      url: string;
      /** @description The link's host, to show where it leads. */
      url_host: string;
      /** @description What to tell the person. */
      message: string;
      /** @description What the agent does and does not do next. */
      agent_instructions: string[];
      expires_at: components['schemas']['Instant'];
      /**
       * @description What to do when the hold has expired.
       * @enum {string}
       */
      on_expiry: 'create_new_hold';
      /**
       * Format: uri
       * @description Where to read the booking's status.
       */
      status_url: string;
      /** @description Do not read the status more often than this, in seconds. */
      poll_interval_seconds: number;
    };
    /** @description A booking's status. It has no personal data. */
    Booking: {
      /**
       * Format: uuid
       * @description The booking's id.
       */
      id: string;
      status: components['schemas']['BookingStatus'];
      date: components['schemas']['CalendarDate'];
      time_slot: components['schemas']['TimeSlot'];
      starts_at: components['schemas']['StartsAt'];
      /** @description The studio's IANA time zone. */
      timezone: string;
      /** @description The slot, ready for a sentence. */
      label: string;
      created_at: components['schemas']['Instant'];
      expires_at: components['schemas']['Instant'];
      confirmed_at: components['schemas']['NullableInstant'];
      cancelled_at: components['schemas']['NullableInstant'];
      expired_at: components['schemas']['NullableInstant'];
    };
    /**
     * @description `hold.created`: a slot is held. `booking.confirmed`: the person locked it in.
     *     `hold.expired`: nobody did in time. A hold that the person lets go, and a booking that is
     *     cancelled or moved, send no event: read the booking to learn of it.
     * @enum {string}
     */
    WebhookEventType: 'hold.created' | 'booking.confirmed' | 'hold.expired';
    /** @description Where to send which events. */
    WebhookRequest: {
      /**
       * Format: uri
       * @description Where deliveries go: `https`, port 443 or 8443, without user name and password, on the
       *     public internet. At most 2,048 characters. A service that runs on a loopback address,
       *     to be tried, also takes `http`, any port and private addresses.
       */
      url: string;
      /** @description The kinds of events to send, each once; all three when left out. */
      events?: ('hold.created' | 'booking.confirmed' | 'hold.expired')[];
    };
    /**
     * @description `active`: events are delivered. `disabled`: nothing is sent any more, see `disabled_reason`;
     *     subscribe anew.
     * @enum {string}
     */
    WebhookStatus: 'active' | 'disabled';
    /** @description A new subscription, with the two secrets that are shown only here. */
    CreatedWebhook: {
      /**
       * Format: uuid
       * @description The subscription's id.
       */
      id: string;
      /**
       * Format: uri
       * @description Where deliveries go.
       */
      url: string;
      /** @description The kinds of events that are sent. */
      events: components['schemas']['WebhookEventType'][];
      /**
       * @description A new subscription is active.
       * @enum {string}
       */
      status: 'active';
      created_at: components['schemas']['Instant'];
      /**
       * @description The secret to verify deliveries with: `whsec_` and the base64 of 32 random bytes. Shown
       *     only here.
       */
      signing_secret: string;
      /** @description The bearer token for `GET` and `DELETE /api/public/webhooks`. Shown only here. */
      manage_token: string;
    };
    /** @description A subscription and its last deliveries. */
    Webhook: {
      /**
       * Format: uuid
       * @description The subscription's id.
       */
      id: string;
      /**
       * Format: uri
       * @description Where deliveries go.
       */
      url: string;
      /** @description The kinds of events that are sent. */
      events: components['schemas']['WebhookEventType'][];
      status: components['schemas']['WebhookStatus'];
      /**
       * @description Null while active. `gone`: the receiver answered 410. `never_succeeded`: 24 hours without
       *     a first success. `failing`: five days of nothing but failures. `studio`: the studio
       *     disabled it; ask by e-mail. `secret_lost`: the studio lost its signing secret.
       * @enum {string|null}
       */
      disabled_reason: 'gone' | 'never_succeeded' | 'failing' | 'studio' | 'secret_lost' | null;
      created_at: components['schemas']['Instant'];
      /** @description The last 20 deliveries, newest first. */
      recent_deliveries: components['schemas']['WebhookDelivery'][];
    };
    /** @description One event on its way to a subscription. */
    WebhookDelivery: {
      /**
       * Format: uuid
       * @description The event, as `webhook-id` names it.
       */
      event_id: string;
      type: components['schemas']['WebhookEventType'];
      /**
       * @description `pending`: waiting for its first or its next attempt. `delivered`: the receiver answered
       *     2xx. `failed`: no attempts are left, or the subscription was disabled.
       * @enum {string}
       */
      status: 'pending' | 'delivered' | 'failed';
      /** @description How often it was tried. */
      attempts: number;
      /** @description What the receiver answered last; null when it never answered. */
      last_status_code: number | null;
      last_attempt_at: components['schemas']['NullableInstant'];
      next_attempt_at: components['schemas']['NullableInstant'];
    };
    /** @description Which subscription was deleted. */
    DeletedWebhook: {
      /**
       * Format: uuid
       * @description The id that it had.
       */
      id: string;
      /**
       * @description It is gone.
       * @enum {boolean}
       */
      deleted: true;
    };
    /** @description The body of a delivery; every retry has the same bytes. */
    WebhookEvent: {
      type: components['schemas']['WebhookEventType'];
      timestamp: components['schemas']['Instant'];
      data: components['schemas']['Booking'];
    };
    /** @description Whom an API key is for. */
    AgentKeyRequest: {
      /**
       * Format: email
       * @description Where the key's owner is reached, at most 254 characters.
       */
      email: string;
      /** @description A name for the key, to tell it from others; at most 120 characters. */
      label?: string | null;
    };
    /** @description A new API key. */
    AgentKey: {
      /**
       * Format: uuid
       * @description The key's id; it is no secret.
       */
      id: string;
      /** @description The key itself: send it as `Authorization: Bearer <key>`. Shown only here. */
      key: string;
      /** @description The label that was given. */
      label: string | null;
      created_at: components['schemas']['Instant'];
      limits: components['schemas']['AgentKeyLimits'];
      /** @description What to do with the key now. */
      notice: string;
    };
    /** @description The budgets of a keyed caller. */
    AgentKeyLimits: {
      /** @description Reads in a minute. */
      reads_per_minute: number;
      /** @description Holds in an hour, and as many webhook subscriptions. */
      writes_per_hour: number;
    };
    /** @description What the service can do, and within which limits. */
    Capabilities: {
      /** @description The version of this interface, as `info.version` of the OpenAPI document. */
      interface_version: string;
      /** @description The service's name. */
      service: string;
      /**
       * Format: uri
       * @description The documentation for people.
       */
      documentation_url: string;
      transports: components['schemas']['Transports'];
      /** @description What can be done, and by which operations and tools. */
      capabilities: components['schemas']['Capability'][];
      limits: components['schemas']['Limits'];
      webhooks: components['schemas']['WebhookFacts'];
      idempotency: components['schemas']['IdempotencyFacts'];
      /** @description Every error code that an answer may carry. */
      errors: components['schemas']['ErrorFacts'][];
      human_confirmation: components['schemas']['HumanConfirmation'];
      compatibility: components['schemas']['CompatibilityFacts'];
    };
    /** @description The ways to reach the service; all have the same functions. */
    Transports: {
      /** @description HTTP and JSON. */
      rest: {
        /**
         * Format: uri
         * @description What every path is appended to.
         */
        base_url: string;
        /**
         * Format: uri
         * @description The OpenAPI document.
         */
        openapi_url: string;
      };
      /** @description The Model Context Protocol over Streamable HTTP. */
      mcp: {
        /**
         * Format: uri
         * @description The connector's address.
         */
        url: string;
        /** @description The protocol revisions that it speaks, newest first. */
        protocol_versions: string[];
      };
      /** @description The live stream, as server-sent events. */
      sse: {
        /**
         * Format: uri
         * @description The stream's address.
         */
        url: string;
        /** @description The kinds of events on the stream. */
        events: string[];
      };
    };
    /** @description One thing that the service can do. */
    Capability: {
      /** @description The capability's name. */
      name: string;
      /** @description Its version; a consumer of `2.x` can use every `2.y`. */
      version: string;
      /** @description What it is for. */
      description: string;
      /** @description The `operationId`s of the OpenAPI document that belong to it. */
      operations: string[];
      /** @description The MCP tools of the same purpose. */
      tools: string[];
    };
    /**
     * @description Hosted assistants call for many people from a few addresses. From addresses that the studio
     *     has listed as a platform's, each figure that is counted per caller counts per person, where a
     *     tool call says who the person is (`_meta["openai/subject"]`); these count all people of the
     *     platform together, unless the studio has given it others.
     */
    PlatformLimits: {
      /** @description Reads of all its people. */
      reads_per_minute: number;
      /** @description Holds of all its people. */
      holds_per_hour: number;
      /** @description Its pending holds, a share of `max_pending_holds`. */
      max_pending_holds: number;
      /** @description Its bookings that are pending, or confirmed and not over, and were placed within 24 hours. */
      max_live_bookings: number;
    };
    /** @description Every figure to plan with, as configured here. */
    Limits: {
      /** @description How many requests a window of time holds. */
      budgets: components['schemas']['Budget'][];
      /** @description How long a hold lasts. */
      hold_lifetime_seconds: number;
      /** @description Pending holds of the whole studio; beyond it, 503. */
      max_pending_holds: number;
      /** @description Pending holds of one caller, by API key and by address; beyond it, 503. */
      max_pending_holds_per_caller: number;
      /**
       * @description Bookings of one person that are pending, or confirmed and not over, by `email` (in lower
       *     case, without a `+tag`) and by `phone`; beyond it, 429.
       */
      max_live_bookings_per_person: number;
      /**
       * @description Bookings that are pending, or confirmed and not over, and that one caller placed within
       *     24 hours, by API key and by address (IPv6 by /48); beyond it, 429.
       */
      max_live_bookings_per_caller: number;
      platform: components['schemas']['PlatformLimits'];
      /** @description How far ahead a session must be held. */
      min_notice_minutes: number;
      /** @description How far ahead sessions can be held. */
      booking_horizon_days: number;
      /** @description How many days `to` may be after `from`. */
      availability_range_days: number;
      /** @description How many open slots `slot_unavailable` offers. */
      max_alternatives: number;
      /** @description The longest `Prefer: wait=N` on `GET /api/public/bookings/{id}`. */
      max_wait_seconds: number;
      /** @description How many such waits one caller may have at once. */
      max_waits_per_caller: number;
      /** @description How many live streams one address may have open. */
      max_streams_per_address: number;
      /** @description How many live webhook subscriptions one address may have. */
      max_webhooks_per_address: number;
      /** @description How many live webhook subscriptions may have one host as their target. */
      max_webhooks_per_host: number;
      /** @description How many live webhook subscriptions there may be in all. */
      max_webhooks: number;
      /** @description The largest request body. */
      max_body_bytes: number;
      /** @description The longest text of each member of a hold request, in characters. */
      max_lengths: {
        [key: string]: number;
      };
    };
    /** @description How many requests a window of time holds. */
    Budget: {
      /** @description As in `RateLimit-Policy`. */
      name: string;
      /** @description The window's length. */
      window_seconds: number;
      /** @description Requests per window without an API key. */
      anonymous: number;
      /** @description Requests per window with an API key. */
      keyed: number;
      /**
       * @description `caller`: the API key, or the address of an anonymous caller (IPv6 by /64). `address`:
       *     always the address.
       * @enum {string}
       */
      counted_per: 'caller' | 'address';
      /**
       * @description The operations that are charged to it; `reads` is charged for all others, and `pages` for
       *     what is outside the interface, such as `/guide.md`.
       */
      operations: string[];
    };
    /** @description How events are delivered. */
    WebhookFacts: {
      /** @description The kinds of events that can be subscribed to. */
      events: string[];
      /** @description How a delivery is signed. */
      signature: string;
      /** @description After how many seconds a failed delivery is tried again, each time. */
      retry_schedule_seconds: number[];
    };
    /** @description How to repeat a request without doing it twice. */
    IdempotencyFacts: {
      /** @description The request header that carries the key. */
      header: string;
      /** @description The tool argument that carries it. */
      tool_argument: string;
      /** @description The operations that honour it. */
      operations: string[];
      /** @description The longest key. */
      max_length: number;
      /** @description The header that marks a replayed answer. */
      replay_header: string;
    };
    /** @description One error code. */
    ErrorFacts: {
      code: components['schemas']['ErrorCode'];
      /** @description The HTTP status that it comes with. */
      status: number;
      /** @description Whether the same request may succeed later. */
      retryable: boolean;
    };
    /** @description What only the person may do. */
    HumanConfirmation: {
      /** @description Whether a booking needs it. */
      required: boolean;
      /**
       * @description Who confirms.
       * @enum {string}
       */
      actor: 'end_user';
      /**
       * @description What confirming takes: `link`, that the person has the link; `code`, also six digits that are mailed to the `email` of the hold when the person asks for them on the page.
       * @enum {string}
       */
      proof: 'link' | 'code';
      /** @description The operation whose answer has the link. */
      operation: string;
      /** @description The tool whose answer has the link. */
      tool: string;
      /** @description The member that has the link. */
      url_member: string;
      /** @description How long the person has. */
      hold_lifetime_seconds: number;
      /** @description The rule, in words. */
      description: string;
    };
    /** @description What consumers may rely on, and how the end of something is announced. */
    CompatibilityFacts: {
      /** @description The versions in which whatever works now goes on working, such as `2.x`. */
      stable_within: string;
      /** @description What may be added in these versions; consumers tolerate it. */
      additions: string[];
      /**
       * Format: uri
       * @description The policy, in words.
       */
      policy_url: string;
      deprecation: components['schemas']['DeprecationFacts'];
    };
    /** @description How the end of an operation is announced. */
    DeprecationFacts: {
      /** @description The headers of its answers that tell since when, and until when. */
      headers: string[];
      /** @description How many days before the end, at least. */
      notice_days: number;
    };
    /** @description One JSON-RPC 2.0 message, as MCP clients send it. No batches. */
    JsonRpcMessage:
      | components['schemas']['JsonRpcRequest']
      | components['schemas']['JsonRpcNotification']
      | components['schemas']['JsonRpcResponse'];
    /** @description A request; it is answered. */
    JsonRpcRequest: {
      jsonrpc: components['schemas']['JsonRpcVersion'];
      id: components['schemas']['JsonRpcId'];
      method: components['schemas']['JsonRpcMethod'];
      params?: components['schemas']['JsonRpcParams'];
    };
    /** @description A notification; it is accepted and not answered. */
    JsonRpcNotification: {
      jsonrpc: components['schemas']['JsonRpcVersion'];
      method: components['schemas']['JsonRpcMethod'];
      params?: components['schemas']['JsonRpcParams'];
    };
    /** @description A response; either a result or an error. */
    JsonRpcResponse:
      components['schemas']['JsonRpcResult'] | components['schemas']['JsonRpcFailure'];
    /** @description The response to a request that was understood. */
    JsonRpcResult: {
      jsonrpc: components['schemas']['JsonRpcVersion'];
      id: components['schemas']['JsonRpcId'];
      /** @description What the method answers, as MCP defines it. */
      result: Record<string, never>;
    };
    /** @description The response to what was no proper request. */
    JsonRpcFailure: {
      jsonrpc: components['schemas']['JsonRpcVersion'];
      /**
       * @description The request's id; null where none could be read.
       * @example 1
       */
      id: string | number | null;
      error: components['schemas']['JsonRpcError'];
    };
    /** @description Why there is no result. */
    JsonRpcError: {
      /**
       * @description `-32700` no JSON, `-32600` no JSON-RPC message or a batch, `-32601` unknown method,
       *     `-32602` wrong params or an unknown tool, `-32022` a protocol revision that is not
       *     served, `-32020` headers that contradict the message.
       */
      code: number;
      /** @description What was wrong and what to do next. */
      message: string;
      /** @description More, for programs, such as the revisions that are served. */
      data?: unknown;
    };
    /**
     * @description Always `2.0`.
     * @enum {string}
     */
    JsonRpcVersion: '2.0';
    /**
     * @description Chosen by the client; the response has the same.
     * @example 1
     */
    JsonRpcId: string | number;
    /**
     * @description The MCP method, such as `tools/call`.
     * @example tools/list
     */
    JsonRpcMethod: string;
    /** @description The method's parameters, by name. */
    JsonRpcParams: Record<string, never>;
    /** @description An MCP Server Card (SEP-2127). It names the connector and says how to reach it. */
    ServerCard: {
      /**
       * Format: uri
       * @description The schema of server cards.
       */
      $schema: string;
      /** @description The connector's name, in reverse-DNS form. */
      name: string;
      /** @description The name to show. */
      title: string;
      /** @description What it does, in a sentence. */
      description: string;
      /** @description The interface version. */
      version: string;
      /**
       * Format: uri
       * @description Where the documentation is.
       */
      websiteUrl: string;
      /** @description Where to connect. */
      remotes: components['schemas']['ServerCardRemote'][];
    };
    /** @description One address of the connector. */
    ServerCardRemote: {
      /**
       * @description The transport.
       * @enum {string}
       */
      type: 'streamable-http';
      /**
       * Format: uri
       * @description The address to connect to.
       */
      url: string;
      /** @description The protocol revisions that it speaks, newest first. */
      supportedProtocolVersions: string[];
    };
    /**
     * @description What went wrong, for programs. New codes may be added: treat one that you do not know by its
     *     status.
     * @enum {string}
     */
    ErrorCode:
      | 'invalid_request'
      | 'idempotency_key_reused'
      | 'manage_token_missing'
      | 'manage_token_invalid'
      | 'forbidden'
      | 'booking_not_found'
      | 'subscription_not_found'
      | 'not_found'
      | 'method_not_allowed'
      | 'request_timeout'
      | 'slot_unavailable'
      | 'payload_too_large'
      | 'uri_too_long'
      | 'unsupported_media_type'
      | 'rate_limited'
      | 'headers_too_large'
      | 'internal_error'
      | 'too_many_pending_holds'
      | 'service_unavailable';
    /** @description The shape of every failure. */
    ErrorResponse: {
      error: components['schemas']['Error'];
    };
    /** @description What was wrong, and what to do next. */
    Error: {
      code: components['schemas']['ErrorCode'];
      /** @description What was wrong and what to do next. */
      message: string;
      /** @description Name it when you ask the studio about a failure. */
      request_id: string;
      /** @description On `invalid_request`, each member that was wrong. */
      details?: components['schemas']['ErrorDetail'][];
      /** @description On `slot_unavailable`, up to five open slots near the one asked for. */
      alternatives?: components['schemas']['Alternative'][];
      /** @description On 429 and 503, after how many seconds to try again; as `Retry-After`. */
      retry_after_seconds?: number;
    };
    /** @description One member that was wrong. */
    ErrorDetail: {
      /** @description Which member, such as `body.email` or `query.from`. */
      path: string;
      /** @description What was wrong with it. */
      message: string;
    };
    /** @description An open slot that can be held. */
    Alternative: {
      date: components['schemas']['CalendarDate'];
      time_slot: components['schemas']['TimeSlot'];
      starts_at: components['schemas']['StartsAt'];
      /** @description The slot, ready for a sentence. */
      label: string;
    };
  };
  responses: {
    /** @description What you have is still the same; there is no body. */
    NotModified: {
      headers: {
        ETag: components['headers']['ETag'];
        'Cache-Control': components['headers']['CacheControl'];
        'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        RateLimit: components['headers']['RateLimit'];
        [name: string]: unknown;
      };
      content?: never;
    };
    /** @description The request is not of the documented form; `details` names each member. */
    InvalidRequest: {
      headers: {
        'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        RateLimit: components['headers']['RateLimit'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorResponse'];
      };
    };
    /**
     * @description The request is not of the documented form (`invalid_request`), or its `Idempotency-Key` was
     *     used before with another request (`idempotency_key_reused`).
     */
    InvalidHold: {
      headers: {
        'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        RateLimit: components['headers']['RateLimit'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorResponse'];
      };
    };
    /**
     * @description The request is not of the documented form, or deliveries may not go to its `url`; `details`
     *     says why.
     */
    InvalidWebhook: {
      headers: {
        'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        RateLimit: components['headers']['RateLimit'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorResponse'];
      };
    };
    /**
     * @description The request has no manage token (`manage_token_missing`), or none that belongs to a
     *     subscription (`manage_token_invalid`).
     */
    ManageTokenRefused: {
      headers: {
        'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        RateLimit: components['headers']['RateLimit'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorResponse'];
      };
    };
    /** @description The request has no manage token. */
    ManageTokenMissing: {
      headers: {
        'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        RateLimit: components['headers']['RateLimit'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorResponse'];
      };
    };
    /** @description The manage token belongs to no subscription, or it was deleted before. */
    SubscriptionNotFound: {
      headers: {
        'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        RateLimit: components['headers']['RateLimit'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorResponse'];
      };
    };
    /**
     * @description Your budget is used up, or there are too many live bookings: of the person (3, by `email` and
     *     by `phone`), or placed by you within 24 hours (12). `message` does not say whose.
     */
    HoldsLimited: {
      headers: {
        'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        RateLimit: components['headers']['RateLimit'];
        'Retry-After': components['headers']['RetryAfter'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorResponse'];
      };
    };
    /**
     * @description Your budget of new subscriptions is used up, or there are too many live ones: of your
     *     address (10), for the target host (20), or in all (1,000). `message` says which.
     */
    WebhooksLimited: {
      headers: {
        'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        RateLimit: components['headers']['RateLimit'];
        'Retry-After': components['headers']['RetryAfter'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorResponse'];
      };
    };
    /**
     * @description Not a JSON-RPC message (`-32700`, `-32600`), a protocol revision that is not served, or
     *     headers that contradict the message.
     */
    InvalidJsonRpc: {
      headers: {
        'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        RateLimit: components['headers']['RateLimit'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['JsonRpcFailure'];
      };
    };
    /** @description In revision 2026-07-28, a method that the connector does not have (`-32601`). */
    UnknownJsonRpcMethod: {
      headers: {
        'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        RateLimit: components['headers']['RateLimit'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['JsonRpcFailure'];
      };
    };
    /** @description The request comes from a web page whose origin is not allowed here. */
    Forbidden: {
      headers: {
        'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        RateLimit: components['headers']['RateLimit'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorResponse'];
      };
    };
    /** @description No booking has this id. */
    BookingNotFound: {
      headers: {
        'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        RateLimit: components['headers']['RateLimit'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorResponse'];
      };
    };
    /** @description The request did not arrive in time. */
    RequestTimeout: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorResponse'];
      };
    };
    /** @description The slot is not open. `message` says why; `alternatives` lists open slots. */
    SlotUnavailable: {
      headers: {
        'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        RateLimit: components['headers']['RateLimit'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorResponse'];
      };
    };
    /** @description The body is larger than the service reads. */
    PayloadTooLarge: {
      headers: {
        'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        RateLimit: components['headers']['RateLimit'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorResponse'];
      };
    };
    /** @description The address is longer than the service reads. */
    UriTooLong: {
      headers: {
        'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        RateLimit: components['headers']['RateLimit'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorResponse'];
      };
    };
    /** @description The body is not `application/json`. */
    UnsupportedMediaType: {
      headers: {
        'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        RateLimit: components['headers']['RateLimit'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorResponse'];
      };
    };
    /** @description Your budget is used up. Try again after `Retry-After` seconds. */
    RateLimited: {
      headers: {
        'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        RateLimit: components['headers']['RateLimit'];
        'Retry-After': components['headers']['RetryAfter'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorResponse'];
      };
    };
    /** @description The request's headers are larger than the service reads. */
    HeadersTooLarge: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorResponse'];
      };
    };
    /** @description Something failed on our side. It is safe to try again. */
    InternalError: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorResponse'];
      };
    };
    /** @description The service cannot answer right now. Try again after `Retry-After` seconds. */
    ServiceUnavailable: {
      headers: {
        'Retry-After': components['headers']['RetryAfter'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorResponse'];
      };
    };
    /**
     * @description Too many holds wait for their people (`too_many_pending_holds`; `Retry-After` is when the
     *     next one lapses), or the service cannot answer right now (`service_unavailable`).
     */
    HoldsUnavailable: {
      headers: {
        'Retry-After': components['headers']['RetryAfter'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorResponse'];
      };
    };
  };
  parameters: {
    /**
     * @description The `ETag` of the answer that you have; if it is still the same you get 304.
     * @example "u0qBvRZ2Zk9cS1mM4yQw3A"
     */
    IfNoneMatch: string;
  };
  requestBodies: never;
  headers: {
    /**
     * @description Names these bytes. Send it as `If-None-Match` to get 304 while they are the same.
     * @example "u0qBvRZ2Zk9cS1mM4yQw3A"
     */
    ETag: string;
    /**
     * @description The budget that the request was charged to: how many requests (`q`) a window of `w`
     *     seconds holds. `reads`, `holds`, `agent-keys` or `webhooks`; `platform-reads` or
     *     `platform-holds` where less is left to a platform as a whole than to its person.
     * @example "reads";q=60;w=60
     */
    RateLimitPolicy: string;
    /**
     * @description What remains (`r`) of that budget, for how many seconds (`t`).
     * @example "reads";r=59;t=42
     */
    RateLimit: string;
    /** @description How long the answer may be kept. */
    CacheControl: string;
    /** @description After how many whole seconds to try again. */
    RetryAfter: number;
  };
  pathItems: never;
}
export type CalendarDate = components['schemas']['CalendarDate'];
export type TimeSlot = components['schemas']['TimeSlot'];
export type Weekday = components['schemas']['Weekday'];
export type BookingStatus = components['schemas']['BookingStatus'];
export type Instant = components['schemas']['Instant'];
export type NullableInstant = components['schemas']['NullableInstant'];
export type StartsAt = components['schemas']['StartsAt'];
export type Studio = components['schemas']['Studio'];
export type Address = components['schemas']['Address'];
export type Contact = components['schemas']['Contact'];
export type OpeningHours = components['schemas']['OpeningHours'];
export type BookingFlow = components['schemas']['BookingFlow'];
export type BookingStep = components['schemas']['BookingStep'];
export type Availability = components['schemas']['Availability'];
export type AvailableDay = components['schemas']['AvailableDay'];
export type OpenSlot = components['schemas']['OpenSlot'];
export type LiveEvent = components['schemas']['LiveEvent'];
export type AvailabilityEvent = components['schemas']['AvailabilityEvent'];
export type PulseEvent = components['schemas']['PulseEvent'];
export type HeartbeatEvent = components['schemas']['HeartbeatEvent'];
export type Pulse = components['schemas']['Pulse'];
export type Heartbeat = components['schemas']['Heartbeat'];
export type HoldRequest = components['schemas']['HoldRequest'];
export type Hold = components['schemas']['Hold'];
export type Handoff = components['schemas']['Handoff'];
export type Booking = components['schemas']['Booking'];
export type WebhookEventType = components['schemas']['WebhookEventType'];
export type WebhookRequest = components['schemas']['WebhookRequest'];
export type WebhookStatus = components['schemas']['WebhookStatus'];
export type CreatedWebhook = components['schemas']['CreatedWebhook'];
export type Webhook = components['schemas']['Webhook'];
export type WebhookDelivery = components['schemas']['WebhookDelivery'];
export type DeletedWebhook = components['schemas']['DeletedWebhook'];
export type WebhookEvent = components['schemas']['WebhookEvent'];
export type AgentKeyRequest = components['schemas']['AgentKeyRequest'];
export type AgentKey = components['schemas']['AgentKey'];
export type AgentKeyLimits = components['schemas']['AgentKeyLimits'];
export type Capabilities = components['schemas']['Capabilities'];
export type Transports = components['schemas']['Transports'];
export type Capability = components['schemas']['Capability'];
export type PlatformLimits = components['schemas']['PlatformLimits'];
export type Limits = components['schemas']['Limits'];
export type Budget = components['schemas']['Budget'];
export type WebhookFacts = components['schemas']['WebhookFacts'];
export type IdempotencyFacts = components['schemas']['IdempotencyFacts'];
export type ErrorFacts = components['schemas']['ErrorFacts'];
export type HumanConfirmation = components['schemas']['HumanConfirmation'];
export type CompatibilityFacts = components['schemas']['CompatibilityFacts'];
export type DeprecationFacts = components['schemas']['DeprecationFacts'];
export type JsonRpcMessage = components['schemas']['JsonRpcMessage'];
export type JsonRpcRequest = components['schemas']['JsonRpcRequest'];
export type JsonRpcNotification = components['schemas']['JsonRpcNotification'];
export type JsonRpcResponse = components['schemas']['JsonRpcResponse'];
export type JsonRpcResult = components['schemas']['JsonRpcResult'];
export type JsonRpcFailure = components['schemas']['JsonRpcFailure'];
export type JsonRpcError = components['schemas']['JsonRpcError'];
export type JsonRpcVersion = components['schemas']['JsonRpcVersion'];
export type JsonRpcId = components['schemas']['JsonRpcId'];
export type JsonRpcMethod = components['schemas']['JsonRpcMethod'];
export type JsonRpcParams = components['schemas']['JsonRpcParams'];
export type ServerCard = components['schemas']['ServerCard'];
export type ServerCardRemote = components['schemas']['ServerCardRemote'];
export type ErrorCode = components['schemas']['ErrorCode'];
export type ErrorResponse = components['schemas']['ErrorResponse'];
export type Error = components['schemas']['Error'];
export type ErrorDetail = components['schemas']['ErrorDetail'];
export type Alternative = components['schemas']['Alternative'];
export type ResponseNotModified = components['responses']['NotModified'];
export type ResponseInvalidRequest = components['responses']['InvalidRequest'];
export type ResponseInvalidHold = components['responses']['InvalidHold'];
export type ResponseInvalidWebhook = components['responses']['InvalidWebhook'];
export type ResponseManageTokenRefused = components['responses']['ManageTokenRefused'];
export type ResponseManageTokenMissing = components['responses']['ManageTokenMissing'];
export type ResponseSubscriptionNotFound = components['responses']['SubscriptionNotFound'];
export type ResponseHoldsLimited = components['responses']['HoldsLimited'];
export type ResponseWebhooksLimited = components['responses']['WebhooksLimited'];
export type ResponseInvalidJsonRpc = components['responses']['InvalidJsonRpc'];
export type ResponseUnknownJsonRpcMethod = components['responses']['UnknownJsonRpcMethod'];
export type ResponseForbidden = components['responses']['Forbidden'];
export type ResponseBookingNotFound = components['responses']['BookingNotFound'];
export type ResponseRequestTimeout = components['responses']['RequestTimeout'];
export type ResponseSlotUnavailable = components['responses']['SlotUnavailable'];
export type ResponsePayloadTooLarge = components['responses']['PayloadTooLarge'];
export type ResponseUriTooLong = components['responses']['UriTooLong'];
export type ResponseUnsupportedMediaType = components['responses']['UnsupportedMediaType'];
export type ResponseRateLimited = components['responses']['RateLimited'];
export type ResponseHeadersTooLarge = components['responses']['HeadersTooLarge'];
export type ResponseInternalError = components['responses']['InternalError'];
export type ResponseServiceUnavailable = components['responses']['ServiceUnavailable'];
export type ResponseHoldsUnavailable = components['responses']['HoldsUnavailable'];
export type ParameterIfNoneMatch = components['parameters']['IfNoneMatch'];
export type HeaderETag = components['headers']['ETag'];
export type HeaderRateLimitPolicy = components['headers']['RateLimitPolicy'];
export type HeaderRateLimit = components['headers']['RateLimit'];
export type HeaderCacheControl = components['headers']['CacheControl'];
export type HeaderRetryAfter = components['headers']['RetryAfter'];
export type $defs = Record<string, never>;
export interface operations {
  getStudio: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description The `ETag` of the answer that you have; if it is still the same you get 304.
         * @example "u0qBvRZ2Zk9cS1mM4yQw3A"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The studio's details. */
      200: {
        headers: {
          ETag: components['headers']['ETag'];
          'Cache-Control': components['headers']['CacheControl'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['Studio'];
          };
        };
      };
      304: components['responses']['NotModified'];
      408: components['responses']['RequestTimeout'];
      414: components['responses']['UriTooLong'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listAvailability: {
    parameters: {
      query: {
        /**
         * @description First date of the range, inclusive, in the studio's time zone.
         * @example 2026-12-01
         */
        from: components['schemas']['CalendarDate'];
        /**
         * @description Last date of the range, inclusive; not before `from` and at most 31 days after it.
         * @example 2026-12-07
         */
        to: components['schemas']['CalendarDate'];
        /**
         * @description Only this session time.
         * @example 1:00 PM
         */
        time_slot?: components['schemas']['TimeSlot'];
      };
      header?: {
        /**
         * @description The `ETag` of the answer that you have; if it is still the same you get 304.
         * @example "u0qBvRZ2Zk9cS1mM4yQw3A"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The open slots of the range. */
      200: {
        headers: {
          ETag: components['headers']['ETag'];
          'Cache-Control': components['headers']['CacheControl'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['Availability'];
          };
        };
      };
      304: components['responses']['NotModified'];
      400: components['responses']['InvalidRequest'];
      408: components['responses']['RequestTimeout'];
      414: components['responses']['UriTooLong'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  createHold: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description 1 to 255 printable ASCII characters, bare or as a quoted string; unique per hold that
         *     you mean. Use a random UUID: whoever can guess the key of an anonymous request and knows
         *     its `email` can use the key up first. Two of these headers get 400.
         * @example 8e03978e-40d5-43e8-bc93-6894a57f9324
         */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['HoldRequest'];
      };
    };
    responses: {
      /** @description The slot is held. Hand `checkout_url` to the person. */
      201: {
        headers: {
          /** @description Address of the booking's status, `/api/public/bookings/{id}`. */
          Location: string;
          /** @description Present, and `true`, when this is the stored answer of an earlier request. */
          'Idempotency-Replayed'?: 'true';
          'Cache-Control': components['headers']['CacheControl'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['Hold'];
          };
        };
      };
      400: components['responses']['InvalidHold'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['SlotUnavailable'];
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['HoldsLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['HoldsUnavailable'];
    };
  };
  getBooking: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description `wait=N` (RFC 7240) waits up to N seconds, at most 60, for a pending booking to change. At
         *     most 20 requests of one caller wait at a time. Other preferences, and what is not well-formed,
         *     are ignored.
         * @example wait=60
         */
        Prefer?: string;
      };
      path: {
        /**
         * @description The booking's id, as `POST /api/public/holds` gave it.
         * @example 0b9b64f5-5d7e-4c0f-9d0c-1f5f6a3f2c11
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The booking. */
      200: {
        headers: {
          'Cache-Control': components['headers']['CacheControl'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          RateLimit: components['headers']['RateLimit'];
          /** @description Present when `wait` was honoured: for how many seconds at most, such as `wait=60`. */
          'Preference-Applied'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['Booking'];
          };
        };
      };
      404: components['responses']['BookingNotFound'];
      408: components['responses']['RequestTimeout'];
      414: components['responses']['UriTooLong'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  streamEvents: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description The last `id` received. While it still stands for the present state, the stream starts
         *     without the `availability` event.
         * @example f3pWQ0kDvXJ0mC2a
         */
        'Last-Event-ID'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /**
       * @description The stream, until either side ends it. Schema and examples show one event with its
       *     `data` parsed; on the wire the data is one line of JSON:
       *
       *     ```
       *     event: heartbeat
       *     data: {"server_time":"2026-11-21T18:00:09.000Z"}
       *     ```
       */
      200: {
        headers: {
          'Cache-Control': components['headers']['CacheControl'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          RateLimit: components['headers']['RateLimit'];
          /** @description Asks proxies to pass each event on at once. */
          'X-Accel-Buffering': 'no';
          [name: string]: unknown;
        };
        content: {
          'text/event-stream': components['schemas']['LiveEvent'];
        };
      };
      408: components['responses']['RequestTimeout'];
      414: components['responses']['UriTooLong'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The subscription. */
      200: {
        headers: {
          'Cache-Control': components['headers']['CacheControl'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['Webhook'];
          };
        };
      };
      401: components['responses']['ManageTokenRefused'];
      408: components['responses']['RequestTimeout'];
      414: components['responses']['UriTooLong'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  createWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['WebhookRequest'];
      };
    };
    responses: {
      /** @description Subscribed. Store both secrets; they are never shown again. */
      201: {
        headers: {
          'Cache-Control': components['headers']['CacheControl'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['CreatedWebhook'];
          };
        };
      };
      400: components['responses']['InvalidWebhook'];
      408: components['responses']['RequestTimeout'];
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['WebhooksLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  deleteWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Deleted. */
      200: {
        headers: {
          'Cache-Control': components['headers']['CacheControl'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['DeletedWebhook'];
          };
        };
      };
      401: components['responses']['ManageTokenMissing'];
      404: components['responses']['SubscriptionNotFound'];
      408: components['responses']['RequestTimeout'];
      414: components['responses']['UriTooLong'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  createAgentKey: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['AgentKeyRequest'];
      };
    };
    responses: {
      /** @description The key, shown this once. */
      201: {
        headers: {
          'Cache-Control': components['headers']['CacheControl'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['AgentKey'];
          };
        };
      };
      400: components['responses']['InvalidRequest'];
      408: components['responses']['RequestTimeout'];
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getCapabilities: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description The `ETag` of the answer that you have; if it is still the same you get 304.
         * @example "u0qBvRZ2Zk9cS1mM4yQw3A"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The capabilities. */
      200: {
        headers: {
          ETag: components['headers']['ETag'];
          'Cache-Control': components['headers']['CacheControl'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['Capabilities'];
          };
        };
      };
      304: components['responses']['NotModified'];
      408: components['responses']['RequestTimeout'];
      414: components['responses']['UriTooLong'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  callMcp: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['JsonRpcMessage'];
      };
    };
    responses: {
      /**
       * @description The JSON-RPC response. Only `subscriptions/listen` is answered as a stream, which ends
       *     at once: the tools never change while the service runs.
       */
      200: {
        headers: {
          'Cache-Control': components['headers']['CacheControl'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['JsonRpcResponse'];
          'text/event-stream': string;
        };
      };
      /** @description The notification or response was accepted; there is nothing to answer. */
      202: {
        headers: {
          'Cache-Control': components['headers']['CacheControl'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['InvalidJsonRpc'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownJsonRpcMethod'];
      408: components['responses']['RequestTimeout'];
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getServerCard: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The server card. */
      200: {
        headers: {
          'Cache-Control': components['headers']['CacheControl'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/mcp-server-card+json': components['schemas']['ServerCard'];
        };
      };
      408: components['responses']['RequestTimeout'];
      414: components['responses']['UriTooLong'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getOpenapi: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description The `ETag` of the answer that you have; if it is still the same you get 304.
         * @example "u0qBvRZ2Zk9cS1mM4yQw3A"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The OpenAPI document. */
      200: {
        headers: {
          ETag: components['headers']['ETag'];
          'Cache-Control': components['headers']['CacheControl'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @description The OpenAPI version. */
            openapi: string;
            /** @description Title and interface version. */
            info: Record<string, never>;
            /** @description The public address. */
            servers: Record<string, never>[];
            /** @description The operations. */
            paths: Record<string, never>;
          };
        };
      };
      304: components['responses']['NotModified'];
      408: components['responses']['RequestTimeout'];
      414: components['responses']['UriTooLong'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  receiveEvent: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['WebhookEvent'];
      };
    };
    responses: {
      /** @description Delivered. Any 2xx within 15 seconds counts; the body is ignored. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Disables the subscription at once. Everything else that is not 2xx is tried again. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
}
