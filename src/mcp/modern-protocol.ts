import { createMcpHandler, Server, type ListToolsResult } from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import type { FastifyRequest } from 'fastify';
import type { JsonRpcFailure, JsonRpcRequest } from '../../generated/schemas.js';
import type { HttpRequest } from './call-tool.js';
import type { Connector } from './connector.js';
import { jsonRpcErrors, publicError } from './json-rpc.js';

/** Handles a request of revision 2026-07-28. */
export type ModernProtocol = (
  request: JsonRpcRequest,
  headers: FastifyRequest['headers'],
  httpRequest: HttpRequest,
) => Promise<{ status: number; type: string; body: string }>;

/** The headers that repeat parts of the message for proxies (SEP-2243). */
const mirroredHeaders = ['mcp-protocol-version', 'mcp-method', 'mcp-name'];
const hourMs = 3_600_000;
const unchanging = { ttlMs: hourMs, cacheScope: 'public' } as const;

/** SDK 2 creates a server per request; the expensive parts are created once and shared. */
export function createModernProtocol(connector: Connector, address: string): ModernProtocol {
  const { identity, instructions, definitions, unknownTool } = connector;
  const httpRequests = new WeakMap<Request, HttpRequest>();
  const tools = { tools: definitions } as unknown as ListToolsResult;
  const options = {
    capabilities: { tools: {} },
    instructions,
    jsonSchemaValidator: new AjvJsonSchemaValidator(),
    cacheHints: { 'tools/list': unchanging, 'server/discover': unchanging },
  };

  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const httpRequest = httpRequests.get(requestInfo as Request) as HttpRequest;
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- McpServer makes schemas of its own
      const server = new Server(identity, options);
      server.setRequestHandler('tools/list', () => tools);
      server.setRequestHandler('tools/call', ({ params }) => {
        const calling = connector.call(params.name, params.arguments ?? {}, httpRequest);
        if (calling !== null) return calling.then(({ result }) => result);
        throw Object.assign(new Error(unknownTool), { code: jsonRpcErrors.invalidParams });
      });
      return server;
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
      headers: [['content-type', 'application/json'], ...mirrored],
    });
    httpRequests.set(request, httpRequest);
    const response = await handler.fetch(request, { parsedBody: message });
    return {
      status: response.status,
      type: response.headers.get('content-type') ?? 'application/json',
      body: withPublicError(await response.text(), message.method),
    };
  };
}

function withPublicError(body: string, method: string): string {
  if (!body.includes('"error":{"code":')) return body;
  const failure = JSON.parse(body) as JsonRpcFailure;
  return JSON.stringify({ ...failure, error: publicError(failure.error, method) });
}
