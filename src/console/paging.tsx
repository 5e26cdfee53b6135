import type { VNode } from 'preact';
import { isUuid } from '../platform/uuid.js';

/** The rows of a page. */
export const rowsPerPage = 50;

const position = /^\d{1,18}$/;

/** The field `before` of an address: a position. Anything else is the newest page. */
export function readPosition(field: unknown): string | null {
  return typeof field === 'string' && position.test(field) ? field : null;
}

/** The same, where a row's id says which page follows. */
export function readBeforeId(field: unknown): string | null {
  return typeof field === 'string' && isUuid(field) ? field : null;
}

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
