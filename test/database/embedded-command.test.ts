import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { findServedDatabase, hasEmbeddedDatabase } from '../../src/database/embedded/running.js';
import { startEmbeddedPostgres } from '../../src/database/embedded/server.js';
import { createLogger } from '../../src/platform/log.js';
import {
  end,
  query,
  settings,
  startServer,
  startService,
  temporaryFolder,
} from '../support/embedded.js';

t.test(
  'what is found on a folder is what a service is serving there, and nothing else',
  async (t) => {
    const dataDir = await temporaryFolder(t);
    t.equal(await findServedDatabase(join(dataDir, 'none')), null);
    t.notOk(await hasEmbeddedDatabase(dataDir));

    const service = await startService(t, dataDir);
    t.equal(service.said, `ready ${await findServedDatabase(dataDir)}`);
    t.ok(await hasEmbeddedDatabase(dataDir));

    await end(service.process, 'SIGKILL');
    t.equal(await findServedDatabase(dataDir), null, 'a server that a killed service left is none');

    const command = await startServer(t, dataDir, { purpose: 'command' });
    t.equal(await findServedDatabase(dataDir), null, "nor is another command's");
    await command.stop();
    t.equal(await findServedDatabase(dataDir), null);
    t.ok(await hasEmbeddedDatabase(dataDir), 'which leaves the database there');
  },
);

t.test('a start waits for a command that is at work, also where the path is long', async (t) => {
  const dataDir = join(await temporaryFolder(t), 'a-long-name'.repeat(10));
  const command = await startServer(t, dataDir, { purpose: 'command' });
  await query(command.connectionString, 'create table kept as select 42 as answer');
  const starting = startServer(t, dataDir);
  const waiting = `select from pg_stat_activity
    where datname = 'postgres' and application_name like '%supervisor%'`;
  while ((await query(command.connectionString, waiting)).length < 2);
  await command.stop();

  const service = await starting;
  t.same(await query(service.connectionString, 'table kept'), [{ answer: 42 }]);
});

t.test(
  'commands that start at once take turns, also where a crash has left its lock',
  async (t) => {
    const dataDir = await temporaryFolder(t);
    const options = { dataDir, log: createLogger('silent'), settings, purpose: 'command' } as const;
    const lockFile = join(dataDir, 'postgres', 'postmaster.pid');
    const first = await startEmbeddedPostgres(options);
    // No process has a number as high.
    const left = (await readFile(lockFile, 'utf8')).replace(/^\d+/u, '4194305');
    await first.stop();
    for (let round = 0; round < 8; round += 1) {
      if (round % 2 === 1) await writeFile(lockFile, left);
      const turns = Array.from({ length: 5 }, async () => {
        const server = await startEmbeddedPostgres(options);
        await server.stop();
      });
      await t.resolves(Promise.all(turns), `round ${round}`);
    }
  },
);
