/**
 * The time for computations in memory, in milliseconds since the epoch: the clock of the process,
 * corrected by its offset to the clock of the database, which is authoritative (src/decisions.md).
 */
export interface Clock {
  now(): number;
  /**
   * Adjusts the offset: the database's clock showed `databaseNow` (whole milliseconds) at some
   * instant between `sentAt` and `receivedAt` (as `own` returns them).
   */
  correct(databaseNow: number, sentAt: number, receivedAt: number): void;
  /** The clock of the process, uncorrected. */
  own(): number;
}

export function createClock(own: () => number = Date.now): Clock {
  let offset: number | undefined;
  return {
    now: () => own() + (offset ?? 0),
    own,
    correct(databaseNow, sentAt, receivedAt) {
      const least = databaseNow - receivedAt;
      const most = databaseNow + 1 - sentAt;
      // An offset that fits the measurement stays, so that time does not jitter with the delays of
      // the network.
      if (offset === undefined || offset < least || offset > most) {
        offset = Math.round((least + most) / 2);
      }
    },
  };
}
