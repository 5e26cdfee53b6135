import type { FastifyBaseLogger, FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { errors, ServiceError, type ErrorCode } from '../../errors.js';
import {
  isDatabaseClosed,
  isDatabaseUnavailable,
  isOutdated,
} from '../../platform/database-errors.js';
import { errorView } from '../../views/error.js';
import { crossOriginHeaders } from '../origins.js';
import { describeValidationErrors } from '../validation.js';

const retryAfterOutageSeconds = 2;

/** Fastify's errors, and their codes in the catalogue. */
const frameworkErrors: Record<string, ErrorCode> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_request',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_request',
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid_request',
  FST_ERR_BAD_URL: 'invalid_request',
  FST_ERR_MAX_PARAM_LENGTH: 'uri_too_long',
  FST_ERR_ASYNC_CONSTRAINT: 'not_found',
};

/** Sends every error in the error envelope. */
export const errorsPlugin = fastifyPlugin((app, _options, done) => {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    sendError(request, reply, toServiceError(error));
  });
  done();
});

/** The handler of paths without a route in a scope. */
export function throwNotFound(): never {
  throw new ServiceError('not_found');
}

/**
 * Logs a failed request: a 503 (outage, overload) as a warning, any other 5xx as an error, both with
 * their cause; at debug level refusals, requests that continued after the service had stopped, since
 * their clients had gone, and those of an outdated process, which its pool logs once.
 */
export function logFailure(logger: FastifyBaseLogger, error: ServiceError): void {
  const { status, log } = errors[error.code];
  if (isDatabaseClosed(error.cause) || isOutdated(error.cause))
    logger.debug({ code: error.code }, log);
  else if (status === 503) logger.warn({ code: error.code, err: error.cause }, log);
  else if (status >= 500) logger.error({ code: error.code, err: error.cause }, log);
  else logger.debug({ code: error.code }, log);
}

/** Logs a failure, sets its headers, and returns the status of its answer. */
export function reportFailure(
  { log }: FastifyRequest,
  reply: FastifyReply,
  error: ServiceError,
): number {
  logFailure(log, error);
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', error.retryAfterSeconds);
  return errors[error.code].status;
}

/** Logs the failure and responds with the error envelope. */
export function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  error: ServiceError,
): FastifyReply {
  return reply
    .code(reportFailure(request, reply, error))
    .headers(crossOriginHeaders(request.url))
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(errorView(error, request.id));
}

/** Maps anything thrown to the error that clients see. */
export function toServiceError(error: Error): ServiceError {
  if (error instanceof ServiceError) return error;
  const { validation, validationContext, code, statusCode } = error as Partial<FastifyError>;
  if (validation !== undefined && validationContext !== undefined) {
    // `openapi.yaml` has no 400 here: a malformed id is an unknown booking.
    if (validationContext === 'params') return new ServiceError('booking_not_found');
    return new ServiceError('invalid_request', {
      details: describeValidationErrors(validation, validationContext),
    });
  }
  const known = code === undefined ? undefined : frameworkErrors[code];
  if (known !== undefined) return frameworkError(known, code);
  if (statusCode === 400) return frameworkError('invalid_request', code);
  if (isDatabaseUnavailable(error)) {
    return new ServiceError('service_unavailable', {
      retryAfterSeconds: retryAfterOutageSeconds,
      cause: error,
    });
  }
  return new ServiceError('internal_error', { cause: error });
}

function frameworkError(code: ErrorCode, frameworkCode: string | undefined): ServiceError {
  if (code !== 'invalid_request') return new ServiceError(code);
  const [path, message] =
    frameworkCode === 'FST_ERR_BAD_URL'
      ? ['path', 'must be a well-formed address']
      : ['body', 'must be well-formed JSON, sent whole'];
  return new ServiceError(code, { details: [{ path, message }] });
}
