import t from 'tap';
import { seed as usualSeed } from '../support/arbitraries.js';
import { runRace } from './move-race/race.js';

const operations = Number(process.env['RACE_OPERATIONS'] ?? 2_000);
const seed = Number(process.env['RACE_SEED'] ?? usualSeed);

const races = [
  [
    'after a race of thousands of moves, holds, confirmations, cancellations, expiries and closures in two processes, every booking has one slot, every slot one booking, and every change one event',
    1,
  ],
  ['the same with four artists, each of whom has a slot once, and each person one of them', 4],
] as const;

for (const [what, artists] of races) {
  t.test(what, async (t) => {
    const { findings, outcomes } = await runRace(t, { seed, operations, artists });
    t.strictSame(findings.slice(0, 20), [], `seed ${seed}`);
    // A race in which these did not happen would prove little.
    for (const outcome of [
      'hold: held',
      'hold: slot_unavailable',
      'move: made',
      'move: slot_unavailable',
      'move to the slot of a lapsed hold: made',
      'stale move: nothing to do',
      'move twice: made',
      'move to a closed slot: slot_unavailable',
      'move at the edge: nothing to do',
      'studio move: moved',
      'studio add: added',
      'close: added',
      'reopen: removed',
      'week set: saved',
      'week removed: saved',
      // With several artists, both find another one free.
      ...(artists === 1 ? ['swap: slot_unavailable', 'swap across: slot_unavailable'] : []),
      ...(artists === 1
        ? []
        : [
            'hold: a person twice',
            'move to their own: elsewhere',
            'switch artist: made',
            'hide: saved',
            'days: saved',
          ]),
    ]) {
      t.ok(outcome in outcomes, outcome);
    }
  });
}
