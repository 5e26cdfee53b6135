import type { WebhookEventType } from '../../generated/schemas.js';

/** The kinds of events that are told to subscribers (specification, "Events"). */
export const publicEventTypes = [
  'hold.created',
  'booking.confirmed',
  'hold.expired',
] as const satisfies readonly WebhookEventType[];

export type PublicEventType = (typeof publicEventTypes)[number];
