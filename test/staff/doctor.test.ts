import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { sql } from 'kysely';
import pg from 'pg';
import t, { type Test } from 'tap';
import { checkKeyring } from '../../src/database/installation-key.js';
import { readPackage } from '../../src/platform/package-root.js';
import { recordPublicBaseUrl } from '../../src/repositories/installation.js';
import { between, nameEach, ownDetails, type State } from '../support/doctor.js';
import { initialisedFolder } from '../support/embedded.js';
import { holdForPerson, sessionForPerson } from '../support/holds.js';
import { insertMail } from '../support/mail-rows.js';
import { freePort } from '../support/process.js';
import { redisMissing } from '../support/redis.js';
import type { Environment } from '../support/servers.js';
import { startService } from '../support/service.js';
import { startSmtp } from '../support/smtp.js';
import { studioEnvironment, studioIn } from '../support/studio.js';

const service = await startService(t);
const { context } = service;
const { database } = context;
// Otherwise its address would wait for a proxy that is trusted.
const own: Environment = { ...studioEnvironment(context), TRUST_PROXY: '127.0.0.1/32' };
// As a start does.
await checkKeyring(context);
const { version } = readPackage();
const zoneData = process.versions['tz'];
const mailFrom = { MAIL_FROM: 'studio@studio.test' };
const nowhere = `127.0.0.1:${await freePort()}`;

/** The address of the database with another member. */
function databaseWith(change: Partial<URL>): Environment {
  return { DATABASE_URL: Object.assign(new URL(own['DATABASE_URL'] ?? ''), change).href };
}

/** Connects as a process does that tells that of itself. */
async function connectAs(t: Test, name: string): Promise<Environment> {
  const application_name = `tattoo-studio-booking${name} listener`;
  const client = new pg.Client({ ...context.connection, application_name });
  t.teardown(() => client.end());
  await client.connect();
  return {};
}

async function addMail(t: Test, error: string): Promise<Environment> {
  const { id } = await sessionForPerson(service);
  const mail = await insertMail(context, id, {
    status: 'failed',
    last_error: error,
    last_reply_code: 550,
  });
  t.teardown(() => database.deleteFrom('mails').where('id', '=', mail.id).execute());
  return mailServer();
}

async function mailServer(options: Parameters<typeof startSmtp>[1] = {}, from = '', to = '') {
  const { url } = await startSmtp(t, { tls: 'none', ...options });
  return { ...mailFrom, SMTP_URL: url.replace(from, to) };
}

