/**
 * The time that a process uses for what it computes in memory: its own clock, corrected by the
 * offset to the database's clock, which decides (contract, "Conventions"). Milliseconds since the
 * epoch.
 */
export interface Clock {
  now(): number;
  /** Tells the clock that the database's clock showed `databaseNow` when ours showed `ownNow`. */
  correct(databaseNow: number, ownNow: number): void;
  /** The process's own clock, uncorrected: what `ownNow` is read from. */
  own(): number;
}

export function createClock(own: () => number = Date.now): Clock {
  let offset = 0;
  return {
    now: () => own() + offset,
    own,
    correct(databaseNow, ownNow) {
      offset = databaseNow - ownNow;
    },
  };
}
