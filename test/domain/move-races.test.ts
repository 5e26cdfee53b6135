import t from 'tap';
import { seed } from '../support/arbitraries.js';
import { runRace, timesByOutcome } from './move-race/race.js';

t.test(
  'after a race of 2,000 moves, holds, confirmations, cancellations, expiries and closures in two processes, every booking has one slot, every slot one booking, and every change one event',
  async (t) => {
    const result = await runRace(t, seed, 2_000);
    t.strictSame(result.findings.slice(0, 20), [], `seed ${seed}`);
    const times = timesByOutcome(result);
    // A race in which these did not happen would prove little.
    for (const outcome of [
      'hold: held',
      'hold: slot_unavailable',
      'move: made',
      'move: slot_unavailable',
      'move to the slot of a lapsed hold: made',
      'stale move: nothing to do',
      'swap: slot_unavailable',
      'swap across: slot_unavailable',
      'move twice: made',
      'move to a closed slot: slot_unavailable',
      'move at the edge: nothing to do',
      'studio move: moved',
      'studio add: added',
      'close: added',
      'reopen: removed',
    ]) {
      t.ok(times.has(outcome), outcome);
    }
  },
);
