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
      'A booking service that any agent can use on behalf of a person.\n\n**The flow.** Read the studio (`GET /api/public/studio`), list open times\n(`GET /api/public/availability`), place a hold (`POST /api/public/holds`), give the person the\n`checkout_url`, and watch the booking (`GET /api/public/bookings/{id}`) until it is `confirmed`.\n\n**The one rule.** A hold lasts 15 minutes. Only the *person* opens `checkout_url` and locks the\nsession in. The calling agent never opens that page and never completes checkout. Booking is\nfree: there is no payment step.\n\n**Answers.** A success is `{"data": …}`; every failure is\n`{"error": {"code", "message", "request_id", …}}`. The `message` says what was wrong and what to\ndo next. Members are `snake_case`; instants are RFC 3339; `starts_at` carries the studio\'s own\nUTC offset and every other instant is UTC. Consumers must ignore members that they do not know.\nA header of one value that is sent twice, such as `Host` or `Authorization`, gets 400 everywhere.\n\n**Retries.** Send an `Idempotency-Key` with `POST /api/public/holds` and repeat the request with\nthe same key when an answer is lost. On 429 and 503 wait for as many seconds as `Retry-After`\nsays.\n\n**Limits.** Every answer names the budget that it was charged to: `RateLimit-Policy` says how\nmuch a window holds (`"reads";q=60;w=60`), `RateLimit` what is left of it and for how many\nseconds (`"reads";r=59;t=42`). Reads, holds, API keys and webhook subscriptions are separate\nbudgets. `GET /api/public/capabilities` lists them; an API key raises them.\n\n**News.** Instead of asking again and again, subscribe to webhooks (`POST /api/public/webhooks`):\nsigned requests to your own address when a hold is created, confirmed or expired.\n\n**Versions.** Within 2.x whatever works now goes on working; members, operations and error codes\nmay be added. An operation that is to end says so in its answers (`Deprecation`, `Sunset`) at\nleast 180 days before. `GET /api/public/capabilities` has the policy under `compatibility`.\n',
    contact: { name: 'Studio desk', email: 'studio@example.com' },
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [
    {
      url: 'http://127.0.0.1:3000',
      description: 'This service. The served document names its public address here.',
    },
  ],
  tags: [
    { name: 'Studio', description: 'Who the studio is and when it has room.' },
    { name: 'Bookings', description: 'Hold a session for a person, and see what became of it.' },
    {
      name: 'Webhooks',
      description: 'Signed requests to your own address when something happens.',
    },
    { name: 'Access', description: 'An optional API key, for higher limits.' },
    {
      name: 'Connector',
      description: 'The same functions as tools of the Model Context Protocol.',
    },
    { name: 'Discovery', description: 'How an agent learns what this service offers.' },
  ],
  security: [{}, { apiKey: [] }],
  paths: {
    '/api/public/studio': {
      get: {
        operationId: 'getStudio',
        tags: ['Studio'],
        summary: "Read the studio's details",
        description:
          'Name, address, contact, opening hours, the three session times and the steps of a booking.\n`hours` are for show; which sessions are really open is what `GET /api/public/availability`\nanswers.\n',
        parameters: [{ $ref: '#/components/parameters/IfNoneMatch' }],
        responses: {
          '200': {
            description: "The studio's details.",
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
                examples: { studio: { $ref: '#/components/examples/Studio' } },
              },
            },
          },
          '304': { $ref: '#/components/responses/NotModified' },
          '408': { $ref: '#/components/responses/RequestTimeout' },
          '414': { $ref: '#/components/responses/UriTooLong' },
          '429': { $ref: '#/components/responses/RateLimited' },
          '431': { $ref: '#/components/responses/HeadersTooLarge' },
          '500': { $ref: '#/components/responses/InternalError' },
          '503': { $ref: '#/components/responses/ServiceUnavailable' },
        },
      },
    },
    '/api/public/availability': {
      get: {
        operationId: 'listAvailability',
        tags: ['Studio'],
        summary: 'List open session times',
        description:
          "Open slots grouped by date, in the studio's time zone. Only dates with an open slot appear;\nan empty `days` means that nothing is open in the range. Past dates are allowed and are\nsimply not open. A slot that is listed here can still be taken by somebody else before your\nhold: then `POST /api/public/holds` answers 409 with `alternatives`.\n",
        parameters: [
          {
            name: 'from',
            in: 'query',
            required: true,
            description: "First date of the range, inclusive, in the studio's time zone.",
            schema: { $ref: '#/components/schemas/CalendarDate' },
            example: '2026-12-01',
          },
          {
            name: 'to',
            in: 'query',
            required: true,
            description:
              'Last date of the range, inclusive; not before `from` and at most 31 days after it.',
            schema: { $ref: '#/components/schemas/CalendarDate' },
            example: '2026-12-07',
          },
          {
            name: 'time_slot',
            in: 'query',
            required: false,
            description: 'Only this session time.',
            schema: { $ref: '#/components/schemas/TimeSlot' },
            example: '1:00 PM',
          },
          { $ref: '#/components/parameters/IfNoneMatch' },
        ],
        responses: {
          '200': {
            description: 'The open slots of the range.',
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
                examples: { twoDays: { $ref: '#/components/examples/Availability' } },
              },
            },
          },
          '304': { $ref: '#/components/responses/NotModified' },
          '400': { $ref: '#/components/responses/InvalidRequest' },
          '408': { $ref: '#/components/responses/RequestTimeout' },
          '414': { $ref: '#/components/responses/UriTooLong' },
          '429': { $ref: '#/components/responses/RateLimited' },
          '431': { $ref: '#/components/responses/HeadersTooLarge' },
          '500': { $ref: '#/components/responses/InternalError' },
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
          "Holds one open slot for 15 minutes and answers with the `checkout_url` for the person.\nShow the person `handoff.message` and the link. Never open the link yourself: the person\nmust lock the session in. Nothing extends a hold; when it has expired, place a new one.\n\nSend an `Idempotency-Key` (a new random UUID for each hold that you mean). If the answer is\nlost, repeat the same request with the same key: you get the original answer again, with\n`Idempotency-Replayed: true`, and never a second hold. Keys are private to your API key, or\nto the request's `email` when you are anonymous. Failures are not remembered.\n\nOne person has at most 3 live bookings (pending, or confirmed and not over), by `email` and\nby `phone`, and one caller at most 12 that were placed within 24 hours. Beyond that, 429\n`rate_limited`: the hold was refused, and costs a write as a 409 does.\n",
        parameters: [
          {
            name: 'Idempotency-Key',
            in: 'header',
            required: false,
            description:
              '1 to 255 printable ASCII characters, bare or as a quoted string; unique per hold that\nyou mean. Use a random UUID: whoever can guess the key of an anonymous request and knows\nits `email` can use the key up first. Two of these headers get 400.\n',
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
              examples: {
                minimal: {
                  summary: 'What is required',
                  value: {
                    date: '2026-12-01',
                    time_slot: '1:00 PM',
                    name: 'Ada Park',
                    email: 'ada@example.com',
                    phone: '5555550142',
                  },
                },
                complete: {
                  summary: 'With pronouns and an idea',
                  value: {
                    date: '2026-12-01',
                    time_slot: '1:00 PM',
                    name: 'Ada Park',
                    email: 'ada@example.com',
                    phone: '(555) 555-0142',
                    pronouns: 'she/her',
                    idea: 'A small heron in flight on the left forearm, black ink, about four inches.',
                  },
                },
              },
            },
          },
        },
        responses: {
          '201': {
            description: 'The slot is held. Hand `checkout_url` to the person.',
            headers: {
              Location: {
                description: "Address of the booking's status, `/api/public/bookings/{id}`.",
                required: true,
                schema: { type: 'string', format: 'uri-reference' },
              },
              'Idempotency-Replayed': {
                description:
                  'Present, and `true`, when this is the stored answer of an earlier request.',
                required: false,
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
                examples: { held: { $ref: '#/components/examples/Hold' } },
              },
            },
          },
          '400': { $ref: '#/components/responses/InvalidHold' },
          '408': { $ref: '#/components/responses/RequestTimeout' },
          '409': { $ref: '#/components/responses/SlotUnavailable' },
          '413': { $ref: '#/components/responses/PayloadTooLarge' },
          '414': { $ref: '#/components/responses/UriTooLong' },
          '415': { $ref: '#/components/responses/UnsupportedMediaType' },
          '429': { $ref: '#/components/responses/HoldsLimited' },
          '431': { $ref: '#/components/responses/HeadersTooLarge' },
          '500': { $ref: '#/components/responses/InternalError' },
          '503': { $ref: '#/components/responses/HoldsUnavailable' },
        },
      },
    },
    '/api/public/bookings/{id}': {
      get: {
        operationId: 'getBooking',
        tags: ['Bookings'],
        summary: "Read a booking's status",
        description:
          'What became of a hold: `pending` until the person confirms, then `confirmed`; `expired` from\nthe instant in `expires_at` on if nobody did; `cancelled` when it was given up. `expired`\nand `cancelled` are final. The person or the studio may move a booking: then its slot is the\nnew one, and `label` names it. The answer has no personal data and no checkout address.\n\nTo wait for your person without polling, send `Prefer: wait=60`: while the booking is\npending, the answer then comes as soon as its status or its slot changes, or after that many\nseconds with the booking as it is; ask again then. `Preference-Applied` shows that the service waited, or\nthat there was nothing to wait for. Where it is missing, too many requests wait already and\nthe answer came at once: poll every `poll_interval_seconds` of the hold.\n',
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
            required: false,
            description:
              '`wait=N` (RFC 7240) waits up to N seconds, at most 60, for a pending booking to change. At\nmost 20 requests of one caller wait at a time. Other preferences, and what is not well-formed,\nare ignored.\n',
            schema: { type: 'string', pattern: '^[^\\u0000\\uD800-\\uDFFF]*$' },
            example: 'wait=60',
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
                description:
                  'Present when `wait` was honoured: for how many seconds at most, such as `wait=60`.\n',
                required: false,
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
                examples: { confirmed: { $ref: '#/components/examples/Booking' } },
              },
            },
          },
          '404': { $ref: '#/components/responses/BookingNotFound' },
          '408': { $ref: '#/components/responses/RequestTimeout' },
          '414': { $ref: '#/components/responses/UriTooLong' },
          '429': { $ref: '#/components/responses/RateLimited' },
          '431': { $ref: '#/components/responses/HeadersTooLarge' },
          '500': { $ref: '#/components/responses/InternalError' },
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
          'A stream of server-sent events (WHATWG HTML, "Server-sent events") for a screen or an agent\nthat stays. It starts with the present state, and tells every change within a second:\n\n- `availability`: the open slots of today and the 30 days after, as\n  `GET /api/public/availability` answers in `data`, at the start and whenever they change.\n  Its `id` stands for the content: it is the same from every server of this service.\n- `pulse`: the studio in figures, at the start and when one changes, at most once a second.\n- `heartbeat`: every 15 seconds. After 45 seconds of silence, connect again.\n\nEach event is a state that replaces the one before, not a step of a log: a slow reader is\ntold the newest one. To follow one booking, read it with `Prefer: wait=60` instead.\n\nOn a lost connection wait for as long as the last `retry` said and connect again with\n`Last-Event-ID`, as `EventSource` does by itself; after a 429 or 503, where `EventSource`\ngives up, wait for as long as `Retry-After` says. An address may keep 10 streams open.\n',
        parameters: [
          {
            name: 'Last-Event-ID',
            in: 'header',
            required: false,
            description:
              'The last `id` received. While it still stands for the present state, the stream starts\nwithout the `availability` event.\n',
            schema: { type: 'string', pattern: '^[^\\u0000\\uD800-\\uDFFF]*$' },
            example: 'f3pWQ0kDvXJ0mC2a',
          },
        ],
        responses: {
          '200': {
            description:
              'The stream, until either side ends it. Schema and examples show one event with its\n`data` parsed; on the wire the data is one line of JSON:\n\n```\nevent: heartbeat\ndata: {"server_time":"2026-11-21T18:00:09.000Z"}\n```\n',
            headers: {
              'Cache-Control': { $ref: '#/components/headers/CacheControl' },
              'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
              RateLimit: { $ref: '#/components/headers/RateLimit' },
              'X-Accel-Buffering': {
                description: 'Asks proxies to pass each event on at once.',
                required: true,
                schema: { type: 'string', enum: ['no'] },
              },
            },
            content: {
              'text/event-stream': {
                schema: { $ref: '#/components/schemas/LiveEvent' },
                examples: {
                  availability: { $ref: '#/components/examples/AvailabilityEvent' },
                  pulse: { $ref: '#/components/examples/PulseEvent' },
                  heartbeat: { $ref: '#/components/examples/HeartbeatEvent' },
                },
              },
            },
          },
          '408': { $ref: '#/components/responses/RequestTimeout' },
          '414': { $ref: '#/components/responses/UriTooLong' },
          '429': { $ref: '#/components/responses/RateLimited' },
          '431': { $ref: '#/components/responses/HeadersTooLarge' },
          '500': { $ref: '#/components/responses/InternalError' },
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
          'Registers an address that gets a signed POST for each event of the chosen kinds. The answer\nis the only place where `signing_secret` (to verify deliveries) and `manage_token` (to read\nor delete the subscription) ever appear: store both.\n\n**Events** are `hold.created`, `booking.confirmed` and `hold.expired`. A hold that the person\nlets go, and a booking that is cancelled or moved, send none: read the booking to learn of it.\nA booking that the studio itself adds sends `booking.confirmed` only.\n\n**Deliveries** follow Standard Webhooks 1.0.0: `webhook-id` (the event\'s id, the same on every\nretry), `webhook-timestamp` (of the attempt) and `webhook-signature: v1,<base64>`, an\nHMAC-SHA256 over `id.timestamp.body`. Verify with any `standardwebhooks` library and refuse\nold timestamps. The body is `{"type", "timestamp", "data"}`, where `data` is the booking as\n`GET /api/public/bookings/{id}` answers it, as it was at that moment; no personal data.\nEvery retry sends the same bytes.\n\n**At least once, unordered.** The same event may arrive twice: deduplicate by `webhook-id`.\nAnswer 2xx within 15 seconds and work afterwards. Redirects are failures. A failed delivery is\ntried again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h (give or take a\ntenth); `Retry-After` on 429 and 503 is honoured within that schedule. 410, 24 hours without\na first success, or five days of nothing but failures disables the subscription.\n\n**Limits.** 10 live subscriptions per address, 200 per target host, 1,000 in all; beyond that,\n429 `rate_limited`. Disabled subscriptions do not count.\n',
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/WebhookRequest' },
              examples: {
                all: {
                  summary: 'All three kinds',
                  value: { url: 'https://agent.example.com/webhooks' },
                },
                some: {
                  summary: 'Two kinds',
                  value: {
                    url: 'https://agent.example.com/webhooks',
                    events: ['booking.confirmed', 'hold.expired'],
                  },
                },
              },
            },
          },
        },
        responses: {
          '201': {
            description: 'Subscribed. Store both secrets; they are never shown again.',
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
                examples: { created: { $ref: '#/components/examples/CreatedWebhook' } },
              },
            },
          },
          '400': { $ref: '#/components/responses/InvalidWebhook' },
          '408': { $ref: '#/components/responses/RequestTimeout' },
          '413': { $ref: '#/components/responses/PayloadTooLarge' },
          '414': { $ref: '#/components/responses/UriTooLong' },
          '415': { $ref: '#/components/responses/UnsupportedMediaType' },
          '429': { $ref: '#/components/responses/WebhooksLimited' },
          '431': { $ref: '#/components/responses/HeadersTooLarge' },
          '500': { $ref: '#/components/responses/InternalError' },
          '503': { $ref: '#/components/responses/ServiceUnavailable' },
        },
      },
      get: {
        operationId: 'getWebhook',
        tags: ['Webhooks'],
        summary: 'Read a webhook subscription',
        description:
          'The subscription that the manage token belongs to, with what became of its last 20\ndeliveries. A subscription that was disabled stays readable for 30 days.\n',
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
                examples: {
                  active: { $ref: '#/components/examples/Webhook' },
                  disabled: { $ref: '#/components/examples/DisabledWebhook' },
                },
              },
            },
          },
          '401': { $ref: '#/components/responses/ManageTokenRefused' },
          '408': { $ref: '#/components/responses/RequestTimeout' },
          '414': { $ref: '#/components/responses/UriTooLong' },
          '429': { $ref: '#/components/responses/RateLimited' },
          '431': { $ref: '#/components/responses/HeadersTooLarge' },
          '500': { $ref: '#/components/responses/InternalError' },
          '503': { $ref: '#/components/responses/ServiceUnavailable' },
        },
      },
      delete: {
        operationId: 'deleteWebhook',
        tags: ['Webhooks'],
        summary: 'Delete a webhook subscription',
        description:
          'Ends the subscription that the manage token belongs to, and forgets it. Deliveries that are\nwaiting are not sent.\n',
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
                examples: {
                  deleted: {
                    summary: 'Gone',
                    value: { data: { id: '5f0c2b0e-6f1d-4f0a-8a55-6f1f0f5f7b21', deleted: true } },
                  },
                },
              },
            },
          },
          '401': { $ref: '#/components/responses/ManageTokenMissing' },
          '404': { $ref: '#/components/responses/SubscriptionNotFound' },
          '408': { $ref: '#/components/responses/RequestTimeout' },
          '414': { $ref: '#/components/responses/UriTooLong' },
          '429': { $ref: '#/components/responses/RateLimited' },
          '431': { $ref: '#/components/responses/HeadersTooLarge' },
          '500': { $ref: '#/components/responses/InternalError' },
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
          'Makes an API key. It is optional: everything works without one. The key is shown in this\nanswer and never again; store it, and send it as `Authorization: Bearer <key>`. A keyed\ncaller has budgets of its own, and higher ones. A key that is unknown, mistyped or revoked\nis served as anonymous: `RateLimit-Policy` shows which level was applied. To have a key\nrevoked, write to the studio from the `email` given here.\n',
        security: [{}],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/AgentKeyRequest' },
              examples: {
                labelled: {
                  summary: 'With a label',
                  value: { email: 'agent-owner@example.com', label: 'my booking agent' },
                },
              },
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
                examples: { key: { $ref: '#/components/examples/AgentKey' } },
              },
            },
          },
          '400': { $ref: '#/components/responses/InvalidRequest' },
          '408': { $ref: '#/components/responses/RequestTimeout' },
          '413': { $ref: '#/components/responses/PayloadTooLarge' },
          '414': { $ref: '#/components/responses/UriTooLong' },
          '415': { $ref: '#/components/responses/UnsupportedMediaType' },
          '429': { $ref: '#/components/responses/RateLimited' },
          '431': { $ref: '#/components/responses/HeadersTooLarge' },
          '500': { $ref: '#/components/responses/InternalError' },
          '503': { $ref: '#/components/responses/ServiceUnavailable' },
        },
      },
    },
    '/api/public/capabilities': {
      get: {
        operationId: 'getCapabilities',
        tags: ['Discovery'],
        summary: 'Read what the service can do, and its limits',
        description:
          'A versioned list of what the service can do, over which transports, with every limit as it\nis configured here and every error code. Read it once and plan with it; it is the same for\nevery caller, and changes only when the service does.\n',
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
                examples: { capabilities: { $ref: '#/components/examples/Capabilities' } },
              },
            },
          },
          '304': { $ref: '#/components/responses/NotModified' },
          '408': { $ref: '#/components/responses/RequestTimeout' },
          '414': { $ref: '#/components/responses/UriTooLong' },
          '429': { $ref: '#/components/responses/RateLimited' },
          '431': { $ref: '#/components/responses/HeadersTooLarge' },
          '500': { $ref: '#/components/responses/InternalError' },
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
          "The Model Context Protocol over Streamable HTTP, stateless and without credentials: one\nJSON-RPC 2.0 message per request, answered as JSON. Point any MCP client at this address.\nBoth eras of the protocol are served: revisions up to 2025-11-25 (`initialize`,\n`tools/list`, `tools/call`, `ping`) and 2026-07-28 (`server/discover`, `tools/list`,\n`tools/call`; the request's `_meta` and headers name the revision).\n\n**Tools**: `get_studio_info`, `list_open_times`, `hold_slot`, `get_booking_status`. Their\n`structuredContent` is the `data` of the REST operation of the same purpose. A refusal (the\nslot is taken, a limit is reached, an argument is wrong) is a result with `isError: true`\nwhose text is the error envelope. What is no proper request is a JSON-RPC error instead.\n\n**Limits**: `hold_slot` costs what `POST /api/public/holds` costs, everything else a read.\nOver the limit a tool call gets a result with `isError: true`, any other message a 429.\n\nBatches are refused with `-32600`. Notifications are accepted and answered 202. There is no\nstream to open and no session to delete: `GET` and `DELETE` answer 405. A browser page of\nanother origin gets 403, unless it is on localhost or the studio has allowed it.\n",
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/JsonRpcMessage' },
              examples: {
                callTool: {
                  summary: 'Call a tool',
                  value: {
                    jsonrpc: '2.0',
                    id: 1,
                    method: 'tools/call',
                    params: {
                      name: 'list_open_times',
                      arguments: { from: '2026-12-01', to: '2026-12-07' },
                    },
                  },
                },
                initialize: {
                  summary: 'Open a conversation of the 2025 era',
                  value: {
                    jsonrpc: '2.0',
                    id: 0,
                    method: 'initialize',
                    params: {
                      protocolVersion: '2025-11-25',
                      capabilities: {},
                      clientInfo: { name: 'example-client', version: '1.0.0' },
                    },
                  },
                },
              },
            },
          },
        },
        responses: {
          '200': {
            description:
              'The JSON-RPC response. Only `subscriptions/listen` is answered as a stream, which ends\nat once: the tools never change while the service runs.\n',
            headers: {
              'Cache-Control': { $ref: '#/components/headers/CacheControl' },
              'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
              RateLimit: { $ref: '#/components/headers/RateLimit' },
            },
            content: {
              'application/json': {
                schema: { $ref: '#/components/schemas/JsonRpcResponse' },
                examples: {
                  toolResult: {
                    summary: 'What a tool answered',
                    value: {
                      jsonrpc: '2.0',
                      id: 1,
                      result: {
                        content: [
                          {
                            type: 'text',
                            text: '{"timezone":"America/Los_Angeles","from":"2026-12-01","to":"2026-12-07","total_open":0,"days":[]}',
                          },
                        ],
                        structuredContent: {
                          timezone: 'America/Los_Angeles',
                          from: '2026-12-01',
                          to: '2026-12-07',
                          total_open: 0,
                          days: [],
                        },
                      },
                    },
                  },
                  unknownTool: {
                    summary: 'A JSON-RPC error',
                    value: {
                      jsonrpc: '2.0',
                      id: 1,
                      error: {
                        code: -32602,
                        message:
                          'Unknown tool. Known are: get_studio_info, list_open_times, hold_slot, get_booking_status.',
                      },
                    },
                  },
                },
              },
              'text/event-stream': {
                schema: {
                  type: 'string',
                  description: 'An acknowledgement and the end, as server-sent events.',
                },
              },
            },
          },
          '202': {
            description: 'The notification or response was accepted; there is nothing to answer.',
            headers: {
              'Cache-Control': { $ref: '#/components/headers/CacheControl' },
              'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
              RateLimit: { $ref: '#/components/headers/RateLimit' },
            },
          },
          '400': { $ref: '#/components/responses/InvalidJsonRpc' },
          '403': { $ref: '#/components/responses/Forbidden' },
          '404': { $ref: '#/components/responses/UnknownJsonRpcMethod' },
          '408': { $ref: '#/components/responses/RequestTimeout' },
          '413': { $ref: '#/components/responses/PayloadTooLarge' },
          '414': { $ref: '#/components/responses/UriTooLong' },
          '415': { $ref: '#/components/responses/UnsupportedMediaType' },
          '429': { $ref: '#/components/responses/RateLimited' },
          '431': { $ref: '#/components/responses/HeadersTooLarge' },
          '500': { $ref: '#/components/responses/InternalError' },
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
          "What an MCP client needs to know before it connects: the connector's name, its address and\nthe protocol revisions that it speaks (MCP Server Cards, SEP-2127). What the tools are is\nanswered by the connector itself. `/.well-known/ai-catalog.json` leads here.\n",
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
                examples: {
                  card: {
                    summary: "The card of a studio's connector",
                    value: {
                      $schema:
                        'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
                      name: 'com.example.book/booking',
                      title: 'Night Heron Tattoo',
                      description:
                        'Look the studio up, find open sessions, hold one for a person, and see it confirmed.',
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
            },
          },
          '408': { $ref: '#/components/responses/RequestTimeout' },
          '414': { $ref: '#/components/responses/UriTooLong' },
          '429': { $ref: '#/components/responses/RateLimited' },
          '431': { $ref: '#/components/responses/HeadersTooLarge' },
          '500': { $ref: '#/components/responses/InternalError' },
          '503': { $ref: '#/components/responses/ServiceUnavailable' },
        },
      },
    },
    '/api/public/openapi.json': {
      get: {
        operationId: 'getOpenapi',
        tags: ['Discovery'],
        summary: 'Read this description',
        description:
          "This OpenAPI 3.1 document, with `servers` naming the service's public address.",
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
                  description: 'An OpenAPI 3.1 document.',
                  required: ['openapi', 'info', 'servers', 'paths'],
                  properties: {
                    openapi: { type: 'string', description: 'The OpenAPI version.' },
                    info: { type: 'object', description: 'Title and interface version.' },
                    servers: {
                      type: 'array',
                      description: 'The public address.',
                      items: { type: 'object' },
                    },
                    paths: { type: 'object', description: 'The operations.' },
                  },
                },
                examples: {
                  beginning: {
                    summary: 'How it begins, without its operations',
                    value: {
                      openapi: '3.1.0',
                      info: { title: 'Tattoo Studio Booking', version: '2.0.0' },
                      servers: [{ url: 'https://book.example.com' }],
                      paths: {},
                    },
                  },
                },
              },
            },
          },
          '304': { $ref: '#/components/responses/NotModified' },
          '408': { $ref: '#/components/responses/RequestTimeout' },
          '414': { $ref: '#/components/responses/UriTooLong' },
          '429': { $ref: '#/components/responses/RateLimited' },
          '431': { $ref: '#/components/responses/HeadersTooLarge' },
          '500': { $ref: '#/components/responses/InternalError' },
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
          'One event, signed by Standard Webhooks 1.0.0: `webhook-id`, `webhook-timestamp` and\n`webhook-signature: v1,<base64>`, an HMAC-SHA256 over `id.timestamp.body` under the 32 bytes\nthat `signing_secret` holds after `whsec_` in base64. Verify on the bytes as they came, and\ndeduplicate by `webhook-id`.\n',
        security: [],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/WebhookEvent' },
              examples: { confirmed: { $ref: '#/components/examples/WebhookEvent' } },
            },
          },
        },
        responses: {
          '200': {
            description: 'Delivered. Any 2xx within 15 seconds counts; the body is ignored.',
          },
          '410': {
            description:
              'Disables the subscription at once. Everything else that is not 2xx is tried again.',
          },
        },
      },
    },
  },
  components: {
    schemas: {
      CalendarDate: {
        type: 'string',
        format: 'date',
        description:
          "A date that exists in the calendar, `YYYY-MM-DD`, in the studio's time zone. The calendar has no\nyear 0000.\n",
        pattern: '^\\d{4}-\\d{2}-\\d{2}$',
        examples: ['2026-12-01'],
      },
      TimeSlot: {
        type: 'string',
        description: "One of the three session times, on the studio's wall clock.",
        enum: ['9:00 AM', '1:00 PM', '5:00 PM'],
      },
      Weekday: {
        type: 'string',
        description: 'A day of the week.',
        enum: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
      },
      BookingStatus: {
        type: 'string',
        description:
          '`pending`: held until `expires_at`, waiting for the person. `confirmed`: the person (or the\nstudio) locked it in. `expired`: nobody did in time (final). `cancelled`: given up by the person or the\nstudio (final).\n',
        enum: ['pending', 'confirmed', 'expired', 'cancelled'],
      },
      Instant: {
        type: 'string',
        format: 'date-time',
        description: 'An instant in UTC, RFC 3339.',
        examples: ['2026-11-21T18:00:00.000Z'],
      },
      NullableInstant: {
        type: ['string', 'null'],
        format: 'date-time',
        description: 'An instant in UTC, RFC 3339; null where it has not happened.',
        examples: [null],
      },
      StartsAt: {
        type: 'string',
        format: 'date-time',
        description: "When the session starts, RFC 3339 with the studio's own UTC offset.",
        examples: ['2026-12-01T09:00:00-08:00'],
      },
      Studio: {
        type: 'object',
        additionalProperties: false,
        description: 'The studio, as a person would ask about it.',
        required: [
          'name',
          'description',
          'timezone',
          'address',
          'contact',
          'hours',
          'session_times',
          'booking_flow',
        ],
        properties: {
          name: { type: 'string', description: "The studio's name." },
          description: { type: 'string', description: 'What the studio does, in a few sentences.' },
          timezone: {
            type: 'string',
            description: 'IANA time zone, such as `America/Los_Angeles`.',
          },
          address: { $ref: '#/components/schemas/Address' },
          contact: { $ref: '#/components/schemas/Contact' },
          hours: {
            type: 'array',
            description: 'The week, Monday first; seven rows.',
            minItems: 7,
            maxItems: 7,
            items: { $ref: '#/components/schemas/OpeningHours' },
          },
          session_times: {
            type: 'array',
            description: 'The three session times.',
            items: { $ref: '#/components/schemas/TimeSlot' },
          },
          booking_flow: { $ref: '#/components/schemas/BookingFlow' },
        },
      },
      Address: {
        type: 'object',
        additionalProperties: false,
        description: 'Where the studio is.',
        required: ['street', 'city', 'region', 'postal_code', 'country'],
        properties: {
          street: { type: 'string', description: 'Street and number.' },
          city: { type: 'string', description: 'City.' },
          region: { type: 'string', description: 'State or region.' },
          postal_code: { type: 'string', description: 'Postal code.' },
          country: {
            type: 'string',
            description: 'ISO 3166-1 alpha-2 country code, such as `US`.',
          },
        },
      },
      Contact: {
        type: 'object',
        additionalProperties: false,
        description: 'How to reach the studio.',
        required: ['email', 'phone', 'website'],
        properties: {
          email: { type: 'string', description: "The studio's e-mail address." },
          phone: { type: 'string', description: "The studio's telephone number." },
          website: { type: 'string', description: "The studio's website." },
        },
      },
      OpeningHours: {
        type: 'object',
        additionalProperties: false,
        description:
          'One day of the week; `opens` and `closes` are null when the studio is closed.',
        required: ['day', 'opens', 'closes'],
        properties: {
          day: { $ref: '#/components/schemas/Weekday' },
          opens: {
            type: ['string', 'null'],
            description: 'Opening time, 24 hours, `HH:MM`, or null.',
          },
          closes: {
            type: ['string', 'null'],
            description: 'Closing time, 24 hours, `HH:MM`, or null.',
          },
        },
      },
      BookingFlow: {
        type: 'object',
        additionalProperties: false,
        description: 'How a booking is made, and who does which step.',
        required: ['hold_minutes', 'payment_required', 'steps'],
        properties: {
          hold_minutes: { type: 'number', description: 'How long a hold lasts, in minutes.' },
          payment_required: {
            type: 'boolean',
            description: 'Whether the person pays. Booking is free.',
          },
          steps: {
            type: 'array',
            description: 'The steps, in order.',
            items: { $ref: '#/components/schemas/BookingStep' },
          },
        },
      },
      BookingStep: {
        type: 'object',
        additionalProperties: false,
        description: 'One step of a booking.',
        required: ['step', 'actor', 'title', 'description'],
        properties: {
          step: { type: 'integer', description: "The step's number, from 1." },
          actor: {
            type: 'string',
            description: 'Who does it; the agent never does a step of the end user.',
            enum: ['agent', 'end_user'],
          },
          title: { type: 'string', description: 'The step in a few words.' },
          description: { type: 'string', description: 'What to do.' },
        },
      },
      Availability: {
        type: 'object',
        additionalProperties: false,
        description: 'Open slots grouped by date.',
        required: ['timezone', 'from', 'to', 'total_open', 'days'],
        properties: {
          timezone: { type: 'string', description: "The studio's IANA time zone." },
          from: { $ref: '#/components/schemas/CalendarDate' },
          to: { $ref: '#/components/schemas/CalendarDate' },
          total_open: {
            type: 'integer',
            minimum: 0,
            description: 'How many slots are open in the range.',
          },
          days: {
            type: 'array',
            description: 'The dates with at least one open slot, in order.',
            items: { $ref: '#/components/schemas/AvailableDay' },
          },
        },
      },
      AvailableDay: {
        type: 'object',
        additionalProperties: false,
        description: 'One date with its open slots.',
        required: ['date', 'weekday', 'slots'],
        properties: {
          date: { $ref: '#/components/schemas/CalendarDate' },
          weekday: { $ref: '#/components/schemas/Weekday' },
          slots: {
            type: 'array',
            description: 'The open slots of the date, in order.',
            minItems: 1,
            items: { $ref: '#/components/schemas/OpenSlot' },
          },
        },
      },
      OpenSlot: {
        type: 'object',
        additionalProperties: false,
        description: 'One open slot.',
        required: ['time_slot', 'starts_at'],
        properties: {
          time_slot: { $ref: '#/components/schemas/TimeSlot' },
          starts_at: { $ref: '#/components/schemas/StartsAt' },
        },
      },
      LiveEvent: {
        description: 'One event of the live stream, with its `data` parsed.',
        oneOf: [
          { $ref: '#/components/schemas/AvailabilityEvent' },
          { $ref: '#/components/schemas/PulseEvent' },
          { $ref: '#/components/schemas/HeartbeatEvent' },
        ],
      },
      AvailabilityEvent: {
        type: 'object',
        additionalProperties: false,
        description: 'The open slots of today and the 30 days after.',
        required: ['event', 'id', 'data'],
        properties: {
          event: { type: 'string', enum: ['availability'], description: 'What `data` is.' },
          id: { type: 'string', description: 'Stands for the content of `data`.' },
          data: { $ref: '#/components/schemas/Availability' },
        },
      },
      PulseEvent: {
        type: 'object',
        additionalProperties: false,
        description: 'The studio in figures.',
        required: ['event', 'data'],
        properties: {
          event: { type: 'string', enum: ['pulse'], description: 'What `data` is.' },
          data: { $ref: '#/components/schemas/Pulse' },
        },
      },
      HeartbeatEvent: {
        type: 'object',
        additionalProperties: false,
        description: 'A sign of life.',
        required: ['event', 'data'],
        properties: {
          event: { type: 'string', enum: ['heartbeat'], description: 'What `data` is.' },
          data: { $ref: '#/components/schemas/Heartbeat' },
        },
      },
      Pulse: {
        type: 'object',
        additionalProperties: false,
        description: 'The studio in figures.',
        required: [
          'open_slots',
          'next_open',
          'pending_holds',
          'confirmed_upcoming',
          'viewers',
          'server_time',
        ],
        properties: {
          open_slots: {
            type: 'integer',
            minimum: 0,
            description: 'How many slots are open today and in the 30 days after.',
          },
          next_open: {
            description: 'The first open slot, however far ahead; null when none is open.',
            oneOf: [{ $ref: '#/components/schemas/Alternative' }, { type: 'null' }],
          },
          pending_holds: {
            type: 'integer',
            minimum: 0,
            description: 'How many holds wait for their person.',
          },
          confirmed_upcoming: {
            type: 'integer',
            minimum: 0,
            description: 'How many confirmed sessions have not started yet.',
          },
          viewers: {
            type: 'integer',
            minimum: 0,
            description: 'How many streams are open on the server that answers.',
          },
          server_time: { $ref: '#/components/schemas/Instant' },
        },
      },
      Heartbeat: {
        type: 'object',
        additionalProperties: false,
        description: 'A sign of life.',
        required: ['server_time'],
        properties: { server_time: { $ref: '#/components/schemas/Instant' } },
      },
      HoldRequest: {
        type: 'object',
        additionalProperties: false,
        description: 'Which slot to hold, and for whom.',
        required: ['date', 'time_slot', 'name', 'email', 'phone'],
        properties: {
          date: { $ref: '#/components/schemas/CalendarDate' },
          time_slot: { $ref: '#/components/schemas/TimeSlot' },
          name: {
            type: 'string',
            description:
              "The person's name; at least one character that can be seen, at most 120 characters.\n",
            minLength: 1,
            maxLength: 120,
            pattern: '^(?=\\s*\\S)[^\\u0000\\uD800-\\uDFFF]*$',
          },
          email: {
            type: 'string',
            format: 'email',
            description: "The person's e-mail address, at most 254 characters.",
            maxLength: 254,
            pattern: '^[^\\u0000\\uD800-\\uDFFF]*$',
          },
          phone: {
            type: 'string',
            description:
              'A US telephone number: ten digits. Spaces, dots, dashes, brackets and a leading `+1` or\n`1` are accepted and removed.\n',
            maxLength: 40,
            pattern: '^[ .()\\[\\]\\-]*(?:\\+?1[ .()\\[\\]\\-]*)?(?:[0-9][ .()\\[\\]\\-]*){10}$',
            examples: ['5555550142'],
          },
          pronouns: {
            type: ['string', 'null'],
            description: "The person's pronouns, at most 40 characters.",
            maxLength: 40,
            pattern: '^[^\\u0000\\uD800-\\uDFFF]*$',
          },
          idea: {
            type: ['string', 'null'],
            description: 'What the person has in mind, at most 2,000 characters.',
            maxLength: 2000,
            pattern: '^[^\\u0000\\uD800-\\uDFFF]*$',
          },
        },
      },
      Hold: {
        type: 'object',
        additionalProperties: false,
        description: 'A slot held for 15 minutes, and what to hand to the person.',
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
          id: { type: 'string', format: 'uuid', description: "The booking's id." },
          status: { type: 'string', enum: ['pending'], description: 'A new hold is pending.' },
          date: { $ref: '#/components/schemas/CalendarDate' },
          time_slot: { $ref: '#/components/schemas/TimeSlot' },
          starts_at: { $ref: '#/components/schemas/StartsAt' },
          timezone: { type: 'string', description: "The studio's IANA time zone." },
          label: { type: 'string', description: 'The slot, ready for a sentence.' },
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
        description: 'Everything needed to hand the last step to the person.',
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
          type: { type: 'string', enum: ['url'], description: 'The hand-off is a link.' },
          actor: { type: 'string', enum: ['end_user'], description: 'Who must act.' },
          required: {
            type: 'boolean',
            enum: [true],
            description: 'Without it there is no booking.',
          },
          url: {
            type: 'string',
            format: 'uri',
            description: 'The link for the person, as `checkout_url`.',
          },
          url_host: { type: 'string', description: "The link's host, to show where it leads." },
          message: { type: 'string', description: 'What to tell the person.' },
          agent_instructions: {
            type: 'array',
            description: 'What the agent does and does not do next.',
            items: { type: 'string' },
          },
          expires_at: { $ref: '#/components/schemas/Instant' },
          on_expiry: {
            type: 'string',
            enum: ['create_new_hold'],
            description: 'What to do when the hold has expired.',
          },
          status_url: {
            type: 'string',
            format: 'uri',
            description: "Where to read the booking's status.",
          },
          poll_interval_seconds: {
            type: 'integer',
            description: 'Do not read the status more often than this, in seconds.',
          },
        },
      },
      Booking: {
        type: 'object',
        additionalProperties: false,
        description: "A booking's status. It has no personal data.",
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
          id: { type: 'string', format: 'uuid', description: "The booking's id." },
          status: { $ref: '#/components/schemas/BookingStatus' },
          date: { $ref: '#/components/schemas/CalendarDate' },
          time_slot: { $ref: '#/components/schemas/TimeSlot' },
          starts_at: { $ref: '#/components/schemas/StartsAt' },
          timezone: { type: 'string', description: "The studio's IANA time zone." },
          label: { type: 'string', description: 'The slot, ready for a sentence.' },
          created_at: { $ref: '#/components/schemas/Instant' },
          expires_at: { $ref: '#/components/schemas/Instant' },
          confirmed_at: { $ref: '#/components/schemas/NullableInstant' },
          cancelled_at: { $ref: '#/components/schemas/NullableInstant' },
          expired_at: { $ref: '#/components/schemas/NullableInstant' },
        },
      },
      WebhookEventType: {
        type: 'string',
        description:
          '`hold.created`: a slot is held. `booking.confirmed`: the person locked it in.\n`hold.expired`: nobody did in time. A hold that the person lets go, and a booking that is\ncancelled or moved, send no event: read the booking to learn of it.\n',
        enum: ['hold.created', 'booking.confirmed', 'hold.expired'],
      },
      WebhookRequest: {
        type: 'object',
        additionalProperties: false,
        description: 'Where to send which events.',
        required: ['url'],
        properties: {
          url: {
            type: 'string',
            format: 'uri',
            description:
              'Where deliveries go: `https`, port 443 or 8443, without user name and password, on the\npublic internet. At most 2,048 characters. A service that runs on a loopback address,\nto be tried, also takes `http`, any port and private addresses.\n',
            maxLength: 2048,
            pattern: '^[^\\u0000\\uD800-\\uDFFF]*$',
          },
          events: {
            type: 'array',
            description: 'The kinds of events to send, each once; all three when left out.',
            minItems: 1,
            uniqueItems: true,
            items: { type: 'string', enum: ['hold.created', 'booking.confirmed', 'hold.expired'] },
          },
        },
      },
      WebhookStatus: {
        type: 'string',
        description:
          '`active`: events are delivered. `disabled`: nothing is sent any more, see `disabled_reason`;\nsubscribe anew.\n',
        enum: ['active', 'disabled'],
      },
      CreatedWebhook: {
        type: 'object',
        additionalProperties: false,
        description: 'A new subscription, with the two secrets that are shown only here.',
        required: ['id', 'url', 'events', 'status', 'created_at', 'signing_secret', 'manage_token'],
        properties: {
          id: { type: 'string', format: 'uuid', description: "The subscription's id." },
          url: { type: 'string', format: 'uri', description: 'Where deliveries go.' },
          events: {
            type: 'array',
            description: 'The kinds of events that are sent.',
            items: { $ref: '#/components/schemas/WebhookEventType' },
          },
          status: {
            type: 'string',
            enum: ['active'],
            description: 'A new subscription is active.',
          },
          created_at: { $ref: '#/components/schemas/Instant' },
          signing_secret: {
            type: 'string',
            description:
              'The secret to verify deliveries with: `whsec_` and the base64 of 32 random bytes. Shown\nonly here.\n',
            pattern: '^whsec_[A-Za-z0-9+/]{43}=$',
          },
          manage_token: {
            type: 'string',
            description:
              'The bearer token for `GET` and `DELETE /api/public/webhooks`. Shown only here.\n',
            pattern: '^tsm_[0-9A-Za-z]{38}$',
          },
        },
      },
      Webhook: {
        type: 'object',
        additionalProperties: false,
        description: 'A subscription and its last deliveries.',
        required: [
          'id',
          'url',
          'events',
          'status',
          'disabled_reason',
          'created_at',
          'recent_deliveries',
        ],
        properties: {
          id: { type: 'string', format: 'uuid', description: "The subscription's id." },
          url: { type: 'string', format: 'uri', description: 'Where deliveries go.' },
          events: {
            type: 'array',
            description: 'The kinds of events that are sent.',
            items: { $ref: '#/components/schemas/WebhookEventType' },
          },
          status: { $ref: '#/components/schemas/WebhookStatus' },
          disabled_reason: {
            type: ['string', 'null'],
            description:
              'Null while active. `gone`: the receiver answered 410. `never_succeeded`: 24 hours without\na first success. `failing`: five days of nothing but failures. `studio`: the studio\ndisabled it; ask by e-mail. `secret_lost`: the studio lost its signing secret.\n',
            enum: ['gone', 'never_succeeded', 'failing', 'studio', 'secret_lost', null],
          },
          created_at: { $ref: '#/components/schemas/Instant' },
          recent_deliveries: {
            type: 'array',
            description: 'The last 20 deliveries, newest first.',
            maxItems: 20,
            items: { $ref: '#/components/schemas/WebhookDelivery' },
          },
        },
      },
      WebhookDelivery: {
        type: 'object',
        additionalProperties: false,
        description: 'One event on its way to a subscription.',
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
          event_id: {
            type: 'string',
            format: 'uuid',
            description: 'The event, as `webhook-id` names it.',
          },
          type: { $ref: '#/components/schemas/WebhookEventType' },
          status: {
            type: 'string',
            enum: ['pending', 'delivered', 'failed'],
            description:
              '`pending`: waiting for its first or its next attempt. `delivered`: the receiver answered\n2xx. `failed`: no attempts are left, or the subscription was disabled.\n',
          },
          attempts: { type: 'integer', minimum: 0, description: 'How often it was tried.' },
          last_status_code: {
            type: ['integer', 'null'],
            description: 'What the receiver answered last; null when it never answered.',
          },
          last_attempt_at: { $ref: '#/components/schemas/NullableInstant' },
          next_attempt_at: { $ref: '#/components/schemas/NullableInstant' },
        },
      },
      DeletedWebhook: {
        type: 'object',
        additionalProperties: false,
        description: 'Which subscription was deleted.',
        required: ['id', 'deleted'],
        properties: {
          id: { type: 'string', format: 'uuid', description: 'The id that it had.' },
          deleted: { type: 'boolean', enum: [true], description: 'It is gone.' },
        },
      },
      WebhookEvent: {
        type: 'object',
        additionalProperties: false,
        description: 'The body of a delivery; every retry has the same bytes.',
        required: ['type', 'timestamp', 'data'],
        properties: {
          type: { $ref: '#/components/schemas/WebhookEventType' },
          timestamp: { $ref: '#/components/schemas/Instant' },
          data: { $ref: '#/components/schemas/Booking' },
        },
      },
      AgentKeyRequest: {
        type: 'object',
        additionalProperties: false,
        description: 'Whom an API key is for.',
        required: ['email'],
        properties: {
          email: {
            type: 'string',
            format: 'email',
            description: "Where the key's owner is reached, at most 254 characters.",
            maxLength: 254,
            pattern: '^[^\\u0000\\uD800-\\uDFFF]*$',
          },
          label: {
            type: ['string', 'null'],
            description: 'A name for the key, to tell it from others; at most 120 characters.',
            maxLength: 120,
            pattern: '^[^\\u0000\\uD800-\\uDFFF]*$',
          },
        },
      },
      AgentKey: {
        type: 'object',
        additionalProperties: false,
        description: 'A new API key.',
        required: ['id', 'key', 'label', 'created_at', 'limits', 'notice'],
        properties: {
          id: { type: 'string', format: 'uuid', description: "The key's id; it is no secret." },
          key: {
            type: 'string',
            description:
              'The key itself: send it as `Authorization: Bearer <key>`. Shown only here.',
            pattern: '^tsk_[0-9A-Za-z]{38}$',
          },
          label: { type: ['string', 'null'], description: 'The label that was given.' },
          created_at: { $ref: '#/components/schemas/Instant' },
          limits: { $ref: '#/components/schemas/AgentKeyLimits' },
          notice: { type: 'string', description: 'What to do with the key now.' },
        },
      },
      AgentKeyLimits: {
        type: 'object',
        additionalProperties: false,
        description: 'The budgets of a keyed caller.',
        required: ['reads_per_minute', 'writes_per_hour'],
        properties: {
          reads_per_minute: { type: 'integer', minimum: 1, description: 'Reads in a minute.' },
          writes_per_hour: {
            type: 'integer',
            minimum: 1,
            description: 'Holds in an hour, and as many webhook subscriptions.',
          },
        },
      },
      Capabilities: {
        type: 'object',
        additionalProperties: false,
        description: 'What the service can do, and within which limits.',
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
          interface_version: {
            type: 'string',
            description:
              'The version of this interface, as `info.version` of the OpenAPI document.',
          },
          service: { type: 'string', description: "The service's name." },
          documentation_url: {
            type: 'string',
            format: 'uri',
            description: 'The documentation for people.',
          },
          transports: { $ref: '#/components/schemas/Transports' },
          capabilities: {
            type: 'array',
            description: 'What can be done, and by which operations and tools.',
            items: { $ref: '#/components/schemas/Capability' },
          },
          limits: { $ref: '#/components/schemas/Limits' },
          webhooks: { $ref: '#/components/schemas/WebhookFacts' },
          idempotency: { $ref: '#/components/schemas/IdempotencyFacts' },
          errors: {
            type: 'array',
            description: 'Every error code that an answer may carry.',
            items: { $ref: '#/components/schemas/ErrorFacts' },
          },
          human_confirmation: { $ref: '#/components/schemas/HumanConfirmation' },
          compatibility: { $ref: '#/components/schemas/CompatibilityFacts' },
        },
      },
      Transports: {
        type: 'object',
        additionalProperties: false,
        description: 'The ways to reach the service; all have the same functions.',
        required: ['rest', 'mcp', 'sse'],
        properties: {
          rest: {
            type: 'object',
            additionalProperties: false,
            description: 'HTTP and JSON.',
            required: ['base_url', 'openapi_url'],
            properties: {
              base_url: {
                type: 'string',
                format: 'uri',
                description: 'What every path is appended to.',
              },
              openapi_url: { type: 'string', format: 'uri', description: 'The OpenAPI document.' },
            },
          },
          mcp: {
            type: 'object',
            additionalProperties: false,
            description: 'The Model Context Protocol over Streamable HTTP.',
            required: ['url', 'protocol_versions'],
            properties: {
              url: { type: 'string', format: 'uri', description: "The connector's address." },
              protocol_versions: {
                type: 'array',
                description: 'The protocol revisions that it speaks, newest first.',
                items: { type: 'string' },
              },
            },
          },
          sse: {
            type: 'object',
            additionalProperties: false,
            description: 'The live stream, as server-sent events.',
            required: ['url', 'events'],
            properties: {
              url: { type: 'string', format: 'uri', description: "The stream's address." },
              events: {
                type: 'array',
                description: 'The kinds of events on the stream.',
                items: { type: 'string' },
              },
            },
          },
        },
      },
      Capability: {
        type: 'object',
        additionalProperties: false,
        description: 'One thing that the service can do.',
        required: ['name', 'version', 'description', 'operations', 'tools'],
        properties: {
          name: { type: 'string', description: "The capability's name." },
          version: {
            type: 'string',
            description: 'Its version; a consumer of `2.x` can use every `2.y`.',
          },
          description: { type: 'string', description: 'What it is for.' },
          operations: {
            type: 'array',
            description: 'The `operationId`s of the OpenAPI document that belong to it.',
            items: { type: 'string' },
          },
          tools: {
            type: 'array',
            description: 'The MCP tools of the same purpose.',
            items: { type: 'string' },
          },
        },
      },
      PlatformLimits: {
        type: 'object',
        additionalProperties: false,
        description:
          'Hosted assistants call for many people from a few addresses. From addresses that the studio\nhas listed as a platform\'s, each figure that is counted per caller counts per person, where a\ntool call says who the person is (`_meta["openai/subject"]`); these count all people of the\nplatform together, unless the studio has given it others.\n',
        required: ['reads_per_minute', 'holds_per_hour', 'max_pending_holds', 'max_live_bookings'],
        properties: {
          reads_per_minute: { type: 'integer', description: 'Reads of all its people.' },
          holds_per_hour: { type: 'integer', description: 'Holds of all its people.' },
          max_pending_holds: {
            type: 'integer',
            description: 'Its pending holds, a share of `max_pending_holds`.',
          },
          max_live_bookings: {
            type: 'integer',
            description:
              'Its bookings that are pending, or confirmed and not over, and were placed within 24 hours.\n',
          },
        },
      },
      Limits: {
        type: 'object',
        additionalProperties: false,
        description: 'Every figure to plan with, as configured here.',
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
          'max_webhooks_per_address',
          'max_webhooks_per_host',
          'max_webhooks',
          'max_body_bytes',
          'max_lengths',
        ],
        properties: {
          budgets: {
            type: 'array',
            description: 'How many requests a window of time holds.',
            items: { $ref: '#/components/schemas/Budget' },
          },
          hold_lifetime_seconds: { type: 'integer', description: 'How long a hold lasts.' },
          max_pending_holds: {
            type: 'integer',
            description: 'Pending holds of the whole studio; beyond it, 503.',
          },
          max_pending_holds_per_caller: {
            type: 'integer',
            description: 'Pending holds of one caller, by API key and by address; beyond it, 503.',
          },
          max_live_bookings_per_person: {
            type: 'integer',
            description:
              'Bookings of one person that are pending, or confirmed and not over, by `email` (in lower\ncase, without a `+tag`) and by `phone`; beyond it, 429.\n',
          },
          max_live_bookings_per_caller: {
            type: 'integer',
            description:
              'Bookings that are pending, or confirmed and not over, and that one caller placed within\n24 hours, by API key and by address (IPv6 by /48); beyond it, 429.\n',
          },
          platform: { $ref: '#/components/schemas/PlatformLimits' },
          min_notice_minutes: {
            type: 'integer',
            description: 'How far ahead a session must be held.',
          },
          booking_horizon_days: {
            type: 'integer',
            description: 'How far ahead sessions can be held.',
          },
          availability_range_days: {
            type: 'integer',
            description: 'How many days `to` may be after `from`.',
          },
          max_alternatives: {
            type: 'integer',
            description: 'How many open slots `slot_unavailable` offers.',
          },
          max_wait_seconds: {
            type: 'integer',
            description: 'The longest `Prefer: wait=N` on `GET /api/public/bookings/{id}`.',
          },
          max_waits_per_caller: {
            type: 'integer',
            description: 'How many such waits one caller may have at once.',
          },
          max_streams_per_address: {
            type: 'integer',
            description: 'How many live streams one address may have open.',
          },
          max_webhooks_per_address: {
            type: 'integer',
            description: 'How many live webhook subscriptions one address may have.',
          },
          max_webhooks_per_host: {
            type: 'integer',
            description: 'How many live webhook subscriptions may have one host as their target.',
          },
          max_webhooks: {
            type: 'integer',
            description: 'How many live webhook subscriptions there may be in all.',
          },
          max_body_bytes: { type: 'integer', description: 'The largest request body.' },
          max_lengths: {
            type: 'object',
            description: 'The longest text of each member of a hold request, in characters.',
            additionalProperties: { type: 'integer' },
          },
        },
      },
      Budget: {
        type: 'object',
        additionalProperties: false,
        description: 'How many requests a window of time holds.',
        required: ['name', 'window_seconds', 'anonymous', 'keyed', 'counted_per', 'operations'],
        properties: {
          name: { type: 'string', description: 'As in `RateLimit-Policy`.' },
          window_seconds: { type: 'integer', description: "The window's length." },
          anonymous: { type: 'integer', description: 'Requests per window without an API key.' },
          keyed: { type: 'integer', description: 'Requests per window with an API key.' },
          counted_per: {
            type: 'string',
            enum: ['caller', 'address'],
            description:
              '`caller`: the API key, or the address of an anonymous caller (IPv6 by /64). `address`:\nalways the address.\n',
          },
          operations: {
            type: 'array',
            description:
              'The operations that are charged to it; `reads` is charged for all others, and `pages` for\nwhat is outside the interface, such as `/guide.md`.\n',
            items: { type: 'string' },
          },
        },
      },
      WebhookFacts: {
        type: 'object',
        additionalProperties: false,
        description: 'How events are delivered.',
        required: ['events', 'signature', 'retry_schedule_seconds'],
        properties: {
          events: {
            type: 'array',
            description: 'The kinds of events that can be subscribed to.',
            items: { type: 'string' },
          },
          signature: { type: 'string', description: 'How a delivery is signed.' },
          retry_schedule_seconds: {
            type: 'array',
            description: 'After how many seconds a failed delivery is tried again, each time.',
            items: { type: 'integer' },
          },
        },
      },
      IdempotencyFacts: {
        type: 'object',
        additionalProperties: false,
        description: 'How to repeat a request without doing it twice.',
        required: ['header', 'tool_argument', 'operations', 'max_length', 'replay_header'],
        properties: {
          header: { type: 'string', description: 'The request header that carries the key.' },
          tool_argument: { type: 'string', description: 'The tool argument that carries it.' },
          operations: {
            type: 'array',
            description: 'The operations that honour it.',
            items: { type: 'string' },
          },
          max_length: { type: 'integer', description: 'The longest key.' },
          replay_header: {
            type: 'string',
            description: 'The header that marks a replayed answer.',
          },
        },
      },
      ErrorFacts: {
        type: 'object',
        additionalProperties: false,
        description: 'One error code.',
        required: ['code', 'status', 'retryable'],
        properties: {
          code: { $ref: '#/components/schemas/ErrorCode' },
          status: { type: 'integer', description: 'The HTTP status that it comes with.' },
          retryable: {
            type: 'boolean',
            description: 'Whether the same request may succeed later.',
          },
        },
      },
      HumanConfirmation: {
        type: 'object',
        additionalProperties: false,
        description: 'What only the person may do.',
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
          required: { type: 'boolean', description: 'Whether a booking needs it.' },
          actor: { type: 'string', enum: ['end_user'], description: 'Who confirms.' },
          proof: {
            type: 'string',
            enum: ['link', 'code'],
            description:
              'What confirming takes: `link`, that the person has the link; `code`, also six digits that are mailed to the `email` of the hold when the person asks for them on the page.',
          },
          operation: { type: 'string', description: 'The operation whose answer has the link.' },
          tool: { type: 'string', description: 'The tool whose answer has the link.' },
          url_member: { type: 'string', description: 'The member that has the link.' },
          hold_lifetime_seconds: { type: 'integer', description: 'How long the person has.' },
          description: { type: 'string', description: 'The rule, in words.' },
        },
      },
      CompatibilityFacts: {
        type: 'object',
        additionalProperties: false,
        description: 'What consumers may rely on, and how the end of something is announced.',
        required: ['stable_within', 'additions', 'policy_url', 'deprecation'],
        properties: {
          stable_within: {
            type: 'string',
            description: 'The versions in which whatever works now goes on working, such as `2.x`.',
          },
          additions: {
            type: 'array',
            description: 'What may be added in these versions; consumers tolerate it.',
            items: { type: 'string' },
          },
          policy_url: { type: 'string', format: 'uri', description: 'The policy, in words.' },
          deprecation: { $ref: '#/components/schemas/DeprecationFacts' },
        },
      },
      DeprecationFacts: {
        type: 'object',
        additionalProperties: false,
        description: 'How the end of an operation is announced.',
        required: ['headers', 'notice_days'],
        properties: {
          headers: {
            type: 'array',
            description: 'The headers of its answers that tell since when, and until when.',
            items: { type: 'string' },
          },
          notice_days: { type: 'integer', description: 'How many days before the end, at least.' },
        },
      },
      JsonRpcMessage: {
        description: 'One JSON-RPC 2.0 message, as MCP clients send it. No batches.',
        oneOf: [
          { $ref: '#/components/schemas/JsonRpcRequest' },
          { $ref: '#/components/schemas/JsonRpcNotification' },
          { $ref: '#/components/schemas/JsonRpcResponse' },
        ],
      },
      JsonRpcRequest: {
        type: 'object',
        additionalProperties: false,
        description: 'A request; it is answered.',
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
        description: 'A notification; it is accepted and not answered.',
        required: ['jsonrpc', 'method'],
        properties: {
          jsonrpc: { $ref: '#/components/schemas/JsonRpcVersion' },
          method: { $ref: '#/components/schemas/JsonRpcMethod' },
          params: { $ref: '#/components/schemas/JsonRpcParams' },
        },
      },
      JsonRpcResponse: {
        description: 'A response; either a result or an error.',
        oneOf: [
          { $ref: '#/components/schemas/JsonRpcResult' },
          { $ref: '#/components/schemas/JsonRpcFailure' },
        ],
      },
      JsonRpcResult: {
        type: 'object',
        additionalProperties: false,
        description: 'The response to a request that was understood.',
        required: ['jsonrpc', 'id', 'result'],
        properties: {
          jsonrpc: { $ref: '#/components/schemas/JsonRpcVersion' },
          id: { $ref: '#/components/schemas/JsonRpcId' },
          result: { type: 'object', description: 'What the method answers, as MCP defines it.' },
        },
      },
      JsonRpcFailure: {
        type: 'object',
        additionalProperties: false,
        description: 'The response to what was no proper request.',
        required: ['jsonrpc', 'id', 'error'],
        properties: {
          jsonrpc: { $ref: '#/components/schemas/JsonRpcVersion' },
          id: {
            type: ['string', 'number', 'null'],
            description: "The request's id; null where none could be read.",
            pattern: '^[^\\u0000\\uD800-\\uDFFF]*$',
            examples: [1],
          },
          error: { $ref: '#/components/schemas/JsonRpcError' },
        },
      },
      JsonRpcError: {
        type: 'object',
        additionalProperties: false,
        description: 'Why there is no result.',
        required: ['code', 'message'],
        properties: {
          code: {
            type: 'integer',
            description:
              '`-32700` no JSON, `-32600` no JSON-RPC message or a batch, `-32601` unknown method,\n`-32602` wrong params or an unknown tool, `-32022` a protocol revision that is not\nserved, `-32020` headers that contradict the message.\n',
          },
          message: {
            type: 'string',
            description: 'What was wrong and what to do next.',
            pattern: '^[^\\u0000\\uD800-\\uDFFF]*$',
          },
          data: { description: 'More, for programs, such as the revisions that are served.' },
        },
      },
      JsonRpcVersion: { type: 'string', description: 'Always `2.0`.', enum: ['2.0'] },
      JsonRpcId: {
        type: ['string', 'number'],
        description: 'Chosen by the client; the response has the same.',
        pattern: '^[^\\u0000\\uD800-\\uDFFF]*$',
        examples: [1],
      },
      JsonRpcMethod: {
        type: 'string',
        description: 'The MCP method, such as `tools/call`.',
        pattern: '^[^\\u0000\\uD800-\\uDFFF]*$',
        examples: ['tools/list'],
      },
      JsonRpcParams: { type: 'object', description: "The method's parameters, by name." },
      ServerCard: {
        type: 'object',
        additionalProperties: false,
        description:
          'An MCP Server Card (SEP-2127). It names the connector and says how to reach it.',
        required: ['$schema', 'name', 'title', 'description', 'version', 'websiteUrl', 'remotes'],
        properties: {
          $schema: { type: 'string', format: 'uri', description: 'The schema of server cards.' },
          name: { type: 'string', description: "The connector's name, in reverse-DNS form." },
          title: { type: 'string', description: 'The name to show.' },
          description: {
            type: 'string',
            maxLength: 100,
            description: 'What it does, in a sentence.',
          },
          version: { type: 'string', description: 'The interface version.' },
          websiteUrl: { type: 'string', format: 'uri', description: 'Where the documentation is.' },
          remotes: {
            type: 'array',
            description: 'Where to connect.',
            items: { $ref: '#/components/schemas/ServerCardRemote' },
          },
        },
      },
      ServerCardRemote: {
        type: 'object',
        additionalProperties: false,
        description: 'One address of the connector.',
        required: ['type', 'url', 'supportedProtocolVersions'],
        properties: {
          type: { type: 'string', enum: ['streamable-http'], description: 'The transport.' },
          url: { type: 'string', format: 'uri', description: 'The address to connect to.' },
          supportedProtocolVersions: {
            type: 'array',
            description: 'The protocol revisions that it speaks, newest first.',
            items: { type: 'string' },
          },
        },
      },
      ErrorCode: {
        type: 'string',
        description:
          'What went wrong, for programs. New codes may be added: treat one that you do not know by its\nstatus.\n',
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
      ErrorResponse: {
        type: 'object',
        additionalProperties: false,
        description: 'The shape of every failure.',
        required: ['error'],
        properties: { error: { $ref: '#/components/schemas/Error' } },
      },
      Error: {
        type: 'object',
        additionalProperties: false,
        description: 'What was wrong, and what to do next.',
        required: ['code', 'message', 'request_id'],
        properties: {
          code: { $ref: '#/components/schemas/ErrorCode' },
          message: { type: 'string', description: 'What was wrong and what to do next.' },
          request_id: {
            type: 'string',
            description: 'Name it when you ask the studio about a failure.',
          },
          details: {
            type: 'array',
            description: 'On `invalid_request`, each member that was wrong.',
            items: { $ref: '#/components/schemas/ErrorDetail' },
          },
          alternatives: {
            type: 'array',
            description: 'On `slot_unavailable`, up to five open slots near the one asked for.',
            maxItems: 5,
            items: { $ref: '#/components/schemas/Alternative' },
          },
          retry_after_seconds: {
            type: 'integer',
            minimum: 1,
            description: 'On 429 and 503, after how many seconds to try again; as `Retry-After`.',
          },
        },
      },
      ErrorDetail: {
        type: 'object',
        additionalProperties: false,
        description: 'One member that was wrong.',
        required: ['path', 'message'],
        properties: {
          path: {
            type: 'string',
            description: 'Which member, such as `body.email` or `query.from`.',
          },
          message: { type: 'string', description: 'What was wrong with it.' },
        },
      },
      Alternative: {
        type: 'object',
        additionalProperties: false,
        description: 'An open slot that can be held.',
        required: ['date', 'time_slot', 'starts_at', 'label'],
        properties: {
          date: { $ref: '#/components/schemas/CalendarDate' },
          time_slot: { $ref: '#/components/schemas/TimeSlot' },
          starts_at: { $ref: '#/components/schemas/StartsAt' },
          label: { type: 'string', description: 'The slot, ready for a sentence.' },
        },
      },
    },
    parameters: {
      IfNoneMatch: {
        name: 'If-None-Match',
        in: 'header',
        required: false,
        description: 'The `ETag` of the answer that you have; if it is still the same you get 304.',
        schema: { type: 'string', pattern: '^[\\t\\x20-\\x7e\\x80-\\xff]*$' },
        example: '"u0qBvRZ2Zk9cS1mM4yQw3A"',
      },
    },
    headers: {
      ETag: {
        description:
          'Names these bytes. Send it as `If-None-Match` to get 304 while they are the same.',
        required: true,
        schema: { type: 'string', pattern: '^"[\\x21\\x23-\\x7e]+"$' },
        example: '"u0qBvRZ2Zk9cS1mM4yQw3A"',
      },
      RateLimitPolicy: {
        description:
          'The budget that the request was charged to: how many requests (`q`) a window of `w`\nseconds holds. `reads`, `holds`, `agent-keys` or `webhooks`; `platform-reads` or\n`platform-holds` where less is left to a platform as a whole than to its person.\n',
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
      CacheControl: {
        description: 'How long the answer may be kept.',
        required: true,
        schema: { type: 'string' },
      },
      RetryAfter: {
        description: 'After how many whole seconds to try again.',
        required: true,
        schema: { type: 'integer', minimum: 1 },
      },
    },
    responses: {
      NotModified: {
        description: 'What you have is still the same; there is no body.',
        headers: {
          ETag: { $ref: '#/components/headers/ETag' },
          'Cache-Control': { $ref: '#/components/headers/CacheControl' },
          'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
          RateLimit: { $ref: '#/components/headers/RateLimit' },
        },
      },
      InvalidRequest: {
        description: 'The request is not of the documented form; `details` names each member.',
        headers: {
          'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
          RateLimit: { $ref: '#/components/headers/RateLimit' },
        },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/ErrorResponse' },
            examples: { invalidRequest: { $ref: '#/components/examples/InvalidRequest' } },
          },
        },
      },
      InvalidHold: {
        description:
          'The request is not of the documented form (`invalid_request`), or its `Idempotency-Key` was\nused before with another request (`idempotency_key_reused`).\n',
        headers: {
          'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
          RateLimit: { $ref: '#/components/headers/RateLimit' },
        },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/ErrorResponse' },
            examples: {
              invalidRequest: { $ref: '#/components/examples/InvalidRequest' },
              idempotencyKeyReused: { $ref: '#/components/examples/IdempotencyKeyReused' },
            },
          },
        },
      },
      InvalidWebhook: {
        description:
          'The request is not of the documented form, or deliveries may not go to its `url`; `details`\nsays why.\n',
        headers: {
          'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
          RateLimit: { $ref: '#/components/headers/RateLimit' },
        },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/ErrorResponse' },
            examples: { invalidWebhook: { $ref: '#/components/examples/InvalidWebhook' } },
          },
        },
      },
      ManageTokenRefused: {
        description:
          'The request has no manage token (`manage_token_missing`), or none that belongs to a\nsubscription (`manage_token_invalid`).\n',
        headers: {
          'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
          RateLimit: { $ref: '#/components/headers/RateLimit' },
        },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/ErrorResponse' },
            examples: {
              manageTokenMissing: { $ref: '#/components/examples/ManageTokenMissing' },
              manageTokenInvalid: { $ref: '#/components/examples/ManageTokenInvalid' },
            },
          },
        },
      },
      ManageTokenMissing: {
        description: 'The request has no manage token.',
        headers: {
          'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
          RateLimit: { $ref: '#/components/headers/RateLimit' },
        },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/ErrorResponse' },
            examples: { manageTokenMissing: { $ref: '#/components/examples/ManageTokenMissing' } },
          },
        },
      },
      SubscriptionNotFound: {
        description: 'The manage token belongs to no subscription, or it was deleted before.',
        headers: {
          'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
          RateLimit: { $ref: '#/components/headers/RateLimit' },
        },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/ErrorResponse' },
            examples: {
              subscriptionNotFound: { $ref: '#/components/examples/SubscriptionNotFound' },
            },
          },
        },
      },
      HoldsLimited: {
        description:
          'Your budget is used up, or there are too many live bookings: of the person (3, by `email` and\nby `phone`), or placed by you within 24 hours (12). `message` does not say whose.\n',
        headers: {
          'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
          RateLimit: { $ref: '#/components/headers/RateLimit' },
          'Retry-After': { $ref: '#/components/headers/RetryAfter' },
        },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/ErrorResponse' },
            examples: {
              tooManyLiveBookings: { $ref: '#/components/examples/TooManyLiveBookings' },
              rateLimited: { $ref: '#/components/examples/RateLimited' },
            },
          },
        },
      },
      WebhooksLimited: {
        description:
          'Your budget of new subscriptions is used up, or there are too many live ones: of your\naddress (10), for the target host (20), or in all (1,000). `message` says which.\n',
        headers: {
          'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
          RateLimit: { $ref: '#/components/headers/RateLimit' },
          'Retry-After': { $ref: '#/components/headers/RetryAfter' },
        },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/ErrorResponse' },
            examples: {
              tooManyWebhooks: { $ref: '#/components/examples/TooManyWebhooks' },
              rateLimited: { $ref: '#/components/examples/RateLimited' },
            },
          },
        },
      },
      InvalidJsonRpc: {
        description:
          'Not a JSON-RPC message (`-32700`, `-32600`), a protocol revision that is not served, or\nheaders that contradict the message.\n',
        headers: {
          'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
          RateLimit: { $ref: '#/components/headers/RateLimit' },
        },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/JsonRpcFailure' },
            examples: {
              parseError: { $ref: '#/components/examples/JsonRpcParseError' },
              batch: { $ref: '#/components/examples/JsonRpcBatch' },
            },
          },
        },
      },
      UnknownJsonRpcMethod: {
        description:
          'In revision 2026-07-28, a method that the connector does not have (`-32601`).',
        headers: {
          'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
          RateLimit: { $ref: '#/components/headers/RateLimit' },
        },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/JsonRpcFailure' },
            examples: { methodNotFound: { $ref: '#/components/examples/JsonRpcMethodNotFound' } },
          },
        },
      },
      Forbidden: {
        description: 'The request comes from a web page whose origin is not allowed here.',
        headers: {
          'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
          RateLimit: { $ref: '#/components/headers/RateLimit' },
        },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/ErrorResponse' },
            examples: { forbidden: { $ref: '#/components/examples/Forbidden' } },
          },
        },
      },
      BookingNotFound: {
        description: 'No booking has this id.',
        headers: {
          'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
          RateLimit: { $ref: '#/components/headers/RateLimit' },
        },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/ErrorResponse' },
            examples: { bookingNotFound: { $ref: '#/components/examples/BookingNotFound' } },
          },
        },
      },
      RequestTimeout: {
        description: 'The request did not arrive in time.',
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/ErrorResponse' },
            examples: { requestTimeout: { $ref: '#/components/examples/RequestTimeout' } },
          },
        },
      },
      SlotUnavailable: {
        description: 'The slot is not open. `message` says why; `alternatives` lists open slots.',
        headers: {
          'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
          RateLimit: { $ref: '#/components/headers/RateLimit' },
        },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/ErrorResponse' },
            examples: { slotUnavailable: { $ref: '#/components/examples/SlotUnavailable' } },
          },
        },
      },
      PayloadTooLarge: {
        description: 'The body is larger than the service reads.',
        headers: {
          'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
          RateLimit: { $ref: '#/components/headers/RateLimit' },
        },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/ErrorResponse' },
            examples: { payloadTooLarge: { $ref: '#/components/examples/PayloadTooLarge' } },
          },
        },
      },
      UriTooLong: {
        description: 'The address is longer than the service reads.',
        headers: {
          'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
          RateLimit: { $ref: '#/components/headers/RateLimit' },
        },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/ErrorResponse' },
            examples: { uriTooLong: { $ref: '#/components/examples/UriTooLong' } },
          },
        },
      },
      UnsupportedMediaType: {
        description: 'The body is not `application/json`.',
        headers: {
          'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
          RateLimit: { $ref: '#/components/headers/RateLimit' },
        },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/ErrorResponse' },
            examples: {
              unsupportedMediaType: { $ref: '#/components/examples/UnsupportedMediaType' },
            },
          },
        },
      },
      RateLimited: {
        description: 'Your budget is used up. Try again after `Retry-After` seconds.',
        headers: {
          'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
          RateLimit: { $ref: '#/components/headers/RateLimit' },
          'Retry-After': { $ref: '#/components/headers/RetryAfter' },
        },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/ErrorResponse' },
            examples: { rateLimited: { $ref: '#/components/examples/RateLimited' } },
          },
        },
      },
      HeadersTooLarge: {
        description: "The request's headers are larger than the service reads.",
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/ErrorResponse' },
            examples: { headersTooLarge: { $ref: '#/components/examples/HeadersTooLarge' } },
          },
        },
      },
      InternalError: {
        description: 'Something failed on our side. It is safe to try again.',
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/ErrorResponse' },
            examples: { internalError: { $ref: '#/components/examples/InternalError' } },
          },
        },
      },
      ServiceUnavailable: {
        description: 'The service cannot answer right now. Try again after `Retry-After` seconds.',
        headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/ErrorResponse' },
            examples: { serviceUnavailable: { $ref: '#/components/examples/ServiceUnavailable' } },
          },
        },
      },
      HoldsUnavailable: {
        description:
          'Too many holds wait for their people (`too_many_pending_holds`; `Retry-After` is when the\nnext one lapses), or the service cannot answer right now (`service_unavailable`).\n',
        headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/ErrorResponse' },
            examples: {
              tooManyPendingHolds: { $ref: '#/components/examples/TooManyPendingHolds' },
              serviceUnavailable: { $ref: '#/components/examples/ServiceUnavailable' },
            },
          },
        },
      },
    },
    examples: {
      Studio: {
        summary: 'A studio in Portland',
        value: {
          data: {
            name: 'Night Heron Tattoo',
            description:
              'A small custom studio for fine line, botanical and blackwork tattoos, one guest at a time.',
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
              { day: 'monday', opens: null, closes: null },
              { day: 'tuesday', opens: '09:00', closes: '20:00' },
              { day: 'wednesday', opens: '09:00', closes: '20:00' },
              { day: 'thursday', opens: '09:00', closes: '20:00' },
              { day: 'friday', opens: '09:00', closes: '20:00' },
              { day: 'saturday', opens: '09:00', closes: '20:00' },
              { day: 'sunday', opens: '12:00', closes: '17:00' },
            ],
            session_times: ['9:00 AM', '1:00 PM', '5:00 PM'],
            booking_flow: {
              hold_minutes: 15,
              payment_required: false,
              steps: [
                {
                  step: 1,
                  actor: 'agent',
                  title: 'Find an open time',
                  description:
                    'List open times with GET /api/public/availability and agree on one with the person.',
                },
                {
                  step: 2,
                  actor: 'agent',
                  title: 'Hold it',
                  description: 'Place a hold with POST /api/public/holds. It lasts 15 minutes.',
                },
                {
                  step: 3,
                  actor: 'end_user',
                  title: 'Lock it in',
                  description:
                    'The person opens the checkout link and confirms. The agent never does this step.',
                },
                {
                  step: 4,
                  actor: 'agent',
                  title: 'See that it is confirmed',
                  description:
                    'Read GET /api/public/bookings/{id} until the status is no longer pending.',
                },
              ],
            },
          },
        },
      },
      Availability: {
        summary: 'Two days with open slots',
        value: {
          data: {
            timezone: 'America/Los_Angeles',
            from: '2026-12-01',
            to: '2026-12-02',
            total_open: 3,
            days: [
              {
                date: '2026-12-01',
                weekday: 'tuesday',
                slots: [
                  { time_slot: '9:00 AM', starts_at: '2026-12-01T09:00:00-08:00' },
                  { time_slot: '5:00 PM', starts_at: '2026-12-01T17:00:00-08:00' },
                ],
              },
              {
                date: '2026-12-02',
                weekday: 'wednesday',
                slots: [{ time_slot: '1:00 PM', starts_at: '2026-12-02T13:00:00-08:00' }],
              },
            ],
          },
        },
      },
      Hold: {
        summary: 'A slot held until 18:15 UTC',
        value: {
          data: {
            id: '0b9b64f5-5d7e-4c0f-9d0c-1f5f6a3f2c11',
            status: 'pending',
            date: '2026-12-01',
            time_slot: '1:00 PM',
            starts_at: '2026-12-01T13:00:00-08:00',
            timezone: 'America/Los_Angeles',
            label: 'Tuesday, December 1, 2026 at 1:00 PM',
            created_at: '2026-11-21T18:00:00.000Z',
            expires_at: '2026-11-21T18:15:00.000Z',
            server_time: '2026-11-21T18:00:00.000Z',
            checkout_url:
              'https://book.example.com/checkout/3qFbVYk0S0yqg5rR8mDk4n0m1Zr0Yt6w2c8uXh5aB1E',
            handoff: {
              type: 'url',
              actor: 'end_user',
              required: true,
              url: 'https://book.example.com/checkout/3qFbVYk0S0yqg5rR8mDk4n0m1Zr0Yt6w2c8uXh5aB1E',
              url_host: 'book.example.com',
              message:
                'Your session on Tuesday, December 1, 2026 at 1:00 PM is held for you for 15 minutes. Open this link to lock it in; booking is free.',
              agent_instructions: [
                'Show the person the message and the link, and say that the hold ends at expires_at.',
                'Do not open the link and do not complete checkout. Only the person may confirm.',
                'Read status_url until status is confirmed, expired or cancelled.',
                'If it has expired, ask the person and place a new hold.',
              ],
              expires_at: '2026-11-21T18:15:00.000Z',
              on_expiry: 'create_new_hold',
              status_url:
                'https://book.example.com/api/public/bookings/0b9b64f5-5d7e-4c0f-9d0c-1f5f6a3f2c11',
              poll_interval_seconds: 5,
            },
          },
        },
      },
      Booking: {
        summary: 'A confirmed booking',
        value: {
          data: {
            id: '0b9b64f5-5d7e-4c0f-9d0c-1f5f6a3f2c11',
            status: 'confirmed',
            date: '2026-12-01',
            time_slot: '1:00 PM',
            starts_at: '2026-12-01T13:00:00-08:00',
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
      AvailabilityEvent: {
        summary: 'The open slots have changed',
        value: {
          event: 'availability',
          id: 'f3pWQ0kDvXJ0mC2a',
          data: {
            timezone: 'America/Los_Angeles',
            from: '2026-11-21',
            to: '2026-12-21',
            total_open: 1,
            days: [
              {
                date: '2026-12-01',
                weekday: 'tuesday',
                slots: [{ time_slot: '9:00 AM', starts_at: '2026-12-01T09:00:00-08:00' }],
              },
            ],
          },
        },
      },
      PulseEvent: {
        summary: 'A figure has changed',
        value: {
          event: 'pulse',
          data: {
            open_slots: 1,
            next_open: {
              date: '2026-12-01',
              time_slot: '9:00 AM',
              starts_at: '2026-12-01T09:00:00-08:00',
              label: 'Tuesday, December 1, 2026 at 9:00 AM',
            },
            pending_holds: 2,
            confirmed_upcoming: 11,
            viewers: 3,
            server_time: '2026-11-21T18:00:00.000Z',
          },
        },
      },
      HeartbeatEvent: {
        summary: 'Nothing has changed',
        value: { event: 'heartbeat', data: { server_time: '2026-11-21T18:00:09.000Z' } },
      },
      CreatedWebhook: {
        summary: 'A new subscription to all three kinds',
        value: {
          data: {
            id: '5f0c2b0e-6f1d-4f0a-8a55-6f1f0f5f7b21',
            url: 'https://agent.example.com/webhooks',
            events: ['hold.created', 'booking.confirmed', 'hold.expired'],
            status: 'active',
            created_at: '2026-11-21T18:00:00.000Z',
            signing_secret: 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
            manage_token: 'tsm_4mXq0ZsV1nR8bK2tY6wD3hJ7pL5cF9aG3oLmVL',
          },
        },
      },
      Webhook: {
        summary: 'A subscription that works',
        value: {
          data: {
            id: '5f0c2b0e-6f1d-4f0a-8a55-6f1f0f5f7b21',
            url: 'https://agent.example.com/webhooks',
            events: ['hold.created', 'booking.confirmed', 'hold.expired'],
            status: 'active',
            disabled_reason: null,
            created_at: '2026-11-21T18:00:00.000Z',
            recent_deliveries: [
              {
                event_id: '2f6d0f7c-3b1e-4d57-9a43-6c1d9e0b8a10',
                type: 'booking.confirmed',
                status: 'pending',
                attempts: 1,
                last_status_code: 503,
                last_attempt_at: '2026-11-21T18:03:12.431Z',
                next_attempt_at: '2026-11-21T18:03:17.512Z',
              },
              {
                event_id: '7c9d4f52-90a4-44b2-8f6b-0a5b7f6f3f6e',
                type: 'hold.created',
                status: 'delivered',
                attempts: 1,
                last_status_code: 204,
                last_attempt_at: '2026-11-21T18:00:00.021Z',
                next_attempt_at: null,
              },
            ],
          },
        },
      },
      DisabledWebhook: {
        summary: 'A subscription whose receiver answered 410',
        value: {
          data: {
            id: '5f0c2b0e-6f1d-4f0a-8a55-6f1f0f5f7b21',
            url: 'https://agent.example.com/webhooks',
            events: ['booking.confirmed'],
            status: 'disabled',
            disabled_reason: 'gone',
            created_at: '2026-11-21T18:00:00.000Z',
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
      WebhookEvent: {
        summary: 'A person has confirmed',
        value: {
          type: 'booking.confirmed',
          timestamp: '2026-11-21T18:03:12.417Z',
          data: {
            id: '0b9b64f5-5d7e-4c0f-9d0c-1f5f6a3f2c11',
            status: 'confirmed',
            date: '2026-12-01',
            time_slot: '1:00 PM',
            starts_at: '2026-12-01T13:00:00-08:00',
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
      InvalidWebhook: {
        summary: 'Deliveries may not go there',
        value: {
          error: {
            code: 'invalid_request',
            message:
              'The request is not valid: body.url must start with https://. Correct the members named in details and send it again.',
            request_id: '018f6f2e-7d5a-4c1e-9b43-0f2d6c1a7e55',
            details: [{ path: 'body.url', message: 'must start with https://' }],
          },
        },
      },
      ManageTokenMissing: {
        summary: 'No manage token',
        value: {
          error: {
            code: 'manage_token_missing',
            message:
              'Send the manage_token from the answer of POST /api/public/webhooks as "Authorization: Bearer <manage_token>".',
            request_id: '018f6f2e-7d5a-4c1e-9b43-0f2d6c1a7e55',
          },
        },
      },
      ManageTokenInvalid: {
        summary: 'No such subscription',
        value: {
          error: {
            code: 'manage_token_invalid',
            message:
              'This manage token belongs to no webhook subscription: it is mistyped, or the subscription was deleted. Subscribe anew with POST /api/public/webhooks.',
            request_id: '018f6f2e-7d5a-4c1e-9b43-0f2d6c1a7e55',
          },
        },
      },
      SubscriptionNotFound: {
        summary: 'Nothing to delete',
        value: {
          error: {
            code: 'subscription_not_found',
            message:
              'This manage token belongs to no webhook subscription. If it was deleted before, nothing is left to do.',
            request_id: '018f6f2e-7d5a-4c1e-9b43-0f2d6c1a7e55',
          },
        },
      },
      TooManyWebhooks: {
        summary: 'Too many live subscriptions',
        value: {
          error: {
            code: 'rate_limited',
            message:
              'Your address has 10 live webhook subscriptions already, the most it may have. Delete one (DELETE /api/public/webhooks with its manage token), then subscribe again.',
            request_id: '018f6f2e-7d5a-4c1e-9b43-0f2d6c1a7e55',
            retry_after_seconds: 3600,
          },
        },
      },
      AgentKey: {
        summary: 'A new key',
        value: {
          data: {
            id: '5d0c1a52-4a3c-4a53-9f2a-0f8f1a3d7c11',
            key: 'tsk_0000000000000000000000000000000EXAMPLE',
            label: 'my booking agent',
            created_at: '2026-11-21T18:00:00.000Z',
            limits: { reads_per_minute: 600, writes_per_hour: 30 },
            notice:
              'Store this key now: it is not shown again. Send it as "Authorization: Bearer <key>".',
          },
        },
      },
      Capabilities: {
        summary: 'The capabilities, shortened',
        value: {
          data: {
            interface_version: '2.0.0',
            service: 'Tattoo Studio Booking',
            documentation_url: 'https://book.example.com/docs',
            transports: {
              rest: {
                base_url: 'https://book.example.com',
                openapi_url: 'https://book.example.com/api/public/openapi.json',
              },
              mcp: {
                url: 'https://book.example.com/api/public/mcp',
                protocol_versions: ['2026-07-28', '2025-11-25'],
              },
              sse: {
                url: 'https://book.example.com/api/public/events',
                events: ['availability', 'pulse', 'heartbeat'],
              },
            },
            capabilities: [
              {
                name: 'bookings',
                version: '2.0.0',
                description: 'Hold a session for a person, and see what became of it.',
                operations: ['createHold', 'getBooking'],
                tools: ['hold_slot', 'get_booking_status'],
              },
            ],
            limits: {
              budgets: [
                {
                  name: 'reads',
                  window_seconds: 60,
                  anonymous: 60,
                  keyed: 600,
                  counted_per: 'caller',
                  operations: [],
                },
                {
                  name: 'holds',
                  window_seconds: 3600,
                  anonymous: 5,
                  keyed: 30,
                  counted_per: 'caller',
                  operations: ['createHold'],
                },
              ],
              hold_lifetime_seconds: 900,
              max_pending_holds: 30,
              max_pending_holds_per_caller: 10,
              max_live_bookings_per_person: 3,
              max_live_bookings_per_caller: 12,
              platform: {
                reads_per_minute: 6000,
                holds_per_hour: 300,
                max_pending_holds: 15,
                max_live_bookings: 100,
              },
              min_notice_minutes: 60,
              booking_horizon_days: 180,
              availability_range_days: 31,
              max_alternatives: 5,
              max_wait_seconds: 60,
              max_waits_per_caller: 20,
              max_streams_per_address: 10,
              max_webhooks_per_address: 10,
              max_webhooks_per_host: 200,
              max_webhooks: 1000,
              max_body_bytes: 65536,
              max_lengths: { name: 120, email: 254, phone: 40, pronouns: 40, idea: 2000 },
            },
            webhooks: {
              events: ['hold.created', 'booking.confirmed', 'hold.expired'],
              signature: 'Standard Webhooks 1.0.0, v1 (HMAC-SHA256)',
              retry_schedule_seconds: [5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400],
            },
            idempotency: {
              header: 'Idempotency-Key',
              tool_argument: 'idempotency_key',
              operations: ['createHold'],
              max_length: 255,
              replay_header: 'Idempotency-Replayed',
            },
            errors: [
              { code: 'invalid_request', status: 400, retryable: false },
              { code: 'slot_unavailable', status: 409, retryable: false },
              { code: 'rate_limited', status: 429, retryable: true },
            ],
            human_confirmation: {
              required: true,
              actor: 'end_user',
              proof: 'link',
              operation: 'createHold',
              tool: 'hold_slot',
              url_member: 'checkout_url',
              hold_lifetime_seconds: 900,
              description:
                'Only the person opens the checkout link and locks the session in. The agent hands the link over and never opens it.',
            },
            compatibility: {
              stable_within: '2.x',
              additions: [
                'operations and tools',
                'optional members of requests',
                'members of answers and events',
                'error codes',
                'capabilities, transports and protocol versions',
              ],
              policy_url: 'https://book.example.com/guide.md',
              deprecation: { headers: ['Deprecation', 'Sunset'], notice_days: 180 },
            },
          },
        },
      },
      InvalidRequest: {
        summary: 'A member is wrong',
        value: {
          error: {
            code: 'invalid_request',
            message:
              'The request is not valid: body.email must be an e-mail address. Correct the members named in details and send it again.',
            request_id: '018f6f2e-7d5a-4c1e-9b43-0f2d6c1a7e55',
            details: [{ path: 'body.email', message: 'must be an e-mail address' }],
          },
        },
      },
      IdempotencyKeyReused: {
        summary: 'The key belongs to another request',
        value: {
          error: {
            code: 'idempotency_key_reused',
            message:
              'This Idempotency-Key was used before with a different request. Use a new key for a new hold, or repeat the original request unchanged.',
            request_id: '018f6f2e-7d5a-4c1e-9b43-0f2d6c1a7e55',
          },
        },
      },
      JsonRpcParseError: {
        summary: 'No JSON',
        value: {
          jsonrpc: '2.0',
          id: null,
          error: {
            code: -32700,
            message: 'The body is not well-formed JSON. Send one JSON-RPC message.',
          },
        },
      },
      JsonRpcBatch: {
        summary: 'A batch',
        value: {
          jsonrpc: '2.0',
          id: null,
          error: {
            code: -32600,
            message: 'Batches are not served. Send each message as a request of its own.',
          },
        },
      },
      JsonRpcMethodNotFound: {
        summary: 'No such method',
        value: { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Method not found' } },
      },
      Forbidden: {
        summary: 'A foreign web page',
        value: {
          error: {
            code: 'forbidden',
            message: 'This request may not be made from here.',
            request_id: '018f6f2e-7d5a-4c1e-9b43-0f2d6c1a7e55',
          },
        },
      },
      BookingNotFound: {
        summary: 'No such booking',
        value: {
          error: {
            code: 'booking_not_found',
            message:
              'No booking has this id. Use the id from the answer of POST /api/public/holds.',
            request_id: '018f6f2e-7d5a-4c1e-9b43-0f2d6c1a7e55',
          },
        },
      },
      RequestTimeout: {
        summary: 'The request came too slowly',
        value: {
          error: {
            code: 'request_timeout',
            message: 'The request did not arrive in time. Send it again.',
            request_id: '018f6f2e-7d5a-4c1e-9b43-0f2d6c1a7e55',
          },
        },
      },
      SlotUnavailable: {
        summary: 'Somebody else has the slot',
        value: {
          error: {
            code: 'slot_unavailable',
            message:
              'Tuesday, December 1, 2026 at 1:00 PM is already taken. Offer the person one of the alternatives.',
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
      PayloadTooLarge: {
        summary: 'The body is too large',
        value: {
          error: {
            code: 'payload_too_large',
            message: 'The body is too large. A hold request fits easily into 64 KiB.',
            request_id: '018f6f2e-7d5a-4c1e-9b43-0f2d6c1a7e55',
          },
        },
      },
      UriTooLong: {
        summary: 'The address is too long',
        value: {
          error: {
            code: 'uri_too_long',
            message: 'The address is too long. Check its parameters and send it again.',
            request_id: '018f6f2e-7d5a-4c1e-9b43-0f2d6c1a7e55',
          },
        },
      },
      UnsupportedMediaType: {
        summary: 'Not JSON',
        value: {
          error: {
            code: 'unsupported_media_type',
            message: 'The body must be JSON. Send it with Content-Type application/json.',
            request_id: '018f6f2e-7d5a-4c1e-9b43-0f2d6c1a7e55',
          },
        },
      },
      RateLimited: {
        summary: 'Too many requests',
        value: {
          error: {
            code: 'rate_limited',
            message:
              'The limit of 60 reads per minute is used up. Wait 42 seconds and send the same request again. An API key (POST /api/public/agent-keys) has higher limits.',
            request_id: '018f6f2e-7d5a-4c1e-9b43-0f2d6c1a7e55',
            retry_after_seconds: 42,
          },
        },
      },
      TooManyLiveBookings: {
        summary: 'The person or the caller has too many live bookings',
        value: {
          error: {
            code: 'rate_limited',
            message:
              'Nothing was held: this person or this caller has as many live bookings as are allowed at once (limits in GET /api/public/capabilities). Try again after retry_after_seconds, or once one of them is cancelled, has expired or is over.',
            request_id: '018f6f2e-7d5a-4c1e-9b43-0f2d6c1a7e55',
            retry_after_seconds: 3600,
          },
        },
      },
      HeadersTooLarge: {
        summary: 'The headers are too large',
        value: {
          error: {
            code: 'headers_too_large',
            message: "The request's headers are too large. Send fewer or shorter headers.",
            request_id: '018f6f2e-7d5a-4c1e-9b43-0f2d6c1a7e55',
          },
        },
      },
      InternalError: {
        summary: 'A failure on our side',
        value: {
          error: {
            code: 'internal_error',
            message:
              'Something failed on our side. Try again; if it persists, tell the studio the request_id.',
            request_id: '018f6f2e-7d5a-4c1e-9b43-0f2d6c1a7e55',
          },
        },
      },
      TooManyPendingHolds: {
        summary: 'Too many holds are waiting',
        value: {
          error: {
            code: 'too_many_pending_holds',
            message:
              'Too many holds are waiting for confirmation. Try again after retry_after_seconds.',
            request_id: '018f6f2e-7d5a-4c1e-9b43-0f2d6c1a7e55',
            retry_after_seconds: 240,
          },
        },
      },
      ServiceUnavailable: {
        summary: 'Not available right now',
        value: {
          error: {
            code: 'service_unavailable',
            message: 'The service cannot answer right now. Try again after retry_after_seconds.',
            request_id: '018f6f2e-7d5a-4c1e-9b43-0f2d6c1a7e55',
            retry_after_seconds: 2,
          },
        },
      },
    },
    securitySchemes: {
      apiKey: {
        type: 'http',
        scheme: 'bearer',
        description:
          'An optional API key. It raises rate limits and is never required; a key that is unknown or\nrevoked is treated as anonymous.\n',
      },
      manageToken: {
        type: 'http',
        scheme: 'bearer',
        description:
          'The `manage_token` of a webhook subscription, as `POST /api/public/webhooks` answered it. It\nreads and deletes that one subscription.\n',
      },
    },
  },
};
