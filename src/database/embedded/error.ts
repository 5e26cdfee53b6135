import { StartError } from '../../errors.js';

/** The embedded PostgreSQL cannot serve. The message is a sentence for the operator. */
export class EmbeddedPostgresError extends StartError {
  override readonly name = 'EmbeddedPostgresError';
}

/** A service already runs on the data folder. */
export class AlreadyRunningError extends EmbeddedPostgresError {}

export const wayOut = 'Set DATABASE_URL to use a PostgreSQL server of your own instead.';

export function codeOf(error: unknown): string | undefined {
  return (error as { code?: string } | null)?.code;
}
