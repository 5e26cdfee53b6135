import type { Booking, Hold, HoldRequest } from '../../generated/client.js';
import type { BookingClient } from './booking-client.js';
import { pause, sendUntilAnswered } from './retry.js';

const defaultPatienceSeconds = 30;
const timeoutSeconds = 15;
/** Below the 60 s after which many proxies cut a silent connection, and that the service allows. */
const waitSeconds = 50;
const defaultPollIntervalSeconds = 5;

export interface WaitOptions {
  /**
   * For how many seconds to go on trying when answers are lost, or when the service asks to come
   * back later (30). What it asks beyond that is thrown, with `retryAfterSeconds`.
   */
  patienceSeconds?: number;
  /** Ends the waiting; the booking stays as it is. */
  signal?: AbortSignal;
  /** Between two reads where the service cannot wait (`handoff.poll_interval_seconds` of a hold). */
  pollIntervalSeconds?: number;
}

export interface HoldOptions extends Omit<WaitOptions, 'pollIntervalSeconds'> {
  /** Names the hold that you mean. Random; give your own to go on after a restart of your program. */
  idempotencyKey?: string;
}

/**
 * Holds a slot, hands it to the person, and resolves when the person has decided, or the hold's time
 * is over: with the booking as it is then, `confirmed`, `expired` or `cancelled`. In `handOff`, show
 * the person `hold.handoff.message` and `hold.checkout_url`; never open that address yourself. Throws
 * what `placeHold` and `waitForPerson` throw.
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
 * Holds a slot. An answer that is lost is asked for again with the same Idempotency-Key, so that
 * there is never a second hold. Throws a BookingError: `slot_unavailable` has `alternatives`.
 */
export async function placeHold(
  client: BookingClient,
  request: HoldRequest,
  options: HoldOptions = {},
): Promise<Hold> {
  const key = options.idempotencyKey ?? randomKey();
  const { data } = await sendUntilAnswered(
    (signal) =>
      client.POST('/api/public/holds', {
        params: { header: { 'Idempotency-Key': key } },
        body: request,
        signal,
      }),
    patience(options, timeoutSeconds),
  );
  return data.data;
}

/**
 * Resolves when the booking is no longer pending. The service holds each answer back until then
 * (`Prefer: wait`, RFC 7240), so this costs about one read a minute.
 */
export async function waitForPerson(
  client: BookingClient,
  bookingId: string,
  options: WaitOptions = {},
): Promise<Booking> {
  for (;;) {
    const { data, response } = await sendUntilAnswered(
      (signal) =>
        client.GET('/api/public/bookings/{id}', {
          params: { path: { id: bookingId }, header: { Prefer: `wait=${waitSeconds}` } },
          signal,
        }),
      patience(options, waitSeconds + timeoutSeconds),
    );
    if (data.data.status !== 'pending') return data.data;
    if (!response.headers.has('preference-applied')) {
      await pause(options.pollIntervalSeconds ?? defaultPollIntervalSeconds, options.signal);
    }
  }
}

function patience({ patienceSeconds, signal }: WaitOptions, seconds: number) {
  return {
    patienceSeconds: patienceSeconds ?? defaultPatienceSeconds,
    timeoutSeconds: seconds,
    signal,
  };
}

/** Not `crypto.randomUUID`, which browsers have on https pages only. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
