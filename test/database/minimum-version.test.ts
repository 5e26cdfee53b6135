import { sql, type Kysely } from 'kysely';
import t, { type Test } from 'tap';
import { createDatabase, createPool } from '../../src/database/pool.js';
import type { Database } from '../../src/database/rows/schema.js';
import { addBooking } from '../../src/domain/studio/bookings.js';
import { createLogger } from '../../src/platform/log.js';
import { lockSlots } from '../../src/repositories/slot-taking.js';
import { slotOf, type Slot } from '../../src/schedule/slots.js';
import { insertCalendar, setBusy } from '../support/busy-calendars.js';
import { moveCheckout } from '../support/checkouts.js';
import { createTestDatabase, untilLockWaits } from '../support/database.js';
import { hold } from '../support/holds.js';
import { holdRequest, someOpenSlots } from '../support/requests.js';
import { startService } from '../support/service.js';

async function raise(database: Kysely<Database>, version: string): Promise<void> {
  await sql`select raise_minimum_version(${version})`.execute(database);
}

async function startWithSlots(t: Test) {
  const service = await startService(t);
  service.expectLog(/a newer version has changed the database/);
  const slots = await someOpenSlots(service.context, 4);
  const post = (slot: Slot) =>
    service.app.inject({ method: 'POST', url: '/api/public/holds', payload: holdRequest(slot) });
  return { ...service, slots, post };
}

void t.test('a process below the minimum takes no slot, and is not ready', async (t) => {
  const { context, app, slots, post, logLines, startBackground } = await startWithSlots(t);
  const [from, to] = [Date.UTC(2040, 0, 1), Date.UTC(2040, 0, 2)];
  await setBusy(context, await insertCalendar(context), [from, to]);
  const { token } = await hold(context, slots[0]!.date, slots[0]!.timeSlot);
  t.equal((await app.inject('/readyz')).statusCode, 200);
  await raise(context.database, '99.10.0');

  for (const slot of slots.slice(1)) t.equal((await post(slot)).statusCode, 503);
  await t.rejects(moveCheckout(context, token, slots[1]!, 0), { code: 'BV001' });
  await t.rejects(addBooking(context, 'test', slots[2]!, { name: 'Grace' }), { code: 'BV001' });
  t.equal((await app.inject('/readyz')).statusCode, 503);
  t.equal((await app.inject('/healthz')).statusCode, 200);
  const { sweeper } = await startBackground();
  await sweeper.sweep();
  const taken = await context.database.selectFrom('bookings').selectAll().execute();
  t.strictSame(taken.map(slotOf), [slots[0]]);
  const levels = logLines.map((line) => (JSON.parse(line) as { level: string }).level);
  const errors = levels.filter((level) => ['warn', 'error', 'fatal'].includes(level));
  t.strictSame(errors, ['error'], 'one line, not one for each request');
});

void t.test('a hold that waits for the lock while the minimum is raised is refused', async (t) => {
  const { context, slots, post } = await startWithSlots(t);
  const { holding } = await context.database.transaction().execute(async (transaction) => {
    await lockSlots(transaction);
    const holding = post(slots[0]!);
    await untilLockWaits(context.database, 1, holding);
    await raise(transaction as unknown as Kysely<Database>, '99.0.0');
    return { holding };
  });
  t.equal((await holding).statusCode, 503);
  t.strictSame(await context.database.selectFrom('bookings').select('id').execute(), []);
});

void t.test('versions compare as numbers, and the minimum is never lowered', async (t) => {
  const database = createDatabase(createPool(await createTestDatabase(t), createLogger('silent')));
  t.teardown(() => database.destroy());
  const isAllowed = async (version: string) =>
    sql`select require_version(${version})`.execute(database).then(
      () => true,
      (error: { code: string }) => {
        if (error.code !== 'BV001') throw error;
        return false;
      },
    );
  t.notOk(await isAllowed('2.9.2'), 'the minimum of a new database');
  await raise(database, '3.10.0');
  await raise(database, '3.9.11');
  const versions = ['3.9.12', '3.10.0', '3.10.0-rc.1', '3.10.1', '3.11.0', '10.0.0', '1.99.99'];
  const allowed = [];
  for (const version of versions) if (await isAllowed(version)) allowed.push(version);
  t.strictSame(allowed, ['3.10.0', '3.10.0-rc.1', '3.10.1', '3.11.0', '10.0.0']);
});
