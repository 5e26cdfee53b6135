import type { JsonRpcFailure, JsonRpcId } from '../../generated/schemas.js';

/** The codes of JSON-RPC 2.0, and those that MCP adds. */
export const jsonRpcErrors = {
  parseError: -32700,
  invalidRequest: -32600,
  invalidParams: -32602,
  unsupportedProtocolVersion: -32022,
} as const;

/** An error response; `id` is null where no request's id could be read. */
export function jsonRpcFailure(
  id: JsonRpcId | null,
  code: number,
  message: string,
  data?: unknown,
): JsonRpcFailure {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } };
}

/**
 * What a client may read of an SDK's error. Where params are not of its schema, an SDK's message is
 * a dump of that schema, over several lines, and SDK 1 takes it for an internal error; whatever the
 * connector itself refuses is said in one line.
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
