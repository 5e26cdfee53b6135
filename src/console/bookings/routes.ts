import { isPersonMailed } from '../../domain/booking-record.js';
import { cancelByStudio, maxCancellationReasonLength } from '../../domain/cancellation.js';
import { maxNoteLength, noteBooking } from '../../domain/correction.js';
import type { DomainServices } from '../../domain/deps.js';
import { forgetPerson } from '../../domain/personal-data.js';
import { recordNoShow } from '../../domain/studio-bookings.js';
import { ServiceError } from '../../errors.js';
import { todayInZone } from '../../schedule/slots.js';
import type { PageScope } from '../../web/forms.js';
import { seeOther } from '../../web/send-page.js';
import { home, linkAfter, linkToBooking, linkToDay } from '../links.js';
import { idInPath, type ShowPage, showsDone } from '../pages.js';
import { actorOf } from '../session.js';
import { registerAdding } from './add-routes.js';
import { registerCorrecting } from './correct-routes.js';
import { cancelSchema, forgetSchema, noShowSchema } from './jobs.js';
import { registerBookingLists } from './list-routes.js';
import { registerMoving } from './move-routes.js';
import { noteSchema } from './note.js';
import {
  alreadyMissed,
  changedMeanwhile,
  noLongerLive,
  notBegun,
  noteChanged,
  notConfirmed,
  nothingToErase,
  notMissed,
  otherSessionsUpcoming,
  textTooLong,
} from './refusals.js';
import { readListedBookings, readSeen } from './seen.js';
import { createBookingPages } from './show-booking.js';

/** `/console/bookings/…`: lists, a booking, and what the studio does with it. */
export function registerBookings(
  scope: PageScope,
  context: DomainServices,
  showPage: ShowPage,
): void {
  const pages = createBookingPages(context, showPage);
  registerBookingLists(scope, context, showPage);
  registerAdding(scope, context, showPage);
  registerMoving(scope, context, showPage, pages);
  registerCorrecting(scope, context, showPage, pages);

  const shown = { schema: { ...idInPath, ...showsDone } };
  scope.get('/console/bookings/:id', shown, (request, reply) => pages.show(request, reply));
  // A refused form is shown at its own address, which may be opened again.
  for (const job of ['cancel', 'no-show', 'note', 'forget']) {
    scope.get(`/console/bookings/:id/${job}`, { schema: idInPath }, ({ params }, reply) =>
      seeOther(reply, linkToBooking(params.id)),
    );
  }

  const cancelling = { schema: { ...idInPath, ...cancelSchema } };
  scope.post('/console/bookings/:id/cancel', cancelling, async (request, reply) => {
    const { params, body } = request;
    const reason = body.reason.trim();
    const word = (body.word ?? '').trim();
    const refuse = (trouble: string, status = 409) =>
      pages.refuse(request, reply, { status, trouble, typed: { reason, word } });
    for (const [name, typed] of [
      ['reason', reason],
      ['line for their page', word],
    ] as const) {
      const { length } = [...typed];
      if (length > maxCancellationReasonLength) {
        return refuse(textTooLong(name, length, maxCancellationReasonLength), 400);
      }
    }
    const cancelled = await cancelByStudio(context, actorOf(request), params.id, {
      reason: reason || null,
      word: word || null,
      ...readSeen(body),
    });
    switch (cancelled.outcome) {
      case 'cancelled': {
        const { mode } = await context.board.read();
        const isMailed = isPersonMailed(mode, cancelled.booking);
        return seeOther(reply, linkAfter('cancelled', params.id, isMailed));
      }
      case 'not_found':
        throw new ServiceError('not_found');
      case 'changed':
        return refuse(changedMeanwhile);
      case 'not_live':
        return refuse(noLongerLive);
    }
  });

  const noting = { schema: { ...idInPath, ...noShowSchema } };
  scope.post('/console/bookings/:id/no-show', noting, async (request, reply) => {
    const { params, body } = request;
    const undo = body.undo === 'yes';
    const refuse = (trouble: string) => pages.refuse(request, reply, { trouble });
    const { sequence } = readSeen(body);
    const missed = await recordNoShow(context, actorOf(request), params.id, { undo, sequence });
    switch (missed.outcome) {
      case 'recorded': {
        const done = undo ? 'not-missed' : 'missed';
        if (body.back !== 'day') return seeOther(reply, linkAfter(done, params.id));
        const { calendar } = await context.board.read();
        const today = todayInZone(calendar.timezone, context.clock.now());
        const { date } = missed.booking;
        // At midnight, the page of today shows the next day by itself.
        if (date === today) return seeOther(reply, `${home}?done=${done}`);
        return seeOther(reply, `${linkToDay(date)}&done=${done}`);
      }
      case 'not_found':
        throw new ServiceError('not_found');
      case 'changed':
        return refuse(changedMeanwhile);
      case 'unchanged':
        return refuse(undo ? notMissed : alreadyMissed);
      case 'not_begun':
        return refuse(notBegun);
      case 'not_confirmed':
        return refuse(notConfirmed);
    }
  });

  const writingNote = { schema: { ...idInPath, ...noteSchema } };
  scope.post('/console/bookings/:id/note', writingNote, async (request, reply) => {
    const { params, body } = request;
    const note = body.note.trim();
    const refuse = (trouble: string, status = 409) =>
      pages.refuse(request, reply, { status, trouble, typed: { note } });
    const { length } = [...note];
    if (length > maxNoteLength) return refuse(textTooLong('note', length, maxNoteLength), 400);
    const seen = body.seen_note || null;
    switch (await noteBooking(context, actorOf(request), params.id, note || null, seen)) {
      case 'saved':
      case 'unchanged':
        return seeOther(reply, linkAfter('noted', params.id));
      case 'changed':
        return refuse(noteChanged);
      case 'erased':
        return refuse(nothingToErase);
      case 'not_found':
        throw new ServiceError('not_found');
    }
  });

  const forgetting = { schema: { ...idInPath, ...forgetSchema } };
  scope.post('/console/bookings/:id/forget', forgetting, async (request, reply) => {
    const { params, body } = request;
    const { whose, cancels } = body;
    const { booking } = await pages.read(params.id);
    const refuse = (trouble: string) => pages.refuse(request, reply, { trouble, typed: { whose } });
    if (whose === 'email' && booking.email === null) return refuse(nothingToErase);
    const selector =
      whose === 'email' && booking.email !== null ? { email: booking.email } : { id: booking.id };
    const forgotten = await forgetPerson(context, actorOf(request), selector, {
      cancelBookings: readListedBookings(cancels),
    });
    if (forgotten.outcome === 'upcoming') return refuse(otherSessionsUpcoming);
    if (forgotten.bookings + forgotten.apiKeys === 0) return refuse(nothingToErase);
    return seeOther(reply, linkAfter('forgotten', params.id));
  });
}
