import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Test } from 'tap';
import { Agent, fetch } from 'undici';

/** A result of `tools/call`, as every client gives it. */
export interface CallResult {
  content: { type: string; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

export interface ListedTool {
  name: string;
  title?: string;
  description?: string;
  inputSchema: Record<string, unknown>;
  outputSchema?: Record<string, unknown>;
  annotations?: Record<string, unknown>;
}

/** What every client can do in the tests. */
export interface ToolClient {
  list(): Promise<ListedTool[]>;
  call(name: string, args?: Record<string, unknown>): Promise<CallResult>;
}

export interface Connected extends ToolClient {
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
    list: async () => (await client.listTools()).tools as ListedTool[],
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
    list: async () => (await client.listTools()).tools as unknown as ListedTool[],
    call: async (name, args) =>
      (await client.callTool({ name, arguments: args ?? {} })) as unknown as CallResult,
  };
}

/** The inspector's command line: a process per question. */
export function inspectorClient(url: string): ToolClient {
  const require = createRequire(import.meta.url);
  const program = require.resolve('@modelcontextprotocol/inspector-cli');
  const ask = async (...args: string[]): Promise<unknown> => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [program, '--cli', endpoint(url).href, '--transport', 'http', ...args],
      // It looks for its package.json where it is started.
      { cwd: dirname(program) },
    );
    return JSON.parse(stdout);
  };
  return {
    list: async () => ((await ask('--method', 'tools/list')) as { tools: ListedTool[] }).tools,
    call: async (name, args = {}) => {
      const given = Object.entries(args).map(([key, value]) => `${key}=${String(value)}`);
      const list = given.length > 0 ? ['--tool-arg', ...given] : [];
      return (await ask('--method', 'tools/call', '--tool-name', name, ...list)) as CallResult;
    },
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

const patienceMs = 60_000;
/** At most as many connections as a server's backlog takes; further requests are queued. */
const dispatcher = new Agent({ connections: 500, connect: { timeout: patienceMs } });

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
    signal: AbortSignal.timeout(patienceMs),
    dispatcher,
  });
  const text = await response.text();
  const received: Record<string, string> = {};
  response.headers.forEach((value, name) => (received[name] = value));
  return { status: response.status, headers: received, text, json: parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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
