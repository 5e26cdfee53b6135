import { sql } from 'kysely';
import t from 'tap';
import { createApiKey, revokeApiKeys } from '../../src/access/api-keys.js';
import { placeHold } from '../../src/domain/booking/holds.js';
import { expireHolds } from '../../src/domain/booking/new-hold.js';
import { cancelByStudio } from '../../src/domain/studio/cancellation.js';
import { noteClient, readClient, selectorOfClient } from '../../src/domain/studio/clients.js';
import { forgetPerson } from '../../src/domain/studio/personal-data.js';
import { createRetention } from '../../src/domain/studio/retention.js';
import { listApiKeys } from '../../src/repositories/api-keys.js';
import { listAuditRows } from '../../src/repositories/audit.js';
import { eraseDuePersonalData } from '../../src/repositories/personal-data.js';
import type { Slot } from '../../src/schedule/slots.js';
import { untilBoard } from '../support/board.js';
import { bookingRow } from '../support/bookings.js';
import { confirmCheckout } from '../support/checkouts.js';
import { shiftDatabaseClock, stopDatabaseClock } from '../support/clock.js';
import { addPerson } from '../support/console.js';
import { untilLockWaits } from '../support/database.js';
import { callerNumber, holdRequest, someOpenSlots } from '../support/requests.js';
import { generous, startService } from '../support/service.js';
import { startOver } from '../support/start-over.js';

const actor = 'ada@desk';
const dayMs = 86_400_000;
const reason = 'Wanda told us that she is ill';
const settings = {
  ...generous,
  RETENTION_UNCONFIRMED_DAYS: '3',
  RETENTION_CONFIRMED_DAYS: '10',
  BOOKING_HORIZON_DAYS: '30',
};
const personal = [
  ...(['name', 'email', 'phone', 'pronouns', 'idea', 'language'] as const),
  ...(['caller_network_hash', 'api_key_id', 'idempotency_scope', 'idempotency_key'] as const),
  ...([
    'studio_word',
    'studio_note',
    'client_note',
    'request_hash',
    'form_nonce_hash',
    'reminders_stopped_at',
    'code_asked_at',
    'code_proven_at',
  ] as const),
];

const service = await startService(t, settings);
const { app, context } = service;
const { database } = context;
const retention = createRetention(context);
t.beforeEach(() => startOver(context));

/** A hold that has all kinds of personal data. */
async function hold(slot: Slot, email: string): Promise<[id: string, token: string]> {
  const request = holdRequest(slot, { email, pronouns: 'they/them', idea: 'a heron' });
  const placed = await placeHold(context, callerNumber(1), request, `key of ${email}`);
  const { id } = placed.booking;
  await sql`
    update bookings set language = 'es', form_nonce_hash = '', api_key_id = gen_random_uuid(),
      studio_word = 'word', studio_note = 'note', client_note = 'about', reminders_stopped_at = booking_now(), code_asked_at = booking_now(),
      code_proven_at = booking_now()
    where id = ${id}`.execute(database);
  const row = await bookingRow(context, id);
  for (const column of personal) if (row[column] === null) throw new Error(`no ${column}`);
  return [id, placed.checkoutToken];
}

/** Two walk-ins of whom only the name is known. */
async function walkIns() {
  const [one, two] = await someOpenSlots(context, 2);
  return [await addPerson(service, one!), await addPerson(service, two!)] as const;
}

async function isErased(id: string): Promise<boolean> {
  const row = await bookingRow(context, id);
  const columns = [...personal, 'cancellation_reason'] as const;
  const left = columns.filter((column) => row[column] !== null);
  if (left.length > 0 && row.name === null) throw new Error(`half erased: ${left.join()}`);
  return left.length === 0;
}

/** The clock of the database, and of this process, shows that many days more. */
async function shiftDays(days: number): Promise<void> {
  await shiftDatabaseClock(database, days * dayMs);
  await context.board.refresh();
}

