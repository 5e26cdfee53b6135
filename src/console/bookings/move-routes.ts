import type { FastifyReply } from 'fastify';
import { isPersonMailed } from '../../domain/booking-record.js';
import type { DomainServices } from '../../domain/deps.js';
import { moveByStudio, type SlotRefusal } from '../../domain/studio-bookings.js';
import { findStudioSlot, readStudioDays } from '../../domain/studio-days.js';
import { ServiceError } from '../../errors.js';
import { type Slot, isLive } from '../../schedule/slots.js';
import { type PageScope, query, readSlot, readSlotKey, text } from '../../web/forms.js';
import { seeOther } from '../../web/send-page.js';
import { wordMistakeOf } from '../hours/decisions.js';
import { doneInSlot, linkAfter } from '../links.js';
import { idInPath, type Outcome, type ShowPage } from '../pages.js';
import { actorOf } from '../session.js';
import { AskMove, moveSchema, MovePage, moveTitle, type TypedSlot } from './move-page.js';
import {
  changedMeanwhile,
  needsCorrecting,
  noLongerLive,
  noSlotChosen,
  sameSlot,
  slotRefused,
} from './refusals.js';
import { readSeen } from './seen.js';
import type { BookingPages, BookingRequest } from './show-booking.js';

const url = '/console/bookings/:id/move';

/** How many days the page of a move shows; any other date can be typed. */
const daysShown = 15;

/** `/console/bookings/:id/move`: the free slots of the coming days; with one chosen, the question. */
export function registerMoving(
  scope: PageScope,
  context: DomainServices,
  showPage: ShowPage,
  pages: BookingPages,
): void {
  const chosen = query({ slot: text, date: text, time_slot: text });
  scope.get(url, { schema: { ...idInPath, ...chosen } }, (request, reply) => {
    const { slot: key, ...typed } = request.query;
    if (key === undefined && typed.date === undefined) return showTimes(request, reply, {});
    const slot = key === undefined ? readSlot(typed) : readSlotKey(key);
    return slot === null
      ? showTimes(request, reply, typed, { trouble: noSlotChosen })
      : ask(request, reply, slot);
  });

  scope.post(url, { schema: { ...idInPath, ...moveSchema } }, async (request, reply) => {
    const { params, body } = request;
    const slot = readSlotKey(body.slot);
    if (slot === null) {
      return showTimes(request, reply, {}, { status: 400, trouble: noSlotChosen });
    }
    const word = body.word?.trim() ?? '';
    const wordMistake = wordMistakeOf(word);
    if (wordMistake !== undefined) {
      const outcome = { status: 400, trouble: needsCorrecting };
      return ask(request, reply, slot, { word, wordMistake }, outcome);
    }
    const moved = await moveByStudio(context, actorOf(request), params.id, slot, {
      ...readSeen(body),
      word: word || null,
    });
    switch (moved.outcome) {
      case 'moved': {
        const { mode } = await context.board.read();
        const done = body.undo === 'yes' ? 'undone' : doneInSlot('moved', moved.schedule);
        return seeOther(reply, linkAfter(done, params.id, isPersonMailed(mode, moved.booking)));
      }
      case 'not_found':
        throw new ServiceError('not_found');
      case 'not_live':
        return pages.refuse(request, reply, { trouble: noLongerLive });
      case 'changed':
        return ask(request, reply, slot, { word }, { status: 409, trouble: changedMeanwhile });
      default:
        return refuseSlot(request, reply, slot, moved.outcome);
    }
  });

  /** Asks whether to move to a slot, or says why that cannot be. */
  async function ask(
    request: BookingRequest,
    reply: FastifyReply,
    slot: Slot,
    typed: { word: string; wordMistake?: string } = { word: '' },
    outcome: Outcome = {},
  ): Promise<FastifyReply> {
    const record = await pages.read(request.params.id);
    if (!isLive(record.status)) return pages.refuse(request, reply, { trouble: noLongerLive });
    const to = await findStudioSlot(context, slot);
    if (to === null) return refuseSlot(request, reply, slot, 'no_such_slot');
    if (to.booking?.id === record.booking.id) return refuseSlot(request, reply, slot, 'same_slot');
    if (to.booking !== null) return refuseSlot(request, reply, slot, 'taken');
    if (to.isOver) return refuseSlot(request, reply, slot, 'over');
    return showPage(request, reply, {
      section: 'bookings',
      title: `${moveTitle(record)}?`,
      ...outcome,
      children: AskMove({ record, to, ...typed }),
    });
  }

  function refuseSlot(
    request: BookingRequest,
    reply: FastifyReply,
    slot: Slot,
    refusal: SlotRefusal | 'same_slot',
  ): Promise<FastifyReply> {
    const trouble = refusal === 'same_slot' ? sameSlot : slotRefused(slot, refusal);
    const typed = { date: slot.date, time_slot: slot.timeSlot };
    // Choosing a time changes nothing.
    return showTimes(request, reply, typed, {
      status: request.method === 'GET' ? 200 : 409,
      trouble,
    });
  }

  async function showTimes(
    request: BookingRequest,
    reply: FastifyReply,
    typed: TypedSlot,
    outcome: Outcome = {},
  ): Promise<FastifyReply> {
    const record = await pages.read(request.params.id);
    if (!isLive(record.status)) return pages.refuse(request, reply, { trouble: noLongerLive });
    const days = await readStudioDays(context, { count: daysShown });
    return showPage(request, reply, {
      section: 'bookings',
      title: moveTitle(record),
      ...outcome,
      children: MovePage({ record, days, typed }),
    });
  }
}
