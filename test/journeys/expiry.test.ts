import t from 'tap';
import type { Listener } from '../../src/database/listener.js';
import { placeHold } from '../../src/domain/booking/holds.js';
import { readBooking } from '../../src/domain/booking/public-bookings.js';
import { callerNumber, holdRequest, someOpenSlots } from '../support/requests.js';
import { generous, startService } from '../support/service.js';

void t.test(
  'an unconfirmed hold reads expired at its instant, frees its slot, and the job records its event',
  async (t) => {
    const service = await startService(t, { ...generous, HOLD_LIFETIME_SECONDS: '1' });
    const { context } = service;
    const background = await service.startBackground();
    // Only the job is left to notice.
    await background.sweeper.stop();
    const [slot] = await someOpenSlots(context, 1);
    const expiry = nextEvent(context.listener, 'hold.expired');
    const { booking } = await placeHold(context, callerNumber(1), holdRequest(slot!), null);
    t.equal(await expiry, booking.id);

    const event = await context.database
      .selectFrom('events')
      .selectAll()
      .where('type', '=', 'hold.expired')
      .executeTakeFirstOrThrow();
    t.ok(event.occurred_at >= booking.expires_at, 'never before its instant');
    const expired = await readBooking(context, booking.id);
    t.match(expired, { status: 'expired', expired_at: booking.expires_at });
    const [again] = await someOpenSlots(context, 1);
    t.strictSame(again, slot);
  },
);

/** Resolves with the booking's id when the database announces the next event of the type. */
export function nextEvent(listener: Listener, type: string): Promise<string | null> {
  return new Promise((resolve) => {
    const unsubscribe = listener.subscribe('booking_events', {
      notified(payload) {
        const event = JSON.parse(payload) as { type: string; booking_id: string | null };
        if (event.type !== type) return;
        unsubscribe();
        resolve(event.booking_id);
      },
    });
  });
}
