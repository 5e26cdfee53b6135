import type { FastifyReply } from 'fastify';
import { correctByStudio, requiredMembers } from '../../domain/correction.js';
import type { DomainServices } from '../../domain/deps.js';
import { ServiceError } from '../../errors.js';
import { isLive } from '../../schedule/slots.js';
import type { PageScope } from '../../web/forms.js';
import { findPersonMistakes, type PersonMistakes } from '../../web/person-form.js';
import { seeOther } from '../../web/send-page.js';
import { linkAfter } from '../links.js';
import { idInPath, type ShowPage } from '../pages.js';
import { actorOf } from '../session.js';
import {
  CorrectPage,
  correctSchema,
  correctTitle,
  readCorrections,
  type RefusedCorrection,
} from './correct-page.js';
import { changedMeanwhile, needsCorrecting, noLongerLive, nothingToErase } from './refusals.js';
import { readSeen } from './seen.js';
import type { BookingPages, BookingRequest } from './show-booking.js';

const url = '/console/bookings/:id/correct';

/** `/console/bookings/:id/correct`: what a booking says about its person. */
export function registerCorrecting(
  scope: PageScope,
  context: DomainServices,
  showPage: ShowPage,
  pages: BookingPages,
): void {
  scope.get(url, { schema: idInPath }, (request, reply) => show(request, reply));

  scope.post(url, { schema: { ...idInPath, ...correctSchema } }, async (request, reply) => {
    const { params, body } = request;
    const { id } = params;
    const { booking } = await pages.read(id);
    const given = readCorrections(booking, body);
    const found = findPersonMistakes(body, { by: 'studio', required: requiredMembers(booking) });
    const mistakes: PersonMistakes = Object.fromEntries(
      Object.entries(found).filter(([member]) => member in given),
    );
    if (Object.keys(mistakes).length > 0) {
      const refused = { typed: body, mistakes };
      return show(request, reply, { status: 400, trouble: needsCorrecting, refused });
    }
    const correction = await correctByStudio(context, actorOf(request), id, given, readSeen(body));
    switch (correction.outcome) {
      case 'corrected': {
        const { newLink } = correction;
        if (newLink === null) return seeOther(reply, linkAfter('corrected', id));
        const done = newLink.isMailed ? 'corrected-mailed' : 'corrected-linked';
        return seeOther(reply, linkAfter(done, id));
      }
      case 'unchanged':
        return seeOther(reply, linkAfter('unchanged', id));
      case 'not_found':
        throw new ServiceError('not_found');
      case 'not_live':
        return pages.refuse(request, reply, { trouble: noLongerLive });
      case 'erased':
        return pages.refuse(request, reply, { trouble: nothingToErase });
      case 'changed':
      case 'incomplete':
        return show(request, reply, {
          status: 409,
          trouble: changedMeanwhile,
          refused: { typed: body, mistakes: null },
        });
    }
  });

  async function show(
    request: BookingRequest,
    reply: FastifyReply,
    refusal: { status?: number; trouble?: string; refused?: RefusedCorrection } = {},
  ): Promise<FastifyReply> {
    const { refused = null, ...shown } = refusal;
    const record = await pages.read(request.params.id);
    const { booking, status: now } = record;
    if (!isLive(now)) return pages.refuse(request, reply, { trouble: noLongerLive });
    if (booking.name === null) return pages.refuse(request, reply, { trouble: nothingToErase });
    const { mode } = await context.board.read();
    return showPage(request, reply, {
      section: 'bookings',
      title: correctTitle(record),
      ...shown,
      children: CorrectPage({ record, hasMail: mode.mail, refused }),
    });
  }
}
