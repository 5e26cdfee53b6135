import type { Alternative } from '../../../generated/schemas.js';
import type { ServiceError } from '../../errors.js';
import type { Language } from '../../locales/language.js';
import type { SlotState } from '../../schedule/calendar.js';
import type { Slot } from '../../schedule/slots.js';
import { type Session, timesIn } from '../../schedule/times.js';
import { limitCause, minutesToWait } from '../../web/error-page.js';
import { hasOtherSession, notOpen, type Trouble } from '../not-open.js';
import type { FormRefusal } from './form-page.js';

/**
 * Why a hold was refused, for people. `slotState`: the present one of the wanted slot. `hasGivenUp`: the
 * person held it, and has given up that hold for the refused one.
 */
export function formRefusal(
  language: Language,
  error: ServiceError,
  slot: Session,
  slotState: SlotState,
  hasGivenUp: boolean,
): FormRefusal {
  const refusal = refusalOf(language, error, slot, slotState);
  if (!hasGivenUp) return refusal;
  return { ...refusal, text: `${language.t('refusal.let_go')} ${refusal.text}` };
}

function refusalOf(
  language: Language,
  error: ServiceError,
  slot: Session,
  slotState: SlotState,
): FormRefusal {
  const { t } = language;
  const nothingNew = t('refusal.nothing_new');
  const minutes = minutesToWait(error);
  switch (error.code) {
    case 'slot_unavailable':
      return {
        ...(error.ownSession === undefined
          ? notOpen(language, slot, slotState, nothingNew)
          : hasOtherSession(language, error.ownSession, nothingNew)),
        alternatives: error.alternatives ?? [],
      };
    case 'rate_limited':
      return {
        title: t('refusal.rate_limited.title'),
        text: `${limitCause(language, error)} ${t('refusal.rate_limited', { minutes })} ${nothingNew}`,
        alternatives: null,
      };
    case 'too_many_pending_holds':
      return {
        title: t('refusal.too_many_holds.title'),
        text: `${t('refusal.too_many_holds', { minutes })} ${nothingNew}`,
        alternatives: null,
      };
    default:
      return {
        title: t('refusal.unexpected.title'),
        text: t('refusal.unexpected'),
        alternatives: null,
      };
  }
}

/** Other times were offered, and none was chosen: nothing is held, even if the first is free again. */
export function noneChosen(
  language: Language,
  slot: Slot,
  alternatives: readonly Alternative[] | null,
): FormRefusal {
  const { t } = language;
  const sentences = [
    t('refusal.none_chosen'),
    ...(alternatives === null
      ? [t('refusal.free_again', { time: timesIn(language).bookingLabel(slot) })]
      : []),
    t('refusal.nothing_new'),
  ];
  return { title: t('refusal.none_chosen.title'), text: sentences.join(' '), alternatives };
}

/** The artist whom the person has chosen cannot be booked. */
export function lostArtist({ t }: Language, { title, text }: Trouble): FormRefusal {
  const advice = `${t('refusal.artist_lost')} ${t('refusal.nothing_new')}`;
  return { title, text: `${text} ${advice}`, alternatives: null };
}

/** This browser holds the slot. */
export function heldAlready({ t }: Language): FormRefusal {
  return {
    title: t('refusal.held_already.title'),
    text: t('refusal.held_already'),
    alternatives: null,
  };
}

/** This browser has booked the slot; others are offered. */
export function bookedAlready({ t }: Language): Trouble {
  return {
    title: t('refusal.booked_already.title'),
    text: `${t('refusal.booked_already')} ${t('refusal.nothing_new')}`,
  };
}
