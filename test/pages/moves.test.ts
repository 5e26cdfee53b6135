import t from 'tap';
import { placeHold } from '../../src/domain/booking/holds.js';
import { moveByStudio } from '../../src/domain/studio/bookings.js';
import { correctByStudio } from '../../src/domain/studio/correction.js';
import { changeStudio } from '../../src/domain/studio/settings.js';
import { slotOf, type Slot } from '../../src/schedule/slots.js';
import { sessionOf } from '../../src/schedule/times.js';
import { timeOfDay } from '../../src/schedule/words.js';
import { bookingRow, sessionText } from '../support/bookings.js';
import { confirmCheckout } from '../support/checkouts.js';
import { standingClock, stopDatabaseClock } from '../support/clock.js';
import { pressOn } from '../support/forms.js';
import { holdForPerson, sessionForPerson } from '../support/holds.js';
import { moveUrl } from '../support/pages.js';
import { callerNumber, everyOpenSlot, holdRequest, someOpenSlots } from '../support/requests.js';
import { originMismatch } from '../support/service-log.js';
import { generous, startService, type TestService } from '../support/service.js';
import { visitor, type Visitor } from '../support/visitor.js';

const service = await startService(t);
service.expectLog(originMismatch);
const standing = await startService(t, generous, { overrides: { clock: standingClock() } });

/** A booking, the path of its page, and a person who reads there. */
async function booked(service: TestService, isConfirmed = true) {
  const { context } = service;
  const held = await (isConfirmed ? sessionForPerson : holdForPerson)(service);
  const path = `/checkout/${held.token}`;
  const person = visitor(service);
  const read = async (url = path) => {
    await person.open(url);
    return person.text('main');
  };
  const press = (slot: Slot, sequence: number, press: Parameters<typeof pressOn>[3] = {}) => {
    const { date, timeSlot: time_slot } = slot;
    const fields = { date, time_slot, sequence: String(sequence), ...press.fields };
    return pressOn(service, `${path}/move`, 'move', { ...press, fields });
  };
  const slotNow = async () => slotOf(await bookingRow(context, held.id));
  const at = async (instant: number) => {
    await stopDatabaseClock(context.database, instant);
    await context.board.refresh();
  };
  return { ...held, path, person, read, press, slotNow, at };
}

function offersHelp({ $ }: Visitor): boolean {
  const links = ['mailto:hello@nightheron.example', 'tel:+15555550100'];
  return links.every((href) => $(`main a[href="${href}"]`).length > 0);
}

t.test('a hold and a session move to the last open time in four presses', async (t) => {
  const { context } = service;
  for (const [isConfirmed, said] of [
    [false, 'You can still change the time 4 times while it is held'],
    [true, 'You can still move it once, until'],
  ] as const) {
    const { id, path, person, read, slot, slotNow } = await booked(service, isConfirmed);
    const before = await bookingRow(context, id);
    const last = (await everyOpenSlot(context)).at(-1)!;
    await read();
    await person.follow(isConfirmed ? 'Move to another time' : 'Choose another time');
    await person.open(person.$('.open-times nav li:last-child a').attr('href')!);
    const link = person.$(`main a[href="${moveUrl(path, last)}"]`);
    await person.open(link.attr('href')!);
    t.strictSame(await slotNow(), slot, 'nothing has changed yet');
    await person.press('Move to this time');
    t.equal(person.path, path);
    const { sequence, expires_at } = before;
    const status = isConfirmed ? 'confirmed' : 'pending';
    t.match(await bookingRow(context, id), { status, sequence: sequence + 1, expires_at });
    t.strictSame(await slotNow(), last);
    t.match(person.text('main'), said);
    t.match(person.text('main'), last.timeSlot);
    const isReplaced = /add it again: it replaces that entry/.test(person.text('main'));
    t.equal(isReplaced, isConfirmed, 'the calendar entry is to be replaced');
  }
});

t.test('a time that is taken in between is refused, and another can be had', async (t) => {
  const { context } = service;
  const { path, person, read, slot, slotNow } = await booked(service, false);
  const [wanted, other] = await someOpenSlots(context, 2);
  await read(moveUrl(path, wanted));
  await placeHold(context, callerNumber(2), holdRequest(wanted), null);
  t.equal(await person.press('Move to this time'), 409);
  t.equal(person.text('h1'), 'That time has been taken');
  t.match(person.text('.trouble'), 'Nothing is lost');
  t.strictSame(await slotNow(), slot);
  t.equal(person.$(`a[href="${moveUrl(path, wanted)}"]`).length, 0);
  await person.open(person.$(`a[href="${moveUrl(path, other)}"]`).attr('href')!);
  await person.press('Move to this time');
  t.equal(person.path, path);
  t.strictSame(await slotNow(), other);
});

