/**
 * The process of one read (reader.ts; src/decisions.md). It answers with codes, since messages of errors
 * could quote the calendar.
 */
import { Worker } from 'node:worker_threads';
import { isUuid } from '../../platform/uuid.js';
import { busyIntervals } from './busy-intervals.js';
import { type EventText, readCalendarText } from './calendar-text.js';
import { listEvents } from './event-list.js';
import { TooManyOccurrencesError } from './limits.js';
import { collectNotes } from './notes.js';
import type { ProcessAnswer, ProcessTask } from './reader.js';

process.on('disconnect', () => process.exit());
process.once('message', read);

function read(task: ProcessTask): void {
  endAfter(task);
  answer(() => {
    const notes = collectNotes();
    const { timezone, listing } = task;
    const { floating = null, hasFree = false, own: addresses = [] } = listing ?? {};
    const hasTexts = listing !== null;
    const events = readCalendarText(task.body, { timezone, notes, floating, hasTexts });
    process.once('message', (ownIds: readonly string[]) => {
      const own = new Set(ownIds);
      answer(() => {
        const others = events.filter((event) => !own.has(idOf(event) ?? ''));
        const read =
          listing === null
            ? { busy: busyIntervals(others, task) }
            : { busy: [], listed: listEvents(others, { ...task, hasFree, own: addresses }) };
        return {
          kind: 'read',
          contents: {
            ...read,
            hasEvents: others.length > 0,
            unreadable: notes.unreadable(),
            zones: notes.zones(),
          },
        };
      });
    });
    return { kind: 'ids', ids: [...new Set(events.map(idOf).filter((id) => id !== null))] };
  });
}

/**
 * Ends this process, even within an endless rule or after its parent was killed: by processor time, so
 * that a busy machine refuses no calendar, and in any case at some time.
 */
function endAfter({ processorSeconds, readSeconds }: ProcessTask): void {
  // The time is doubled: the parent ends this process before, if it still can.
  const watch = `
    setInterval(() => {
      const { user, system } = process.cpuUsage();
      const isLate = process.uptime() > ${2 * readSeconds};
      if (isLate || user + system > ${processorSeconds * 1e6}) process.kill(process.pid, 'SIGXCPU');
    }, 50)`;
  new Worker(watch, { eval: true });
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
