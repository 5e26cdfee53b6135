import type { ErrorResponse } from '../../generated/schemas.js';
import { type ErrorCode, type ErrorDetail, errors, type ServiceError } from '../errors.js';

/** The most details in the message. */
const detailsInMessage = 3;

/** The envelope, also with the codes that only pages respond with. */
interface ErrorEnvelope {
  error: Omit<ErrorResponse['error'], 'code'> & { code: ErrorCode };
}

/**
 * The error envelope of REST responses and tool results. `details` replaces the error's own: tools
 * name the members of a request differently.
 */
export function errorView(
  error: ServiceError,
  requestId: string,
  details = error.details,
): ErrorEnvelope {
  return {
    error: {
      code: error.code,
      message: details && !hasOwnMessage(error) ? messageWith(details) : error.message,
      request_id: requestId,
      ...(details && { details }),
      ...(error.alternatives && { alternatives: error.alternatives }),
      ...(error.retryAfterSeconds !== undefined && {
        retry_after_seconds: error.retryAfterSeconds,
      }),
    },
  };
}

function hasOwnMessage({ code, message }: ServiceError): boolean {
  return message !== errors[code].message;
}

/** For clients that show only the message. */
function messageWith(details: ErrorDetail[]): string {
  const named = details.slice(0, detailsInMessage).map(({ path, message }) => `${path} ${message}`);
  const wrong = [...named, ...(details.length > detailsInMessage ? ['and more'] : [])].join('; ');
  return `The request is not valid: ${wrong}. Correct the members named in details and send it again.`;
}
