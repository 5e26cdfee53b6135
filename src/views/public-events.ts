import type { WebhookEventType } from '../../generated/schemas.js';

/** The event types of webhooks (specification, "Events"). */
export const publicEventTypes = [
  'hold.created',
  'booking.confirmed',
  'hold.expired',
] as const satisfies readonly WebhookEventType[];

export type PublicEventType = (typeof publicEventTypes)[number];
