import type { JsonRpcFailure } from '../../generated/schemas.js';
import type { Connector } from './connector.js';
import type { HttpRequest } from './http-request.js';
import { invalidParams } from './json-rpc.js';
import type { Outcome } from './outcome.js';

/** The response of an SDK's server, in the types that all SDKs share. */
type Response = { result: Record<string, unknown> } | { error: JsonRpcFailure['error'] };

interface Exchange {
  httpRequest: HttpRequest;
  /** The outcome of a tool call. */
  calling?: Promise<Outcome>;
  resolve: (response: Response) => void;
}

/**
 * Lets one server of an SDK serve all requests, because creating one per request costs several
 * times as much. The SDKs identify requests by their id, and clients use the same ids, so each
 * request gets a number of its own while the server handles it.
 */
export function createExchanges({ call, unknownTool }: Connector) {
  const pendingExchanges = new Map<unknown, Exchange>();
  let lastId = 0;

  return {
    /**
     * Resolves with the server's response to a request, which `dispatch` gives to it with this id.
     * After an error, no tool has run.
     */
    async handle(
      httpRequest: HttpRequest,
      dispatch: (id: number) => void,
    ): Promise<{ response: Response; outcome?: Outcome }> {
      lastId += 1;
      const id = lastId;
      const { promise, exchange } = createExchange(httpRequest);
      pendingExchanges.set(id, exchange);
      dispatch(id);
      const response = await promise;
      return exchange.calling === undefined
        ? { response }
        : { response, outcome: await exchange.calling };
    },

    /** Receives what the server sends. */
    receive(message: object): void {
      // The connector sends no requests or notifications, so this is always a response.
      if (!('id' in message) || !('result' in message || 'error' in message)) return;
      pendingExchanges.get(message.id)?.resolve(message as Response);
      pendingExchanges.delete(message.id);
    },

    /**
     * Handles `tools/call`. Returns an empty result, to which the SDK adds the members that its
     * protocol version demands: the outcome is sent as it is, without the SDK's copy of it.
     */
    callTool(id: unknown, name: string, args: Record<string, unknown> = {}): { content: [] } {
      const exchange = pendingExchanges.get(id) as Exchange;
      const calling = call(name, args, exchange.httpRequest);
      if (calling === null) throw invalidParams(unknownTool);
      exchange.calling = calling;
      return { content: [] };
    },
  };
}

function createExchange(httpRequest: HttpRequest) {
  let resolve!: Exchange['resolve'];
  const promise = new Promise<Response>((done) => (resolve = done));
  const exchange: Exchange = { httpRequest, resolve };
  return { promise, exchange };
}
