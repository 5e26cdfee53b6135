import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Test } from 'tap';

/** A result of `tools/call`, as every client gives it. */
export interface CallResult {
  content: { type: string; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

/** What every client can do in the tests. */
export interface Connected {
  list(): Promise<{ name: string }[]>;
  call(name: string, args?: Record<string, unknown>): Promise<CallResult>;
  revision: string | undefined;
  serverInfo: Record<string, unknown> | undefined;
  instructions: string | undefined;
}

const clientInfo = { name: 'test-client', version: '1.0.0' };

export function endpoint(url: string): URL {
  return new URL('/api/public/mcp', url);
}

/** The client of SDK 1, connected to a service; closed with the test. */
export async function connectClient(t: Test, url: string): Promise<Connected> {
  const client = new Client(clientInfo);
  const transport = new StreamableHTTPClientTransport(endpoint(url));
  await client.connect(transport as Transport);
  t.teardown(() => client.close());
  return {
    revision: transport.protocolVersion,
    serverInfo: client.getServerVersion(),
    instructions: client.getInstructions(),
    list: async () => (await client.listTools()).tools,
    call: async (name, args) =>
      (await client.callTool({ name, arguments: args ?? {} })) as unknown as CallResult,
  };
}

/** The client of SDK 2, with the given negotiation of the protocol version; closed with the test. */
export async function connectModernClient(
  t: Test,
  url: string,
  mode?: VersionNegotiationMode,
): Promise<Connected> {
  const options = mode === undefined ? {} : { versionNegotiation: { mode } };
  const client = new ModernClient(clientInfo, options);
  await client.connect(new ModernTransport(endpoint(url)));
  t.teardown(() => client.close());
  return {
    revision: client.getNegotiatedProtocolVersion(),
    serverInfo: client.getServerVersion() as Record<string, unknown> | undefined,
    instructions: client.getInstructions(),
    list: async () => (await client.listTools()).tools,
    call: async (name, args) =>
      (await client.callTool({ name, arguments: args ?? {} })) as unknown as CallResult,
  };
}

export interface RawAnswer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  text: string;
  /** The body's JSON; undefined when it is none. */
  json: unknown;
}

/** Posts what no client would; a string is sent as it is. */
export async function post(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<RawAnswer> {
  const response = await fetch(endpoint(url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    text,
    json: isJson ? JSON.parse(text) : undefined,
  };
}

/** A request of the 2025 era. */
export function legacyRequest(method: string, params?: unknown, id: unknown = 1): object {
  return { jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) };
}

/** A request of revision 2026-07-28 and the headers that mirror it. */
export function modernRequest(
  method: string,
  params: Record<string, unknown> = {},
): { body: object; headers: Record<string, string> } {
  // Of a tool, or of a resource.
  const name = params['name'] ?? params['uri'];
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return {
    body: legacyRequest(method, { ...params, _meta }),
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
    },
  };
}

/** The error of a refused call, from its text. */
export function refusalOf(result: CallResult): {
  code: string;
  message: string;
  details?: { path: string; message: string }[];
  alternatives?: unknown[];
  retry_after_seconds?: number;
} {
  if (result.isError !== true) throw new Error(`not refused: ${JSON.stringify(result)}`);
  const [first] = result.content;
  return (JSON.parse(first?.text ?? '') as { error: ReturnType<typeof refusalOf> }).error;
}
