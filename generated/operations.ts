// Made from openapi.yaml by `npm run generate`; never edited by hand.

import { Type } from '@sinclair/typebox';
import {
  AgentKey,
  AgentKeyRequest,
  Availability,
  Booking,
  CalendarDate,
  Capabilities,
  CreatedWebhook,
  DeletedWebhook,
  ErrorResponse,
  Hold,
  HoldRequest,
  JsonRpcFailure,
  JsonRpcMessage,
  JsonRpcResponse,
  Studio,
  TimeSlot,
  Webhook,
  WebhookRequest,
} from './schemas.js';

/** Method, address and Fastify route schema of each operation; header names in lower case. */
export const operations = {
  /** Read the studio's details */
  getStudio: {
    method: 'GET',
    url: '/api/public/studio',
    schema: {
      headers: Type.Object(
        {
          /** The `ETag` that you have; 304 while it is the same. */
          'if-none-match': Type.Optional(
            Type.String({
              pattern: '^[\\t\\x20-\\x7e\\x80-\\xff]*$',
              description: 'The `ETag` that you have; 304 while it is the same.',
            }),
          ),
        },
        { additionalProperties: true },
      ),
      response: {
        200: Type.Object(
          {
            data: Studio,
          },
          { additionalProperties: false },
        ),
        304: Type.Null(),
        408: ErrorResponse,
        414: ErrorResponse,
        429: ErrorResponse,
        431: ErrorResponse,
        500: ErrorResponse,
        503: ErrorResponse,
      },
    },
  },

  /** List open session times */
  listAvailability: {
    method: 'GET',
    url: '/api/public/availability',
    schema: {
      querystring: Type.Object(
        {
          /** First date, in the studio's time zone. */
          from: CalendarDate,

          /** Last date, at most 31 days after `from`. */
          to: CalendarDate,

          /** Only this session time. */
          time_slot: Type.Optional(TimeSlot),

          /** Only this artist of several: the word in their `book_url`. */
          artist: Type.Optional(Type.String()),
        },
        { additionalProperties: false },
      ),
      headers: Type.Object(
        {
          /** The `ETag` that you have; 304 while it is the same. */
          'if-none-match': Type.Optional(
            Type.String({
              pattern: '^[\\t\\x20-\\x7e\\x80-\\xff]*$',
              description: 'The `ETag` that you have; 304 while it is the same.',
            }),
          ),
        },
        { additionalProperties: true },
      ),
      response: {
        200: Type.Object(
          {
            data: Availability,
          },
          { additionalProperties: false },
        ),
        304: Type.Null(),
        400: ErrorResponse,
        408: ErrorResponse,
        414: ErrorResponse,
        429: ErrorResponse,
        431: ErrorResponse,
        500: ErrorResponse,
        503: ErrorResponse,
      },
    },
  },

  /** Hold one session for a person */
  createHold: {
    method: 'POST',
    url: '/api/public/holds',
    schema: {
      headers: Type.Object(
        {
          /**
           * A new random UUID, which nobody can guess, for each hold; 1 to 255 printable ASCII characters,
           * bare or quoted. The same request with the same key gets the original answer again, never
           * a second hold. A key belongs to your API key or, without one, to the request's `email`.
           * Failures are not remembered.
           */
          'idempotency-key': Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 257,
              pattern: '^(?:"[ -!#-\\[\\]-~]{1,255}"|[!#-~][ -~]{0,253}[!-~]|[!#-~])$',
              description:
                "A new random UUID, which nobody can guess, for each hold; 1 to 255 printable ASCII characters, bare or quoted. The same request with the same key gets the original answer again, never a second hold. A key belongs to your API key or, without one, to the request's `email`. Failures are not remembered.",
            }),
          ),
        },
        { additionalProperties: true },
      ),
      body: HoldRequest,
      response: {
        201: Type.Object(
          {
            data: Hold,
          },
          { additionalProperties: false },
        ),
        400: ErrorResponse,
        408: ErrorResponse,
        409: ErrorResponse,
        413: ErrorResponse,
        414: ErrorResponse,
        415: ErrorResponse,
        429: ErrorResponse,
        431: ErrorResponse,
        500: ErrorResponse,
        503: ErrorResponse,
      },
    },
  },

  /** Read a booking's status */
  getBooking: {
    method: 'GET',
    url: '/api/public/bookings/:id',
    schema: {
      params: Type.Object(
        {
          /** The booking's id, as `POST /api/public/holds` gave it. */
          id: Type.String({ format: 'uuid' }),
        },
        { additionalProperties: false },
      ),
      headers: Type.Object(
        {
          /**
           * `wait=N` (RFC 7240), N at most 50: answers as soon as status or slot changes, or after
           * N seconds; ask again then. At most 20 requests of one caller or network wait: without
           * `Preference-Applied` in the answer, poll every `poll_interval_seconds` of the hold.
           */
          prefer: Type.Optional(Type.String()),
        },
        { additionalProperties: true },
      ),
      response: {
        200: Type.Object(
          {
            data: Booking,
          },
          { additionalProperties: false },
        ),
        404: ErrorResponse,
        408: ErrorResponse,
        414: ErrorResponse,
        429: ErrorResponse,
        431: ErrorResponse,
        500: ErrorResponse,
        503: ErrorResponse,
      },
    },
  },

  /** Read what the service can do, and its limits */
  getCapabilities: {
    method: 'GET',
    url: '/api/public/capabilities',
    schema: {
      headers: Type.Object(
        {
          /** The `ETag` that you have; 304 while it is the same. */
          'if-none-match': Type.Optional(
            Type.String({
              pattern: '^[\\t\\x20-\\x7e\\x80-\\xff]*$',
              description: 'The `ETag` that you have; 304 while it is the same.',
            }),
          ),
        },
        { additionalProperties: true },
      ),
      response: {
        200: Type.Object(
          {
            data: Capabilities,
          },
          { additionalProperties: false },
        ),
        304: Type.Null(),
        408: ErrorResponse,
        414: ErrorResponse,
        429: ErrorResponse,
        431: ErrorResponse,
        500: ErrorResponse,
        503: ErrorResponse,
      },
    },
  },

  /** Get an API key for higher limits */
  createAgentKey: {
    method: 'POST',
    url: '/api/public/agent-keys',
    schema: {
      body: AgentKeyRequest,
      response: {
        201: Type.Object(
          {
            data: AgentKey,
          },
          { additionalProperties: false },
        ),
        400: ErrorResponse,
        408: ErrorResponse,
        413: ErrorResponse,
        414: ErrorResponse,
        415: ErrorResponse,
        429: ErrorResponse,
        431: ErrorResponse,
        500: ErrorResponse,
        503: ErrorResponse,
      },
    },
  },

  /** Read a webhook subscription */
  getWebhook: {
    method: 'GET',
    url: '/api/public/webhooks',
    schema: {
      response: {
        200: Type.Object(
          {
            data: Webhook,
          },
          { additionalProperties: false },
        ),
        401: ErrorResponse,
        408: ErrorResponse,
        414: ErrorResponse,
        429: ErrorResponse,
        431: ErrorResponse,
        500: ErrorResponse,
        503: ErrorResponse,
      },
    },
  },

  /** Subscribe to webhooks */
  createWebhook: {
    method: 'POST',
    url: '/api/public/webhooks',
    schema: {
      body: WebhookRequest,
      response: {
        201: Type.Object(
          {
            data: CreatedWebhook,
          },
          { additionalProperties: false },
        ),
        400: ErrorResponse,
        408: ErrorResponse,
        413: ErrorResponse,
        414: ErrorResponse,
        415: ErrorResponse,
        429: ErrorResponse,
        431: ErrorResponse,
        500: ErrorResponse,
        503: ErrorResponse,
      },
    },
  },

  /** Delete a webhook subscription */
  deleteWebhook: {
    method: 'DELETE',
    url: '/api/public/webhooks',
    schema: {
      response: {
        200: Type.Object(
          {
            data: DeletedWebhook,
          },
          { additionalProperties: false },
        ),
        401: ErrorResponse,
        404: ErrorResponse,
        408: ErrorResponse,
        414: ErrorResponse,
        429: ErrorResponse,
        431: ErrorResponse,
        500: ErrorResponse,
        503: ErrorResponse,
      },
    },
  },

  /** Follow open times live */
  streamEvents: {
    method: 'GET',
    url: '/api/public/events',
    schema: {
      headers: Type.Object(
        {
          /**
           * The last `id` received. While it stands for the present state, no `availability` comes
           * first.
           */
          'last-event-id': Type.Optional(Type.String()),
        },
        { additionalProperties: true },
      ),
      response: {
        408: ErrorResponse,
        414: ErrorResponse,
        429: ErrorResponse,
        431: ErrorResponse,
        500: ErrorResponse,
        503: ErrorResponse,
      },
    },
  },

  /** Call the MCP connector */
  callMcp: {
    method: 'POST',
    url: '/api/public/mcp',
    schema: {
      body: JsonRpcMessage,
      response: {
        200: JsonRpcResponse,
        202: Type.Null(),
        400: JsonRpcFailure,
        403: ErrorResponse,
        404: JsonRpcFailure,
        408: ErrorResponse,
        413: ErrorResponse,
        414: ErrorResponse,
        415: ErrorResponse,
        429: ErrorResponse,
        431: ErrorResponse,
        500: ErrorResponse,
        503: ErrorResponse,
      },
    },
  },

  /** Read the MCP connector's server card */
  getServerCard: {
    method: 'GET',
    url: '/api/public/mcp/server-card',
    schema: {
      response: {
        408: ErrorResponse,
        414: ErrorResponse,
        429: ErrorResponse,
        431: ErrorResponse,
        500: ErrorResponse,
        503: ErrorResponse,
      },
    },
  },

  /** Read this description */
  getOpenapi: {
    method: 'GET',
    url: '/api/public/openapi.json',
    schema: {
      headers: Type.Object(
        {
          /** The `ETag` that you have; 304 while it is the same. */
          'if-none-match': Type.Optional(
            Type.String({
              pattern: '^[\\t\\x20-\\x7e\\x80-\\xff]*$',
              description: 'The `ETag` that you have; 304 while it is the same.',
            }),
          ),
        },
        { additionalProperties: true },
      ),
      response: {
        200: Type.Object(
          {
            openapi: Type.String(),
            info: Type.Unsafe<Record<string, unknown>>({
              type: 'object',
              additionalProperties: true,
            }),
            servers: Type.Array(
              Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
            ),
            paths: Type.Unsafe<Record<string, unknown>>({
              type: 'object',
              additionalProperties: true,
            }),
          },
          { additionalProperties: true },
        ),
        304: Type.Null(),
        408: ErrorResponse,
        414: ErrorResponse,
        429: ErrorResponse,
        431: ErrorResponse,
        500: ErrorResponse,
        503: ErrorResponse,
      },
    },
  },
} as const;

export type OperationId = keyof typeof operations;
