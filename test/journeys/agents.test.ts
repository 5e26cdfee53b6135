import t from 'tap';
import { runAgents } from '../../scripts/agents/run.js';
import { readmeWith, tableOf } from '../../scripts/agents/table.js';
import { createTestDatabase } from '../support/database.js';
import { spawnService, findProgram } from '../support/process.js';
import { secretKey } from '../support/service.js';

const skip = findProgram('curl') === null && 'no curl on this machine';

/** `npm run agents` runs all six. */
const clients = ['openapi-fetch', 'curl', 'mcp-sdk-1', 'mcp-sdk-2'];

void t.test(
  'third-party clients do every task, with as many calls as the README tells',
  { skip },
  async (t) => {
    const { connectionString } = await createTestDatabase(t);
    const cells = await runAgents({
      async startService(environment) {
        const own = { DATABASE_URL: connectionString, SECRET_KEY: secretKey };
        const service = await spawnService(t, { ...environment, ...own });
        return { url: service.url, stop: () => service.end('SIGTERM') };
      },
      named: clients,
      progress: t.comment,
    });
    const failures = cells.filter(
      ({ outcome }) => typeof outcome === 'object' && 'failure' in outcome,
    );
    t.same(failures, []);
    const rows = (table: string) => table.split('\n').map((line) => line.replace(/ +/g, ' '));
    const kept = rows((await readmeWith(tableOf(cells))).kept);
    const [, , ...played] = rows(tableOf(cells));
    t.equal(played.length, clients.length);
    for (const row of played) t.ok(kept.includes(row), row);
    const most = (client: string) => (client.startsWith('mcp') ? 5 : 4);
    for (const { client, task, outcome } of cells.filter(({ task }) => task !== 'twice')) {
      t.notOk(
        typeof outcome === 'object' && 'calls' in outcome && outcome.calls > most(client),
        `${client}: ${task}`,
      );
    }
  },
);
