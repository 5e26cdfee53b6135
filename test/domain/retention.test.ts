import { sql } from 'kysely';
import t from 'tap';
import { cancelByStudio } from '../../src/domain/studio/cancellation.js';
import { createRetention } from '../../src/domain/studio/retention.js';
import { jumpDatabaseClock, shiftDatabaseClock } from '../support/clock.js';
import { signedIn } from '../support/console.js';
import { holdForPerson, sessionForPerson } from '../support/holds.js';
import { insertMail } from '../support/mail-rows.js';
import { startNeighbour, startService } from '../support/service.js';
import { findingOf, studioOn } from '../support/studio.js';

const service = await startService(t);
const { context } = service;
const { database } = context;
const studio = studioOn(context);
const heldBack = /nothing is deleted by age/;
const dayMs = 86_400_000;

const jump = async (days: number) => {
  await jumpDatabaseClock(database, days * dayMs);
  await context.board.refresh();
};

/** How many rows there are of each kind that is deleted, or erased, because of its age. */
async function countRows() {
  const { rows } = await sql`
    select (select count(*) from bookings where name is not null)::int as persons,
      (select count(*) from api_keys)::int as keys, (select count(*) from mails)::int as mails,
      (select count(*) from webhook_deliveries)::int as deliveries,
      (select count(*) from webhook_subscriptions)::int as subscriptions,
      (select count(*) from console_visits)::int as visits`.execute(database);
  return rows[0];
}

/** A row of each kind that is past its time in a year: two persons, one with a session to come. */
async function fill() {
  await sql`
    truncate events, bookings, api_keys, mails, webhook_subscriptions, webhook_deliveries,
      console_visits, audit_log cascade`.execute(database);
  await sql`delete from installation where name = 'deletions_held_after'`.execute(database);
  await shiftDatabaseClock(database, 0);
  await context.board.refresh();
  const { id } = await sessionForPerson(service);
  await cancelByStudio(context, 'test', (await holdForPerson(service)).id);
  await insertMail(context, id);
  await sql`
    update events set dispatched_at = booking_now();
    insert into api_keys (key_hash, email, created_at, revoked_at)
      values (sha256('1'), 'ada@keys.example', booking_now(), booking_now());
    insert into webhook_subscriptions (url, target_host, events, signing_secret_sealed,
        manage_token_hash, caller_hash, created_at, disabled_at, disabled_reason)
      select 'https://hook.example', 'hook.example', '{booking.confirmed}', '', sha256(name::bytea), caller,
        booking_now(), ends_at, reason
      from (values ('1', ''::bytea, null, null), ('2', null, booking_now(), 'studio'))
        as each (name, caller, ends_at, reason);
    insert into webhook_deliveries (event_id, subscription_id, status, attempts, last_attempt_at)
      select events.id, subscription.id, 'delivered', 1, booking_now()
      from (select id from events limit 1) as events, webhook_subscriptions as subscription
      where disabled_at is null;
    insert into console_visits values ('Grace', booking_now())`.execute(database);
  const full = { persons: 2, keys: 1, mails: 1, deliveries: 1, subscriptions: 2, visits: 1 };
  t.strictSame(await countRows(), full);
  return full;
}

const emptied = { persons: 0, keys: 0, mails: 0, deliveries: 0, subscriptions: 1 };

