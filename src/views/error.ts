import type { ErrorResponse } from '../../generated/schemas.js';
import type { ErrorDetail, ServiceError } from '../errors.js';

/** At most this many details are in the message, too. */
const detailsInMessage = 3;

/**
 * The error envelope: the one shape of every failure, in REST answers and tool results alike. Tools
 * name the members of a request in their own way, hence `details`.
 */
export function errorView(
  error: ServiceError,
  requestId: string,
  details = error.details,
): ErrorResponse {
  return {
    error: {
      code: error.code,
      message: details ? messageWith(details) : error.message,
      request_id: requestId,
      ...(details && { details }),
      ...(error.alternatives && { alternatives: error.alternatives }),
      ...(error.retryAfterSeconds !== undefined && {
        retry_after_seconds: error.retryAfterSeconds,
      }),
    },
  };
}

/** Says what is wrong to those as well who show nothing but the message. */
function messageWith(details: ErrorDetail[]): string {
  const named = details.slice(0, detailsInMessage).map(({ path, message }) => `${path} ${message}`);
  const wrong = [...named, ...(details.length > detailsInMessage ? ['and more'] : [])].join('; ');
  return `The request is not valid: ${wrong}. Correct the members named in details and send it again.`;
}
