import type { Listener } from '../database/listener.js';
import { maxWaitsPerCaller } from '../platform/fixed-limits.js';

/** Requests that wait for a booking to change, on the notifications that the board lives on. */
export interface BookingWaits {
  /**
   * Takes a place to wait in, from which on no change of the booking is missed. Null where the
   * caller, or the process, has no place left.
   */
  begin(bookingId: string, caller: string): BookingWait | null;
  /** How many wait. */
  count(): number;
  /** Lets nobody wait any more. */
  drain(): void;
}

export interface BookingWait {
  /**
   * Resolves with `change` when the booking may have changed since the last call, or since the wait
   * began; with `time` when so many milliseconds have passed; with `end` when the wait has ended.
   */
  next(milliseconds: number): Promise<'change' | 'time' | 'end'>;
  /** Gives the place back, and ends what `next` waits for. */
  end(): void;
}

interface Waiting extends BookingWait {
  tell(): void;
}

const maxWaits = 1_000;

export function createBookingWaits(listener: Listener): BookingWaits {
  const waitings = new Map<string, Set<Waiting>>();
  const perCaller = new Map<string, number>();
  let total = 0;
  let isDraining = false;

  function waitingFor(bookingId: string): Iterable<Waiting> {
    return [...(waitings.get(bookingId) ?? [])];
  }

  function everyone(): Iterable<Waiting> {
    return [...waitings.values()].flatMap((each) => [...each]);
  }

  listener.subscribe('booking_events', {
    notified(payload) {
      if (total === 0) return;
      const event = JSON.parse(payload) as { type: string; booking_id: string | null };
      // Whoever waits has read the booking: its creation is no news.
      if (event.type === 'hold.created' || event.booking_id === null) return;
      for (const waiting of waitingFor(event.booking_id)) waiting.tell();
    },
    // Something may have been missed.
    connected() {
      for (const waiting of everyone()) waiting.tell();
    },
  });

  /** Counts one more; the result takes it back. */
  function takePlace(bookingId: string, caller: string, waiting: Waiting): () => void {
    total += 1;
    perCaller.set(caller, (perCaller.get(caller) ?? 0) + 1);
    const forBooking = waitings.get(bookingId) ?? new Set();
    waitings.set(bookingId, forBooking.add(waiting));
    return () => {
      total -= 1;
      const left = (perCaller.get(caller) ?? 0) - 1;
      if (left > 0) perCaller.set(caller, left);
      else perCaller.delete(caller);
      forBooking.delete(waiting);
      if (forBooking.size === 0) waitings.delete(bookingId);
    };
  }

  return {
    begin(bookingId, caller) {
      const hasPlace = total < maxWaits && (perCaller.get(caller) ?? 0) < maxWaitsPerCaller;
      if (isDraining || !hasPlace) return null;
      let isNews = false;
      let hasEnded = false;
      let wake = (): void => undefined;
      const waiting: Waiting = {
        tell() {
          isNews = true;
          wake();
        },
        async next(milliseconds) {
          if (!isNews && !hasEnded) {
            await new Promise<void>((resolve) => {
              const timer = setTimeout(resolve, milliseconds);
              wake = () => {
                clearTimeout(timer);
                resolve();
              };
            });
          }
          if (hasEnded) return 'end';
          if (!isNews) return 'time';
          isNews = false;
          return 'change';
        },
        end() {
          if (hasEnded) return;
          hasEnded = true;
          givePlaceBack();
          wake();
        },
      };
      const givePlaceBack = takePlace(bookingId.toLowerCase(), caller, waiting);
      return waiting;
    },
    count: () => total,
    drain() {
      isDraining = true;
      for (const waiting of everyone()) waiting.end();
    },
  };
}
