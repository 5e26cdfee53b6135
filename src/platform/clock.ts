/**
 * The time that a process uses for what it computes in memory: its own clock, corrected by the
 * offset to the database's clock, which decides (contract, "Conventions"). Milliseconds since the
 * epoch.
 */
export interface Clock {
  now(): number;
  /**
   * Tells the clock that the database's clock, in whole milliseconds, showed `databaseNow` at some
   * moment between `sentAt` and `receivedAt` of our own.
   */
  correct(databaseNow: number, sentAt: number, receivedAt: number): void;
  /** The process's own clock, uncorrected: what `sentAt` and `receivedAt` are read from. */
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
      // An offset that the measurement does not contradict stays: time must not jitter by the
      // network's delays. A quick round trip contradicts what a slow one left.
      if (offset === undefined || offset < least || offset > most) {
        offset = Math.round((least + most) / 2);
      }
    },
  };
}
