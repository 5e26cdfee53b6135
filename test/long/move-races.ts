/**
 * `npm run test:long`: the race of test/domain/move-races.test.ts with RACE_OPERATIONS (100,000)
 * operations, from RACE_SEED (random). Prints how many operations had which outcome, and how long
 * they took.
 */
import t from 'tap';
import { percentile } from '../../scripts/bench/row.js';
import { runRace, timesByOutcome } from '../domain/move-race/race.js';

const operations = Number(process.env['RACE_OPERATIONS'] ?? 100_000);
const seed = Number(process.env['RACE_SEED'] ?? Math.floor(Math.random() * 1_000_000));

t.test(
  `after a race of ${operations} operations of seed ${seed}, every booking has one slot, every slot one booking, and every change one event`,
  async (t) => {
    const result = await runRace(t, seed, operations);
    console.error(`seed ${seed}, ${operations} operations, ${result.seconds.toFixed(0)} s`);
    console.error(
      `${result.history.bookings.length} bookings, ${result.history.events.length} events`,
    );
    console.error('| outcome | times | p50 | p99 | max |\n| --- | --- | --- | --- | --- |');
    for (const [outcome, times] of timesByOutcome(result)) {
      const figures = [0.5, 0.99, 1].map((share) => `${percentile(times, share).toFixed(1)} ms`);
      console.error(`| ${outcome} | ${times.length} | ${figures.join(' | ')} |`);
    }
    t.strictSame(result.findings.slice(0, 50), [], `seed ${seed}`);
  },
);
