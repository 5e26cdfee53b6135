import type { FastifyRequest } from 'fastify';
import type { Caller } from '../domain/caller.js';
import { errors, type ServiceError } from '../errors.js';
import { toServiceError } from './plugins/errors.js';

/**
 * What the answer to a failed request is, after it was charged for: a failure of ours is given
 * back, any other costs at least what its meter starts from.
 */
export async function settle(
  caller: Caller | undefined,
  failure: ServiceError,
): Promise<ServiceError> {
  if (caller === undefined) return failure;
  if (errors[failure.code].status >= 500) {
    await caller.meter.giveBack();
    return failure;
  }
  if (caller.meter.charge !== null) return failure;
  try {
    await caller.meter.chargeTo(caller.meter.base);
    return failure;
  } catch (refusal) {
    return toServiceError(refusal as Error);
  }
}

/** The same for a request that may have been refused before it was known who asks. */
export async function settleRequest(
  request: FastifyRequest,
  failure: ServiceError,
  identify: () => Caller | Promise<Caller>,
): Promise<ServiceError> {
  const known = request.caller as Caller | undefined;
  const isOurs = errors[failure.code].status >= 500;
  return settle(known ?? (isOurs ? undefined : await identify()), failure);
}
