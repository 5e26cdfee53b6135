import type { Booking, Hold, HoldRequest } from '../../generated/client.js';
import type { BookingClient } from './booking-client.js';
import { pause, sendWithRetries } from './retry.js';

const defaultPatienceSeconds = 30;
const timeoutSeconds = 15;
/** Less than the 60 s after which many proxies close an idle connection. */
const waitSeconds = 50;
const defaultPollIntervalSeconds = 5;

export interface WaitOptions {
  /**
   * How many seconds to retry after lost responses and retryable errors (default 30). If the
   * service asks for a longer delay, its error is thrown, with `retryAfterSeconds`.
   */
  patienceSeconds?: number;
  /** Stops waiting; the booking stays as it is. */
  signal?: AbortSignal;
  /** The delay between reads when the service cannot wait (`handoff.poll_interval_seconds`). */
  pollIntervalSeconds?: number;
}

export interface HoldOptions extends Omit<WaitOptions, 'pollIntervalSeconds'> {
  /** Random by default. Store your own to repeat the request after a restart of your program. */
  idempotencyKey?: string;
}

/**
 * Holds a slot, hands it to the person, and resolves with the booking once it is `confirmed`,
 * `expired` or `cancelled`. In `handOff`, show the person `hold.handoff.message` and
 * `hold.checkout_url`; never open that URL yourself. Throws what `placeHold` and `waitForPerson`
 * throw.
 */
export async function holdAndHandOff(
  client: BookingClient,
  request: HoldRequest,
  handOff: (hold: Hold) => unknown,
  options: HoldOptions = {},
): Promise<Booking> {
  const hold = await placeHold(client, request, options);
  await handOff(hold);
  const pollIntervalSeconds = hold.handoff.poll_interval_seconds;
  return waitForPerson(client, hold.id, { pollIntervalSeconds, ...options });
}

/**
 * Holds a slot. Retries use the same Idempotency-Key, so that there is never a second hold. Throws
 * a BookingError; with the code `slot_unavailable` it has `alternatives`.
 */
export async function placeHold(
  client: BookingClient,
  request: HoldRequest,
  options: HoldOptions = {},
): Promise<Hold> {
  const key = options.idempotencyKey ?? randomKey();
  const { data } = await sendWithRetries(
    (signal) =>
      client.POST('/api/public/holds', {
        params: { header: { 'Idempotency-Key': key } },
        body: request,
        signal,
      }),
    retryOptions(options, timeoutSeconds),
  );
  return data.data;
}

/**
 * Resolves when the booking is no longer pending; it may have moved to another slot by then. The
 * service delays each response until a change (`Prefer: wait`, RFC 7240), so this costs about one
 * read a minute.
 */
export async function waitForPerson(
  client: BookingClient,
  bookingId: string,
  options: WaitOptions = {},
): Promise<Booking> {
  for (;;) {
    const { data, response } = await sendWithRetries(
      (signal) =>
        client.GET('/api/public/bookings/{id}', {
          params: { path: { id: bookingId }, header: { Prefer: `wait=${waitSeconds}` } },
          signal,
        }),
      retryOptions(options, waitSeconds + timeoutSeconds),
    );
    if (data.data.status !== 'pending') return data.data;
    if (!response.headers.has('preference-applied')) {
      await pause(options.pollIntervalSeconds ?? defaultPollIntervalSeconds, options.signal);
    }
  }
}

function retryOptions({ patienceSeconds, signal }: WaitOptions, seconds: number) {
  return {
    patienceSeconds: patienceSeconds ?? defaultPatienceSeconds,
    timeoutSeconds: seconds,
    signal,
  };
}

/** Browsers have `crypto.randomUUID` on https pages only. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