/** Each state, how to enter it, and the one finding that names it and its mend. */
const states: State[] = [
  [
    'a clock that differs from the database’s',
    /^warning clock: The database's clock is 60 minutes ahead of this machine's\. .* NTP\.$/,
    async (t) => {
      t.teardown(() => service.shiftClock(0));
      await service.shiftClock(3_600_000);
      return {};
    },
  ],
  ['a setting that is wrong', /^failure configuration: PORT .*\.$/, () => ({ PORT: 'eighty' })],
  [
    'PostgreSQL with the wrong password',
    /^failure server: The database refuses: password .* Check user and password in DATABASE_URL, and PGPASSWORD\.$/,
    () => databaseWith({ password: 'wrong' }),
  ],
  [
    'PostgreSQL without this database',
    /^failure server: The database refuses: .*"none" does not exist\. Check the name .* or create it\.$/,
    () => databaseWith({ pathname: '/none' }),
  ],
  [
    'PostgreSQL that does not run',
    /^failure server: The database does not answer: .*ECONNREFUSED.* Start the server, or check host and port/,
    () => ({ DATABASE_URL: `postgres://booking:secret@${nowhere}/booking` }),
  ],
  [
    'a folder without a database',
    /^failure server: There is no database in \/nonexistent\/data\. .* DATA_DIR/,
    () => ({ DATABASE_URL: '', DATA_DIR: '/nonexistent/data' }),
  ],
  [
    'a schema of a newer version',
    /^failure migrations: .*newer version of the service \(9999-later\): run that version/,
    (t) =>
      between(
        t,
        database,
        `insert into kysely_migration values ('9999-later', '')`,
        `delete from kysely_migration where name = '9999-later'`,
      ),
  ],
  [
    'processes of two versions',
    `warning processes: Connected: 1 process of version 2.8.9 with time zone data ${zoneData}; 1 process of version ${version} with time zone data ${zoneData}. This command: version ${version}, time zone data ${zoneData}. If no upgrade is under way, restart those of the older version in the newer.`,
    (t) => connectAs(t, ` 2.8.9 ${zoneData}`),
  ],
  [
    'a process that does not tell its version',
    /^warning processes: Connected: 1 process of a version before 2\.9; .* restart/,
    (t) => connectAs(t, ''),
  ],
  [
    'processes with different time zone data',
    /^warning processes: .*1 process of version \S+ with time zone data 2019a.*run all with one version of Node\.js\.$/,
    (t) => connectAs(t, ` ${version} 2019a`),
  ],
  [
    'a secret key that was changed',
    /^failure secret key: SECRET_KEY is not the key .* Set the right one.*SECRET_KEY_PREVIOUS.*--without-secret-key/,
    () => ({ SECRET_KEY: 'another secret of more than enough length' }),
  ],
  [
    'a secret key that was lost',
    /^failure secret key: The file secret-key is missing in DATA_DIR: restore it .*--without-secret-key/,
    async (t) => {
      const environment = {
        DATABASE_URL: '',
        SECRET_KEY: '',
        DATA_DIR: await initialisedFolder(t),
      };
      // Migrates the new database.
      await studioIn(environment)('info show');
      await rm(join(environment.DATA_DIR, 'secret-key'), { force: true });
      return environment;
    },
  ],
  [
    'another address than that of the service',
    'warning address: PUBLIC_BASE_URL is https://b.test here, and the service has started with http://studio.test: restart it, or set the same in every process.',
    () => ({ PUBLIC_BASE_URL: 'https://b.test' }),
  ],
  [
    'an address that was changed',
    /^warning address: The address was http:\/\/studio\.test until 20\S+, and links of 1 booking and 1 calendar feed lead there: redirect it to https:\/\/b\.test, with all paths\. This warning ends on 20\S+\. 1 passkey made at http:\/\/studio\.test cannot sign in any more: .*"studio console link", and add them again\. The address was https:\/\/typo\.test until 20\S+, and links of 1 booking lead there: .* ends on 20\S+\.$/,
    async (t) => {
      await sessionForPerson(service);
      await studioIn(own)('calendar feed add --label Phone');
      t.teardown(async () => {
        await change(4, 'http://studio.test');
        await sql`delete from installation where value = 'https://typo.test'`.execute(database);
      });
      // Each in a later millisecond than all before it.
      const change = async (shift: number, address: string) => {
        await service.shiftClock(shift);
        await recordPublicBaseUrl(database, address);
      };
      await sql`
        with older as (
          insert into installation
          select 'former_base_url ' || extract(epoch from booking_now()) - 91 * 86400, 'https://old.test'
        )
        insert into passkeys (credential_id, public_key, counter, transports, name, created_at)
        select days::text, '', 0, '{}', 'Ada', booking_now() - make_interval(days => days)
        from unnest(array[0, 92]) as days`.execute(database);
      await change(1, 'https://typo.test');
      await holdForPerson(service);
      await change(2, 'http://studio.test');
      await change(3, 'https://b.test');
      return {};
    },
  ],
  [
    'Redis with the wrong password',
    'failure queues: Redis refuses the login: check user and password in REDIS_URL.',
    async (t) => {
      const url = new URL(process.env['TEST_REDIS_URL'] ?? '');
      const redis = new Redis(url.href);
      await redis.call('ACL', 'SETUSER', 'doctor', 'on', '>right', '~*', '+@all');
      t.teardown(async () => {
        await redis.call('ACL', 'DELUSER', 'doctor');
        redis.disconnect();
      });
      return { REDIS_URL: Object.assign(url, { username: 'doctor', password: 'wrong' }).href };
    },
    redisMissing,
  ],
  [
    'Redis that does not run',
    'failure queues: Redis (REDIS_URL) does not answer (ECONNREFUSED): start it, or check host and port in REDIS_URL.',
    () => ({ REDIS_URL: `redis://:secret@${nowhere}` }),
  ],
  [
    'a mail server that does not run',
    /^failure mail: .*cannot be reached.*check host and port in SMTP_URL/,
    () => ({ ...mailFrom, SMTP_URL: `smtp://${nowhere}` }),
  ],
  [
    'a mail server that refuses the login',
    /^failure mail: .*refuses the login: check user and password in SMTP_URL\. The reply was 535\.$/,
    () => mailServer({ credentials: { user: 'ada', password: 'right' } }, 'right', 'wrong'),
  ],
  [
    'a mail server without TLS',
    /^failure mail: No secure connection .* use smtps:\/\/ with port 465 or smtp:\/\/ with port 587/,
    () => mailServer({}, 'smtp:', 'smtps:'),
  ],
  [
    'a sender that is refused',
    /^warning mail: .*1 mail failed .*refuses the sender: check .*MAIL_FROM\. The reply was 550\./,
    (t) => addMail(t, 'sender'),
  ],
  [
    'a recipient that is refused',
    /^warning mail: .*1 mail failed .*refuses the recipient: check the address\. The reply was 550\./,
    (t) => addMail(t, 'recipient'),
  ],
  [
    'artists whom nobody can book yet, and a day of their own that is no other',
    'warning weeks: Nobody can book zoe yet, though the first day was 2020-01-01: run "studio artists show zoe". Nobody can book jo yet: run "studio artists show jo". Artists\' own days that equal the studio\'s do not change with it. If they should, run "studio artists hours artist tuesday --as-studio".',
    (t) =>
      between(
        t,
        database,
        `insert into artists (id, slug, name, about, position, hidden_at, is_new, first_day)
        overriding system value values
          (11, 'zoe', 'Zoe', '', 2, now(), true, '2020-01-01'),
          (12, 'jo', 'Jo', '', 3, now(), true, '2999-01-01'),
          (13, 'ida', 'Ida', '', 4, now(), false, '2020-01-01');
        insert into week_days (artist_id, weekday, sessions)
        select 1, weekday, sessions from week_days where artist_id is null and weekday = 2`,
        'delete from week_days where artist_id is not null; delete from artists where id > 10',
      ),
  ],
  [
    'a clock that is behind what was recorded',
    /^warning clock: An event is of 20\S+Z, and the database's clock shows 20\S+Z: .* NTP, and restart/,
    async (t) => {
      await service.shiftClock(7_200_000);
      const { id } = await holdForPerson(service);
      await service.shiftClock(0);
      // One that is newer, of an earlier instant.
      await holdForPerson(service);
      t.teardown(() => database.deleteFrom('events').where('booking_id', '=', id).execute());
      return {};
    },
  ],
  [
    'a disk without room',
    /^failure disk: 0 MB are free in DATA_DIR: delete files on its disk, or stop the service and move \/proc/,
    // No bytes of it are free, and it has no database.
    () => ({ DATABASE_URL: '', DATA_DIR: '/proc' }),
  ],
];

t.test('doctor names each broken state, and its mend, in one finding', async (t) => {
  await database.updateTable('studio').set(ownDetails).execute();
  await nameEach(t, states, own);
  await t.test('none of them', async (t) => {
    t.match(await studioIn(own)('doctor'), { code: 0, stdout: /✓ disk/ });
  });
});
