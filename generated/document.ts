// Made from openapi.yaml by `npm run generate`; never edited by hand.

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [member: string]: JsonValue };

export type JsonObject = { readonly [member: string]: JsonValue };

/** The parts of an OpenAPI document that the service reads. */
export interface OpenApiDocument extends JsonObject {
  readonly openapi: string;
  readonly info: JsonObject & { readonly title: string; readonly version: string };
  readonly servers: readonly JsonObject[];
  readonly tags: readonly (JsonObject & { readonly name: string; readonly description: string })[];
  readonly paths: { readonly [path: string]: JsonObject };
  readonly components: JsonObject & { readonly schemas: { readonly [name: string]: JsonObject } };
}

/** The contents of openapi.yaml. */
export const document: OpenApiDocument = {
  openapi: '3.1.0',
  info: {
    title: 'Tattoo Studio Booking',
    version: '2.0.0',
    summary:
      'Find an open session at a tattoo studio, hold it, and hand the person the link that locks it in.',
    description:
      'To book for a person: read the studio, list open times, hold one for 15 minutes,\ngive the person `checkout_url`, and read the booking until it is `confirmed`. Only the person\nopens `checkout_url` and locks the session in; the agent never does. Booking is free.\n\nA success is `{"data": …}`, a failure `{"error": {"code", "message", "request_id", …}}`;\n`message` says what to do next. Ignore members that you do not know. On 429 and 503, wait\n`Retry-After` seconds. Texts hold no U+0000 and no unpaired surrogates. When an answer is lost,\nrepeat `POST /api/public/holds` with the same `Idempotency-Key`. More: `/guide.md`,\n`/guide/integrations.md`.\n',
    contact: { name: 'Studio desk', email: 'studio@example.com' },
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [
    {
      url: 'http://127.0.0.1:3000',
      description: 'This service. The served document names its public address here.',
    },
  ],
  security: [{}, { apiKey: [] }],
  paths: {
    '/api/public/studio': {
      get: {
        operationId: 'getStudio',
        tags: ['Studio'],
        summary: "Read the studio's details",
        description:
          'Address, contact, opening hours, session times and the steps of a booking. `hours` are for show.',
        parameters: [{ $ref: '#/components/parameters/IfNoneMatch' }],
        responses: {
          '200': {
            description: 'The studio.',
            headers: {
              ETag: { $ref: '#/components/headers/ETag' },
              'Cache-Control': { $ref: '#/components/headers/CacheControl' },
              'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
              RateLimit: { $ref: '#/components/headers/RateLimit' },
            },
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  additionalProperties: false,
                  required: ['data'],
                  properties: { data: { $ref: '#/components/schemas/Studio' } },
                },
                example: {
                  data: {
                    name: 'Night Heron Tattoo',
                    description: 'A small custom studio.',
                    timezone: 'America/Los_Angeles',
                    address: {
                      street: '418 SE Alder Row',
                      city: 'Portland',
                      region: 'OR',
                      postal_code: '97214',
                      country: 'US',
                    },
                    contact: {
                      email: 'hello@nightheron.example',
                      phone: '+1 555-555-0100',
                      website: 'https://nightheron.example',
                    },
                    hours: [
                      { day: 'monday', opens: null, closes: null, sessions: [] },
                      {
                        day: 'tuesday',
                        opens: '09:00',
                        closes: '20:00',
                        sessions: [
                          { time_slot: '9:00 AM', ends: '13:00' },
                          { time_slot: '1:00 PM', ends: '17:00' },
                          { time_slot: '5:00 PM', ends: '20:00' },
                        ],
                      },
                      { day: 'wednesday', opens: null, closes: null, sessions: [] },
                      { day: 'thursday', opens: null, closes: null, sessions: [] },
                      { day: 'friday', opens: null, closes: null, sessions: [] },
                      { day: 'saturday', opens: null, closes: null, sessions: [] },
                      {
                        day: 'sunday',
                        opens: '12:00',
                        closes: '17:00',
                        sessions: [{ time_slot: '1:00 PM', ends: '17:00' }],
                      },
                    ],
                    session_times: ['9:00 AM', '1:00 PM', '5:00 PM'],
                    session_minutes: 240,
                    notices: [{ title: 'Age', text: 'You must be 18.' }],
                    booking_flow: {
                      hold_minutes: 15,
                      payment_required: false,
                      steps: [
                        {
                          step: 1,
                          actor: 'agent',
                          title: 'Find an open time',
                          description: 'List open times and agree on one with the person.',
                        },
                      ],
                    },
                  },
                },
              },
            },
          },
          '304': { $ref: '#/components/responses/NotModified' },
          '408': { $ref: '#/components/responses/Failed' },
          '414': { $ref: '#/components/responses/Rejected' },
          '429': { $ref: '#/components/responses/RateLimited' },
          '431': { $ref: '#/components/responses/Failed' },
          '500': { $ref: '#/components/responses/Failed' },
          '503': { $ref: '#/components/responses/ServiceUnavailable' },
        },
      },
    },
    '/api/public/availability': {
      get: {
        operationId: 'listAvailability',
        tags: ['Studio'],
        summary: 'List open session times',
        description: 'Open slots by date.',
        parameters: [
          {
            name: 'from',
            in: 'query',
            required: true,
            description: "First date, in the studio's time zone.",
            schema: { $ref: '#/components/schemas/CalendarDate' },
            example: '2026-12-01',
          },
          {
            name: 'to',
            in: 'query',
            required: true,
            description: 'Last date, at most 31 days after `from`.',
            schema: { $ref: '#/components/schemas/CalendarDate' },
            example: '2026-12-07',
          },
          {
            name: 'time_slot',
            in: 'query',
            description: 'Only this session time.',
            schema: { $ref: '#/components/schemas/TimeSlot' },
            example: '1:00 PM',
          },
          {
            name: 'artist',
            in: 'query',
            description: 'Only this artist of several: the word in their `book_url`.',
            schema: { type: 'string' },
            example: 'jon',
          },
          { $ref: '#/components/parameters/IfNoneMatch' },
        ],
        responses: {
          '200': {
            description: 'The open slots.',
            headers: {
              ETag: { $ref: '#/components/headers/ETag' },
              'Cache-Control': { $ref: '#/components/headers/CacheControl' },
              'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
              RateLimit: { $ref: '#/components/headers/RateLimit' },
            },
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  additionalProperties: false,
                  required: ['data'],
                  properties: { data: { $ref: '#/components/schemas/Availability' } },
                },
                example: {
                  data: {
                    timezone: 'America/Los_Angeles',
                    from: '2026-12-01',
                    to: '2026-12-07',
                    total_open: 2,
                    days: [
                      {
                        date: '2026-12-01',
                        weekday: 'tuesday',
                        slots: [
                          { time_slot: '9:00 AM', starts_at: '2026-12-01T09:00:00-08:00' },
                          { time_slot: '5:00 PM', starts_at: '2026-12-01T17:00:00-08:00' },
                        ],
                      },
                    ],
                    book_url_template: 'https://booking.example/book{?date,time_slot}',
                  },
                },
              },
            },
          },
          '304': { $ref: '#/components/responses/NotModified' },
          '400': { $ref: '#/components/responses/InvalidRequest' },
          '408': { $ref: '#/components/responses/Failed' },
          '414': { $ref: '#/components/responses/Rejected' },
          '429': { $ref: '#/components/responses/RateLimited' },
          '431': { $ref: '#/components/responses/Failed' },
          '500': { $ref: '#/components/responses/Failed' },
          '503': { $ref: '#/components/responses/ServiceUnavailable' },
        },
      },
    },
    '/api/public/holds': {
      post: {
        operationId: 'createHold',
        tags: ['Bookings'],
        summary: 'Hold one session for a person',
        description:
          "Holds one open slot for 15 minutes; the page of an expired hold offers it again. Show the person `handoff.message` and `checkout_url`; never open the link yourself. Of several artists, it is with one who is free: who wants a certain one holds at that artist's `book_url`. Live bookings are capped.",
        parameters: [
          {
            name: 'Idempotency-Key',
            in: 'header',
            description:
              "A new random UUID, which nobody can guess, for each hold; 1 to 255 printable ASCII characters, bare or quoted. The same request with the same key gets the original answer again, never a second hold. A key belongs to your API key or, without one, to the request's `email`. Failures are not remembered.",
            schema: {
              type: 'string',
              minLength: 1,
              maxLength: 257,
              pattern: '^(?:"[ -!#-\\[\\]-~]{1,255}"|[!#-~][ -~]{0,253}[!-~]|[!#-~])$',
            },
            example: '8e03978e-40d5-43e8-bc93-6894a57f9324',
          },
        ],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/HoldRequest' },
              example: {
                date: '2026-12-01',
                time_slot: '1:00 PM',
                name: 'Ada Park',
                email: 'ada@example.com',
                phone: '5555550142',
                idea: 'A small heron in flight, black ink.',
              },
            },
          },
        },
        responses: {
          '201': {
            description: 'Held. Hand over `checkout_url`.',
            headers: {
              Location: { required: true, schema: { type: 'string', format: 'uri-reference' } },
              'Idempotency-Replayed': {
                description: 'Present when this is the stored answer of an earlier request.',
                schema: { type: 'string', enum: ['true'] },
              },
              'Cache-Control': { $ref: '#/components/headers/CacheControl' },
              'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
              RateLimit: { $ref: '#/components/headers/RateLimit' },
            },
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  additionalProperties: false,
                  required: ['data'],
                  properties: { data: { $ref: '#/components/schemas/Hold' } },
                },
                example: {
                  data: {
                    id: '0b9b64f5-5d7e-4c0f-9d0c-1f5f6a3f2c11',
                    status: 'pending',
                    date: '2026-12-01',
                    time_slot: '1:00 PM',
                    starts_at: '2026-12-01T13:00:00-08:00',
                    ends_at: '2026-12-01T17:00:00-08:00',
                    timezone: 'America/Los_Angeles',
                    label: 'Tuesday, December 1, 2026 at 1:00 PM',
                    created_at: '2026-11-21T18:00:00.000Z',
                    expires_at: '2026-11-21T18:15:00.000Z',
                    server_time: '2026-11-21T18:00:00.000Z',
                    checkout_url: 'https://book.example.com/checkout/3qFbVYk0S0yqg5rR8mDk4n',
                    handoff: {
                      type: 'url',
                      actor: 'end_user',
                      required: true,
                      url: 'https://book.example.com/checkout/3qFbVYk0S0yqg5rR8mDk4n',
                      url_host: 'book.example.com',
                      message:
                        'Your session on Tuesday, December 1, 2026 at 1:00 PM is held for you for 15 minutes, until 10:15 AM in Portland. Open this link to lock it in; booking is free.',
                      agent_instructions: ['Do not open the link. Only the person may confirm.'],
                      expires_at: '2026-11-21T18:15:00.000Z',
                      on_expiry: 'create_new_hold',
                      status_url:
                        'https://book.example.com/api/public/bookings/0b9b64f5-5d7e-4c0f-9d0c-1f5f6a3f2c11',
                      poll_interval_seconds: 5,
                    },
                  },
                },
              },
            },
          },
          '400': { $ref: '#/components/responses/InvalidRequest' },
          '408': { $ref: '#/components/responses/Failed' },
          '409': { $ref: '#/components/responses/SlotUnavailable' },
          '413': { $ref: '#/components/responses/Rejected' },
          '414': { $ref: '#/components/responses/Rejected' },
          '415': { $ref: '#/components/responses/Rejected' },
          '429': { $ref: '#/components/responses/RateLimited' },
          '431': { $ref: '#/components/responses/Failed' },
          '500': { $ref: '#/components/responses/Failed' },
          '503': { $ref: '#/components/responses/ServiceUnavailable' },
        },
      },
    },
    '/api/public/bookings/{id}': {
      get: {
        operationId: 'getBooking',
        tags: ['Bookings'],
        summary: "Read a booking's status",
        description:
          'What became of a hold, without personal data. The person or the studio may move a booking: its slot is then the new one, and `label` names it. To wait without polling, send `Prefer: wait=50`.',
        parameters: [
          {
            name: 'id',
            in: 'path',
            required: true,
            description: "The booking's id, as `POST /api/public/holds` gave it.",
            schema: { type: 'string', format: 'uuid' },
            example: '0b9b64f5-5d7e-4c0f-9d0c-1f5f6a3f2c11',
          },
          {
            name: 'Prefer',
            in: 'header',
            description:
              '`wait=N` (RFC 7240), N at most 50: answers as soon as status or slot changes, or after N seconds; ask again then. At most 20 requests of one caller or network wait: without `Preference-Applied` in the answer, poll every `poll_interval_seconds` of the hold.',
            schema: { type: 'string' },
            example: 'wait=50',
          },
        ],
        responses: {
          '200': {
            description: 'The booking.',
            headers: {
              'Cache-Control': { $ref: '#/components/headers/CacheControl' },
              'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
              RateLimit: { $ref: '#/components/headers/RateLimit' },
              'Preference-Applied': {
                description: 'Present when `wait` was honoured.',
                schema: { type: 'string', pattern: '^wait=[0-9]+$' },
              },
            },
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  additionalProperties: false,
                  required: ['data'],
                  properties: { data: { $ref: '#/components/schemas/Booking' } },
                },
                example: {
                  data: {
                    id: '0b9b64f5-5d7e-4c0f-9d0c-1f5f6a3f2c11',
                    status: 'confirmed',
                    date: '2026-12-01',
                    time_slot: '1:00 PM',
                    starts_at: '2026-12-01T13:00:00-08:00',
                    ends_at: '2026-12-01T17:00:00-08:00',
                    timezone: 'America/Los_Angeles',
                    label: 'Tuesday, December 1, 2026 at 1:00 PM',
                    created_at: '2026-11-21T18:00:00.000Z',
                    expires_at: '2026-11-21T18:15:00.000Z',
                    confirmed_at: '2026-11-21T18:03:12.417Z',
                    cancelled_at: null,
                    expired_at: null,
                  },
                },
              },
            },
          },
          '404': { $ref: '#/components/responses/NotFound' },
          '408': { $ref: '#/components/responses/Failed' },
          '414': { $ref: '#/components/responses/Rejected' },
          '429': { $ref: '#/components/responses/RateLimited' },
          '431': { $ref: '#/components/responses/Failed' },
          '500': { $ref: '#/components/responses/Failed' },
          '503': { $ref: '#/components/responses/ServiceUnavailable' },
        },
      },
    },
    '/api/public/capabilities': {
      get: {
        operationId: 'getCapabilities',
        tags: ['Discovery'],
        summary: 'Read what the service can do, and its limits',
        description: 'What is offered, every limit as configured, and every error code.',
        parameters: [{ $ref: '#/components/parameters/IfNoneMatch' }],
        responses: {
          '200': {
            description: 'The capabilities.',
            headers: {
              ETag: { $ref: '#/components/headers/ETag' },
              'Cache-Control': { $ref: '#/components/headers/CacheControl' },
              'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
              RateLimit: { $ref: '#/components/headers/RateLimit' },
            },
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  additionalProperties: false,
                  required: ['data'],
                  properties: { data: { $ref: '#/components/schemas/Capabilities' } },
                },
              },
            },
          },
          '304': { $ref: '#/components/responses/NotModified' },
          '408': { $ref: '#/components/responses/Failed' },
          '414': { $ref: '#/components/responses/Rejected' },
          '429': { $ref: '#/components/responses/RateLimited' },
          '431': { $ref: '#/components/responses/Failed' },
          '500': { $ref: '#/components/responses/Failed' },
          '503': { $ref: '#/components/responses/ServiceUnavailable' },
        },
      },
    },
    '/api/public/agent-keys': {
      post: {
        operationId: 'createAgentKey',
        tags: ['Access'],
        summary: 'Get an API key for higher limits',
        description:
          'Optional. Send it as `Authorization: Bearer <key>`. A key that is unknown or revoked is served as anonymous. To have one revoked, write to the studio from its `email`.',
        security: [{}],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/AgentKeyRequest' },
              example: { email: 'agent-owner@example.com', label: 'my booking agent' },
            },
          },
        },
        responses: {
          '201': {
            description: 'The key, shown this once.',
            headers: {
              'Cache-Control': { $ref: '#/components/headers/CacheControl' },
              'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
              RateLimit: { $ref: '#/components/headers/RateLimit' },
            },
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  additionalProperties: false,
                  required: ['data'],
                  properties: { data: { $ref: '#/components/schemas/AgentKey' } },
                },
                example: {
                  data: {
                    id: '5d0c1a52-4a3c-4a53-9f2a-0f8f1a3d7c11',
                    key: 'tsk_0000000000000000000000000000000EXAMPLE',
                    label: 'my booking agent',
                    created_at: '2026-11-21T18:00:00.000Z',
                    limits: { reads_per_minute: 600, writes_per_hour: 30 },
                    notice: 'Store this key now.',
                  },
                },
              },
            },
          },
          '400': { $ref: '#/components/responses/InvalidRequest' },
          '408': { $ref: '#/components/responses/Failed' },
          '413': { $ref: '#/components/responses/Rejected' },
          '414': { $ref: '#/components/responses/Rejected' },
          '415': { $ref: '#/components/responses/Rejected' },
          '429': { $ref: '#/components/responses/RateLimited' },
          '431': { $ref: '#/components/responses/Failed' },
          '500': { $ref: '#/components/responses/Failed' },
          '503': { $ref: '#/components/responses/ServiceUnavailable' },
        },
      },
    },
    '/api/public/webhooks': {
      post: {
        operationId: 'createWebhook',
        tags: ['Webhooks'],
        summary: 'Subscribe to webhooks',
        description:
          'Sends a signed POST to your `url` for each event, at least once and in no particular order. Answer 2xx within 15 seconds; redirects are failures. A failed delivery is sent again, with the same bytes, by `retry_schedule_seconds` of `GET /api/public/capabilities`. 429 beyond `limits` there.',
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/WebhookRequest' },
              example: {
                url: 'https://agent.example.com/webhooks',
                events: ['booking.confirmed', 'hold.expired'],
              },
            },
          },
        },
        responses: {
          '201': {
            description: 'Subscribed. Store both secrets.',
            headers: {
              'Cache-Control': { $ref: '#/components/headers/CacheControl' },
              'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
              RateLimit: { $ref: '#/components/headers/RateLimit' },
            },
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  additionalProperties: false,
                  required: ['data'],
                  properties: { data: { $ref: '#/components/schemas/CreatedWebhook' } },
                },
                example: {
                  data: {
                    id: '5f0c2b0e-6f1d-4f0a-8a55-6f1f0f5f7b21',
                    url: 'https://agent.example.com/webhooks',
                    events: ['booking.confirmed', 'hold.expired'],
                    status: 'active',
                    created_at: '2026-11-21T18:00:00.000Z',
                    signing_secret: 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
                    manage_token: 'tsm_4mXq0ZsV1nR8bK2tY6wD3hJ7pL5cF9aG3oLmVL',
                  },
                },
              },
            },
          },
          '400': { $ref: '#/components/responses/InvalidRequest' },
          '408': { $ref: '#/components/responses/Failed' },
          '413': { $ref: '#/components/responses/Rejected' },
          '414': { $ref: '#/components/responses/Rejected' },
          '415': { $ref: '#/components/responses/Rejected' },
          '429': { $ref: '#/components/responses/RateLimited' },
          '431': { $ref: '#/components/responses/Failed' },
          '500': { $ref: '#/components/responses/Failed' },
          '503': { $ref: '#/components/responses/ServiceUnavailable' },
        },
      },
      get: {
        operationId: 'getWebhook',
        tags: ['Webhooks'],
        summary: 'Read a webhook subscription',
        description: 'A disabled subscription stays readable for 30 days.',
        security: [{ manageToken: [] }],
        responses: {
          '200': {
            description: 'The subscription.',
            headers: {
              'Cache-Control': { $ref: '#/components/headers/CacheControl' },
              'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
              RateLimit: { $ref: '#/components/headers/RateLimit' },
            },
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  additionalProperties: false,
                  required: ['data'],
                  properties: { data: { $ref: '#/components/schemas/Webhook' } },
                },
                example: {
                  data: {
                    id: '5f0c2b0e-6f1d-4f0a-8a55-6f1f0f5f7b21',
                    url: 'https://agent.example.com/webhooks',
                    events: ['booking.confirmed', 'hold.expired'],
                    status: 'disabled',
                    disabled_reason: 'gone',
                    created_at: '2026-11-21T18:00:00.000Z',
                    skipped: 0,
                    recent_deliveries: [
                      {
                        event_id: '2f6d0f7c-3b1e-4d57-9a43-6c1d9e0b8a10',
                        type: 'booking.confirmed',
                        status: 'failed',
                        attempts: 1,
                        last_status_code: 410,
                        last_attempt_at: '2026-11-21T18:03:12.431Z',
                        next_attempt_at: null,
                      },
                    ],
                  },
                },
              },
            },
          },
          '401': { $ref: '#/components/responses/ManageTokenRefused' },
          '408': { $ref: '#/components/responses/Failed' },
          '414': { $ref: '#/components/responses/Rejected' },
          '429': { $ref: '#/components/responses/RateLimited' },
          '431': { $ref: '#/components/responses/Failed' },
          '500': { $ref: '#/components/responses/Failed' },
          '503': { $ref: '#/components/responses/ServiceUnavailable' },
        },
      },
      delete: {
        operationId: 'deleteWebhook',
        tags: ['Webhooks'],
        summary: 'Delete a webhook subscription',
        description: 'Deliveries that wait are not sent.',
        security: [{ manageToken: [] }],
        responses: {
          '200': {
            description: 'Deleted.',
            headers: {
              'Cache-Control': { $ref: '#/components/headers/CacheControl' },
              'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
              RateLimit: { $ref: '#/components/headers/RateLimit' },
            },
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  additionalProperties: false,
                  required: ['data'],
                  properties: { data: { $ref: '#/components/schemas/DeletedWebhook' } },
                },
                example: { data: { id: '5f0c2b0e-6f1d-4f0a-8a55-6f1f0f5f7b21', deleted: true } },
              },
            },
          },
          '401': { $ref: '#/components/responses/ManageTokenRefused' },
          '404': { $ref: '#/components/responses/NotFound' },
          '408': { $ref: '#/components/responses/Failed' },
          '414': { $ref: '#/components/responses/Rejected' },
          '429': { $ref: '#/components/responses/RateLimited' },
          '431': { $ref: '#/components/responses/Failed' },
          '500': { $ref: '#/components/responses/Failed' },
          '503': { $ref: '#/components/responses/ServiceUnavailable' },
        },
      },
    },
    '/api/public/events': {
      get: {
        operationId: 'streamEvents',
        tags: ['Studio'],
        summary: 'Follow open times live',
        description:
          'Server-sent events: the present state, then every change within a second; each replaces the\none before.\n\n- `availability`: open slots of today and the 30 days after; `id` stands for the content\n- `pulse`: figures, once a second at most\n- `heartbeat`: every 15 seconds; after 45 without, connect again',
        parameters: [
          {
            name: 'Last-Event-ID',
            in: 'header',
            description:
              'The last `id` received. While it stands for the present state, no `availability` comes first.',
            schema: { type: 'string' },
          },
        ],
        responses: {
          '200': {
            description: 'The stream. The schema is one event with its `data` parsed.',
            headers: {
              'Cache-Control': { $ref: '#/components/headers/CacheControl' },
              'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
              RateLimit: { $ref: '#/components/headers/RateLimit' },
              'X-Accel-Buffering': { required: true, schema: { type: 'string', enum: ['no'] } },
              'Content-Encoding': {
                description: 'None: proxies that compress would hold events back.',
                required: true,
                schema: { type: 'string', enum: ['identity'] },
              },
            },
            content: {
              'text/event-stream': {
                schema: { $ref: '#/components/schemas/LiveEvent' },
                example: { event: 'heartbeat', data: { server_time: '2026-11-21T18:00:09.000Z' } },
              },
            },
          },
          '408': { $ref: '#/components/responses/Failed' },
          '414': { $ref: '#/components/responses/Rejected' },
          '429': { $ref: '#/components/responses/RateLimited' },
          '431': { $ref: '#/components/responses/Failed' },
          '500': { $ref: '#/components/responses/Failed' },
          '503': { $ref: '#/components/responses/ServiceUnavailable' },
        },
      },
    },
    '/api/public/mcp': {
      post: {
        operationId: 'callMcp',
        tags: ['Connector'],
        summary: 'Call the MCP connector',
        description:
          'The Model Context Protocol over Streamable HTTP, stateless and without credentials: one JSON-RPC 2.0 message per request, no batches. Revisions up to 2025-11-25 and 2026-07-28 are served. A refusal is a result with `isError: true` whose text is the error envelope.',
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/JsonRpcMessage' },
              example: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
            },
          },
        },
        responses: {
          '200': {
            description: 'The JSON-RPC response; a stream only for `subscriptions/listen`.',
            headers: {
              'Cache-Control': { $ref: '#/components/headers/CacheControl' },
              'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
              RateLimit: { $ref: '#/components/headers/RateLimit' },
            },
            content: {
              'application/json': {
                schema: { $ref: '#/components/schemas/JsonRpcResponse' },
                example: {
                  jsonrpc: '2.0',
                  id: 1,
                  error: { code: -32602, message: 'Unknown tool.' },
                },
              },
              'text/event-stream': { schema: { type: 'string' } },
            },
          },
          '202': {
            description: 'Accepted; there is nothing to answer.',
            headers: {
              'Cache-Control': { $ref: '#/components/headers/CacheControl' },
              'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
              RateLimit: { $ref: '#/components/headers/RateLimit' },
            },
          },
          '400': { $ref: '#/components/responses/InvalidJsonRpc' },
          '403': { $ref: '#/components/responses/Rejected' },
          '404': { $ref: '#/components/responses/InvalidJsonRpc' },
          '408': { $ref: '#/components/responses/Failed' },
          '413': { $ref: '#/components/responses/Rejected' },
          '414': { $ref: '#/components/responses/Rejected' },
          '415': { $ref: '#/components/responses/Rejected' },
          '429': { $ref: '#/components/responses/RateLimited' },
          '431': { $ref: '#/components/responses/Failed' },
          '500': { $ref: '#/components/responses/Failed' },
          '503': { $ref: '#/components/responses/ServiceUnavailable' },
        },
      },
    },
    '/api/public/mcp/server-card': {
      get: {
        operationId: 'getServerCard',
        tags: ['Connector'],
        summary: "Read the MCP connector's server card",
        description:
          "The connector's name, address and protocol revisions (MCP Server Cards, SEP-2127).",
        responses: {
          '200': {
            description: 'The server card.',
            headers: {
              'Cache-Control': { $ref: '#/components/headers/CacheControl' },
              'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
              RateLimit: { $ref: '#/components/headers/RateLimit' },
            },
            content: {
              'application/mcp-server-card+json': {
                schema: { $ref: '#/components/schemas/ServerCard' },
                example: {
                  $schema:
                    'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
                  name: 'com.example.book/booking',
                  title: 'Night Heron Tattoo',
                  description: 'Find open sessions, and hold one for a person.',
                  version: '2.0.0',
                  websiteUrl: 'https://book.example.com/docs',
                  remotes: [
                    {
                      type: 'streamable-http',
                      url: 'https://book.example.com/api/public/mcp',
                      supportedProtocolVersions: ['2026-07-28', '2025-11-25'],
                    },
                  ],
                },
              },
            },
          },
          '408': { $ref: '#/components/responses/Failed' },
          '414': { $ref: '#/components/responses/Rejected' },
          '429': { $ref: '#/components/responses/RateLimited' },
          '431': { $ref: '#/components/responses/Failed' },
          '500': { $ref: '#/components/responses/Failed' },
          '503': { $ref: '#/components/responses/ServiceUnavailable' },
        },
      },
    },
    '/api/public/openapi.json': {
      get: {
        operationId: 'getOpenapi',
        tags: ['Discovery'],
        summary: 'Read this description',
        description: "With the service's public address.",
        parameters: [{ $ref: '#/components/parameters/IfNoneMatch' }],
        responses: {
          '200': {
            description: 'The OpenAPI document.',
            headers: {
              ETag: { $ref: '#/components/headers/ETag' },
              'Cache-Control': { $ref: '#/components/headers/CacheControl' },
              'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
              RateLimit: { $ref: '#/components/headers/RateLimit' },
            },
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  required: ['openapi', 'info', 'servers', 'paths'],
                  properties: {
                    openapi: { type: 'string' },
                    info: { type: 'object' },
                    servers: { type: 'array', items: { type: 'object' } },
                    paths: { type: 'object' },
                  },
                },
                example: {
                  openapi: '3.1.0',
                  info: { title: 'Tattoo Studio Booking', version: '2.0.0' },
                  servers: [{ url: 'https://book.example.com' }],
                  paths: {},
                },
              },
            },
          },
          '304': { $ref: '#/components/responses/NotModified' },
          '408': { $ref: '#/components/responses/Failed' },
          '414': { $ref: '#/components/responses/Rejected' },
          '429': { $ref: '#/components/responses/RateLimited' },
          '431': { $ref: '#/components/responses/Failed' },
          '500': { $ref: '#/components/responses/Failed' },
          '503': { $ref: '#/components/responses/ServiceUnavailable' },
        },
      },
    },
  },
  webhooks: {
    event: {
      post: {
        operationId: 'receiveEvent',
        tags: ['Webhooks'],
        summary: 'What a subscriber receives',
        description:
          'One event, signed by Standard Webhooks 1.0.0: `webhook-id` (the same on every retry), `webhook-timestamp` (of the attempt) and `webhook-signature: v1,<base64>`, an HMAC-SHA256 over `id.timestamp.body` under the 32 bytes in base64 after `whsec_` in `signing_secret`. Deduplicate by `webhook-id`.',
        security: [],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/WebhookEvent' },
              example: {
                type: 'booking.confirmed',
                timestamp: '2026-11-21T18:03:12.417Z',
                data: {
                  id: '0b9b64f5-5d7e-4c0f-9d0c-1f5f6a3f2c11',
                  status: 'confirmed',
                  date: '2026-12-01',
                  time_slot: '1:00 PM',
                  starts_at: '2026-12-01T13:00:00-08:00',
                  ends_at: '2026-12-01T17:00:00-08:00',
                  timezone: 'America/Los_Angeles',
                  label: 'Tuesday, December 1, 2026 at 1:00 PM',
                  created_at: '2026-11-21T18:00:00.000Z',
                  expires_at: '2026-11-21T18:15:00.000Z',
                  confirmed_at: '2026-11-21T18:03:12.417Z',
                  cancelled_at: null,
                  expired_at: null,
                },
              },
            },
          },
        },
        responses: {
          '200': { description: 'Delivered. Any 2xx counts; the body is ignored.' },
          '410': {
            description: 'Disables the subscription. Any other status but 2xx is tried again.',
          },
        },
      },
    },
  },
  tags: [
    { name: 'Studio', description: 'Who it is and when it has room.' },
    { name: 'Bookings', description: 'Hold a session for a person.' },
    {
      name: 'Webhooks',
      description:
        'Signed requests to your address. When they are held back, and when a subscription ends: `/guide/integrations.md`.',
    },
    { name: 'Access', description: 'An optional API key.' },
    {
      name: 'Connector',
      description:
        'The same as tools: `structuredContent` is the `data` of the operation. `hold_slot` costs a hold, all else a read.',
    },
    { name: 'Discovery', description: 'How agents learn of it.' },
  ],
  components: {
    schemas: {
      HoldRequest: {
        type: 'object',
        additionalProperties: false,
        required: ['date', 'time_slot', 'name', 'email', 'phone'],
        properties: {
          date: { $ref: '#/components/schemas/CalendarDate' },
          time_slot: { $ref: '#/components/schemas/TimeSlot' },
          name: {
            type: 'string',
            description: "The person's name, not blank.",
            minLength: 1,
            maxLength: 120,
          },
          email: {
            type: 'string',
            format: 'email',
            description: "The person's e-mail address.",
            maxLength: 254,
          },
          phone: {
            type: 'string',
            description:
              'A US telephone number: ten digits of the North American plan, also with `+1`, `1`, spaces, dots, dashes, slashes or brackets.',
            maxLength: 100,
            examples: ['5555550142'],
          },
          pronouns: {
            type: ['string', 'null'],
            description: "The person's pronouns.",
            maxLength: 40,
          },
          idea: {
            type: ['string', 'null'],
            description: 'What the person has in mind.',
            maxLength: 2000,
          },
        },
      },
      Hold: {
        type: 'object',
        additionalProperties: false,
        required: [
          'id',
          'status',
          'date',
          'time_slot',
          'starts_at',
          'timezone',
          'label',
          'created_at',
          'expires_at',
          'server_time',
          'checkout_url',
          'handoff',
        ],
        properties: {
          id: { type: 'string', format: 'uuid' },
          status: { type: 'string', enum: ['pending'] },
          date: { $ref: '#/components/schemas/CalendarDate' },
          time_slot: { $ref: '#/components/schemas/TimeSlot' },
          starts_at: { $ref: '#/components/schemas/StartsAt' },
          ends_at: { $ref: '#/components/schemas/EndsAt' },
          timezone: { type: 'string' },
          label: { type: 'string', description: 'The slot, ready for a sentence.' },
          artist: { $ref: '#/components/schemas/Artist' },
          created_at: { $ref: '#/components/schemas/Instant' },
          expires_at: { $ref: '#/components/schemas/Instant' },
          server_time: { $ref: '#/components/schemas/Instant' },
          checkout_url: {
            type: 'string',
            format: 'uri',
            description: 'The address that the person opens. Never open it yourself.',
          },
          handoff: { $ref: '#/components/schemas/Handoff' },
        },
      },
      Handoff: {
        type: 'object',
        additionalProperties: false,
        required: [
          'type',
          'actor',
          'required',
          'url',
          'url_host',
          'message',
          'agent_instructions',
          'expires_at',
          'on_expiry',
          'status_url',
          'poll_interval_seconds',
        ],
        properties: {
          type: { type: 'string', enum: ['url'] },
          actor: { type: 'string', enum: ['end_user'] },
          required: { type: 'boolean', enum: [true] },
          url: { type: 'string', format: 'uri', description: 'The same as `checkout_url`.' },
          url_host: { type: 'string' },
          message: { type: 'string', description: 'What to tell the person.' },
          agent_instructions: { type: 'array', items: { type: 'string' } },
          expires_at: { $ref: '#/components/schemas/Instant' },
          on_expiry: {
            type: 'string',
            description:
              'A new hold, by the person on the same page, or by you once they are there.',
            enum: ['create_new_hold'],
          },
          status_url: { type: 'string', format: 'uri' },
          poll_interval_seconds: {
            type: 'integer',
            description: 'Do not read the status more often than this.',
          },
        },
      },
      Availability: {
        type: 'object',
        additionalProperties: false,
        required: ['timezone', 'from', 'to', 'total_open', 'days'],
        properties: {
          timezone: { type: 'string' },
          from: { $ref: '#/components/schemas/CalendarDate' },
          to: { $ref: '#/components/schemas/CalendarDate' },
          total_open: { type: 'integer', minimum: 0 },
          days: {
            type: 'array',
            description: 'Only dates with an open slot.',
            items: { $ref: '#/components/schemas/AvailableDay' },
          },
          book_url_template: { $ref: '#/components/schemas/BookUrlTemplate' },
        },
      },
      BookUrlTemplate: {
        type: 'string',
        description:
          'For a person who is away, or wants a certain artist (RFC 6570): a page that holds the time once they press.',
      },
      AvailableDay: {
        type: 'object',
        additionalProperties: false,
        required: ['date', 'weekday', 'slots'],
        properties: {
          date: { $ref: '#/components/schemas/CalendarDate' },
          weekday: { $ref: '#/components/schemas/Weekday' },
          slots: { type: 'array', minItems: 1, items: { $ref: '#/components/schemas/OpenSlot' } },
        },
      },
      OpenSlot: {
        type: 'object',
        additionalProperties: false,
        required: ['time_slot', 'starts_at'],
        properties: {
          time_slot: { $ref: '#/components/schemas/TimeSlot' },
          starts_at: { $ref: '#/components/schemas/StartsAt' },
        },
      },
      Booking: {
        type: 'object',
        additionalProperties: false,
        required: [
          'id',
          'status',
          'date',
          'time_slot',
          'starts_at',
          'timezone',
          'label',
          'created_at',
          'expires_at',
          'confirmed_at',
          'cancelled_at',
          'expired_at',
        ],
        properties: {
          id: { type: 'string', format: 'uuid' },
          status: { $ref: '#/components/schemas/BookingStatus' },
          date: { $ref: '#/components/schemas/CalendarDate' },
          time_slot: { $ref: '#/components/schemas/TimeSlot' },
          starts_at: { $ref: '#/components/schemas/StartsAt' },
          ends_at: { $ref: '#/components/schemas/EndsAt' },
          timezone: { type: 'string' },
          label: { type: 'string' },
          artist: { $ref: '#/components/schemas/Artist' },
          created_at: { $ref: '#/components/schemas/Instant' },
          expires_at: { $ref: '#/components/schemas/Instant' },
          confirmed_at: { $ref: '#/components/schemas/NullableInstant' },
          cancelled_at: { $ref: '#/components/schemas/NullableInstant' },
          expired_at: { $ref: '#/components/schemas/NullableInstant' },
        },
      },
      BookingStatus: {
        type: 'string',
        description:
          '`pending` until the person confirms or `expires_at` has passed. `expired` and `cancelled` (by the person or the studio) are final.',
        enum: ['pending', 'confirmed', 'expired', 'cancelled'],
      },
      CalendarDate: {
        type: 'string',
        format: 'date',
        description: "A date that exists, `YYYY-MM-DD`, in the studio's time zone.",
        pattern: '^\\d{4}-\\d{2}-\\d{2}$',
        examples: ['2026-12-01'],
      },
      TimeSlot: {
        type: 'string',
        description: "A session time, on the studio's wall clock.",
        enum: ['9:00 AM', '1:00 PM', '5:00 PM'],
      },
      Weekday: {
        type: 'string',
        enum: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
      },
      Instant: { type: 'string', format: 'date-time', description: 'An instant in UTC.' },
      NullableInstant: {
        type: ['string', 'null'],
        format: 'date-time',
        description: 'An instant in UTC; null where it has not happened.',
      },
      StartsAt: {
        type: 'string',
        format: 'date-time',
        description: "When the session starts, with the studio's own UTC offset.",
      },
      EndsAt: {
        type: 'string',
        format: 'date-time',
        description:
          'When the session ends, as decided when it was booked. Absent from webhooks and replays of bookings made before 2.9.',
      },
      ErrorResponse: {
        type: 'object',
        additionalProperties: false,
        required: ['error'],
        properties: { error: { $ref: '#/components/schemas/Error' } },
        examples: [
          {
            error: {
              code: 'invalid_request',
              message: 'The request is not valid: body.email must be an e-mail address.',
              request_id: '018f6f2e-7d5a-4c1e-9b43-0f2d6c1a7e55',
              details: [{ path: 'body.email', message: 'must be an e-mail address' }],
            },
          },
        ],
      },
      Error: {
        type: 'object',
        additionalProperties: false,
        required: ['code', 'message', 'request_id'],
        properties: {
          code: { $ref: '#/components/schemas/ErrorCode' },
          message: { type: 'string' },
          request_id: {
            type: 'string',
            description: 'Name it when you ask the studio about a failure.',
          },
          details: {
            type: 'array',
            description: 'On `invalid_request`.',
            items: { $ref: '#/components/schemas/ErrorDetail' },
          },
          alternatives: {
            type: 'array',
            description:
              'On `slot_unavailable`, open slots near the one asked for, the best first.',
            maxItems: 5,
            items: { $ref: '#/components/schemas/Alternative' },
          },
          retry_after_seconds: {
            type: 'integer',
            minimum: 1,
            description: 'On 429 and 503, as `Retry-After`.',
          },
        },
      },
      ErrorDetail: {
        type: 'object',
        additionalProperties: false,
        required: ['path', 'message'],
        properties: {
          path: { type: 'string', description: 'Such as `body.email` or `query.from`.' },
          message: { type: 'string' },
        },
      },
      ErrorCode: {
        type: 'string',
        description: 'Codes may be added: treat one that you do not know by its status.',
        enum: [
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
        ],
      },
      Alternative: {
        type: 'object',
        additionalProperties: false,
        required: ['date', 'time_slot', 'starts_at', 'label'],
        properties: {
          date: { $ref: '#/components/schemas/CalendarDate' },
          time_slot: { $ref: '#/components/schemas/TimeSlot' },
          starts_at: { $ref: '#/components/schemas/StartsAt' },
          label: { type: 'string' },
        },
      },
      Studio: {
        type: 'object',
        additionalProperties: false,
        required: [
          'name',
          'description',
          'timezone',
          'address',
          'contact',
          'hours',
          'session_times',
          'session_minutes',
          'notices',
          'booking_flow',
        ],
        properties: {
          name: { type: 'string' },
          description: { type: 'string' },
          timezone: { type: 'string', description: 'IANA time zone.' },
          address: { $ref: '#/components/schemas/Address' },
          contact: { $ref: '#/components/schemas/Contact' },
          hours: {
            type: 'array',
            minItems: 7,
            maxItems: 7,
            items: { $ref: '#/components/schemas/OpeningHours' },
          },
          session_times: { type: 'array', items: { $ref: '#/components/schemas/TimeSlot' } },
          session_minutes: {
            type: 'integer',
            minimum: 1,
            description: 'How long a session lasts, unless the day ends earlier.',
          },
          notices: {
            type: 'array',
            description: 'What a person must know beforehand.',
            maxItems: 10,
            items: { $ref: '#/components/schemas/Notice' },
          },
          artists: {
            type: 'array',
            description: 'Whom a person can choose, where there are several.',
            items: { $ref: '#/components/schemas/StudioArtist' },
          },
          booking_flow: { $ref: '#/components/schemas/BookingFlow' },
        },
      },
      Artist: {
        type: 'object',
        description: 'Only where there are several.',
        additionalProperties: false,
        required: ['name'],
        properties: { name: { type: 'string' } },
      },
      StudioArtist: {
        type: 'object',
        additionalProperties: false,
        required: ['name', 'about', 'book_url'],
        properties: {
          name: { type: 'string' },
          about: { type: 'string' },
          book_url: {
            type: 'string',
            format: 'uri',
            description: 'Where the person chooses a time with them.',
          },
        },
      },
      Address: {
        type: 'object',
        additionalProperties: false,
        required: ['street', 'city', 'region', 'postal_code', 'country'],
        properties: {
          street: { type: 'string' },
          city: { type: 'string' },
          region: { type: 'string' },
          postal_code: { type: 'string' },
          country: { type: 'string' },
        },
      },
      Contact: {
        type: 'object',
        additionalProperties: false,
        required: ['email', 'phone', 'website'],
        properties: {
          email: { type: 'string' },
          phone: { type: 'string' },
          website: { type: 'string' },
        },
      },
      OpeningHours: {
        type: 'object',
        additionalProperties: false,
        required: ['day', 'opens', 'closes'],
        properties: {
          day: { $ref: '#/components/schemas/Weekday' },
          opens: {
            type: ['string', 'null'],
            description: '`HH:MM`; null, as `closes`, when closed.',
          },
          closes: { type: ['string', 'null'] },
          sessions: {
            type: 'array',
            description:
              'Those that can be booked with anybody now, and when each ends at the latest, `HH:MM`.',
            items: { $ref: '#/components/schemas/WeeklySession' },
          },
        },
      },
      WeeklySession: {
        type: 'object',
        additionalProperties: false,
        required: ['time_slot', 'ends'],
        properties: {
          time_slot: { $ref: '#/components/schemas/TimeSlot' },
          ends: { type: 'string' },
        },
      },
      Notice: {
        type: 'object',
        additionalProperties: false,
        required: ['title', 'text'],
        properties: { title: { type: 'string' }, text: { type: 'string' } },
      },
      BookingFlow: {
        type: 'object',
        additionalProperties: false,
        required: ['hold_minutes', 'payment_required', 'steps'],
        properties: {
          hold_minutes: { type: 'number' },
          payment_required: { type: 'boolean' },
          steps: { type: 'array', items: { $ref: '#/components/schemas/BookingStep' } },
        },
      },
      BookingStep: {
        type: 'object',
        additionalProperties: false,
        required: ['step', 'actor', 'title', 'description'],
        properties: {
          step: { type: 'integer' },
          actor: { type: 'string', enum: ['agent', 'end_user'] },
          title: { type: 'string' },
          description: { type: 'string' },
        },
      },
      Capabilities: {
        type: 'object',
        additionalProperties: false,
        required: [
          'interface_version',
          'service',
          'documentation_url',
          'transports',
          'capabilities',
          'limits',
          'webhooks',
          'idempotency',
          'errors',
          'human_confirmation',
          'compatibility',
        ],
        properties: {
          interface_version: { type: 'string' },
          service: { type: 'string' },
          documentation_url: { type: 'string', format: 'uri' },
          book_url_template: { $ref: '#/components/schemas/BookUrlTemplate' },
          transports: { $ref: '#/components/schemas/Transports' },
          capabilities: { type: 'array', items: { $ref: '#/components/schemas/Capability' } },
          limits: { $ref: '#/components/schemas/Limits' },
          webhooks: { $ref: '#/components/schemas/WebhookFacts' },
          idempotency: { $ref: '#/components/schemas/IdempotencyFacts' },
          errors: { type: 'array', items: { $ref: '#/components/schemas/ErrorFacts' } },
          human_confirmation: { $ref: '#/components/schemas/HumanConfirmation' },
          compatibility: { $ref: '#/components/schemas/CompatibilityFacts' },
        },
      },
      Transports: {
        type: 'object',
        additionalProperties: false,
        required: ['rest', 'mcp', 'sse'],
        properties: {
          rest: {
            type: 'object',
            additionalProperties: false,
            required: ['base_url', 'openapi_url'],
            properties: {
              base_url: { type: 'string', format: 'uri' },
              openapi_url: { type: 'string', format: 'uri' },
            },
          },
          mcp: {
            type: 'object',
            additionalProperties: false,
            required: ['url', 'protocol_versions'],
            properties: {
              url: { type: 'string', format: 'uri' },
              protocol_versions: { type: 'array', items: { type: 'string' } },
            },
          },
          sse: {
            type: 'object',
            additionalProperties: false,
            required: ['url', 'events'],
            properties: {
              url: { type: 'string', format: 'uri' },
              events: { type: 'array', items: { type: 'string' } },
            },
          },
        },
      },
      Capability: {
        type: 'object',
        additionalProperties: false,
        required: ['name', 'version', 'description', 'operations', 'tools'],
        properties: {
          name: { type: 'string' },
          version: { type: 'string' },
          description: { type: 'string' },
          operations: { type: 'array', items: { type: 'string' } },
          tools: { type: 'array', items: { type: 'string' } },
        },
        examples: [
          {
            name: 'bookings',
            version: '2.0.0',
            description: 'Hold a session for a person.',
            operations: ['createHold'],
            tools: ['hold_slot'],
          },
        ],
      },
      Limits: {
        type: 'object',
        additionalProperties: false,
        required: [
          'budgets',
          'hold_lifetime_seconds',
          'max_pending_holds',
          'max_pending_holds_per_caller',
          'max_live_bookings_per_person',
          'max_live_bookings_per_caller',
          'platform',
          'min_notice_minutes',
          'booking_horizon_days',
          'availability_range_days',
          'max_alternatives',
          'max_wait_seconds',
          'max_waits_per_caller',
          'max_streams_per_address',
          'max_webhooks_per_network',
          'max_webhooks_per_domain',
          'max_webhooks_per_address',
          'max_webhooks_per_host',
          'max_webhooks',
          'webhooks_scarce_from',
          'max_body_bytes',
          'max_lengths',
        ],
        properties: {
          budgets: { type: 'array', items: { $ref: '#/components/schemas/Budget' } },
          hold_lifetime_seconds: { type: 'integer' },
          max_pending_holds: { type: 'integer', description: 'Beyond it, 503.' },
          max_pending_holds_per_caller: { type: 'integer' },
          max_live_bookings_per_person: {
            type: 'integer',
            description:
              'Pending, or confirmed and not over; by `email` and, where confirming takes no code, by `phone`. Beyond it, 429.',
          },
          max_live_bookings_per_caller: { type: 'integer', description: 'Placed within 24 hours.' },
          platform: { $ref: '#/components/schemas/PlatformLimits' },
          min_notice_minutes: { type: 'integer' },
          booking_horizon_days: { type: 'integer' },
          availability_range_days: { type: 'integer' },
          max_alternatives: { type: 'integer' },
          max_wait_seconds: { type: 'integer' },
          max_waits_per_caller: { type: 'integer' },
          max_streams_per_address: { type: 'integer' },
          max_webhooks_per_network: {
            type: 'integer',
            description: 'By IPv4 address or IPv6 /48.',
          },
          max_webhooks_per_domain: {
            type: 'integer',
            description: "By the target's registrable domain.",
          },
          max_webhooks_per_address: {
            type: 'integer',
            description: 'Now `max_webhooks_per_network`.',
          },
          max_webhooks_per_host: { type: 'integer', description: 'Now `max_webhooks_per_domain`.' },
          max_webhooks: { type: 'integer' },
          webhooks_scarce_from: {
            type: 'integer',
            description: 'With so many live, one per network and domain.',
          },
          max_body_bytes: { type: 'integer' },
          max_lengths: {
            type: 'object',
            description: 'Of each member of a hold request, in characters.',
            additionalProperties: { type: 'integer' },
          },
        },
      },
      Budget: {
        type: 'object',
        additionalProperties: false,
        required: ['name', 'window_seconds', 'anonymous', 'keyed', 'counted_per', 'operations'],
        properties: {
          name: { type: 'string' },
          window_seconds: { type: 'integer' },
          anonymous: { type: 'integer' },
          keyed: { type: 'integer' },
          counted_per: {
            type: 'string',
            enum: ['caller', 'address'],
            description:
              '`caller`: the API key, or the address of an anonymous caller (IPv6 by /64).',
          },
          operations: {
            type: 'array',
            description:
              'All others are charged to `reads`, and what is outside the interface to `pages`.',
            items: { type: 'string' },
          },
        },
        examples: [
          {
            name: 'holds',
            window_seconds: 3600,
            anonymous: 5,
            keyed: 30,
            counted_per: 'caller',
            operations: ['createHold'],
          },
        ],
      },
      PlatformLimits: {
        type: 'object',
        additionalProperties: false,
        description: 'Shared by all people of a hosted assistant that the studio has listed.',
        required: ['reads_per_minute', 'holds_per_hour', 'max_pending_holds', 'max_live_bookings'],
        properties: {
          reads_per_minute: { type: 'integer' },
          holds_per_hour: { type: 'integer' },
          max_pending_holds: { type: 'integer' },
          max_live_bookings: { type: 'integer' },
        },
      },
      WebhookFacts: {
        type: 'object',
        additionalProperties: false,
        required: ['events', 'signature', 'retry_schedule_seconds', 'max_waiting_until_proven'],
        properties: {
          events: { type: 'array', items: { type: 'string' } },
          signature: { type: 'string' },
          retry_schedule_seconds: { type: 'array', items: { type: 'integer' } },
          max_waiting_until_proven: {
            type: 'integer',
            description: 'Deliveries that wait, until the first success.',
          },
        },
      },
      IdempotencyFacts: {
        type: 'object',
        additionalProperties: false,
        required: ['header', 'tool_argument', 'operations', 'max_length', 'replay_header'],
        properties: {
          header: { type: 'string' },
          tool_argument: { type: 'string' },
          operations: { type: 'array', items: { type: 'string' } },
          max_length: { type: 'integer' },
          replay_header: { type: 'string' },
        },
      },
      ErrorFacts: {
        type: 'object',
        additionalProperties: false,
        required: ['code', 'status', 'retryable'],
        properties: {
          code: { $ref: '#/components/schemas/ErrorCode' },
          status: { type: 'integer' },
          retryable: {
            type: 'boolean',
            description: 'Whether the same request may succeed later.',
          },
        },
      },
      HumanConfirmation: {
        type: 'object',
        additionalProperties: false,
        required: [
          'required',
          'actor',
          'proof',
          'operation',
          'tool',
          'url_member',
          'hold_lifetime_seconds',
          'description',
        ],
        properties: {
          required: { type: 'boolean' },
          actor: { type: 'string', enum: ['end_user'] },
          proof: {
            type: 'string',
            enum: ['link', 'code'],
            description:
              '`link`: confirming takes the link. `code`: also six digits, mailed to the `email` of the hold.',
          },
          operation: { type: 'string' },
          tool: { type: 'string' },
          url_member: { type: 'string' },
          hold_lifetime_seconds: { type: 'integer' },
          description: { type: 'string' },
        },
      },
      CompatibilityFacts: {
        type: 'object',
        additionalProperties: false,
        required: ['stable_within', 'additions', 'policy_url', 'deprecation'],
        properties: {
          stable_within: { type: 'string' },
          additions: { type: 'array', items: { type: 'string' } },
          policy_url: { type: 'string', format: 'uri' },
          deprecation: { $ref: '#/components/schemas/DeprecationFacts' },
        },
      },
      DeprecationFacts: {
        type: 'object',
        additionalProperties: false,
        required: ['headers', 'notice_days'],
        properties: {
          headers: { type: 'array', items: { type: 'string' } },
          notice_days: { type: 'integer' },
        },
      },
      AgentKeyRequest: {
        type: 'object',
        additionalProperties: false,
        required: ['email'],
        properties: {
          email: {
            type: 'string',
            format: 'email',
            description: "Where the key's owner is reached.",
            maxLength: 254,
          },
          label: { type: ['string', 'null'], description: 'A name for the key.', maxLength: 120 },
        },
      },
      AgentKey: {
        type: 'object',
        additionalProperties: false,
        required: ['id', 'key', 'label', 'created_at', 'limits', 'notice'],
        properties: {
          id: { type: 'string', format: 'uuid' },
          key: {
            type: 'string',
            description: 'Shown only here.',
            pattern: '^tsk_[0-9A-Za-z]{38}$',
          },
          label: { type: ['string', 'null'] },
          created_at: { $ref: '#/components/schemas/Instant' },
          limits: { $ref: '#/components/schemas/AgentKeyLimits' },
          notice: { type: 'string' },
        },
      },
      AgentKeyLimits: {
        type: 'object',
        additionalProperties: false,
        required: ['reads_per_minute', 'writes_per_hour'],
        properties: {
          reads_per_minute: { type: 'integer', minimum: 1 },
          writes_per_hour: {
            type: 'integer',
            minimum: 1,
            description: 'Holds, and as many webhook subscriptions.',
          },
        },
      },
      WebhookRequest: {
        type: 'object',
        additionalProperties: false,
        required: ['url'],
        properties: {
          url: {
            type: 'string',
            format: 'uri',
            description:
              '`https`, port 443 or 8443, without user name and password, on the public internet.',
            maxLength: 2048,
          },
          events: {
            type: 'array',
            description: 'All three when left out.',
            minItems: 1,
            uniqueItems: true,
            items: { type: 'string', enum: ['hold.created', 'booking.confirmed', 'hold.expired'] },
          },
        },
      },
      WebhookEventType: {
        type: 'string',
        description:
          'A hold that the person lets go, and a booking that is cancelled or moved, send no event.',
        enum: ['hold.created', 'booking.confirmed', 'hold.expired'],
      },
      CreatedWebhook: {
        type: 'object',
        additionalProperties: false,
        required: ['id', 'url', 'events', 'status', 'created_at', 'signing_secret', 'manage_token'],
        properties: {
          id: { type: 'string', format: 'uuid' },
          url: { type: 'string', format: 'uri' },
          events: { type: 'array', items: { $ref: '#/components/schemas/WebhookEventType' } },
          status: { type: 'string', enum: ['active'] },
          created_at: { $ref: '#/components/schemas/Instant' },
          signing_secret: {
            type: 'string',
            description: 'Verifies deliveries. Shown only here.',
            pattern: '^whsec_[A-Za-z0-9+/]{43}=$',
          },
          manage_token: {
            type: 'string',
            description: 'The bearer token for `GET` and `DELETE`. Shown only here.',
            pattern: '^tsm_[0-9A-Za-z]{38}$',
          },
        },
      },
      Webhook: {
        type: 'object',
        additionalProperties: false,
        required: [
          'id',
          'url',
          'events',
          'status',
          'disabled_reason',
          'created_at',
          'skipped',
          'recent_deliveries',
        ],
        properties: {
          id: { type: 'string', format: 'uuid' },
          url: { type: 'string', format: 'uri' },
          events: { type: 'array', items: { $ref: '#/components/schemas/WebhookEventType' } },
          status: { $ref: '#/components/schemas/WebhookStatus' },
          disabled_reason: {
            type: ['string', 'null'],
            description:
              '`gone`: the receiver answered 410. `studio`: ask by e-mail. Otherwise subscribe anew.',
            enum: ['gone', 'never_succeeded', 'failing', 'studio', 'secret_lost', null],
          },
          created_at: { $ref: '#/components/schemas/Instant' },
          skipped: {
            type: 'integer',
            minimum: 0,
            description: 'Events never sent, because 20 deliveries waited.',
          },
          recent_deliveries: {
            type: 'array',
            description: 'Newest first.',
            maxItems: 20,
            items: { $ref: '#/components/schemas/WebhookDelivery' },
          },
        },
      },
      WebhookStatus: { type: 'string', enum: ['active', 'disabled'] },
      WebhookDelivery: {
        type: 'object',
        additionalProperties: false,
        required: [
          'event_id',
          'type',
          'status',
          'attempts',
          'last_status_code',
          'last_attempt_at',
          'next_attempt_at',
        ],
        properties: {
          event_id: { type: 'string', format: 'uuid', description: 'As `webhook-id` names it.' },
          type: { $ref: '#/components/schemas/WebhookEventType' },
          status: {
            type: 'string',
            enum: ['pending', 'delivered', 'failed'],
            description: '`failed`: no attempts are left, or the subscription was disabled.',
          },
          attempts: { type: 'integer', minimum: 0 },
          last_status_code: {
            type: ['integer', 'null'],
            description: 'Null when the receiver never answered.',
          },
          last_attempt_at: { $ref: '#/components/schemas/NullableInstant' },
          next_attempt_at: { $ref: '#/components/schemas/NullableInstant' },
        },
      },
      DeletedWebhook: {
        type: 'object',
        additionalProperties: false,
        required: ['id', 'deleted'],
        properties: {
          id: { type: 'string', format: 'uuid' },
          deleted: { type: 'boolean', enum: [true] },
        },
      },
      WebhookEvent: {
        type: 'object',
        additionalProperties: false,
        required: ['type', 'timestamp', 'data'],
        properties: {
          type: { $ref: '#/components/schemas/WebhookEventType' },
          timestamp: { $ref: '#/components/schemas/Instant' },
          data: { $ref: '#/components/schemas/Booking' },
        },
      },
      LiveEvent: {
        oneOf: [
          { $ref: '#/components/schemas/AvailabilityEvent' },
          { $ref: '#/components/schemas/PulseEvent' },
          { $ref: '#/components/schemas/HeartbeatEvent' },
        ],
      },
      AvailabilityEvent: {
        type: 'object',
        additionalProperties: false,
        required: ['event', 'id', 'data'],
        properties: {
          event: { type: 'string', enum: ['availability'] },
          id: { type: 'string' },
          data: { $ref: '#/components/schemas/Availability' },
        },
      },
      PulseEvent: {
        type: 'object',
        additionalProperties: false,
        required: ['event', 'data'],
        properties: {
          event: { type: 'string', enum: ['pulse'] },
          data: { $ref: '#/components/schemas/Pulse' },
        },
      },
      Pulse: {
        type: 'object',
        additionalProperties: false,
        required: [
          'open_slots',
          'next_open',
          'pending_holds',
          'confirmed_upcoming',
          'viewers',
          'server_time',
        ],
        properties: {
          open_slots: { type: 'integer', minimum: 0 },
          next_open: {
            description: 'The first open slot, however far ahead.',
            oneOf: [{ $ref: '#/components/schemas/Alternative' }, { type: 'null' }],
          },
          pending_holds: { type: 'integer', minimum: 0 },
          confirmed_upcoming: { type: 'integer', minimum: 0 },
          viewers: { type: 'integer', minimum: 0 },
          server_time: { $ref: '#/components/schemas/Instant' },
        },
      },
      HeartbeatEvent: {
        type: 'object',
        additionalProperties: false,
        required: ['event', 'data'],
        properties: {
          event: { type: 'string', enum: ['heartbeat'] },
          data: { $ref: '#/components/schemas/Heartbeat' },
        },
      },
      Heartbeat: {
        type: 'object',
        additionalProperties: false,
        required: ['server_time'],
        properties: { server_time: { $ref: '#/components/schemas/Instant' } },
      },
      JsonRpcMessage: {
        oneOf: [
          { $ref: '#/components/schemas/JsonRpcRequest' },
          { $ref: '#/components/schemas/JsonRpcNotification' },
          { $ref: '#/components/schemas/JsonRpcResponse' },
        ],
      },
      JsonRpcRequest: {
        type: 'object',
        additionalProperties: false,
        required: ['jsonrpc', 'id', 'method'],
        properties: {
          jsonrpc: { $ref: '#/components/schemas/JsonRpcVersion' },
          id: { $ref: '#/components/schemas/JsonRpcId' },
          method: { $ref: '#/components/schemas/JsonRpcMethod' },
          params: { $ref: '#/components/schemas/JsonRpcParams' },
        },
      },
      JsonRpcNotification: {
        type: 'object',
        additionalProperties: false,
        required: ['jsonrpc', 'method'],
        properties: {
          jsonrpc: { $ref: '#/components/schemas/JsonRpcVersion' },
          method: { $ref: '#/components/schemas/JsonRpcMethod' },
          params: { $ref: '#/components/schemas/JsonRpcParams' },
        },
      },
      JsonRpcResponse: {
        oneOf: [
          { $ref: '#/components/schemas/JsonRpcResult' },
          { $ref: '#/components/schemas/JsonRpcFailure' },
        ],
      },
      JsonRpcResult: {
        type: 'object',
        additionalProperties: false,
        required: ['jsonrpc', 'id', 'result'],
        properties: {
          jsonrpc: { $ref: '#/components/schemas/JsonRpcVersion' },
          id: { $ref: '#/components/schemas/JsonRpcId' },
          result: { type: 'object' },
        },
      },
      JsonRpcFailure: {
        type: 'object',
        additionalProperties: false,
        required: ['jsonrpc', 'id', 'error'],
        properties: {
          jsonrpc: { $ref: '#/components/schemas/JsonRpcVersion' },
          id: { type: ['string', 'number', 'null'], description: 'Null where none could be read.' },
          error: { $ref: '#/components/schemas/JsonRpcError' },
        },
        examples: [
          { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'Batches are not served.' } },
        ],
      },
      JsonRpcError: {
        type: 'object',
        additionalProperties: false,
        required: ['code', 'message'],
        properties: {
          code: {
            type: 'integer',
            description:
              "Besides JSON-RPC's own: `-32022` a protocol revision that is not served, `-32020` headers that contradict the message.",
          },
          message: { type: 'string' },
          data: {},
        },
      },
      JsonRpcVersion: { type: 'string', enum: ['2.0'] },
      JsonRpcId: { type: ['string', 'number'] },
      JsonRpcMethod: { type: 'string', examples: ['tools/list'] },
      JsonRpcParams: { type: ['object', 'null'] },
      ServerCard: {
        type: 'object',
        additionalProperties: false,
        required: ['$schema', 'name', 'title', 'description', 'version', 'websiteUrl', 'remotes'],
        properties: {
          $schema: { type: 'string', format: 'uri' },
          name: { type: 'string' },
          title: { type: 'string' },
          description: { type: 'string', maxLength: 100 },
          version: { type: 'string' },
          websiteUrl: { type: 'string', format: 'uri' },
          remotes: { type: 'array', items: { $ref: '#/components/schemas/ServerCardRemote' } },
        },
      },
      ServerCardRemote: {
        type: 'object',
        additionalProperties: false,
        required: ['type', 'url', 'supportedProtocolVersions'],
        properties: {
          type: { type: 'string', enum: ['streamable-http'] },
          url: { type: 'string', format: 'uri' },
          supportedProtocolVersions: { type: 'array', items: { type: 'string' } },
        },
      },
    },
    parameters: {
      IfNoneMatch: {
        name: 'If-None-Match',
        in: 'header',
        description: 'The `ETag` that you have; 304 while it is the same.',
        schema: { type: 'string', pattern: '^[\\t\\x20-\\x7e\\x80-\\xff]*$' },
        example: '"u0qBvRZ2Zk9cS1mM4yQw3A"',
      },
    },
    headers: {
      ETag: { required: true, schema: { type: 'string', pattern: '^"[\\x21\\x23-\\x7e]+"$' } },
      RateLimitPolicy: {
        description:
          "The budget that was charged (`reads`, `holds`, `agent-keys`, `webhooks`, or a platform's): `q` requests in `w` seconds.",
        required: true,
        schema: { type: 'string', pattern: '^"[a-z-]+";q=[0-9]+;w=[0-9]+$' },
        example: '"reads";q=60;w=60',
      },
      RateLimit: {
        description: 'What remains (`r`) of that budget, for how many seconds (`t`).',
        required: true,
        schema: { type: 'string', pattern: '^"[a-z-]+";r=[0-9]+;t=[0-9]+$' },
        example: '"reads";r=59;t=42',
      },
      CacheControl: { required: true, schema: { type: 'string' } },
      RetryAfter: { required: true, schema: { type: 'integer', minimum: 1 } },
    },
    responses: {
      InvalidRequest: {
        description:
          '400 `invalid_request`: `details` names each wrong member. 400 `idempotency_key_reused`: the key belongs to another request.',
        headers: {
          'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
          RateLimit: { $ref: '#/components/headers/RateLimit' },
        },
        content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorResponse' } } },
      },
      NotFound: {
        description:
          '404 `booking_not_found` or `subscription_not_found`: nothing has this id or manage token.',
        headers: {
          'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
          RateLimit: { $ref: '#/components/headers/RateLimit' },
        },
        content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorResponse' } } },
      },
      SlotUnavailable: {
        description:
          '409 `slot_unavailable`: `message` says why. Offer the person one of the `alternatives`.',
        headers: {
          'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
          RateLimit: { $ref: '#/components/headers/RateLimit' },
        },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/ErrorResponse' },
            example: {
              error: {
                code: 'slot_unavailable',
                message:
                  'Tuesday, December 1, 2026 at 1:00 PM is already booked. Offer the person one of the alternatives.',
                request_id: '018f6f2e-7d5a-4c1e-9b43-0f2d6c1a7e55',
                alternatives: [
                  {
                    date: '2026-12-01',
                    time_slot: '5:00 PM',
                    starts_at: '2026-12-01T17:00:00-08:00',
                    label: 'Tuesday, December 1, 2026 at 5:00 PM',
                  },
                ],
              },
            },
          },
        },
      },
      RateLimited: {
        description:
          '429 `rate_limited`: a budget is used up, or there are too many live bookings, subscriptions or streams. An API key raises budgets.',
        headers: {
          'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
          RateLimit: { $ref: '#/components/headers/RateLimit' },
          'Retry-After': { $ref: '#/components/headers/RetryAfter' },
        },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/ErrorResponse' },
            example: {
              error: {
                code: 'rate_limited',
                message:
                  'The limit of 60 reads per minute is used up. Wait 42 seconds and send the same request again.',
                request_id: '018f6f2e-7d5a-4c1e-9b43-0f2d6c1a7e55',
                retry_after_seconds: 42,
              },
            },
          },
        },
      },
      ServiceUnavailable: {
        description:
          '503 `too_many_pending_holds`: too many holds wait for their people. 503 `service_unavailable`: the service cannot answer now.',
        headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } },
        content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorResponse' } } },
      },
      ManageTokenRefused: {
        description:
          '401 `manage_token_missing`. 401 `manage_token_invalid`: it belongs to no subscription.',
        headers: {
          'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
          RateLimit: { $ref: '#/components/headers/RateLimit' },
        },
        content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorResponse' } } },
      },
      Rejected: {
        description:
          '403 `forbidden`: a web page of an origin that is not allowed. 413 `payload_too_large`. 414 `uri_too_long`. 415 `unsupported_media_type`: the body is not `application/json`.',
        headers: {
          'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
          RateLimit: { $ref: '#/components/headers/RateLimit' },
        },
        content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorResponse' } } },
      },
      Failed: {
        description:
          '408 `request_timeout`: the request came too slowly. 431 `headers_too_large`. 500 `internal_error`: it is safe to try again.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorResponse' } } },
      },
      InvalidJsonRpc: {
        description:
          'No JSON-RPC message, or a method (404) or protocol revision that is not served.',
        headers: {
          'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
          RateLimit: { $ref: '#/components/headers/RateLimit' },
        },
        content: {
          'application/json': { schema: { $ref: '#/components/schemas/JsonRpcFailure' } },
        },
      },
      NotModified: {
        description: 'Unchanged; there is no body.',
        headers: {
          ETag: { $ref: '#/components/headers/ETag' },
          'Cache-Control': { $ref: '#/components/headers/CacheControl' },
          'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
          RateLimit: { $ref: '#/components/headers/RateLimit' },
        },
      },
    },
    securitySchemes: {
      apiKey: {
        type: 'http',
        scheme: 'bearer',
        description: 'An optional API key, for higher limits.',
      },
      manageToken: {
        type: 'http',
        scheme: 'bearer',
        description: 'The `manage_token` that `POST /api/public/webhooks` answered.',
      },
    },
  },
};
