import type { Alternative, TimeSlot } from '../generated/schemas.js';

/**
 * The error catalogue: code, HTTP status, whether a retry may succeed, the message for the client
 * and the message for the log. A test keeps it equal to `ErrorCode` in openapi.yaml, except for the
 * errors that only pages respond with.
 */
export const errors = {
  invalid_request: {
    status: 400,
    retryable: false,
    message: 'The request is not valid. Correct the members named in details and send it again.',
    log: 'request validation failed',
  },
  idempotency_key_reused: {
    status: 400,
    retryable: false,
    message:
      'This Idempotency-Key was used before with a different request. Use a new key for a new hold, or repeat the original request unchanged.',
    log: 'idempotency key reused with a different request',
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
    log: 'unknown manage token',
  },
  signed_out: {
    status: 401,
    retryable: false,
    pagesOnly: true,
    message: "This address is of the studio's console, for people who are signed in to it.",
    log: 'request to the console without a session',
  },
  forbidden: {
    status: 403,
    retryable: false,
    message: 'This request may not be made from here.',
    log: 'request forbidden: cross-origin, or of an agent on a page for people only',
  },
  origin_mismatch: {
    status: 403,
    retryable: false,
    pagesOnly: true,
    message: 'The page of this form was not opened at the address of the studio.',
    log: 'form of a page that was opened at an address other than PUBLIC_BASE_URL',
  },
  code_invalid: {
    status: 403,
    retryable: false,
    pagesOnly: true,
    message:
      'This is not the newest code that was mailed to the person for this browser, or none of this browser is valid any more. Only the person can read it, and types it in the browser that asked for it; the button of the page sends a new one.',
    log: 'confirmation code refused',
  },
  booking_not_found: {
    status: 404,
    retryable: false,
    message: 'No booking has this id. Use the id that the answer to the hold gave.',
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
    message:
      'No resource exists at this URL. /guide.md says how to book, and GET /api/public/openapi.json lists every operation.',
    log: 'route not found',
  },
  method_not_allowed: {
    status: 405,
    retryable: false,
    message: 'This URL does not support this method. The Allow header lists the supported methods.',
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
    log: 'slot unavailable',
  },
  move_refused: {
    status: 409,
    retryable: false,
    pagesOnly: true,
    message:
      'The rules of the studio do not allow the person to move this booking. Its page states the rules and how to reach the studio.',
    log: 'move refused',
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
    log: 'URL too long',
  },
  unsupported_media_type: {
    status: 415,
    retryable: false,
    message: 'The body must be JSON. Send it with Content-Type application/json.',
    log: 'unsupported media type',
  },
  rate_limited: {
    status: 429,
    retryable: true,
    message:
      'Too many requests. Wait for retry_after_seconds, or use an API key for higher limits.',
    log: 'rate limit reached',
  },
  code_exhausted: {
    status: 429,
    retryable: true,
    pagesOnly: true,
    message:
      'Too many codes were asked for: for this booking, its mailbox, from this network, or in the whole studio. Wait for retry_after_seconds. The page says how to reach the studio.',
    log: 'limit of confirmation codes reached',
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
    log: 'unexpected error',
  },
  too_many_pending_holds: {
    status: 503,
    retryable: true,
    message: 'Too many holds are waiting for confirmation. Try again after retry_after_seconds.',
    log: 'limit of pending holds reached',
  },
  service_unavailable: {
    status: 503,
    retryable: true,
    message: 'The service cannot answer right now. Try again after retry_after_seconds.',
    log: 'service unavailable',
  },
} as const satisfies Record<
  string,
  { status: number; retryable: boolean; pagesOnly?: true; message: string; log: string }
>;

export type ErrorCode = keyof typeof errors;

/** The codes of the public interface. */
export type PublicErrorCode = {
  [Code in ErrorCode]: (typeof errors)[Code] extends { pagesOnly: true } ? never : Code;
}[ErrorCode];

export const publicErrorCodes = (Object.keys(errors) as ErrorCode[]).filter(
  (code): code is PublicErrorCode => !('pagesOnly' in errors[code]),
);

export interface ErrorDetail {
  /** The path of the invalid member, such as `body.email`. */
  path: string;
  message: string;
}

export interface ServiceErrorOptions {
  /** Replaces the catalogue's message. Must not contain internals or personal data. */
  message?: string;
  details?: ErrorDetail[] | undefined;
  alternatives?: Alternative[] | undefined;
  /** Whole seconds, at least 1; also sent as `Retry-After`. */
  retryAfterSeconds?: number | undefined;
  /** Which limit is reached, for the pages; requests unless given. */
  limit?: 'holds' | 'bookings' | 'artist' | undefined;
  /** The session for which the person cannot have the slot, for the pages. */
  ownSession?:
    | { date: string; timeSlot: TimeSlot; artistName?: string | null | undefined }
    | undefined;
  cause?: unknown;
}

/** An error whose message is sent to the client. Any other error becomes `internal_error`. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetail[] | undefined;
  readonly alternatives: Alternative[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly limit: ServiceErrorOptions['limit'];
  readonly ownSession: ServiceErrorOptions['ownSession'];

  constructor(code: ErrorCode, facts: ServiceErrorOptions = {}) {
    super(facts.message ?? errors[code].message, { cause: facts.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.details = facts.details;
    this.alternatives = facts.alternatives;
    this.retryAfterSeconds = facts.retryAfterSeconds;
    this.limit = facts.limit;
    this.ownSession = facts.ownSession;
  }
}

/** The process cannot start with this configuration. The message is for the operator. */
export class StartError extends Error {}
