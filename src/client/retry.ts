import { type BookingError, noAnswer, refusal } from './booking-error.js';

/** What a call of the client resolves with. */
interface Result<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

export interface Patience {
  /** How long to go on trying where trying again may help, in seconds. */
  patienceSeconds: number;
  /** After how long one request counts as lost, in seconds. */
  timeoutSeconds: number;
  signal: AbortSignal | undefined;
}

const firstPauseSeconds = 0.5;
const longestPauseSeconds = 8;

/**
 * Sends a request that is safe to repeat until there is an answer: again after a lost answer or a
 * failure on the other side, for as long as `Retry-After` says where it says so. Throws a
 * BookingError when the service refuses, and when the next attempt would be beyond the patience.
 */
export async function sendUntilAnswered<Data>(
  send: (signal: AbortSignal) => Promise<Result<Data>>,
  { patienceSeconds, timeoutSeconds, signal }: Patience,
): Promise<{ data: Data; response: Response }> {
  const began = performance.now();
  for (let attempt = 0; ; attempt += 1) {
    const timeout = AbortSignal.timeout(timeoutSeconds * 1000);
    const outcome = await outcomeOf(send(signal ? AbortSignal.any([signal, timeout]) : timeout));
    if ('data' in outcome) return outcome;
    signal?.throwIfAborted();

    const pauseSeconds = outcome.failure.retryAfterSeconds ?? backoffSeconds(attempt);
    const spentSeconds = (performance.now() - began) / 1000;
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
    return data === undefined ? { failure: refusal(response, error) } : { data, response };
  } catch (cause) {
    return { failure: noAnswer(cause) };
  }
}

/** Half a second, doubled each time; scattered, so that many who lost an answer do not return as one. */
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
