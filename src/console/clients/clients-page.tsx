import { Type } from '@sinclair/typebox';
import type { VNode } from 'preact';
import type { ListedClientRow } from '../../database/rows/results.js';
import type { DomainServices } from '../../domain/deps.js';
import { findClients } from '../../domain/studio/clients.js';
import type { ListPage } from '../../domain/studio/lists.js';
import { countsOfClient } from '../../domain/studio/words.js';
import { form, type PageScope, query, text } from '../../web/forms.js';
import { seeOther } from '../../web/send-page.js';
import { BookingLine } from '../bookings/lines.js';
import { clientsPath, linkToClient, pathWith } from '../links.js';
import { PageLinks, rowsPerPage } from '../paging.js';
import { linkToFound, openSearch, SearchForm } from '../search.js';

interface ClientsPageProps {
  found: ListPage<ListedClientRow>;
  /** Null: all. */
  wanted: string | null;
  linkToPage: (page: number) => string;
  page: number;
}

/** Clients, with their next session or else the latest. */
function ClientsPage({ found: { rows, more }, wanted, linkToPage, page }: ClientsPageProps): VNode {
  return (
    <>
      <div class="tools">
        <SearchForm action={clientsPath} label="Name, e-mail or phone" text={wanted ?? ''} />
      </div>
      {wanted !== null && (
        <p role="status">
          {rows.length === 0
            ? 'Nobody was found.'
            : `${more ? 'The first ' : ''}${rows.length} found.`}{' '}
          <a href={clientsPath}>All clients</a>
        </p>
      )}
      {wanted === null && rows.length === 0 && <p class="muted">Nobody has booked yet.</p>}
      {rows.length > 0 && (
        <ol class="booking-rows">
          {rows.map((client) => (
            <BookingLine
              key={client.id}
              {...{ booking: client, href: linkToClient(client.id) }}
              {...{ state: client.is_to_come ? 'next' : 'latest', more: countsOfClient(client) }}
            />
          ))}
        </ol>
      )}
      <PageLinks
        links={[
          page > 1 && ['Earlier', linkToPage(page - 1)],
          more && ['Later', linkToPage(page + 1)],
        ]}
      />
    </>
  );
}

const listed = query({ page: Type.Integer({ minimum: 1, maximum: 1_000 }), search: text });
const searchSchema = form({ text });

/** `/console/clients`: all clients, or those whom a search has found. */
export function registerClientList(scope: PageScope, context: DomainServices): void {
  scope.get(clientsPath, { schema: listed }, async (request, reply) => {
    const { page = 1, search } = request.query;
    const wanted = openSearch(context, search);
    const artistId = request.consoleArtist?.id;
    const at = { limit: rowsPerPage, offset: (page - 1) * rowsPerPage, artistId };
    const found = await findClients(context, wanted, at);
    const linkToPage = (to: number) =>
      pathWith(clientsPath, {
        search: wanted === null ? null : search,
        page: to > 1 ? String(to) : null,
      });
    return reply.showPage({
      section: 'clients',
      title: 'Clients',
      children: <ClientsPage {...{ found, wanted, linkToPage, page }} />,
    });
  });

  scope.post(clientsPath, { schema: searchSchema }, async (request, reply) => {
    const wanted = request.body.text.trim();
    const artistId = request.consoleArtist?.id;
    const { rows, more } = await findClients(context, wanted, { limit: 1, artistId });
    // Whoever is found alone needs no list.
    const [only] = rows;
    if (only !== undefined && !more) return seeOther(reply, linkToClient(only.id));
    return seeOther(reply, linkToFound(context, clientsPath, wanted));
  });
}
