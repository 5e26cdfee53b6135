import {
  createMcpHandler,
  isJSONRPCRequest,
  PerRequestHTTPServerTransport,
  PROTOCOL_VERSION_META_KEY,
  Server,
  type CallToolResult,
  type ListToolsResult,
  type RequestId,
} from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import type { FastifyRequest } from 'fastify';
import type { JsonRpcFailure } from '../../generated/schemas.js';
import type { Connector } from './connector.js';
import { createExchanges } from './exchanges.js';
import {
  invalidParams,
  jsonRpcSuccess,
  publicError,
  resourceResult,
  type RpcRequest,
} from './json-rpc.js';
import type { HttpRequest } from './tools.js';

type Headers = FastifyRequest['headers'];

interface ModernResponse {
  status: number;
  type: string;
  body: string;
}

/** Handles a request of revision 2026-07-28. */
export type ModernProtocol = (
  request: RpcRequest,
  headers: Headers,
  httpRequest: HttpRequest,
) => Promise<ModernResponse>;

const revision = '2026-07-28';
const jsonType = 'application/json';
/** The headers that repeat parts of the message for proxies (SEP-2243). */
const mirroredHeaders = ['mcp-protocol-version', 'mcp-method', 'mcp-name'];
const hourMs = 3_600_000;
const unchanging = { ttlMs: hourMs, cacheScope: 'public' } as const;

/**
 * Serves requests with one server of SDK 2 where it can. The SDK's HTTP handler, which creates a server
 * per request, serves the others: those that it refuses, decodes or streams.
 */
export async function createModernProtocol(
  connector: Connector,
  address: string,
): Promise<ModernProtocol> {
  const createServer = serverFactory(connector);
  const serve = await createSharedServer(connector, createServer);
  const serveAlone = createHandler(connector, createServer, address);
  return async (message, headers, httpRequest) => {
    const isServable = isMirrored(message, headers) && isJSONRPCRequest(message);
    const body = isServable ? await serve(message, httpRequest) : null;
    if (body === null) return serveAlone(message, headers, httpRequest);
    return { status: 200, type: jsonType, body };
  };
}

/** Whether the headers repeat the message word for word. */
function isMirrored({ method, params }: RpcRequest, headers: Headers): boolean {
  const meta = params?.['_meta'] as Record<string, unknown> | null | undefined;
  return (
    meta?.[PROTOCOL_VERSION_META_KEY] === revision &&
    headers['mcp-protocol-version'] === revision &&
    headers['mcp-method'] === method &&
    headers['mcp-name'] === params?.[method === 'resources/read' ? 'uri' : 'name']
  );
}

/** Responds with one server; resolves with null for requests that it refuses before a tool has run. */
async function createSharedServer(connector: Connector, createServer: CreateServer) {
  const exchanges = createExchanges(connector);
  const classification = { era: 'modern', revision } as const;
  // The SDK binds a server to this revision only by the class of its transport.
  const transport = Object.assign(new PerRequestHTTPServerTransport({ classification }), {
    send: (message: object) => Promise.resolve(exchanges.receive(message)),
  });
  const server = createServer((id, name, args) => exchanges.callTool(id, name, args));
  await server.connect(transport);

  return async (
    { id, method, params }: RpcRequest,
    httpRequest: HttpRequest,
  ): Promise<string | null> => {
    const response = await exchanges.handle(httpRequest, (number) =>
      transport.onmessage?.({ jsonrpc: '2.0', id: number, method, params }, { classification }),
    );
    return 'error' in response ? null : jsonRpcSuccess(id, response.result);
  };
}

/** Responds with the SDK's HTTP handler, which creates a server per request. */
function createHandler(
  connector: Connector,
  createServer: CreateServer,
  address: string,
): ModernProtocol {
  const httpRequests = new WeakMap<Request, HttpRequest>();
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const httpRequest = httpRequests.get(requestInfo as Request) as HttpRequest;
      return createServer((_id, name, args = {}) => {
        const calling = connector.call(name, args, httpRequest);
        if (calling === null) throw invalidParams(connector.unknownTool);
        return calling;
      });
    },
    { legacy: 'reject' },
  );

  return async (message, headers, httpRequest) => {
    const mirrored = mirroredHeaders.flatMap((name): [string, string][] => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    });
    const request = new Request(address, {
      method: 'POST',
      headers: [['content-type', jsonType], ...mirrored],
    });
    httpRequests.set(request, httpRequest);
    const response = await handler.fetch(request, { parsedBody: message });
    return {
      status: response.status,
      type: response.headers.get('content-type') ?? jsonType,
      body: withPublicError(await response.text(), message.method),
    };
  };
}

type CallTool = (
  id: RequestId,
  name: string,
  args: Record<string, unknown> | undefined,
) => CallToolResult | Promise<CallToolResult>;

type CreateServer = ReturnType<typeof serverFactory>;

/** The SDK's servers of the connector, which share expensive parts. */
function serverFactory(connector: Connector) {
  const { identity, instructions, definitions, resources } = connector;
  const tools = { tools: definitions } as unknown as ListToolsResult;
  const options = {
    capabilities: { tools: {}, resources: {} },
    supportedProtocolVersions: [revision],
    instructions,
    jsonSchemaValidator: new AjvJsonSchemaValidator(),
    cacheHints: {
      'tools/list': unchanging,
      'resources/list': unchanging,
      'resources/templates/list': unchanging,
      'resources/read': unchanging,
      'server/discover': unchanging,
    },
  };
  return (callTool: CallTool) => {
    // oxlint-disable-next-line typescript/no-deprecated -- McpServer makes schemas of its own
    const server = new Server(identity, options);
    server.setRequestHandler('tools/list', () => tools);
    server.setRequestHandler('tools/call', ({ params }, { mcpReq }) =>
      callTool(mcpReq.id, params.name, params.arguments),
    );
    server.setRequestHandler('resources/list', () => ({ resources }));
    server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
    server.setRequestHandler('resources/read', ({ params: { uri } }) =>
      resourceResult(connector.readResource(uri), uri),
    );
    return server;
  };
}

function withPublicError(body: string, method: string): string {
  if (!body.includes('"error":{"code":')) return body;
  const failure = JSON.parse(body) as JsonRpcFailure;
  return JSON.stringify({ ...failure, error: publicError(failure.error, method) });
}