t.test('a clock that is set a year ahead deletes nothing until a command resumes it', async (t) => {
  service.expectLog(heldBack);
  const full = await fill();
  t.match(await findingOf(studio, 'retention'), { status: 'ok' });
  // Lapses at once by a wrong clock, which is an event of that time.
  await holdForPerson(service);
  await jump(395);
  const background = await service.startBackground();
  t.match(await countRows(), { ...full, persons: 3 });
  await background.sweeper.sweep();
  await background.stop();
  const warnings = service.logLines.filter((line) => heldBack.test(line));
  t.equal(warnings.length, 1, 'once a night');
  t.match(JSON.parse(warnings[0]!), { level: 'warn', night: /^20\d\d-/, known: /^20\d\d-/ });
  t.match(await findingOf(studio, 'retention'), {
    status: 'warning',
    message: /^Nothing is deleted by age: .* run "studio retention resume"\.$/,
  });
  const ada = await signedIn(service);
  t.match(ada.text('.notice'), /^Nothing is deleted by age: .* studio retention resume/);

  // Nor does another start on a later day believe the events that have that clock.
  await jump(397);
  const later = await startNeighbour(t, context);
  t.equal(await createRetention(later).apply(), null);
  t.match(await countRows(), { ...full, persons: 3, visits: 2 });

  t.match(await studio('retention resume'), { code: 4, stderr: /Is 20\S+ right\?.*--yes/ });
  t.equal(await createRetention(later).apply(), null);
  t.match(await studio('retention resume --yes'), { code: 0, stdout: /within a minute/ });
  t.match((await studio('audit list --json')).json(), [{ action: 'retention resume' }]);
  t.match(await studio('retention resume --yes'), { code: 4, stderr: /No deletion is held back/ });
  t.equal(await createRetention(later).apply(), 3);
  t.match(await countRows(), { ...emptied, visits: 1 }, 'a look of today stays');
  t.match(await findingOf(studio, 'retention'), { status: 'ok' });
  await ada.open('/console');
  t.equal(ada.$('.notice').length, 0);
});

t.test('deleting resumes once a process has run for three days, and only then', async (t) => {
  service.expectLog(heldBack);
  const full = await fill();
  let uptimeMs = 0;
  const retention = createRetention(context, () => uptimeMs);
  const applyAfter = async (days: number, uptimeDays: number) => {
    await jump(days);
    uptimeMs = uptimeDays * dayMs;
    return retention.apply();
  };
  t.equal(await applyAfter(395, 0), null);
  t.equal(await applyAfter(400, 0.01), null, 'a clock that jumps on passes no nights');
  t.equal(await applyAfter(403, 2.99), null);
  t.equal(await applyAfter(500, 3.1), null, 'nor is it believed in the end');
  t.equal(await createRetention(context, () => 9 * dayMs).apply(), null, 'each process counts');
  t.equal(await applyAfter(502, 5.1), null);
  t.strictSame(await countRows(), full);
  t.equal(await applyAfter(503, 6.2), 2);
  t.match(await countRows(), { ...emptied, visits: 0 });
});

t.test('a clock that is set right deletes what is due, and no more', async (t) => {
  service.expectLog(heldBack);
  const full = await fill();
  const retention = createRetention(context);
  await jump(395);
  t.equal(await retention.apply(), null);
  await jump(0);
  t.equal(await retention.apply(), 0);
  t.strictSame(await countRows(), full);
  t.equal(await retention.apply(), null, 'the night is recorded');
  await jump(395);
  await sql`update events set occurred_at = booking_now() - interval '1 day'`.execute(database);
  t.equal(await retention.apply(), 2, 'events count again');
});

t.test('known is the last recorded night, or the newest event that is a day old', async (t) => {
  service.expectLog(heldBack);
  const apply = () => createRetention(context).apply();
  for (const [nights, event, result] of [
    [3, 300, 'deletes'],
    [4, 300, 'holds back'],
    [300, 3, 'deletes'],
    [300, 4, 'holds back'],
    [300, 0.9, 'holds back'],
    [null, 3, 'deletes'],
    [null, 4, 'holds back'],
    [-300, 3, 'deletes'],
    [-300, 4, 'holds back'],
  ] as const) {
    await fill();
    await sql`delete from installation where name = 'personal_data_erased_on'`.execute(database);
    await jump(nights === null ? 0 : 400 - nights);
    await sql`update events set occurred_at = booking_now() + interval '1000 days'`.execute(
      database,
    );
    if (nights !== null) await apply();
    await jump(400);
    await sql`
      update events set occurred_at = booking_now() - make_interval(secs => ${event * 86_400})
      where position = (select min(position) from events)`.execute(database);
    t.equal(await apply(), result === 'deletes' ? 2 : null, `${nights} nights, ${event} days`);
  }
});

t.test('the first night of a new database is recorded, and deletes nothing', async (t) => {
  await fill();
  await sql`delete from installation where name = 'personal_data_erased_on'`.execute(database);
  await sql`truncate events cascade`.execute(database);
  await jump(395);
  const retention = createRetention(context);
  t.equal(await retention.apply(), 0);
  t.match(await countRows(), { persons: 2, keys: 1, visits: 1 });
  t.equal(await retention.apply(), null);
});
