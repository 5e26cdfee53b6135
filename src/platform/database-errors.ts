/** The name of a stopped server may not resolve (Docker), hence ENOTFOUND and EAI_AGAIN. */
const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EMFILE',
  'ENFILE',
  'EPIPE',
  'ETIMEDOUT',
]);
/** Of the function `require_version`: this process is of a version below the database's minimum. */
const outdated = 'BV001';
/**
 * SQLSTATE codes: shutting down (57P01, 57P02, 57P05), starting or being restored (57P03, 3D000),
 * timeouts (57014, 25P03), lock not available, I/O error, and read-only after a failover (25006).
 */
const serverCodes = new Set([
  '57P01',
  '57P02',
  '57P05',
  '57P03',
  '3D000',
  '57014',
  '25P03',
  '55P03',
  '58030',
  '25006',
  outdated,
]);
/** SQLSTATE classes: connection exception (08), insufficient resources (53). */
const serverClasses = /^(08|53)/;
const driverMessages =
  /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Query read timeout)/;
const closedMessages = /^(Cannot use a pool after|driver has already been destroyed)/;

/** Whether the error means that a newer version has changed the database: this process takes no slot. */
export function isOutdated(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === outdated;
}

/** Whether the error means that the database is unavailable to this process, and may be available later. */
export function isDatabaseUnavailable(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string') {
    return networkCodes.has(code) || serverCodes.has(code) || serverClasses.test(code);
  }
  return driverMessages.test(error.message) || isDatabaseClosed(error);
}

/** What an operator reads of an error of `isDatabaseUnavailable`. */
export function describeOutage({ message, code }: Error & { code?: string }): string {
  return `The database does not answer: ${message || code || 'no connection'}.`;
}

/** Whether the error means that this process has closed its database: it has stopped. */
export function isDatabaseClosed(error: unknown): boolean {
  return error instanceof Error && closedMessages.test(error.message);
}
