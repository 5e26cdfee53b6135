import type { SlotRefusal } from '../../domain/studio-bookings.js';
import type { Slot } from '../../schedule/slots.js';
import { bookingLabel } from '../../schedule/words.js';

/** Why a change of a booking was refused, in sentences for the studio. */

export const changedMeanwhile =
  'The booking has changed since you opened this page. Nothing was done. This is how it is now.';

export const noLongerLive = 'The booking is no longer held or confirmed. Nothing was done.';

export const notBegun = 'The session has not begun. Nothing was done.';

export const notConfirmed = 'Only a confirmed session can be missed. Nothing was done.';

export const alreadyMissed = 'It is recorded already that the person did not come.';

export const notMissed = 'It is not recorded that the person did not come. Nothing was done.';

export const nothingToErase = 'The personal data of this booking is erased already.';

export const otherSessionsUpcoming =
  'Nothing was erased: the sessions to come have changed since you opened this page. Look at them below, and decide again.';

export const noSlotChosen = 'Choose a date and a session. Nothing was done.';

export const sameSlot = 'The booking is in this session already. Nothing was done.';

export const needsCorrecting = 'Something needs correcting. Nothing was saved.';

export const addedAlready =
  'This booking has been added already: the form was sent twice. It is there once.';

/** For a slot that the studio cannot have. */
export function slotRefused(slot: Slot, refusal: SlotRefusal): string {
  const why: Record<SlotRefusal, string> = {
    taken: 'is taken',
    over: 'is over',
    no_such_slot: 'does not exist in the studio’s time zone',
  };
  return `${bookingLabel(slot)} ${why[refusal]}. Nothing was done.`;
}

export const noteChanged =
  'The note has changed since you opened this page. Nothing was saved. The new note is above; what you typed is in the form.';

export function textTooLong(name: string, length: number, limit: number): string {
  return `The ${name} can have at most ${limit} characters; there are ${length}. Nothing was done.`;
}
