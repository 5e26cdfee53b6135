import t from 'tap';
import type { Context } from '../../src/context.js';
import { createApiKey, revokeApiKeys } from '../../src/access/api-keys.js';
import { listApiKeys } from '../../src/repositories/api-keys.js';
import { cancelByStudio } from '../../src/domain/cancellation.js';
import { confirmCheckout } from '../../src/domain/checkout.js';
import { expireHolds } from '../../src/domain/expiry.js';
import { placeHold } from '../../src/domain/holds.js';
import { eraseNightly, forgetPerson } from '../../src/domain/personal-data.js';
import type { Slot } from '../../src/calendar/slots.js';
import { listAuditRows } from '../../src/repositories/audit.js';
import { untilBoard } from '../support/board.js';
import { bookingRow } from '../support/bookings.js';
import { shiftDatabaseClock } from '../support/clock.js';
import { lockWaits } from '../support/lock-waits.js';
import { callerNumber, holdRequest, someOpenSlots } from '../support/requests.js';
import { generous, startTestService } from '../support/service.js';

const dayMs = 86_400_000;
const settings = {
  ...generous,
  RETENTION_UNCONFIRMED_DAYS: '3',
  RETENTION_CONFIRMED_DAYS: '10',
  BOOKING_HORIZON_DAYS: '30',
};
const personal = [
  'name',
  'email',
  'phone',
  'pronouns',
  'idea',
  'caller_hash',
  'caller_network_hash',
  'api_key_id',
  'idempotency_scope',
  'idempotency_key',
  'request_hash',
] as const;

async function hold(context: Context, slot: Slot, email: string): Promise<[string, string]> {
  const request = holdRequest(slot, { email, pronouns: 'they/them', idea: 'a heron' });
  const placed = await placeHold(context, callerNumber(1), request, `key of ${email}`);
  return [placed.booking.id, placed.checkoutToken];
}

async function isErased(context: Context, id: string): Promise<boolean> {
  const row = await bookingRow(context, id);
  const left = personal.filter((column) => row[column] !== null);
  if (left.length > 0 && row.email === null) throw new Error(`half erased: ${left.join()}`);
  return left.length === 0;
}

/** The clock of the database, and of this process, shows that many days more. */
async function shiftDays(context: Context, days: number): Promise<void> {
  await shiftDatabaseClock(context.database, days * dayMs);
  await context.board.refresh();
}

void t.test(
  'the nightly job erases exactly what is past its retention, once a night',
  async (t) => {
    const service = await startTestService(t, settings);
    const { context, app } = service;
    const slots = await someOpenSlots(context, 4);
    const [expired] = await hold(context, slots[0]!, 'expired@example.com');
    const [cancelled] = await hold(context, slots[1]!, 'cancelled@example.com');
    const [confirmed, token] = await hold(context, slots[2]!, 'confirmed@example.com');
    await confirmCheckout(context, token);
    await cancelByStudio(context, 'ada@desk', cancelled);

    t.equal(await eraseNightly(context), 0, 'a first night with nothing to erase');
    t.equal(await eraseNightly(context), null, 'it runs once a night');

    await shiftDays(context, 2);
    await expireHolds(context);
    t.equal(await eraseNightly(context), 0);
    // Nights without a run: nothing is erased before its time, and what is due is made up for.
    await shiftDays(context, 5);
    const runs = await Promise.all([eraseNightly(context), eraseNightly(context)]);
    t.equal(
      runs.reduce<number>((sum, run) => sum + (run ?? 0), 0),
      2,
      'twice at once erases once',
    );
    t.ok(await isErased(context, expired));
    t.ok(await isErased(context, cancelled));
    t.notOk(await isErased(context, confirmed));

    const sessionIn =
      (await bookingRow(context, confirmed)).starts_at.getTime() - context.clock.own();
    await shiftDays(context, Math.floor(sessionIn / dayMs) + 9);
    await eraseNightly(context);
    t.notOk(await isErased(context, confirmed), 'until its days are over');
    await shiftDays(context, Math.ceil(sessionIn / dayMs) + 11);
    t.equal(await eraseNightly(context), 1);
    t.ok(await isErased(context, confirmed));

    const page = await app.inject(`/checkout/${token}`);
    t.equal(page.statusCode, 200, 'the page of an erased booking can still be opened');
    const audit = await listAuditRows(context.database, 2);
    t.match(audit[0], { actor: 'nightly job', details: { bookings: 1 } });
    t.notMatch(JSON.stringify(audit), /example\.com/);
  },
);

