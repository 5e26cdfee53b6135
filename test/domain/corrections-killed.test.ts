import t from 'tap';
import { correctByStudio } from '../../src/domain/studio/correction.js';
import { listAuditRows } from '../../src/repositories/audit.js';
import { bookingRow, eventTypesOf } from '../support/bookings.js';
import { correctingActor, correctionsOn } from '../support/corrections.js';
import { killedAt } from '../support/database.js';
import { generous, startService } from '../support/service.js';

const service = await startService(t, generous, { mail: true });
const { context } = service;
const { book, correct, mailbox } = correctionsOn(service);

t.test(
  'killed at every statement, a correction is made whole or not at all, and each mail comes once',
  async (t) => {
    let isOver = false;
    for (let kill = 1; !isOver; kill += 1) {
      for (const isAfter of [false, true]) {
        const { id, right, wrong } = await book();
        const given = { email: right, name: `Corrected ${kill}` };
        const before = await bookingRow(context, id);
        const events = await eventTypesOf(context, id);
        const { statements, database } = killedAt(t, context, kill, isAfter);
        const dying = { database, keyring: context.keyring };
        const outcome = await correctByStudio(dying, correctingActor, id, given).catch(() => null);
        isOver = outcome !== null && statements.length < kill;
        const label = `${isAfter ? 'after' : 'before'} ${statements.at(-1)?.slice(0, 40)}`;
        const isMade = isOver || (isAfter && statements.at(-1) === 'commit');
        const row = await bookingRow(context, id);
        if (!isMade) {
          t.strictSame(row, before, label);
          t.strictSame(await eventTypesOf(context, id), events, label);
        }
        const again = await correct(id, given);
        t.equal(again.outcome, isMade ? 'unchanged' : 'corrected', label);
        t.strictSame(await eventTypesOf(context, id), [...events, 'booking.corrected'], label);
        const actions = await listAuditRows(context.database, 3);
        const own = actions.filter(({ details }) => details['booking_id'] === id);
        t.equal(own.length, 1, label);
        await service.settle();
        t.match(await bookingRow(context, id), { ...given, sequence: 2 });
        t.equal((await mailbox(wrong)).length, 1, label);
        t.equal((await mailbox(right)).length, 1, label);
      }
      t.ok(kill < 20);
    }
  },
);
