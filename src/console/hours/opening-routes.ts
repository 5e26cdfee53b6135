import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DomainServices } from '../../domain/deps.js';
import { addOpening, removeOpening, staysClosed } from '../../domain/openings.js';
import { isCalendarDate } from '../../schedule/dates.js';
import { timeSlots } from '../../schedule/slots.js';
import { calendarDate, formRefused, type PageScope, query } from '../../web/forms.js';
import { seeOther } from '../../web/send-page.js';
import { hoursPath, newOpeningPath, openingsPath } from '../links.js';
import type { ShowPage } from '../pages.js';
import { actorOf } from '../session.js';
import {
  NewOpeningPage,
  type NewOpeningPageProps,
  openingSchema,
  readOpeningForm,
  removedSchema,
} from './openings.js';
import { knownSessions } from './week.js';

const noDate = 'Give a date that exists, such as 2026-12-07.';

/** `/console/openings/…`: opens single days outside the week, and closes them again. */
export function registerOpenings(
  scope: PageScope,
  context: DomainServices,
  showPage: ShowPage,
): void {
  scope.get(newOpeningPath, { schema: query({ date: calendarDate }) }, (request, reply) => {
    const { date = '' } = request.query;
    return showForm(request, reply, { typed: { date, sessions: timeSlots }, mistakes: {} });
  });

  scope.post(newOpeningPath, { schema: openingSchema }, async (request, reply) => {
    const typed = readOpeningForm(request.body);
    if (!isCalendarDate(typed.date)) {
      return showForm(request, reply, { typed, mistakes: { date: noDate }, status: 400 });
    }
    const added = await addOpening(context, actorOf(request), typed);
    switch (added.outcome) {
      case 'added': {
        const done = added.day.sessions.some(staysClosed) ? 'day-opened-closed' : 'day-opened';
        return seeOther(reply, `${hoursPath}?done=${done}`);
      }
      case 'exists': {
        const mistakes = { sessions: added.sentence };
        return showForm(request, reply, { typed, mistakes, status: 409 });
      }
      case 'refused':
        return showForm(request, reply, { typed, mistakes: added.mistakes, status: 400 });
    }
  });

  // Removes what the page showed. Removing twice leaves what removing once does.
  scope.post(`${openingsPath}/remove`, { schema: removedSchema }, async (request, reply) => {
    const { date, sessions: shown } = request.body;
    const sessions = knownSessions(shown.split(','));
    if (sessions.length === 0) throw formRefused();
    await removeOpening(context, actorOf(request), { date, sessions });
    return seeOther(reply, `${hoursPath}?done=day-closed`);
  });

  async function showForm(
    request: FastifyRequest,
    reply: FastifyReply,
    { status = 200, ...page }: NewOpeningPageProps & { status?: number },
  ): Promise<FastifyReply> {
    return showPage(request, reply, {
      status,
      section: 'hours',
      title: 'Open a day',
      trouble: status === 200 ? null : 'Nothing was opened. What is wrong is marked below.',
      children: NewOpeningPage(page),
    });
  }
}