void t.test('the erasure continues after a clock that was years ahead for a night', async (t) => {
  const { context } = await startTestService(t, settings);
  await shiftDays(context, 3_650);
  t.equal(await eraseNightly(context), 0);
  await shiftDays(context, 0);
  const [slot] = await someOpenSlots(context, 1);
  const [id] = await hold(context, slot!, 'ada@example.com');
  await cancelByStudio(context, 'ada@desk', id);
  await shiftDays(context, 4);
  t.equal(await eraseNightly(context), 1);
  t.ok(await isErased(context, id));
});

void t.test(
  'the nightly job deletes API keys after their retention, and only revoked ones',
  async (t) => {
    const { context } = await startTestService(t, settings);
    const revoked = await createApiKey(context, callerNumber(1), { email: 'revoked@example.com' });
    const live = await createApiKey(context, callerNumber(1), { email: 'live@example.com' });
    await revokeApiKeys(context, 'ada@desk', [revoked.id]);
    const left = async () => {
      await eraseNightly(context);
      const rows = await listApiKeys(context.database, { email: null, limit: 10 });
      return rows.map(({ id }) => id).sort();
    };
    await shiftDays(context, 2);
    t.strictSame(await left(), [live.id, revoked.id].sort());
    await shiftDays(context, 4);
    t.strictSame(await left(), [live.id]);
  },
);

void t.test('the sweeper runs the nightly erasure', async (t) => {
  const service = await startTestService(t, settings);
  const { context } = service;
  const [slot] = await someOpenSlots(context, 1);
  const [id] = await hold(context, slot!, 'ada@example.com');
  await cancelByStudio(context, 'ada@desk', id);
  const { sweeper } = await service.startBackground();
  await shiftDays(context, 4);
  await sweeper.sweep();
  t.ok(await isErased(context, id));
});

void t.test(
  'a person is erased on request, whatever the case of the e-mail, and not while a session is upcoming unless it is cancelled',
  async (t) => {
    const { context } = await startTestService(t, settings);
    const slots = await someOpenSlots(context, 4);
    const [gone] = await hold(context, slots[0]!, 'Ada@Example.com');
    const [other] = await hold(context, slots[1]!, 'grace@example.com');
    await cancelByStudio(context, 'ada@desk', gone);
    const [upcoming, token] = await hold(context, slots[2]!, 'ada@example.com');
    await confirmCheckout(context, token);

    const forget = (cancelBookings: boolean) =>
      forgetPerson(context, 'ada@desk', { email: ' ADA@example.com' }, { cancelBookings });
    t.match(await forget(false), { outcome: 'upcoming', upcoming: [{ id: upcoming }] });
    t.notOk(await isErased(context, gone), 'refused, it changes nothing');

    const forgotten = await forget(true);
    t.match(forgotten, { outcome: 'forgotten', bookings: 2, cancelled: [{ id: upcoming }] });
    t.ok(await isErased(context, gone));
    t.ok(await isErased(context, upcoming));
    t.notOk(await isErased(context, other));
    await untilBoard(context, ({ taken }) => taken.size === 1);
    const [row] = await listAuditRows(context.database, 1);
    t.match(row, { action: 'bookings forget', details: { bookings: 2 } });
    t.notMatch(JSON.stringify(row), /ada@example/i);
    t.match(await forget(false), { outcome: 'forgotten', bookings: 0 });
  },
);

void t.test('a hold that is placed while its person is erased keeps its details', async (t) => {
  const { context } = await startTestService(t, settings);
  const { database } = context;
  const slots = await someOpenSlots(context, 2);
  const [before] = await hold(context, slots[0]!, 'ada@example.com');
  let forgetting: Promise<unknown> = Promise.resolve();
  let holding: ReturnType<typeof placeHold> | undefined;
  // Blocks the erasure between its search and its update.
  await database.transaction().execute(async (transaction) => {
    await transaction
      .selectFrom('bookings')
      .select('id')
      .where('id', '=', before)
      .forUpdate()
      .execute();
    forgetting = forgetPerson(
      context,
      'ada@desk',
      { email: 'ada@example.com' },
      { cancelBookings: true },
    );
    while ((await lockWaits(database)) < 1);
    let isPlaced = false;
    holding = placeHold(context, callerNumber(1), holdRequest(slots[1]!), null);
    void holding.finally(() => (isPlaced = true));
    while (!isPlaced && (await lockWaits(database)) < 2);
  });
  await forgetting;
  const after = await holding!;
  t.ok(await isErased(context, before));
  t.match(await bookingRow(context, after.booking.id), {
    status: 'pending',
    email: 'ada@example.com',
  });
});
