import type { DueDelivery } from '../repositories/webhook-deliveries.js';

/**
 * Unless the subscription was found alive since, what was read is read again beside the sending
 * after so long, and after so long before it.
 */
const agingMs = 35;
const staleMs = 50;

/** The next read returns what is left over again: so it begins late, though before all is gone. */
const lowShare = 0.15;

/** The due deliveries of one subscription, each handed out once. */
export interface DeliveryBuffer {
  /** The next one, or undefined when nothing is due. Rejects when it cannot be read. */
  next(): Promise<DueDelivery | undefined>;
  /** More is due than was read before. */
  lookAgain(): void;
  /** Whether the subscription was alive just now, for those who learn it anyway. */
  confirm(isLive: boolean): void;
}

/**
 * Hands out what was read `first`, and reads more, `limit` at a time, before that has run out. The
 * subscription of what is handed out was alive at most a twentieth of a second ago.
 */
export function createDeliveryBuffer(
  first: DueDelivery[],
  read: () => Promise<DueDelivery[]>,
  limit: number,
): DeliveryBuffer {
  const taken = new Set<string>();
  let buffer: DueDelivery[] = [];
  let holdsMore = false;
  let confirmedAt = 0;
  /** How often it was said that more is due. */
  let announced = 0;
  let reading: Promise<void> | undefined;

  function keep(rows: DueDelivery[], isNewest: boolean): void {
    buffer = rows.filter(({ id }) => !taken.has(id));
    holdsMore = rows.length === limit || !isNewest;
    confirmedAt = performance.now();
  }
  keep(first, true);

  function readAgain(): Promise<void> {
    const known = announced;
    reading ??= read()
      .then((rows) => keep(rows, announced === known))
      .finally(() => {
        reading = undefined;
      });
    // Whoever waits for it hears of a failure; where nobody does, the next one will.
    reading.catch(() => undefined);
    return reading;
  }

  return {
    async next() {
      const age = performance.now() - confirmedAt;
      const isEmpty = buffer.length === 0;
      if (age >= staleMs || (isEmpty && holdsMore)) await readAgain();
      else if (!isEmpty && (age >= agingMs || (holdsMore && buffer.length <= limit * lowShare))) {
        void readAgain();
      }
      const delivery = buffer.shift();
      if (delivery !== undefined) taken.add(delivery.id);
      return delivery;
    },
    lookAgain() {
      announced += 1;
      holdsMore = true;
    },
    confirm(isLive) {
      if (isLive) confirmedAt = performance.now();
      else keep([], true);
    },
  };
}
