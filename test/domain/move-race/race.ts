import type { Test } from 'tap';
import type { Context } from '../../../src/context.js';
import type { ArtistRecord } from '../../../src/domain/studio/artists.js';
import type { Slot } from '../../../src/schedule/slots.js';
import { addArtists } from '../../support/artists.js';
import { someOpenSlots } from '../../support/requests.js';
import { generous, startNeighbour, startService } from '../../support/service.js';
import { changesOf, isMoveTo, readHistory, type History } from './history.js';
import { judge } from './judge.js';
import { createOperations } from './operations.js';

const slotCount = 50;
const clientsPerProcess = 8;

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
  slots: Slot[];
  artists: readonly Pick<ArtistRecord, 'id' | 'name'>[];
}

/** A live booking of a board: its place, id and sequence, and when it lapses. */
export interface BoardEntry {
  place: string;
  id: string;
  sequence: number;
  lapsesAt: number | null;
}

/**
 * Two processes change bookings, holds and closures of the same 50 slots at random, in some
 * `operations` in all, with as many artists, and the rows, the events and the boards are judged. Resolves with a sentence for
 * each thing that is wrong, and what came of the operations.
 */
export async function runRace(t: Test, seed: number, operations: number, artistCount: number) {
  const environment = { ...generous, HOLD_LIFETIME_SECONDS: '1', MAX_MOVES: '20' };
  const { context } = await startService(t, environment);
  const artists = await addArtists(context, artistCount);
  const slots = await someOpenSlots(context, slotCount);
  const processes = [context, await startNeighbour(t, context)];
  const attempts: Attempt[] = [];
  let begun = 0;
  const clients = processes.flatMap((each, process) => {
    const random = randomNumbers(seed + process);
    const { next } = createOperations(each, { random, process, slots, artists });
    return Array.from({ length: clientsPerProcess }, async () => {
      while (begun < operations) {
        begun += 1;
        attempts.push(...(await next()));
      }
    });
  });
  await Promise.all(clients);
  const boards = await Promise.all(processes.map(boardOf));
  const history = await readHistory(context.pool);
  const findings = judge(history, attempts, boards);
  return { findings, outcomes: outcomesOf(history, attempts) };
}

async function boardOf({ board }: Context): Promise<BoardEntry[]> {
  await board.refresh();
  const { bookings, artists } = await board.read();
  return [...bookings.values()].map(({ slotKey, artistId, id, sequence, lapsesAt }) => {
    const name = artists.length === 1 ? [] : artists.filter((each) => each.id === artistId);
    const place = [slotKey, ...name.map((each) => each.name)].join(' with ');
    return { place, id, sequence, lapsesAt };
  });
}

/** The numbers of a seed (Mulberry32). */
function randomNumbers(seed: number): () => number {
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
function outcomesOf({ events }: History, attempts: Attempt[]): Set<string> {
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
  return new Set(outcomes);
}
