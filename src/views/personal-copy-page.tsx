import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { CopiedRow, PersonalCopy } from '../database/rows/results.js';

/** It loads nothing, and no script runs in it. */
export const copyPagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

const styles = `
:root { color-scheme: light; }
body { font: 16px/1.45 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color: #14191f; background: #fff; overflow-wrap: anywhere; }
h1, h2, h3 { line-height: 1.2; break-after: avoid; }
h2 { margin-top: 2.5rem; border-top: 2px solid; padding-top: 0.75rem; }
dl { margin: 0; }
dl.facts > div { display: grid; grid-template-columns: 15rem 1fr; gap: 0.2rem 1rem; padding: 0.25rem 0; border-bottom: 1px solid #d5d5d5; break-inside: avoid; }
dt, dl.line dd { display: inline; }
dt { color: #4a4f57; }
dd { margin: 0; white-space: pre-wrap; }
ol.rows { padding-left: 1.5rem; font-size: 0.85rem; }
ol.rows li { margin-bottom: 0.6rem; }
dl.line > div { display: inline; margin-right: 0.75rem; }
@media (max-width: 36rem) { dl.facts > div { grid-template-columns: 1fr; } }
@page { margin: 18mm; }
@media print { body { font-size: 10.5pt; margin: 0; max-width: none; padding: 0; } h2.booking { break-before: page; } h2.booking:first-of-type { break-before: auto; } }
`;

const headings: Record<string, string> = {
  events: 'What happened',
  audit_log: 'What the studio did',
  mails: 'Mails and codes',
  webhook_deliveries: 'Programs that were sent news of it',
  calendar_feeds: 'Calendars that show it',
  booking_conflicts: 'Conflicts with the studio’s calendars',
};

/** The copy as an HTML document that is complete in itself, to read and to print. */
export function personalCopyPage(copy: PersonalCopy): string {
  const { studio, of, about, bookings, not_checked: notChecked, labels } = copy;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: studio.timezone,
    dateStyle: 'medium',
    timeStyle: 'long',
  });
  const show = { format, labels };
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta http-equiv="Content-Security-Policy" content={copyPagePolicy} />
        <meta name="robots" content="noindex, nofollow" />
        <title>{`Personal data – ${studio.name}`}</title>
        <style dangerouslySetInnerHTML={{ __html: styles }} />
      </head>
      <body>
        <main>
          <h1>What {studio.name} keeps about you</h1>
          <p>
            All that is kept of{' '}
            {'email' in of ? <bdi>{of.email}</bdi> : <>the booking {of.booking_id}</>}, as of{' '}
            {format.format(copy.copied_at)}.
          </p>
          <p>
            {studio.name}, <bdi>{studio.email}</bdi>, {studio.phone}, <bdi>{studio.website}</bdi>
          </p>
          {bookings.map((booking) => (
            <Booking key={booking['id']} booking={booking} show={show} />
          ))}
          {notChecked.bookings.length + notChecked.api_keys.length > 0 && (
            <>
              <h2>In your name, not checked</h2>
              <p>
                Somebody else may have written this: nobody has shown with a code that they read the
                mail of the address in it.
              </p>
            </>
          )}
          {notChecked.bookings.map((booking) => (
            <Booking key={booking['id']} booking={booking} show={show} />
          ))}
          {notChecked.api_keys.length > 0 && <h2>API keys</h2>}
          <Rows table="api_keys" rows={notChecked.api_keys} show={show} />
          {Object.entries(about).map(([subject, sentences]) => (
            <section key={subject}>
              <h2>{inWords(subject)}</h2>
              <ul>
                {sentences.map((sentence) => (
                  <li key={sentence}>{sentence}</li>
                ))}
              </ul>
            </section>
          ))}
        </main>
      </body>
    </html>
  );
  return `<!doctype html>${renderToString(page)}\n`;
}

interface Show {
  format: Intl.DateTimeFormat;
  labels: PersonalCopy['labels'];
}

function Booking({ booking, show }: { booking: CopiedRow; show: Show }): VNode {
  const entries = Object.entries(booking);
  const lists = entries.filter((entry): entry is [string, CopiedRow[]] => Array.isArray(entry[1]));
  const facts = Object.fromEntries(entries.filter(([, value]) => !Array.isArray(value)));
  return (
    <>
      <h2 class="booking">{String(booking['label'])}</h2>
      {booking['is_erased'] === true && (
        <p>
          <strong>The personal data of this booking are erased.</strong> What is left names nobody.
        </p>
      )}
      <Values class="facts" table="bookings" row={facts} show={show} />
      {lists.map(([table, rows]) => (
        <section key={table}>
          <h3>{headings[table] ?? inWords(table)}</h3>
          {rows.length === 0 && <p>None.</p>}
          <Rows table={table} rows={rows} show={show} />
        </section>
      ))}
    </>
  );
}

interface RowsProps {
  table: string;
  rows: readonly CopiedRow[];
  show: Show;
}

function Rows({ table, rows, show }: RowsProps): VNode | null {
  if (rows.length === 0) return null;
  return (
    <ol class="rows">
      {rows.map((row, index) => (
        <li key={index}>
          <Values class="line" table={table} row={row} show={show} />
        </li>
      ))}
    </ol>
  );
}

/** Names and values, without what is not there. */
function Values({
  table,
  row,
  show: { format, labels },
  ...rest
}: Omit<RowsProps, 'rows'> & { row: CopiedRow; class: 'facts' | 'line' }): VNode {
  const known = Object.entries(row).filter(([, value]) => value !== null && value !== '');
  return (
    <dl class={rest.class}>
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{labels[table]?.[name] ?? inWords(name)}: </dt>
          <dd>{valueWords(value, format)}</dd>
        </div>
      ))}
    </dl>
  );
}

function valueWords(value: unknown, format: Intl.DateTimeFormat): ComponentChildren {
  if (value instanceof Date) return format.format(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'object' || value === null) return <bdi>{String(value)}</bdi>;
  const parts = Object.entries(value).filter(([, each]) => each !== null);
  return parts.flatMap(([name, each], index) => [
    index > 0 ? ', ' : '',
    Array.isArray(value) ? '' : `${inWords(name).toLowerCase()} `,
    valueWords(each, format),
  ]);
}

/** `not_kept`: `Not kept`. */
function inWords(name: string): string {
  const words = name.replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
