import type { FastifyInstance } from 'fastify';
import { isCalendarDate } from '../../schedule/dates.js';
import type { DomainServices } from '../../domain/deps.js';
import { readStudioDays } from '../../domain/studio-days.js';
import { doneMessages } from '../links.js';
import { doneMessage, type ShowPage } from '../pages.js';
import { dayTitle, DayPage } from './day-page.js';

interface DayRoute {
  Querystring: { date?: unknown };
}

const daysShown = 7;

/** `/console`: a day and the week that it begins, kept up to date while the page is open. */
export function registerDays(
  scope: FastifyInstance,
  context: DomainServices,
  showPage: ShowPage,
): void {
  // People type a slash.
  scope.get('/console/', (_request, reply) => reply.redirect('/console', 301));

  scope.get<DayRoute>('/console', async (request, reply) => {
    const { date } = request.query;
    const from = typeof date === 'string' && isCalendarDate(date) ? date : null;
    const days = await readStudioDays(context, { from, count: daysShown });
    return showPage(request, reply, {
      section: 'today',
      title: dayTitle(days),
      done: doneMessage(request, doneMessages),
      children: DayPage(days),
    });
  });
}
