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

/** Answers a request of a revision up to 2025-11-25, with the response as JSON. */
export type LegacyProtocol = (request: JsonRpcRequest, httpRequest: HttpRequest) => Promise<string>;

interface Exchange {
  id: JsonRpcId;
  method: string;
  httpRequest: HttpRequest;
  /** Of a tool that was called: its result is sent as it was made, not as the SDK passes it on. */
  outcome?: Outcome;
  answer: (response: string) => void;
}

/**
 * One server of SDK 1 for all requests: making one each time costs eight times as much. The SDK
 * knows requests by their id and would mix up clients that use the same, so each gets a number of
 * its own on the way in, and its id back on the way out.
 */
export async function createLegacyProtocol(connector: Connector): Promise<LegacyProtocol> {
  const { identity, definitions, unknownTool } = connector;
  const exchanges = new Map<RequestId, Exchange>();
  let lastNumber = 0;

  const transport: Transport = {
    start: () => Promise.resolve(),
    close: () => Promise.resolve(),
    send: (message) => {
      answerRequest(message);
      return Promise.resolve();
    },
  };

  function answerRequest(message: JSONRPCMessage): void {
    // The connector sends nothing of its own accord: what comes here answers a request.
    if (!('id' in message) || message.id === undefined || 'method' in message) return;
    const exchange = exchanges.get(message.id);
    if (exchange === undefined) return;
    exchanges.delete(message.id);
    const id = JSON.stringify(exchange.id);
    const ending =
      'result' in message
        ? `"result":${exchange.outcome?.json() ?? JSON.stringify(message.result)}`
        : `"error":${JSON.stringify(publicError(message.error, exchange.method))}`;
    exchange.answer(`{"jsonrpc":"2.0","id":${id},${ending}}`);
  }

  // eslint-disable-next-line @typescript-eslint/no-deprecated -- McpServer makes schemas of its own
  const server = new Server(identity, {
    capabilities: { tools: {} },
    instructions: connector.instructions,
  });
  const tools = { tools: definitions } as unknown as ListToolsResult;
  server.setRequestHandler(ListToolsRequestSchema, () => tools);
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { requestId }) => {
    const exchange = exchanges.get(requestId) as Exchange;
    const calling = connector.call(params.name, params.arguments ?? {}, exchange.httpRequest);
    if (calling === null) {
      throw Object.assign(new Error(unknownTool), { code: jsonRpcErrors.invalidParams });
    }
    exchange.outcome = await calling;
    return exchange.outcome.result;
  });
  await server.connect(transport);

  return ({ id, method, params }, httpRequest) =>
    new Promise((answer) => {
      lastNumber += 1;
      exchanges.set(lastNumber, { id, method, httpRequest, answer });
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
