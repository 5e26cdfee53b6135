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
