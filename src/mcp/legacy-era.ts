import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
  type JSONRPCMessage,
  type ListToolsResult,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import type { JsonRpcId, JsonRpcRequest, JsonRpcResponse } from '../../generated/schemas.js';
import type { Visit } from './call-tool.js';
import type { Connector } from './connector.js';
import { jsonRpcErrors, publicError } from './json-rpc.js';

/** Answers a request of a revision up to 2025-11-25. */
export type LegacyEra = (request: JsonRpcRequest, visit: Visit) => Promise<JsonRpcResponse>;

interface Exchange {
  id: JsonRpcId;
  method: string;
  visit: Visit;
  answer: (response: JsonRpcResponse) => void;
}

/**
 * One server of SDK 1 for all requests: making one each time costs eight times as much. The SDK
 * knows requests by their id and would mix up clients that use the same, so each gets a number of
 * its own on the way in, and its id back on the way out.
 */
export async function createLegacyEra(connector: Connector): Promise<LegacyEra> {
  const { identity, definitions, unknownTool } = connector;
  const exchanges = new Map<RequestId, Exchange>();
  let lastNumber = 0;

  const transport: Transport = {
    start: () => Promise.resolve(),
    close: () => Promise.resolve(),
    send: (message) => {
      settle(message);
      return Promise.resolve();
    },
  };

  function settle(message: JSONRPCMessage): void {
    // The connector sends nothing of its own accord: what comes here answers a request.
    if (!('id' in message) || message.id === undefined || 'method' in message) return;
    const exchange = exchanges.get(message.id);
    if (exchange === undefined) return;
    exchanges.delete(message.id);
    const { id, method } = exchange;
    if ('result' in message) return exchange.answer({ jsonrpc: '2.0', id, result: message.result });
    exchange.answer({ jsonrpc: '2.0', id, error: publicError(message.error, method) });
  }

  // eslint-disable-next-line @typescript-eslint/no-deprecated -- McpServer makes schemas of its own
  const server = new Server(identity, {
    capabilities: { tools: {} },
    instructions: connector.instructions,
  });
  const tools = { tools: definitions } as unknown as ListToolsResult;
  server.setRequestHandler(ListToolsRequestSchema, () => tools);
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { requestId }) => {
    const { visit } = exchanges.get(requestId) as Exchange;
    const result = connector.call(params.name, params.arguments ?? {}, visit);
    if (result !== null) return result;
    throw Object.assign(new Error(unknownTool), { code: jsonRpcErrors.invalidParams });
  });
  await server.connect(transport);

  return ({ id, method, params }, visit) =>
    new Promise((answer) => {
      lastNumber += 1;
      exchanges.set(lastNumber, { id, method, visit, answer });
      const plain = params === undefined ? {} : { params: plainParams(params) };
      transport.onmessage?.({ jsonrpc: '2.0', id: lastNumber, method, ...plain });
    });
}

/**
 * Without what the SDK would act upon and the connector does not have: it refuses every call that
 * asks for a task, where the protocol says to ignore that, and drops a message without an answer
 * when its `_meta` is not as it expects.
 */
function plainParams(params: Record<string, unknown>): Record<string, unknown> {
  const { task: _task, _meta, ...plain } = params;
  return plain;
}
