import type {
  CreatedWebhook,
  Webhook,
  WebhookDelivery,
  WebhookEvent,
  WebhookEventType,
} from '../../generated/schemas.js';
import type { BookingSnapshot } from '../database/rows/booking-snapshots.js';
import type { RecentDelivery } from '../database/rows/results.js';
import type { EventRow, RecordedBookingRow } from '../database/rows/schema.js';
import type { WebhookSubscriptionRow } from '../database/rows/webhooks.js';
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
  { id, url, events, created_at, disabled_reason, skipped }: WebhookSubscriptionRow,
  recentDeliveries: RecentDelivery[],
): Webhook {
  return {
    id,
    url,
    events,
    status: disabled_reason === null ? 'active' : 'disabled',
    disabled_reason,
    created_at: created_at.toISOString(),
    skipped,
    recent_deliveries: recentDeliveries.map(deliveryView),
  };
}

export function deliveryView(delivery: RecentDelivery): WebhookDelivery {
  const { event_id, type, status, attempts, last_status_code } = delivery;
  return {
    ...{ event_id, type, status, attempts, last_status_code },
    last_attempt_at: delivery.last_attempt_at?.toISOString() ?? null,
    next_attempt_at: delivery.next_attempt_at?.toISOString() ?? null,
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
    data: bookingView(bookingAtCommit(data), occurred_at.getTime()),
  };
}

function bookingAtCommit(snapshot: BookingSnapshot): RecordedBookingRow {
  return {
    ...snapshot,
    ends_at_text: snapshot.ends_at_text ?? null,
    artist_id: snapshot.artist_id ?? 1,
    artist_name: snapshot.artist_name ?? null,
    created_at: new Date(snapshot.created_at),
    expires_at: new Date(snapshot.expires_at),
    confirmed_at: dateOrNull(snapshot.confirmed_at),
    cancelled_at: dateOrNull(snapshot.cancelled_at),
    expired_at: dateOrNull(snapshot.expired_at),
  };
}

function dateOrNull(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}

/** The event types of webhooks (`openapi.yaml`, Webhooks). */
export const publicEventTypes = [
  'hold.created',
  'booking.confirmed',
  'hold.expired',
] as const satisfies readonly WebhookEventType[];

export type PublicEventType = (typeof publicEventTypes)[number];
