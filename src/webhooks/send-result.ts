import type { Dispatcher } from 'undici';
import { isAgentDestroyed } from '../outbound/guarded-agent.js';
import { requestErrorOf, type RequestError } from '../outbound/request-error.js';
import { parseRetryAfterSeconds } from './retry-after.js';

/** Why an attempt failed: for the log and the delivery row, free of addresses and secrets. */
export type SendError = RequestError | 'redirect' | 'status';

/**
 * The result of one attempt. `aborted` means that this process shuts down: the attempt does not
 * count, though the receiver may have got it.
 */
export interface SendResult {
  outcome: 'delivered' | 'failed' | 'aborted';
  statusCode: number | null;
  /** From a 429 or 503, otherwise null. */
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
