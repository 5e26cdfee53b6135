import { sql } from 'kysely';
import t from 'tap';
import { claimDueMails } from '../../src/repositories/mail-queue.js';
import { until } from '../support/embedded.js';
import { insertMail } from '../support/mail-rows.js';
import { holdForPerson } from '../support/pages.js';
import { startTestService } from '../support/service.js';

void t.test(
  'a mail that is recorded as sent while it is claimed again is not claimed',
  async (t) => {
    const service = await startTestService(t);
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
      await until(async () => {
        const { rows } = await sql`
        select 1 from pg_locks where not granted and locktype = 'transactionid'`.execute(database);
        return rows.length > 0;
      });
    });
    t.strictSame(await claiming, []);
  },
);
