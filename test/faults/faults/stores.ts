import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { findServedDatabase } from '../../../src/database/embedded/server.js';
import { query, temporaryFolder } from '../../support/embedded.js';
import { startDatabaseProxy, type Proxy } from '../../support/proxy.js';
import type { SmtpFault } from '../../support/smtp.js';
import { installSplit, type Fault } from '../fault.js';
import { install } from '../installation.js';

const run = promisify(execFile);
const smallDisk = '160m';
const cuts = 10;

function postgresStopped(name: string, queuesOnPostgres: boolean): Fault {
  return {
    name,
    // The record of a mail is tried for about as long.
    mayRepeatMails: true,
    async prepare(scope, servers) {
      return {
        installation: await installSplit(scope, servers, { queuesOnPostgres }),
        async strike() {
          await servers.stopPostgres();
          await delay(20_000);
          await servers.startPostgres();
        },
      };
    },
  };
}

export const stores: Fault[] = [
  postgresStopped('PostgreSQL stopped for 20 s and started', false),
  postgresStopped('the same, with the queues on PostgreSQL', true),
  {
    name: `connections of PostgreSQL cut, ${cuts} times, with the queues on it`,
    async prepare(scope, servers) {
      const installation = await installSplit(scope, servers, { queuesOnPostgres: true });
      return {
        installation,
        async strike() {
          let cut = 0;
          for (let round = 0; round < cuts; round += 1) {
            const rows = await query(
              installation.connectionString,
              `select pg_terminate_backend(pid) from pg_stat_activity
               where datname = current_database() and pid <> pg_backend_pid()`,
            );
            cut += rows.length;
            await delay(300);
          }
          return `${cut} connections`;
        },
      };
    },
  },
  {
    name: 'PostgreSQL slow, 600 ms a round trip for 10 s',
    async prepare(scope, servers) {
      const proxies: Proxy[] = [];
      const each = async (direct: string) => {
        const { proxy, connectionString } = await startDatabaseProxy(scope, direct);
        proxies.push(proxy);
        return { DATABASE_URL: connectionString };
      };
      return {
        installation: await installSplit(scope, servers, { changes: { each } }),
        async strike() {
          for (const proxy of proxies) proxy.slow(300);
          await delay(10_000);
          for (const proxy of proxies) proxy.restore();
        },
      };
    },
  },
  {
    name: 'Redis stopped for 8 s, replaced by an empty one, flushed',
    missing: async ({ redis }) => (redis === null ? 'no redis-server on this machine' : null),
    async prepare(scope, servers) {
      return {
        installation: await installSplit(scope, servers),
        async strike() {
          await servers.replaceRedis(8_000);
          await delay(3_000);
          const client = new Redis(servers.redis!.url);
          const keys = await client.dbsize();
          await client.flushall();
          await client.quit();
          return `${keys} keys flushed`;
        },
      };
    },
  },
  {
    name: 'mail server that fails at random, 10 s',
    async prepare(scope, servers) {
      const installation = await installSplit(scope, servers);
      const { smtp } = installation;
      return {
        installation,
        async strike() {
          const faults: SmtpFault[] = [{ code: 421 }, { code: 451 }, 'cut', 'silence'];
          let count = 0;
          smtp.misbehave(({ stage }) => {
            if (Math.random() > 0.2) return null;
            count += 1;
            // After the end of a mail only by a reply: it has not arrived.
            return faults[Math.floor(Math.random() * (stage === 'end' ? 2 : 4))]!;
          });
          await delay(10_000);
          smtp.misbehave(null);
          return `${count} faults`;
        },
      };
    },
  },
  {
    name: 'disk full for the embedded server, 10 s',
    mayRepeatMails: true,
    missing: async () =>
      process.platform === 'linux' && process.getuid?.() === 0
        ? null
        : 'only root can mount a small disk',
    async prepare(scope) {
      const dataDir = await temporaryFolder(scope);
      await run('mount', ['-t', 'tmpfs', '-o', `size=${smallDisk},mode=700`, 'tmpfs', dataDir]);
      scope.teardown(() => run('umount', ['--lazy', dataDir]));
      const plan = { name: 'all', environment: { DATA_DIR: dataDir } };
      const ballast = join(dataDir, 'ballast');
      return {
        installation: await install(
          scope,
          [plan],
          async () => (await findServedDatabase(dataDir))!,
        ),
        async strike() {
          await run('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=64k']).catch(() => undefined);
          await delay(10_000);
          await rm(ballast);
        },
      };
    },
  },
];
