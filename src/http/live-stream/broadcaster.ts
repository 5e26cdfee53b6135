import { setImmediate, setTimeout } from 'node:timers/promises';

/** Viewers served per iteration of the event loop. */
const perIteration = 250;
/** The pause after a round: four times its duration, so that rounds take a fifth of the time. */
const pause = { minMs: 50, perMsOfRound: 4, maxMs: 500 };

/**
 * Serves all members in rounds, one round at a time. The result schedules a round; calls before it
 * begins share it. A round calls `prepare` once, then `serve` for each member.
 */
export function createBroadcaster<Member>(
  members: ReadonlySet<Member>,
  prepare: () => void,
  serve: (member: Member) => void,
): () => void {
  let isDue = false;
  let isRunning = false;
  let nextAt = -Infinity;

  async function run(): Promise<void> {
    while (isDue && members.size > 0) {
      const waitMs = nextAt - performance.now();
      // Deferred: the response to the change itself goes out first.
      await (waitMs > 0 ? setTimeout(waitMs, undefined, { ref: false }) : setImmediate());
      isDue = false;
      prepare();
      const tookMs = await serveAll();
      const { minMs, perMsOfRound, maxMs } = pause;
      nextAt = performance.now() + Math.min(Math.max(tookMs * perMsOfRound, minMs), maxMs);
    }
    isRunning = false;
  }

  async function serveAll(): Promise<number> {
    const began = performance.now();
    let served = 0;
    for (const member of members) {
      serve(member);
      served += 1;
      if (served % perIteration === 0) await setImmediate();
    }
    return performance.now() - began;
  }

  return () => {
    isDue = true;
    if (isRunning) return;
    isRunning = true;
    void run();
  };
}
