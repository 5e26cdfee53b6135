import type { VNode } from 'preact';
import type { WebhookRecord } from '../../domain/studio-lists.js';
import type { RecentDelivery } from '../../repositories/webhook-subscriptions.js';
import { PostForm } from '../form.js';
import { linkToWebhook } from '../links.js';
import { Moment, type FormatMoment } from '../moment.js';
import { RedeliverForm } from './webhooks-page.js';
import { addressWords, countWords, deliveryWords, stateWords } from './words.js';

export interface WebhookPageProps {
  record: WebhookRecord;
  format: FormatMoment;
}

export function webhookTitle({ subscription }: WebhookRecord): string {
  return new URL(subscription.url).host;
}

/** A subscription with its latest deliveries, and what can be done with it. */
export function WebhookPage({ record, format }: WebhookPageProps): VNode {
  const { subscription, deliveries } = record;
  const path = linkToWebhook(subscription.id);
  const isLive = subscription.disabled_at === null;
  const facts: [string, VNode | string | null][] = [
    ['Address', addressWords(subscription.url)],
    ['Events', subscription.events.join(', ')],
    ['State', stateWords(subscription)],
    ['Failing since', momentOrNull(subscription.failing_since)],
    ['Disabled', momentOrNull(subscription.disabled_at)],
    ['Created', momentOrNull(subscription.created_at)],
    ['Deliveries', countWords(subscription)],
  ];
  function momentOrNull(at: Date | null): VNode | null {
    return at === null ? null : <Moment at={at} format={format} />;
  }
  return (
    <>
      <dl class="facts">
        {facts.map(
          ([name, value]) =>
            value !== null && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
      <div class="jobs">
        {isLive && subscription.failed > 0 && <RedeliverForm action={`${path}/redeliver`} />}
        {isLive && (
          <details>
            <summary class="button quiet">Disable…</summary>
            <PostForm action={`${path}/disable`}>
              <p>
                Nothing is sent to it until it is enabled again. What is still to be sent fails.
              </p>
              <button>Disable</button>
            </PostForm>
          </details>
        )}
        {!isLive && subscription.disabled_reason !== 'secret_lost' && (
          <PostForm action={`${path}/enable`}>
            <p>Once enabled, new events are sent to it, and what it missed can be sent again.</p>
            <button>Enable</button>
          </PostForm>
        )}
      </div>
      <h2>Latest deliveries</h2>
      {deliveries.length === 0 ? (
        <p class="empty">No deliveries yet.</p>
      ) : (
        <ul class="rows deliveries">
          {deliveries.map((delivery) => (
            <DeliveryRow
              key={delivery.event_id}
              delivery={delivery}
              action={isLive ? `${path}/redeliver` : null}
              format={format}
            />
          ))}
        </ul>
      )}
    </>
  );
}

function DeliveryRow({
  delivery,
  action,
  format,
}: {
  delivery: RecentDelivery;
  /** Where to post that it is to be sent again; null where nothing is sent. */
  action: string | null;
  format: FormatMoment;
}): VNode {
  const { event_id, type, status, attempts, last_attempt_at, next_attempt_at } = delivery;
  const code = delivery.last_status_code;
  return (
    <li class={status}>
      <div>
        <p>{type}</p>
        <p class="fine">event {event_id.slice(0, 8)}</p>
      </div>
      <div>
        <p class="state">{deliveryWords[status]}</p>
        {attempts > 0 && (
          <p class="fine">
            {attempts === 1 ? 'one attempt' : `${attempts} attempts`}
            {code === null ? ', no answer' : `, answer ${code}`}
          </p>
        )}
      </div>
      <p class="fine">
        {last_attempt_at !== null && (
          <>
            last <Moment at={last_attempt_at} format={format} />
            {next_attempt_at !== null && ' · '}
          </>
        )}
        {next_attempt_at !== null && (
          <>
            next <Moment at={next_attempt_at} format={format} />
          </>
        )}
      </p>
      <div class="acts">
        {action !== null && status !== 'pending' && (
          <PostForm action={action} class="inline" hidden={{ event: event_id }}>
            <button class="quiet small">
              Send again<span class="visually-hidden"> event {event_id.slice(0, 8)}</span>
            </button>
          </PostForm>
        )}
      </div>
    </li>
  );
}
