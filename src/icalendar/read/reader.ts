import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { CalendarError } from '../../database/rows/calendars.js';
import type { ResolveAddresses } from '../../outbound/resolve-addresses.js';
import type {
  BodyReading,
  CalendarFileReader,
  CalendarReader,
  CalendarContents,
  CalendarRequest,
} from '../calendar-reader.js';
import { createCalendarFetcher, failed, inflated } from './fetch-calendar.js';
import { calendarLimits, type CalendarLimits } from './limits.js';

/** Recognizes a login page without starting a process. */
const beginning = /^(\xef\xbb\xbf)?\s*BEGIN\s*:\s*VCALENDAR\s/i;
const beginningBytes = 1024;

/** Reads watched calendars within `limits`, with one process at a time. */
export function createCalendarReader({
  allowPrivateTargets,
  resolve,
  limits = calendarLimits,
}: {
  allowPrivateTargets: boolean;
  resolve?: ResolveAddresses;
  limits?: CalendarLimits;
}): CalendarReader & CalendarFileReader {
  const closing = new AbortController();
  const { signal } = closing;
  const fetcher = createCalendarFetcher({
    allowPrivateTargets,
    limits,
    ...(resolve && { resolve }),
  });
  let lastReading: Promise<unknown> = Promise.resolve();

  const readAfterLast = (body: Uint8Array, request: BodyRequest): Promise<BodyReading> => {
    const reading = lastReading.then(() => readInProcess(body, request, limits, signal));
    // An error is for the caller only.
    lastReading = reading.catch(() => undefined);
    return reading;
  };

  const readBody = async (body: Uint8Array, request: BodyRequest): Promise<BodyReading> => {
    if (signal.aborted) return { outcome: 'aborted' };
    const plain = await inflated(body, limits.bodyBytes);
    if ('outcome' in plain) return plain;
    if (plain.length > limits.bodyBytes) return failed('too_large');
    if (!isCalendar(plain)) return failed('not_a_calendar');
    return readAfterLast(plain, request);
  };

  return {
    async read(request) {
      if (signal.aborted) return { outcome: 'aborted' };
      const fetched = await fetcher.fetch(request);
      if (fetched.outcome !== 'fetched') return fetched;
      const { etag, body, movedTo } = fetched;
      const reading = await readBody(body, request);
      return reading.outcome === 'read' ? { ...reading, etag, movedTo } : reading;
    },
    readBody,
    async close() {
      closing.abort();
      await fetcher.close();
      await lastReading;
    },
  };
}

/** Whether bytes begin as a calendar does. */
export function isCalendar(body: Uint8Array): boolean {
  const head = Buffer.from(body.subarray(0, beginningBytes)).toString('latin1');
  return beginning.test(head);
}

type BodyRequest = Omit<CalendarRequest, 'address' | 'etag'>;

/**
 * Reads a calendar in a process of its own (src/decisions.md), which has ended when this resolves.
 * Rejects only if `findOwnIds` does, or no process can be started.
 */
async function readInProcess(
  body: Uint8Array,
  request: BodyRequest,
  { heapMegabytes, ...limits }: CalendarLimits,
  signal: AbortSignal,
): Promise<BodyReading> {
  if (signal.aborted) return { outcome: 'aborted' };
  const { readSeconds } = limits;
  const { timezone, slotStarts, isWhole = false, listing = null } = request;
  const child = fork(new URL('./calendar-process.js', import.meta.url), {
    execArgv: [`--max-old-space-size=${heapMegabytes}`],
    serialization: 'advanced',
    // It needs nothing of this process's settings, and prints nothing.
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const ended = once(child, 'exit').catch(() => undefined);
  const ending = new AbortController();
  try {
    return await new Promise<BodyReading>((resolve, reject) => {
      const fail = (error: CalendarError) => resolve(failed(error));
      const timer = createTimer(readSeconds, ending.signal, () => fail('too_slow'));
      const onAbort = () => resolve({ outcome: 'aborted' });
      const send = (message: ProcessTask | readonly string[]) => {
        // The process may have ended: then its end is the answer.
        if (child.connected) child.send(message, () => undefined);
      };
      signal.addEventListener('abort', onAbort, { signal: ending.signal });
      child.on('error', reject);
      child.on('exit', (code, endSignal) => {
        // Node.js aborts when the heap is full.
        if (endSignal !== null) fail(endSignal === 'SIGXCPU' ? 'too_slow' : 'too_much_memory');
        else reject(new Error(`the process that reads a calendar ended with status ${code}`));
      });
      child.on('message', (answer: ProcessAnswer) => {
        if (answer.kind === 'failed') fail(answer.error);
        else if (answer.kind === 'read') resolve({ outcome: 'read', ...answer.contents });
        else {
          timer.pause();
          findOwn(answer.ids, request).then((ownIds) => {
            timer.start();
            send(ownIds);
          }, reject);
        }
      });
      timer.start();
      send({ body, timezone, slotStarts, isWhole, listing, ...limits });
    });
  } finally {
    ending.abort();
    child.kill('SIGKILL');
    if (child.pid !== undefined) await ended;
  }
}

async function findOwn(ids: readonly string[], request: BodyRequest): Promise<readonly string[]> {
  return ids.length === 0 ? [] : request.findOwnIds(ids);
}

/** A timer that can be paused: only running seconds count. */
function createTimer(seconds: number, ended: AbortSignal, onTimeout: () => void) {
  let leftMs = seconds * 1000;
  let startedAt = 0;
  let timeout: NodeJS.Timeout | undefined;
  const pause = (): void => {
    clearTimeout(timeout);
    leftMs -= performance.now() - startedAt;
  };
  ended.addEventListener('abort', pause, { once: true });
  return {
    pause,
    start() {
      if (ended.aborted) return;
      startedAt = performance.now();
      timeout = setTimeout(onTimeout, leftMs);
    },
  };
}

/** The first message to the process. */
export interface ProcessTask {
  readonly body: Uint8Array;
  readonly timezone: string;
  readonly slotStarts: readonly number[];
  readonly isWhole: boolean;
  readonly listing: (CalendarRequest['listing'] & {}) | null;
  readonly processorSeconds: number;
  readonly readSeconds: number;
  readonly occurrences: number;
  readonly listed: number;
}

/** First the ids; then, after a message with this service's own among them, the intervals. */
export type ProcessAnswer =
  /** UIDs of events that have the form of this service's ids, in lower case. */
  | { kind: 'ids'; ids: readonly string[] }
  | { kind: 'read'; contents: CalendarContents }
  | { kind: 'failed'; error: CalendarError };
