import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import t, { type Test } from 'tap';
import { serviceTables } from '../../src/database/backup/tables.js';
import { environmentOf, everyRow, fill } from '../support/backup.js';
import { createEmptyDatabase, createTestDatabase, dropDatabase } from '../support/database.js';
import { query, startServer, temporaryFolder, until } from '../support/embedded.js';
import { addFeed } from '../support/feeds.js';
import { freePort, launch } from '../support/process.js';
import { bundledProgram } from '../support/project.js';
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
  insert into console_sessions (token_hash, name, signed_in_at, last_seen_at)
    values ('', 'Ada', booking_now(), booking_now());
  insert into artist_sessions values (1, 1, '1:00 PM');
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
  insert into artist_sessions select id, 1, '9:00 AM' from artists`;

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

const moveTo = (url: string) => ['database move', url, '--yes', '--json'] as const;

void t.test('a move goes on after each kill, doubles nothing, and marks the folder', async (t) => {
  const { environment, path, rows } = await filledFolder(t);
  const { DATA_DIR: dataDir } = environment;
  const studio = studioIn(environment);
  const { connectionString: url } = await createTestDatabase(t);
  const blocker = new pg.Client({ connectionString: url });
  await blocker.connect();
  t.teardown(() => blocker.end());

  /** Runs a move until it waits for the lock of the test, kills it, and returns the tables it copied. */
  const killWaiting = async (lock: string) => {
    await blocker.query(`begin; ${lock}`);
    const program = [bundledProgram('studio'), 'database', 'move', ...moveTo(url).slice(1)];
    const { output, end } = launch(t, environment, program);
    const waits = `select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    await until(async () => (await query(url, waits)).length > 0);
    await end('SIGKILL');
    await blocker.query('rollback');
    const lines = output().trim().split('\n').filter(Boolean);
    return lines.map((line) => (JSON.parse(line) as { table: string }).table);
  };
  /** The same, in the middle of a table: a check of each of its rows waits. */
  const killWithin = async (table: string) => {
    await query(
      url,
      `create or replace function wait() returns boolean language plpgsql as
        'begin perform pg_advisory_xact_lock_shared(42); return true; end';
      alter table ${table} add constraint waits check (wait())`,
    );
    const copied = await killWaiting('select pg_advisory_xact_lock(42)');
    await query(url, `alter table ${table} drop constraint waits`);
    return copied;
  };
  const stored = async (table: string) => (await query(url, `select from ${table}`)).length;

  t.strictSame(await killWaiting(`select pg_advisory_lock(hashtext('unfinished_move'))`), []);
  await blocker.query('select pg_advisory_unlock_all()');
  const first = await killWithin('bookings');
  t.ok(first.includes('audit_log'));
  t.notOk(first.includes('bookings'));
  t.equal(await stored('bookings'), 0, 'a part of a table is rolled back');
  const second = await killWithin('events');
  t.ok(second.includes('bookings'));
  t.notOk(
    second.some((table) => first.includes(table)),
    'what is copied is not copied again',
  );
  const server = { ...generous, DATABASE_URL: url, SECRET_KEY: 'x'.repeat(32) };
  const partial = /only a part of what is moved/;
  await t.rejects(startWholeService(t, server), partial);
  const half = studioIn(server);
  t.match(await half('closures', 'add', '2999-06-01'), { code: 1, stderr: partial });
  t.match(await half('doctor'), { code: 5, stdout: partial });

  await query(url, `insert into closures (from_date, to_date) values ('2031-01-01', '2031-01-01')`);
  const changed = /Something else has changed closures/;
  t.match(await studio(...moveTo(url)), { code: 4, stderr: changed });
  await query(url, `delete from closures where from_date = '2031-01-01'`);

  rows['closures'] = await onFolder(t, environment, async (old) => {
    await query(old, `update closures set reason = 'Changed meanwhile'`);
    return (await everyRow(old))['closures']!;
  });
  const dry = (await studio('database move', url, '--dry-run', '--json')).json();
  t.match(dry, { copied_before: [], rows: { bookings: 3 } }, 'a changed folder is copied anew');
  t.ok((await killWithin('mails')).includes('closures'));
  await killWaiting(`insert into unfinished_move values ('platforms', '')`);
  t.equal(await stored('platforms'), 0, 'so is a whole table that is not recorded');

  const last = await killWaiting('table unfinished_move');
  t.ok(last.length > 0);
  await t.rejects(startWholeService(t, server), /only a part/, 'the folder is marked, no more');
  const before = await studio('database move', url, '--dry-run', '--json');
  t.equal(before.json<{ copied_before: string[] }>().copied_before.length, serviceTables.length);
  const done = await studio(...moveTo(url));
  t.match(done, { code: 0, stderr: '' });
  t.match(done.json(), { rows: { bookings: 3 }, checksums: { bookings: /^3 -?\d+$/ } });

  const { audit_log: audit, ...moved } = await everyRow(url);
  const { audit_log: auditBefore, ...others } = rows;
  t.strictSame(moved, others);
  t.equal(audit!.length, auditBefore!.length + 1);
  for (const row of auditBefore!) t.ok(audit!.includes(row));

  t.match(await studio(...moveTo(url)), { code: 0, stdout: /already_moved/ });
  const refused = /have moved to the PostgreSQL server .*set DATABASE_URL.*To go back.*moved-to/;
  await t.rejects(startWholeService(t, environment), { message: refused });
  t.match(await studio('bookings list'), { code: 1, stderr: refused });
  t.notMatch(await readFile(join(dataDir, 'moved-to'), 'utf8'), new URL(url).password);

  const secret = (await readFile(join(dataDir, 'secret-key'), 'utf8')).trim();
  const { app } = await startWholeService(t, { ...server, SECRET_KEY: secret });
  t.equal((await app!.inject(path)).statusCode, 200, 'checkout links work');
  const after = studioIn({ ...server, SECRET_KEY: secret });
  t.match(await after('closures', 'add', '2999-06-01'), { code: 0 });
  t.match((await after('audit list --json')).json(), [{}, { action: 'database move' }]);

  await rm(join(dataDir, 'moved-to'));
  t.match(await studio(...moveTo(url)), { code: 4, stderr: /in use/ });
  const untouched = await onFolder(t, environment, everyRow);
  t.strictSame(untouched, rows, 'without the mark, the folder is as it was');
});

