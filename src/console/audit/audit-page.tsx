import type { VNode } from 'preact';
import type { AuditRow } from '../../database/schema.js';
import type { ListPage } from '../../domain/studio-lists.js';
import { Moment, type FormatMoment } from '../moment.js';
import { Paging, pathWith } from '../paging.js';
import { actionWords, detailWords } from './words.js';

export interface AuditPageProps {
  audit: ListPage<AuditRow>;
  /** The position of the last row of the page before; null on the newest page. */
  before: string | null;
  format: FormatMoment;
}

/** Who changed what, newest first. */
export function AuditPage({ audit: { rows, more }, before, format }: AuditPageProps): VNode {
  const last = rows.at(-1);
  return (
    <>
      {rows.length === 0 ? (
        <p class="empty">{before === null ? 'No changes yet.' : 'No older changes.'}</p>
      ) : (
        <ol class="rows audit">
          {rows.map((row) => (
            <AuditItem key={row.id} row={row} format={format} />
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
  format,
}: {
  row: AuditRow;
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
        {detailWords(details).map(({ name, value }, index) => (
          <span key={name}>
            {index > 0 && ' · '}
            {name}: {value}
          </span>
        ))}
      </p>
    </li>
  );
}