t.test('a move by another site or with other fields is refused', async (t) => {
  const { context } = service;
  const { id, path, press } = await booked(service, false);
  const [slot] = await someOpenSlots(context, 1);
  const foreign = await press(slot, 0, { headers: { origin: 'https://evil.example' } });
  t.equal(foreign.statusCode, 403);
  const sequences = ['', '-1', '1e9'].map((sequence) => ({ sequence }));
  const times = [{ date: '2026-02-30' }, { time_slot: '10:00 AM' }];
  for (const fields of [{ action: 'confirm' }, ...times, ...sequences]) {
    const answer = await press(slot, 0, { fields });
    t.equal(answer.statusCode, 400, JSON.stringify(fields));
    t.match(answer.body, /We did not understand that/);
  }
  t.match(await bookingRow(context, id), { sequence: 0 });
  for (const answer of await Promise.all([press(slot, 0), press(slot, 0)])) {
    t.match(answer, { statusCode: 303, headers: { location: path } });
  }
  t.match(await bookingRow(context, id), { moves_while_pending: 1, sequence: 1 });
});

t.test(
  'a page that was opened before a move says so, and does nothing at the first press',
  async (t) => {
    const { context } = service;
    for (const [isConfirmed, button, status] of [
      [false, 'Confirm my session', 'confirmed'],
      [true, 'Cancel my session', 'cancelled'],
    ] as const) {
      const { id, person, read } = await booked(service, isConfirmed);
      await read();
      const before = (await bookingRow(context, id)).status;
      const [other] = await someOpenSlots(context, 1);
      await moveByStudio(context, 'test', id, other);
      await person.press(button);
      t.match(
        person.text('main [role=alert]'),
        `it is on ${sessionText(sessionOf(await bookingRow(context, id)))} P`,
      );
      t.equal((await bookingRow(context, id)).status, before);
      await person.press(button);
      t.equal((await bookingRow(context, id)).status, status);
    }
  },
);

t.test('a page that was opened before a correction says so, and shows the details', async (t) => {
  const { context } = service;
  const said = /The time, the place or the details of your booking have changed.*Nothing was done/;
  for (const isConfirmed of [false, true]) {
    const { id, path, person, read, slot, slotNow } = await booked(service, isConfirmed);
    const correct = (phone: string) => correctByStudio(context, 'test', id, { phone });
    const button = isConfirmed ? 'Cancel my session' : 'Confirm my session';
    await read();
    await correct('503 555 0177');
    t.equal(await person.press(button), 409);
    t.match(person.text('main [role=alert]'), said);
    t.match(person.text('.facts'), '77');
    const [other] = await someOpenSlots(context, 1);
    await read(moveUrl(path, other));
    await correct('503 555 0188');
    const { sequence } = await bookingRow(context, id);
    t.equal(await person.press('Move to this time'), 409);
    t.match(person.text('main [role=alert]'), said);
    t.strictSame(await slotNow(), slot);
    await person.press('Move to this time');
    t.strictSame(await slotNow(), other);
    t.match(await bookingRow(context, id), { sequence: sequence + 1, quiet_changes: 0 });
  }
});

t.test('once a hold has ended, its pages say so and move nothing', async (t) => {
  const { id, path, person, read, press, slot, slotNow, at } = await booked(standing, false);
  const [other] = await someOpenSlots(standing.context, 1);
  await at((await bookingRow(standing.context, id)).expires_at.getTime() + 1_000);
  t.match(await read(moveUrl(path, other)), 'It was not confirmed in time');
  t.equal(person.path, path);
  t.equal((await press(other, 0)).headers.location, path);
  t.strictSame(await slotNow(), slot);
});

