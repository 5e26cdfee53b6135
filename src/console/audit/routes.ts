import type { FastifyInstance } from 'fastify';
import type { DomainServices } from '../../domain/deps.js';
import { listStudioAudit } from '../../domain/studio-lists.js';
import type { Fields } from '../../web/form-fields.js';
import { momentFormat } from '../moment.js';
import { readPosition, rowsPerPage } from '../paging.js';
import type { ShowPage } from '../pages.js';
import { AuditPage } from './audit-page.js';

/** `/console/audit`: who changed what, and when. */
export function registerAudit(
  scope: FastifyInstance,
  context: DomainServices,
  showPage: ShowPage,
): void {
  scope.get('/console/audit', async (request, reply) => {
    const before = readPosition((request.query as Fields)['before']);
    const [{ studio }, audit] = await Promise.all([
      context.board.read(),
      listStudioAudit(context, { limit: rowsPerPage, before }),
    ]);
    const format = momentFormat(studio.timezone, context.clock.now());
    return showPage(request, reply, {
      section: 'audit',
      title: 'Audit',
      children: AuditPage({ audit, before, format }),
    });
  });
}
