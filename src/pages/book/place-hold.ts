import type { FastifyReply, FastifyRequest } from 'fastify';
import { stateOfArtist } from '../../board/calendar-state.js';
import type { ReplacedHold } from '../../database/rows/results.js';
import type { Checkout } from '../../domain/booking/checkout.js';
import { placeHold } from '../../domain/booking/holds.js';
import { formKey } from '../../domain/booking/new-hold.js';
import { requiredMembers } from '../../domain/booking/person.js';
import { alternativesTo } from '../../domain/booking/slot-unavailable.js';
import type { DomainServices } from '../../domain/deps.js';
import { ServiceError } from '../../errors.js';
import { english, type Language } from '../../locales/language.js';
import { openFor } from '../../schedule/calendar.js';
import type { Slot } from '../../schedule/slots.js';
import { checkoutPath } from '../../secrets/links.js';
import { chargeFailure } from '../../web/charge-failure.js';
import { formRefused } from '../../web/forms.js';
import { languageOf } from '../../web/language.js';
import { findPersonMistakes, mistakeWords, type PersonMistakes } from '../../web/person-form.js';
import { reportFailure, toServiceError } from '../../web/plugins/errors.js';
import { acceptsPages, seeOther } from '../../web/send-page.js';
import { findOwnHold, isOfSlot, rememberHold } from '../own-hold.js';
import type { FormRefusal } from './form-page.js';
import { holdRequestOf, type TypedHold } from './hold-form.js';
import { bookedAlready, formRefusal, heldAlready, lostArtist, noneChosen } from './refusals.js';
import type { BookPages } from './show-pages.js';

export type PlaceHold = (
  request: FastifyRequest,
  reply: FastifyReply,
  form: TypedHold,
  options: { isReplacing: boolean },
) => Promise<FastifyReply>;

/**
 * Returns a function that holds the slot of a form and redirects to the checkout page, or shows the form
 * again with its fields. A client that shows no pages gets the error. `isReplacing`: this browser's hold
 * of the slot is given up for the new one.
 */
export function createHoldPlacer(context: DomainServices, pages: BookPages): PlaceHold {
  const { board, clock, keyring, languages } = context;

  return async (request, reply, form, { isReplacing }) => {
    const language = languageOf(request);
    const required = requiredMembers({ channel: 'page' });
    const mistakes = findPersonMistakes(form.typed, required);
    const ownHold = await ownHoldIfKnown(request, form.slot);
    const hasSlot = ownHold !== null && isOfSlot(ownHold, form.slot);
    // A form that is sent again after it has held the time leads to the hold.
    const lost = hasSlot ? null : form.lostArtist;
    const { isUnchosen } = form;
    if (isUnchosen || lost !== null || Object.keys(mistakes).length > 0) {
      if (!acceptsPages(request)) {
        throw isUnchosen || lost !== null ? formRefused() : invalidForm(mistakes);
      }
      const refusal =
        lost !== null
          ? lostArtist(language, lost)
          : isUnchosen
            ? await askToChoose(language, form)
            : undefined;
      const shown = lost !== null ? { ...form, artist: null } : form;
      return pages.showForm(request, reply, 400, { form: shown, ownHold, mistakes, refusal });
    }
    const holdRequest = holdRequestOf(form);
    const artistId = form.artist?.id ?? null;
    let replaced: ReplacedHold | null = null;
    try {
      if (isReplacing) replaced = await findHoldOfSlot(request, form);
      const placed = await placeHold(
        context,
        request.caller,
        holdRequest,
        formKey(keyring, form.nonce, holdRequest, artistId),
        {
          replaced: isReplacing ? replaced : undefined,
          artistId,
          hasSlot: hasSlot && !isReplacing,
          language: languages.chosenTag(languageOf(request)),
        },
      );
      await rememberHold(context, reply, placed);
      return await seeOther(reply, checkoutPath(placed.checkoutToken));
    } catch (error) {
      const failure = toServiceError(error as Error);
      if (!acceptsPages(request)) throw failure;
      return refuse(request, reply, form, failure, replaced);
    }
  };

  async function askToChoose(
    language: Language,
    { slot, artist }: TypedHold,
  ): Promise<FormRefusal> {
    const state = stateOfArtist(await board.read(), artist?.id ?? null);
    const now = clock.now();
    const isOpen = openFor(state, slot, null, now) === 'open';
    return noneChosen(language, slot, isOpen ? null : alternativesTo(state, slot, now));
  }

  async function refuse(
    request: FastifyRequest,
    reply: FastifyReply,
    form: TypedHold,
    failure: ServiceError,
    replaced: ReplacedHold | null,
  ): Promise<FastifyReply> {
    const charged = await chargeFailure(request.caller, failure);
    const status = reportFailure(request, reply, charged);
    const present = await board.read();
    const ownHold = await ownHoldIfKnown(request, replaced?.id ?? form.slot);
    const isOwn =
      charged.code === 'slot_unavailable' && ownHold !== null && isOfSlot(ownHold, form.slot);
    const isBooked = isOwn && ownHold.status === 'confirmed';
    const state = openFor(present, form.slot, form.artist?.id ?? null, clock.now());
    // If the database did not answer, the hold is as it was, or nobody knows.
    const isKnown = charged.code !== 'service_unavailable' && charged.code !== 'internal_error';
    const isLetGo = replaced !== null && isKnown && ownHold?.booking.id !== replaced.id;
    const language = languageOf(request);
    const wanted = { ...form.slot, artistName: form.artist?.name };
    const refusal = formRefusal(language, charged, wanted, state, isLetGo);
    const ownRefusal = isBooked
      ? { ...refusal, ...bookedAlready(language) }
      : heldAlready(language);
    return pages.showForm(request, reply, status, {
      form,
      ownHold,
      refusal: isOwn ? ownRefusal : refusal,
    });
  }

  /** Null if this browser has no hold of the slot. */
  async function findHoldOfSlot(
    request: FastifyRequest,
    form: TypedHold,
  ): Promise<ReplacedHold | null> {
    const ownHold = await findOwnHold(context, request, form.slot);
    const isHeld = ownHold?.status === 'pending' && isOfSlot(ownHold, form.slot);
    return isHeld ? ownHold.booking : null;
  }

  /** This browser's hold; null also without a database: the typed fields are shown all the same. */
  async function ownHoldIfKnown(
    request: FastifyRequest,
    wanted: Slot | string,
  ): Promise<Checkout | null> {
    try {
      return await findOwnHold(context, request, wanted);
    } catch {
      return null;
    }
  }
}

function invalidForm(mistakes: PersonMistakes): ServiceError {
  const details = Object.values(mistakes).map((mistake) => ({
    path: `body.${mistake.member}`,
    message: mistakeWords(english, mistake),
  }));
  return new ServiceError('invalid_request', { details });
}
