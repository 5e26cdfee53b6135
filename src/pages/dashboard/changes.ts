import type { CalendarServices } from '../../calendar/services.js';
import { changesBetween, listRecentChanges, type SlotChange } from '../../domain/recent-changes.js';
import type { CalendarState } from '../../calendar/board.js';

export interface RecentChanges {
  /** Newest first. */
  read(): Promise<readonly SlotChange[]>;
}

const remembered = 8;

/**
 * The last changes of the calendar. They are taken from the board, whose state they then agree with
 * to the instant; what was before this process began comes from the database, once.
 */
export function followChanges(
  context: Pick<CalendarServices, 'board' | 'clock' | 'database'>,
): RecentChanges {
  const beganAt = context.clock.now();
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
    seen = [...newestFirst, ...seen].slice(0, remembered);
  }

  return {
    async read() {
      await begin();
      earlier ??= (await listRecentChanges(context)).filter(({ at }) => at < beganAt);
      return [...seen, ...earlier].slice(0, remembered);
    },
  };
}
