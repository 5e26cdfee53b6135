import { recordOriginMismatch } from '../repositories/origin-mismatch.js';
import type { AccessServices } from './services.js';

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
