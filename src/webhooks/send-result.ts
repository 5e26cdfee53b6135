import type { Dispatcher } from 'undici';
import { isAgentDestroyed } from '../outbound/guarded-agent.js';
import { type RequestError, requestErrorOf } from '../outbound/request-error.js';

/** Why an attempt failed: for the log and the delivery row, free of addresses and secrets. */
export type SendError = RequestError | 'redirect' | 'status';

/**
 * The result of one attempt. `aborted` means that this process shuts down: the attempt does not
 * count, though the receiver may have got it.
 */
export interface SendResult {
  outcome: 'delivered' | 'failed' | 'aborted';
  statusCode: number | null;
  /** The delay that a 429 or 503 asks for, otherwise null. */
  retryAfterSeconds: number | null;
  error: SendError | null;
  durationMs: number;
}

export type UntimedResult = Omit<SendResult, 'durationMs'>;

export class ShutdownError extends Error {}

/** `now` is in milliseconds since the epoch. */
export function resultOfResponse(
  { statusCode, headers }: Dispatcher.ResponseData,
  now: number,
): UntimedResult {
  if (statusCode >= 200 && statusCode < 300) {
    return { outcome: 'delivered', statusCode, retryAfterSeconds: null, error: null };
  }
  const retryAfter = headers['retry-after'];
  const mayPostpone = statusCode === 429 || statusCode === 503;
  return {
    outcome: 'failed',
    statusCode,
    retryAfterSeconds:
      mayPostpone && typeof retryAfter === 'string'
        ? parseRetryAfterSeconds(retryAfter, now)
        : null,
    error: statusCode >= 300 && statusCode < 400 ? 'redirect' : 'status',
  };
}

export function resultOfFailure(error: unknown): UntimedResult {
  const isShutdown = error instanceof ShutdownError || isAgentDestroyed(error);
  return {
    outcome: isShutdown ? 'aborted' : 'failed',
    statusCode: null,
    retryAfterSeconds: null,
    error: isShutdown ? null : requestErrorOf(error),
  };
}

const month = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const time = String.raw`\d{2}:\d{2}:\d{2}`;

/** The three forms of HTTP-date that RFC 9110, section 5.6.7, obliges a recipient to read. */
const httpDates = [
  new RegExp(String.raw`^[A-Z][a-z]{2}, \d{2} ${month} \d{4} ${time} GMT$`),
  new RegExp(String.raw`^[A-Z][a-z]{5,8}, \d{2}-${month}-\d{2} ${time} GMT$`),
  new RegExp(String.raw`^[A-Z][a-z]{2} ${month} [ \d]\d ${time} \d{4}$`),
];

/**
 * Reads a `Retry-After` (RFC 9110, section 10.2.3), seconds or a date, as whole seconds from `now`
 * (milliseconds since the epoch); null where it is neither. A date in the past is 0.
 * @internal
 */
export function parseRetryAfterSeconds(value: string, now: number): number | null {
  const text = value.trim();
  if (/^\d+$/.test(text)) return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
  if (!httpDates.some((form) => form.test(text))) return null;
  const date = Date.parse(text.endsWith(' GMT') ? text : `${text} GMT`);
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now) / 1000));
}
