import type { VNode } from 'preact';
import type { SubscriptionOverview } from '../../database/rows/results.js';
import type {
  WebhookDeliveryStatus,
  WebhookDisabledReason,
  WebhookSubscriptionRow,
} from '../../database/rows/webhooks.js';
import type { ListPage } from '../../domain/studio/lists.js';
import { linkToWebhook, pathWith } from '../links.js';
import { Moment } from '../moment.js';
import { Paging } from '../paging.js';
import { PostForm } from '../parts.js';

export interface WebhooksPageProps {
  webhooks: ListPage<SubscriptionOverview>;
  /** The id of the last subscription on the previous page; null on the newest page. */
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

/** The choices of days. Deliveries are kept for 30. */
export const redeliverDays = [1, 7, 30] as const;
const usualDays = 7;

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

/**
 * The host and path to which a subscription sends. A query is only hinted at, because many receivers have
 * their secret in it, and others may see this page.
 */
export function addressWords(url: string): string {
  const { host, pathname, search } = new URL(url);
  return `${host}${pathname === '/' ? '' : pathname}${search === '' ? '' : '?…'}`;
}

const reasons: Record<WebhookDisabledReason, string> = {
  gone: 'its receiver said that it is gone',
  never_succeeded: 'it never succeeded',
  failing: 'it failed for too long',
  studio: 'by the studio',
  secret_lost: 'its signing secret is lost: its owner must subscribe again',
};

export function stateWords({
  disabled_reason: reason,
  failing_since: since,
}: Pick<WebhookSubscriptionRow, 'disabled_reason' | 'failing_since'>): string {
  if (reason !== null) return `Disabled: ${reasons[reason]}`;
  return since === null ? 'Active' : 'Active, failing';
}

export const deliveryWords: Record<WebhookDeliveryStatus, string> = {
  pending: 'To be sent',
  delivered: 'Delivered',
  failed: 'Failed',
};

/** `1 failed, 2 to be sent, 14 delivered, 3 skipped`. */
export function countWords(counts: {
  pending: number;
  delivered: number;
  failed: number;
  skipped: number;
}): string {
  const parts = [
    counts.failed > 0 && `${counts.failed} failed`,
    counts.pending > 0 && `${counts.pending} to be sent`,
    counts.delivered > 0 && `${counts.delivered} delivered`,
    counts.skipped > 0 && `${counts.skipped} skipped`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? 'nothing sent yet' : parts.join(', ');
}
