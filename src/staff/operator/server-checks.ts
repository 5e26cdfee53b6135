import { adoptBefore } from '../../database/adoption.js';
import {
  isSession,
  listMissingIndexes,
  listMissingTables,
  listProcesses,
  readServerFacts,
  refusedWrite,
  type RunningProcesses,
} from '../../database/diagnostics.js';
import { readSchemaState } from '../../database/migrate.js';
import { readPackage } from '../../platform/package-root.js';
import { failure, type Finding, ok, warning } from '../failure.js';
import type { Session } from '../session.js';
import { count } from '../text.js';

export const minServerVersion = 14;
const maxServerVersion = 18;

export async function checkServer({ services, access }: Session): Promise<Finding> {
  const { version, versionNumber } = await readServerFacts(services.database);
  const major = Math.floor(versionNumber / 10_000);
  const location = {
    served: 'embedded, service running',
    started: 'embedded, service stopped',
    remote: 'DATABASE_URL',
  }[access];
  const message = `PostgreSQL ${version} (${location}).`;
  return major < minServerVersion || major > maxServerVersion
    ? warning(`${message} The service is tested on ${minServerVersion} to ${maxServerVersion}.`)
    : ok(message);
}

export async function checkSession({ connection }: Session): Promise<Finding> {
  return (await isSession(connection))
    ? ok('Each connection keeps its own session.')
    : failure(
        'A connection pooler runs in transaction mode: LISTEN and advisory locks do not work. Set DATABASE_URL to the server itself, or use session mode.',
      );
}

export async function checkMigrations({ connection, services }: Session): Promise<Finding> {
  const { isToAdopt, applied, missing, unknown } = await readSchemaState(connection);
  if (isToAdopt) return failure(adoptBefore);
  if (unknown.length > 0) {
    return failure(
      `The database was migrated by a newer version of the service (${unknown.join(', ')}): run that version.`,
    );
  }
  if (missing.length > 0) {
    return failure(
      `Pending migrations: ${missing.join(', ')}. Start the service, or run "npm run migrate".`,
    );
  }
  const tables = await listMissingTables(services.database);
  return tables.length > 0
    ? failure(`The database has lost its tables ${tables.join(', ')}: restore a backup.`)
    : ok(`${count(applied.length, 'migration')}, none pending.`);
}

/** Writes in a transaction that is rolled back. */
export async function checkWrites({ connection }: Session): Promise<Finding> {
  const refusal = await refusedWrite(connection);
  return refusal === null
    ? ok('The database takes writes.')
    : failure(
        `The database takes no writes (${refusal}), so nothing can be booked: lead DATABASE_URL to a server that takes some, or end what keeps this one from it.`,
      );
}

export async function checkIndexes({ services }: Session): Promise<Finding> {
  const lost = await listMissingIndexes(services.database);
  return lost.length === 0
    ? ok('All unique indexes are in place.')
    : failure(
        `The database lacks unique indexes, or they are not valid: ${lost.join(', ')}. Until they are back, one time may be booked twice: stop the service, make a backup, and restore it into an empty database, which then has them.`,
      );
}

export async function checkEncoding({ services }: Session): Promise<Finding> {
  const { encoding } = await readServerFacts(services.database);
  return encoding === 'UTF8'
    ? ok('The database stores text as UTF8.')
    : failure(
        `The database stores text as ${encoding}, so names with other than English letters are miscounted and not found, or refused: make a backup, and restore it into a database made with ENCODING 'UTF8' TEMPLATE template0.`,
      );
}

/** Warns of processes of another version, or with other time zone data, than this command's. */
export async function checkProcesses({ services }: Session): Promise<Finding> {
  const running = await listProcesses(services.database);
  const own = { version: readPackage().version, zoneData: process.versions['tz'] ?? 'unknown' };
  const isMixed = (member: keyof typeof own) =>
    running.some((each) => each[member] !== null && each[member] !== own[member]);
  const problems = [
    (running.some(({ version }) => version === null) || isMixed('version')) &&
      'If no upgrade is under way, restart those of the older version in the newer.',
    isMixed('zoneData') &&
      'New bookings get instants by the data of the process that takes them: run all with one version of Node.js.',
  ].filter((problem) => problem !== false);
  if (running.length === 0) return ok('No process of the service is connected.');
  const message = `Connected: ${running.map(processesText).join('; ')}.`;
  return problems.length === 0
    ? ok(message)
    : warning(
        `${message} This command: version ${own.version}, time zone data ${own.zoneData}. ${problems.join(' ')}`,
      );
}

function processesText({ version, zoneData, count: number }: RunningProcesses): string {
  const processes = count(number, 'process');
  return version === null
    ? `${processes} of a version before 2.9`
    : `${processes} of version ${version} with time zone data ${zoneData}`;
}
