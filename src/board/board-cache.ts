import { LRUCache } from 'lru-cache';
import type { Board, CalendarState } from './board.js';

/**
 * Caches results computed from the board until its state changes, at most `maxKept`. The returned
 * function looks a result up by key or computes it; it is synchronous while the board is fresh.
 */
export function createBoardCache<Answer extends object>(
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
