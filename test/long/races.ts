import t from 'tap';
import { runRace } from '../domain/move-race/race.js';

/** `RACE_OPERATIONS=5000` for fewer, `RACE_SEED` for the same ones again. */
const operations = Number(process.env['RACE_OPERATIONS'] ?? 100_000);
const seed = Number(process.env['RACE_SEED'] ?? Date.now() % 2 ** 31);

void t.test(
  `after ${operations} operations of two processes, of which one is killed every thirty seconds, no artist and no person has two sessions at a time, none was taken that was not open, and nothing that was acknowledged is lost`,
  async (t) => {
    const race = { seed, operations, artists: 4, lifeMs: 30_000 };
    const { findings, outcomes, figures } = await runRace(t, race);
    console.error(JSON.stringify({ seed, ...figures, outcomes }, null, 2));
    t.strictSame(findings.slice(0, 20), [], `seed ${seed}`);
  },
);
