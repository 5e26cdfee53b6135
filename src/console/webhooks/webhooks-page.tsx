import type { VNode } from 'preact';
import type { ListPage } from '../../domain/studio-lists.js';
import type { SubscriptionOverview } from '../../repositories/webhook-admin.js';
import { linkToWebhook, pathWith } from '../links.js';
import { Moment } from '../moment.js';
import { Paging } from '../paging.js';
import { PostForm } from '../parts.js';
import { addressWords, countWords, stateWords } from './words.js';

export interface WebhooksPageProps {
  webhooks: ListPage<SubscriptionOverview>;
  /** The id of the last subscription of the page before; null on the newest page. */
  before: string | null;
}

/** The webhook subscriptions, newest first. */
export function WebhooksPage({ webhooks, before }: WebhooksPageProps): VNode {
  const { rows } = webhooks;
  const hasFailed = rows.some(({ failed, disabled_at }) => failed > 0 && disabled_at === null);
  return (
    <>
      {hasFailed && (
        <section class="notice" aria-label="Failed deliveries">
          <p>
            Some deliveries failed and are not tried again. Once their receivers work, send them
            again to all that are active.
          </p>
          <RedeliverForm action="/console/webhooks/redeliver" />
        </section>
      )}
      {rows.length === 0 ? (
        <p class="empty">No subscriptions.</p>
      ) : (
        <ul class="rows webhooks">
          {rows.map((row) => (
            <li key={row.id} class={row.disabled_at === null ? 'live' : 'over'}>
              <div>
                <p>
                  <a href={linkToWebhook(row.id)}>{addressWords(row.url)}</a>
                </p>
                <p class="fine">{row.events.join(', ')}</p>
              </div>
              <div>
                <p class={row.failing_since === null ? 'state' : 'state failing'}>
                  {stateWords(row)}
                </p>
                {row.failing_since !== null && (
                  <p class="fine">
                    failing since <Moment at={row.failing_since} />
                  </p>
                )}
              </div>
              <p class="fine">{countWords(row)}</p>
              <p class="fine">
                created <Moment at={row.created_at} />
              </p>
            </li>
          ))}
        </ul>
      )}
      <Paging
        list={webhooks}
        before={before}
        positionOf={({ id }) => id}
        linkTo={(before) => pathWith('/console/webhooks', { before })}
      />
    </>
  );
}

/** The choices of how far back, in days. Deliveries are kept for 30. */
export const redeliverDays = [1, 7, 30] as const;
const usualDays = 7;

/** Sends again what failed. */
export function RedeliverForm({ action }: { action: string }): VNode {
  return (
    <PostForm action={action} class="inline redeliver">
      <label>
        Failed within{' '}
        <select name="days">
          {redeliverDays.map((days) => (
            <option key={days} value={days} selected={days === usualDays}>
              {days === 1 ? 'a day' : `${days} days`}
            </option>
          ))}
        </select>
      </label>
      <button class="small">Send failed deliveries again</button>
    </PostForm>
  );
}