t.test('the nightly job erases exactly what is past its retention, once a night', async (t) => {
  const slots = await someOpenSlots(context, 4);
  const [expired] = await hold(slots[0]!, 'expired@example.com');
  const [cancelled] = await hold(slots[1]!, 'cancelled@example.com');
  const [confirmed, token] = await hold(slots[2]!, 'confirmed@example.com');
  await confirmCheckout(context, token);
  await cancelByStudio(context, actor, cancelled);

  t.equal(await retention.apply(), 0, 'a first night with nothing to erase');
  t.equal(await retention.apply(), null, 'it runs once a night');
  await shiftDays(2);
  await expireHolds(context);
  t.equal(await retention.apply(), 0);
  // Nights without a run: nothing is erased before its time, and what is due is made up for.
  await shiftDays(5);
  const runs = await Promise.all([retention.apply(), retention.apply()]);
  t.equal(Number(runs[0]) + Number(runs[1]), 2, 'twice at once erases once');
  const erased = [expired, cancelled, confirmed].map(isErased);
  t.strictSame(await Promise.all(erased), [true, true, false]);

  const { starts_at: startsAt } = await bookingRow(context, confirmed);
  const daysUntil = (startsAt.getTime() - context.clock.own()) / dayMs;
  await shiftDays(Math.floor(daysUntil) + 9);
  await retention.apply();
  t.notOk(await isErased(confirmed), 'until its days are over');
  await shiftDays(Math.ceil(daysUntil) + 11);
  t.equal(await retention.apply(), 1);
  t.ok(await isErased(confirmed));

  const page = await app.inject(`/checkout/${token}`);
  t.equal(page.statusCode, 200, 'the page of an erased booking can still be opened');
  const audit = await listAuditRows(context.database, 2);
  t.match(audit[0], { actor: 'nightly job', details: { bookings: 1 } });
  t.notMatch(JSON.stringify(audit), /example\.com/);
});

/** A cancelled hold whose time is over. */
async function dueHold(): Promise<string> {
  const [slot] = await someOpenSlots(context, 1);
  const [id] = await hold(slot!, 'ada@example.com');
  await cancelByStudio(context, actor, id);
  await shiftDays(4);
  return id;
}

t.test('the nightly job leaves a booking that is being changed to the next night', async (t) => {
  await dueHold();
  await database.transaction().execute(async (transaction) => {
    await sql`select from bookings for update`.execute(transaction);
    t.equal(await retention.apply(), 0);
  });
  await shiftDays(5);
  t.equal(await retention.apply(), 1);
});

t.test(
  'the nightly job deletes API keys after their retention, and only revoked ones',
  async (t) => {
    const revoked = await createApiKey(context, callerNumber(1), { email: 'revoked@example.com' });
    const live = await createApiKey(context, callerNumber(1), { email: 'live@example.com' });
    await revokeApiKeys(context, actor, [revoked.id]);
    const left = async () => {
      await retention.apply();
      const rows = await listApiKeys(context.database, { email: null, limit: 10 });
      return rows.map(({ id }) => id).sort();
    };
    await shiftDays(2);
    t.strictSame(await left(), [live.id, revoked.id].sort());
    await shiftDays(4);
    t.strictSame(await left(), [live.id]);
  },
);

t.test('the sweeper runs the nightly erasure', async (t) => {
  const background = await service.startBackground();
  const id = await dueHold();
  await background.sweeper.sweep();
  await background.stop();
  t.ok(await isErased(id));
});

t.test(
  'a person is erased on request, whatever the case of the e-mail, and not while a session is upcoming unless it is cancelled',
  async (t) => {
    const slots = await someOpenSlots(context, 4);
    const [gone] = await hold(slots[0]!, 'Ada@Example.com');
    const [other] = await hold(slots[1]!, 'grace@example.com');
    await cancelByStudio(context, actor, gone);
    const [upcoming, token] = await hold(slots[2]!, 'ada@example.com');
    await confirmCheckout(context, token);

    const forget = (cancelBookings: boolean) =>
      forgetPerson(context, actor, { email: ' ADA@example.com' }, { cancelBookings });
    t.match(await forget(false), { outcome: 'upcoming', upcoming: [{ id: upcoming }] });
    t.notOk(await isErased(gone), 'refused, it changes nothing');

    const forgotten = await forget(true);
    t.match(forgotten, { outcome: 'forgotten', bookings: 2, cancelled: [{ id: upcoming }] });
    const erased = [gone, upcoming, other].map(isErased);
    t.strictSame(await Promise.all(erased), [true, true, false]);
    await untilBoard(context, ({ taken }) => taken.size === 1);
    const [row] = await listAuditRows(context.database, 1);
    t.match(row, { action: 'bookings forget', details: { bookings: 2 } });
    t.notMatch(JSON.stringify(row), /ada@example/i);
    t.match(await forget(false), { outcome: 'forgotten', bookings: 0 });
  },
);

