/**
 * Wraps work that processes everything pending each time it runs. Calls during a run share one
 * further run, so that concurrent calls cost at most two. Every call resolves with a run that began
 * after it.
 */
export function singleFlight<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | null = null;
  let next: Promise<Result> | null = null;

  const start = (): Promise<Result> => {
    running = work().finally(() => {
      running = null;
    });
    return running;
  };

  return () => {
    if (running === null) return start();
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = null;
        return start();
      });
    return next;
  };
}
