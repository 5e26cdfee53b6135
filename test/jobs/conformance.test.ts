import { randomUUID } from 'node:crypto';
import { DelayedError, type Processor, type WorkerOptions } from 'bullmq';
import t, { type Test } from 'tap';
import { createLogger } from '../../src/platform/log.js';
import { connectBullmq, type Bullmq } from '../../src/jobs/bullmq.js';
import { createTestDatabase } from '../support/database.js';
import { redisMissing, redisUrl } from '../support/redis.js';

type Data = { number: number };

/** Prepares a store; returns a function that connects to it, as each process does. */
type Store = (t: Test) => Promise<() => Bullmq>;

const log = createLogger('silent');

const onPostgres: Store = async (t) => {
  const connection = await createTestDatabase(t);
  return () => connectBullmq(null, connection, log);
};
const onRedis: Store = async (t) => {
  const url = await redisUrl(t);
  return () => connectBullmq(url, {}, log);
};

for (const [name, store, skip] of [
  ['PostgreSQL', onPostgres, false],
  ['Redis', onRedis, redisMissing],
] as const) {
  void t.test(`queues on ${name}`, { skip }, (t) => conformance(t, store));
}

async function conformance(t: Test, store: Store): Promise<void> {
  const connect = await store(t);

  /** Connects as another process would; closed when the test ends. */
  function join(t: Test, queueName: string) {
    const bullmq = connect();
    const queue = bullmq.createQueue<Data>(queueName);
    const closing = [() => queue.close()];
    let isClosed = false;
    const leave = async (): Promise<void> => {
      if (isClosed) return;
      isClosed = true;
      for (const close of closing.reverse()) await close();
      await bullmq.close();
    };
    t.teardown(leave);
    return {
      queue,
      leave,
      work(processor: Processor<Data>, options: Omit<WorkerOptions, 'connection'> = {}) {
        const worker = bullmq.createWorker<Data>(queueName, processor, options);
        closing.push(() => worker.close());
        return worker;
      },
    };
  }

  /** Records the jobs that run. */
  function recorder() {
    const runs: { number: number; at: number }[] = [];
    let check = (): void => undefined;
    return {
      runs,
      async record({ data }: { data: Data }): Promise<void> {
        runs.push({ number: data.number, at: performance.now() });
        check();
      },
      numbers: () => runs.map(({ number }) => number),
      until: (count: number) =>
        new Promise<void>((resolve) => {
          check = () => {
            if (runs.length >= count) resolve();
          };
          check();
        }),
    };
  }

  const freshName = () => `q-${randomUUID()}`;

  await t.test('a delayed job runs at its time, after those due earlier', async (t) => {
    const { queue, work } = join(t, freshName());
    const { runs, record, numbers, until } = recorder();
    work(record);
    // Once a worker runs: it takes jobs that wait already in the order in which they were added.
    await queue.add('job', { number: 0 });
    await until(1);
    const began = performance.now();
    // In one call, since on a busy machine two may be further apart than the jobs.
    await queue.addBulk([
      { name: 'job', data: { number: 2 }, opts: { delay: 1_500 } },
      { name: 'job', data: { number: 1 }, opts: { delay: 200 } },
    ]);
    await until(3);
    t.strictSame(numbers(), [0, 1, 2]);
    for (const { number, at } of runs.slice(1)) {
      const due = began + (number === 1 ? 200 : 1_500);
      t.ok(at >= due - 50, `${Math.round(at - due)} ms after its time`);
    }
  });

  await t.test(
    'a delay may have a fraction of a millisecond, also that of a job moved back',
    async (t) => {
      const { queue, work } = join(t, freshName());
      const { record, numbers, until } = recorder();
      const movedBack = new Set<number>();
      work(async (job, token) => {
        const { number } = job.data;
        if (!movedBack.has(number)) {
          movedBack.add(number);
          await job.moveToDelayed(Date.now() + 100.25, token);
          throw new DelayedError();
        }
        await record(job);
      });
      await queue.add('job', { number: 1 }, { delay: 50.5 });
      await queue.addBulk(
        [2, 3].map((number) => ({ name: 'job', data: { number }, opts: { delay: 0.001 } })),
      );
      await until(3);
      t.strictSame(numbers().sort(), [1, 2, 3]);
    },
  );

  await t.test('a failed job is retried after its backoff, up to its attempts', async (t) => {
    const { queue, work } = join(t, freshName());
    const attempts: string[] = [];
    const { record, until } = recorder();
    work(async (job) => {
      attempts.push(`${job.data.number}.${job.attemptsMade}`);
      await record(job);
      if (job.data.number === 1) throw new Error('on purpose');
    });
    const backoff = { type: 'fixed', delay: 50 };
    await queue.add('job', { number: 1 }, { attempts: 3, backoff });
    await until(3);
    await queue.add('job', { number: 2 }, { delay: 500 });
    await until(4);
    t.strictSame(attempts, ['1.0', '1.1', '1.2', '2.0']);
  });

  await t.test('a scheduled job repeats until its schedule is removed', async (t) => {
    const { queue, work } = join(t, freshName());
    const { record, numbers, until } = recorder();
    work(record);
    await queue.upsertJobScheduler('tick', { every: 100 }, { name: 'job', data: { number: 1 } });
    await until(3);
    await queue.removeJobScheduler('tick');
    await queue.add('job', { number: 2 }, { delay: 500 });
    const untilNow = numbers().length;
    while (!numbers().includes(2)) await until(numbers().length + 1);
    t.ok(numbers().length <= untilNow + 2, 'at most one run that was due already came after it');
  });

  await t.test('a job with the id of an unfinished one is not added', async (t) => {
    const { queue, work, leave } = join(t, freshName());
    const { record, numbers, until } = recorder();
    const finished = { removeOnComplete: true, removeOnFail: true };
    const add = (jobId: string, number: number, delay = 0) =>
      queue.addBulk([{ name: 'job', data: { number }, opts: { jobId, delay, ...finished } }]);
    await add('first', 1);
    await add('first', 2);
    await add('second', 3, 300);
    await add('second', 4, 10);
    work(record);
    await until(2);
    t.strictSame(numbers(), [1, 3]);
    // Once it has finished, its id is free.
    while (Object.values(await queue.getJobCounts()).some((count) => count > 0));
    await add('first', 5);
    await until(3);
    await leave();
    t.strictSame(numbers(), [1, 3, 5]);
  });

  await t.test('two workers run each of five hundred jobs once', async (t) => {
    const name = freshName();
    const { queue, work } = join(t, name);
    const other = join(t, name);
    const { record, numbers, until } = recorder();
    work(record, { concurrency: 20 });
    other.work(record, { concurrency: 20 });
    const count = 500;
    await queue.addBulk(
      Array.from({ length: count }, (_, number) => ({ name: 'job', data: { number } })),
    );
    await until(count);
    await other.leave();
    t.equal(numbers().length, count);
    t.equal(new Set(numbers()).size, count);
  });

  await t.test('jobs that wait when every process stops run after a restart, once', async (t) => {
    const name = freshName();
    const before = join(t, name);
    await before.queue.add('job', { number: 1 });
    await before.queue.add('job', { number: 2 }, { delay: 300 });
    await before.leave();
    const after = join(t, name);
    const { record, numbers, until } = recorder();
    after.work(record);
    await after.queue.add('job', { number: 3 }, { delay: 800 });
    await until(3);
    t.strictSame(numbers(), [1, 2, 3]);
  });

  await t.test('the job of a worker that died runs on another', async (t) => {
    const name = freshName();
    const dying = join(t, name);
    const soonStalled = { lockDuration: 500, stalledInterval: 200 };
    let isTaken: () => void = () => undefined;
    const taken = new Promise<void>((resolve) => (isTaken = resolve));
    let finish: () => void = () => undefined;
    dying.work(
      () => {
        isTaken();
        return new Promise<void>((resolve) => (finish = resolve));
      },
      // Its lock expires, as that of a killed process does.
      { ...soonStalled, skipLockRenewal: true },
    );
    await dying.queue.add('job', { number: 1 });
    await taken;
    const { record, numbers, until } = recorder();
    join(t, name).work(record, soonStalled);
    await until(1);
    t.strictSame(numbers(), [1]);
    finish();
  });
}