t.test('a session moves until the second that its page names; then it says the rule', async (t) => {
  const { context } = standing;
  const { id, path, person, read, press, slot, slotNow, at } = await booked(standing);
  const { starts_at, timezone } = await bookingRow(context, id);
  const until = starts_at.getTime() - 24 * 3_600_000;
  const format = { timeZone: timezone, dateStyle: 'full', timeStyle: 'short' } as const;
  const named = new Intl.DateTimeFormat('en-US', format)
    .format(until)
    // The year of the session is not repeated.
    .replace(`, ${slot.date.slice(0, 4)}`, '')
    .replace(/\s/g, ' ');
  t.match(await read(), `You can still move it twice, until ${named} P`);
  await at(until + 1_000);
  const [other] = await someOpenSlots(context, 1);
  const rule = `You can move a session online until 24 hours before it begins. For yours, that was ${named}`;
  t.match(await read(), rule);
  t.notMatch(person.text('main'), 'Move to another time');
  t.ok(offersHelp(person));
  for (const url of [`${path}/move`, moveUrl(path, other)]) {
    t.match(await read(url), rule);
    t.equal(person.answer.statusCode, 409);
    t.ok(offersHelp(person));
  }
  t.match(await press(other, 1), { statusCode: 409, body: 'For yours, that was' });
  const plain = await press(other, 1, { headers: { accept: 'application/json' } });
  t.match(plain.json(), { error: { code: 'move_refused' } });
  t.strictSame(await slotNow(), slot);

  await at(until - 1_000);
  t.match(await read(), 'Move to another time');
  t.equal((await press(other, 1)).statusCode, 303);
  t.strictSame(await slotNow(), other);
});

t.test('after the last move the page says the limit and how to reach the studio', async (t) => {
  const service = await startService(t, { ...generous, MAX_MOVES: '1' });
  const { path, person, read, press } = await booked(service);
  t.match(await read(), 'You can still move it once, until');
  const [one, other] = await someOpenSlots(service.context, 2);
  t.match(await read(moveUrl(path, one)), 'you cannot move it online again');
  await press(one, 1);
  const rule = 'You can move a confirmed session online at most once, and you have done so.';
  for (const [url, status] of [
    [path, 200],
    [`${path}/move`, 409],
  ] as const) {
    t.match(await read(url), rule);
    t.equal(person.answer.statusCode, status);
    t.ok(offersHelp(person));
  }
  t.match(await press(other, 2), { statusCode: 409, body: rule });
});

t.test('the last moment of a move is named with its year, where it is another one', async (t) => {
  const yearAhead = { MOVE_NOTICE_HOURS: '8760', BOOKING_HORIZON_DAYS: '730' };
  const far = await startService(t, { ...generous, ...yearAhead });
  const { id, slot, read } = await booked(far);
  const yearBefore = ({ date }: Slot) => Number(date.slice(0, 4)) - 1;
  t.match(await read(), new RegExp(`For yours, that was [^.]+, ${yearBefore(slot)} at`));
  const last = (await everyOpenSlot(far.context)).at(-1)!;
  await moveByStudio(far.context, 'ada@desk', id, last);
  t.match(await read(), new RegExp(`twice, until [^.]+, ${yearBefore(last)} at`));
});

t.test('what holds after a move is told on the clocks of the studio’s new zone', async (t) => {
  const service = await startService(t);
  const { context } = service;
  const { id, token, path, read, press } = await booked(service, false);
  await changeStudio(context, 'ada@desk', { timezone: 'Asia/Tokyo' });
  const slot = (await someOpenSlots(context, 9)).at(-1)!;
  const { expires_at } = await bookingRow(context, id);
  const end = timeOfDay('Asia/Tokyo', expires_at.getTime()).replace(/\s/g, ' ');
  t.match(await read(moveUrl(path, slot)), `held for you until ${end}`);
  await confirmCheckout(context, token);
  const movableUntil = /you can still move it once, until ([^.]+? [AP]M)/i;
  const announced = movableUntil.exec(await read(moveUrl(path, slot)))?.[1];
  t.match(announced, slot.timeSlot);
  await press(slot, 1);
  t.equal(announced, movableUntil.exec(await read())?.[1], 'as the page says after the move');
});

t.test('the page of a hold says whether the session can be moved once confirmed', async (t) => {
  const { database, clock } = service.context;
  const { id, read } = await booked(service, false);
  t.match(await read(), 'Once it is confirmed, you can still move it twice, until ');
  const [starts_at, ends_at] = [23, 27].map((hours) => new Date(clock.now() + hours * 3_600_000));
  await database.updateTable('bookings').set({ starts_at, ends_at }).where('id', '=', id).execute();
  t.match(await read(), 'within 24 hours: once it is confirmed, you cannot move it online.');
});
