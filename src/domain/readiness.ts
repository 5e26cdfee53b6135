import type { DatabaseServices } from '../database/services.js';
import { pingDatabase } from '../repositories/health.js';

/** Resolves when the service can serve, that is, when its database answers; rejects otherwise. */
export function checkReadiness({ database }: Pick<DatabaseServices, 'database'>): Promise<void> {
  return pingDatabase(database);
}
