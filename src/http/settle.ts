import type { Caller } from '../domain/caller.js';
import { errors, type ServiceError } from '../errors.js';
import { toServiceError } from './plugins/errors.js';

/**
 * What the answer to a failed request is, after it was charged for: a failure of ours is given
 * back, any other costs at least a read.
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
    await caller.meter.chargeTo('reads');
    return failure;
  } catch (refusal) {
    return toServiceError(refusal as Error);
  }
}
