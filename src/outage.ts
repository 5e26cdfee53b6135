const networkCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT']);
/** PostgreSQL's codes for: shutting down (three), starting or restored (two), too many connections,
 * out of time (two), and a lock not had. */
const serverCodes = new Set([
  '57P01',
  '57P02',
  '57P05',
  '57P03',
  '3D000',
  '53300',
  '57014',
  '25P03',
  '55P03',
]);
const driverMessages =
  /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Query read timeout|Cannot use a pool after)/;

/** Whether the failure means that the database cannot answer right now, so that later it may. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string') {
    return networkCodes.has(code) || serverCodes.has(code) || code.startsWith('08');
  }
  return driverMessages.test(error.message);
}
