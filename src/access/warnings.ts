import { recordOriginMismatch } from '../repositories/installation.js';
import type { AccessServices } from './services.js';

const reportEveryMs = 86_400_000;

/** Counted in the limit store, so that processes with one Redis warn once. */
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
 * Tells the operator, at most once an hour, that a form of a page was refused that was opened at this
 * origin: in the log, and in what "studio doctor" reads. A database that fails does not fail the caller.
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
