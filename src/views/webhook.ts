import type { CreatedWebhook, Webhook, WebhookEvent } from '../../generated/schemas.js';
import type { EventRow, WebhookSubscriptionRow } from '../database/schema.js';
import { publicEventTypes, type PublicEventType } from './public-events.js';
import { bookingAtEvent, type BookingSnapshot } from '../database/booking-snapshots.js';
import type { RecentDelivery } from '../repositories/webhook-subscriptions.js';
import { bookingView } from './booking.js';

/** A new subscription, with the two secrets that only this response shows. */
export function createdWebhookView(
  { id, url, events, created_at }: WebhookSubscriptionRow,
  { signingSecret, manageToken }: { signingSecret: string; manageToken: string },
): CreatedWebhook {
  return {
    id,
    url,
    events,
    status: 'active',
    created_at: created_at.toISOString(),
    signing_secret: signingSecret,
    manage_token: manageToken,
  };
}

export function webhookView(
  { id, url, events, created_at, disabled_reason }: WebhookSubscriptionRow,
  recentDeliveries: RecentDelivery[],
): Webhook {
  return {
    id,
    url,
    events,
    status: disabled_reason === null ? 'active' : 'disabled',
    disabled_reason,
    created_at: created_at.toISOString(),
    recent_deliveries: recentDeliveries.map((delivery) => ({
      ...delivery,
      last_attempt_at: delivery.last_attempt_at?.toISOString() ?? null,
      next_attempt_at: delivery.next_attempt_at?.toISOString() ?? null,
    })),
  };
}

/** An event row that webhooks deliver. `data` is the booking as it was at the commit. */
type BookingEvent = EventRow & { type: PublicEventType; data: BookingSnapshot };

export function isBookingEvent(event: EventRow): event is BookingEvent {
  return (publicEventTypes as readonly string[]).includes(event.type);
}

/** The body of a delivery. */
export function webhookEventView({ type, occurred_at, data }: BookingEvent): WebhookEvent {
  return {
    type,
    timestamp: occurred_at.toISOString(),
    data: bookingView(bookingAtEvent(data), occurred_at.getTime()),
  };
}
