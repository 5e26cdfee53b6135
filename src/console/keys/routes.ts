import { Type } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { revokeApiKeys } from '../../access/api-keys.js';
import type { DomainServices } from '../../domain/deps.js';
import { listStudioKeys } from '../../domain/studio-lists.js';
import { form, type PageScope, query, text, uuid } from '../../web/forms.js';
import { seeOther } from '../../web/send-page.js';
import { momentFormat } from '../moment.js';
import { doneMessage, idInPath, type Outcome, type ShowPage } from '../pages.js';
import { pathWith, rowsPerPage } from '../paging.js';
import { actorOf } from '../session.js';
import { KeysPage } from './keys-page.js';

const doneMessages = { revoked: 'Revoked. The key no longer counts.' } as const;

/** `/console/keys`: the API keys of agents. */
export function registerKeys(scope: PageScope, context: DomainServices, showPage: ShowPage): void {
  const listing = { schema: query({ done: text, before: uuid }) };
  scope.get('/console/keys', listing, (request, reply) =>
    show(request, reply, request.query.before ?? null, {
      done: doneMessage(request, doneMessages),
    }),
  );

  const revoking = { schema: { ...idInPath, ...form({ before: Type.Optional(uuid) }) } };
  scope.post('/console/keys/:id/revoke', revoking, async (request, reply) => {
    const { before = null } = request.body;
    const revoked = await revokeApiKeys(context, actorOf(request), [request.params.id]);
    if (revoked.length > 0) {
      return seeOther(reply, pathWith('/console/keys', { before, done: 'revoked' }));
    }
    return show(request, reply, before, {
      status: 409,
      trouble: 'Nothing was done: the key had been revoked before, or is erased.',
    });
  });

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    before: string | null,
    outcome: Outcome,
  ): Promise<FastifyReply> {
    const [{ studio }, keys] = await Promise.all([
      context.board.read(),
      listStudioKeys(context, { limit: rowsPerPage, before }),
    ]);
    const format = momentFormat(studio.timezone, context.clock.now());
    return showPage(request, reply, {
      ...outcome,
      section: 'keys',
      title: 'API keys',
      children: KeysPage({ keys, before, format }),
    });
  }
}
