import { randomUUID } from 'node:crypto';
import { DelayedError, type Processor, type WorkerOptions } from 'bullmq';
import t, { type Test } from 'tap';
import { connectBullmq, type Bullmq } from '../../src/jobs/bullmq.js';
import { createLogger } from '../../src/platform/log.js';
import { createTestDatabase } from '../support/database.js';
import { redisMissing, redisUrl } from '../support/redis.js';

type Data = { number: number };

const log = createLogger('silent');

for (const [name, skip] of [
  ['PostgreSQL', false],
  ['Redis', redisMissing],
] as const) {
  void t.test(`queues on ${name}`, { skip }, async (t) => {
    if (name === 'Redis') {
      const url = await redisUrl(t);
      return conformance(t, () => connectBullmq(url, {}, log));
    }
    const connection = await createTestDatabase(t);
    return conformance(t, () => connectBullmq(null, connection, log));
  });
}

/** `connect`: as each process does. */
async function conformance(t: Test, connect: () => Bullmq): Promise<void> {
  /** Connects as another process would; closed when the test ends. */
  function join(t: Test, queueName: string = randomUUID()) {
    const bullmq = connect();
    const queue = bullmq.createQueue<Data>(queueName);
    const closing = [() => bullmq.close(), () => queue.close()];
    t.teardown(async () => {
      for (const close of closing.reverse()) await close();
    });
    return {
      queue,
      work(processor: Processor<Data>, options: Omit<WorkerOptions, 'connection'> = {}) {
        const worker = bullmq.createWorker<Data>(queueName, processor, options);
        closing.push(() => worker.close());
      },
    };
  }

  /** Records the numbers of the jobs that run, and when. */
  function recorder() {
    const [numbers, times]: [number[], number[]] = [[], []];
    let check = (): void => undefined;
    return {
      numbers,
      times,
      async record({ data }: { data: Data }): Promise<void> {
        numbers.push(data.number);
        times.push(performance.now());
        check();
      },
      until: (count: number) =>
        new Promise<void>((resolve) => {
          check = () => void (numbers.length >= count && resolve());
          check();
        }),
    };
  }

  await t.test(
    'a delayed job runs at its time, after those due earlier; a delay may have a fraction of a millisecond',
    async (t) => {
      const { queue, work } = join(t);
      const { numbers, times, record, until } = recorder();
      work(record);
      // Once a worker runs: it takes jobs that wait already in the order in which they were added.
      await queue.add('job', { number: 0 }, { delay: 0.001 });
      await until(1);
      const began = performance.now();
      // In one call, since on a busy machine two may be further apart than the jobs.
      await queue.addBulk([
        { name: 'job', data: { number: 2 }, opts: { delay: 1_500.25 } },
        { name: 'job', data: { number: 1 }, opts: { delay: 200.5 } },
      ]);
      await until(3);
      t.strictSame(numbers, [0, 1, 2]);
      for (const [index, delay] of [200, 1_500].entries()) {
        const lateMs = times[index + 1]! - began - delay;
        t.ok(lateMs >= -50, `${Math.round(lateMs)} ms after its time`);
      }
    },
  );

  await t.test('a job that is moved back runs again at its new time', async (t) => {
    const { queue, work } = join(t);
    const { numbers, record, until } = recorder();
    let isMoved = false;
    work(async (job, token) => {
      if (isMoved) return record(job);
      isMoved = true;
      await job.moveToDelayed(Date.now() + 100.25, token);
      throw new DelayedError();
    });
    await queue.add('job', { number: 1 });
    await until(1);
    t.strictSame(numbers, [1]);
  });

  await t.test('a failed job is retried after its backoff, up to its attempts', async (t) => {
    const { queue, work } = join(t);
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
    const { queue, work } = join(t);
    const { record, numbers, until } = recorder();
    work(record);
    await queue.upsertJobScheduler('tick', { every: 100 }, { name: 'job', data: { number: 1 } });
    await until(3);
    await queue.removeJobScheduler('tick');
    await queue.add('job', { number: 2 }, { delay: 500 });
    const untilNow = numbers.length;
    while (!numbers.includes(2)) await until(numbers.length + 1);
    t.ok(numbers.length <= untilNow + 2, 'at most one run that was due already came after it');
  });

  await t.test('a job with the id of an unfinished one is not added', async (t) => {
    const { queue, work } = join(t);
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
    t.strictSame(numbers, [1, 3]);
    // Once it has finished, its id is free.
    while (Object.values(await queue.getJobCounts()).some((count) => count > 0));
    await add('first', 5);
    await until(3);
    t.strictSame(numbers, [1, 3, 5]);
  });

  await t.test('the job of a worker that died runs on another', async (t) => {
    const name = randomUUID();
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
    t.strictSame(numbers, [1]);
    finish();
  });
}
