import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Scope } from '../../support/service-log.js';
import { installSplit, type Fault, type Variation } from '../fault.js';

const hourMs = 3_600_000;
const halfOpenConnections = 10_000;
const batchSize = 100;
const sparedFiles = 1_000;
const oneOfTwo = ['api 1', 'worker 1', 'worker 2'];

const clocks: [name: string, host: string, shiftMs: number, variation?: Variation][] = [
  ['clock of one api of two an hour ahead', 'api 1', hourMs],
  ['clock of one worker of two an hour ahead', 'worker 1', hourMs, { hosts: oneOfTwo }],
  [
    'the same, with the queues on PostgreSQL',
    'worker 1',
    hourMs,
    { hosts: oneOfTwo, queuesOnPostgres: true },
  ],
  ['clock of one worker of two an hour behind', 'worker 1', -hourMs, { hosts: oneOfTwo }],
];

export const machine: Fault[] = [
  ...clocks.map(([name, host, shiftMs, variation]): Fault => {
    const preload = new URL('../../support/clock-preload.ts', import.meta.url).href;
    const environment = {
      NODE_OPTIONS: `--import tsx --import ${preload}`,
      TEST_CLOCK_SHIFT_MS: String(shiftMs),
    };
    const changes = { [host]: async () => environment };
    return {
      name,
      async prepare(scope, servers) {
        const installation = await installSplit(scope, servers, { ...variation, changes });
        return { installation, strike: () => delay(6_000) };
      },
    };
  }),
  {
    name: `${halfOpenConnections} half-open connections`,
    async missing() {
      const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
      const most = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? 0);
      return most > halfOpenConnections + sparedFiles
        ? null
        : `a process may open only ${most} files here (ulimit -n)`;
    },
    async prepare(scope, servers) {
      const installation = await installSplit(scope, servers);
      const { port } = new URL(installation.urls[0]!);
      return { installation, strike: () => openHalf(scope, Number(port)) };
    },
  },
];

/** Half of them say nothing, half stop in the middle of a header. Ends when all are closed. */
async function openHalf(scope: Scope, port: number): Promise<string> {
  const began = performance.now();
  const closed: Promise<unknown>[] = [];
  let left = 0;
  while (closed.length < halfOpenConnections) {
    const batch = Array.from({ length: batchSize }, () => connect(port, '127.0.0.1'));
    scope.teardown(() => batch.forEach((socket) => socket.destroy()));
    for (const [index, socket] of batch.entries()) {
      socket.on('error', () => undefined).resume();
      closed.push(once(socket, 'close').then(() => (left -= 1)));
      if (index % 2 === 0) socket.write('GET /api/public/studio HTTP/1.1\r\nX-Slow: ');
    }
    left += batchSize;
    await Promise.all(batch.map((socket) => once(socket, 'connect')));
  }
  await Promise.race([Promise.all(closed), delay(30_000)]);
  const seconds = Math.round((performance.now() - began) / 1000);
  return `${left} still open after ${seconds} s`;
}
