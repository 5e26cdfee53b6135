import type { Context } from '../../src/context.js';
import { placeHold } from '../../src/domain/booking/holds.js';
import type { ServiceError } from '../../src/errors.js';
import type { Slot } from '../../src/schedule/slots.js';
import { callerNumber, holdRequest, personNumber, someOpenSlots } from './requests.js';
import type { TestService } from './service.js';

let people = 0;
/** Somebody who has no booking yet. */
export function newPerson() {
  people += 1;
  return { ...personNumber(people), name: `Ida Lind ${people}` };
}

/** Holds a slot as one of the callers. */
export const place = (context: Context, slot: Slot, person: object, caller = 1) =>
  placeHold(context, callerNumber(caller), holdRequest(slot, person), null);
/** `held`, or the error of a hold. */
export const refusal = (placed: Promise<unknown>) =>
  placed.then(
    () => 'held',
    (error: ServiceError) => error,
  );
/** Slots that nobody has and no other test takes. */
const unused = new Map<TestService, Slot[]>();
export async function someSlots(service: TestService, count: number) {
  const slots = unused.get(service) ?? (await someOpenSlots(service.context, 60));
  unused.set(service, slots);
  return slots.splice(0, count) as [Slot, Slot, Slot];
}
