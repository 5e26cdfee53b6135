import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { installSplit, type Fault, type Variation } from '../fault.js';
import { openHalf } from './half-open.js';

const hourMs = 3_600_000;
const halfOpenConnections = 10_000;
const sparedFiles = 1_000;

/** The environment of a process whose clock differs from the machine's. */
function clockShift(milliseconds: number) {
  const preload = new URL('shifted-clock.ts', import.meta.url).href;
  return async () => ({
    NODE_OPTIONS: `--import tsx --import ${preload}`,
    CLOCK_SHIFT_MS: String(milliseconds),
  });
}

function clockOff(name: string, variation: Variation): Fault {
  return {
    name,
    async prepare(scope, servers) {
      return {
        installation: await installSplit(scope, servers, variation),
        strike: () => delay(6_000),
      };
    },
  };
}

const twoWorkers = ['api 1', 'worker 1', 'worker 2'];

export const machine: Fault[] = [
  clockOff('clock of one api of two an hour ahead', {
    changes: { 'api 1': clockShift(hourMs) },
  }),
  clockOff('clock of one worker of two an hour ahead', {
    hosts: twoWorkers,
    changes: { 'worker 1': clockShift(hourMs) },
  }),
  clockOff('the same, with the queues on PostgreSQL', {
    hosts: twoWorkers,
    queuesOnPostgres: true,
    changes: { 'worker 1': clockShift(hourMs) },
  }),
  clockOff('clock of one worker of two an hour behind', {
    hosts: twoWorkers,
    changes: { 'worker 1': clockShift(-hourMs) },
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
      return { installation, strike: () => openHalf(scope, Number(port), halfOpenConnections) };
    },
  },
];
