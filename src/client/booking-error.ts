import type { Alternative, ErrorCode, ErrorDetail, ErrorResponse } from '../../generated/client.js';

/** The service refused the request, or did not respond. */
export class BookingError extends Error {
  /** The service's error code; undefined without a response, or if a proxy responded. */
  readonly code: ErrorCode | undefined;
  /** The HTTP status; undefined without a response. */
  readonly status: number | undefined;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** How many seconds to wait before that. */
  readonly retryAfterSeconds: number | undefined;
  /** On `invalid_request`, each invalid member. */
  readonly details: ErrorDetail[];
  /** On `slot_unavailable`, open slots to offer instead. */
  readonly alternatives: Alternative[];
  /** Quote it when you ask the studio about a failure. */
  readonly requestId: string | undefined;

  constructor(message: string, facts: { response?: Response; body?: unknown; cause?: unknown }) {
    super(message, { cause: facts.cause });
    this.name = 'BookingError';
    const error = errorIn(facts.body);
    const status = facts.response?.status;
    this.code = error?.code;
    this.status = status;
    this.retryable = status === undefined || status === 408 || status === 429 || status >= 500;
    this.retryAfterSeconds =
      (facts.response && retryAfterSeconds(facts.response)) ?? error?.retry_after_seconds;
    this.details = error?.details ?? [];
    this.alternatives = error?.alternatives ?? [];
    this.requestId = error?.request_id;
  }
}

/** The error for a response without success, from the service or a proxy. */
export function errorFromResponse(response: Response, body: unknown): BookingError {
  const message = errorIn(body)?.message ?? `${response.url} answered ${response.status}`;
  return new BookingError(message, { response, body });
}

/** The error for a request without a response, which the service may have processed or not. */
export function errorWithoutResponse(cause: unknown): BookingError {
  const reason = cause instanceof Error ? (messageOf(cause.cause) ?? cause.message) : String(cause);
  return new BookingError(`The booking service did not answer: ${reason}`, { cause });
}

function messageOf(cause: unknown): string | undefined {
  return cause instanceof Error ? cause.message || undefined : undefined;
}

function errorIn(body: unknown): ErrorResponse['error'] | undefined {
  return typeof body === 'object' && body !== null && 'error' in body
    ? (body as ErrorResponse).error
    : undefined;
}

/** `Retry-After` in seconds; a date (RFC 9110) is relative to the response's own `Date`. */
function retryAfterSeconds({ headers }: Response): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  const seconds = /^\d+$/u.test(value)
    ? Number(value)
    : Math.ceil((Date.parse(value) - Date.parse(headers.get('date') ?? '')) / 1000);
  return seconds >= 0 ? seconds : undefined;
}
