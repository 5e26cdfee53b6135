import { Type } from '@sinclair/typebox';
import type { VNode } from 'preact';
import type { ListPage } from '../domain/studio/lists.js';

export const rowsPerPage = 50;

/** The position of the row that a page of a list follows. */
export const position = Type.String({ pattern: '^\\d{1,18}$' });

export interface PagingProps<Row> {
  list: ListPage<Row>;
  /** The position of the last row of the previous page; null on the newest page. */
  before: string | null;
  positionOf: (row: Row) => string;
  /** The address of the page after a row; without one, of the newest page. */
  linkTo: (before: string | null) => string;
}

/** Links to the newest page and to the next. */
export function Paging<Row>({ list, before, positionOf, linkTo }: PagingProps<Row>): VNode | null {
  const last = list.more ? list.rows.at(-1) : undefined;
  return (
    <PageLinks
      links={[
        before !== null && ['Newest', linkTo(null)],
        last !== undefined && ['Older', linkTo(positionOf(last)), 'next'],
      ]}
    />
  );
}

type PageLink = readonly [label: string, href: string, rel?: string];

export function PageLinks(props: { links: readonly (PageLink | false)[] }): VNode | null {
  const links = props.links.filter((link) => link !== false);
  if (links.length === 0) return null;
  return (
    <nav class="days-nav" aria-label="Pages">
      {links.map(([label, href, rel]) => (
        <a key={label} class="button quiet small" href={href} rel={rel}>
          {label}
        </a>
      ))}
    </nav>
  );
}
