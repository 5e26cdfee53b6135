/**
 * Wraps work that covers everything due whenever it runs: calls that come while it runs share one
 * further run, so that a crowd of callers costs at most two. Each caller's work has been done by a
 * run that began after its call.
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
