import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Test } from 'tap';
import { createTestDatabase } from '../../support/database.js';
import { compiledFile } from '../../support/project.js';
import { someOpenSlots } from '../../support/requests.js';
import { generous, startTestService } from '../../support/service.js';
import { readHistory, type History } from './history.js';
import { judge } from './judge.js';
import type { Attempt, BoardEntry, Command, RacePlan, Report } from './plan.js';

const slotCount = 50;
const processes = 2;
const clientsPerProcess = 8;

export interface RaceResult {
  history: History;
  attempts: Attempt[];
  /** What is wrong, a sentence each. */
  findings: string[];
  seconds: number;
}

/**
 * Two processes change bookings, holds and closures of the same 50 slots at random, in some
 * `operations` in all, and the rows, the events and the boards are judged.
 */
export async function runRace(t: Test, seed: number, operations: number): Promise<RaceResult> {
  const { connectionString } = await createTestDatabase(t);
  const { context } = await startTestService(t, { ...generous, DATABASE_URL: connectionString });
  const slots = await someOpenSlots(context, slotCount);
  const racers = await Promise.all(
    Array.from({ length: processes }, (_, process) =>
      startRacer(t, {
        connectionString,
        seed: seed + process,
        process,
        operations: operations / processes,
        clients: clientsPerProcess,
        slots,
      }),
    ),
  );
  const began = performance.now();
  const attempts = (await Promise.all(racers.map((racer) => racer.run()))).flat();
  const seconds = (performance.now() - began) / 1000;
  const boards = await Promise.all(racers.map((racer) => racer.readBoard()));
  const history = await readHistory(connectionString);
  await Promise.all(racers.map((racer) => racer.stop()));
  return { history, attempts, findings: judge(history, attempts, boards), seconds };
}

interface Racer {
  run(): Promise<Attempt[]>;
  readBoard(): Promise<BoardEntry[]>;
  stop(): Promise<void>;
}

async function startRacer(t: Test, plan: RacePlan): Promise<Racer> {
  const child = fork(compiledFile('test/domain/move-race/worker.ts'), [JSON.stringify(plan)]);
  const exited = once(child, 'exit');
  t.teardown(async () => {
    if (child.exitCode === null) child.kill('SIGKILL');
    await exited;
  });
  const send = (command: Command) => child.send(command);
  await nextReport(child, 'ready');
  return {
    async run() {
      const attempts: Attempt[] = [];
      child.on('message', (report: Report) => {
        if (report.type === 'attempts') attempts.push(...report.attempts);
      });
      send('start');
      await nextReport(child, 'done');
      return attempts;
    },
    async readBoard() {
      send('report the board');
      return (await nextReport(child, 'board')).board;
    },
    async stop() {
      send('stop');
      const [code] = (await exited) as [number | null];
      t.equal(code, 0, 'the process ends by itself');
    },
  };
}

function nextReport<Type extends Report['type']>(
  child: ChildProcess,
  type: Type,
): Promise<Extract<Report, { type: Type }>> {
  return new Promise((resolve, reject) => {
    const received = (report: Report) => {
      if (report.type !== type) return;
      stop();
      resolve(report as Extract<Report, { type: Type }>);
    };
    const ended = () => {
      stop();
      reject(new Error('a process of the race has ended'));
    };
    const stop = () => child.off('message', received).off('exit', ended);
    child.on('message', received).on('exit', ended);
  });
}
