import type { FastifyRequest } from 'fastify';
import type { Context } from '../context.js';
import { errors, ServiceError } from '../errors.js';
import { toServiceError } from '../http/plugins/errors.js';
import { settle } from '../http/settle.js';
import { describeValidationErrors } from '../http/validation.js';
import { errorView } from '../views/error.js';
import type { Tool } from './tools.js';

/** The HTTP request that a call came in, as far as a call needs it. */
export type Visit = Pick<FastifyRequest, 'caller' | 'id' | 'log'>;

/** The result of `tools/call`, the same in both eras of the protocol. */
export interface ToolResult {
  [member: string]: unknown;
  content: { type: 'text'; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: true;
}

/**
 * Calls a tool for a visitor. Whatever goes wrong is a result too, with the error envelope as its
 * text; nothing is thrown.
 */
export async function callTool(
  context: Context,
  tool: Tool,
  args: Record<string, unknown>,
  visit: Visit,
): Promise<ToolResult> {
  try {
    if (!tool.chargesItself) await visit.caller.meter.chargeTo('reads');
    const invalid = tool.validate(args);
    if (invalid !== null) {
      const details = describeValidationErrors(invalid, 'arguments');
      throw new ServiceError('invalid_request', { details });
    }
    const { data, tell } = await tool.run(context, visit.caller, args as never);
    return {
      content: [JSON.stringify(data), tell]
        .filter((text) => text !== undefined)
        .map((text) => ({ type: 'text', text })),
      structuredContent: data as Record<string, unknown>,
    };
  } catch (error) {
    return refusal(await settle(visit.caller, toServiceError(error as Error)), visit);
  }
}

function refusal(failure: ServiceError, { id, log }: Visit): ToolResult {
  const { status, log: sentence } = errors[failure.code];
  if (status >= 500) log.error({ code: failure.code, err: failure.cause }, sentence);
  else log.debug({ code: failure.code }, sentence);
  const { error } = errorView(failure, id);
  const details = error.details?.map(({ path, message }) => ({
    path: path.replace(/^(?:body|query)\./u, 'arguments.'),
    message,
  }));
  const body = { error: { ...error, ...(details && { details }) } };
  return { content: [{ type: 'text', text: JSON.stringify(body) }], isError: true };
}
