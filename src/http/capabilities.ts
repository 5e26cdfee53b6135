import { document } from '../../generated/document.js';
import type { OperationId } from '../../generated/operations.js';
import { type Capabilities, HoldRequest } from '../../generated/schemas.js';
import { createBudgets, writingBudgets } from '../access/budgets.js';
import type { Config, ConfirmationProof } from '../config/config.js';
import {
  availabilityRangeDays,
  deprecationNoticeDays,
  maxBodyBytes,
  maxIdempotencyKeyLength,
  maxWaitSeconds,
  maxWaitsPerCaller,
  pendingHoldsOfPlatform,
  platformDefaults,
  unprovenLimits,
  webhookCaps,
} from '../config/limits.js';
import { liveBookingsPerCaller } from '../domain/booking/caps.js';
import { errors, publicErrorCodes } from '../errors.js';
import { maxAlternatives } from '../schedule/alternatives.js';
import { publicEventTypes } from '../views/webhook.js';
import { supportedProtocolVersions } from '../web/protocol-versions.js';

/** The additions that `npm run check -- compatibility` allows within a major version. */
const additions = [
  'operations and tools',
  'optional members of requests',
  'members of answers and events',
  'error codes',
  'capabilities, transports and protocol versions',
];
const streamEvents = ['availability', 'pulse', 'heartbeat'];

const toolByOperation: Partial<Record<string, string>> = {
  getStudio: 'get_studio_info',
  listAvailability: 'list_open_times',
  createHold: 'hold_slot',
  getBooking: 'get_booking_status',
} satisfies Partial<Record<OperationId, string>>;

/**
 * Builds the body of GET /capabilities from the values that the service enforces: the settings, the mode
 * of the installation, the budgets, the error catalogue and `openapi.yaml`. `bookUrlTemplate`: as `GET
 * /availability` has it.
 */
export function buildCapabilities(
  config: Config,
  proof: ConfirmationProof,
  bookUrlTemplate: string,
): Capabilities {
  const { publicBaseUrl } = config;
  return {
    interface_version: document.info.version,
    service: document.info.title,
    documentation_url: `${publicBaseUrl}/docs`,
    book_url_template: bookUrlTemplate,
    transports: {
      rest: { base_url: publicBaseUrl, openapi_url: `${publicBaseUrl}/api/public/openapi.json` },
      mcp: {
        url: `${publicBaseUrl}/api/public/mcp`,
        protocol_versions: [...supportedProtocolVersions],
      },
      sse: { url: `${publicBaseUrl}/api/public/events`, events: streamEvents },
    },
    capabilities: capabilities(),
    limits: limits(config, proof),
    webhooks: {
      events: [...publicEventTypes],
      signature: 'Standard Webhooks 1.0.0, v1 (HMAC-SHA256)',
      retry_schedule_seconds: config.webhookRetryScheduleSeconds,
      max_waiting_until_proven: unprovenLimits.waiting,
    },
    idempotency: {
      header: 'Idempotency-Key',
      tool_argument: 'idempotency_key',
      operations: ['createHold'],
      max_length: maxIdempotencyKeyLength,
      replay_header: 'Idempotency-Replayed',
    },
    errors: publicErrorCodes.map((code) => {
      const { status, retryable } = errors[code];
      return { code, status, retryable };
    }),
    human_confirmation: {
      required: true,
      actor: 'end_user',
      proof,
      operation: 'createHold',
      tool: 'hold_slot',
      url_member: 'checkout_url',
      hold_lifetime_seconds: config.holdLifetimeSeconds,
      description: `Only the person opens the checkout link and locks the session in. The agent hands the link over and never opens it.${codeRule[proof]}`,
    },
    compatibility: {
      stable_within: `${document.info.version.split('.')[0]}.x`,
      additions,
      policy_url: `${publicBaseUrl}/guide/integrations.md`,
      deprecation: { headers: ['Deprecation', 'Sunset'], notice_days: deprecationNoticeDays },
    },
  };
}

interface DocumentedOperation {
  operationId: string;
  tags: string[];
}

const codeRule: Record<ConfirmationProof, string> = {
  link: '',
  code: ' Confirming takes six digits that are mailed to the e-mail address of the hold, which must be the person’s own.',
};

/** One capability per OpenAPI tag, with the operations that have the tag. */
function capabilities(): Capabilities['capabilities'] {
  const operations = Object.values(document.paths).flatMap((item) =>
    Object.values(item as unknown as Record<string, DocumentedOperation>),
  );
  return document.tags.map(({ name, description }) => {
    const operationIds = operations.flatMap(({ operationId, tags }) =>
      tags.includes(name) ? [operationId] : [],
    );
    return {
      name: name.toLowerCase().replaceAll(' ', '-'),
      version: document.info.version,
      description,
      operations: operationIds,
      tools: operationIds.flatMap((id) => toolByOperation[id] ?? []),
    };
  });
}

function limits(config: Config, proof: ConfirmationProof): Capabilities['limits'] {
  const properties = Object.entries(HoldRequest.properties) as [string, { maxLength?: number }][];
  return {
    budgets: Object.values(createBudgets(config)).map((budget) => ({
      name: budget.name,
      window_seconds: budget.windowSeconds,
      anonymous: budget.quota.anonymous,
      keyed: budget.quota.keyed,
      counted_per: budget.scope,
      operations: Object.entries(writingBudgets).flatMap(([operation, name]) =>
        name === budget.name ? [operation] : [],
      ),
    })),
    hold_lifetime_seconds: config.holdLifetimeSeconds,
    max_pending_holds: config.maxPendingHolds,
    max_pending_holds_per_caller: config.maxPendingHoldsPerCaller,
    max_live_bookings_per_person: config.maxLiveBookingsPerPerson,
    max_live_bookings_per_caller: liveBookingsPerCaller(config, proof),
    platform: {
      reads_per_minute: platformDefaults.readsPerMinute,
      holds_per_hour: platformDefaults.holdsPerHour,
      max_pending_holds: pendingHoldsOfPlatform(config, platformDefaults.pendingHoldsPercent),
      max_live_bookings: platformDefaults.liveBookings,
    },
    min_notice_minutes: config.minNoticeMinutes,
    booking_horizon_days: config.bookingHorizonDays,
    availability_range_days: availabilityRangeDays,
    max_alternatives: maxAlternatives,
    max_wait_seconds: maxWaitSeconds,
    max_waits_per_caller: maxWaitsPerCaller,
    max_streams_per_address: config.maxStreamsPerAddress,
    max_webhooks_per_network: webhookCaps.perNetwork,
    max_webhooks_per_domain: webhookCaps.perDomain,
    max_webhooks_per_address: webhookCaps.perNetwork,
    max_webhooks_per_host: webhookCaps.perDomain,
    max_webhooks: webhookCaps.total,
    webhooks_scarce_from: webhookCaps.scarceFrom,
    max_body_bytes: maxBodyBytes,
    max_lengths: Object.fromEntries(
      properties.flatMap(([name, { maxLength }]) =>
        maxLength === undefined ? [] : [[name, maxLength]],
      ),
    ),
  };
}
