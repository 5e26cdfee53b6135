import type { CalendarServices } from '../../calendar/services.js';
import { changesBetween, listRecentChanges, type SlotChange } from '../../domain/recent-changes.js';
import type { CalendarState } from '../../calendar/board.js';

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
  const startedAt = context.clock.now();
  let previous: CalendarState | null = null;
  let seen: SlotChange[] = [];
  let earlier: SlotChange[] | null = null;

  context.board.subscribe((state) => {
    if (previous !== null) remember(changesBetween(previous, state));
    previous = state;
  });
  begin().catch(() => undefined);

  async function begin(): Promise<void> {
    const state = await context.board.read();
    previous ??= state;
  }

  function remember(changes: SlotChange[]): void {
    const newestFirst = changes.sort((one, other) => other.at - one.at);
    seen = [...newestFirst, ...seen].slice(0, maxChanges);
  }

  return {
    async read() {
      await begin();
      earlier ??= (await listRecentChanges(context)).filter(({ at }) => at < startedAt);
      return [...seen, ...earlier].slice(0, maxChanges);
    },
  };
}
