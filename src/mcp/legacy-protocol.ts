import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
  type JSONRPCMessage,
  type ListToolsResult,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import type { JsonRpcId, JsonRpcRequest } from '../../generated/schemas.js';
import type { HttpRequest } from './call-tool.js';
import type { Connector } from './connector.js';
import { jsonRpcErrors, publicError } from './json-rpc.js';
import type { Outcome } from './outcome.js';

/** Handles a request of a revision up to 2025-11-25; resolves with the response as JSON. */
export type LegacyProtocol = (request: JsonRpcRequest, httpRequest: HttpRequest) => Promise<string>;

interface PendingRequest {
  id: JsonRpcId;
  method: string;
  httpRequest: HttpRequest;
  /** The result of a tool call, which is sent as it is instead of the SDK's copy. */
  outcome?: Outcome;
  resolve: (response: string) => void;
}

/**
 * Serves all requests with one server of SDK 1, because creating one per request costs eight times
 * as much. The SDK identifies requests by their id, and clients use the same ids, so each request
 * gets a number of its own while the SDK handles it.
 */
export async function createLegacyProtocol(connector: Connector): Promise<LegacyProtocol> {
  const { identity, definitions, unknownTool } = connector;
  const pendingRequests = new Map<RequestId, PendingRequest>();
  let lastId = 0;

  const transport: Transport = {
    start: () => Promise.resolve(),
    close: () => Promise.resolve(),
    send: (message) => {
      resolveRequest(message);
      return Promise.resolve();
    },
  };

  function resolveRequest(message: JSONRPCMessage): void {
    // The connector sends no requests or notifications, so this is always a response.
    if (!('id' in message) || message.id === undefined || 'method' in message) return;
    const pending = pendingRequests.get(message.id);
    if (pending === undefined) return;
    pendingRequests.delete(message.id);
    const id = JSON.stringify(pending.id);
    const outcome =
      'result' in message
        ? `"result":${pending.outcome?.json() ?? JSON.stringify(message.result)}`
        : `"error":${JSON.stringify(publicError(message.error, pending.method))}`;
    pending.resolve(`{"jsonrpc":"2.0","id":${id},${outcome}}`);
  }

  // eslint-disable-next-line @typescript-eslint/no-deprecated -- McpServer makes schemas of its own
  const server = new Server(identity, {
    capabilities: { tools: {} },
    instructions: connector.instructions,
  });
  const tools = { tools: definitions } as unknown as ListToolsResult;
  server.setRequestHandler(ListToolsRequestSchema, () => tools);
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { requestId }) => {
    const pending = pendingRequests.get(requestId) as PendingRequest;
    const calling = connector.call(params.name, params.arguments ?? {}, pending.httpRequest);
    if (calling === null) {
      throw Object.assign(new Error(unknownTool), { code: jsonRpcErrors.invalidParams });
    }
    pending.outcome = await calling;
    return pending.outcome.result;
  });
  await server.connect(transport);

  return ({ id, method, params }, httpRequest) =>
    new Promise((resolve) => {
      lastId += 1;
      pendingRequests.set(lastId, { id, method, httpRequest, resolve });
      const supported = params === undefined ? {} : { params: supportedParams(params) };
      transport.onmessage?.({ jsonrpc: '2.0', id: lastId, method, ...supported });
    });
}

/**
 * Removes params that the SDK mishandles: it refuses calls with `task`, which the protocol says to
 * ignore where tasks are not supported, and does not respond at all if `_meta` is malformed.
 */
function supportedParams(params: Record<string, unknown>): Record<string, unknown> {
  const { task: _task, _meta, ...supported } = params;
  return supported;
}
