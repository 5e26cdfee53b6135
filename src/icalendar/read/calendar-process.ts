/**
 * The process of one read (read-in-process.ts): reads a calendar that may be built to take all time and
 * memory. It answers with codes, since messages of errors quote the calendar.
 */
import { Worker } from 'node:worker_threads';
import { isUuid } from '../../platform/uuid.js';
import { busyIntervals } from './busy-intervals.js';
import { readCalendarText, type EventText } from './calendar-text.js';
import { TooManyOccurrencesError } from './limits.js';
import type { ProcessAnswer, ProcessTask } from './read-in-process.js';

/** Longer than the process that started this one waits. */
const mostSeconds = 60;

endWithParent();
process.once('message', read);

/** Ends this process, also in the midst of a rule that has no end, if the other one was killed. */
function endWithParent(): void {
  const kill = `setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${mostSeconds * 1000})`;
  new Worker(kill, { eval: true });
  process.on('disconnect', () => process.exit());
}

function read({ body, timezone, slotStarts, occurrences }: ProcessTask): void {
  answer(() => {
    const events = readCalendarText(new TextDecoder().decode(body), timezone);
    process.once('message', (ownIds: readonly string[]) => {
      const own = new Set(ownIds);
      answer(() => {
        const others = events.filter((event) => !own.has(idOf(event) ?? ''));
        return { kind: 'read', busy: busyIntervals(others, { slotStarts, occurrences }) };
      });
    });
    return { kind: 'ids', ids: [...new Set(events.map(idOf).filter((id) => id !== null))] };
  });
}

function answer(work: () => ProcessAnswer): void {
  let result: ProcessAnswer;
  try {
    result = work();
  } catch (error) {
    const isTooMany = error instanceof TooManyOccurrencesError;
    result = { kind: 'failed', error: isTooMany ? 'too_many_events' : 'unreadable' };
  }
  process.send?.(result);
}

function idOf({ uid }: EventText): string | null {
  const id = uid?.toLowerCase() ?? '';
  return isUuid(id) ? id : null;
}
