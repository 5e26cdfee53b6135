import type { FastifyRequest } from 'fastify';
import type { Caller } from '../access/caller.js';
import { errors, type ServiceError } from '../errors.js';
import { toServiceError } from './plugins/errors.js';

/**
 * Charges a failed request and returns the error to send. A 5xx costs only the base budget; any other
 * failure costs at least that. Returns `rate_limited` if the budget is used up. No failure reveals
 * whether the caller's address is listed as a platform's.
 */
export async function chargeFailure(
  caller: Caller | undefined,
  failure: ServiceError,
): Promise<ServiceError> {
  if (caller === undefined) return failure;
  const charged = await charge(caller, failure);
  caller.meter.hidePlatform();
  return charged;
}

async function charge({ meter }: Caller, failure: ServiceError): Promise<ServiceError> {
  if (errors[failure.code].status >= 500) {
    await meter.refundToBase();
    return failure;
  }
  if (meter.charge !== null) return failure;
  try {
    await meter.chargeTo(meter.base);
    return failure;
  } catch (refusal) {
    return toServiceError(refusal as Error);
  }
}

/**
 * Like `chargeFailure`, for a request that may have failed before its caller was identified. After a 5xx
 * the caller is not looked up: the lookup could fail in the same outage.
 */
export async function chargeFailedRequest(
  request: FastifyRequest,
  failure: ServiceError,
  identify: () => Caller | Promise<Caller>,
): Promise<ServiceError> {
  const known = request.caller as Caller | undefined;
  const isServerError = errors[failure.code].status >= 500;
  return chargeFailure(known ?? (isServerError ? undefined : await identify()), failure);
}
