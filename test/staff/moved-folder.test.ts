import { cp, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import t, { type Test } from 'tap';
import { createApiKey } from '../../src/access/api-keys.js';
import { serviceTables } from '../../src/database/backup/tables.js';
import { environmentOf, everyRow, fill } from '../support/backup.js';
import { createEmptyDatabase, createTestDatabase, dropDatabase } from '../support/database.js';
import { query, startServer, temporaryFolder, until } from '../support/embedded.js';
import { addFeed } from '../support/feeds.js';
import { sessionForPerson } from '../support/holds.js';
import { insertMail } from '../support/mail-rows.js';
import { freePort, launch } from '../support/process.js';
import { bundledProgram } from '../support/project.js';
import { callerNumber } from '../support/requests.js';
import { generous } from '../support/service.js';
import { studioIn } from '../support/studio.js';
import { startWholeService } from '../support/whole-service.js';

/** Rows for the tables that `fill` leaves empty. */
const others = `
  insert into studio_addresses
    select '2030-01-01', street, city, region, postal_code, country from studio;
  insert into webhook_subscriptions
      (url, target_host, events, signing_secret_sealed, manage_token_hash, caller_hash,
      created_at)
    values ('https://hook.example/', 'hook.example', '{hold.created}', '\\x00ff', '', '', booking_now());
  insert into webhook_deliveries (event_id, subscription_id, status, attempts, last_attempt_at)
    select events.id, webhook_subscriptions.id, 'failed', 1, booking_now()
    from events, webhook_subscriptions;
  insert into api_keys (key_hash, email, created_at) values (sha256('1'), 'ada@keys.example', booking_now());
  insert into mails (event_id, booking_id, kind, recipient, sequence, created_at, status, ended_at)
    select events.id, booking_id, 'confirmation', 'person', 1, booking_now(), 'sent', booking_now()
    from events where booking_id is not null limit 1;
  insert into platforms values ('claude', '{192.0.2.0/24}', 60, 60, 60, 10, booking_now());
  insert into console_links values ('', 'Ada', booking_now(), booking_now() + interval '1 minute');
  insert into console_sessions (session_hash, name, signed_in_at, last_seen_at)
    values ('', 'Ada', booking_now(), booking_now());
  insert into console_visits values ('Ada', booking_now());
  insert into passkeys (credential_id, public_key, counter, transports, name, created_at)
    values ('a', '', 0, '{}', 'Ada', booking_now());
  insert into used_challenges values ('', booking_now());
  insert into watched_calendars
      (label, host, address_sealed, address_hash, created_at, next_fetch_at, unreadable)
    values ('Ada', 'host', '', '', booking_now(), booking_now(), null);
  insert into busy_intervals
    select id, booking_now(), booking_now() + interval '1 hour' from watched_calendars;
  insert into booking_conflicts select id, starts_at, booking_now() from bookings limit 1;
  insert into events_to_mail select id from events limit 1;
  insert into artists (slug, name, position) values ('jon', 'Jon', 2);
  insert into week_days (artist_id, weekday, sessions) select id, 1, '{9:00 AM}' from artists`;

/** A data folder with rows in every table, and the path of a checkout link of its service. */
async function filledFolder(t: Test) {
  const folder = await temporaryFolder(t);
  const environment = await environmentOf(join(folder, 'old'));
  const service = await startWholeService(t, environment);
  const { path } = await fill(service);
  await addFeed(service.context);
  await service.stop();
  const rows = await onFolder(t, environment, async (url) => {
    await query(url, others);
    await query(url, manyBookings);
    return everyRow(url);
  });
  for (const name of serviceTables) t.ok(rows[name]!.length > 0, `${name} has a row`);
  return { environment, path, rows };
}

async function onFolder<Result>(
  t: Test,
  { DATA_DIR: dataDir }: { DATA_DIR: string },
  work: (url: string) => Promise<Result>,
): Promise<Result> {
  const server = await startServer(t, dataDir);
  return work(server.connectionString).finally(() => server.stop());
}

/** Rows for 997 more bookings: a session of each day, confirmed or cancelled. */
const manyBookings = `
  insert into bookings
  select (jsonb_populate_record(bookings, jsonb_build_object(
    'id', gen_random_uuid(), 'idempotency_scope', null, 'idempotency_key', null, 'date', date + day, 'label', 'Session ' || day,
    'status', case day % 2 when 0 then 'confirmed' else 'cancelled' end,
    'cancelled_at', case day % 2 when 0 then null else created_at end,
    'starts_at', starts_at + day * interval '1 day', 'ends_at', ends_at + day * interval '1 day',
    'checkout_token_hash', sha256(day::text::bytea)))).*
  from bookings, generate_series(1, 997) as day where status = 'confirmed'`;

void t.test(
  'a move of 1,000 bookings may be repeated after each kill, doubles nothing, and marks the folder at its end',
  async (t) => {
    const { environment, path, rows } = await filledFolder(t);
    const { DATA_DIR: dataDir } = environment;
    t.equal(rows['bookings']!.length, 1_000);
    const { connectionString: url } = await createTestDatabase(t);
    const secret = (await readFile(join(dataDir, 'secret-key'), 'utf8')).trim();
    const server = { ...generous, DATABASE_URL: url, SECRET_KEY: secret };
    const studio = studioIn(server);
    const move = ['restore', '--from', dataDir, '--yes', '--json'] as const;
    const empty = await everyRow(url);
    const isMarked = () => stat(join(dataDir, 'moved-to')).then(Boolean, () => false);
    const blocker = new pg.Client({ connectionString: url });
    await blocker.connect();
    t.teardown(() => blocker.end());

    /** Kills a move while it waits for the test, where `statements` on the server make it wait. */
    const killWaiting = async (lock: string, statements: string, undo: string) => {
      await query(url, statements);
      await blocker.query(`begin; ${lock}`);
      const { end } = launch(t, server, [bundledProgram('studio'), ...move]);
      const waits = `select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      await until(async () => (await query(url, waits)).length > 0);
      await end('SIGKILL');
      await blocker.query('rollback');
      await until(async () => (await query(url, waits)).length === 0);
      await query(url, undo);
    };
    const wait = `create or replace function wait() returns boolean language plpgsql as
      'begin perform pg_advisory_xact_lock_shared(42); return true; end'`;
    const key = 'select pg_advisory_xact_lock(42)';

    await killWaiting('lock table mails', '', '');
    t.strictSame(await everyRow(url), empty, 'killed before its first row, it leaves nothing');
    const within = `${wait}; alter table bookings add constraint waits check (wait() or id is null)`;
    await killWaiting(key, within, 'alter table bookings drop constraint waits');
    t.strictSame(await everyRow(url), empty, 'nor does it in the middle of a table');
    t.notOk(await isMarked());

    const atTheEnd = `create or replace function wait_for() returns trigger language plpgsql as
        'begin perform pg_advisory_xact_lock_shared(42); return new; end';
      create trigger waits before insert on audit_log for each row execute function wait_for()`;
    await killWaiting(key, atTheEnd, 'drop trigger waits on audit_log');
    t.ok(await isMarked(), 'once all rows are there, nothing starts on the folder');
    const unfinished = /move of a data folder to this database is not finished/;
    await t.rejects(startWholeService(t, server), unfinished, 'nor yet on the server');
    t.match(await studio('closures', 'add', '2999-06-01'), { code: 1, stderr: unfinished });
    t.match(await studio('doctor'), { code: 5, stdout: unfinished });
    const addClosure = `insert into closures (from_date, to_date) values ('2031-01-01', '2031-01-01')`;
    await query(url, addClosure);
    t.match(await studio(...move), { code: 4, stderr: /in use/ }, 'what others add is not lost');
    await query(url, `delete from closures where from_date = '2031-01-01'`);

    const done = await studio(...move);
    t.match(done, { code: 0, stderr: '' });
    t.match(done.json(), { rows: { bookings: 1_000 }, checksums: { bookings: /^1000 -?\d+$/ } });
    const { audit_log: audit, events, ...moved } = await everyRow(url);
    const { audit_log: auditBefore, events: eventsBefore, ...others } = rows;
    t.strictSame(moved, others, 'sign-ins, links, mails and what is not mailed yet are kept');
    for (const [after, before] of [
      [audit!, auditBefore!],
      [events!, eventsBefore!],
    ] as const) {
      t.equal(after.length, before.length + 1);
      for (const row of before) t.ok(after.includes(row));
    }

    t.match(await studio(...move), { code: 0, stdout: /already_moved/ });
    const refused = /have moved to .*set DATABASE_URL.*To go back.*moved-to/;
    await t.rejects(startWholeService(t, environment), { message: refused });
    t.match(await studioIn(environment)('bookings list'), { code: 1, stderr: refused });
    const elsewhere = { ...server, DATABASE_URL: (await createTestDatabase(t)).connectionString };
    t.match(await studioIn(elsewhere)(...move), { code: 1, stderr: refused });
    t.notMatch(await readFile(join(dataDir, 'moved-to'), 'utf8'), new URL(url).password);

    const { app } = await startWholeService(t, server);
    t.equal((await app!.inject(path)).statusCode, 200, 'checkout links work');
    t.match(await studio('closures', 'add', '2999-06-01'), { code: 0 });
    t.match((await studio('audit list --json')).json(), [
      {},
      { action: 'restore', details: { moved: true } },
    ]);

    await rm(join(dataDir, 'moved-to'));
    t.match(await studio(...move), { code: 4, stderr: /in use/ });
    const untouched = await onFolder(t, environment, everyRow);
    t.strictSame(untouched, rows, 'without the mark, the folder is as it was');
  },
);

void t.test('a folder moves into another one with its bookings, keys and reminders', async (t) => {
  const folder = await temporaryFolder(t);
  const environment = await environmentOf(join(folder, 'old'));
  const { DATA_DIR: dataDir } = environment;
  const target = { ...environment, DATA_DIR: join(folder, 'new') };
  const { context, stop } = await startWholeService(t, environment);
  const { id, token } = await sessionForPerson({ context });
  await createApiKey(context, callerNumber(1), { email: 'ada@keys.example' });
  const tomorrow = new Date(context.clock.now() + 86_400_000);
  const reminder = { kind: 'reminder', status: 'pending', next_attempt_at: tomorrow } as const;
  await insertMail(context, id, reminder);
  await stop();
  const before = await onFolder(t, environment, everyRow);

  await cp(join(dataDir, 'secret-key'), join(target.DATA_DIR, 'secret-key'));
  const moved = await studioIn(target)('restore', '--from', dataDir, '--yes');
  t.match(moved, { code: 0, stdout: /Moved to .*new.* with the same checksums in both/ });
  const after = await onFolder(t, target, everyRow);
  for (const table of ['bookings', 'api_keys', 'mails']) {
    t.equal(before[table]!.length, 1);
    t.strictSame(after[table], before[table], table);
  }
  const { app } = await startWholeService(t, target);
  t.equal((await app!.inject(`/checkout/${token}`)).statusCode, 200, 'its link opens its page');
});

void t.test('a move is refused where the service could not work, and copies nothing', async (t) => {
  const folder = await temporaryFolder(t);
  const environment = await environmentOf(join(folder, 'old'));
  const { DATA_DIR: dataDir } = environment;
  const { connectionString: url } = await createEmptyDatabase(t);
  const moveTo = (to: string, secret = 'x'.repeat(32)) =>
    studioIn({ ...generous, DATABASE_URL: to, SECRET_KEY: secret })(
      ...['restore', '--from', dataDir, '--yes', '--json'],
    );
  t.match(await moveTo(url), { code: 3, stderr: /There is no database in/ });
  const service = await startWholeService(t, environment);
  t.match(await moveTo(url), { code: 4, stderr: /running on .*: stop it first/ });
  await service.stop();
  const itself = await studioIn(environment)('restore', '--from', dataDir, '--yes');
  t.match(itself, { code: 4, stderr: /is the target itself/ });

  const nowhere = `postgres://ada:hidden@127.0.0.1:${await freePort()}/booking`;
  const silent = await moveTo(nowhere);
  t.match(silent, { code: 1, stderr: /The database does not answer: .* port in DATABASE_URL\./ });
  t.notMatch(silent.stderr, /hidden/);
  const readOnly = new URL(url);
  readOnly.searchParams.set('options', '-c default_transaction_read_only=on');
  t.match(await moveTo(readOnly.href), { code: 4, stderr: /is read-only/ });

  const ascii = `${new URL(url).pathname.slice(1)}_ascii`;
  await query(url, `create database ${ascii} template template0 encoding 'SQL_ASCII' locale 'C'`);
  const other = new URL(url);
  other.pathname = ascii;
  t.match(await moveTo(other.href), { code: 4, stderr: /letters of all languages/ });
  await dropDatabase(ascii);

  t.match(await moveTo(url), { code: 4, stderr: /secret key of .* is missing/ });
  const secret = (await readFile(join(dataDir, 'secret-key'), 'utf8')).trim();
  const { connectionString: padding } = await createTestDatabase(t);
  await query(
    padding,
    `alter table studio alter column name type char(80);
      alter table studio add constraint unlimited check (
        current_setting('statement_timeout') = '0' and current_setting('idle_session_timeout') = '0'
      ) not valid;
      do $$ begin
        execute format('alter database %I set statement_timeout to ''1min''', current_database());
        execute format('alter database %I set idle_session_timeout to ''1min''', current_database());
      end $$`,
  );
  const changed = { code: 4, stderr: /studio has other rows in the new database/ };
  t.match(await moveTo(padding, secret), changed);

  await query(url, 'create table others as select 1 as number');
  t.match(await moveTo(url, secret), { code: 0 }, 'to an empty database beside other tables');
  t.strictSame(await query(url, 'table others'), [{ number: 1 }]);
});
