import type { VNode } from 'preact';
import type { AuditRow } from '../../database/rows/schema.js';
import type { DomainServices } from '../../domain/deps.js';
import { listStudioAudit } from '../../domain/studio/lists.js';
import { type PageScope, query } from '../../web/forms.js';
import { pathWith } from '../links.js';
import { Moment } from '../moment.js';
import { Paging, position, rowsPerPage } from '../paging.js';
import { actionWords, detailWords } from './words.js';

export interface AuditPageProps {
  audit: Awaited<ReturnType<typeof listStudioAudit>>;
  /** The position of the last row of the previous page; null on the newest page. */
  before: string | null;
}

/** Who changed what, newest first. */
function AuditPage({ audit, before }: AuditPageProps): VNode {
  const { rows, bookings } = audit;
  return (
    <>
      {rows.length === 0 ? (
        <p class="empty">{before === null ? 'No changes yet.' : 'No older changes.'}</p>
      ) : (
        <ol class="rows audit">
          {rows.map((row) => (
            <AuditItem key={row.id} row={row} bookings={bookings} />
          ))}
        </ol>
      )}
      <Paging
        list={audit}
        before={before}
        positionOf={({ position }) => position}
        linkTo={(before) => pathWith('/console/audit', { before })}
      />
    </>
  );
}

function AuditItem({
  row: { occurred_at, actor, action, details },
  bookings,
}: {
  row: AuditRow;
  bookings: AuditPageProps['audit']['bookings'];
}): VNode {
  return (
    <li>
      <p class="at">
        <Moment at={occurred_at} />
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
export function registerAudit(scope: PageScope, context: DomainServices): void {
  scope.get('/console/audit', { schema: query({ before: position }) }, async (request, reply) => {
    const { before = null } = request.query;
    const audit = await listStudioAudit(context, { limit: rowsPerPage, before });
    const children = <AuditPage audit={audit} before={before} />;
    return reply.showPage({ section: 'audit', title: 'Audit', children });
  });
}
