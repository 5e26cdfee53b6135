import { type BookingError, errorFromResponse, errorWithoutResponse } from './booking-error.js';

/** The result of a call of the typed client. */
interface Result<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

export interface RetryOptions {
  /** The seconds during which it retries. */
  patienceSeconds: number;
  /** The seconds to wait for one response. */
  timeoutSeconds: number;
  signal: AbortSignal | undefined;
}

const firstPauseSeconds = 0.5;
const longestPauseSeconds = 8;

/**
 * Sends a request that is safe to repeat, and retries after lost responses and retryable errors,
 * with the delay of `Retry-After` or else exponential backoff. Throws a BookingError for any other
 * error, and when the next attempt would come after `patienceSeconds`.
 */
export async function sendWithRetries<Data>(
  send: (signal: AbortSignal) => Promise<Result<Data>>,
  { patienceSeconds, timeoutSeconds, signal }: RetryOptions,
): Promise<{ data: Data; response: Response }> {
  const startedAt = performance.now();
  for (let attempt = 0; ; attempt += 1) {
    const timeout = AbortSignal.timeout(timeoutSeconds * 1000);
    const outcome = await outcomeOf(send(signal ? AbortSignal.any([signal, timeout]) : timeout));
    if ('data' in outcome) return outcome;
    signal?.throwIfAborted();

    const pauseSeconds = outcome.failure.retryAfterSeconds ?? backoffSeconds(attempt);
    const spentSeconds = (performance.now() - startedAt) / 1000;
    if (!outcome.failure.retryable || spentSeconds + pauseSeconds > patienceSeconds) {
      throw outcome.failure;
    }
    await pause(pauseSeconds, signal);
  }
}

async function outcomeOf<Data>(
  result: Promise<Result<Data>>,
): Promise<{ data: Data; response: Response } | { failure: BookingError }> {
  try {
    const { data, error, response } = await result;
    return data === undefined
      ? { failure: errorFromResponse(response, error) }
      : { data, response };
  } catch (cause) {
    return { failure: errorWithoutResponse(cause) };
  }
}

/** Exponential backoff with jitter. */
function backoffSeconds(attempt: number): number {
  return (
    Math.min(firstPauseSeconds * 2 ** attempt, longestPauseSeconds) * (0.5 + Math.random() / 2)
  );
}

export function pause(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, seconds * 1000);
    function stop(): void {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    }
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
