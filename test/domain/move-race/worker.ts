/**
 * A process of the race (race.ts), which forks it with a plan: a context of its own on the shared
 * database, and clients that change bookings, closures and holds at random.
 */
import { once } from 'node:events';
import { loadConfig } from '../../../src/config.js';
import { closeContext, createContext, openContext } from '../../../src/context.js';
import { createKeyring } from '../../../src/platform/keyring.js';
import { createLogger } from '../../../src/platform/log.js';
import { generous, secretKey } from '../../support/service.js';
import { createOperations } from './operations.js';
import type { Command, RacePlan, Report } from './plan.js';

const plan = JSON.parse(process.argv[2] ?? '') as RacePlan;
const { connectionString } = plan;
const context = createContext({
  config: loadConfig({
    ...generous,
    PUBLIC_BASE_URL: 'http://studio.test',
    DATABASE_URL: connectionString,
    SECRET_KEY: secretKey,
    HOLD_LIFETIME_SECONDS: '1',
    MAX_MOVES: '20',
  }),
  log: createLogger('error'),
  connection: { connectionString },
  keyring: createKeyring(secretKey),
});
await openContext(context);
report({ type: 'ready' });

await command('start');
const operations = createOperations(context, plan);
let begun = 0;
await Promise.all(
  Array.from({ length: plan.clients }, async () => {
    while (begun < plan.operations) {
      begun += 1;
      report({ type: 'attempts', attempts: await operations.next() });
    }
  }),
);
report({ type: 'done' });

await command('report the board');
await context.board.refresh();
const { taken } = await context.board.read();
report({
  type: 'board',
  board: [...taken].map(([slot, { id, sequence, lapsesAt }]) => ({ slot, id, sequence, lapsesAt })),
});

await command('stop');
await closeContext(context);
process.disconnect();

function report(message: Report): void {
  process.send?.(message);
}

async function command(expected: Command): Promise<void> {
  const [received] = (await once(process, 'message')) as [Command];
  if (received !== expected) throw new Error(`${received} came before ${expected}`);
}
