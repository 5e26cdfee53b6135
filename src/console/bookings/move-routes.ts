import type { FastifyReply } from 'fastify';
import type { DomainServices } from '../../domain/deps.js';
import { moveByStudio } from '../../domain/studio-bookings.js';
import { readStudioDays } from '../../domain/studio-days.js';
import { ServiceError } from '../../errors.js';
import { isLive } from '../../schedule/booking-status.js';
import { type PageScope, readSlot, readSlotKey } from '../../web/forms.js';
import { seeOther } from '../../web/send-page.js';
import { doneInSlot, linkAfter } from '../links.js';
import { idInPath, type ShowPage } from '../pages.js';
import { actorOf } from '../session.js';
import { moveSchema, MovePage, moveTitle, type TypedSlot } from './move-page.js';
import { changedMeanwhile, noLongerLive, noSlotChosen, sameSlot, slotRefused } from './refusals.js';
import { readSeen } from './seen.js';
import type { BookingPages, BookingRequest } from './show-booking.js';

const url = '/console/bookings/:id/move';

/** How many days the page of a move shows; any other date can be typed. */
const daysShown = 15;

/** `/console/bookings/:id/move`: the free slots of the coming days, each a button that moves. */
export function registerMoving(
  scope: PageScope,
  context: DomainServices,
  showPage: ShowPage,
  pages: BookingPages,
): void {
  scope.get(url, { schema: idInPath }, (request, reply) => show(request, reply, {}));

  scope.post(url, { schema: { ...idInPath, ...moveSchema } }, async (request, reply) => {
    const { params, body } = request;
    const { date, time_slot } = body;
    const refuse = (trouble: string, status = 409) =>
      show(request, reply, { date, time_slot }, { status, trouble });
    const slot = body.slot === undefined ? readSlot(body) : readSlotKey(body.slot);
    if (slot === null) return refuse(noSlotChosen, 400);
    const moved = await moveByStudio(context, actorOf(request), params.id, slot, readSeen(body));
    switch (moved.outcome) {
      case 'moved':
        return seeOther(reply, linkAfter(doneInSlot('moved', moved.schedule), params.id));
      case 'not_found':
        throw new ServiceError('not_found');
      case 'not_live':
        return pages.refuse(request, reply, { trouble: noLongerLive });
      case 'changed':
        return refuse(changedMeanwhile);
      case 'same_slot':
        return refuse(sameSlot);
      default:
        return refuse(slotRefused(slot, moved.outcome));
    }
  });

  async function show(
    request: BookingRequest,
    reply: FastifyReply,
    typed: TypedSlot,
    refusal?: { status: number; trouble: string },
  ): Promise<FastifyReply> {
    const record = await pages.read(request.params.id);
    if (!isLive(record.status)) return pages.refuse(request, reply, { trouble: noLongerLive });
    const days = await readStudioDays(context, { count: daysShown });
    return showPage(request, reply, {
      section: 'bookings',
      title: moveTitle(record),
      ...refusal,
      children: MovePage({ record, days, typed }),
    });
  }
}
