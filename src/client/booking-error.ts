import type { Alternative, ErrorCode, ErrorDetail, ErrorResponse } from '../../generated/client.js';

/** Why there is no hold or no booking to read: the service refused, or did not answer. */
export class BookingError extends Error {
  /** What the service says went wrong; undefined when the answer came from elsewhere, or not at all. */
  readonly code: ErrorCode | undefined;
  /** The HTTP status, or undefined when there was no answer. */
  readonly status: number | undefined;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** After how many seconds it may. */
  readonly retryAfterSeconds: number | undefined;
  /** On `invalid_request`, each member that was wrong. */
  readonly details: ErrorDetail[];
  /** On `slot_unavailable`, open slots to offer instead. */
  readonly alternatives: Alternative[];
  /** Name it when you ask the studio about a failure. */
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

/** What the service, or something in between, answered instead of success. */
export function refusal(response: Response, body: unknown): BookingError {
  const message = errorIn(body)?.message ?? `${response.url} answered ${response.status}`;
  return new BookingError(message, { response, body });
}

/** The request may have arrived or not: nobody knows. */
export function noAnswer(cause: unknown): BookingError {
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

/** `Retry-After` in seconds; a date (RFC 9110) counts from the answer's own `Date`. */
function retryAfterSeconds({ headers }: Response): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  const seconds = /^\d+$/u.test(value)
    ? Number(value)
    : Math.ceil((Date.parse(value) - Date.parse(headers.get('date') ?? '')) / 1000);
  return seconds >= 0 ? seconds : undefined;
}
