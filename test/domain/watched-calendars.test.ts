import { sql } from 'kysely';
import t from 'tap';
import type { CalendarState } from '../../src/board/board.js';
import type { Context } from '../../src/context.js';
import { addBooking, moveByStudio } from '../../src/domain/studio/bookings.js';
import { resealCalendarAddresses } from '../../src/domain/studio/calendar-address.js';
import {
  addWatchedCalendar,
  fetchWatchedCalendar,
  listWatchedCalendars,
  removeWatchedCalendar,
} from '../../src/domain/studio/watched-calendars.js';
import { listAuditRows } from '../../src/repositories/audit.js';
import { openFor } from '../../src/schedule/calendar.js';
import { timeSlots, type Slot } from '../../src/schedule/slots.js';
import { createKeyring } from '../../src/secrets/keyring.js';
import { untilBoard } from '../support/board.js';
import { bookingRow } from '../support/bookings.js';
import { confirmCheckout, moveCheckout } from '../support/checkouts.js';
import { close, hold } from '../support/holds.js';
import { everyOpenSlot, someOpenSlots } from '../support/requests.js';
import { secretKey, startNeighbour } from '../support/service.js';
import {
  busyAt,
  busyDuring,
  calendarEvents,
  secretAddress,
  startWatching,
  watch,
} from '../support/watched-calendars.js';

const timezone = 'America/Los_Angeles';
const actor = 'ada@desk';
const { context, reader, logLines } = await startWatching(t);
const neighbour = await startNeighbour(t, context);

function stateOf({ clock }: Context, slot: Slot, { calendar, taken }: CalendarState): string {
  return openFor({ calendar, taken }, slot, null, clock.now());
}

t.test(
  'a calendar is read when it is added, closes the slots that it overlaps on every process, and opens them when it is removed',
  async (t) => {
    const before = await everyOpenSlot(context);
    const [one, two, three] = await someOpenSlots(context, 3);
    reader.find(busyAt([busyDuring(one!), busyDuring(three!)]));
    const calendar = await watch(context, secretAddress, 'Ada');
    const fine = { read_at: Date, last_error: null, isFailing: false, isOverdue: false };
    const known = { label: 'Ada', host: 'calendar.example.com', busyIntervals: 2 };
    t.match(calendar, { ...known, ...fine });
    for (const each of [context, neighbour]) {
      await untilBoard(each, (state) => stateOf(each, three!, state) === 'closed');
      t.equal(stateOf(each, one!, await each.board.read()), 'closed');
      t.equal(stateOf(each, two!, await each.board.read()), 'open');
    }
    t.equal((await everyOpenSlot(neighbour)).length, before.length - 2, 'and no other');

    reader.find(busyAt([busyDuring(two!)]));
    t.match(await fetchWatchedCalendar(context, calendar.id), { busyIntervals: 1 });
    for (const each of [context, neighbour]) {
      await untilBoard(each, (state) => stateOf(each, two!, state) === 'closed');
      t.equal(stateOf(each, one!, await each.board.read()), 'open');
    }
    t.match(await removeWatchedCalendar(neighbour, actor, calendar.id), { id: calendar.id });
    for (const each of [context, neighbour]) {
      await untilBoard(each, (state) => stateOf(each, two!, state) === 'open');
    }
    t.strictSame(await everyOpenSlot(context), before);
    t.equal(await removeWatchedCalendar(context, actor, calendar.id), null);
    t.equal(await fetchWatchedCalendar(context, calendar.id), null);
    t.strictSame(
      (await calendarEvents(context)).map(({ data }) => data),
      ['calendar fetch', 'calendar fetch', 'calendar watch remove'].map((change) => ({ change })),
    );
  },
);

