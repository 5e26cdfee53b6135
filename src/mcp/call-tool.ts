import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.js';
import { logFailure, toServiceError } from '../http/plugins/errors.js';
import { chargeFailure } from '../http/charge-failure.js';
import { describeValidationErrors } from '../http/validation.js';
import { errorView } from '../views/error.js';
import { refused, type Outcome } from './outcome.js';
import type { Tool } from './tools.js';

/** The HTTP request that a call came in, as far as a call needs it. */
export type HttpRequest = Pick<FastifyRequest, 'caller' | 'id' | 'log'>;

/**
 * Calls a tool for a visitor. Whatever goes wrong is a result too, with the error envelope as its
 * text; nothing is thrown.
 */
export async function callTool(
  tool: Tool,
  args: Record<string, unknown>,
  httpRequest: HttpRequest,
): Promise<Outcome> {
  try {
    if (!tool.chargesItself) await httpRequest.caller.meter.chargeTo('reads');
    const invalid = tool.validate(args);
    if (invalid !== null) {
      const details = describeValidationErrors(invalid, 'arguments');
      throw new ServiceError('invalid_request', { details });
    }
    return await tool.run(args as never, httpRequest.caller);
  } catch (error) {
    return refusal(
      await chargeFailure(httpRequest.caller, toServiceError(error as Error)),
      httpRequest,
    );
  }
}

function refusal(failure: ServiceError, { id, log }: HttpRequest): Outcome {
  logFailure(log, failure);
  const details = failure.details?.map(({ path, message }) => ({
    path: path.replace(/^(?:body|query)\./u, 'arguments.'),
    message,
  }));
  return refused(errorView(failure, id, details));
}
