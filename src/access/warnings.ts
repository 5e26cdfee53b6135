import { recordOriginMismatch } from '../repositories/installation.js';
import type { AccessServices } from './services.js';

const reportEveryMs = 86_400_000;

/** Warns once a day for all processes with one Redis: the limit store counts. */
export function warnDaily(
  { limitStore, log }: Pick<AccessServices, 'limitStore' | 'log'>,
  key: string,
  { facts, message }: { facts: Record<string, unknown>; message: string },
): void {
  limitStore.incr(
    key,
    (_error, usage) => {
      if (usage?.current === 1) log.warn(facts, message);
    },
    reportEveryMs,
    1,
  );
}

/**
 * Warns the operator at most once an hour, in the log and in "studio doctor", that a form opened at this
 * origin was refused. A database that fails does not fail the caller.
 */
export async function reportOriginMismatch(
  { database, log, config }: Pick<AccessServices, 'database' | 'log' | 'config'>,
  origin: string,
): Promise<void> {
  const isFirst = await recordOriginMismatch(database, origin).catch(() => false);
  if (!isFirst) return;
  log.warn(
    { origin, public_base_url: config.publicBaseUrl },
    'a form was refused, since its page was not opened at PUBLIC_BASE_URL; if this origin is yours, and people open the service there, set PUBLIC_BASE_URL to it; anyone can cause this line (logged at most once an hour)',
  );
}
