import pg from 'pg';
import t, { type Test } from 'tap';
import { openWithCode, sendCode } from '../../src/domain/booking/codes.js';
import { listBookings, readBookingRecord } from '../../src/domain/studio/booking-record.js';
import { moveByStudio } from '../../src/domain/studio/bookings.js';
import { fetchDueCalendars } from '../../src/domain/studio/calendar-fetches.js';
import { listConflicts, recordConflicts } from '../../src/domain/studio/conflicts.js';
import { readStudioDays } from '../../src/domain/studio/days.js';
import { listStudioMails } from '../../src/domain/studio/lists.js';
import { readMonthFigures } from '../../src/domain/studio/month-figures.js';
import { readNews } from '../../src/domain/studio/news.js';
import { recordNoShow } from '../../src/domain/studio/no-show.js';
import { fetchWatchedCalendar } from '../../src/domain/studio/watched-calendars.js';
import { followZoneData } from '../../src/domain/studio/zone-data.js';
import { slotKey } from '../../src/schedule/slots.js';
import { createCheckoutToken } from '../../src/secrets/tokens.js';
import { agent, checkoutTokenOf } from '../support/agents.js';
import { failCalendar, insertCalendar, setBusy } from '../support/busy-calendars.js';
import { moveCheckout } from '../support/checkouts.js';
import { addPerson } from '../support/console.js';
import { createTestDatabase, watchStatements, type Statement } from '../support/database.js';
import { addFeed, readFeed } from '../support/feeds.js';
import { pressOn } from '../support/forms.js';
import { writeHistory } from '../support/history.js';
import { answer, startReceiver } from '../support/receiver.js';
import { callerNumber, someOpenSlots } from '../support/requests.js';
import { startSmtp } from '../support/smtp.js';
import { watch } from '../support/watched-calendars.js';
import { startWebhookService, type WebhookService } from '../support/webhooks.js';
import { dataAs } from '../support/zone-data.js';

const scan = /Seq Scan on (bookings|events|webhook_deliveries|mails|busy_intervals)\b/;
/** Enough rows for PostgreSQL to prefer an index over a sequential scan. */
const bookings = 6_000;
/** Deletions of old data, and switching mail on, may scan a table: they are rare. */
const isRare = ({ text }: Statement): boolean =>
  /name is not null|delete from (webhook_deliveries|mails)|'mail_off'/.test(text);

t.test('no statement of daily work scans a large table sequentially', async (t) => {
  const { connectionString } = await createTestDatabase(t);
  const database = new pg.Client({ connectionString });
  await database.connect();
  t.teardown(() => database.end());
  const smtp = await startSmtp(t);
  const service = await startWebhookService(t, {
    DATABASE_URL: connectionString,
    SMTP_URL: smtp.url,
    MAIL_FROM: 'booking@nightheron.example',
  });
  await writeHistory(database, bookings);
  await writeBusyIntervals(database);

  const statements = record(service.context.pool);
  await runDailyWork(t, service);
  // Of the move two, of what was added, its conflict and the calendar one each; the others may have been
  // overtaken.
  await smtp.waitFor(5);
  t.ok(statements.size > 20, 'the statements are recorded');

  const scansOf = async ({ text, values }: Statement) => {
    const { rows } = await database.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
    return rows.map((row) => row['QUERY PLAN']).filter((line) => scan.test(line));
  };
  t.equal((await scansOf({ text: 'select data from events', values: [] })).length, 1);
  for (const statement of statements.values()) {
    if (isRare(statement)) continue;
    t.same(await scansOf(statement), [], statement.text.replace(/\s+/g, ' ').trim().slice(0, 120));
  }
});

/** Ten calendars that are busy three times a day until the horizon, and were in the past half year. */
async function writeBusyIntervals(database: pg.Client): Promise<void> {
  await database.query(`
    insert into watched_calendars (label, host, address_sealed, address_hash, created_at, next_fetch_at)
    select 'Calendar', 'example.com', '', int8send(number), booking_now(),
      booking_now() + interval '1 year'
    from generate_series(1, 9) as number`);
  await database.query(`
    insert into busy_intervals (calendar_id, starts_at, ends_at)
    select id, starts_at, starts_at + interval '10 minutes'
    from watched_calendars, generate_series(
      booking_now() - interval '180 days', booking_now() + interval '180 days', interval '8 hours'
    ) as starts_at
    -- Some slots stay open.
    where extract(day from starts_at) <= 5`);
  await database.query('vacuum analyze');
}

/** Records every statement that is sent through the pool, by its text. */
function record(pool: pg.Pool): Map<string, Statement> {
  const statements = new Map<string, Statement>();
  watchStatements(pool, (statement) => {
    if (/^\s*(select|insert|update|delete|with)\b/i.test(statement.text)) {
      statements.set(statement.text, statement);
    }
  });
  return statements;
}

