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

const clientInfo = { name: 'test-client', version: '1.0.0' };

export function endpoint(url: string): URL {
  return new URL('/api/public/mcp', url);
}

/** What every client can do in the tests; closed with the test. */
function connected(t: Test, client: Client | ModernClient, revision: string | undefined) {
  t.teardown(() => client.close());
  return {
    revision,
    serverInfo: client.getServerVersion() as Record<string, unknown> | undefined,
    instructions: client.getInstructions(),
    list: async (): Promise<{ name: string }[]> => (await client.listTools()).tools,
    call: async (name: string, args: Record<string, unknown> = {}) =>
      (await client.callTool({ name, arguments: args })) as unknown as CallResult,
  };
}

/** The client of SDK 1, connected to a service. */
export async function connectClient(t: Test, url: string) {
  const client = new Client(clientInfo);
  const transport = new StreamableHTTPClientTransport(endpoint(url));
  await client.connect(transport as Transport);
  return connected(t, client, transport.protocolVersion);
}

/** The client of SDK 2, with the given negotiation of the protocol version. */
export async function connectModernClient(t: Test, url: string, mode?: VersionNegotiationMode) {
  const client = new ModernClient(clientInfo, mode && { versionNegotiation: { mode } });
  await client.connect(new ModernTransport(endpoint(url)));
  return connected(t, client, client.getNegotiatedProtocolVersion());
}

/** Posts what no client would; a string is sent as it is. */
export async function post(url: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(endpoint(url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  return {
    status: response.status,
    /** Names in lower case. */
    headers: Object.fromEntries(response.headers),
    text,
    /** The body's JSON; undefined when it is none. */
    json: isJson ? (JSON.parse(text) as unknown) : undefined,
  };
}

export type RawAnswer = Awaited<ReturnType<typeof post>>;

/** A request of the 2025 era. */
export function legacyRequest(method: string, params?: unknown, id: unknown = 1): object {
  return { jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) };
}

/** A request of revision 2026-07-28 and the headers that mirror it. */
export function modernRequest(method: string, params: Record<string, unknown> = {}) {
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
    } as Record<string, string>,
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
