import { randomBytes, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import t from 'tap';
import { createDatabase, createPool } from '../../src/database/pool.js';
import type { BookingRow } from '../../src/database/rows/schema.js';
import { bookedSlot } from '../../src/domain/booking/booked-slot.js';
import { followZoneData, ownZoneData } from '../../src/domain/studio/zone-data.js';
import { changeInstants } from '../../src/repositories/zone-data.js';
import { slotOf } from '../../src/schedule/slots.js';
import { bookingRow, storedBookings } from '../support/bookings.js';
import { confirmCheckout, moveCheckout, releaseCheckout } from '../support/checkouts.js';
import { addPerson } from '../support/console.js';
import { createTestDatabase, watchStatements } from '../support/database.js';
import { hold } from '../support/holds.js';
import { spawnService } from '../support/process.js';
import { startDatabaseProxy } from '../support/proxy.js';
import { someOpenSlots } from '../support/requests.js';
import { generous, secretKey, startNeighbour, startService } from '../support/service.js';
import { startOver } from '../support/start-over.js';
import { findingOf, studioOn } from '../support/studio.js';
import {
  dataAs,
  expectedAs,
  otherClocks,
  studioZone,
  zoneChangesOf,
} from '../support/zone-data.js';

const service = await startService(t);
const { context } = service;
const { database } = context;
t.beforeEach(() => startOver(context));
const [, , denver, anchorage] = otherClocks as [string, string, string, string];

t.test(
  'what processes with older data book and move is mended by one with the newest, and undone by none',
  async (t) => {
    const [one, two, three, four] = await someOpenSlots(context, 4);
    const early = await addPerson(service, one!);
    const { booking, token } = await hold(context, two!.date, two!.timeSlot);

    const [older, data] = [dataAs(anchorage), dataAs(denver)];
    t.equal(await followZoneData(context, older), 2);
    t.equal(await followZoneData(context, data), 2);
    t.equal(await followZoneData(context, older), 0);
    const differing = dataAs(anchorage, data.version!);
    t.equal(await followZoneData(context, differing), 0, 'equal versions do not take turns');

    // This process has the older data of the studio's own zone.
    const late = await addPerson(service, three!);
    await moveCheckout(context, token, four!, 2);
    t.match(await bookingRow(context, booking.id), { zone_data_version: null, sequence: 3 });
    t.equal(await followZoneData(context, older), 0);
    t.equal(await followZoneData(context), 0);
    for (const { id } of [late, booking]) {
      const before = await bookingRow(context, id);
      t.equal(
        before.starts_at_text,
        bookedSlot(await context.board.read(), slotOf(before)).startsAtText,
      );
    }
    t.equal(await followZoneData(context, data), 2);
    t.equal(await followZoneData(context, data), 0);
    for (const { id } of [early, late, booking]) {
      const row = await bookingRow(context, id);
      const start = data.instantOfWallClock(studioZone, row.starts_at_text.slice(0, 19));
      t.equal(row.starts_at_text, start.iso);
      t.strictSame(row.starts_at, new Date(start.epochMs));
    }
  },
);

/** Confirmed sessions in many slots, as one that was added. */
async function addMany(count: number): Promise<BookingRow[]> {
  const [slot, ...slots] = await someOpenSlots(context, count);
  const first = await addPerson(service, slot!);
  const state = await context.board.read();
  const rows = slots.map((each) => {
    const { startsAt, startsAtText, endsAt, endsAtText, label, date, timeSlot } = bookedSlot(
      state,
      each,
    );
    return {
      ...first,
      ...{
        id: randomUUID(),
        checkout_token_hash: randomBytes(32),
        date,
        time_slot: timeSlot,
        label,
      },
      ...{ starts_at: startsAt, starts_at_text: startsAtText },
      ...{ ends_at: endsAt, ends_at_text: endsAtText },
    };
  });
  await database.insertInto('bookings').values(rows).execute();
  return (await storedBookings(context)).bookings;
}

/** How many bookings have changed; a finding for each that is neither as before nor wholly changed. */
async function judge(before: readonly BookingRow[], zone: string, version: string) {
  const { bookings, events } = await storedBookings(context);
  const findings: unknown[] = [];
  let changed = 0;
  for (const [index, row] of bookings.entries()) {
    const old = before[index]!;
    const moves = events.filter(({ booking_id }) => booking_id === row.id).length;
    const isChanged = row.sequence !== old.sequence;
    if (isChanged) changed += 1;
    const expected = isChanged ? expectedAs(zone, version, old, row.changed_at) : old;
    if (!isDeepStrictEqual(row, expected) || moves !== row.sequence) findings.push([row, moves]);
  }
  return { changed, findings };
}

t.test(
  'a process that is killed before any of its statements, or before the answer to it, leaves each booking as before or wholly changed; the next ends the work',
  async (t) => {
    let before = await addMany(130);
    await database.deleteFrom('events').execute();
    const { proxy, connectionString } = await startDatabaseProxy(
      t,
      context.connection.connectionString!,
    );
    let partly = 0;
    let hasEnded = false;
    for (let step = 1; !hasEnded; step += 1) {
      const zone = [studioZone, denver][step % 2]!;
      const data = dataAs(zone);
      const pool = createPool({ connectionString }, context.log, { max: 1 });
      const killed = createDatabase(pool);
      let statements = 0;
      watchStatements(pool, () => {
        statements += 1;
        if (statements !== Math.ceil(step / 2)) return;
        if (step % 2 === 1) proxy.cut();
        else setImmediate(proxy.cut);
      });
      hasEnded = await followZoneData({ database: killed, log: context.log }, data).then(
        () => true,
        () => false,
      );
      await killed.destroy();
      const { changed, findings } = await judge(before, zone, data.version!);
      t.strictSame(findings, [], `step ${step}`);
      if (changed > 0 && changed < before.length) partly += 1;
      await followZoneData(context, data);
      t.strictSame(await judge(before, zone, data.version!), { changed: 130, findings: [] });
      before = (await storedBookings(context)).bookings;
    }
    t.ok(partly > 1, 'some were killed between two batches');
  },
);

t.test(
  'while people confirm, move and cancel, and two processes have newer data, each booking has one change by them, and its instant',
  async (t) => {
    const neighbour = await startNeighbour(t, context);
    const slots = await someOpenSlots(context, 24);
    const held = [];
    for (const { date, timeSlot } of slots.slice(0, 18)) {
      held.push(await hold(context, date, timeSlot));
    }
    const data = dataAs(denver);
    await Promise.all([
      followZoneData(context, data),
      ...held.map(({ token }, index) => {
        if (index % 3 === 0) return confirmCheckout(neighbour, token);
        if (index % 3 === 1) return releaseCheckout(neighbour, token, 'pending');
        return moveCheckout(neighbour, token, slots[18 + (index - 2) / 3]!, 0).catch(() => null);
      }),
      followZoneData(neighbour, data),
    ]);
    await followZoneData(context, data);
    const stale = held.map(({ booking: { id, sequence } }) => {
      const instants = {
        startsAtText: '2026-12-01T09:00:00-08:00',
        endsAtText: '2026-12-01T13:00:00-08:00',
      };
      return { id, sequence, ...instants };
    });
    const late = database.transaction().execute((each) => changeInstants(each, stale, '2025c'));
    t.equal(await late, 0, 'none that is not as it was read');
    for (const { booking } of held) {
      const row = await bookingRow(context, booking.id);
      const changes = await zoneChangesOf(context, booking.id);
      if (row.status === 'cancelled') continue;
      t.equal(
        row.starts_at_text,
        data.instantOfWallClock(studioZone, row.starts_at_text.slice(0, 19)).iso,
      );
      // A move comes before the change, or after it and is mended.
      const isMoved = row.date !== booking.date || row.time_slot !== booking.time_slot;
      t.ok(changes.length === 1 || (isMoved && changes.length === 2));
    }
  },
);

t.test(
  'a process of either role mends what older data have left, at its start and while it runs; doctor names it, and data that are recorded and newer',
  async (t) => {
    const { connectionString } = await createTestDatabase(t);
    const service = await startService(t, { ...generous, DATABASE_URL: connectionString });
    const { context } = service;
    const doctor = () => findingOf(studioOn(context), 'zone data');
    const [slot] = await someOpenSlots(context, 1);
    const right = await addPerson(service, slot!);
    // As by data of 2026c in summer time, all year.
    const spoil = async () => {
      await sql`
        update bookings set starts_at = starts_at - interval '1 hour',
          starts_at_text = replace(starts_at_text, '-08:00', '-07:00'), ends_at = ends_at - interval '1 hour',
          ends_at_text = replace(ends_at_text, '-08:00', '-07:00'), zone_data_version = null`.execute(
        context.database,
      );
      t.not((await bookingRow(context, right.id)).starts_at_text, right.starts_at_text);
    };
    const isRight = async () => {
      const { starts_at, starts_at_text, ends_at, ends_at_text } = right;
      t.match(await bookingRow(context, right.id), {
        starts_at,
        starts_at_text,
        ends_at,
        ends_at_text,
      });
    };
    await spoil();
    const { version } = ownZoneData;
    t.match(await doctor(), {
      status: 'warning',
      message: new RegExp(
        `has time zone data ${version}; the database records none .* 1 booking starts .*${right.id} .* changes each once`,
      ),
    });
    const environment = { ...generous, DATABASE_URL: connectionString, SECRET_KEY: secretKey };
    const api = await spawnService(t, { ...environment, ROLE: 'api' });
    await isRight();
    t.equal(await api.end('SIGTERM'), 0);
    t.match(await doctor(), { status: 'ok', message: `records ${version} for ${studioZone}.` });
    await spoil();
    const { sweeper } = await service.startBackground();
    await isRight();
    await spoil();
    await sweeper.sweep();
    await isRight();
    t.equal((await bookingRow(context, right.id)).sequence, 3);

    await followZoneData(context, dataAs(denver));
    t.match(await doctor(), {
      status: 'warning',
      message: /records 20\d\da .* Run the service with .* 1 booking starts (?!.*changes each)/,
    });
  },
);
