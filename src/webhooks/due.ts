import type { DueDelivery } from '../repositories/webhook-deliveries.js';

/** After so long what was read is read again beside the sending, and after so long before it. */
const agingMs = 20;
const staleMs = 50;

/** The due deliveries of one subscription, each handed out once. */
export interface DueDeliveries {
  /** The next one, or undefined when nothing is due. Rejects when it cannot be read. */
  next(): Promise<DueDelivery | undefined>;
  /** What was read before is out of date. */
  lookAgain(): void;
}

/**
 * Hands out what was read `first`, and reads more, `limit` at a time, before that has run out. What
 * is handed out was due, and its subscription alive, at most a twentieth of a second ago.
 */
export function createDueDeliveries(
  first: DueDelivery[],
  read: () => Promise<DueDelivery[]>,
  limit: number,
): DueDeliveries {
  const taken = new Set<string>();
  let buffer: DueDelivery[] = [];
  let holdsMore = false;
  let readAt = 0;
  let reading: Promise<void> | undefined;

  function keep(rows: DueDelivery[]): void {
    buffer = rows.filter(({ id }) => !taken.has(id));
    holdsMore = rows.length === limit;
    readAt = performance.now();
  }
  keep(first);

  function readAgain(): Promise<void> {
    reading ??= read()
      .then(keep)
      .finally(() => {
        reading = undefined;
      });
    // Whoever waits for it hears of a failure; where nobody does, the next one will.
    reading.catch(() => undefined);
    return reading;
  }

  return {
    async next() {
      const age = performance.now() - readAt;
      const isEmpty = buffer.length === 0;
      if (age >= staleMs || (isEmpty && holdsMore)) await readAgain();
      else if (!isEmpty && (age >= agingMs || (holdsMore && buffer.length <= limit / 2))) {
        void readAgain();
      }
      const delivery = buffer.shift();
      if (delivery !== undefined) taken.add(delivery.id);
      return delivery;
    },
    lookAgain() {
      readAt = -Infinity;
    },
  };
}
