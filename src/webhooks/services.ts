import type { DatabaseServices } from '../database/services.js';
import type { Sender } from './send.js';

/** The services that send webhooks. */
export interface WebhookServices extends DatabaseServices {
  webhookSender: Sender;
}

/** A failed attempt of a delivery that will be attempted again. */
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
  /** Adds the job of a retry. Never rejects: the sweeper finds due deliveries without a job. */
  addRetry: (retry: Retry) => Promise<void>;
  /** Aborts the requests in flight. */
  shutdown: AbortSignal;
}
