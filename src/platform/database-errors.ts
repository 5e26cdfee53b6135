/** A server that is stopped takes its name along where names are given by what runs (Docker). */
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
/** PostgreSQL's codes for: shutting down (three), starting or restored (two), out of time (two), a
 * lock not had, a disk that fails, and a server that another one has taken over from. */
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
]);
/** PostgreSQL's classes for: the connection, and what it has run out of (disk, memory, places). */
const serverClasses = /^(08|53)/;
const driverMessages =
  /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Query read timeout|Cannot use a pool after|driver has already been destroyed)/;

/** Whether the failure means that the database cannot answer right now, so that later it may. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string') {
    return networkCodes.has(code) || serverCodes.has(code) || serverClasses.test(code);
  }
  return driverMessages.test(error.message);
}
