import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { gather, memoryOf } from '../audience.js';
import { withDatabase } from '../database.js';
import { startBaseline, startService, type Running, type RunningService } from '../processes.js';
import {
  comparedRow,
  comparePairs,
  measureComparisons,
  median,
  type Measurement,
  type Row,
} from '../row.js';

const viewers = 5_000;
const rounds = 5;
const changesPerRound = 8;
const warmUps = 5;
/**
 * Longer than the least time between two pulses, which follow a change, with the longest pause after
 * their broadcast: so no change waits for it.
 */
const pauseMs = 1_700;
/** Of the times of a round. */
const figures = [
  { name: 'median', of: median },
  { name: 'slowest', of: (times: number[]) => Math.max(...times) },
];
const memoryAimMegabytes = 300;

/**
 * Compares the live stream with a plain HTTP server that has as many sockets, in alternating
 * rounds: the time from a commit of another process until the last viewer has received the last
 * byte, and the time that the plain server takes to send the same bytes to all its sockets.
 */
export const stream: Measurement = async (progress) => {
  const service = await startService();
  const baseline = await startBaseline('streams.ts', []);
  try {
    return await withDatabase(service, (database) =>
      measure(service, baseline, database, progress),
    );
  } finally {
    await baseline.stop();
    await service.stop();
  }
};

async function measure(
  service: RunningService,
  baseline: Running,
  database: pg.Client,
  progress: (text: string) => void,
): Promise<Row[]> {
  const empty = { service: await memoryOf(service), baseline: await memoryOf(baseline) };
  progress(`connecting ${viewers} viewers`);
  const audience = await gather(service, '/api/public/events', viewers);
  const sockets = await gather(baseline, '/', viewers);

  let isClosed = false;
  const commit = (): void => {
    isClosed = !isClosed;
    const change = isClosed
      ? 'insert into closures (from_date, to_date) values (current_date + 20, current_date + 20)'
      : 'delete from closures';
    void database.query(`with change as (${change})
      insert into events (type, occurred_at, data)
      values ('calendar.changed', booking_now(), '{}')`);
  };
  const hearOurs = async (): Promise<number> => {
    await delay(pauseMs);
    return audience.timeUntilHeard(commit);
  };
  const hearTheirs = async (): Promise<number> => {
    await delay(pauseMs);
    return sockets.timeUntilHeard(() => baseline.child.send(audience.lastEvent()));
  };
  for (let change = 0; change < warmUps; change += 1) {
    await hearOurs();
    await hearTheirs();
  }
  progress(`${changesPerRound} changes a round, ${viewers} viewers`);
  const times = (hear: () => Promise<number>) => async (): Promise<number[]> => {
    const heard = [];
    for (let change = 0; change < changesPerRound; change += 1) heard.push(await hear());
    return heard;
  };
  const subjects = [times(hearOurs), times(hearTheirs)];
  const pairs = await measureComparisons(rounds, subjects, ([ours, theirs]) =>
    figures.map(({ of }) => comparePairs(ours!.map(of), theirs!.map(of))),
  );
  const full = { service: await memoryOf(service), baseline: await memoryOf(baseline) };
  audience.leave();
  sockets.leave();

  const timeRows = figures.map(({ name }, index) =>
    comparedRow(
      `stream: commit to the last of ${viewers} viewers' bytes, ${name} of ${changesPerRound}`,
      'ms',
      'plain Node server',
      pairs[index]!,
      { most: 2 },
    ),
  );
  const perViewer = (name: 'service' | 'baseline'): number =>
    ((full[name] - empty[name]) * 1024) / viewers;
  return [
    ...timeRows,
    {
      what: `stream: memory with ${viewers} viewers`,
      ours: `${full.service} MB (${perViewer('service').toFixed(0)} kB each)`,
      baseline: `${full.baseline} MB (${perViewer('baseline').toFixed(0)} kB each)`,
      ratio: perViewer('service') / perViewer('baseline'),
      aim: `≤ ${memoryAimMegabytes} MB`,
      reached: full.service <= memoryAimMegabytes,
    },
  ];
}
