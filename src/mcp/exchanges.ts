import type { JsonRpcFailure } from '../../generated/schemas.js';
import type { Connector } from './connector.js';
import { invalidParams } from './json-rpc.js';
import type { HttpRequest, ToolResult } from './tools.js';

/** The response of an SDK's server: its error, or its result as JSON. */
type Response = { result: string } | { error: JsonRpcFailure['error'] };

/** A message in the types that all SDKs share. */
type Message = { id: unknown } & (
  | { result: Record<string, unknown> }
  | { error: JsonRpcFailure['error'] }
);

interface Exchange {
  httpRequest: HttpRequest;
  hasRun: boolean;
  /** The result of the tool. */
  result?: ToolResult;
  resolve: (response: Response) => void;
  reject: (error: Error) => void;
}

/**
 * Lets one server of an SDK serve all requests, since one per request costs several times as much
 * (src/decisions.md). Each request gets a number of its own, because clients use the same ids.
 */
export function createExchanges({ call, unknownTool }: Connector) {
  const pendingExchanges = new Map<unknown, Exchange>();
  let lastId = 0;

  return {
    /**
     * Resolves with the server's response; `dispatch` passes it the request under the given id. A
     * rejection means that a tool may have run; an error, that none has.
     */
    handle(httpRequest: HttpRequest, dispatch: (id: number) => void): Promise<Response> {
      lastId += 1;
      const id = lastId;
      return new Promise((resolve, reject) => {
        pendingExchanges.set(id, { httpRequest, hasRun: false, resolve, reject });
        dispatch(id);
      });
    },

    receive(message: object): void {
      // The connector sends no requests or notifications, so this is always a response.
      if (!isResponse(message)) return;
      const exchange = pendingExchanges.get(message.id);
      pendingExchanges.delete(message.id);
      if ('result' in message) {
        exchange?.resolve({ result: jsonOf(message.result, exchange.result) });
      } else if (exchange?.hasRun === true) {
        exchange.reject(
          new Error('the SDK refuses the result of a tool', { cause: message.error }),
        );
      } else {
        exchange?.resolve(message);
      }
    },

    /** Handles `tools/call`. */
    async callTool(
      id: unknown,
      name: string,
      args: Record<string, unknown> = {},
    ): Promise<ToolResult> {
      const exchange = pendingExchanges.get(id) as Exchange;
      const calling = call(name, args, exchange.httpRequest);
      if (calling === null) throw invalidParams(unknownTool);
      exchange.hasRun = true;
      exchange.result = await calling;
      return exchange.result;
    },
  };
}

function isResponse(message: object): message is Message {
  return 'id' in message && ('result' in message || 'error' in message);
}

/** The JSON of the tools' results: many calls share one. */
const jsonOfResults = new WeakMap<ToolResult, string>();

/** The SDK's result as JSON: the tool's result unchanged, and then the SDK's additions. */
function jsonOf(sent: Record<string, unknown>, result: ToolResult | undefined): string {
  if (result === undefined) return JSON.stringify(sent);
  const { content, structuredContent, isError, ...added } = sent;
  const json = jsonOfResults.get(result) ?? JSON.stringify(result);
  jsonOfResults.set(result, json);
  const members = JSON.stringify(added);
  return members === '{}' ? json : `${json.slice(0, -1)},${members.slice(1)}`;
}
