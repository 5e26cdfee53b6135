import type { VNode } from 'preact';
import type { AuditRow } from '../../database/schema.js';
import type { DomainServices } from '../../domain/deps.js';
import { listStudioAudit } from '../../domain/studio-lists.js';
import { type PageScope, query } from '../../web/forms.js';
import { type FormatMoment, Moment, momentFormat } from '../moment.js';
import type { ShowPage } from '../pages.js';
import { Paging, pathWith, position, rowsPerPage } from '../paging.js';
import { actionWords, detailWords } from './words.js';

export interface AuditPageProps {
  audit: Awaited<ReturnType<typeof listStudioAudit>>;
  /** The position of the last row of the page before; null on the newest page. */
  before: string | null;
  format: FormatMoment;
}

/** Who changed what, newest first. */
function AuditPage({ audit: { rows, more, bookings }, before, format }: AuditPageProps): VNode {
  const last = rows.at(-1);
  return (
    <>
      {rows.length === 0 ? (
        <p class="empty">{before === null ? 'No changes yet.' : 'No older changes.'}</p>
      ) : (
        <ol class="rows audit">
          {rows.map((row) => (
            <AuditItem key={row.id} row={row} bookings={bookings} format={format} />
          ))}
        </ol>
      )}
      <Paging
        newest="/console/audit"
        older={
          more && last !== undefined ? pathWith('/console/audit', { before: last.position }) : null
        }
        isNewest={before === null}
      />
    </>
  );
}

function AuditItem({
  row: { occurred_at, actor, action, details },
  bookings,
  format,
}: {
  row: AuditRow;
  bookings: AuditPageProps['audit']['bookings'];
  format: FormatMoment;
}): VNode {
  return (
    <li>
      <p class="at">
        <Moment at={occurred_at} format={format} />
      </p>
      <p class="fine">
        <bdi>{actor}</bdi>
      </p>
      <p>{actionWords(action)}</p>
      <p class="fine">
        {detailWords(details, bookings).map(({ name, value }, index) => (
          <span key={name}>
            {index > 0 && ' · '}
            {name !== '' && `${name}: `}
            {value}
          </span>
        ))}
      </p>
    </li>
  );
}

/** `/console/audit`: who changed what, and when. */
export function registerAudit(scope: PageScope, context: DomainServices, showPage: ShowPage): void {
  scope.get('/console/audit', { schema: query({ before: position }) }, async (request, reply) => {
    const { before = null } = request.query;
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
