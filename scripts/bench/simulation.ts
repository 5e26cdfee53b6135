/**
 * `npm run simulation [-- --validate]`: a crowd of agents that want the same few slots, with the
 * service's own rules, in simulated time. Prints what became of it; the same on every machine.
 *
 *     --validate  also sends a small crowd to the real service, and compares
 */
import { parseArgs } from 'node:util';
import { percentile } from './row.js';
import { simulateCrowd, type Outcome } from './simulation/crowd.js';
import { crowdOf, defaultRules, epochMs, variants } from './simulation/scenarios.js';
import { validation } from './simulation/validation.js';
import { markdownTable } from './table.js';

const seconds = 2_400;
const seed = 1;
/** Until all have come and chosen; what comes later are the waves. */
const rushSeconds = 90;

const { values: options } = parseArgs({ options: { validate: { type: 'boolean' } } });
const lines = [100, 1_000, 10_000].flatMap((agents) =>
  variants.map(({ name, change }) => {
    const rules = { ...defaultRules(), ...change };
    return line(agents, name, simulateCrowd(crowdOf(agents), rules, { epochMs, seconds, seed }));
  }),
);
console.log(
  markdownTable(
    [
      'agents',
      'rule',
      'bookings',
      'requests',
      'per booking',
      'busiest second, rush',
      'later',
      'median wait',
      'refused by cap',
      'by budget',
      'shed',
    ],
    lines,
  ),
);
if (options.validate) console.log(`\n${await validation()}`);

function line(agents: number, name: string, outcome: Outcome): string[] {
  const { confirmed, requests, requestsBySecond, waits, answers } = outcome;
  const count = (kind: string): string => String(answers[kind] ?? 0);
  return [
    String(agents),
    name,
    String(confirmed),
    String(requests),
    (requests / confirmed).toFixed(1),
    `${Math.max(...requestsBySecond.slice(0, rushSeconds))}/s`,
    `${Math.max(...requestsBySecond.slice(rushSeconds))}/s`,
    `${percentile(waits, 0.5).toFixed(0)} s`,
    count('too_many_pending_holds'),
    count('rate_limited'),
    count('service_unavailable'),
  ];
}
