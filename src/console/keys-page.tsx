import { Type } from '@sinclair/typebox';
import type { FastifyReply } from 'fastify';
import type { VNode } from 'preact';
import { revokeApiKeys } from '../access/api-keys.js';
import type { ApiKeyRow } from '../database/rows/schema.js';
import type { DomainServices } from '../domain/deps.js';
import { type ListPage, listStudioKeys } from '../domain/studio/lists.js';
import { form, type PageScope, query, text, uuid } from '../web/forms.js';
import { seeOther } from '../web/send-page.js';
import { idInPath } from './console-page.js';
import { pathWith } from './links.js';
import { Moment } from './moment.js';
import { Paging, rowsPerPage } from './paging.js';
import { FoldedForm, isolated, Unseen } from './parts.js';
import { actorOf } from './session.js';

/** A key without what could identify or reveal it. */
type ShownKey = Omit<ApiKeyRow, 'key_hash' | 'network_hash'>;

interface KeysPageProps {
  keys: ListPage<ShownKey>;
  /** The id of the last key on the previous page; null on the newest page. */
  before: string | null;
}

const path = '/console/keys';

/** The API keys of agents, newest first. */
function KeysPage({ keys, before }: KeysPageProps): VNode {
  return (
    <>
      <p class="muted">
        Assistants with a key of their own may ask more often. A key that is revoked counts as none.
      </p>
      {keys.rows.length === 0 ? (
        <p class="empty">No API keys.</p>
      ) : (
        <ul class="rows keys">
          {keys.rows.map((key) => (
            <KeyRow key={key.id} shown={key} before={before} />
          ))}
        </ul>
      )}
      <Paging
        list={keys}
        before={before}
        positionOf={({ id }) => id}
        linkTo={(before) => pathWith(path, { before })}
      />
    </>
  );
}

function KeyRow({ shown, before }: { shown: ShownKey; before: string | null }): VNode {
  const { id, email, label, created_at, last_used_at, revoked_at } = shown;
  return (
    <li class={revoked_at === null ? 'live' : 'over'}>
      <div>
        <p>
          <bdi>{email}</bdi>
        </p>
        {label !== null && <p class="fine">{isolated(label)}</p>}
      </div>
      <p class="fine">
        created <Moment at={created_at} />
      </p>
      <p class="fine">
        {last_used_at === null ? 'never used' : 'last used '}
        <Moment at={last_used_at} />
      </p>
      <div class="acts">
        {revoked_at === null ? (
          <FoldedForm
            label="Revoke"
            of={`the key of ${email}`}
            action={`${path}/${id}/revoke`}
            hidden={before === null ? {} : { before }}
          >
            <p>
              Its assistant may then ask only as often as one without a key. This cannot be undone.
            </p>
            <button class="small">
              Revoke<Unseen> the key of {email}</Unseen>
            </button>
          </FoldedForm>
        ) : (
          <p class="fine">
            revoked <Moment at={revoked_at} />
          </p>
        )}
      </div>
    </li>
  );
}

const messages = { revoked: 'Revoked. The key no longer counts.' };

/** `/console/keys`: the API keys of agents. */
export function registerKeys(scope: PageScope, context: DomainServices): void {
  scope.get(path, { schema: query({ done: text, before: uuid }) }, ({ query }, reply) =>
    show(reply, query.before),
  );

  const revoking = { schema: { ...idInPath, ...form({ before: Type.Optional(uuid) }) } };
  scope.post(`${path}/:id/revoke`, revoking, async (request, reply) => {
    const { before } = request.body;
    const revoked = await revokeApiKeys(context, actorOf(request), [request.params.id]);
    if (revoked.length > 0) return seeOther(reply, pathWith(path, { before, done: 'revoked' }));
    return show(reply, before, 'Nothing was done: the key had been revoked before, or is erased.');
  });

  async function show(
    reply: FastifyReply,
    before: string | null = null,
    trouble?: string,
  ): Promise<FastifyReply> {
    const keys = await listStudioKeys(context, { limit: rowsPerPage, before });
    const children = <KeysPage keys={keys} before={before} />;
    return reply.showPage({ section: 'keys', title: 'API keys', messages, trouble, children });
  }
}
