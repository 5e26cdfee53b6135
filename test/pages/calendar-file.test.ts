import ICAL from 'ical.js';
import t from 'tap';
import { confirmCheckout, releaseCheckout } from '../../src/domain/checkout.js';
import { placeHold } from '../../src/domain/holds.js';
import { moveCheckout } from '../../src/domain/moves.js';
import { slotStartsAt, type Slot } from '../../src/calendar/slots.js';
import { shiftDatabaseClock } from '../support/clock.js';
import { callerNumber, holdRequest, someOpenSlots } from '../support/requests.js';
import { startTestService, type TestService } from '../support/service.js';

async function hold({ context }: TestService, slot?: Slot) {
  const wanted = slot ?? (await someOpenSlots(context, 1))[0]!;
  const placed = await placeHold(context, callerNumber(1), holdRequest(wanted), null);
  return { booking: placed.booking, token: placed.checkoutToken, slot: wanted };
}

async function readFile({ app }: TestService, token: string) {
  const answer = await app.inject(`/checkout/${token}/calendar.ics`);
  t.equal(answer.statusCode, 200);
  // ical.js would prefer its own time zones to those of the file.
  ICAL.TimezoneService.reset();
  const root = new ICAL.Component(ICAL.parse(answer.body) as unknown[]);
  const zone = root.getFirstSubcomponent('vtimezone');
  if (zone !== null) ICAL.TimezoneService.register(zone);
  const event = new ICAL.Event(root.getFirstSubcomponent('vevent')!);
  return { answer, root, event, component: event.component };
}

void t.test('the file of a confirmed session has its summary, time and place', async (t) => {
  const service = await startTestService(t);
  const { booking, token } = await hold(service);
  await confirmCheckout(service.context, token);
  const { answer, root, event, component } = await readFile(service, token);

  t.match(answer.headers, {
    'content-type': /^text\/calendar/,
    'content-disposition': /session\.ics/,
    'cache-control': 'no-store',
  });
  t.notMatch(answer.body, /[^\r]\n/, 'lines end in CRLF, as RFC 5545 requires');
  t.ok(
    answer.body.split('\r\n').every((line) => Buffer.byteLength(line) <= 75),
    'lines are folded',
  );
  t.equal(root.getFirstPropertyValue('version'), '2.0');
  t.equal(root.getFirstPropertyValue('method'), 'PUBLISH');
  t.equal(event.uid, booking.id);
  t.equal(event.summary, 'Session at Night Heron Tattoo');
  t.match(event.location, '418 SE Alder Row, Portland, OR 97214');
  t.match(event.description, `http://studio.test/checkout/${token}`);
  t.match(event.description, 'You must be 18 or older');
  t.equal(event.startDate.zone.tzid, 'America/Los_Angeles');
  t.equal(event.startDate.toJSDate().getTime(), Date.parse(booking.starts_at_text));
  t.equal(component.getFirstPropertyValue('status'), 'CONFIRMED');
  t.equal(component.getFirstPropertyValue('class'), 'PRIVATE');
  t.match(answer.body, /DTSTAMP:\d{8}T\d{6}Z\r\n/, 'the stamp is in UTC');
  for (const personal of ['Ada', 'ada@example.com', '5555550142'])
    t.notMatch(answer.body, personal);
});

void t.test('a booking that was never confirmed has no calendar file', async (t) => {
  const service = await startTestService(t);
  const { token } = await hold(service);
  const status = async (path: string) => (await service.app.inject(path)).statusCode;
  t.equal(await status(`/checkout/${token}/calendar.ics`), 404, 'a hold has none');
  await releaseCheckout(service.context, token, 'pending');
  t.equal(await status(`/checkout/${token}/calendar.ics`), 404, 'a released hold has none');
  t.equal(await status('/checkout/unknown/calendar.ics'), 404);
});

void t.test('a cancelled session replaces the confirmed one in the calendar', async (t) => {
  const service = await startTestService(t);
  const { token } = await hold(service);
  await confirmCheckout(service.context, token);
  const confirmed = await readFile(service, token);
  await releaseCheckout(service.context, token, 'confirmed');
  const cancelled = await readFile(service, token);
  t.equal(cancelled.event.uid, confirmed.event.uid);
  t.ok(cancelled.event.sequence > confirmed.event.sequence);
  t.equal(cancelled.component.getFirstPropertyValue('status'), 'CANCELLED');
});

void t.test('a moved session replaces the former time in the calendar', async (t) => {
  const service = await startTestService(t);
  const { context } = service;
  const { booking, token } = await hold(service);
  await confirmCheckout(context, token);
  const before = await readFile(service, token);
  await service.shiftClock(60_000);
  const [slot] = await someOpenSlots(context, 1);
  await moveCheckout(context, token, slot!, 1);
  const after = await readFile(service, token);
  t.equal(after.event.uid, booking.id);
  t.ok(after.event.sequence > before.event.sequence);
  const start = slotStartsAt('America/Los_Angeles', slot!.date, slot!.timeSlot).epochMs;
  t.equal(after.event.startDate.toJSDate().getTime(), start);
  const stampOf = (file: typeof after): string =>
    String(file.component.getFirstPropertyValue('dtstamp'));
  t.ok(stampOf(after) > stampOf(before), `${stampOf(before)}, then ${stampOf(after)}`);
});

void t.test(
  'the time is right in every zone, before and after daylight-saving changes',
  async (t) => {
    const service = await startTestService(t);
    const { context } = service;
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
        const { token } = await hold(service, { date, timeSlot: '9:00 AM' });
        await confirmCheckout(context, token);
        const { event } = await readFile(service, token);
        const start = slotStartsAt(timezone, date, '9:00 AM').epochMs;
        t.equal(event.startDate.toJSDate().getTime(), start, `${timezone} ${date}`);
        t.equal(event.startDate.hour, 9, `${timezone} ${date} on the studio's clock`);
        await releaseCheckout(context, token, 'confirmed');
      }
    }
  },
);

void t.test('the session ends when the next one begins, or when the studio closes', async (t) => {
  const service = await startTestService(t);
  const { context } = service;
  const slots = await someOpenSlots(context, 20);
  const lengths: Record<string, number> = {};
  for (const timeSlot of ['9:00 AM', '1:00 PM', '5:00 PM'] as const) {
    const slot = slots.find((each) => each.timeSlot === timeSlot && !isSunday(each))!;
    const { token } = await hold(service, slot);
    await confirmCheckout(context, token);
    const { event } = await readFile(service, token);
    lengths[timeSlot] = event.duration.toSeconds() / 3600;
  }
  t.strictSame(lengths, { '9:00 AM': 4, '1:00 PM': 4, '5:00 PM': 3 });
});

function isSunday({ date }: Slot): boolean {
  return new Date(date).getUTCDay() === 0;
}
