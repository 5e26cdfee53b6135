import t from 'tap';
import { runAgents } from '../../scripts/agents/run.js';
import { readmeWith, tableOf } from '../../scripts/agents/table.js';
import { createTestDatabase } from '../support/database.js';
import { spawnService } from '../support/process.js';
import { findProgram } from '../support/programs.js';

const skip = findProgram('curl') === null && 'no curl on this machine';

void t.test(
  'third-party clients do every task, with as many calls as the README tells',
  { skip },
  async (t) => {
    const { connectionString } = await createTestDatabase(t);
    const cells = await runAgents({
      async startService(environment) {
        const service = await spawnService(t, {
          ...environment,
          DATABASE_URL: connectionString,
          SECRET_KEY: 'a secret that only the tests know, of enough length',
        });
        return { url: service.url, stop: () => service.end('SIGTERM') };
      },
      named: [],
      progress: t.comment,
    });
    const { kept, next } = await readmeWith(tableOf(cells));
    t.equal(next, kept, 'npm run agents -- --write keeps the new table');
  },
);
