import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Test } from 'tap';
import type { Context } from '../../../src/context.js';
import type { ArtistRecord } from '../../../src/domain/studio/artists.js';
import type { Slot } from '../../../src/schedule/slots.js';
import { addArtists } from '../../support/artists.js';
import { later } from '../../support/clock.js';
import { compiledFile } from '../../support/project.js';
import { someOpenSlots } from '../../support/requests.js';
import { generous, secretKey, startNeighbour, startService } from '../../support/service.js';
import { changesOf, isMoveTo, readHistory, type History } from './history.js';
import { judge } from './judge.js';
import { createOperations } from './operations.js';
import { installRules, readFindings } from './rules.js';

export const clientsPerProcess = 8;
const slotCount = 24;
const auditPauseMs = 500;
const environment = { ...generous, HOLD_LIFETIME_SECONDS: '4', MAX_MOVES: '20' };

/** One operation and its outcome. */
export interface Attempt {
  kind: string;
  /** A result of the domain, the code of a refusal, or `unexpected: …`. */
  outcome: string;
  /** Of an attempt to move a booking for its person. */
  move?: { id: string; sequence: number; to: string };
  /** The booking that a hold or the studio has made. */
  made?: string;
}

/** What the clients of one process choose from. */
export interface RacePlan {
  /** Numbers from 0 to below 1. */
  random(): number;
  /** 0 or 1: of two bookings to swap across processes, each moves its own. */
  process: number;
  /** The number of the first person that nobody else books for. */
  firstPerson: number;
  slots: Slot[];
  artists: readonly Pick<ArtistRecord, 'id' | 'name' | 'slug'>[];
}

/** A live booking of a board: its place, id and sequence, and when it lapses. */
export interface BoardEntry {
  place: string;
  id: string;
  sequence: number;
  lapsesAt: number | null;
}

/** The plan of a process of its own, as JSON. */
export interface ProcessPlan extends Omit<RacePlan, 'random'> {
  environment: Record<string, string>;
  seed: number;
}

export interface Race {
  seed: number;
  operations: number;
  artists: number;
  /** Both are processes of their own, and one after the other is killed after as long; else none. */
  lifeMs?: number;
}

/**
 * Two processes change bookings, holds, closures and weeks of the same 24 slots at random, in some
 * `operations` in all, with as many artists. The database judges each slot that is taken, an auditor the
 * live bookings meanwhile, and then the rows, the events and the boards are judged. Resolves with a
 * sentence for each thing that is wrong, and how often each outcome came.
 */
export async function runRace(t: Test, race: Race) {
  const { context } = await startService(t, environment);
  const artists = await addArtists(context, race.artists);
  const slots = await someOpenSlots(context, slotCount);
  await installRules(context.pool);
  const attempts: Attempt[] = [];
  const found = new Set<string>();
  let audits = 0;
  let isOver = false;
  const audit = async () => {
    for (const finding of await readFindings(context.pool)) found.add(finding);
    audits += 1;
  };
  const auditor = (async () => {
    for (; !isOver; await later(auditPauseMs)) await audit();
  })();
  const run = race.lifeMs === undefined ? runHere : runApart;
  const { boards, kills } = await run(t, context, race, { slots, artists }, attempts);
  isOver = true;
  await auditor;
  await audit();
  const history = await readHistory(context.pool);
  const findings = [...found, ...judge(history, attempts, boards, kills > 0)];
  const { bookings, events } = history;
  const figures = { bookings: bookings.length, events: events.length, audits, kills };
  return { findings, outcomes: outcomesOf(history, attempts), figures };
}

type Place = Pick<RacePlan, 'slots' | 'artists'>;

/** Both processes are in that of the test: each has its connections, board and clock. */
async function runHere(
  t: Test,
  context: Context,
  { seed, operations }: Race,
  place: Place,
  attempts: Attempt[],
) {
  const processes = [context, await startNeighbour(t, context)];
  let begun = 0;
  const clients = processes.flatMap((each, process) => {
    const random = randomNumbers(seed + process);
    const plan = { random, process, firstPerson: process * 1_000_000, ...place };
    const { next } = createOperations(each, plan);
    return Array.from({ length: clientsPerProcess }, async () => {
      while (begun < operations) {
        begun += 1;
        attempts.push(...(await next()));
      }
    });
  });
  await Promise.all(clients);
  return { boards: await Promise.all(processes.map(boardOf)), kills: 0 };
}

/** Each process is one of its own. One after the other is killed, and started again. */
async function runApart(
  t: Test,
  context: Context,
  { seed, operations, lifeMs }: Race,
  place: Place,
  attempts: Attempt[],
) {
  const program = compiledFile('test/domain/move-race/process.ts');
  const own = {
    ...environment,
    PUBLIC_BASE_URL: context.config.publicBaseUrl,
    SECRET_KEY: secretKey,
    DATABASE_URL: context.connection.connectionString!,
  };
  let done = 0;
  let starts = 0;
  const start = (process: number) => {
    starts += 1;
    const numbers = { seed: seed + starts, process, firstPerson: starts * 20_000 };
    const plan: ProcessPlan = { environment: own, ...numbers, ...place };
    const child = fork(program, [JSON.stringify(plan)], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    t.teardown(() => child.kill('SIGKILL'));
    child.on('message', (made: Attempt[]) => {
      done += 1;
      attempts.push(...made);
    });
    return child;
  };
  const children = [start(0), start(1)];
  let kills = 0;
  while (done < operations) {
    await later(lifeMs!);
    const index = kills % 2;
    const dying = children[index]!;
    if (dying.exitCode !== null) throw new Error('a process has ended by itself');
    const ended = once(dying, 'exit');
    dying.kill('SIGKILL');
    await ended;
    children[index] = start(index);
    kills += 1;
    console.error(`${done} operations, ${kills} kills`);
  }
  const ends = children.map((child) => once(child, 'exit'));
  for (const child of children) child.send('stop');
  await Promise.all(ends);
  return { boards: [await boardOf(context)], kills };
}

export async function boardOf({ board }: Context): Promise<BoardEntry[]> {
  await board.refresh();
  const { bookings, artists } = await board.read();
  return [...bookings.values()].map(({ slotKey, artistId, id, sequence, lapsesAt }) => {
    const name = artists.length === 1 ? [] : artists.filter((each) => each.id === artistId);
    const place = [slotKey, ...name.map((each) => each.name)].join(' with ');
    return { place, id, sequence, lapsesAt };
  });
}

/** The numbers of a seed (Mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * The outcomes by the kind of the operation (`move: made`). Whether a move was made or nothing was left to
 * do is seen in the events.
 */
function outcomesOf({ events }: History, attempts: Attempt[]): Record<string, number> {
  const changes = changesOf(events);
  const expiring = new Set(
    events.filter(({ type }) => type === 'hold.expired').map((event) => event.transaction),
  );
  const outcomes = attempts.flatMap(({ kind, outcome, move }) => {
    if (move === undefined || outcome !== 'returned') return [`${kind}: ${outcome}`];
    const next = changes.get(`${move.id} ${move.sequence + 1}`);
    if (next === undefined || !isMoveTo(next, move.to)) return [`${kind}: nothing to do`];
    const made = [`${kind}: made`];
    if (expiring.has(next.transaction)) made.push('move to the slot of a lapsed hold: made');
    return made;
  });
  const counts: Record<string, number> = {};
  for (const outcome of outcomes.sort()) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}
