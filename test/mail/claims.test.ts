import { sql } from 'kysely';
import t from 'tap';
import { claimDueMails } from '../../src/repositories/mail-queue.js';
import { mailOn } from '../support/codes.js';
import { until } from '../support/embedded.js';
import { lockWaits } from '../support/lock-waits.js';
import { insertMail } from '../support/mail-rows.js';
import { startMailer } from '../support/mailer.js';
import { holdForPerson } from '../support/pages.js';
import { startTestService } from '../support/service.js';

void t.test(
  'a mail that is recorded as sent while it is claimed again is not claimed',
  async (t) => {
    const service = await startTestService(t, mailOn);
    const { connect, database } = service.context;
    const { id: bookingId } = await holdForPerson({ service });
    const mail = await insertMail(service.context, bookingId, {
      status: 'pending',
      next_attempt_at: new Date(0),
      ended_at: null,
    });
    let claiming: Promise<unknown> = Promise.resolve();
    await database.transaction().execute(async (transaction) => {
      await sql`
      update mails set status = 'sent', next_attempt_at = null, ended_at = booking_now()
      where id = ${mail.id}`.execute(transaction);
      claiming = claimDueMails(database, connect, { limit: 5, claimSeconds: 90 });
      await until(async () => (await lockWaits(database)) > 0);
    });
    t.strictSame(await claiming, []);
  },
);

void t.test('a failed read of the studio leaves no mail claimed', async (t) => {
  const service = await startTestService(t, mailOn);
  const { context } = service;
  const { id: bookingId } = await holdForPerson({ service });
  const { mailer } = await startMailer(t, context);
  const { id } = await insertMail(context, bookingId, {
    status: 'pending',
    next_attempt_at: new Date(0),
    ended_at: null,
  });
  // The hold's notification may only now arrive, and the board would read the table too.
  context.board.close();
  await context.pool.query('alter table opening_hours rename to elsewhere');
  await t.rejects(mailer.sendDue(), /opening_hours/);
  const row = await context.database
    .selectFrom('mails')
    .select('claimed_until')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  t.equal(row.claimed_until, null);
});
