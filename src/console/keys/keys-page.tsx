import type { VNode } from 'preact';
import type { ApiKeyRow } from '../../database/schema.js';
import type { ListPage } from '../../domain/studio-lists.js';
import { PostForm } from '../form.js';
import { Moment, type FormatMoment } from '../moment.js';
import { Paging, pathWith } from '../paging.js';

/** What a page shows of a key: nothing that it can be recognized or guessed by. */
type ShownKey = Omit<ApiKeyRow, 'key_hash' | 'network_hash'>;

export interface KeysPageProps {
  keys: ListPage<ShownKey>;
  /** The id of the last key of the page before; null on the newest page. */
  before: string | null;
  format: FormatMoment;
}

/** The API keys of agents, newest first. */
export function KeysPage({ keys, before, format }: KeysPageProps): VNode {
  const last = keys.rows.at(-1);
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
            <KeyRow key={key.id} shown={key} before={before} format={format} />
          ))}
        </ul>
      )}
      <Paging
        newest="/console/keys"
        older={
          keys.more && last !== undefined ? pathWith('/console/keys', { before: last.id }) : null
        }
        isNewest={before === null}
      />
    </>
  );
}

function KeyRow({
  shown: { id, email, label, created_at, last_used_at, revoked_at },
  before,
  format,
}: Omit<KeysPageProps, 'keys'> & { shown: ShownKey }): VNode {
  return (
    <li class={revoked_at === null ? 'live' : 'over'}>
      <div>
        <p>
          <bdi>{email}</bdi>
        </p>
        {label !== null && (
          <p class="fine">
            <bdi>{label}</bdi>
          </p>
        )}
      </div>
      <p class="fine">
        created <Moment at={created_at} format={format} />
      </p>
      <p class="fine">
        {last_used_at === null ? (
          'never used'
        ) : (
          <>
            last used <Moment at={last_used_at} format={format} />
          </>
        )}
      </p>
      <div class="acts">
        {revoked_at === null ? (
          <details>
            <summary class="button quiet small">
              Revoke<span class="visually-hidden"> the key of {email}</span>…
            </summary>
            <PostForm
              action={`/console/keys/${id}/revoke`}
              hidden={before === null ? {} : { before }}
            >
              <p>
                Its assistant may then ask only as often as one without a key. This cannot be
                undone.
              </p>
              <button class="small">
                Revoke<span class="visually-hidden"> the key of {email}</span>
              </button>
            </PostForm>
          </details>
        ) : (
          <p class="fine">
            revoked <Moment at={revoked_at} format={format} />
          </p>
        )}
      </div>
    </li>
  );
}
