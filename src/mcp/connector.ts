import { document } from '../../generated/document.js';
import { isLoopback } from '../config/addresses.js';
import type { Config } from '../config/config.js';
import type { DomainServices } from '../domain/deps.js';
import { durationWords } from '../schedule/words.js';
import { loopbackAdvice } from '../views/booking.js';
import { callTool } from './call-tool.js';
import type { HttpRequest } from './http-request.js';
import { createResources, type ResourceContents, type ResourceDefinition } from './resources.js';
import type { ToolResult } from './tool-result.js';
import { createTools, type ToolDefinition } from './tools.js';

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

/** What every protocol version serves. */
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
}: Pick<Config, 'holdLifetimeSeconds' | 'publicBaseUrl'>): string {
  const lifetime = durationWords(holdLifetimeSeconds);
  return `Book a session at a tattoo studio for a person. The flow: get_studio_info, list_open_times, let the person choose, hold_slot with their details, show them the link that it answers, then get_booking_status with wait_seconds until the booking is no longer pending.

The one rule: only the person opens the link and locks the session in. Never open it yourself. A hold lasts ${lifetime} and nothing extends it: hold only while the person is there. For one who is away, fill book_url_template in and send that link: it holds the time when they press.${isLoopback(publicBaseUrl) ? ` ${loopbackAdvice}` : ''} Dates and times are on the studio's wall clock. Booking is free.

A result with isError has a JSON object "error" with a code and a message that says what to do next.`;
}

export function createConnector(context: DomainServices): Connector {
  const tools = new Map(createTools(context).map((tool) => [tool.definition.name, tool]));
  const resources = new Map(createResources().map((each) => [each.definition.uri, each]));
  return {
    identity: identityOf(context.config.publicBaseUrl),
    instructions: instructionsFor(context.config),
    definitions: [...tools.values()].map((tool) => tool.definition),
    call(name, args, httpRequest) {
      const tool = tools.get(name);
      return tool === undefined ? null : callTool(tool, args, httpRequest);
    },
    unknownTool: `Unknown tool. Known are: ${[...tools.keys()].join(', ')}.`,
    resources: [...resources.values()].map((resource) => resource.definition),
    readResource: (uri) => resources.get(uri)?.contents ?? null,
  };
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
