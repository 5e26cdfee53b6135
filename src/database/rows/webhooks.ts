import type { Generated, Selectable } from 'kysely';
import type { WebhookEventType } from '../../../generated/schemas.js';

export interface WebhookTables {
  webhook_subscriptions: {
    id: Generated<string>;
    url: string;
    /** The host name of `url`, without a port; the cap per domain counts it. */
    target_host: string;
    events: WebhookEventType[];
    signing_secret_sealed: Buffer;
    manage_token_hash: Buffer;
    /** A keyed hash of the network (IPv6: /48, or /64 of a version up to 2.8.2), until it is disabled. */
    caller_hash: Buffer | null;
    created_at: Date;
    has_succeeded: Generated<boolean>;
    /** The first failure since the last success; null after a success. */
    failing_since: Date | null;
    /** Failed attempts since the last success; meaningless where `failing_since` is null. */
    failures_in_a_row: Generated<number>;
    /** The number of events that it was never sent, since too many were waiting. */
    skipped: Generated<number>;
    disabled_at: Date | null;
    disabled_reason: WebhookDisabledReason | null;
    /** Until this instant, one process alone sends to it. */
    claimed_until: Date | null;
  };

  webhook_deliveries: {
    id: Generated<string>;
    event_id: string;
    subscription_id: string;
    status: Generated<WebhookDeliveryStatus>;
    attempts: Generated<number>;
    /** Null unless pending. */
    next_attempt_at: Date | null;
    last_attempt_at: Date | null;
    last_status_code: number | null;
    /** Why the last attempt failed, as a code. */
    last_error: string | null;
  };
}

export type WebhookDisabledReason =
  | 'gone'
  | 'never_succeeded'
  | 'failing'
  | 'studio'
  | 'secret_lost';

export type WebhookDeliveryStatus = 'pending' | 'delivered' | 'failed';

export type WebhookSubscriptionRow = Selectable<WebhookTables['webhook_subscriptions']>;