void t.test('a move is refused where the service could not work, and copies nothing', async (t) => {
  const folder = await temporaryFolder(t);
  const environment = await environmentOf(join(folder, 'old'));
  const studio = studioIn(environment);
  const { connectionString: url } = await createEmptyDatabase(t);
  t.match(await studio(...moveTo(url)), { code: 1, stderr: /There is no database in/ });
  const service = await startWholeService(t, environment);
  t.match(await studio(...moveTo(url)), { code: 4, stderr: /running on .*: stop it first/ });
  await service.stop();

  const nowhere = `postgres://ada:hidden@127.0.0.1:${await freePort()}/booking`;
  const silent = await studio(...moveTo(nowhere));
  t.match(silent, {
    code: 1,
    stderr: /127\.0\.0\.1:\d+\/booking: The database does not answer: .* port in the address\./,
  });
  t.notMatch(silent.stderr, /hidden/);
  const readOnly = new URL(url);
  readOnly.searchParams.set('options', '-c default_transaction_read_only=on');
  t.match(await studio(...moveTo(readOnly.href)), { code: 4, stderr: /is read-only/ });

  const ascii = `${new URL(url).pathname.slice(1)}_ascii`;
  await query(url, `create database ${ascii} template template0 encoding 'SQL_ASCII' locale 'C'`);
  const other = new URL(url);
  other.pathname = ascii;
  t.match(await studio(...moveTo(other.href)), { code: 4, stderr: /letters of all languages/ });
  await dropDatabase(ascii);

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
  t.match(await studio(...moveTo(padding)), {
    code: 4,
    stderr: /studio has other rows on the server/,
  });

  await query(url, 'create table others as select 1 as number');
  const secretKey = join(environment.DATA_DIR, 'secret-key');
  await rename(secretKey, join(folder, 'kept'));
  t.match(await studio(...moveTo(url)), { code: 4, stderr: /secret key .* is missing/ });
  await rename(join(folder, 'kept'), secretKey);
  t.match(await studio(...moveTo(url)), { code: 0 }, 'to an empty database beside other tables');
  t.strictSame(await query(url, 'table others'), [{ number: 1 }]);
});
