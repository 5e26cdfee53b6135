import type { BusyInterval } from '../../schedule/busy-times.js';
import type { CalendarError } from '../calendar-reader.js';

/** The first message to the process. */
export interface ProcessTask {
  readonly body: Uint8Array;
  readonly timezone: string;
  readonly slotStarts: readonly number[];
  readonly occurrences: number;
}

/** First the ids, and after a message of those that are this service's own, the intervals. */
export type ProcessAnswer =
  /** UIDs of events that have the form of this service's ids, in lower case. */
  | { kind: 'ids'; ids: readonly string[] }
  | { kind: 'read'; busy: readonly BusyInterval[] }
  | { kind: 'failed'; error: CalendarError };
