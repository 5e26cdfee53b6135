import type { DatabaseServices } from '../database/services.js';
import type { Sender } from './send.js';

/** The services that send webhooks. */
export interface WebhookServices extends DatabaseServices {
  webhookSender: Sender;
}

/** A failed attempt whose delivery is to be attempted again. */
export interface Retry {
  subscriptionId: string;
  deliveryId: string;
  /** Attempts that were made. */
  attempts: number;
  delaySeconds: number;
}

export interface DelivererServices extends Pick<
  WebhookServices,
  'database' | 'clock' | 'config' | 'keyring' | 'log' | 'metrics' | 'tracing' | 'webhookSender'
> {
  /** Never rejects: the sweeper finds deliveries that are due and have no job. */
  addRetry: (retry: Retry) => Promise<void>;
  /** Aborts the requests in flight. */
  shutdown: AbortSignal;
}
