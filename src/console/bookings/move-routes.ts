import type { FastifyReply } from 'fastify';
import type { DomainServices } from '../../domain/deps.js';
import { moveByStudio, type SlotRefusal } from '../../domain/studio-bookings.js';
import { findStudioSlot, readStudioDays } from '../../domain/studio-days.js';
import { isLive, type Slot } from '../../schedule/slots.js';
import { type PageScope, query, readSlot, readSlotKey, text } from '../../web/forms.js';
import { idInPath, type Outcome } from '../console-page.js';
import { wordMistakeOf } from '../hours/decisions.js';
import { doneInSlot } from '../links.js';
import { actorOf } from '../session.js';
import { readRecord, refuseJob, seeChanged } from './booking-page.js';
import { readSeen } from './fields.js';
import { AskMove, MovePage, moveSchema, type TypedSlot } from './move-page.js';
import { needsCorrecting, noSlotChosen, personName, refusals, slotRefused } from './words.js';

const url = '/console/bookings/:id/move';

/** How many days the page of a move shows; any other date can be typed. */
const daysShown = 15;

/** `/console/bookings/:id/move`: the free slots of the coming days; with one chosen, the question. */
export function registerMoving(scope: PageScope, context: DomainServices): void {
  const chosen = query({ slot: text, date: text, time_slot: text });
  scope.get(url, { schema: { ...idInPath, ...chosen } }, ({ params: { id }, query }, reply) => {
    const { slot: key, ...typed } = query;
    if (key === undefined && typed.date === undefined) return showTimes(reply, id, {});
    const slot = key === undefined ? readSlot(typed) : readSlotKey(key);
    return slot === null
      ? showTimes(reply, id, typed, { status: 200, trouble: noSlotChosen })
      : ask(reply, id, slot);
  });

  scope.post(url, { schema: { ...idInPath, ...moveSchema } }, async (request, reply) => {
    const { body } = request;
    const { id } = request.params;
    const slot = readSlotKey(body.slot);
    if (slot === null) return showTimes(reply, id, {}, { status: 400, trouble: noSlotChosen });
    const word = body.word?.trim() ?? '';
    const wordMistake = wordMistakeOf(word);
    if (wordMistake !== undefined) {
      const outcome = { status: 400, trouble: needsCorrecting };
      return ask(reply, id, slot, { word, wordMistake }, outcome);
    }
    const moved = await moveByStudio(context, actorOf(request), id, slot, {
      ...readSeen(body),
      word: word || null,
    });
    switch (moved.outcome) {
      case 'moved': {
        const done = body.undo === 'yes' ? 'undone' : doneInSlot('moved', moved.schedule);
        return seeChanged(context, reply, done, moved.booking);
      }
      case 'not_found':
      case 'not_live':
        return refuseJob(context, reply, id, moved.outcome);
      case 'changed':
        return ask(reply, id, slot, { word }, { trouble: refusals.changed });
      default:
        return refuseSlot(reply, id, slot, moved.outcome);
    }
  });

  /** Asks whether to move to a slot, or says why that cannot be. */
  async function ask(
    reply: FastifyReply,
    id: string,
    slot: Slot,
    typed: { word: string; wordMistake?: string } = { word: '' },
    outcome: Outcome = {},
  ): Promise<FastifyReply> {
    const record = await readRecord(context, id);
    if (!isLive(record.status)) return refuseJob(context, reply, id, 'not_live');
    const to = await findStudioSlot(context, slot);
    if (to === null) return refuseSlot(reply, id, slot, 'no_such_slot');
    if (to.booking?.id === id) return refuseSlot(reply, id, slot, 'same_slot');
    if (to.booking !== null) return refuseSlot(reply, id, slot, 'taken');
    if (to.isOver) return refuseSlot(reply, id, slot, 'over');
    return reply.showPage({
      ...outcome,
      section: 'bookings',
      title: `Move ${personName(record.booking)}?`,
      children: AskMove({ record, to, ...typed }),
    });
  }

  function refuseSlot(
    reply: FastifyReply,
    id: string,
    slot: Slot,
    refusal: SlotRefusal | 'same_slot',
  ): Promise<FastifyReply> {
    // Choosing a time changes nothing.
    const status = reply.request.method === 'GET' ? 200 : 409;
    const typed = { date: slot.date, time_slot: slot.timeSlot };
    return showTimes(reply, id, typed, { status, trouble: slotRefused(slot, refusal) });
  }

  async function showTimes(
    reply: FastifyReply,
    id: string,
    typed: TypedSlot,
    outcome: Outcome = {},
  ): Promise<FastifyReply> {
    const record = await readRecord(context, id);
    if (!isLive(record.status)) return refuseJob(context, reply, id, 'not_live');
    const days = await readStudioDays(context, { count: daysShown });
    return reply.showPage({
      ...outcome,
      section: 'bookings',
      title: `Move ${personName(record.booking)}`,
      children: MovePage({ record, days, typed }),
    });
  }
}
