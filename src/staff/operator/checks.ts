import { ownOrigins } from '../../config/addresses.js';
import type { Config } from '../../config/config.js';
import { keyCap, pendingHoldsOfPlatform, webhookCaps } from '../../config/limits.js';
import { liveBookingsPerCaller } from '../../domain/booking/caps.js';
import { readBacklog } from '../../domain/studio/event-log.js';
import { listMissing } from '../../domain/studio/transfer/left-out.js';
import { countNetworksAtKeyCap } from '../../repositories/api-keys.js';
import { findCallersAtCap } from '../../repositories/caps.js';
import {
  type FormerAddress,
  readFormerAddresses,
  readMode,
  readOriginMismatch,
  readPublicBaseUrl,
} from '../../repositories/installation.js';
import { listPlatforms, readPlatformUse } from '../../repositories/platforms.js';
import { countSubscriptions } from '../../repositories/webhook-subscriptions.js';
import { longestSessionHours } from '../../schedule/slots.js';
import { proofSentences } from '../../views/proofs.js';
import { type Finding, ok, warning, warningOf } from '../failure.js';
import type { Session } from '../session.js';
import { count, countNamed } from '../text.js';
import {
  checkClock,
  checkDisk,
  checkFreeSpace,
  checkKey,
  checkRetention,
  checkTimeZones,
  checkZoneData,
} from './database-checks.js';
import { checkMail, checkMailLogin } from './mail-check.js';
import { checkQueues, checkRedis } from './queue-check.js';
import {
  checkEncoding,
  checkIndexes,
  checkMigrations,
  checkProcesses,
  checkServer,
  checkSession,
  checkWrites,
} from './server-checks.js';
import { checkCalendars, checkClosedDays, checkReadiness, checkWeeks } from './studio-checks.js';

const lagToleranceSeconds = 60;

type Checks<Subject> = Readonly<Record<string, (subject: Subject) => Promise<Finding>>>;

/** The checks without which `checks` would fail: one that fails is the reason. */
export const prerequisites: Checks<Session> = { server: checkServer, migrations: checkMigrations };

/** The checks of a database that answers and has this version's schema, in their order. */
export const checks: Checks<Session> = {
  session: checkSession,
  writes: checkWrites,
  indexes: checkIndexes,
  encoding: checkEncoding,
  processes: checkProcesses,
  address: checkAddress,
  'ready for others': checkReadiness,
  'secret key': checkKey,
  clock: checkClock,
  retention: checkRetention,
  'time zones': checkTimeZones,
  'zone data': checkZoneData,
  backlog: checkBacklog,
  queues: checkQueues,
  mail: checkMail,
  confirmation: checkConfirmation,
  calendars: checkCalendars,
  'closed days': checkClosedDays,
  weeks: checkWeeks,
  callers: checkCallers,
  platforms: checkPlatforms,
  'left out': checkLeftOut,
  webhooks: checkWebhooks,
  disk: checkDisk,
};

/** The checks that replace `checks` without a database. */
export function checksWithoutDatabase({ redisUrl, mail, databaseUrl }: Config): Checks<Config> {
  return {
    ...(redisUrl !== null && { queues: () => checkRedis(redisUrl) }),
    ...(mail !== null && { mail: () => checkMailLogin(mail) }),
    ...(databaseUrl === null && { disk: checkFreeSpace }),
  };
}

async function checkAddress({ config, services }: Session): Promise<Finding> {
  const { database } = services;
  const { publicBaseUrl } = config;
  const opened = await readOriginMismatch(database);
  const served = await readPublicBaseUrl(database);
  const formers = await readFormerAddresses(database, publicBaseUrl);
  const problems = [
    served !== null &&
      served !== publicBaseUrl &&
      `PUBLIC_BASE_URL is ${publicBaseUrl} here, and the service has started with ${served}: restart it, or set the same in every process.`,
    ...formers.flatMap((former) => formerAddressProblems(former, publicBaseUrl)),
    opened !== null &&
      !ownOrigins(config).includes(opened) &&
      `A form was refused, since its page was opened at ${opened}, not at ${publicBaseUrl}. If that address is yours, set PUBLIC_BASE_URL to it; anyone can cause this warning.`,
  ];
  return warningOf(
    problems,
    'Within 24 hours, no form was refused for an address other than PUBLIC_BASE_URL.',
  );
}

