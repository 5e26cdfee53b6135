import type { Alternative } from '../generated/schemas.js';

/**
 * The catalogue of errors: code, HTTP status, whether a retry may succeed, the public sentence and
 * the one for the log. A test compares it with `ErrorCode` in openapi.yaml, both ways.
 */
export const errors = {
  invalid_request: {
    status: 400,
    retryable: false,
    message: 'The request is not valid. Correct the members named in details and send it again.',
    log: 'request refused: not of the documented form',
  },
  idempotency_key_reused: {
    status: 400,
    retryable: false,
    message:
      'This Idempotency-Key was used before with a different request. Use a new key for a new hold, or repeat the original request unchanged.',
    log: 'request refused: idempotency key reused with another request',
  },
  manage_token_missing: {
    status: 401,
    retryable: false,
    message:
      'Send the manage_token from the answer of POST /api/public/webhooks as "Authorization: Bearer <manage_token>".',
    log: 'webhook request without a manage token',
  },
  manage_token_invalid: {
    status: 401,
    retryable: false,
    message:
      'This manage token belongs to no webhook subscription: it is mistyped, or the subscription was deleted. Subscribe anew with POST /api/public/webhooks.',
    log: 'manage token of no subscription',
  },
  forbidden: {
    status: 403,
    retryable: false,
    message: 'This request may not be made from here.',
    log: 'request refused: foreign origin or a credential where a person must act',
  },
  booking_not_found: {
    status: 404,
    retryable: false,
    message: 'No booking has this id. Use the id from the answer of POST /api/public/holds.',
    log: 'booking not found',
  },
  subscription_not_found: {
    status: 404,
    retryable: false,
    message:
      'This manage token belongs to no webhook subscription. If it was deleted before, nothing is left to do.',
    log: 'webhook subscription not found',
  },
  not_found: {
    status: 404,
    retryable: false,
    message: 'Nothing is at this address. GET /api/public/openapi.json lists every operation.',
    log: 'path not found',
  },
  method_not_allowed: {
    status: 405,
    retryable: false,
    message: 'This address does not answer to this method. The Allow header lists those it does.',
    log: 'method not allowed',
  },
  request_timeout: {
    status: 408,
    retryable: true,
    message: 'The request did not arrive in time. Send it again.',
    log: 'request did not arrive in time',
  },
  slot_unavailable: {
    status: 409,
    retryable: false,
    message: 'This slot is not open. Offer the person one of the alternatives.',
    log: 'slot not open',
  },
  payload_too_large: {
    status: 413,
    retryable: false,
    message: 'The body is too large. A hold request fits easily into 64 KiB.',
    log: 'body too large',
  },
  uri_too_long: {
    status: 414,
    retryable: false,
    message: 'The address is too long. Check its parameters and send it again.',
    log: 'address too long',
  },
  unsupported_media_type: {
    status: 415,
    retryable: false,
    message: 'The body must be JSON. Send it with Content-Type application/json.',
    log: 'body of another media type',
  },
  rate_limited: {
    status: 429,
    retryable: true,
    message:
      'Too many requests. Wait for retry_after_seconds, or use an API key for higher limits.',
    log: 'rate limit reached',
  },
  headers_too_large: {
    status: 431,
    retryable: false,
    message: "The request's headers are too large. Send fewer or shorter headers.",
    log: 'headers too large',
  },
  internal_error: {
    status: 500,
    retryable: true,
    message:
      'Something failed on our side. Try again; if it persists, tell the studio the request_id.',
    log: 'unexpected failure',
  },
  too_many_pending_holds: {
    status: 503,
    retryable: true,
    message: 'Too many holds are waiting for confirmation. Try again after retry_after_seconds.',
    log: 'cap of pending holds reached',
  },
  service_unavailable: {
    status: 503,
    retryable: true,
    message: 'The service cannot answer right now. Try again after retry_after_seconds.',
    log: 'not able to answer',
  },
} as const satisfies Record<
  string,
  { status: number; retryable: boolean; message: string; log: string }
>;

export type ErrorCode = keyof typeof errors;

export interface ErrorDetail {
  /** The member, such as `body.email`. */
  path: string;
  message: string;
}

export interface ErrorFacts {
  /** Replaces the catalogue's public sentence. No internals, no personal data. */
  message?: string;
  details?: ErrorDetail[];
  alternatives?: Alternative[];
  /** Whole seconds, at least 1; sent as `Retry-After` too. */
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** An error that clients may see. Anything else that is thrown becomes `internal_error`. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetail[] | undefined;
  readonly alternatives: Alternative[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, facts: ErrorFacts = {}) {
    super(facts.message ?? errors[code].message, { cause: facts.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.details = facts.details;
    this.alternatives = facts.alternatives;
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }
}

/** The process cannot start with this setup. The message is a sentence for the operator. */
export class StartError extends Error {}
