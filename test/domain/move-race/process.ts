/** A process of a race: `race.ts` starts it, and kills or stops it. */
import { loadConfig } from '../../../src/config/config.js';
import { closeContext, createContext, openContext } from '../../../src/context.js';
import { createLogger } from '../../../src/platform/log.js';
import { createKeyring } from '../../../src/secrets/keyring.js';
import { secretKey } from '../../support/service.js';
import { createOperations } from './operations.js';
import { clientsPerProcess, randomNumbers, type ProcessPlan } from './race.js';

const { environment, seed, ...plan } = JSON.parse(process.argv[2]!) as ProcessPlan;
const context = createContext({
  config: loadConfig(environment),
  log: createLogger('error'),
  connection: { connectionString: environment['DATABASE_URL']! },
  keyring: createKeyring(secretKey),
});
await openContext(context);
let isOver = false;
process.once('message', () => {
  isOver = true;
});
const { next } = createOperations(context, { ...plan, random: randomNumbers(seed) });
const clients = Array.from({ length: clientsPerProcess }, async () => {
  while (!isOver) process.send!(await next());
});
await Promise.all(clients);
await closeContext(context);
process.disconnect();
