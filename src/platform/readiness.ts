import { singleFlight } from './concurrency.js';

/** Whether this process accepts requests, as `/readyz` answers load balancers. */
export type Readiness = ReturnType<typeof createReadiness>;

/** Probes are regular if the last one is at most this old. */
const probeIntervalMs = 30_000;
/** Load balancers drop a process after two or three failures. */
const failuresNeeded = 3;
/** The time in which the last failure, and the requests before it, arrive. */
const afterLastFailureMs = 500;
const maxWaitMs = 4_000;

export function createReadiness(ping: () => Promise<void>, monotonic = () => performance.now()) {
  let probedAt = -Infinity;
  let isOpen = true;
  let failuresLeft = failuresNeeded;
  let finish = (): void => undefined;
  return {
    /** False once the process begins to stop. */
    isOpen: () => isOpen,
    /** Resolves when the database answers. Concurrent calls share one query. */
    check: singleFlight(ping),
    /** Records a request to `/readyz`, before it is answered. */
    recordProbe() {
      probedAt = monotonic();
      if (isOpen) return;
      failuresLeft -= 1;
      if (failuresLeft === 0) setTimeout(finish, afterLastFailureMs);
    },
    /**
     * Closes: `isOpen` is false from now on. Resolves once regular probes have seen enough failures
     * to send requests elsewhere: at once without such probes, and after 4 seconds at the latest.
     */
    async withdraw() {
      isOpen = false;
      if (monotonic() - probedAt > probeIntervalMs) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, maxWaitMs);
        finish = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    },
  };
}
