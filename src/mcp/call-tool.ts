import { ServiceError } from '../errors.js';
import { errorView } from '../views/error.js';
import { chargeFailure } from '../web/charge-failure.js';
import { logFailure, toServiceError } from '../web/plugins/errors.js';
import { describeValidationErrors } from '../web/validation.js';
import type { HttpRequest } from './http-request.js';
import { toolError, type ToolResult } from './tool-result.js';
import type { Tool } from './tools.js';

/**
 * Validates the arguments, charges the caller and runs the tool. Never throws: a failure is a
 * result with `isError` and the error envelope as its text.
 */
export async function callTool(
  tool: Tool,
  args: Record<string, unknown>,
  httpRequest: HttpRequest,
): Promise<ToolResult> {
  try {
    if (!tool.chargesItself) await httpRequest.caller.meter.chargeTo('reads');
    const given = tool.given(args);
    const invalid = tool.validate(given);
    if (invalid !== null) {
      const details = describeValidationErrors(invalid, 'arguments');
      throw new ServiceError('invalid_request', { details });
    }
    return await tool.run(given as never, httpRequest);
  } catch (error) {
    return failureResult(
      await chargeFailure(httpRequest.caller, toServiceError(error as Error)),
      httpRequest,
    );
  }
}

function failureResult(failure: ServiceError, { id, log }: HttpRequest): ToolResult {
  logFailure(log, failure);
  const details = failure.details?.map(({ path, message }) => ({
    path: path.replace(/^(?:body|query)\./u, 'arguments.'),
    message,
  }));
  return toolError(errorView(failure, id, details));
}
