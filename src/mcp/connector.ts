import { document } from '../../generated/document.js';
import { isLoopback } from '../config/addresses.js';
import type { Config } from '../config/config.js';
import type { DomainServices } from '../domain/deps.js';
import { ServiceError } from '../errors.js';
import { durationWords } from '../schedule/words.js';
import { changesAdvice, loopbackAdvice } from '../views/booking.js';
import { errorView } from '../views/error.js';
import { chargeFailure } from '../web/charge-failure.js';
import { logFailure, toServiceError } from '../web/plugins/errors.js';
import { describeValidationErrors } from '../web/validation.js';
import { createResources, type ResourceContents, type ResourceDefinition } from './resources.js';
import {
  createTools,
  type HttpRequest,
  type Tool,
  type ToolDefinition,
  toolError,
  type ToolResult,
} from './tools.js';

/** The connector's path under the public base URL. */
export const connectorPath = '/api/public/mcp';

/** The connector's description, in every protocol version and on its server card. */
export interface Identity {
  /** In reverse-DNS form: `com.example.book/booking`. */
  name: string;
  title: string;
  version: string;
  description: string;
  websiteUrl: string;
}

/** The service of every protocol version. */
export interface Connector {
  identity: Identity;
  instructions: string;
  definitions: ToolDefinition[];
  /** Calls a tool; null if no tool has this name. */
  call: (
    name: string,
    args: Record<string, unknown>,
    httpRequest: HttpRequest,
  ) => Promise<ToolResult> | null;
  unknownTool: string;
  resources: ResourceDefinition[];
  /** Reads a resource; null if none has this URI. */
  readResource: (uri: string) => ResourceContents | null;
}

/** The server's instructions, which hosts give to a model together with the tools. */
function instructionsFor({
  holdLifetimeSeconds,
  publicBaseUrl,
  confirmation,
}: Pick<Config, 'holdLifetimeSeconds' | 'publicBaseUrl' | 'confirmation'>): string {
  const lifetime = durationWords(holdLifetimeSeconds);
  return `Book a session at a tattoo studio for a person. The flow: get_studio_info, list_open_times, let the person choose, hold_slot with their details, show them the link that it answers, then get_booking_status with wait_seconds until the booking is no longer pending.

The one rule: only the person opens the link and locks the session in. Never open it yourself. ${confirmation === 'code' ? 'Confirming takes six digits, mailed to the email of the hold: the person types them, so never ask for them. ' : ''}${changesAdvice} A hold lasts ${lifetime} and nothing extends it: hold only while the person is there. For one who is away, or who wants a certain artist of several, fill book_url_template in and send that link: it holds the time when they press; you get no id, so ask them whether it worked.${isLoopback(publicBaseUrl) ? ` ${loopbackAdvice}` : ''} Dates and times are on the studio's wall clock. Booking is free.

A result with isError has a JSON object "error" with a code and a message that says what to do next.`;
}

export function createConnector(context: DomainServices): Connector {
  const tools = new Map(createTools(context).map((tool) => [tool.definition.name, tool]));
  const resources = new Map(
    createResources(context.config).map((each) => [each.definition.uri, each]),
  );
  return {
    identity: identityOf(context.config.publicBaseUrl),
    instructions: instructionsFor(context.config),
    definitions: [...tools.values()].map((tool) => tool.definition),
    call(name, args, httpRequest) {
      const tool = tools.get(name);
      return tool === undefined ? null : callTool(tool, args, httpRequest);
    },
    unknownTool: `Unknown tool. Known are: ${[...tools.keys()].join(', ')}. ${changesAdvice}`,
    resources: [...resources.values()].map((resource) => resource.definition),
    readResource: (uri) => resources.get(uri)?.contents ?? null,
  };
}

/**
 * Validates the arguments, charges the caller and runs the tool. Never throws: a failure is a
 * result with `isError` and the error envelope as its text.
 */
async function callTool(
  tool: Tool,
  args: Record<string, unknown>,
  httpRequest: HttpRequest,
): Promise<ToolResult> {
  const given = tool.given(args);
  try {
    if (!tool.chargesItself) await httpRequest.caller.meter.chargeTo('reads');
    const invalid = tool.validate(given);
    if (invalid !== null) {
      const details = describeValidationErrors(invalid, 'arguments');
      throw new ServiceError('invalid_request', { details });
    }
    return await tool.run(given as never, httpRequest);
  } catch (error) {
    const failure = toServiceError(error as Error);
    const explained = (await tool.explain?.(failure, given)) ?? failure;
    return failureResult(await chargeFailure(httpRequest.caller, explained), httpRequest);
  }
}

function failureResult(failure: ServiceError, { id, log }: HttpRequest): ToolResult {
  logFailure(log, failure);
  const details = failure.details?.map(({ path, message }) => ({
    path: path.replace(/^(?:body|query)\./u, 'arguments.'),
    message,
  }));
  return toolError(errorView(failure, id, details));
}

export function identityOf(publicBaseUrl: string): Identity {
  const { title, version, summary } = document.info;
  return {
    name: `${namespaceOf(new URL(publicBaseUrl).hostname)}/booking`,
    title,
    version,
    description: summary as string,
    websiteUrl: `${publicBaseUrl}/docs`,
  };
}

/** `com.example.book` for `book.example.com`; an IPv4 address stays as it is. */
function namespaceOf(hostname: string): string {
  if (hostname.startsWith('[')) return 'localhost';
  return /^[\d.]+$/u.test(hostname) ? hostname : hostname.split('.').reverse().join('.');
}
