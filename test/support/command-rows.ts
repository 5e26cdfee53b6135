import { createApiKey } from '../../src/access/api-keys.js';
import type { Slot } from '../../src/calendar/slots.js';
import type { Context } from '../../src/context.js';
import { confirmCheckout } from '../../src/domain/checkout.js';
import { placeHold } from '../../src/domain/holds.js';
import type { Service } from '../../src/service.js';
import { bookingRow } from './bookings.js';
import { insertCalendar, setBusy } from './busy-calendars.js';
import { insertMail } from './mail-rows.js';
import { insertPasskey } from './passkey-rows.js';
import type { Receiver } from './receiver.js';
import { callerNumber, holdRequest, someOpenSlots } from './requests.js';

/** A slot and the booking that has it. */
export interface Held extends Slot {
  id: string;
}

/** The rows that one round of commands works on. */
export interface Things {
  toCancel: Held;
  toForget: Held;
  toMeet: Held;
  /** A watched calendar is busy when it begins. */
  toOverlap: Held;
  /** A session that has begun. */
  toMiss: Held;
  /** The subscription that has received the holds. */
  subscriptionId: string;
  passkeyId: string;
}

export async function confirmedBooking(context: Context, email: string): Promise<Held> {
  const [slot] = await someOpenSlots(context, 1);
  const request = holdRequest(slot!, { email });
  const { booking, checkoutToken } = await placeHold(context, callerNumber(1), request, null);
  await confirmCheckout(context, checkoutToken);
  return { id: booking.id, ...slot! };
}

export async function makeThings(
  { context, app }: Service,
  round: string,
  receiver: Receiver,
): Promise<Things> {
  const subscription = { url: `${receiver.origin}/${round}`, events: ['hold.created'] };
  const subscribed = await app!.inject({
    method: 'POST',
    url: '/api/public/webhooks',
    payload: subscription,
  });
  await createApiKey(context, callerNumber(1), { email: `${round}@keys.example` });
  const bookings = {
    toCancel: await confirmedBooking(context, 'ada@example.com'),
    toForget: await confirmedBooking(context, `${round}@example.com`),
    toMeet: await confirmedBooking(context, 'grace@example.com'),
    toOverlap: await confirmedBooking(context, 'edith@example.com'),
    toMiss: await confirmedBooking(context, 'mary@example.com'),
  };
  const begun = new Date(context.clock.now() - 60_000);
  const { id } = bookings.toMiss;
  await context.database
    .updateTable('bookings')
    .set({ starts_at: begun })
    .where('id', '=', id)
    .execute();
  await insertMail(context, bookings.toMeet.id);
  const { starts_at: busyAt } = await bookingRow(context, bookings.toOverlap.id);
  const calendarId = await insertCalendar(context, { label: round });
  await setBusy(context, calendarId, [busyAt.getTime(), busyAt.getTime() + 60_000]);
  const { data } = subscribed.json<{ data: { id: string } }>();
  const passkeyId = await insertPasskey(context, { name: round });
  return { ...bookings, subscriptionId: data.id, passkeyId };
}
