import t from 'tap';
import { pgbenchOfHolds } from '../../scripts/bench/database.js';
import { insertHolds, lateness } from '../../scripts/bench/rows/expiry.js';
import { cancelHolds } from '../../scripts/bench/rows/holds.js';
import { confirm } from '../../scripts/bench/rows/mail.js';
import { change } from '../../scripts/bench/rows/stream.js';
import { copySubscription, prepare, recordEvents } from '../../scripts/bench/rows/webhooks.js';
import { withClient } from '../../src/database/client.js';
import { startReceiver } from '../support/receiver.js';
import { generous, startService } from '../support/service.js';

t.test('the database takes each statement that the bench sends by itself', async (t) => {
  const service = await startService(
    t,
    {
      ...generous,
      WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true',
    },
    { isReachable: true },
  );
  const receiver = await startReceiver();
  t.teardown(() => receiver.close());
  const connectionString = service.context.config.databaseUrl ?? '';
  await withClient({ connectionString }, async (database) => {
    const count = async (table: string, condition = 'true') => {
      const text = `select count(*)::integer as found from ${table} where ${condition}`;
      const { rows } = await database.query<{ found: number }>(text);
      return rows[0]?.found;
    };
    const pending = "status = 'pending'";
    // As pgbench does: a line is a statement, and `day` a number of its own for each transaction.
    for (const day of ['7', '8']) {
      for (const line of pgbenchOfHolds().split('\n')) {
        if (!line.startsWith('\\')) await database.query(line.replaceAll(/(?<!:):day\b/g, day));
      }
    }
    t.equal(await count('bookings', pending), 2);
    await database.query(cancelHolds);
    t.equal(await count('bookings', pending), 0);
    await database.query(insertHolds, [3, 60]);
    t.equal(await count('bookings', pending), 3);
    t.same((await database.query(lateness, [null])).rows, [{ late: null }]);
    await confirm(database, 3);
    await confirm(database, 2);
    t.equal(await count('bookings', "status = 'confirmed'"), 5);
    await prepare(service, { url: `${receiver.origin}/hook` }, database);
    await recordEvents(database, 4);
    t.equal(await count('events', "type = 'booking.confirmed'"), 9);
    await copySubscription(database, 5);
    t.equal(await count('webhook_subscriptions'), 5);
    for (const closed of [1, 0]) {
      await change(database);
      t.equal(await count('closures'), closed);
    }
  });
});
