import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Checkout, holdAgain } from '../../domain/booking/checkout.js';
import type { DomainServices } from '../../domain/deps.js';
import { ServiceError } from '../../errors.js';
import { openFor } from '../../schedule/calendar.js';
import { isSameSlot, slotOf } from '../../schedule/slots.js';
import { checkoutPath } from '../../secrets/links.js';
import { formRefused, readSlotKey } from '../../web/forms.js';
import { languageOf } from '../../web/language.js';
import { hasOtherSession, notOpen, type Trouble } from '../not-open.js';
import { rememberHold } from '../own-hold.js';
import { reportRefusal } from './open-checkout.js';

/** The slot to hold: that of the expired hold, or one that was offered instead. */
export interface HeldAgain {
  slot?: string;
  offered?: string;
}

/** Holds the slot of an expired hold again, or another one: the path of its page, or why nothing is held. */
export async function holdSlotAgain(
  context: DomainServices,
  request: FastifyRequest,
  reply: FastifyReply,
  checkout: Checkout,
  { slot: typed, offered }: HeldAgain,
): Promise<string | Pick<Trouble, 'text'>> {
  const { t } = languageOf(request);
  const path = checkoutPath(checkout.token);
  const own = slotOf(checkout.booking);
  if (typed === undefined && offered !== undefined) return { text: t('checkout.hold_other.none') };
  const slot = typed === undefined ? own : readSlotKey(typed);
  if (slot === null) throw formRefused();
  const language = context.languages.chosenTag(languageOf(request));
  try {
    const placed = await holdAgain(context, request.caller, checkout, slot, language);
    if (placed === null) return path;
    await rememberHold(context, reply, placed);
    return checkoutPath(placed.checkoutToken);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'slot_unavailable') throw error;
    const { ownSession } = error;
    // The page of the expired hold shows why its slot is no longer open.
    if (ownSession === undefined && isSameSlot(slot, own)) return path;
    reportRefusal(request, error);
    const nothingHeld = t('checkout.hold_other.kept');
    if (ownSession !== undefined)
      return hasOtherSession(languageOf(request), ownSession, nothingHeld);
    const state = openFor(await context.board.read(), slot, null, context.clock.now());
    return notOpen(languageOf(request), slot, state, nothingHeld);
  }
}
