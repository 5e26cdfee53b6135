import { LRUCache } from 'lru-cache';
import type { Board, CalendarState } from './board.js';

/**
 * Answers that are computed from the board, kept for as long as its state holds, so that a repeated
 * read costs neither a query nor a computation nor a serialisation. At most `maxKept` of them,
 * whatever ranges are asked for.
 *
 * The result looks an answer up by its key, or computes it; at once where the board is fresh.
 */
export function keepWhileBoardHolds<Answer extends object>(
  board: Board,
  maxKept: number,
): (key: string, compute: (state: CalendarState) => Answer) => Answer | Promise<Answer> {
  const kept = new LRUCache<string, Answer>({ max: maxKept });
  let version: number | null = null;

  function answer(
    state: CalendarState,
    key: string,
    compute: (state: CalendarState) => Answer,
  ): Answer {
    if (state.version !== version) {
      kept.clear();
      version = state.version;
    }
    let known = kept.get(key);
    if (known === undefined) {
      known = compute(state);
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
