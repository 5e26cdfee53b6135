import type { DatabaseServices } from '../database/services.js';
import type { Sender } from './send.js';

/** What sends webhooks, and what is below it. */
export interface WebhookServices extends DatabaseServices {
  webhookSender: Sender;
}
