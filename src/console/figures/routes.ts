import type { FastifyInstance } from 'fastify';
import type { DomainServices } from '../../domain/deps.js';
import { readFigures } from '../../domain/figures.js';
import type { ShowPage } from '../pages.js';
import { FiguresPage } from './figures-page.js';

const weeksShown = 12;

/** `/console/figures`: how bookings come, week by week. */
export function registerFigures(
  scope: FastifyInstance,
  context: DomainServices,
  showPage: ShowPage,
): void {
  scope.get('/console/figures', async (request, reply) =>
    showPage(request, reply, {
      section: 'figures',
      title: 'Figures',
      children: FiguresPage({ weeks: await readFigures(context, weeksShown) }),
    }),
  );
}