function formerAddressProblems(
  { url, until, forgottenOn, bookings, feeds, passkeys }: FormerAddress,
  publicBaseUrl: string,
) {
  const left = [
    ...(bookings > 0 ? [count(bookings, 'booking')] : []),
    ...(feeds > 0 ? [count(feeds, 'calendar feed')] : []),
  ];
  return [
    left.length > 0 &&
      `The address was ${url} until ${until}, and links of ${left.join(' and ')} lead there: redirect it to ${publicBaseUrl}, with all paths. This warning ends on ${forgottenOn}.`,
    passkeys > 0 &&
      new URL(url).hostname !== new URL(publicBaseUrl).hostname &&
      `${count(passkeys, 'passkey')} made at ${url} cannot sign in any more: sign in with "studio console link", and add them again.`,
  ];
}

async function checkBacklog({ services }: Session): Promise<Finding> {
  const backlog = await readBacklog(services);
  const lag = Math.max(0, Math.round(backlog.oldestSeconds));
  const message = `${count(backlog.undispatched, 'event')} not dispatched, the oldest ${lag} s old; overdue: ${count(backlog.overdueHolds, 'hold')}, ${count(backlog.overdueDeliveries, 'delivery')}.`;
  const isLate =
    lag > lagToleranceSeconds || backlog.overdueHolds > 0 || backlog.overdueDeliveries > 0;
  return isLate ? warning(`${message} Start a process with ROLE=all or ROLE=worker.`) : ok(message);
}

/** Describes what the recorded proof stops: neither `link` nor `code` is a fault. */
async function checkConfirmation({ services }: Session): Promise<Finding> {
  const { confirmation } = await readMode(services.database);
  const asked = { link: 'the link', code: 'the link and a code' }[confirmation];
  return ok(`Takes ${asked}. ${proofSentences(confirmation)}`);
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
  ];
  return warningOf(
    problems,
    `No caller has reached the limit of ${cap} live bookings placed within 24 hours, nor of ${keyCap.perNetwork} API keys.`,
  );
}

/** Warns of platforms that have reached a cap as a whole. */
async function checkPlatforms({ config, services }: Session): Promise<Finding> {
  const platforms = await listPlatforms(services.database);
  const uses = await readPlatformUse(services.database, longestSessionHours);
  const reached = platforms.flatMap(({ name, live_bookings, pending_holds_percent }) => {
    const use = uses.find((each) => each.name === name);
    const pending = pendingHoldsOfPlatform(config, pending_holds_percent);
    return [
      ...((use?.liveBookings ?? 0) >= live_bookings
        ? [`${name} has reached its limit of ${live_bookings} live bookings placed within 24 hours`]
        : []),
      ...((use?.pendingHolds ?? 0) >= pending
        ? [`${name} has reached its limit of ${count(pending, 'pending hold')}`]
        : []),
    ];
  });
  if (reached.length > 0) {
    return warning(`${reached.join('; ')}. "studio platforms set" changes its limits.`);
  }
  if (platforms.length === 0) return ok('No platforms are listed.');
  return ok(`${count(platforms.length, 'platform')}, none at a limit.`);
}

/** Warns of what an imported export left out, until the same number exists again. */
async function checkLeftOut({ services }: Session): Promise<Finding> {
  const missing = await listMissing(services.database);
  return missing.length === 0
    ? ok('Nothing is missing that an imported export left out.')
    : warning(
        `Left out by the export that was imported, and missing: ${countNamed(missing)}. Make it again, or run "studio left-out dismiss".`,
      );
}

/** Warns from 80 % of the live subscriptions that the service takes. */
async function checkWebhooks({ services }: Session): Promise<Finding> {
  const { total, unproven } = await countSubscriptions(services.database);
  const message = `${total} of ${webhookCaps.total} places for webhook subscriptions are taken, ${unproven} by ones that never succeeded.`;
  return total < webhookCaps.warnFrom
    ? ok(message)
    : warning(
        `${message} Once all are, a new one replaces the oldest of these: "studio webhooks list" shows them, "studio webhooks disable" frees a place.`,
      );
}
