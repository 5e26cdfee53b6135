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

export type Things = Awaited<ReturnType<typeof makeThings>>;

export async function confirmedBooking(context: Context, email: string): Promise<Held> {
  const [slot] = await someOpenSlots(context, 1);
  const request = holdRequest(slot!, { email });
  const { booking, checkoutToken } = await placeHold(context, callerNumber(1), request, null);
  await confirmCheckout(context, checkoutToken);
  return { id: booking.id, ...slot! };
}

/** Inserts the rows that every command works on. */
export async function makeThings({ context, app }: Service, receiver: Receiver) {
  const subscribed = await app!.inject({
    method: 'POST',
    url: '/api/public/webhooks',
    payload: { url: receiver.origin, events: ['hold.created'] },
  });
  const { data } = subscribed.json<{ data: { id: string } }>();
  await createApiKey(context, callerNumber(1), { email: 'ada@keys.example' });
  const bookings = {
    toCancel: await confirmedBooking(context, 'ada@example.com'),
    toForget: await confirmedBooking(context, 'forget@example.com'),
    toMeet: await confirmedBooking(context, 'grace@example.com'),
    /** A watched calendar is busy when it begins. */
    toOverlap: await confirmedBooking(context, 'edith@example.com'),
    /** A session that has begun. */
    toMiss: await confirmedBooking(context, 'mary@example.com'),
  };
  await context.database
    .updateTable('bookings')
    .set({ starts_at: new Date(context.clock.now() - 60_000) })
    .where('id', '=', bookings.toMiss.id)
    .execute();
  await insertMail(context, bookings.toMeet.id);
  const { starts_at: busyAt } = await bookingRow(context, bookings.toOverlap.id);
  const calendarId = await insertCalendar(context, { label: 'Ada' });
  await setBusy(context, calendarId, [busyAt.getTime(), busyAt.getTime() + 60_000]);
  return {
    ...bookings,
    subscriptionId: data.id,
    passkeyId: await insertPasskey(context, { name: 'Ada' }),
  };
}
