import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { revokeApiKeys } from '../../access/api-keys.js';
import type { DomainServices } from '../../domain/deps.js';
import { listStudioKeys } from '../../domain/studio-lists.js';
import type { Fields } from '../../web/form-fields.js';
import { seeOther } from '../../web/send-page.js';
import { momentFormat } from '../moment.js';
import { doneMessage, type Outcome, type ShowPage, withId } from '../pages.js';
import { pathWith, readBeforeId, rowsPerPage } from '../paging.js';
import { actorOf } from '../session.js';
import { KeysPage } from './keys-page.js';

interface RevokeRoute {
  Params: { id: string };
  Body: Fields | undefined;
}

const doneMessages = { revoked: 'Revoked. The key no longer counts.' } as const;

/** `/console/keys`: the API keys of agents. */
export function registerKeys(
  scope: FastifyInstance,
  context: DomainServices,
  showPage: ShowPage,
): void {
  scope.get('/console/keys', (request, reply) =>
    show(request, reply, readBeforeId((request.query as Fields)['before']), {
      done: doneMessage(request, doneMessages),
    }),
  );

  scope.post<RevokeRoute>('/console/keys/:id/revoke', withId, async (request, reply) => {
    const before = readBeforeId(request.body?.['before']);
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
