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
     * @description Address, contact, opening hours, session times and the steps of a booking. `hours` are for show.
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
     * @description Open slots by date.
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
     * @description Holds one open slot for 15 minutes; the page of an expired hold offers it again. Show the person `handoff.message` and `checkout_url`; never open the link yourself. Of several artists, it is with one who is free: who wants a certain one holds at that artist's `book_url`. Live bookings are capped.
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
     * @description What became of a hold, without personal data. The person or the studio may move a booking: its slot is then the new one, and `label` names it. To wait without polling, send `Prefer: wait=50`.
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
  '/api/public/capabilities': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read what the service can do, and its limits
     * @description What is offered, every limit as configured, and every error code.
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
     * @description Optional. Send it as `Authorization: Bearer <key>`. A key that is unknown or revoked is served as anonymous. To have one revoked, write to the studio from its `email`.
     */
    post: operations['createAgentKey'];
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
     * @description A disabled subscription stays readable for 30 days.
     */
    get: operations['getWebhook'];
    put?: never;
    /**
     * Subscribe to webhooks
     * @description Sends a signed POST to your `url` for each event, at least once and in no particular order. Answer 2xx within 15 seconds; redirects are failures. A failed delivery is sent again, with the same bytes, by `retry_schedule_seconds` of `GET /api/public/capabilities`. 429 beyond `limits` there.
     */
    post: operations['createWebhook'];
    /**
     * Delete a webhook subscription
     * @description Deliveries that wait are not sent.
     */
    delete: operations['deleteWebhook'];
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
     * @description Server-sent events: the present state, then every change within a second; each replaces the
     *     one before.
     *
     *     - `availability`: open slots of today and the 30 days after; `id` stands for the content
     *     - `pulse`: figures, once a second at most
     *     - `heartbeat`: every 15 seconds; after 45 without, connect again
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
     * @description The Model Context Protocol over Streamable HTTP, stateless and without credentials: one JSON-RPC 2.0 message per request, no batches. Revisions up to 2025-11-25 and 2026-07-28 are served. A refusal is a result with `isError: true` whose text is the error envelope.
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
     * @description The connector's name, address and protocol revisions (MCP Server Cards, SEP-2127).
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
     * @description With the service's public address.
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
     * @description One event, signed by Standard Webhooks 1.0.0: `webhook-id` (the same on every retry), `webhook-timestamp` (of the attempt) and `webhook-signature: v1,<base64>`, an HMAC-SHA256 over `id.timestamp.body` under the 32 bytes in base64 after `whsec_` in `signing_secret`. Deduplicate by `webhook-id`.
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
    HoldRequest: {
      date: components['schemas']['CalendarDate'];
      time_slot: components['schemas']['TimeSlot'];
      /** @description The person's name, not blank. */
      name: string;
      /**
       * Format: email
       * @description The person's e-mail address.
       */
      email: string;
      /**
       * @description A US telephone number: ten digits of the North American plan, also with `+1`, `1`, spaces, dots, dashes, slashes or brackets.
       * @example 5555550142
       */
      phone: string;
      /** @description The person's pronouns. */
      pronouns?: string | null;
      /** @description What the person has in mind. */
      idea?: string | null;
    };
    Hold: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      status: 'pending';
      date: components['schemas']['CalendarDate'];
      time_slot: components['schemas']['TimeSlot'];
      starts_at: components['schemas']['StartsAt'];
      ends_at?: components['schemas']['EndsAt'];
      timezone: string;
      /** @description The slot, ready for a sentence. */
      label: string;
      artist?: components['schemas']['Artist'];
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
    Handoff: {
      /** @enum {string} */
      type: 'url';
      /** @enum {string} */
      actor: 'end_user';
      /** @enum {boolean} */
      required: true;
      /**
       * Format: uri
       * @description The same as `checkout_url`.
       */
      url: string;
      url_host: string;
      /** @description What to tell the person. */
      message: string;
      agent_instructions: string[];
      expires_at: components['schemas']['Instant'];
      /**
       * @description A new hold, by the person on the same page, or by you once they are there.
       * @enum {string}
       */
      on_expiry: 'create_new_hold';
      /** Format: uri */
      status_url: string;
      /** @description Do not read the status more often than this. */
      poll_interval_seconds: number;
    };
    Availability: {
      timezone: string;
      from: components['schemas']['CalendarDate'];
      to: components['schemas']['CalendarDate'];
      total_open: number;
      /** @description Only dates with an open slot. */
      days: components['schemas']['AvailableDay'][];
      book_url_template?: components['schemas']['BookUrlTemplate'];
    };
    /** @description For a person who is away, or wants a certain artist (RFC 6570): a page that holds the time once they press. */
    BookUrlTemplate: string;
    AvailableDay: {
      date: components['schemas']['CalendarDate'];
      weekday: components['schemas']['Weekday'];
      slots: components['schemas']['OpenSlot'][];
    };
    OpenSlot: {
      time_slot: components['schemas']['TimeSlot'];
      starts_at: components['schemas']['StartsAt'];
    };
    Booking: {
      /** Format: uuid */
      id: string;
      status: components['schemas']['BookingStatus'];
      date: components['schemas']['CalendarDate'];
      time_slot: components['schemas']['TimeSlot'];
      starts_at: components['schemas']['StartsAt'];
      ends_at?: components['schemas']['EndsAt'];
      timezone: string;
      label: string;
      artist?: components['schemas']['Artist'];
      created_at: components['schemas']['Instant'];
      expires_at: components['schemas']['Instant'];
      confirmed_at: components['schemas']['NullableInstant'];
      cancelled_at: components['schemas']['NullableInstant'];
      expired_at: components['schemas']['NullableInstant'];
    };
    /**
     * @description `pending` until the person confirms or `expires_at` has passed. `expired` and `cancelled` (by the person or the studio) are final.
     * @enum {string}
     */
    BookingStatus: 'pending' | 'confirmed' | 'expired' | 'cancelled';
    /**
     * Format: date
     * @description A date that exists, `YYYY-MM-DD`, in the studio's time zone.
     * @example 2026-12-01
     */
    CalendarDate: string;
    /**
     * @description A session time, on the studio's wall clock.
     * @enum {string}
     */
    TimeSlot: '9:00 AM' | '1:00 PM' | '5:00 PM';
    /** @enum {string} */
    Weekday: 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday';
    /**
     * Format: date-time
     * @description An instant in UTC.
     */
    Instant: string;
    /**
     * Format: date-time
     * @description An instant in UTC; null where it has not happened.
     */
    NullableInstant: string | null;
    /**
     * Format: date-time
     * @description When the session starts, with the studio's own UTC offset.
     */
    StartsAt: string;
    /**
     * Format: date-time
     * @description When the session ends, as decided when it was booked. Absent from webhooks and replays of bookings made before 2.9.
     */
    EndsAt: string;
    /**
     * @example {
     *       "error": {
     *         "code": "invalid_request",
     *         "message": "The request is not valid: body.email must be an e-mail address.",
     *         "request_id": "018f6f2e-7d5a-4c1e-9b43-0f2d6c1a7e55",
     *         "details": [
     *           {
     *             "path": "body.email",
     *             "message": "must be an e-mail address"
     *           }
     *         ]
     *       }
     *     }
     */
    ErrorResponse: {
      error: components['schemas']['Error'];
    };
    Error: {
      code: components['schemas']['ErrorCode'];
      message: string;
      /** @description Name it when you ask the studio about a failure. */
      request_id: string;
      /** @description On `invalid_request`. */
      details?: components['schemas']['ErrorDetail'][];
      /** @description On `slot_unavailable`, open slots near the one asked for, the best first. */
      alternatives?: components['schemas']['Alternative'][];
      /** @description On 429 and 503, as `Retry-After`. */
      retry_after_seconds?: number;
    };
    ErrorDetail: {
      /** @description Such as `body.email` or `query.from`. */
      path: string;
      message: string;
    };
    /**
     * @description Codes may be added: treat one that you do not know by its status.
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
    Alternative: {
      date: components['schemas']['CalendarDate'];
      time_slot: components['schemas']['TimeSlot'];
      starts_at: components['schemas']['StartsAt'];
      label: string;
    };
    Studio: {
      name: string;
      description: string;
      /** @description IANA time zone. */
      timezone: string;
      address: components['schemas']['Address'];
      contact: components['schemas']['Contact'];
      hours: components['schemas']['OpeningHours'][];
      session_times: components['schemas']['TimeSlot'][];
      /** @description How long a session lasts, unless the day ends earlier. */
      session_minutes: number;
      /** @description What a person must know beforehand. */
      notices: components['schemas']['Notice'][];
      /** @description Whom a person can choose, where there are several. */
      artists?: components['schemas']['StudioArtist'][];
      booking_flow: components['schemas']['BookingFlow'];
    };
    /** @description Only where there are several. */
    Artist: {
      name: string;
    };
    StudioArtist: {
      name: string;
      about: string;
      /**
       * Format: uri
       * @description Where the person chooses a time with them.
       */
      book_url: string;
    };
    Address: {
      street: string;
      city: string;
      region: string;
      postal_code: string;
      country: string;
    };
    Contact: {
      email: string;
      phone: string;
      website: string;
    };
    OpeningHours: {
      day: components['schemas']['Weekday'];
      /** @description `HH:MM`; null, as `closes`, when closed. */
      opens: string | null;
      closes: string | null;
      /** @description Those that can be booked with anybody now, and when each ends at the latest, `HH:MM`. */
      sessions?: components['schemas']['WeeklySession'][];
    };
    WeeklySession: {
      time_slot: components['schemas']['TimeSlot'];
      ends: string;
    };
    Notice: {
      title: string;
      text: string;
    };
    BookingFlow: {
      hold_minutes: number;
      payment_required: boolean;
      steps: components['schemas']['BookingStep'][];
    };
    BookingStep: {
      step: number;
      /** @enum {string} */
      actor: 'agent' | 'end_user';
      title: string;
      description: string;
    };
    Capabilities: {
      interface_version: string;
      service: string;
      /** Format: uri */
      documentation_url: string;
      book_url_template?: components['schemas']['BookUrlTemplate'];
      transports: components['schemas']['Transports'];
      capabilities: components['schemas']['Capability'][];
      limits: components['schemas']['Limits'];
      webhooks: components['schemas']['WebhookFacts'];
      idempotency: components['schemas']['IdempotencyFacts'];
      errors: components['schemas']['ErrorFacts'][];
      human_confirmation: components['schemas']['HumanConfirmation'];
      compatibility: components['schemas']['CompatibilityFacts'];
    };
    Transports: {
      rest: {
        /** Format: uri */
        base_url: string;
        /** Format: uri */
        openapi_url: string;
      };
      mcp: {
        /** Format: uri */
        url: string;
        protocol_versions: string[];
      };
      sse: {
        /** Format: uri */
        url: string;
        events: string[];
      };
    };
    /**
     * @example {
     *       "name": "bookings",
     *       "version": "2.0.0",
     *       "description": "Hold a session for a person.",
     *       "operations": [
     *         "createHold"
     *       ],
     *       "tools": [
     *         "hold_slot"
     *       ]
     *     }
     */
    Capability: {
      name: string;
      version: string;
      description: string;
      operations: string[];
      tools: string[];
    };
    Limits: {
      budgets: components['schemas']['Budget'][];
      hold_lifetime_seconds: number;
      /** @description Beyond it, 503. */
      max_pending_holds: number;
      max_pending_holds_per_caller: number;
      /** @description Pending, or confirmed and not over; by `email` and, where confirming takes no code, by `phone`. Beyond it, 429. */
      max_live_bookings_per_person: number;
      /** @description Placed within 24 hours. */
      max_live_bookings_per_caller: number;
      platform: components['schemas']['PlatformLimits'];
      min_notice_minutes: number;
      booking_horizon_days: number;
      availability_range_days: number;
      max_alternatives: number;
      max_wait_seconds: number;
      max_waits_per_caller: number;
      max_streams_per_address: number;
      /** @description By IPv4 address or IPv6 /48. */
      max_webhooks_per_network: number;
      /** @description By the target's registrable domain. */
      max_webhooks_per_domain: number;
      /** @description Now `max_webhooks_per_network`. */
      max_webhooks_per_address: number;
      /** @description Now `max_webhooks_per_domain`. */
      max_webhooks_per_host: number;
      max_webhooks: number;
      /** @description With so many live, one per network and domain. */
      webhooks_scarce_from: number;
      max_body_bytes: number;
      /** @description Of each member of a hold request, in characters. */
      max_lengths: {
        [key: string]: number;
      };
    };
    /**
     * @example {
     *       "name": "holds",
     *       "window_seconds": 3600,
     *       "anonymous": 5,
     *       "keyed": 30,
     *       "counted_per": "caller",
     *       "operations": [
     *         "createHold"
     *       ]
     *     }
     */
    Budget: {
      name: string;
      window_seconds: number;
      anonymous: number;
      keyed: number;
      /**
       * @description `caller`: the API key, or the address of an anonymous caller (IPv6 by /64).
       * @enum {string}
       */
      counted_per: 'caller' | 'address';
      /** @description All others are charged to `reads`, and what is outside the interface to `pages`. */
      operations: string[];
    };
    /** @description Shared by all people of a hosted assistant that the studio has listed. */
    PlatformLimits: {
      reads_per_minute: number;
      holds_per_hour: number;
      max_pending_holds: number;
      max_live_bookings: number;
    };
    WebhookFacts: {
      events: string[];
      signature: string;
      retry_schedule_seconds: number[];
      /** @description Deliveries that wait, until the first success. */
      max_waiting_until_proven: number;
    };
    IdempotencyFacts: {
      header: string;
      tool_argument: string;
      operations: string[];
      max_length: number;
      replay_header: string;
    };
    ErrorFacts: {
      code: components['schemas']['ErrorCode'];
      status: number;
      /** @description Whether the same request may succeed later. */
      retryable: boolean;
    };
    HumanConfirmation: {
      required: boolean;
      /** @enum {string} */
      actor: 'end_user';
      /**
       * @description `link`: confirming takes the link. `code`: also six digits, mailed to the `email` of the hold.
       * @enum {string}
       */
      proof: 'link' | 'code';
      operation: string;
      tool: string;
      url_member: string;
      hold_lifetime_seconds: number;
      description: string;
    };
    CompatibilityFacts: {
      stable_within: string;
      additions: string[];
      /** Format: uri */
      policy_url: string;
      deprecation: components['schemas']['DeprecationFacts'];
    };
    DeprecationFacts: {
      headers: string[];
      notice_days: number;
    };
    AgentKeyRequest: {
      /**
       * Format: email
       * @description Where the key's owner is reached.
       */
      email: string;
      /** @description A name for the key. */
      label?: string | null;
    };
    AgentKey: {
      /** Format: uuid */
      id: string;
      /** @description Shown only here. */
      key: string;
      label: string | null;
      created_at: components['schemas']['Instant'];
      limits: components['schemas']['AgentKeyLimits'];
      notice: string;
    };
    AgentKeyLimits: {
      reads_per_minute: number;
      /** @description Holds, and as many webhook subscriptions. */
      writes_per_hour: number;
    };
    WebhookRequest: {
      /**
       * Format: uri
       * @description `https`, port 443 or 8443, without user name and password, on the public internet.
       */
      url: string;
      /** @description All three when left out. */
      events?: ('hold.created' | 'booking.confirmed' | 'hold.expired')[];
    };
    /**
     * @description A hold that the person lets go, and a booking that is cancelled or moved, send no event.
     * @enum {string}
     */
    WebhookEventType: 'hold.created' | 'booking.confirmed' | 'hold.expired';
    CreatedWebhook: {
      /** Format: uuid */
      id: string;
      /** Format: uri */
      url: string;
      events: components['schemas']['WebhookEventType'][];
      /** @enum {string} */
      status: 'active';
      created_at: components['schemas']['Instant'];
      /** @description Verifies deliveries. Shown only here. */
      signing_secret: string;
      /** @description The bearer token for `GET` and `DELETE`. Shown only here. */
      manage_token: string;
    };
    Webhook: {
      /** Format: uuid */
      id: string;
      /** Format: uri */
      url: string;
      events: components['schemas']['WebhookEventType'][];
      status: components['schemas']['WebhookStatus'];
      /**
       * @description `gone`: the receiver answered 410. `studio`: ask by e-mail. Otherwise subscribe anew.
       * @enum {string|null}
       */
      disabled_reason: 'gone' | 'never_succeeded' | 'failing' | 'studio' | 'secret_lost' | null;
      created_at: components['schemas']['Instant'];
      /** @description Events never sent, because 20 deliveries waited. */
      skipped: number;
      /** @description Newest first. */
      recent_deliveries: components['schemas']['WebhookDelivery'][];
    };
    /** @enum {string} */
    WebhookStatus: 'active' | 'disabled';
    WebhookDelivery: {
      /**
       * Format: uuid
       * @description As `webhook-id` names it.
       */
      event_id: string;
      type: components['schemas']['WebhookEventType'];
      /**
       * @description `failed`: no attempts are left, or the subscription was disabled.
       * @enum {string}
       */
      status: 'pending' | 'delivered' | 'failed';
      attempts: number;
      /** @description Null when the receiver never answered. */
      last_status_code: number | null;
      last_attempt_at: components['schemas']['NullableInstant'];
      next_attempt_at: components['schemas']['NullableInstant'];
    };
    DeletedWebhook: {
      /** Format: uuid */
      id: string;
      /** @enum {boolean} */
      deleted: true;
    };
    WebhookEvent: {
      type: components['schemas']['WebhookEventType'];
      timestamp: components['schemas']['Instant'];
      data: components['schemas']['Booking'];
    };
    LiveEvent:
      | components['schemas']['AvailabilityEvent']
      | components['schemas']['PulseEvent']
      | components['schemas']['HeartbeatEvent'];
    AvailabilityEvent: {
      /** @enum {string} */
      event: 'availability';
      id: string;
      data: components['schemas']['Availability'];
    };
    PulseEvent: {
      /** @enum {string} */
      event: 'pulse';
      data: components['schemas']['Pulse'];
    };
    Pulse: {
      open_slots: number;
      /** @description The first open slot, however far ahead. */
      next_open: components['schemas']['Alternative'] | null;
      pending_holds: number;
      confirmed_upcoming: number;
      viewers: number;
      server_time: components['schemas']['Instant'];
    };
    HeartbeatEvent: {
      /** @enum {string} */
      event: 'heartbeat';
      data: components['schemas']['Heartbeat'];
    };
    Heartbeat: {
      server_time: components['schemas']['Instant'];
    };
    JsonRpcMessage:
      | components['schemas']['JsonRpcRequest']
      | components['schemas']['JsonRpcNotification']
      | components['schemas']['JsonRpcResponse'];
    JsonRpcRequest: {
      jsonrpc: components['schemas']['JsonRpcVersion'];
      id: components['schemas']['JsonRpcId'];
      method: components['schemas']['JsonRpcMethod'];
      params?: components['schemas']['JsonRpcParams'];
    };
    JsonRpcNotification: {
      jsonrpc: components['schemas']['JsonRpcVersion'];
      method: components['schemas']['JsonRpcMethod'];
      params?: components['schemas']['JsonRpcParams'];
    };
    JsonRpcResponse:
      | components['schemas']['JsonRpcResult']
      | components['schemas']['JsonRpcFailure'];
    JsonRpcResult: {
      jsonrpc: components['schemas']['JsonRpcVersion'];
      id: components['schemas']['JsonRpcId'];
      result: Record<string, never>;
    };
    /**
     * @example {
     *       "jsonrpc": "2.0",
     *       "id": null,
     *       "error": {
     *         "code": -32600,
     *         "message": "Batches are not served."
     *       }
     *     }
     */
    JsonRpcFailure: {
      jsonrpc: components['schemas']['JsonRpcVersion'];
      /** @description Null where none could be read. */
      id: string | number | null;
      error: components['schemas']['JsonRpcError'];
    };
    JsonRpcError: {
      /** @description Besides JSON-RPC's own: `-32022` a protocol revision that is not served, `-32020` headers that contradict the message. */
      code: number;
      message: string;
      data?: unknown;
    };
    /** @enum {string} */
    JsonRpcVersion: '2.0';
    JsonRpcId: string | number;
    /** @example tools/list */
    JsonRpcMethod: string;
    JsonRpcParams: Record<string, never> | null;
    ServerCard: {
      /** Format: uri */
      $schema: string;
      name: string;
      title: string;
      description: string;
      version: string;
      /** Format: uri */
      websiteUrl: string;
      remotes: components['schemas']['ServerCardRemote'][];
    };
    ServerCardRemote: {
      /** @enum {string} */
      type: 'streamable-http';
      /** Format: uri */
      url: string;
      supportedProtocolVersions: string[];
    };
  };
  responses: {
    /** @description 400 `invalid_request`: `details` names each wrong member. 400 `idempotency_key_reused`: the key belongs to another request. */
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
    /** @description 404 `booking_not_found` or `subscription_not_found`: nothing has this id or manage token. */
    NotFound: {
      headers: {
        'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        RateLimit: components['headers']['RateLimit'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorResponse'];
      };
    };
    /** @description 409 `slot_unavailable`: `message` says why. Offer the person one of the `alternatives`. */
    SlotUnavailable: {
      headers: {
        'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        RateLimit: components['headers']['RateLimit'];
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "error": {
         *         "code": "slot_unavailable",
         *         "message": "Tuesday, December 1, 2026 at 1:00 PM is already booked. Offer the person one of the alternatives.",
         *         "request_id": "018f6f2e-7d5a-4c1e-9b43-0f2d6c1a7e55",
         *         "alternatives": [
         *           {
         *             "date": "2026-12-01",
         *             "time_slot": "5:00 PM",
         *             "starts_at": "2026-12-01T17:00:00-08:00",
         *             "label": "Tuesday, December 1, 2026 at 5:00 PM"
         *           }
         *         ]
         *       }
         *     }
         */
        'application/json': components['schemas']['ErrorResponse'];
      };
    };
    /** @description 429 `rate_limited`: a budget is used up, or there are too many live bookings, subscriptions or streams. An API key raises budgets. */
    RateLimited: {
      headers: {
        'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        RateLimit: components['headers']['RateLimit'];
        'Retry-After': components['headers']['RetryAfter'];
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "error": {
         *         "code": "rate_limited",
         *         "message": "The limit of 60 reads per minute is used up. Wait 42 seconds and send the same request again.",
         *         "request_id": "018f6f2e-7d5a-4c1e-9b43-0f2d6c1a7e55",
         *         "retry_after_seconds": 42
         *       }
         *     }
         */
        'application/json': components['schemas']['ErrorResponse'];
      };
    };
    /** @description 503 `too_many_pending_holds`: too many holds wait for their people. 503 `service_unavailable`: the service cannot answer now. */
    ServiceUnavailable: {
      headers: {
        'Retry-After': components['headers']['RetryAfter'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorResponse'];
      };
    };
    /** @description 401 `manage_token_missing`. 401 `manage_token_invalid`: it belongs to no subscription. */
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
    /** @description 403 `forbidden`: a web page of an origin that is not allowed. 413 `payload_too_large`. 414 `uri_too_long`. 415 `unsupported_media_type`: the body is not `application/json`. */
    Rejected: {
      headers: {
        'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        RateLimit: components['headers']['RateLimit'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorResponse'];
      };
    };
    /** @description 408 `request_timeout`: the request came too slowly. 431 `headers_too_large`. 500 `internal_error`: it is safe to try again. */
    Failed: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorResponse'];
      };
    };
    /** @description No JSON-RPC message, or a method (404) or protocol revision that is not served. */
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
    /** @description Unchanged; there is no body. */
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
  };
  parameters: {
    /**
     * @description The `ETag` that you have; 304 while it is the same.
     * @example "u0qBvRZ2Zk9cS1mM4yQw3A"
     */
    IfNoneMatch: string;
  };
  requestBodies: never;
  headers: {
    ETag: string;
    /**
     * @description The budget that was charged (`reads`, `holds`, `agent-keys`, `webhooks`, or a platform's): `q` requests in `w` seconds.
     * @example "reads";q=60;w=60
     */
    RateLimitPolicy: string;
    /**
     * @description What remains (`r`) of that budget, for how many seconds (`t`).
     * @example "reads";r=59;t=42
     */
    RateLimit: string;
    CacheControl: string;
    RetryAfter: number;
  };
  pathItems: never;
}
export type HoldRequest = components['schemas']['HoldRequest'];
export type Hold = components['schemas']['Hold'];
export type Handoff = components['schemas']['Handoff'];
export type Availability = components['schemas']['Availability'];
export type BookUrlTemplate = components['schemas']['BookUrlTemplate'];
export type AvailableDay = components['schemas']['AvailableDay'];
export type OpenSlot = components['schemas']['OpenSlot'];
export type Booking = components['schemas']['Booking'];
export type BookingStatus = components['schemas']['BookingStatus'];
export type CalendarDate = components['schemas']['CalendarDate'];
export type TimeSlot = components['schemas']['TimeSlot'];
export type Weekday = components['schemas']['Weekday'];
export type Instant = components['schemas']['Instant'];
export type NullableInstant = components['schemas']['NullableInstant'];
export type StartsAt = components['schemas']['StartsAt'];
export type EndsAt = components['schemas']['EndsAt'];
export type ErrorResponse = components['schemas']['ErrorResponse'];
export type Error = components['schemas']['Error'];
export type ErrorDetail = components['schemas']['ErrorDetail'];
export type ErrorCode = components['schemas']['ErrorCode'];
export type Alternative = components['schemas']['Alternative'];
export type Studio = components['schemas']['Studio'];
export type Artist = components['schemas']['Artist'];
export type StudioArtist = components['schemas']['StudioArtist'];
export type Address = components['schemas']['Address'];
export type Contact = components['schemas']['Contact'];
export type OpeningHours = components['schemas']['OpeningHours'];
export type WeeklySession = components['schemas']['WeeklySession'];
export type Notice = components['schemas']['Notice'];
export type BookingFlow = components['schemas']['BookingFlow'];
export type BookingStep = components['schemas']['BookingStep'];
export type Capabilities = components['schemas']['Capabilities'];
export type Transports = components['schemas']['Transports'];
export type Capability = components['schemas']['Capability'];
export type Limits = components['schemas']['Limits'];
export type Budget = components['schemas']['Budget'];
export type PlatformLimits = components['schemas']['PlatformLimits'];
export type WebhookFacts = components['schemas']['WebhookFacts'];
export type IdempotencyFacts = components['schemas']['IdempotencyFacts'];
export type ErrorFacts = components['schemas']['ErrorFacts'];
export type HumanConfirmation = components['schemas']['HumanConfirmation'];
export type CompatibilityFacts = components['schemas']['CompatibilityFacts'];
export type DeprecationFacts = components['schemas']['DeprecationFacts'];
export type AgentKeyRequest = components['schemas']['AgentKeyRequest'];
export type AgentKey = components['schemas']['AgentKey'];
export type AgentKeyLimits = components['schemas']['AgentKeyLimits'];
export type WebhookRequest = components['schemas']['WebhookRequest'];
export type WebhookEventType = components['schemas']['WebhookEventType'];
export type CreatedWebhook = components['schemas']['CreatedWebhook'];
export type Webhook = components['schemas']['Webhook'];
export type WebhookStatus = components['schemas']['WebhookStatus'];
export type WebhookDelivery = components['schemas']['WebhookDelivery'];
export type DeletedWebhook = components['schemas']['DeletedWebhook'];
export type WebhookEvent = components['schemas']['WebhookEvent'];
export type LiveEvent = components['schemas']['LiveEvent'];
export type AvailabilityEvent = components['schemas']['AvailabilityEvent'];
export type PulseEvent = components['schemas']['PulseEvent'];
export type Pulse = components['schemas']['Pulse'];
export type HeartbeatEvent = components['schemas']['HeartbeatEvent'];
export type Heartbeat = components['schemas']['Heartbeat'];
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
export type ResponseInvalidRequest = components['responses']['InvalidRequest'];
export type ResponseNotFound = components['responses']['NotFound'];
export type ResponseSlotUnavailable = components['responses']['SlotUnavailable'];
export type ResponseRateLimited = components['responses']['RateLimited'];
export type ResponseServiceUnavailable = components['responses']['ServiceUnavailable'];
export type ResponseManageTokenRefused = components['responses']['ManageTokenRefused'];
export type ResponseRejected = components['responses']['Rejected'];
export type ResponseFailed = components['responses']['Failed'];
export type ResponseInvalidJsonRpc = components['responses']['InvalidJsonRpc'];
export type ResponseNotModified = components['responses']['NotModified'];
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
         * @description The `ETag` that you have; 304 while it is the same.
         * @example "u0qBvRZ2Zk9cS1mM4yQw3A"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The studio. */
      200: {
        headers: {
          ETag: components['headers']['ETag'];
          'Cache-Control': components['headers']['CacheControl'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": {
           *         "name": "Night Heron Tattoo",
           *         "description": "A small custom studio.",
           *         "timezone": "America/Los_Angeles",
           *         "address": {
           *           "street": "418 SE Alder Row",
           *           "city": "Portland",
           *           "region": "OR",
           *           "postal_code": "97214",
           *           "country": "US"
           *         },
           *         "contact": {
           *           "email": "hello@nightheron.example",
           *           "phone": "+1 555-555-0100",
           *           "website": "https://nightheron.example"
           *         },
           *         "hours": [
           *           {
           *             "day": "monday",
           *             "opens": null,
           *             "closes": null,
           *             "sessions": []
           *           },
           *           {
           *             "day": "tuesday",
           *             "opens": "09:00",
           *             "closes": "20:00",
           *             "sessions": [
           *               {
           *                 "time_slot": "9:00 AM",
           *                 "ends": "13:00"
           *               },
           *               {
           *                 "time_slot": "1:00 PM",
           *                 "ends": "17:00"
           *               },
           *               {
           *                 "time_slot": "5:00 PM",
           *                 "ends": "20:00"
           *               }
           *             ]
           *           },
           *           {
           *             "day": "wednesday",
           *             "opens": null,
           *             "closes": null,
           *             "sessions": []
           *           },
           *           {
           *             "day": "thursday",
           *             "opens": null,
           *             "closes": null,
           *             "sessions": []
           *           },
           *           {
           *             "day": "friday",
           *             "opens": null,
           *             "closes": null,
           *             "sessions": []
           *           },
           *           {
           *             "day": "saturday",
           *             "opens": null,
           *             "closes": null,
           *             "sessions": []
           *           },
           *           {
           *             "day": "sunday",
           *             "opens": "12:00",
           *             "closes": "17:00",
           *             "sessions": [
           *               {
           *                 "time_slot": "1:00 PM",
           *                 "ends": "17:00"
           *               }
           *             ]
           *           }
           *         ],
           *         "session_times": [
           *           "9:00 AM",
           *           "1:00 PM",
           *           "5:00 PM"
           *         ],
           *         "session_minutes": 240,
           *         "notices": [
           *           {
           *             "title": "Age",
           *             "text": "You must be 18."
           *           }
           *         ],
           *         "booking_flow": {
           *           "hold_minutes": 15,
           *           "payment_required": false,
           *           "steps": [
           *             {
           *               "step": 1,
           *               "actor": "agent",
           *               "title": "Find an open time",
           *               "description": "List open times and agree on one with the person."
           *             }
           *           ]
           *         }
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['Studio'];
          };
        };
      };
      304: components['responses']['NotModified'];
      408: components['responses']['Failed'];
      414: components['responses']['Rejected'];
      429: components['responses']['RateLimited'];
      431: components['responses']['Failed'];
      500: components['responses']['Failed'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listAvailability: {
    parameters: {
      query: {
        /**
         * @description First date, in the studio's time zone.
         * @example 2026-12-01
         */
        from: components['schemas']['CalendarDate'];
        /**
         * @description Last date, at most 31 days after `from`.
         * @example 2026-12-07
         */
        to: components['schemas']['CalendarDate'];
        /**
         * @description Only this session time.
         * @example 1:00 PM
         */
        time_slot?: components['schemas']['TimeSlot'];
        /**
         * @description Only this artist of several: the word in their `book_url`.
         * @example jon
         */
        artist?: string;
      };
      header?: {
        /**
         * @description The `ETag` that you have; 304 while it is the same.
         * @example "u0qBvRZ2Zk9cS1mM4yQw3A"
         */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The open slots. */
      200: {
        headers: {
          ETag: components['headers']['ETag'];
          'Cache-Control': components['headers']['CacheControl'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": {
           *         "timezone": "America/Los_Angeles",
           *         "from": "2026-12-01",
           *         "to": "2026-12-07",
           *         "total_open": 2,
           *         "days": [
           *           {
           *             "date": "2026-12-01",
           *             "weekday": "tuesday",
           *             "slots": [
           *               {
           *                 "time_slot": "9:00 AM",
           *                 "starts_at": "2026-12-01T09:00:00-08:00"
           *               },
           *               {
           *                 "time_slot": "5:00 PM",
           *                 "starts_at": "2026-12-01T17:00:00-08:00"
           *               }
           *             ]
           *           }
           *         ],
           *         "book_url_template": "https://booking.example/book{?date,time_slot}"
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['Availability'];
          };
        };
      };
      304: components['responses']['NotModified'];
      400: components['responses']['InvalidRequest'];
      408: components['responses']['Failed'];
      414: components['responses']['Rejected'];
      429: components['responses']['RateLimited'];
      431: components['responses']['Failed'];
      500: components['responses']['Failed'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  createHold: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description A new random UUID, which nobody can guess, for each hold; 1 to 255 printable ASCII characters, bare or quoted. The same request with the same key gets the original answer again, never a second hold. A key belongs to your API key or, without one, to the request's `email`. Failures are not remembered.
         * @example 8e03978e-40d5-43e8-bc93-6894a57f9324
         */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "date": "2026-12-01",
         *       "time_slot": "1:00 PM",
         *       "name": "Ada Park",
         *       "email": "ada@example.com",
         *       "phone": "5555550142",
         *       "idea": "A small heron in flight, black ink."
         *     }
         */
        'application/json': components['schemas']['HoldRequest'];
      };
    };
    responses: {
      /** @description Held. Hand over `checkout_url`. */
      201: {
        headers: {
          Location: string;
          /** @description Present when this is the stored answer of an earlier request. */
          'Idempotency-Replayed'?: 'true';
          'Cache-Control': components['headers']['CacheControl'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": {
           *         "id": "0b9b64f5-5d7e-4c0f-9d0c-1f5f6a3f2c11",
           *         "status": "pending",
           *         "date": "2026-12-01",
           *         "time_slot": "1:00 PM",
           *         "starts_at": "2026-12-01T13:00:00-08:00",
           *         "ends_at": "2026-12-01T17:00:00-08:00",
           *         "timezone": "America/Los_Angeles",
           *         "label": "Tuesday, December 1, 2026 at 1:00 PM",
           *         "created_at": "2026-11-21T18:00:00.000Z",
           *         "expires_at": "2026-11-21T18:15:00.000Z",
           *         "server_time": "2026-11-21T18:00:00.000Z",
           *         "checkout_url": "https://book.example.com/checkout/3qFbVYk0S0yqg5rR8mDk4n",
           *         "handoff": {
           *           "type": "url",
           *           "actor": "end_user",
           *           "required": true,
           *           "url": "https://book.example.com/checkout/3qFbVYk0S0yqg5rR8mDk4n",
           *           "url_host": "book.example.com",
           *           "message": "Your session on Tuesday, December 1, 2026 at 1:00 PM is held for you for 15 minutes, until 10:15 AM in Portland. Open this link to lock it in; booking is free.",
           *           "agent_instructions": [
           *             "Do not open the link. Only the person may confirm."
           *           ],
           *           "expires_at": "2026-11-21T18:15:00.000Z",
           *           "on_expiry": "create_new_hold",
           *           "status_url": "https://book.example.com/api/public/bookings/0b9b64f5-5d7e-4c0f-9d0c-1f5f6a3f2c11",
           *           "poll_interval_seconds": 5
           *         }
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['Hold'];
          };
        };
      };
      400: components['responses']['InvalidRequest'];
      408: components['responses']['Failed'];
      409: components['responses']['SlotUnavailable'];
      413: components['responses']['Rejected'];
      414: components['responses']['Rejected'];
      415: components['responses']['Rejected'];
      429: components['responses']['RateLimited'];
      431: components['responses']['Failed'];
      500: components['responses']['Failed'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getBooking: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description `wait=N` (RFC 7240), N at most 50: answers as soon as status or slot changes, or after N seconds; ask again then. At most 20 requests of one caller or network wait: without `Preference-Applied` in the answer, poll every `poll_interval_seconds` of the hold.
         * @example wait=50
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
          /** @description Present when `wait` was honoured. */
          'Preference-Applied'?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": {
           *         "id": "0b9b64f5-5d7e-4c0f-9d0c-1f5f6a3f2c11",
           *         "status": "confirmed",
           *         "date": "2026-12-01",
           *         "time_slot": "1:00 PM",
           *         "starts_at": "2026-12-01T13:00:00-08:00",
           *         "ends_at": "2026-12-01T17:00:00-08:00",
           *         "timezone": "America/Los_Angeles",
           *         "label": "Tuesday, December 1, 2026 at 1:00 PM",
           *         "created_at": "2026-11-21T18:00:00.000Z",
           *         "expires_at": "2026-11-21T18:15:00.000Z",
           *         "confirmed_at": "2026-11-21T18:03:12.417Z",
           *         "cancelled_at": null,
           *         "expired_at": null
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['Booking'];
          };
        };
      };
      404: components['responses']['NotFound'];
      408: components['responses']['Failed'];
      414: components['responses']['Rejected'];
      429: components['responses']['RateLimited'];
      431: components['responses']['Failed'];
      500: components['responses']['Failed'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getCapabilities: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description The `ETag` that you have; 304 while it is the same.
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
      408: components['responses']['Failed'];
      414: components['responses']['Rejected'];
      429: components['responses']['RateLimited'];
      431: components['responses']['Failed'];
      500: components['responses']['Failed'];
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
        /**
         * @example {
         *       "email": "agent-owner@example.com",
         *       "label": "my booking agent"
         *     }
         */
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
          /**
           * @example {
           *       "data": {
           *         "id": "5d0c1a52-4a3c-4a53-9f2a-0f8f1a3d7c11",
           *         "key": "tsk_0000000000000000000000000000000EXAMPLE",
           *         "label": "my booking agent",
           *         "created_at": "2026-11-21T18:00:00.000Z",
           *         "limits": {
           *           "reads_per_minute": 600,
           *           "writes_per_hour": 30
           *         },
           *         "notice": "Store this key now."
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['AgentKey'];
          };
        };
      };
      400: components['responses']['InvalidRequest'];
      408: components['responses']['Failed'];
      413: components['responses']['Rejected'];
      414: components['responses']['Rejected'];
      415: components['responses']['Rejected'];
      429: components['responses']['RateLimited'];
      431: components['responses']['Failed'];
      500: components['responses']['Failed'];
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
          /**
           * @example {
           *       "data": {
           *         "id": "5f0c2b0e-6f1d-4f0a-8a55-6f1f0f5f7b21",
           *         "url": "https://agent.example.com/webhooks",
           *         "events": [
           *           "booking.confirmed",
           *           "hold.expired"
           *         ],
           *         "status": "disabled",
           *         "disabled_reason": "gone",
           *         "created_at": "2026-11-21T18:00:00.000Z",
           *         "skipped": 0,
           *         "recent_deliveries": [
           *           {
           *             "event_id": "2f6d0f7c-3b1e-4d57-9a43-6c1d9e0b8a10",
           *             "type": "booking.confirmed",
           *             "status": "failed",
           *             "attempts": 1,
           *             "last_status_code": 410,
           *             "last_attempt_at": "2026-11-21T18:03:12.431Z",
           *             "next_attempt_at": null
           *           }
           *         ]
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['Webhook'];
          };
        };
      };
      401: components['responses']['ManageTokenRefused'];
      408: components['responses']['Failed'];
      414: components['responses']['Rejected'];
      429: components['responses']['RateLimited'];
      431: components['responses']['Failed'];
      500: components['responses']['Failed'];
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
        /**
         * @example {
         *       "url": "https://agent.example.com/webhooks",
         *       "events": [
         *         "booking.confirmed",
         *         "hold.expired"
         *       ]
         *     }
         */
        'application/json': components['schemas']['WebhookRequest'];
      };
    };
    responses: {
      /** @description Subscribed. Store both secrets. */
      201: {
        headers: {
          'Cache-Control': components['headers']['CacheControl'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": {
           *         "id": "5f0c2b0e-6f1d-4f0a-8a55-6f1f0f5f7b21",
           *         "url": "https://agent.example.com/webhooks",
           *         "events": [
           *           "booking.confirmed",
           *           "hold.expired"
           *         ],
           *         "status": "active",
           *         "created_at": "2026-11-21T18:00:00.000Z",
           *         "signing_secret": "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
           *         "manage_token": "tsm_4mXq0ZsV1nR8bK2tY6wD3hJ7pL5cF9aG3oLmVL"
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['CreatedWebhook'];
          };
        };
      };
      400: components['responses']['InvalidRequest'];
      408: components['responses']['Failed'];
      413: components['responses']['Rejected'];
      414: components['responses']['Rejected'];
      415: components['responses']['Rejected'];
      429: components['responses']['RateLimited'];
      431: components['responses']['Failed'];
      500: components['responses']['Failed'];
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
          /**
           * @example {
           *       "data": {
           *         "id": "5f0c2b0e-6f1d-4f0a-8a55-6f1f0f5f7b21",
           *         "deleted": true
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['DeletedWebhook'];
          };
        };
      };
      401: components['responses']['ManageTokenRefused'];
      404: components['responses']['NotFound'];
      408: components['responses']['Failed'];
      414: components['responses']['Rejected'];
      429: components['responses']['RateLimited'];
      431: components['responses']['Failed'];
      500: components['responses']['Failed'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  streamEvents: {
    parameters: {
      query?: never;
      header?: {
        /** @description The last `id` received. While it stands for the present state, no `availability` comes first. */
        'Last-Event-ID'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The stream. The schema is one event with its `data` parsed. */
      200: {
        headers: {
          'Cache-Control': components['headers']['CacheControl'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          RateLimit: components['headers']['RateLimit'];
          'X-Accel-Buffering': 'no';
          /** @description None: proxies that compress would hold events back. */
          'Content-Encoding': 'identity';
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "event": "heartbeat",
           *       "data": {
           *         "server_time": "2026-11-21T18:00:09.000Z"
           *       }
           *     }
           */
          'text/event-stream': components['schemas']['LiveEvent'];
        };
      };
      408: components['responses']['Failed'];
      414: components['responses']['Rejected'];
      429: components['responses']['RateLimited'];
      431: components['responses']['Failed'];
      500: components['responses']['Failed'];
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
        /**
         * @example {
         *       "jsonrpc": "2.0",
         *       "id": 1,
         *       "method": "tools/list"
         *     }
         */
        'application/json': components['schemas']['JsonRpcMessage'];
      };
    };
    responses: {
      /** @description The JSON-RPC response; a stream only for `subscriptions/listen`. */
      200: {
        headers: {
          'Cache-Control': components['headers']['CacheControl'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "jsonrpc": "2.0",
           *       "id": 1,
           *       "error": {
           *         "code": -32602,
           *         "message": "Unknown tool."
           *       }
           *     }
           */
          'application/json': components['schemas']['JsonRpcResponse'];
          'text/event-stream': string;
        };
      };
      /** @description Accepted; there is nothing to answer. */
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
      403: components['responses']['Rejected'];
      404: components['responses']['InvalidJsonRpc'];
      408: components['responses']['Failed'];
      413: components['responses']['Rejected'];
      414: components['responses']['Rejected'];
      415: components['responses']['Rejected'];
      429: components['responses']['RateLimited'];
      431: components['responses']['Failed'];
      500: components['responses']['Failed'];
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
          /**
           * @example {
           *       "$schema": "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
           *       "name": "com.example.book/booking",
           *       "title": "Night Heron Tattoo",
           *       "description": "Find open sessions, and hold one for a person.",
           *       "version": "2.0.0",
           *       "websiteUrl": "https://book.example.com/docs",
           *       "remotes": [
           *         {
           *           "type": "streamable-http",
           *           "url": "https://book.example.com/api/public/mcp",
           *           "supportedProtocolVersions": [
           *             "2026-07-28",
           *             "2025-11-25"
           *           ]
           *         }
           *       ]
           *     }
           */
          'application/mcp-server-card+json': components['schemas']['ServerCard'];
        };
      };
      408: components['responses']['Failed'];
      414: components['responses']['Rejected'];
      429: components['responses']['RateLimited'];
      431: components['responses']['Failed'];
      500: components['responses']['Failed'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getOpenapi: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description The `ETag` that you have; 304 while it is the same.
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
          /**
           * @example {
           *       "openapi": "3.1.0",
           *       "info": {
           *         "title": "Tattoo Studio Booking",
           *         "version": "2.0.0"
           *       },
           *       "servers": [
           *         {
           *           "url": "https://book.example.com"
           *         }
           *       ],
           *       "paths": {}
           *     }
           */
          'application/json': {
            openapi: string;
            info: Record<string, never>;
            servers: Record<string, never>[];
            paths: Record<string, never>;
          };
        };
      };
      304: components['responses']['NotModified'];
      408: components['responses']['Failed'];
      414: components['responses']['Rejected'];
      429: components['responses']['RateLimited'];
      431: components['responses']['Failed'];
      500: components['responses']['Failed'];
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
        /**
         * @example {
         *       "type": "booking.confirmed",
         *       "timestamp": "2026-11-21T18:03:12.417Z",
         *       "data": {
         *         "id": "0b9b64f5-5d7e-4c0f-9d0c-1f5f6a3f2c11",
         *         "status": "confirmed",
         *         "date": "2026-12-01",
         *         "time_slot": "1:00 PM",
         *         "starts_at": "2026-12-01T13:00:00-08:00",
         *         "ends_at": "2026-12-01T17:00:00-08:00",
         *         "timezone": "America/Los_Angeles",
         *         "label": "Tuesday, December 1, 2026 at 1:00 PM",
         *         "created_at": "2026-11-21T18:00:00.000Z",
         *         "expires_at": "2026-11-21T18:15:00.000Z",
         *         "confirmed_at": "2026-11-21T18:03:12.417Z",
         *         "cancelled_at": null,
         *         "expired_at": null
         *       }
         *     }
         */
        'application/json': components['schemas']['WebhookEvent'];
      };
    };
    responses: {
      /** @description Delivered. Any 2xx counts; the body is ignored. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Disables the subscription. Any other status but 2xx is tried again. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
}
