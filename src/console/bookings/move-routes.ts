import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DomainServices } from '../../domain/deps.js';
import { moveByStudio } from '../../domain/studio-bookings.js';
import { readStudioDays } from '../../domain/studio-days.js';
import { ServiceError } from '../../errors.js';
import { isLive } from '../../schedule/booking-status.js';
import { readSlot, readSlotKey } from '../../web/form-fields.js';
import { seeOther } from '../../web/send-page.js';
import { doneInSlot, linkAfter } from '../links.js';
import { type ShowPage, withId } from '../pages.js';
import { actorOf } from '../session.js';
import { MovePage, moveTitle } from './move-page.js';
import { changedMeanwhile, noLongerLive, noSlotChosen, sameSlot, slotRefused } from './refusals.js';
import { readSeen } from './seen.js';
import type { BookingPages, BookingRoute, Refusal } from './show-booking.js';

const url = '/console/bookings/:id/move';

/** How many days the page of a move shows; any other date can be typed. */
const daysShown = 15;

/** `/console/bookings/:id/move`: the free slots of the coming days, each a button that moves. */
export function registerMoving(
  scope: FastifyInstance,
  context: DomainServices,
  showPage: ShowPage,
  pages: BookingPages,
): void {
  scope.get<BookingRoute>(url, withId, (request, reply) => show(request, reply));

  scope.post<BookingRoute>(url, withId, async (request, reply) => {
    const { params, body = {} } = request;
    const slot = body['slot'] === undefined ? readSlot(body) : readSlotKey(body['slot']);
    if (slot === null) return show(request, reply, { status: 400, trouble: noSlotChosen });
    const seen = readSeen(body);
    const moved = await moveByStudio(context, actorOf(request), params.id, slot, seen);
    switch (moved.outcome) {
      case 'moved':
        return seeOther(reply, linkAfter(doneInSlot('moved', moved.schedule), params.id));
      case 'not_found':
        throw new ServiceError('not_found');
      case 'not_live':
        return pages.refuse(request, reply, { trouble: noLongerLive });
      case 'changed':
        return show(request, reply, { trouble: changedMeanwhile });
      case 'same_slot':
        return show(request, reply, { trouble: sameSlot });
      default:
        return show(request, reply, { trouble: slotRefused(slot, moved.outcome) });
    }
  });

  async function show(
    request: FastifyRequest<BookingRoute>,
    reply: FastifyReply,
    refusal?: Refusal,
  ): Promise<FastifyReply> {
    const record = await pages.read(request.params.id);
    if (!isLive(record.status)) return pages.refuse(request, reply, { trouble: noLongerLive });
    const days = await readStudioDays(context, { count: daysShown });
    return showPage(request, reply, {
      status: refusal === undefined ? 200 : (refusal.status ?? 409),
      section: 'bookings',
      title: moveTitle(record),
      trouble: refusal?.trouble,
      children: MovePage({ record, days, typed: request.body ?? {} }),
    });
  }
}
