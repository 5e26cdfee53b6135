import type { JsonRpcFailure, JsonRpcId } from '../../generated/schemas.js';

/** The codes of JSON-RPC 2.0, and those that MCP adds. */
export const jsonRpcErrors = {
  parseError: -32700,
  invalidRequest: -32600,
  invalidParams: -32602,
  unsupportedProtocolVersion: -32022,
} as const;

/** An error response; `id` is null if the request's id could not be read. */
export function jsonRpcFailure(
  id: JsonRpcId | null,
  code: number,
  message: string,
  data?: unknown,
): JsonRpcFailure {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } };
}

/**
 * An SDK's error as clients see it. For invalid params the SDKs report a dump of their schema, over
 * several lines, and SDK 1 reports it as an internal error; the connector's own messages have one
 * line.
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
