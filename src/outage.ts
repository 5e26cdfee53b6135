const networkCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT']);
/** PostgreSQL's codes for: shutting down (three), starting or restored (two), out of time (two), a
 * lock not had, and a disk that fails. */
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
]);
/** PostgreSQL's classes for: the connection, and what it has run out of (disk, memory, places). */
const serverClasses = /^(08|53)/;
const driverMessages =
  /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Query read timeout|Cannot use a pool after)/;

/** Whether the failure means that the database cannot answer right now, so that later it may. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string') {
    return networkCodes.has(code) || serverCodes.has(code) || serverClasses.test(code);
  }
  return driverMessages.test(error.message);
}
