import type pg from 'pg';
import type { NewSpan, Tracing } from '../platform/tracing/tracing.js';
import { serviceTables } from './backup/tables.js';

type Query = (...parameters: unknown[]) => unknown;

/** Traces the queries of a pool whose caller waits for a promise. */
export function traceQueries(pool: pg.Pool, tracing: Tracing): void {
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as Query;
    const tracedQuery: Query = (...parameters) => {
      const text = textOf(parameters);
      if (text === null) return query(...parameters);
      return tracing.inActiveTrace(
        () => querySpan(text),
        () => query(...parameters) as Promise<unknown>,
      );
    };
    client.query = tracedQuery as typeof client.query;
  });
}

/** The text of a query that returns a promise; null with a callback, or if it handles its own messages. */
function textOf(parameters: unknown[]): string | null {
  if (typeof parameters.at(-1) === 'function') return null;
  const [query] = parameters as [string | { text?: string; submit?: unknown; callback?: unknown }];
  if (typeof query === 'string') return query;
  return query.submit === undefined && query.callback === undefined ? (query.text ?? null) : null;
}

function querySpan(text: string): NewSpan<unknown> {
  const summary = summaryOf(text);
  const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': summary };
  return { name: summary, kind: 'client', attributes };
}

const tableReference = /\b(insert into|update|delete from|from|join) +"?(\w+)"?/gi;

/**
 * The tables that a statement writes, as `UPDATE bookings INSERT events`, or the first that it reads, or
 * its first word: names of tables and SQL, never a value of a row. @internal
 */
export function summaryOf(text: string): string {
  const references = [...text.matchAll(tableReference)]
    .map(([, keyword = '', table = '']) => ({ verb: keyword.split(' ')[0]?.toUpperCase(), table }))
    .filter(({ table }) => serviceTables.includes(table));
  const isRead = (verb: string | undefined) => verb === 'FROM' || verb === 'JOIN';
  const writes = references.filter(({ verb }) => !isRead(verb));
  const [firstRead] = references;
  if (writes.length > 0)
    return [...new Set(writes.map((each) => `${each.verb} ${each.table}`))].join(' ');
  if (firstRead !== undefined) return `SELECT ${firstRead.table}`;
  const [word = ''] = /\w+/.exec(text) ?? [];
  return word.toLowerCase() === 'with' ? 'SELECT' : word.toUpperCase();
}
