import type pg from 'pg';
import { gather, memoryOf } from '../audience.js';
import { withDatabase } from '../database.js';
import { startBaseline, startService, type Running, type RunningService } from '../processes.js';
import { percentile, type Measurement, type Row } from '../row.js';

const viewers = 5_000;
const changes = 50;
const warmUps = 5;
/** Longer than the service's longest pause between broadcasts, so that no change waits for it. */
const pauseMs = 600;
const aim = 2;
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
  const times = { service: [] as number[], baseline: [] as number[] };
  for (let round = -warmUps; round < changes; round += 1) {
    progress(`change ${round + 1} of ${changes}`);
    await pause();
    const ours = await audience.timeUntilHeard(commit);
    await pause();
    const theirs = await sockets.timeUntilHeard(() => {
      baseline.child.send(audience.lastEvent());
    });
    if (round < 0) continue;
    times.service.push(ours);
    times.baseline.push(theirs);
  }
  const full = { service: await memoryOf(service), baseline: await memoryOf(baseline) };
  audience.leave();
  sockets.leave();

  const timeRows = [
    { name: 'median', share: 0.5 },
    { name: 'p99', share: 0.99 },
  ].map(({ name, share }) => {
    const ours = percentile(times.service, share);
    const theirs = percentile(times.baseline, share);
    return {
      what: `stream: commit to the last of ${viewers} viewers' bytes, ${name} of ${changes}`,
      ours: `${ours.toFixed(0)} ms`,
      baseline: `${theirs.toFixed(0)} ms, plain Node server`,
      ratio: ours / theirs,
      aim: `≤ ${aim}`,
      reached: ours <= aim * theirs,
    };
  });
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

async function pause(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, pauseMs));
}
