import { setImmediate, setTimeout } from 'node:timers/promises';

/** So many are served before other requests get their turn. */
const perTurn = 250;
/** Rounds take about a fifth of the time at most, and come at least twice a second. */
const pauses = { leastMs: 50, perMsOfRound: 4, mostMs: 500 };

/**
 * Serves a crowd in rounds, one at a time: the result asks for one, and whatever asks before it
 * begins shares it. `prepare` runs at its beginning, `serve` for each member.
 */
export function createRounds<Member>(
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
      // Not at once: the answer to whoever made the change leaves first.
      await (waitMs > 0 ? setTimeout(waitMs, undefined, { ref: false }) : setImmediate());
      isDue = false;
      prepare();
      const tookMs = await serveAll();
      const { leastMs, perMsOfRound, mostMs } = pauses;
      nextAt = performance.now() + Math.min(Math.max(tookMs * perMsOfRound, leastMs), mostMs);
    }
    isRunning = false;
  }

  async function serveAll(): Promise<number> {
    const began = performance.now();
    let served = 0;
    for (const member of members) {
      serve(member);
      served += 1;
      if (served % perTurn === 0) await setImmediate();
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
