import ICAL from 'ical.js';
import t from 'tap';
import { confirmCheckout, releaseCheckout } from '../../src/domain/checkout.js';
import { placeHold } from '../../src/domain/holds.js';
import { moveCheckout } from '../../src/domain/moves.js';
import { slotStartsAt, type Slot } from '../../src/calendar/slots.js';
import { shiftDatabaseClock } from '../support/clock.js';
import { callerNumber, holdRequest, someOpenSlots } from '../support/requests.js';
import { startService } from '../support/service.js';

const service = await startService(t);
const { app, context } = service;

async function hold(slot?: Slot) {
  const wanted = slot ?? (await someOpenSlots(context, 1))[0]!;
  const placed = await placeHold(context, callerNumber(1), holdRequest(wanted), null);
  return { booking: placed.booking, token: placed.checkoutToken, slot: wanted };
}

async function confirmed(slot?: Slot) {
  const held = await hold(slot);
  await confirmCheckout(context, held.token);
  return held;
}

async function readFile(token: string) {
  const answer = await app.inject(`/checkout/${token}/calendar.ics`);
  t.equal(answer.statusCode, 200);
  // ical.js would prefer its own time zones to those of the file.
  ICAL.TimezoneService.reset();
  const root = new ICAL.Component(ICAL.parse(answer.body) as unknown[]);
  const zone = root.getFirstSubcomponent('vtimezone');
  if (zone !== null) ICAL.TimezoneService.register(zone);
  const event = new ICAL.Event(root.getFirstSubcomponent('vevent')!);
  const valueOf = (name: string) => String(event.component.getFirstPropertyValue(name));
  return { answer, root, event, valueOf, start: event.startDate.toJSDate().getTime() };
}

t.test('the file of a confirmed session has its summary, time and place', async (t) => {
  const { booking, token } = await confirmed();
  const { answer, root, event, valueOf, start } = await readFile(token);
  t.match(answer.headers, {
    'content-type': /^text\/calendar/,
    'content-disposition': /session\.ics/,
    'cache-control': 'no-store',
  });
  const { body } = answer;
  t.notMatch(body, /[^\r]\n/, 'lines end in CRLF, as RFC 5545 requires');
  const isFolded = body.split('\r\n').every((line) => Buffer.byteLength(line) <= 75);
  t.ok(isFolded, 'lines are folded');
  t.equal(root.getFirstPropertyValue('version'), '2.0');
  t.equal(root.getFirstPropertyValue('method'), 'PUBLISH');
  t.equal(event.uid, booking.id);
  t.equal(event.summary, 'Session at Night Heron Tattoo');
  t.match(event.location, '418 SE Alder Row, Portland, OR 97214');
  t.match(event.description, `http://studio.test/checkout/${token}`);
  t.match(event.description, 'You must be 18 or older');
  t.equal(event.startDate.zone.tzid, 'America/Los_Angeles');
  t.equal(start, Date.parse(booking.starts_at_text));
  t.strictSame(['status', 'class'].map(valueOf), ['CONFIRMED', 'PRIVATE']);
  t.match(body, /DTSTAMP:\d{8}T\d{6}Z\r\n/, 'the stamp is in UTC');
  for (const personal of ['Ada', 'ada@example.com', '5555550142']) t.notMatch(body, personal);
});

t.test('a booking that was never confirmed has no calendar file', async (t) => {
  const { token } = await hold();
  const status = async (path: string) => (await app.inject(path)).statusCode;
  t.equal(await status(`/checkout/${token}/calendar.ics`), 404, 'a hold has none');
  await releaseCheckout(context, token, 'pending');
  t.equal(await status(`/checkout/${token}/calendar.ics`), 404, 'a released hold has none');
  t.equal(await status('/checkout/unknown/calendar.ics'), 404);
});

t.test('a moved, then a cancelled session replaces the former in the calendar', async (t) => {
  const { booking, token } = await confirmed();
  const before = await readFile(token);
  await service.shiftClock(60_000);
  const [slot] = await someOpenSlots(context, 1);
  await moveCheckout(context, token, slot!, 1);
  const moved = await readFile(token);
  t.equal(moved.start, slotStartsAt('America/Los_Angeles', slot!.date, slot!.timeSlot).epochMs);
  t.ok(moved.valueOf('dtstamp') > before.valueOf('dtstamp'));
  await releaseCheckout(context, token, 'confirmed');
  const cancelled = await readFile(token);
  t.equal(cancelled.valueOf('status'), 'CANCELLED');
  const files = [before, moved, cancelled];
  t.strictSame([...new Set(files.map(({ event }) => event.uid))], [booking.id]);
  const [first, second, third] = files.map(({ event }) => event.sequence) as [
    number,
    number,
    number,
  ];
  t.ok(first < second && second < third, `${first}, ${second}, ${third}`);
});

t.test('the session ends when the next one begins, or when the studio closes', async (t) => {
  const slots = (await someOpenSlots(context, 20)).filter(
    ({ date }) => new Date(date).getUTCDay() !== 0,
  );
  for (const [timeSlot, hours] of [
    ['9:00 AM', 4],
    ['1:00 PM', 4],
    ['5:00 PM', 3],
  ] as const) {
    const { token } = await confirmed(slots.find((each) => each.timeSlot === timeSlot));
    const { event } = await readFile(token);
    t.equal(event.duration.toSeconds() / 3600, hours, timeSlot);
  }
});

t.test('the time is right in every zone, before and after clocks change', async (t) => {
  await shiftDatabaseClock(context.database, Date.parse('2027-01-04T00:00:00Z') - Date.now());
  const zones: Record<string, string[]> = {
    'America/Los_Angeles': ['2027-03-13', '2027-03-14', '2027-06-01'],
    'Europe/London': ['2027-03-27', '2027-03-28'],
    'Australia/Lord_Howe': ['2027-04-03', '2027-04-04'],
    'Asia/Kathmandu': ['2027-02-02'],
    'America/Phoenix': ['2027-06-01'],
    UTC: ['2027-02-02'],
  };
  const allWeek = [1, 2, 3, 4, 5, 6, 7];
  await context.database.deleteFrom('weekly_sessions').execute();
  await context.database
    .insertInto('weekly_sessions')
    .values(allWeek.map((weekday) => ({ weekday, time_slot: '9:00 AM' as const })))
    .execute();
  for (const [timezone, dates] of Object.entries(zones)) {
    await context.database.updateTable('studio').set({ timezone }).execute();
    await context.board.refresh();
    for (const date of dates) {
      const { token } = await confirmed({ date, timeSlot: '9:00 AM' });
      const { event, start } = await readFile(token);
      t.equal(start, slotStartsAt(timezone, date, '9:00 AM').epochMs, `${timezone} ${date}`);
      t.equal(event.startDate.hour, 9, `${timezone} ${date} on the studio's clock`);
      await releaseCheckout(context, token, 'confirmed');
    }
  }
});
