import type { ErrorResponse } from '../../generated/schemas.js';
import type { ServiceError } from '../errors.js';

/** The error envelope: the one shape of every failure, in REST answers and tool results alike. */
export function errorView(error: ServiceError, requestId: string): ErrorResponse {
  return {
    error: {
      code: error.code,
      message: error.message,
      request_id: requestId,
      ...(error.details && { details: error.details }),
      ...(error.alternatives && { alternatives: error.alternatives }),
      ...(error.retryAfterSeconds !== undefined && {
        retry_after_seconds: error.retryAfterSeconds,
      }),
    },
  };
}
