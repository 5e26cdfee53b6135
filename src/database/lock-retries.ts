import { setTimeout } from 'node:timers/promises';
import { StartError } from '../errors.js';
import type { Logger } from '../platform/log.js';

const pauseMs = 1_000;
const giveUpAfterMs = 120_000;

interface RetryOptions {
  /** Logs once when the first attempt times out. */
  log?: Logger;
  signal?: AbortSignal | undefined;
}

/**
 * Repeats work of a start that did not get a lock of another starting process, a restore, or a long
 * transaction. Between the attempts, others may pass. Throws `StartError` after two minutes, and the
 * signal's reason once it is aborted.
 */
export async function retryLockTimeouts<Result>(
  work: () => Promise<Result>,
  { log, signal }: RetryOptions = {},
): Promise<Result> {
  const startedAt = performance.now();
  let isLogged = false;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      if (performance.now() - startedAt > giveUpAfterMs) {
        throw new StartError(
          'Another session has locked a table or a lock of the database for two minutes, and a start needs it. Wait until its work is done, or end it (the view pg_locks names it); then start again.',
          { cause: error },
        );
      }
    }
    if (!isLogged) {
      log?.info('waiting for another session of the database to release a lock');
    }
    isLogged = true;
    await setTimeout(pauseMs);
    signal?.throwIfAborted();
  }
}

/** A lock timeout, or a deadlock with an earlier version's process while a migration locks tables. */
const lockCodes: (string | undefined)[] = ['55P03', '40P01'];

function isLockTimeout(error: unknown): boolean {
  const { code, cause } = error as { code?: string; cause?: { code?: string } };
  return lockCodes.includes(code) || lockCodes.includes(cause?.code);
}
