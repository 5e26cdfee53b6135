import type { JsonRpcFailure, JsonRpcId, JsonRpcRequest } from '../../generated/schemas.js';

/** The codes of JSON-RPC 2.0 and of MCP. */
export const jsonRpcErrors = {
  parseError: -32700,
  invalidRequest: -32600,
  invalidParams: -32602,
  unsupportedProtocolVersion: -32022,
} as const;

/** A request whose params, if any, are an object. */
export type RpcRequest = Omit<JsonRpcRequest, 'params'> & { params?: Record<string, unknown> };

/** A request without null params, or params that are null: some clients send every optional member. */
export function withoutNulls({ params, ...request }: JsonRpcRequest): RpcRequest {
  if (params === undefined || params === null) return request;
  const given = Object.entries(params).filter(([, value]) => value !== null);
  return { ...request, params: Object.fromEntries(given) };
}

/** A response whose result is JSON already, as JSON. */
export function jsonRpcSuccess(id: JsonRpcId, result: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
}

/** An error response; `id` is null if the request's id could not be read. */
export function jsonRpcFailure(
  id: JsonRpcId | null,
  code: number,
  message: string,
  data?: unknown,
): JsonRpcFailure {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } };
}

/** An error that a handler throws, in every protocol version. */
export function invalidParams(message: string, data?: object): Error {
  const { invalidParams: code } = jsonRpcErrors;
  return Object.assign(new Error(message), { code, ...(data !== undefined && { data }) });
}

/** The result of `resources/read`; throws if there is no resource with this URI. */
export function resourceResult<Contents>(
  contents: Contents | null,
  uri: string,
): { contents: Contents[] } {
  if (contents === null) throw invalidParams('There is no resource with this URI.', { uri });
  return { contents: [contents] };
}

/**
 * An SDK's error for clients. For invalid params the SDKs dump their schema over several lines, and SDK 1
 * calls it an internal error; the connector's own messages have one line.
 */
export function publicError(
  { code, message, data }: JsonRpcFailure['error'],
  method: string,
): JsonRpcFailure['error'] {
  if (!message.includes('\n')) return { code, message, ...(data !== undefined && { data }) };
  return {
    code: jsonRpcErrors.invalidParams,
    message: `The params of ${method} are not as MCP defines them.`,
  };
}
