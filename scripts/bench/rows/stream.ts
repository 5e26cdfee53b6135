import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { gather, memoryOf, type Audience } from '../audience.js';
import { withDatabase } from '../database.js';
import {
  ask,
  startProgram,
  startService,
  type Running,
  type RunningService,
} from '../processes.js';
import type { Answered } from '../programs/reader.js';
import {
  comparedRow,
  comparePairs,
  measureComparisons,
  measureInRounds,
  median,
  roundsRow,
  type Measurement,
  type Report,
  type Row,
} from '../row.js';
import { month } from '../slots.js';

const viewers = 5_000;
const changesPerRound = 8;
const warmUps = 5;
const rounds = 3;
/**
 * Longer than the least time between two pulses, which follow a change, with the longest pause after
 * their broadcast: so no change waits for it.
 */
const intervalMs = 1_800;
/** Of the times of a round. */
const figures = [
  { name: 'median', of: median },
  { name: 'slowest', of: (times: number[]) => Math.max(...times) },
];
const memoryAimMegabytes = 300;

const readsPerSecond = 2_000;
const readRounds = 3;
const changeMs = 1_000;
const readAims = { p95Ms: 50, heard: 1.25 };

/**
 * Compares the live stream with a plain HTTP server that has as many sockets, in alternating
 * rounds: the time from a commit of another process until the last viewer has received the last
 * byte, and the time that the plain server takes to send the same bytes to all its sockets. Then
 * the same viewers with and without reads beside them.
 */
export const stream: Measurement = async (report) => {
  const service = await startService();
  const baseline = await startProgram('streams.ts');
  await withDatabase(service, async (database) => {
    const empty = { service: await memoryOf(service), baseline: await memoryOf(baseline) };
    report.step(`connecting ${viewers} viewers`);
    const audience = await gather(service, '/api/public/events', viewers);
    const sockets = await gather(baseline, '/', viewers);
    const hear = () => audience.timeUntilHeard(() => void change(database));
    await compareTimes(hear, audience, sockets, baseline, report);

    const full = { service: await memoryOf(service), baseline: await memoryOf(baseline) };
    sockets.leave();
    report.line(memoryRow(empty, full));
    await compareWithReads(hear, service, report);
    audience.leave();
  });
};

async function compareTimes(
  hear: () => Promise<number>,
  audience: Audience,
  sockets: Audience,
  baseline: Running,
  { step, line }: Report<Row>,
): Promise<void> {
  const ours = async () => timesOf(hear, intervalMs);
  const theirs = () =>
    timesOf(
      () => sockets.timeUntilHeard(() => baseline.child.send(audience.lastEvent())),
      intervalMs,
    );
  step('warming up');
  await timesOf(hear, intervalMs, warmUps);
  await theirs();
  step(`${changesPerRound} changes a round, ${viewers} viewers`);
  const pairs = await measureComparisons(rounds, [ours, theirs], ([mine, other]) =>
    figures.map(({ of }) => comparePairs(mine!.map(of), other!.map(of))),
  );
  for (const [index, { name }] of figures.entries()) {
    const what = `stream: commit to the last of ${viewers} viewers' bytes, ${name} of ${changesPerRound}`;
    line(comparedRow(what, 'ms', 'plain Node server', pairs[index]!, { most: 2 }));
  }
}

/** A change each second, with reads by another process and without. */
async function compareWithReads(
  hear: () => Promise<number>,
  service: RunningService,
  { step, line }: Report<Row>,
): Promise<void> {
  const { from, to } = month();
  const path = `/api/public/availability?from=${from}&to=${to}`;
  const reader = await startProgram('reader.ts', [service.url, path, `${readsPerSecond}`]);
  const p95s: number[] = [];
  const without = async () => median(await timesOf(hear, changeMs));
  const beside = async () => {
    await ask(reader, 'begin');
    const heard = await without();
    p95s.push((await ask<Answered>(reader, 'end')).p95);
    return heard;
  };
  step(`${readsPerSecond} reads a second, ${viewers} viewers`);
  await beside();
  p95s.length = 0;
  const [withReads = [], alone = []] = await measureInRounds(readRounds, [beside, without]);
  const reads = `${readsPerSecond} reads a second, ${viewers} viewers, a change each second`;
  line(roundsRow(`${reads}: p95 of a read`, p95s, 'ms', readAims.p95Ms));
  const pairs = comparePairs(withReads, alone);
  const aim = { most: readAims.heard };
  line(comparedRow(`${reads}: to the last viewer`, 'ms', 'without reads', pairs, aim));
}

/** Milliseconds until each change is heard; changes begin in this interval. */
async function timesOf(
  hear: () => Promise<number>,
  everyMs: number,
  count = changesPerRound,
): Promise<number[]> {
  const times = [];
  for (let change = 0; change < count; change += 1) {
    const [time] = await Promise.all([hear(), delay(everyMs)]);
    times.push(time);
  }
  return times;
}

/** Opens or closes the studio on a day that viewers see. */
export async function change(database: pg.Client): Promise<void> {
  await database.query(`
    with opened as (delete from closures returning 1),
    closed as (
      insert into closures (from_date, to_date)
      select current_date + 20, current_date + 22 where not exists (select from closures)
    )
    insert into events (type, occurred_at, data) values ('calendar.changed', booking_now(), '{}')`);
}

interface Megabytes {
  service: number;
  baseline: number;
}

function memoryRow(empty: Megabytes, full: Megabytes): Row {
  const perViewer = (name: keyof Megabytes) => ((full[name] - empty[name]) * 1024) / viewers;
  const inWords = (name: keyof Megabytes) =>
    `${full[name]} MB (${perViewer(name).toFixed(0)} kB each)`;
  return {
    what: `stream: memory with ${viewers} viewers`,
    ours: inWords('service'),
    baseline: inWords('baseline'),
    ratio: perViewer('service') / perViewer('baseline'),
    aim: `≤ ${memoryAimMegabytes} MB`,
    reached: full.service <= memoryAimMegabytes,
  };
}