t.test('the reader is asked about every slot from two days ago to the horizon', async (t) => {
  const near = { ...context, config: { ...context.config, bookingHorizonDays: 20 } };
  const [slot] = await someOpenSlots(context, 1);
  const { booking } = await hold(context, slot!.date, slot!.timeSlot);
  const closure = await close(context, slot!.date);
  await watch(near);
  const [request] = reader.requests;
  t.match(request, { address: secretAddress, etag: null, timezone });
  const { slotStarts, findOwnIds } = request!;
  t.equal(slotStarts.length, (2 + 1 + 20 + 7) * timeSlots.length);
  t.strictSame(
    slotStarts,
    [...slotStarts].sort((one, other) => one - other),
  );
  const daysAhead = (at: number) => (at - context.clock.now()) / 86_400_000;
  const [first, last] = [slotStarts[0]!, slotStarts.at(-1)!].map(daysAhead) as [number, number];
  t.ok(first < -1 && first > -3 && last > 27);
  const other = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';
  const own = [booking.id, closure.id];
  t.strictSame(await findOwnIds([other, ...own]), own);
});

t.test(
  'an address is refused with a sentence for a calendar, and nothing is written',
  async (t) => {
    const config = { ...context.config, webhookAllowPrivateTargets: false };
    const strict = await startNeighbour(t, { ...context, config });
    for (const [address, message] of [
      ['calendar.example.com/ada.ics', /whole address/],
      ['http://calendar.example.com/ada.ics', /begin with https:\/\/ or webcal:\/\//],
      ['webcal://ada:secret@calendar.example.com/ada.ics', /no user name and no password/],
      ['https://calendar.example.com:8080/ada.ics', /port 443/],
      ['https://calendar/ada.ics', /public internet/],
      ['webcal://localhost/ada.ics', /public internet/],
      ['https://192.168.1.4/ada.ics', /public internet/],
      ['https://169.254.169.254/latest', /public internet/],
      [`https://calendar.example.com/${'a'.repeat(2_000)}`, /at most 2,000 characters/],
    ] as const) {
      const added = await addWatchedCalendar(strict, actor, { address, label: null });
      t.match(added, { outcome: 'refused', message }, address.slice(0, 60));
    }
    for (const label of ['', ' ', 'a'.repeat(61), '\0']) {
      const added = await addWatchedCalendar(strict, actor, { address: secretAddress, label });
      t.match(added, { outcome: 'refused', message: /^The label: Give a text/ });
    }
    t.strictSame(await listWatchedCalendars(context), []);
    t.strictSame(await listAuditRows(context.database, 1), []);
  },
);

t.test('the same address is watched once, however it is written', async (t) => {
  const calendar = await watch(context);
  t.equal(calendar.label, 'calendar.example.com');
  for (const address of [
    secretAddress,
    ` ${secretAddress.replace('https:', 'webcal:')}#today`,
    secretAddress.replace('calendar.example', 'CALENDAR.Example').replace('.com/', '.com:443/'),
  ]) {
    const again = await addWatchedCalendar(context, actor, { address, label: 'Another' });
    t.match(again, { outcome: 'exists', calendar: { id: calendar.id } });
  }
  t.equal(reader.requests.length, 1);
  const other = { address: `${secretAddress}2`, label: null };
  const both = await Promise.all([1, 2, 3].map(() => addWatchedCalendar(context, actor, other)));
  t.strictSame(both.map(({ outcome }) => outcome).sort(), ['added', 'exists', 'exists']);
});

t.test(
  'at most ten calendars are watched, also when they are added at the same moment',
  async (t) => {
    const addresses = Array.from({ length: 14 }, (_, index) => `${secretAddress}${index}`);
    const added = await Promise.all(
      addresses.map((address) => addWatchedCalendar(context, actor, { address, label: null })),
    );
    const refused = added.filter(({ outcome }) => outcome !== 'added');
    t.match(refused, Array(4).fill({ outcome: 'refused', message: /10 watched calendars/ }));
    t.equal(refused.length, 4);
    const [newest, ...older] = await listWatchedCalendars(context);
    t.ok(older.every(({ created_at }) => created_at <= newest!.created_at));
    await removeWatchedCalendar(context, actor, newest!.id);
    await watch(context, `${secretAddress}another`);
  },
);

t.test('the address is found nowhere in the database, the log or the results', async (t) => {
  reader.find({ outcome: 'failed', error: 'status', statusCode: 404 });
  const calendar = await watch(context);
  await fetchWatchedCalendar(context, calendar.id);
  const listed = await listWatchedCalendars(context);
  t.match(listed, [{ last_error: 'status', last_status_code: 404 }]);
  await removeWatchedCalendar(context, actor, (await watch(context, `${secretAddress}x`)).id);
  let written = '';
  for (const { name, schema } of await context.database.introspection.getTables()) {
    if (schema !== 'public') continue;
    // `bytea` as hexadecimal digits.
    const { rows } = await sql<{ text: string }>`
      select ${sql.ref(name)}::text as text from ${sql.table(name)}`.execute(context.database);
    written += rows.map(({ text }) => text).join('\n');
  }
  const logged = logLines.join('\n');
  t.match(logged, 'a watched calendar could not be read');
  t.match(written, calendar.id);
  const secrets = ['3kf9s0a7', 'ada.ics', 'q8w2'];
  for (const secret of secrets.flatMap((each) => [each, Buffer.from(each).toString('hex')])) {
    for (const place of [written, logged, JSON.stringify(listed)]) t.notOk(place.includes(secret));
  }
  t.match(await listAuditRows(context.database, 3), [
    { action: 'calendar watch remove' },
    { action: 'calendar watch add' },
    { actor, action: 'calendar watch add', details: { calendar_id: calendar.id } },
  ]);
});

t.test('an address outlives a change of the secret key, and not the loss of it', async (t) => {
  const calendar = await watch(context);
  const next = 'another secret key that the tests know of';
  const during = { ...context, keyring: createKeyring(next, secretKey) };
  const again = { address: secretAddress, label: null };
  t.match(await addWatchedCalendar(during, actor, again), { outcome: 'exists' });
  t.match(await fetchWatchedCalendar(during, calendar.id), { last_error: null });
  await resealCalendarAddresses(during);
  const after = { ...context, keyring: createKeyring(next) };
  t.match(await addWatchedCalendar(after, actor, again), { outcome: 'exists' });
  t.match(await fetchWatchedCalendar(after, calendar.id), { last_error: null });
  t.equal(reader.requests.length, 3);
  for (const { address } of reader.requests) t.equal(address, secretAddress);

  t.match(await fetchWatchedCalendar(context, calendar.id), { last_error: 'secret_lost' });
  t.equal(reader.requests.length, 3);
  await resealCalendarAddresses({ ...context, keyring: createKeyring(secretKey, 'x'.repeat(32)) });
  t.match(await fetchWatchedCalendar(after, calendar.id), { last_error: null }, 'it is kept');
});

t.test(
  'a busy time leaves holds and bookings alone, and the studio may still use its slot',
  async (t) => {
    const [pending, confirmed, first, second, third] = await someOpenSlots(context, 5);
    const held = await hold(context, pending!.date, pending!.timeSlot);
    const booked = await hold(context, confirmed!.date, confirmed!.timeSlot);
    await confirmCheckout(context, booked.token);
    const other = await hold(context, first!.date, first!.timeSlot);
    const before = await bookingRow(context, booked.booking.id);
    const closed = [pending, confirmed, second, third];
    reader.find(busyAt(closed.map((slot) => busyDuring(slot!))));
    await watch(context);
    t.strictSame(await bookingRow(context, booked.booking.id), before);
    t.equal((await bookingRow(context, held.booking.id)).status, 'pending');
    await confirmCheckout(context, held.token);
    t.equal((await bookingRow(context, held.booking.id)).status, 'confirmed');

    await context.board.refresh();
    const closedNow = { code: 'slot_unavailable', message: /^The studio is closed on/ };
    await t.rejects(hold(context, second!.date, second!.timeSlot), closedNow);
    const refused = { outcome: 'slot_unavailable', slotState: 'closed' };
    t.match(await moveCheckout(context, other.token, second!, 0), refused);
    t.match(await bookingRow(context, other.booking.id), { date: first!.date });
    const moved = await moveByStudio(context, actor, other.booking.id, second!);
    t.match(moved, { outcome: 'moved', schedule: 'busy' });
    const added = await addBooking(context, actor, third!, { name: 'Walk In' });
    t.match(added, { outcome: 'added', schedule: 'busy' });
  },
);
