import t from 'tap';
import { runAgents } from '../../scripts/agents/run.js';
import { readmeWith, tableOf } from '../../scripts/agents/table.js';
import { createTestDatabase } from '../support/database.js';
import { spawnService } from '../support/process.js';
import { secretKey } from '../support/service.js';

t.test(
  'every third-party client does every task, with as many calls as the README tells',
  async (t) => {
    const { connectionString } = await createTestDatabase(t);
    const cells = await runAgents({
      async startService(environment) {
        const own = { DATABASE_URL: connectionString, SECRET_KEY: secretKey };
        const service = await spawnService(t, { ...environment, ...own });
        return { url: service.url, stop: () => service.end('SIGTERM') };
      },
      named: [],
      progress: t.comment,
    });
    const { kept, next } = await readmeWith(tableOf(cells));
    t.equal(next, kept, 'npm run agents -- --write keeps the new table');
  },
);