/** The requests of agents, people and subscribers, and the background work that follows. */
async function runDailyWork(t: Test, service: WebhookService): Promise<void> {
  const { app, context } = service;
  const receiver = await startReceiver();
  t.teardown(() => receiver.close());
  const subscriber = await service.subscribe(receiver);
  // As if the service had run in the year of the history.
  await service.shiftClock(0);
  const { sweeper } = await service.startBackground();

  const texts = ['20301201', '20301202'].map((date) => answer(200, {}, calendarOf(date)));
  const calendar = await startReceiver(...texts);
  t.teardown(() => calendar.close());
  const watched = await watch(context, `${calendar.origin}/ada.ics`);
  t.match(await fetchWatchedCalendar(context, watched.id), { last_error: null });
  await fetchDueCalendars(context);

  const [first, second, third, ...others] = await someOpenSlots(context, 8);
  const { hold } = agent(app, { address: callerNumber(7).address });
  const held: { id: string; token: string }[] = [];
  for (const slot of [first!, second!, third!]) {
    const answer = await hold(slot, slotKey(slot));
    t.equal((await hold(slot, slotKey(slot))).headers['idempotency-replayed'], 'true');
    const { id } = answer.json<{ data: { id: string } }>().data;
    t.equal((await app.inject(`/api/public/bookings/${id}`)).statusCode, 200);
    held.push({ id, token: checkoutTokenOf(answer) });
  }
  t.equal((await hold(first!, 'another')).statusCode, 409);
  const cookie = `hold=${held[0]!.token}; form-00000000=a form`;
  t.match((await app.inject({ url: '/book', headers: { cookie } })).body, 'own-hold');

  await moveCheckout(context, held[0]!.token, others[0]!, 0);
  for (const [index, action] of ['confirm', 'release'].entries()) {
    const path = `/checkout/${held[index]!.token}`;
    t.equal((await app.inject(path)).statusCode, 200);
    t.equal((await pressOn(service, path, action)).statusCode, 303, action);
  }
  const confirmed = { id: held[0]!.id };
  const browser = createCheckoutToken();
  t.match(await sendCode(context, confirmed, 'confirmed', browser, callerNumber(7)), {
    outcome: 'sent',
  });
  t.match(await openWithCode(context, confirmed, 'confirmed', browser, '000000'), {
    outcome: /code_invalid|opened/,
  });
  const actor = 'test';
  t.match(await moveByStudio(context, actor, held[0]!.id, others[1]!), { outcome: 'moved' });
  const { id, starts_at: startsAt } = await addPerson(service, others[2]!);
  // What the studio's console reads all day.
  t.match(await readBookingRecord(context, id), { hasBegun: false });
  const { date: from } = others[0]!;
  await listBookings(context, { from, statuses: ['pending', 'confirmed'] }, { limit: 50 });
  await readStudioDays(context, { count: 7 });
  await readNews(context, { name: 'Ada', isLook: true, artistId: null });
  await readMonthFigures(context, 'America/Los_Angeles', [], null);
  // What calendar programs read every few minutes.
  await readFeed(service, (await addFeed(context, true)).path);
  // A watched calendar that is busy during a session, and cannot be read later.
  const calendarId = await insertCalendar(context);
  await setBusy(context, calendarId, [startsAt.getTime(), startsAt.getTime() + 1]);
  t.equal(await context.database.transaction().execute(recordConflicts), 1);
  t.match(await listConflicts(context), [{ booking: { id } }]);
  t.ok(await followZoneData(context, dataAs('America/Denver')));
  await failCalendar(context, calendarId);
  await listStudioMails(context, {}, { limit: 50 });
  t.equal((await hold(first!, slotKey(first!))).headers['idempotency-replayed'], 'true');
  await service.untilDelivery(
    subscriber,
    ({ type, status }) => type === 'booking.confirmed' && status === 'delivered',
  );
  await service.shiftClock(context.config.holdLifetimeSeconds * 1_000 + 1);
  await sweeper.sweep();
  await service.untilDelivery(subscriber, ({ type }) => type === 'hold.expired');

  await service.shiftClock(startsAt.getTime() - Date.now());
  for (const undo of [false, true]) {
    t.match(await recordNoShow(context, actor, id, { undo }), { outcome: 'recorded' });
  }
}

/** A calendar with an all-day event, and with one that may be a booking of ours. */
function calendarOf(date: string): string {
  const uid = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';
  const event = (id: string) =>
    `BEGIN:VEVENT\r\nUID:${id}\r\nDTSTART;VALUE=DATE:${date}\r\nEND:VEVENT\r\n`;
  return `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${event('x')}${event(uid)}END:VCALENDAR\r\n`;
}
