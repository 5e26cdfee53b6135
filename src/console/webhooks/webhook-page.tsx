import type { VNode } from 'preact';
import type { RecentDelivery } from '../../database/rows/results.js';
import type { WebhookRecord } from '../../domain/studio/lists.js';
import { linkToWebhook } from '../links.js';
import { Moment } from '../moment.js';
import { type Fact, Facts, FoldedForm, PostForm, Unseen } from '../parts.js';
import {
  addressWords,
  countWords,
  deliveryWords,
  RedeliverForm,
  stateWords,
} from './webhooks-page.js';

export function webhookTitle({ subscription }: WebhookRecord): string {
  return new URL(subscription.url).host;
}

/** A subscription with its latest deliveries and its forms. */
export function WebhookPage({ record }: { record: WebhookRecord }): VNode {
  const { subscription, deliveries } = record;
  const path = linkToWebhook(subscription.id);
  const isLive = subscription.disabled_at === null;
  const moment = (at: Date | null) => at && <Moment key="at" at={at} />;
  const facts: Fact[] = [
    ['Address', addressWords(subscription.url)],
    ['Events', subscription.events.join(', ')],
    ['State', stateWords(subscription)],
    ['Failing since', moment(subscription.failing_since)],
    ['Disabled', moment(subscription.disabled_at)],
    ['Created', moment(subscription.created_at)],
    ['Deliveries', countWords(subscription)],
  ];
  return (
    <>
      <Facts facts={facts} />
      <div class="jobs">
        {isLive && subscription.failed > 0 && <RedeliverForm action={`${path}/redeliver`} />}
        {isLive && (
          <FoldedForm label="Disable" isLarge action={`${path}/disable`}>
            <p>Nothing is sent to it until it is enabled again. What is still to be sent fails.</p>
            <button>Disable</button>
          </FoldedForm>
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
            />
          ))}
        </ul>
      )}
    </>
  );
}

interface DeliveryRowProps {
  delivery: RecentDelivery;
  /** The path to which sending again is posted; null where nothing is sent. */
  action: string | null;
}

function DeliveryRow({ delivery, action }: DeliveryRowProps): VNode {
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
        {last_attempt_at !== null && 'last '}
        <Moment at={last_attempt_at} />
        {last_attempt_at !== null && next_attempt_at !== null && ' · '}
        {next_attempt_at !== null && 'next '}
        <Moment at={next_attempt_at} />
      </p>
      <div class="acts">
        {action !== null && status !== 'pending' && (
          <PostForm action={action} class="inline" hidden={{ event: event_id }}>
            <button class="quiet small">
              Send again<Unseen> event {event_id.slice(0, 8)}</Unseen>
            </button>
          </PostForm>
        )}
      </div>
    </li>
  );
}
