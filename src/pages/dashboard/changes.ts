import type { CalendarServices } from '../../board/services.js';
import { changesBetween, listRecentChanges, type SlotChange } from '../../domain/recent-changes.js';
import type { CalendarState } from '../../board/board.js';

export interface RecentChanges {
  /** Newest first. */
  read(): Promise<readonly SlotChange[]>;
}

const maxChanges = 8;

/**
 * The latest changes of the calendar, derived from successive states of the board, so that they
 * always agree with it. Changes before this process started are read from the database, once.
 */
export function trackRecentChanges(
  context: Pick<CalendarServices, 'board' | 'clock' | 'database'>,
): RecentChanges {
  let previous: CalendarState | null = null;
  let startedAt = -Infinity;
  let seen: SlotChange[] = [];
  let earlier: SlotChange[] | null = null;

  context.board.subscribe(follow);

  function follow(state: CalendarState): void {
    if (previous === null) startedAt = context.clock.now();
    else remember(changesBetween(previous, state));
    previous = state;
  }

  function remember(changes: SlotChange[]): void {
    const newestFirst = changes.sort((one, other) => other.at - one.at);
    seen = [...newestFirst, ...seen].slice(0, maxChanges);
  }

  return {
    async read() {
      const state = await context.board.read();
      if (previous === null) follow(state);
      earlier ??= (await listRecentChanges(context)).filter(({ at }) => at < startedAt);
      return [...seen, ...earlier].slice(0, maxChanges);
    },
  };
}
