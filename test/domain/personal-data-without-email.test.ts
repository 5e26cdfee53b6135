import { sql } from 'kysely';
import t from 'tap';
import type { Context } from '../../src/context.js';
import type { BookingRow } from '../../src/database/schema.js';
import { cancelByStudio } from '../../src/domain/cancellation.js';
import { eraseNightly, forgetPerson } from '../../src/domain/personal-data.js';
import { addBooking } from '../../src/domain/studio-bookings.js';
import type { Slot } from '../../src/calendar/slots.js';
import { eraseDuePersonalData } from '../../src/repositories/personal-data.js';
import { stopDatabaseClock } from '../support/clock.js';
import { someOpenSlots } from '../support/requests.js';
import { startTestService } from '../support/service.js';

const actor = 'ada@front-desk';
const reason = 'Wanda told us that she is ill';
const dayMs = 86_400_000;

/** A walk-in of whom only the name is known. */
async function walkIn(context: Context, slot: Slot): Promise<BookingRow> {
  const outcome = await addBooking(context, actor, slot, { name: 'Wanda In' });
  if (outcome.outcome !== 'added') throw new Error(outcome.outcome);
  return outcome.booking;
}

async function personalDataOf({ database }: Context, id: string) {
  return database
    .selectFrom('bookings')
    .select(['name', 'cancellation_reason'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

const erased = { name: null, cancellation_reason: null };

t.test(
  'a walk-in without e-mail and phone is erased 365 days after the session, or 30 after its cancellation, to the millisecond',
  async (t) => {
    const { context } = await startTestService(t);
    const { database, config } = context;
    const [slot, other] = await someOpenSlots(context, 2);
    const kept = await walkIn(context, slot!);
    const { id } = await walkIn(context, other!);
    const cancelled = await cancelByStudio(context, actor, id, { reason });
    if (cancelled.outcome !== 'cancelled') throw new Error(cancelled.outcome);
    const { retentionUnconfirmedDays, retentionConfirmedDays } = config;
    const retention = {
      unconfirmedDays: retentionUnconfirmedDays,
      confirmedDays: retentionConfirmedDays,
    };
    t.match(retention, { unconfirmedDays: 30, confirmedDays: 365 });
    const due: [string, number][] = [
      [id, cancelled.booking.cancelled_at!.getTime() + 30 * dayMs],
      [kept.id, kept.starts_at.getTime() + 365 * dayMs],
    ];
    for (const [bookingId, instant] of due) {
      const eraseAt = async (at: number) => {
        await stopDatabaseClock(database, at);
        return database
          .transaction()
          .execute((transaction) => eraseDuePersonalData(transaction, retention));
      };
      t.equal(await eraseAt(instant - 1), 0);
      t.match(await personalDataOf(context, bookingId), { name: 'Wanda In' });
      t.equal(await eraseAt(instant), 1);
      t.strictSame(await personalDataOf(context, bookingId), erased);
    }
  },
);

t.test(
  'a cancellation reason that an older process left in an erased row is erased the next night, and on request at once',
  async (t) => {
    const { context } = await startTestService(t);
    const [slot, other] = await someOpenSlots(context, 2);
    const [one, two] = [await walkIn(context, slot!), await walkIn(context, other!)];
    for (const { id } of [one, two]) await cancelByStudio(context, actor, id, { reason });
    await sql`
      update bookings set name = null, email = null, phone = null, pronouns = null, idea = null`.execute(
      context.database,
    );
    t.match(await forgetPerson(context, actor, { id: one.id }, { cancelBookings: false }), {
      bookings: 1,
    });
    t.strictSame(await personalDataOf(context, one.id), erased);
    t.equal(await eraseNightly(context), 1);
    t.strictSame(await personalDataOf(context, two.id), erased);
  },
);
