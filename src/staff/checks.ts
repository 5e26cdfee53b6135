import { ownOrigins } from '../config/addresses.js';
import { keyCap } from '../config/limits.js';
import { measureClock } from '../database/clock.js';
import { freeBytes, isSession, readServerFacts, readWallClock } from '../database/diagnostics.js';
import { findKeyring, readKeyId } from '../database/installation-key.js';
import { readSchemaState } from '../database/migrate.js';
import { liveBookingsPerCaller } from '../domain/caps.js';
import { readOpenQuestions } from '../domain/closed-days.js';
import { readBacklog } from '../domain/event-log.js';
import { countNetworksAtKeyCap } from '../repositories/api-keys.js';
import { findCallersAtCap } from '../repositories/caps.js';
import { readMode, readOriginMismatch } from '../repositories/installation.js';
import { readStudio } from '../repositories/studio-settings.js';
import { longestSessionHours, slotStartsAt, timeSlots, wallClockHours } from '../schedule/slots.js';
import { proofSentences } from '../views/proofs.js';
import { checkCalendars } from './calendar-check.js';
import type { Finding } from './failure.js';
import { checkMail } from './mail-check.js';
import { checkPlatforms } from './platform-check.js';
import { withQueues } from './queues.js';
import type { Session } from './session.js';
import { count } from './text.js';
import { checkZoneData } from './zone-check.js';

export interface Check {
  name: string;
  /** An exception fails the check, with the exception's message. */
  run(session: Session): Promise<Finding>;
}

const ok = (message: string): Finding => ({ status: 'ok', message });
const warning = (message: string): Finding => ({ status: 'warning', message });
const failure = (message: string): Finding => ({ status: 'failure', message });

const minServerVersion = 14;
const maxServerVersion = 18;
const clockToleranceMs = 2_000;
const lagToleranceSeconds = 60;
const lowDiskBytes = 1_000_000_000;
const criticalDiskBytes = 100_000_000;

/** The checks that need an open database, in the order in which they run. */
export const checks: readonly Check[] = [
  { name: 'address', run: checkAddress },
  { name: 'server', run: checkServer },
  { name: 'session', run: checkSession },
  { name: 'migrations', run: checkMigrations },
  { name: 'secret key', run: checkKey },
  { name: 'clock', run: checkClock },
  { name: 'time zones', run: checkTimeZones },
  { name: 'zone data', run: checkZoneData },
  { name: 'backlog', run: checkBacklog },
  { name: 'queues', run: checkQueues },
  { name: 'mail', run: checkMail },
  { name: 'confirmation', run: checkConfirmation },
  { name: 'calendars', run: checkCalendars },
  { name: 'closed days', run: checkClosedDays },
  { name: 'callers', run: checkCallers },
  { name: 'platforms', run: checkPlatforms },
  { name: 'disk', run: checkDisk },
];

async function checkAddress({ config, services }: Session): Promise<Finding> {
  const opened = await readOriginMismatch(services.database);
  return opened !== null && !ownOrigins(config).includes(opened)
    ? warning(
        `A form was refused, since its page was opened at ${opened}, not at ${config.publicBaseUrl}. If that address is yours, set PUBLIC_BASE_URL to it; anyone can cause this warning.`,
      )
    : ok('Within 24 hours, no form was refused for an address other than PUBLIC_BASE_URL.');
}

