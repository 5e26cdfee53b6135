import type { FastifyReply, FastifyRequest } from 'fastify';
import { findLiveBooking, isPersonMailed } from '../../domain/booking-record.js';
import type { DomainServices } from '../../domain/deps.js';
import { addBooking } from '../../domain/studio-bookings.js';
import { studioSchedule, type StudioSchedule } from '../../domain/studio-settings.js';
import type { Slot } from '../../schedule/slots.js';
import { type PageScope, query, readSlot, text } from '../../web/forms.js';
import { seeOther } from '../../web/send-page.js';
import { doneInSlot, linkAfter } from '../links.js';
import type { ShowPage } from '../pages.js';
import { actorOf } from '../session.js';
import {
  addSchema,
  AddPage,
  type AddPageProps,
  isAddedBy,
  nothingTyped,
  readAddForm,
} from './add-page.js';
import { addedAlready, needsCorrecting, slotRefused } from './refusals.js';

const url = '/console/bookings/new';

/** `/console/bookings/new`: adds a walk-in or a call to any slot that is free and not over. */
export function registerAdding(
  scope: PageScope,
  context: DomainServices,
  showPage: ShowPage,
): void {
  scope.get(url, { schema: query({ date: text, time_slot: text }) }, async (request, reply) => {
    const typed = { ...nothingTyped, ...request.query };
    return show(request, reply, { typed, schedule: await scheduleOf(readSlot(typed)) });
  });

  scope.post(url, { schema: addSchema }, async (request, reply) => {
    const typed = request.body;
    const form = readAddForm(typed);
    const schedule = await scheduleOf(form.slot);
    if (form.mistakes !== null) {
      const { mistakes } = form;
      return show(request, reply, { typed, schedule, mistakes }, 400, needsCorrecting);
    }
    const { slot, person } = form;
    const added = await addBooking(context, actorOf(request), slot, person);
    if (added.outcome === 'added') {
      const { booking } = added;
      const { mode } = await context.board.read();
      const done = doneInSlot('added', added.schedule);
      return seeOther(reply, linkAfter(done, booking.id, isPersonMailed(mode, booking)));
    }
    const takenBy = added.outcome === 'taken' ? await findLiveBooking(context, slot) : null;
    const isSame = takenBy !== null && isAddedBy(takenBy, person);
    const trouble = isSame ? addedAlready : slotRefused(slot, added.outcome);
    return show(request, reply, { typed, schedule, takenBy, isSame }, 409, trouble);
  });

  /** Null if no slot is chosen. */
  async function scheduleOf(slot: Slot | null): Promise<StudioSchedule | null> {
    return slot === null ? null : studioSchedule((await context.board.read()).calendar, slot);
  }

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    page: Omit<AddPageProps, 'hasMail'>,
    status = 200,
    trouble: string | null = null,
  ): Promise<FastifyReply> {
    const { mode } = await context.board.read();
    return showPage(request, reply, {
      status,
      section: 'bookings',
      title: page.isSame === true ? 'Added already' : 'Add a booking',
      trouble,
      children: AddPage({ ...page, hasMail: mode.mail }),
    });
  }
}
