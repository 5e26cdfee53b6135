import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  type ListToolsResult,
} from '@modelcontextprotocol/sdk/types.js';
import type { Connector } from './connector.js';
import { createExchanges } from './exchanges.js';
import { jsonRpcSuccess, publicError, resourceResult, type RpcRequest } from './json-rpc.js';
import type { HttpRequest } from './tools.js';

/** Handles a request of a revision up to 2025-11-25; resolves with the response as JSON. */
export type LegacyProtocol = (request: RpcRequest, httpRequest: HttpRequest) => Promise<string>;

/** Serves all requests with one server of SDK 1. */
export async function createLegacyProtocol(connector: Connector): Promise<LegacyProtocol> {
  const { identity, definitions, resources } = connector;
  const exchanges = createExchanges(connector);
  const transport: Transport = {
    start: () => Promise.resolve(),
    close: () => Promise.resolve(),
    send: (message) => Promise.resolve(exchanges.receive(message)),
  };

  // oxlint-disable-next-line typescript/no-deprecated -- McpServer makes schemas of its own
  const server = new Server(identity, {
    capabilities: { tools: {}, resources: {} },
    instructions: connector.instructions,
  });
  const tools = { tools: definitions } as unknown as ListToolsResult;
  server.setRequestHandler(ListToolsRequestSchema, () => tools);
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { requestId }) =>
    exchanges.callTool(requestId, params.name, params.arguments),
  );
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: [] }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) =>
    resourceResult(connector.readResource(uri), uri),
  );
  await server.connect(transport);

  return async ({ id, method, params }, httpRequest) => {
    const supported = params === undefined ? {} : { params: supportedParams(params) };
    const response = await exchanges.handle(httpRequest, (number) =>
      transport.onmessage?.({ jsonrpc: '2.0', id: number, method, ...supported }),
    );
    return 'error' in response
      ? JSON.stringify({ jsonrpc: '2.0', id, error: publicError(response.error, method) })
      : jsonRpcSuccess(id, response.result);
  };
}

/**
 * Removes params that the SDK mishandles: it refuses calls with `task`, which the protocol ignores where
 * tasks are not supported, and never responds to a malformed `_meta`.
 */
function supportedParams(params: Record<string, unknown>): Record<string, unknown> {
  const { task: _task, _meta, ...supported } = params;
  return supported;
}