async function checkServer({ services, access }: Session): Promise<Finding> {
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

async function checkSession({ connection }: Session): Promise<Finding> {
  return (await isSession(connection))
    ? ok('Each connection keeps its own session.')
    : failure(
        'A connection pooler runs in transaction mode: LISTEN and advisory locks do not work. Set DATABASE_URL to the server itself, or use session mode.',
      );
}

async function checkMigrations({ connection }: Session): Promise<Finding> {
  const { applied, missing, unknown } = await readSchemaState(connection);
  if (unknown.length > 0) {
    return failure(
      `The database was migrated by a newer version of the service (${unknown.join(', ')}): run that version.`,
    );
  }
  return missing.length > 0
    ? failure(
        `Pending migrations: ${missing.join(', ')}. Start the service, or run "npm run migrate".`,
      )
    : ok(`${count(applied.length, 'migration')}, none pending.`);
}

async function checkKey({ config, services }: Session): Promise<Finding> {
  const keyring = await findKeyring(config);
  const keyId = await readKeyId(services.database);
  if (keyring === null) {
    return failure('The file secret-key is missing in DATA_DIR: restore it from your copy.');
  }
  if (keyId === keyring.currentKeyId) return ok('The secret key matches the database.');
  if (keyId === null || keyId === keyring.previousKeyId) {
    return ok('The database switches to this secret key when the service starts next.');
  }
  return failure('The secret key does not match the database: the service will not start.');
}

async function checkClock({ services }: Session): Promise<Finding> {
  const offset = Math.round(await measureClock(services.database, services.clock));
  const message = `The database's clock is ${Math.abs(offset)} ms ${offset < 0 ? 'behind' : 'ahead of'} this machine's.`;
  return Math.abs(offset) <= clockToleranceMs
    ? ok(message)
    : warning(`${message} The database's clock is authoritative; synchronize both with NTP.`);
}

/** Compares a year of dates, to cover both changes of daylight-saving time. */
async function checkTimeZones({ services }: Session): Promise<Finding> {
  const { timezone } = await readStudio(services.database);
  const hours = timeSlots.map((slot) => wallClockHours[slot]);
  const databaseTimes = await readWallClock(services.database, timezone, hours, 366);
  const differing = databaseTimes.filter(({ date, hour, epochMs }) =>
    timeSlots.some(
      (slot) =>
        wallClockHours[slot] === hour && slotStartsAt(timezone, date, slot).epochMs !== epochMs,
    ),
  );
  const [first] = differing;
  return first === undefined
    ? ok(`Node.js and the database agree on ${timezone} for the next year.`)
    : warning(
        `Node.js and the database disagree on ${timezone} from ${first.date} on: update the time zone data of both. Session times follow Node.js.`,
      );
}

async function checkBacklog({ services }: Session): Promise<Finding> {
  const backlog = await readBacklog(services);
  const lag = Math.max(0, Math.round(backlog.oldestSeconds));
  const message = `${count(backlog.undispatched, 'event')} not dispatched, the oldest ${lag} s old; overdue: ${count(backlog.overdueHolds, 'hold')}, ${count(backlog.overdueDeliveries, 'delivery')}.`;
  const isLate =
    lag > lagToleranceSeconds || backlog.overdueHolds > 0 || backlog.overdueDeliveries > 0;
  return isLate ? warning(`${message} Start a process with ROLE=all or ROLE=worker.`) : ok(message);
}

async function checkQueues(session: Session): Promise<Finding> {
  const counted = await withQueues(session, (queues) => queues.countJobs());
  const jobs = counted.map(({ queue, counts }) => {
    const states = Object.entries(counts).filter(([, number]) => number > 0);
    const known = states.map(([state, number]) => `${number} ${state}`).join(', ');
    return `${queue}: ${known || 'empty'}`;
  });
  const store = session.config.redisUrl === null ? 'PostgreSQL' : 'Redis';
  return ok(`On ${store}. ${jobs.join('; ')}.`);
}

/** Tells what the recorded proof stops: neither `link` nor `code` is a fault. */
async function checkConfirmation({ services }: Session): Promise<Finding> {
  const { confirmation } = await readMode(services.database);
  const asked = { link: 'the link', code: 'the link and a code' }[confirmation];
  return ok(`Takes ${asked}. ${proofSentences(confirmation)}`);
}

async function checkClosedDays({ services }: Session): Promise<Finding> {
  const { undecided, asked } = await readOpenQuestions(services);
  const waiting =
    asked.length === 0 ? '' : ` Asked for another time: ${count(asked.length, 'person')}.`;
  return undecided.length === 0
    ? ok(`No session on a closed day is undecided.${waiting}`)
    : warning(
        `Sessions on closed days: ${undecided.length}. Nobody is reminded of them until you decide: run "studio closures decide".${waiting}`,
      );
}

async function checkCallers({ config, services }: Session): Promise<Finding> {
  const { confirmation } = await readMode(services.database);
  const cap = liveBookingsPerCaller(config, confirmation);
  const { addresses, apiKeyIds } = await findCallersAtCap(
    services.database,
    cap,
    longestSessionHours,
  );
  const networks = await countNetworksAtKeyCap(services.database);
  const keys = apiKeyIds.length === 0 ? '' : ` (${apiKeyIds.join(', ')})`;
  const problems = [
    addresses + apiKeyIds.length > 0 &&
      `${count(addresses, 'network')} and ${count(apiKeyIds.length, 'API key')}${keys} have reached the limit of ${cap} live bookings placed within 24 hours. If one is a platform that serves many people, list its addresses with "studio platforms add", or raise MAX_LIVE_BOOKINGS_PER_CALLER.`,
    networks > 0 &&
      `${count(networks, 'network')} reached the limit of ${keyCap.perNetwork} API keys made or used within ${keyCap.days} days: "studio keys" lists and revokes keys.`,
  ].filter((problem) => problem !== false);
  return problems.length === 0
    ? ok(
        `No caller has reached the limit of ${cap} live bookings placed within 24 hours, nor of ${keyCap.perNetwork} API keys.`,
      )
    : warning(problems.join(' '));
}

async function checkDisk({ config, services }: Session): Promise<Finding> {
  const { databaseBytes } = await readServerFacts(services.database);
  const size = `The database occupies ${megabytes(databaseBytes)}`;
  if (config.databaseUrl !== null) return ok(`${size}.`);
  const free = await freeBytes(config.dataDir);
  const message = `${size}; ${megabytes(free)} are free in DATA_DIR.`;
  if (free < criticalDiskBytes) return failure(message);
  return free < lowDiskBytes ? warning(message) : ok(message);
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000).toLocaleString('en-US')} MB`;
}

/** Runs one check; an exception becomes a failed finding. */
export async function runCheck(check: Check, session: Session): Promise<Finding> {
  try {
    return await check.run(session);
  } catch (error) {
    return failure((error as Error).message);
  }
}
