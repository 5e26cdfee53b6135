import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../domain/caller.js';
import { errors, type ServiceError } from '../errors.js';
import type { IdentifyCaller } from './callers.js';
import { toServiceError } from './plugins/errors.js';

/**
 * Charges for a failed request, also where it was refused before its caller was identified, so that
 * none is left uncharged. Returns what to answer.
 */
export async function settleRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  error: Error,
  identify: IdentifyCaller,
): Promise<ServiceError> {
  const failure = toServiceError(error);
  const known = request.caller as Caller | undefined;
  // Nobody pays for a failure of ours, and the store of callers may be what failed.
  const isOurs = errors[failure.code].status >= 500;
  return settle(known ?? (isOurs ? undefined : await identify(request, reply)), failure);
}

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
