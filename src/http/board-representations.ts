import { LRUCache } from 'lru-cache';
import type { Board, CalendarState } from '../events/board.js';
import { represent, type Representation } from './conditional.js';

/** Some 3 MB of answers at most, whatever ranges are asked for. */
const maxKept = 512;

/**
 * Answers that are computed from the board, kept for as long as its state holds, so that a repeated
 * read costs neither a query nor a computation nor a serialisation.
 *
 * The result looks an answer up by its key, or computes it; at once where the board is fresh.
 */
export function keepWhileBoardHolds(
  board: Board,
): (
  key: string,
  compute: (state: CalendarState) => object,
) => Representation | Promise<Representation> {
  const kept = new LRUCache<string, Representation>({ max: maxKept });
  let version: number | null = null;

  function answer(state: CalendarState, key: string, compute: (state: CalendarState) => object) {
    if (state.version !== version) {
      kept.clear();
      version = state.version;
    }
    let known = kept.get(key);
    if (known === undefined) {
      known = represent(compute(state));
      kept.set(key, known);
    }
    return known;
  }

  return (key, compute) => {
    const state = board.read();
    return state instanceof Promise
      ? state.then((read) => answer(read, key, compute))
      : answer(state, key, compute);
  };
}
