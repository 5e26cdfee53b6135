import { maxWaitsPerCaller } from '../config/limits.js';
import type { Listener } from '../database/listener.js';
import { createKeyedCounter } from '../platform/concurrency.js';

/** Requests that wait for a booking to change (`Prefer: wait`), woken by NOTIFY. */
export interface BookingWaits {
  /**
   * Begins a wait; no later change of the booking is missed. Null where the limit of waits, per
   * caller, network or process, is reached.
   */
  begin(bookingId: string, waiter: Waiter): BookingWait | null;
  count(): number;
  /** Ends all waits, and begins no more. */
  drain(): void;
}

/** The keys of the limits. At a platform, both are the person or the booking. */
export interface Waiter {
  caller: string;
  network: string;
}

export interface BookingWait {
  /**
   * Resolves with `change` when the booking has changed since the wait began; `gap` when it may have,
   * since the listener was disconnected; `time` after `milliseconds`; `end` once the wait has ended.
   */
  next(milliseconds: number): Promise<'change' | 'gap' | 'time' | 'end'>;
  /** Releases the place and resolves a pending `next`. */
  end(): void;
}

interface OpenWait extends BookingWait {
  notify(outcome: 'change' | 'gap'): void;
}

interface Announced {
  type: string;
  booking_id: string | null;
}

const maxWaits = 1_000;
/** The waits for any network; the last third is kept for networks that have none. */
const maxWaitsInCommon = maxWaits - Math.floor(maxWaits / 3);

export function createBookingWaits(listener: Listener): BookingWaits {
  const waitsByBooking = new Map<string, Set<OpenWait>>();
  const openPerCaller = createKeyedCounter();
  const openPerNetwork = createKeyedCounter();
  let isDraining = false;

  function allWaits(): OpenWait[] {
    return [...waitsByBooking.values()].flatMap((waits) => [...waits]);
  }

  listener.subscribe('booking_events', {
    notified(payload) {
      if (waitsByBooking.size === 0) return;
      const event = JSON.parse(payload) as Announced;
      // A client knows the id only after the creation, so that event is no change to it.
      if (event.type === 'hold.created' || event.booking_id === null) return;
      // Clients are shown neither the place nor the person.
      if (event.type === 'booking.readdressed' || event.type === 'booking.corrected') return;
      for (const wait of [...(waitsByBooking.get(event.booking_id) ?? [])]) wait.notify('change');
    },
    // Notifications may have been missed while the connection was down.
    connected() {
      for (const wait of allWaits()) wait.notify('gap');
    },
  });

  /** Returns a function that removes the wait. */
  function add(bookingId: string, { caller, network }: Waiter, wait: OpenWait): () => void {
    const releases = [openPerCaller.increment(caller), openPerNetwork.increment(network)];
    const waits = waitsByBooking.get(bookingId) ?? new Set();
    waitsByBooking.set(bookingId, waits.add(wait));
    return () => {
      for (const release of releases) release();
      waits.delete(wait);
      if (waits.size === 0) waitsByBooking.delete(bookingId);
    };
  }

  return {
    begin(bookingId, waiter) {
      const ofNetwork = openPerNetwork.get(waiter.network);
      const isFull =
        openPerCaller.total() >= (ofNetwork === 0 ? maxWaits : maxWaitsInCommon) ||
        openPerCaller.get(waiter.caller) >= maxWaitsPerCaller ||
        ofNetwork >= maxWaitsPerCaller;
      if (isDraining || isFull) return null;
      let notified: 'change' | 'gap' | null = null;
      let hasEnded = false;
      let wake = (): void => undefined;
      const wait: OpenWait = {
        notify(outcome) {
          if (notified !== 'change') notified = outcome;
          wake();
        },
        async next(milliseconds) {
          if (notified === null && !hasEnded) {
            await new Promise<void>((resolve) => {
              const timer = setTimeout(resolve, milliseconds);
              wake = () => {
                clearTimeout(timer);
                resolve();
              };
            });
          }
          if (hasEnded) return 'end';
          const outcome = notified ?? 'time';
          notified = null;
          return outcome;
        },
        end() {
          if (hasEnded) return;
          hasEnded = true;
          remove();
          wake();
        },
      };
      const remove = add(bookingId.toLowerCase(), waiter, wait);
      return wait;
    },
    count: () => openPerCaller.total(),
    drain() {
      isDraining = true;
      for (const wait of allWaits()) wait.end();
    },
  };
}
