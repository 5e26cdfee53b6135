import type { Hold } from '../../generated/schemas.js';
import type { PublicBookingRow } from '../database/schema.js';
import { checkoutLink } from '../platform/checkout-link.js';

const pollIntervalSeconds = 5;

/**
 * The response to a hold. It depends only on the booking as it was placed, the token and the base
 * URL, so that a replay has the same bytes: `status` and `server_time` are those at that time.
 */
export function holdView(
  booking: PublicBookingRow,
  checkoutToken: string,
  publicBaseUrl: string,
): Hold {
  const checkoutUrl = checkoutLink(publicBaseUrl, checkoutToken);
  const createdAt = booking.created_at.toISOString();
  const expiresAt = booking.expires_at.toISOString();
  const lifetime = lifetimeInWords(booking.expires_at.getTime() - booking.created_at.getTime());
  return {
    id: booking.id,
    status: 'pending',
    date: booking.date,
    time_slot: booking.time_slot,
    starts_at: booking.starts_at_text,
    timezone: booking.timezone,
    label: booking.label,
    created_at: createdAt,
    expires_at: expiresAt,
    server_time: createdAt,
    checkout_url: checkoutUrl,
    handoff: {
      type: 'url',
      actor: 'end_user',
      required: true,
      url: checkoutUrl,
      url_host: new URL(publicBaseUrl).host,
      message: `Your session on ${booking.label} is held for you for ${lifetime}. Open this link to lock it in; booking is free.`,
      agent_instructions: [
        'Show the person the message and the link, and say that the hold ends at expires_at.',
        'Do not open the link and do not complete checkout. Only the person may confirm.',
        'Read status_url until status is confirmed, expired or cancelled.',
        'If it has expired, ask the person and place a new hold.',
      ],
      expires_at: expiresAt,
      on_expiry: 'create_new_hold',
      status_url: `${publicBaseUrl}/api/public/bookings/${booking.id}`,
      poll_interval_seconds: pollIntervalSeconds,
    },
  };
}

function lifetimeInWords(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  const [count, unit] = seconds % 60 === 0 ? [seconds / 60, 'minute'] : [seconds, 'second'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
