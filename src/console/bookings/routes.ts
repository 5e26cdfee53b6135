import type { DomainServices } from '../../domain/deps.js';
import { cancelByStudio, maxCancellationReasonLength } from '../../domain/studio/cancellation.js';
import { noteBooking, selectorOfClient } from '../../domain/studio/clients.js';
import { recordNoShow } from '../../domain/studio/no-show.js';
import { copyPersonalData } from '../../domain/studio/personal-copy.js';
import { forgetPerson } from '../../domain/studio/personal-data.js';
import { studioToday } from '../../domain/studio/settings.js';
import { ServiceError } from '../../errors.js';
import { copyPagePolicy, personalCopyPage } from '../../views/personal-copy-page.js';
import type { PageScope } from '../../web/forms.js';
import { privatePageHeaders, seeOther } from '../../web/send-page.js';
import { idInPath, showsDone } from '../console-page.js';
import { linkAfter, linkAfterOnDay, linkToBooking } from '../links.js';
import { actorOf } from '../session.js';
import { registerAdding } from './add-page.js';
import { readRecord, refuseJob, seeChanged, showBooking } from './booking-page.js';
import { registerCorrecting } from './correct-page.js';
import { copySchema, forgetSchema } from './data-forms.js';
import { readListedBookings, readSeen } from './fields.js';
import { cancelSchema, noShowSchema } from './jobs.js';
import { registerBookingLists } from './list-page.js';
import { registerMoving } from './move-routes.js';
import { noteSchema, saveNote } from './notes.js';
import { textTooLong } from './words.js';

/** A copy and an erasure go beyond the bookings of one artist. */
const ofOwner = { config: { concerns: 'owner' } } as const;

/** `/console/bookings/…`: lists, a booking, and what the studio does with it. */
export function registerBookings(scope: PageScope, context: DomainServices): void {
  registerBookingLists(scope, context);
  registerAdding(scope, context);
  registerMoving(scope, context);
  registerCorrecting(scope, context);

  const shown = { schema: { ...idInPath, ...showsDone } };
  scope.get('/console/bookings/:id', shown, ({ params }, reply) =>
    showBooking(context, reply, params.id),
  );
  // A refused form is shown at its own address, which may be opened again.
  for (const job of ['cancel', 'no-show', 'note', 'copy', 'forget']) {
    scope.get(`/console/bookings/:id/${job}`, { schema: idInPath }, ({ params }, reply) =>
      seeOther(reply, linkToBooking(params.id)),
    );
  }

  const cancelling = { schema: { ...idInPath, ...cancelSchema } };
  scope.post('/console/bookings/:id/cancel', cancelling, async (request, reply) => {
    const { params, body } = request;
    const reason = body.reason.trim();
    const word = (body.word ?? '').trim();
    const typed = { reason, word };
    const tooLong =
      textTooLong('reason', reason, maxCancellationReasonLength) ??
      textTooLong('line for their page', word, maxCancellationReasonLength);
    if (tooLong !== null) {
      return showBooking(context, reply, params.id, { status: 400, trouble: tooLong, typed });
    }
    const cancelled = await cancelByStudio(context, actorOf(request), params.id, {
      reason: reason || null,
      word: word || null,
      ...readSeen(body),
      artistId: request.consoleArtist?.id,
    });
    return cancelled.outcome === 'cancelled'
      ? seeChanged(context, reply, 'cancelled', cancelled.booking)
      : refuseJob(context, reply, params.id, cancelled.outcome, typed);
  });

  const noting = { schema: { ...idInPath, ...noShowSchema } };
  scope.post('/console/bookings/:id/no-show', noting, async (request, reply) => {
    const { params, body } = request;
    const undo = body.undo === 'yes';
    const { sequence } = readSeen(body);
    const seen = { sequence, artistId: request.consoleArtist?.id };
    const missed = await recordNoShow(context, actorOf(request), params.id, { undo, ...seen });
    if (missed.outcome !== 'recorded') {
      const unchanged = undo ? 'not_missed' : 'missed';
      const refusal = missed.outcome === 'unchanged' ? unchanged : missed.outcome;
      return refuseJob(context, reply, params.id, refusal);
    }
    const done = undo ? 'not-missed' : 'missed';
    if (body.back !== 'day') return seeOther(reply, linkAfter(done, params.id));
    const today = await studioToday(context);
    return seeOther(
      reply,
      linkAfterOnDay(done, missed.booking.date, today, { artist: body.artist }),
    );
  });

  const writingNote = { schema: { ...idInPath, ...noteSchema } };
  scope.post('/console/bookings/:id/note', writingNote, async (request, reply) => {
    const { id } = request.params;
    const refused = await saveNote(context, request, noteBooking);
    if (refused === null) return seeOther(reply, linkAfter('noted', id));
    const { note, ...outcome } = refused;
    return showBooking(context, reply, id, { ...outcome, typed: { note } });
  });

  const copying = { ...ofOwner, schema: { ...idInPath, ...copySchema } };
  scope.post('/console/bookings/:id/copy', copying, async (request, reply) => {
    const { params, body } = request;
    const { booking } = await readRecord(context, params.id);
    const selector = body.whose === 'client' ? selectorOfClient(booking) : { id: booking.id };
    const copy = await copyPersonalData(context, actorOf(request), selector);
    if (copy === null) throw new ServiceError('not_found');
    reply.headers(privatePageHeaders);
    if (body.as === 'json') {
      return reply
        .header('content-disposition', 'attachment; filename="personal-data.json"')
        .type('application/json; charset=utf-8')
        .send(JSON.stringify(copy, null, 2));
    }
    return reply
      .header('content-security-policy', `${copyPagePolicy}; frame-ancestors 'none'`)
      .type('text/html; charset=utf-8')
      .send(personalCopyPage(copy));
  });

  const forgetting = { ...ofOwner, schema: { ...idInPath, ...forgetSchema } };
  scope.post('/console/bookings/:id/forget', forgetting, async (request, reply) => {
    const { params, body } = request;
    const { whose, cancels } = body;
    const { booking } = await readRecord(context, params.id);
    const refuse = (refusal: 'erased' | 'upcoming') =>
      refuseJob(context, reply, params.id, refusal, { whose });
    const selector = whose === 'client' ? selectorOfClient(booking) : { id: booking.id };
    const forgotten = await forgetPerson(context, actorOf(request), selector, {
      cancelBookings: readListedBookings(cancels),
    });
    if (forgotten.outcome === 'upcoming') return refuse('upcoming');
    if (forgotten.bookings + forgotten.apiKeys === 0) return refuse('erased');
    return seeOther(reply, linkAfter('forgotten', params.id));
  });
}
