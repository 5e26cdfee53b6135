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
/** The error of `require_version`: this process is of a version below the database's minimum. */
const outdated = 'BV001';
/**
 * SQLSTATE codes: shutting down (57P01, 57P02, 57P05), starting or being restored (57P03, 3D000),
 * the login refused, as while a password is changed (28000, 28P01), timeouts (57014, 25P03), lock not
 * available, I/O error, and read-only after a failover (25006).
 */
const serverCodes = new Set([
  '28000',
  '28P01',
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
  /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Query read timeout|SASL: .* password must be)/;
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

const unreachable = 'Start the server, or check host and port in DATABASE_URL.';

/** The operator's checks by the code of the error; the reason is in its message. */
const advice: Readonly<Record<string, string>> = {
  '28P01': 'Check user and password in DATABASE_URL, and PGPASSWORD.',
  '28000': 'Check the user in DATABASE_URL, and whether pg_hba.conf of the server admits it.',
  '3D000': 'Check the name of the database in DATABASE_URL, or create it.',
  '53300': 'Raise max_connections of the server, or run fewer processes.',
  '57P03': 'The server is starting or stopping: try again in a minute.',
  ECONNREFUSED: unreachable,
  // The socket is missing.
  ENOENT: unreachable,
  ENOTFOUND: 'Check the host in DATABASE_URL.',
  ETIMEDOUT: 'Check host and port in DATABASE_URL, and whether a firewall blocks the port.',
};

/** An error of `isDatabaseUnavailable` in words for the operator. */
export function describeOutage({ message, code = '' }: Error & { code?: string }): string {
  // The server asks for a password, and none is given.
  if (message.startsWith('SASL')) return 'The database asks for a password: set PGPASSWORD.';
  const verb = code.startsWith('28') || code === '3D000' ? 'refuses' : 'does not answer';
  const isTimeout = message.startsWith('timeout');
  const check = advice[isTimeout ? 'ETIMEDOUT' : code];
  const sentence = `The database ${verb}: ${message || code || 'no connection'}.`;
  return check === undefined ? sentence : `${sentence} ${check}`;
}

/** Whether the error means that this process has closed its database: it has stopped. */
export function isDatabaseClosed(error: unknown): boolean {
  return error instanceof Error && closedMessages.test(error.message);
}