t.test('a hold that is placed while its person is erased keeps its details', async (t) => {
  const slots = await someOpenSlots(context, 2);
  const [before] = await hold(slots[0]!, 'ada@example.com');
  let forgetting: Promise<unknown> = Promise.resolve();
  let holding: ReturnType<typeof placeHold> | undefined;
  // Blocks the erasure between its search and its update.
  const ada = { email: 'ada@example.com' };
  await database.transaction().execute(async (transaction) => {
    await sql`select from bookings for update`.execute(transaction);
    forgetting = forgetPerson(context, actor, ada, { cancelBookings: true });
    await untilLockWaits(database, 1);
    holding = placeHold(context, callerNumber(1), holdRequest(slots[1]!), null);
    await untilLockWaits(database, 2, holding);
  });
  await forgetting;
  const after = await holding!;
  t.ok(await isErased(before));
  t.match(await bookingRow(context, after.booking.id), { ...ada, status: 'pending' });
});

t.test(
  'a walk-in without e-mail and phone is erased some days after the session or its cancellation, to the millisecond',
  async (t) => {
    const [kept, { id }] = await walkIns();
    const cancelled = await cancelByStudio(context, actor, id, { reason });
    if (cancelled.outcome !== 'cancelled') throw new Error(cancelled.outcome);
    const days = { unconfirmedDays: 30, confirmedDays: 365 };
    for (const [bookingId, instant] of [
      [id, cancelled.booking.cancelled_at!.getTime() + 30 * dayMs],
      [kept.id, kept.starts_at.getTime() + 365 * dayMs],
    ] as const) {
      const eraseAt = async (at: number) => {
        await stopDatabaseClock(database, at);
        const transaction = database.transaction();
        return transaction.execute((each) => eraseDuePersonalData(each, days));
      };
      t.equal(await eraseAt(instant - 1), 0);
      t.notOk(await isErased(bookingId));
      t.equal(await eraseAt(instant), 1);
      t.ok(await isErased(bookingId));
    }
  },
);

t.test(
  'a cancellation reason that an older process left in an erased row is erased the next night, and on request at once',
  async (t) => {
    const [one, two] = await walkIns();
    for (const { id } of [one, two]) await cancelByStudio(context, actor, id, { reason });
    const left = 'caller_network_hash = null, request_hash = null';
    await sql`update bookings set name = null, ${sql.raw(left)}`.execute(database);
    t.match(await forgetPerson(context, actor, { id: one.id }, { cancelBookings: false }), {
      bookings: 1,
    });
    t.ok(await isErased(one.id));
    t.equal(await retention.apply(), 1);
    t.ok(await isErased(two.id));
  },
);

t.test(
  'a client is erased whole, and a note about one stays as long as a booking does',
  async (t) => {
    const slots = await someOpenSlots(context, 6);
    const contact = { email: 'nora.b+ink@gmail.com' };
    const [old, also] = [
      await addPerson(service, slots[0]!, { name: 'Nora', email: 'norab@googlemail.com' }),
      await addPerson(service, slots[1]!, { name: 'N. Berg', ...contact }),
    ];
    t.equal(
      await noteClient(context, actor, also.id, { note: 'Allergic to latex', seen: '' }),
      'saved',
    );
    t.equal(
      await noteClient(context, actor, old.id, { note: 'Other', seen: '' }),
      'changed',
      'not blindly',
    );
    const later = await addPerson(service, slots[2]!, { name: 'Nora', ...contact });
    const stranger = await addPerson(service, slots[3]!, { name: 'Nora', phone: '5035550101' });
    const own = await addPerson(service, slots[4]!, { name: 'nora', phone: '5035550101' });
    const other = await addPerson(service, slots[5]!, { name: 'Ola', phone: '5035550101' });
    await forgetPerson(context, actor, { id: old.id }, { cancelBookings: true });
    const days = { unconfirmedDays: 30, confirmedDays: 0 };
    await stopDatabaseClock(database, also.starts_at.getTime());
    t.equal(await database.transaction().execute((each) => eraseDuePersonalData(each, days)), 1);
    t.match(await readClient(context, { id: later.id }), {
      note: 'Allergic to latex',
      bookings: [{ id: later.id }],
    });
    await stopDatabaseClock(database, context.clock.own());

    const all = { cancelBookings: true };
    t.match(await forgetPerson(context, actor, { email: 'NORAB@gmail.com' }, all), { bookings: 1 });
    t.ok(await isErased(later.id));
    const client = selectorOfClient(stranger);
    t.match(await forgetPerson(context, actor, client, all), { bookings: 2 });
    t.strictSame(await Promise.all([own, other].map(({ id }) => isErased(id))), [true, false]);
    const { rows } = await sql`select from bookings where client_note is not null`.execute(
      database,
    );
    t.equal(rows.length, 0);
  },
);
