import { randomUUID } from 'node:crypto';
import { DelayedError, type Processor, type WorkerOptions } from 'bullmq';
import t, { type Test } from 'tap';
import { createLogger } from '../../src/platform/log.js';
import { connectBullmq, type Bullmq } from '../../src/jobs/bullmq.js';
import { createTestDatabase } from '../support/database.js';
import { redisMissing, redisUrl } from '../support/redis.js';

type Data = { number: number };

/** A store for queues, which several processes may connect to. */
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

  /** A connection of its own, as another process would have; closed with the test. */
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

  /** Writes down the jobs that ring, and resolves when so many have. */
  function ledger() {
    const rung: { number: number; at: number }[] = [];
    let check = (): void => undefined;
    return {
      rung,
      async note({ data }: { data: Data }): Promise<void> {
        rung.push({ number: data.number, at: performance.now() });
        check();
      },
      numbers: () => rung.map(({ number }) => number),
      until: (count: number) =>
        new Promise<void>((resolve) => {
          check = () => {
            if (rung.length >= count) resolve();
          };
          check();
        }),
    };
  }

  const freshName = () => `q-${randomUUID()}`;

  await t.test('a delayed job rings at its moment, and those due earlier before it', async (t) => {
    const { queue, work } = join(t, freshName());
    const { rung, note, numbers, until } = ledger();
    work(note);
    // From here on somebody works. Of jobs that wait already, the one that was added first is first.
    await queue.add('job', { number: 0 });
    await until(1);
    const began = performance.now();
    // In one go: between two calls a busy machine may let more time pass than lies between the jobs.
    await queue.addBulk([
      { name: 'job', data: { number: 2 }, opts: { delay: 1_500 } },
      { name: 'job', data: { number: 1 }, opts: { delay: 200 } },
    ]);
    await until(3);
    t.strictSame(numbers(), [0, 1, 2]);
    for (const { number, at } of rung.slice(1)) {
      const due = began + (number === 1 ? 200 : 1_500);
      t.ok(at >= due - 50 && at < due + 3_000, `${Math.round(at - due)} ms after its moment`);
    }
  });

  await t.test('a delay may be a fraction of a millisecond, also of a job put back', async (t) => {
    const { queue, work } = join(t, freshName());
    const { note, numbers, until } = ledger();
    const putBack = new Set<number>();
    work(async (job, token) => {
      const { number } = job.data;
      if (!putBack.has(number)) {
        putBack.add(number);
        await job.moveToDelayed(Date.now() + 100.25, token);
        throw new DelayedError();
      }
      await note(job);
    });
    await queue.add('job', { number: 1 }, { delay: 50.5 });
    await queue.addBulk(
      [2, 3].map((number) => ({ name: 'job', data: { number }, opts: { delay: 0.001 } })),
    );
    await until(3);
    t.strictSame(numbers().sort(), [1, 2, 3]);
  });

  await t.test('a job that fails is tried again after a pause, as often as it may', async (t) => {
    const { queue, work } = join(t, freshName());
    const attempts: string[] = [];
    const { note, until } = ledger();
    work(async (job) => {
      attempts.push(`${job.data.number}.${job.attemptsMade}`);
      await note(job);
      if (job.data.number === 1) throw new Error('on purpose');
    });
    const backoff = { type: 'fixed', delay: 50 };
    await queue.add('job', { number: 1 }, { attempts: 3, backoff });
    await until(3);
    await queue.add('job', { number: 2 }, { delay: 500 });
    await until(4);
    t.strictSame(attempts, ['1.0', '1.1', '1.2', '2.0']);
  });

  await t.test('a repeated job rings again and again, until it is taken back', async (t) => {
    const { queue, work } = join(t, freshName());
    const { note, numbers, until } = ledger();
    work(note);
    await queue.upsertJobScheduler('tick', { every: 100 }, { name: 'job', data: { number: 1 } });
    await until(3);
    await queue.removeJobScheduler('tick');
    await queue.add('job', { number: 2 }, { delay: 500 });
    const untilNow = numbers().length;
    while (!numbers().includes(2)) await until(numbers().length + 1);
    t.ok(numbers().length <= untilNow + 2, 'at most the one that was under way came after it');
  });

  await t.test('a job with the id of one that is still there is not added', async (t) => {
    const { queue, work, leave } = join(t, freshName());
    const { note, numbers, until } = ledger();
    const finished = { removeOnComplete: true, removeOnFail: true };
    const add = (jobId: string, number: number, delay = 0) =>
      queue.addBulk([{ name: 'job', data: { number }, opts: { jobId, delay, ...finished } }]);
    await add('first', 1);
    await add('first', 2);
    await add('second', 3, 300);
    await add('second', 4, 10);
    work(note);
    await until(2);
    t.strictSame(numbers(), [1, 3]);
    // Once it has rung and is gone, its id is free.
    while (Object.values(await queue.getJobCounts()).some((count) => count > 0));
    await add('first', 5);
    await until(3);
    await leave();
    t.strictSame(numbers(), [1, 3, 5]);
  });

  await t.test('of two thousand jobs at once, two workers get each one time', async (t) => {
    const name = freshName();
    const { queue, work } = join(t, name);
    const other = join(t, name);
    const { note, numbers, until } = ledger();
    work(note, { concurrency: 20 });
    other.work(note, { concurrency: 20 });
    const count = 2_000;
    await queue.addBulk(
      Array.from({ length: count }, (_, number) => ({ name: 'job', data: { number } })),
    );
    await until(count);
    await other.leave();
    t.equal(numbers().length, count);
    t.equal(new Set(numbers()).size, count);
  });

  await t.test('a paused queue keeps its jobs, and goes on where it was', async (t) => {
    const { queue, work } = join(t, freshName());
    const running = join(t, freshName());
    const held = ledger();
    const others = ledger();
    await queue.pause();
    work(held.note);
    running.work(others.note);
    await queue.add('job', { number: 1 });
    await queue.add('job', { number: 2 }, { delay: 50 });
    await running.queue.add('job', { number: 0 }, { delay: 500 });
    await others.until(1);
    t.strictSame(held.numbers(), []);
    await queue.resume();
    await held.until(2);
    t.strictSame(held.numbers().sort(), [1, 2]);
  });

  await t.test('draining removes what waits, also the delayed if asked to', async (t) => {
    const { queue, work } = join(t, freshName());
    const { note, numbers, until } = ledger();
    // Nobody works yet, so that nothing rings before it is drained.
    await queue.add('job', { number: 1 }, { delay: 200 });
    await queue.drain(true);
    await queue.add('job', { number: 2 });
    await queue.add('job', { number: 3 }, { delay: 1_000 });
    await queue.drain();
    work(note);
    await until(1);
    await queue.add('job', { number: 4 }, { delay: 400 });
    await until(2);
    t.strictSame(numbers(), [3, 4], 'the delayed one that was not asked for was left');
  });

  await t.test('what waits when every process stops, rings after a restart, once', async (t) => {
    const name = freshName();
    const before = join(t, name);
    await before.queue.add('job', { number: 1 });
    await before.queue.add('job', { number: 2 }, { delay: 300 });
    await before.leave();
    const after = join(t, name);
    const { note, numbers, until } = ledger();
    after.work(note);
    await after.queue.add('job', { number: 3 }, { delay: 800 });
    await until(3);
    t.strictSame(numbers(), [1, 2, 3]);
  });

  await t.test('the job of a worker that died is done by another', async (t) => {
    const name = freshName();
    const dying = join(t, name);
    const patience = { lockDuration: 500, stalledInterval: 200 };
    let isTaken: () => void = () => undefined;
    const taken = new Promise<void>((resolve) => (isTaken = resolve));
    let finish: () => void = () => undefined;
    dying.work(
      () => {
        isTaken();
        return new Promise<void>((resolve) => (finish = resolve));
      },
      // Its lock is not renewed, as that of a process that was killed.
      { ...patience, skipLockRenewal: true },
    );
    await dying.queue.add('job', { number: 1 });
    await taken;
    const { note, numbers, until } = ledger();
    join(t, name).work(note, patience);
    await until(1);
    t.strictSame(numbers(), [1]);
    finish();
  });
}
