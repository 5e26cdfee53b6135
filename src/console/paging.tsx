import { Type } from '@sinclair/typebox';
import type { VNode } from 'preact';

/** The rows of a page. */
export const rowsPerPage = 50;

/** The position of the row that a page of a list follows. */
export const position = Type.String({ pattern: '^\\d{1,18}$' });

/** An address with the fields that have a value. */
export function pathWith(path: string, fields: Record<string, string | null | undefined>): string {
  const given = Object.entries(fields).filter(
    (field): field is [string, string] => typeof field[1] === 'string',
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}

export interface PagingProps {
  /** Of the newest page. */
  newest: string;
  /** Of the page that follows; null on the last one. */
  older: string | null;
  isNewest: boolean;
}

export function Paging({ newest, older, isNewest }: PagingProps): VNode | null {
  if (isNewest && older === null) return null;
  return (
    <nav class="days-nav" aria-label="Pages">
      {!isNewest && (
        <a class="button quiet small" href={newest}>
          Newest
        </a>
      )}
      {older !== null && (
        <a class="button quiet small" href={older} rel="next">
          Older
        </a>
      )}
    </nav>
  );
}
