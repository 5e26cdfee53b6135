import type { Alternative } from '../../../generated/schemas.js';
import type { ServiceError } from '../../errors.js';
import type { SlotState } from '../../schedule/calendar.js';
import type { Slot } from '../../schedule/slots.js';
import { bookingLabel } from '../../schedule/words.js';
import { limitCause, soonWords } from '../../web/error-page.js';
import { hasOtherSession, notOpen, type Trouble } from '../not-open.js';
import type { FormRefusal } from './form-page.js';

const nothingLost = 'Nothing new is held; what you typed is still here.';

/**
 * Why a hold was refused, for people. `slotState`: the present one of the wanted slot. `hasGivenUp`: the
 * person held it, and has given up that hold for the refused one.
 */
export function formRefusal(
  error: ServiceError,
  slot: Slot,
  slotState: SlotState,
  hasGivenUp: boolean,
): FormRefusal {
  const refusal = refusalOf(error, slot, slotState);
  if (!hasGivenUp) return refusal;
  return { ...refusal, text: `What you held before is let go. ${refusal.text}` };
}

function refusalOf(error: ServiceError, slot: Slot, slotState: SlotState): FormRefusal {
  switch (error.code) {
    case 'slot_unavailable':
      return {
        ...(error.ownSession === undefined
          ? notOpen(slot, slotState, nothingLost)
          : hasOtherSession(error.ownSession, nothingLost)),
        alternatives: error.alternatives ?? [],
      };
    case 'rate_limited':
      return {
        title: 'No more holds for now',
        text: `${limitCause(error)} Please press the button again ${soonWords(error)}, or ask us. ${nothingLost}`,
        alternatives: null,
      };
    case 'too_many_pending_holds':
      return {
        title: 'Too many times are held right now',
        text: `We hold only a limited number of times for people who are still deciding. Please press the button again ${soonWords(error)}. ${nothingLost}`,
        alternatives: null,
      };
    default:
      return {
        title: 'Something went wrong on our side',
        text: 'Please press the button again in a moment: it holds the time once, however often you press. What you typed is still here.',
        alternatives: null,
      };
  }
}

/** Other times were offered, and none was chosen: nothing is held, even if the first is free again. */
export function noneChosen(slot: Slot, alternatives: readonly Alternative[] | null): FormRefusal {
  const others = 'You have not chosen one of the times that are open.';
  const text =
    alternatives === null ? `${others} ${bookingLabel(slot)} is free again, too.` : others;
  return { title: 'Choose a time', text: `${text} ${nothingLost}`, alternatives };
}

/** The artist whom the person has chosen cannot be booked. */
export function lostArtist({ title, text }: Trouble): FormRefusal {
  const again = 'Press the button again to hold the time with whoever is free.';
  return { title, text: `${text} ${again} ${nothingLost}`, alternatives: null };
}

/** This browser holds the slot. */
export const ownAlready: FormRefusal = {
  title: 'You already hold this time',
  text: 'You can go on with the details that you gave then, or let it go and hold it with those below.',
  alternatives: null,
};

/** This browser has booked the slot; others are offered. */
export const bookedAlready = {
  title: 'You have booked this time',
  text: `If you would like one more session, choose another time. ${nothingLost}`,
};
