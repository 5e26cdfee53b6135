import type { Booking, Hold } from '../../generated/schemas.js';
import { isLoopback } from '../config/addresses.js';
import type { ReplayableHold } from '../database/rows/results.js';
import type { RecordedBookingRow } from '../database/rows/schema.js';
import { statusAt } from '../schedule/slots.js';
import { holdSpanWords, maskEmail } from '../schedule/words.js';
import { checkoutLink } from '../secrets/links.js';

/** The public booking at `now` (milliseconds since the epoch), without personal data. */
export function bookingView(booking: RecordedBookingRow, now: number): Booking {
  const status = statusAt(booking, now);
  return {
    id: booking.id,
    status,
    ...sessionView(booking),
    confirmed_at: booking.confirmed_at?.toISOString() ?? null,
    cancelled_at: booking.cancelled_at?.toISOString() ?? null,
    expired_at: status === 'expired' ? booking.expires_at.toISOString() : null,
  };
}

/** The members that the two views share. */
function sessionView(booking: RecordedBookingRow) {
  const { date, time_slot, starts_at_text, ends_at_text, timezone, label, artist_name } = booking;
  return {
    date,
    time_slot,
    starts_at: starts_at_text,
    // Events before 2.9.0 have no end: their webhooks and replays keep their bytes.
    ...(ends_at_text !== null && { ends_at: ends_at_text }),
    timezone,
    label,
    ...(artist_name !== null && { artist: { name: artist_name } }),
    created_at: booking.created_at.toISOString(),
    expires_at: booking.expires_at.toISOString(),
  };
}

export const pollIntervalSeconds = 5;

/** For agents, where `PUBLIC_BASE_URL` is a loopback address. */
export const loopbackAdvice =
  'The link opens on this machine only, not on a phone: tell the person so.';

/** For agents, of a booking that they are asked to change. */
export const changesAdvice =
  "Moving and cancelling are the person's, on the page of their link, which is in the confirmation mail, too.";

/**
 * The response to a hold. It depends only on the placed hold, the `email` of its request and the base
 * URL, so that a replay has the same bytes: `status` and `server_time` are those at that time.
 */
export function holdView(
  hold: Pick<ReplayableHold, 'booking' | 'handover'> & { checkoutToken: string },
  email: string,
  publicBaseUrl: string,
): Hold {
  const { booking, handover, checkoutToken } = hold;
  const checkoutUrl = checkoutLink(publicBaseUrl, checkoutToken);
  const session = sessionView(booking);
  const span = holdSpanWords(
    booking.timezone,
    booking.created_at.getTime(),
    booking.expires_at.getTime(),
    handover?.city ?? null,
  );
  const needsCode = handover?.proof === 'code';
  const mailbox = maskEmail(email.trim());
  return {
    id: booking.id,
    status: 'pending',
    ...session,
    server_time: session.created_at,
    checkout_url: checkoutUrl,
    handoff: {
      type: 'url',
      actor: 'end_user',
      required: true,
      url: checkoutUrl,
      url_host: new URL(publicBaseUrl).host,
      message: `Your session on ${booking.label} is held for you ${span}. Open this link to lock it in${needsCode ? `: we mail six digits to ${mailbox}, and you type them there. Booking` : '; booking'} is free.`,
      agent_instructions: [
        'Show the person the message and the link.',
        ...(isLoopback(publicBaseUrl) ? [loopbackAdvice] : []),
        'Do not open the link and do not complete checkout. Only the person may confirm.',
        ...(needsCode
          ? [
              `Confirming takes six digits, mailed to ${mailbox}; the person types them: never ask for them.`,
            ]
          : []),
        `Read the booking (status_url, or the tool get_booking_status with ${handover === null ? 'id' : 'booking_id'}) until its status is confirmed, expired or cancelled.`,
        'If it has expired, the same link lets the person hold the time again with one press while it is open. Place a new hold only once the person is there.',
        ...(handover === null ? [] : [changesAdvice]),
      ],
      expires_at: session.expires_at,
      on_expiry: 'create_new_hold',
      status_url: `${publicBaseUrl}/api/public/bookings/${booking.id}`,
      poll_interval_seconds: pollIntervalSeconds,
    },
  };
}
