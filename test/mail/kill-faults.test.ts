import pg from 'pg';
import t from 'tap';
import { mailConnectionLimit } from '../../src/mail/sender.js';
import { createTestDatabase } from '../support/database.js';
import { serverPid, startService, temporaryFolder, until } from '../support/embedded.js';
import { auditMails, unrecordedMails, untilMailed } from '../support/mail-audit.js';
import {
  confirmMany,
  confirmOn,
  holdMany,
  jamAfter,
  startMailProcesses,
} from '../support/mail-processes.js';
import { later } from '../support/seconds.js';
import { lostDatabase, queueFailed } from '../support/service-log.js';

const bookings = 24;

void t.test(
  'after kill -9 of a worker in mid-mail every mail arrives, and again only what was not recorded',
  async (t) => {
    const { connectionString } = await createTestDatabase(t);
    const mail = await startMailProcesses(t, connectionString);
    const { smtp, database } = mail;
    const [api, killed] = await Promise.all([mail.start('api'), mail.start('worker')]);
    const paths = await holdMany(api, bookings);
    const jam = jamAfter(9, mailConnectionLimit);
    smtp.misbehave(jam.plan);
    const confirming = confirmMany(api, paths);
    await jam.stuck;
    await killed.end('SIGKILL');
    smtp.misbehave(null);
    await smtp.allClosed();
    t.ok(await confirming, 'nobody noticed');
    const unrecorded = await unrecordedMails(database, smtp.received());
    t.ok(unrecorded.length > 0, 'some were killed past DATA');
    t.ok(unrecorded.length < smtp.received().length, 'some were recorded');

    await mail.expireClaims();
    const next = await mail.start('worker');
    await untilMailed(database);
    const repeats = await auditMails(t, {
      database,
      received: smtp.received(),
      repeatable: unrecorded,
      texts: await mail.texts(api, next),
    });
    t.ok(repeats > 0);
  },
);

void t.test(
  'SIGTERM to a worker in mid-mail: what is in progress is finished, and nothing arrives twice',
  async (t) => {
    const { connectionString } = await createTestDatabase(t);
    const mail = await startMailProcesses(t, connectionString);
    const { smtp, database } = mail;
    const [api, stopped] = await Promise.all([mail.start('api'), mail.start('worker')]);
    const paths = await holdMany(api, bookings);
    const jam = jamAfter(9, mailConnectionLimit);
    smtp.misbehave(jam.plan);
    const confirming = confirmMany(api, paths);
    await jam.stuck;
    t.ok(await confirming);
    const ended = stopped.end('SIGTERM');
    await until(() => stopped.output().includes('"stopping"'));
    // As a server that looks at the mail before it accepts it.
    await later(1_500);
    jam.release();
    t.equal(await ended, 0);
    t.strictSame(await unrecordedMails(database, smtp.received()), [], 'what arrived is recorded');
    t.ok(smtp.received().length < 2 * bookings, 'no more mails were begun');

    // No claim is left, so nothing waits for one to expire.
    const next = await mail.start('worker');
    await untilMailed(database);
    const texts = await mail.texts(api, next);
    t.equal(await auditMails(t, { database, received: smtp.received(), texts }), 0);
  },
);

void t.test(
  'after kill -9 of an api process between the commits and answers of confirmations, each is mailed once',
  async (t) => {
    const { connectionString } = await createTestDatabase(t);
    const mail = await startMailProcesses(t, connectionString);
    const { smtp, database } = mail;
    const [api, worker] = await Promise.all([
      mail.start('api', { DATABASE_URL: withName(connectionString, 'killed') }),
      mail.start('worker'),
    ]);
    const paths = await holdMany(api, bookings);
    const client = new pg.Client({ connectionString });
    await client.connect();
    t.teardown(() => client.end());
    await client.query('listen booking_events');
    let committed = 0;
    let ended: Promise<unknown> | undefined;
    client.on('notification', ({ payload = '' }) => {
      if (!payload.includes('booking.confirmed')) return;
      committed += 1;
      if (committed === 5) ended = api.end('SIGKILL');
    });
    const answers = await Promise.all(paths.map((path) => confirmOn(api, path)));
    await until(() => ended !== undefined);
    await ended;
    // What it had sent to the database may still be committed.
    await until(async () => {
      const { rowCount } = await client.query(
        "select from pg_stat_activity where application_name = 'killed'",
      );
      return rowCount === 0;
    });
    const { rowCount } = await client.query("select from bookings where status = 'confirmed'");
    t.ok(Number(rowCount) >= 5, `${rowCount} were confirmed`);
    t.ok(answers.filter(Boolean).length <= Number(rowCount), 'of which not all were answered');
    await untilMailed(database);
    const texts = await mail.texts(worker);
    t.equal(await auditMails(t, { database, received: smtp.received(), texts }), 0);
    t.equal(smtp.received().length, 2 * Number(rowCount));
  },
);

void t.test(
  'after kill -9 of the database in mid-mail every mail arrives once: the records wait for its return',
  async (t) => {
    const dataDir = await temporaryFolder(t);
    const server = await startService(t, dataDir);
    const mail = await startMailProcesses(t, server.line.replace('ready ', ''));
    const { smtp, database } = mail;
    // The first process migrates the new database.
    const api = await mail.start('api');
    const worker = await mail.start('worker');
    const outage = [
      lostDatabase,
      queueFailed,
      /"msg":"(a job failed|a sweep failed|event rows could not be dispatched)/,
      /an idle database connection was lost|"code":"service_unavailable"/,
    ];
    for (const service of [api, worker]) service.expectLog(...outage);
    const paths = await holdMany(api, bookings);
    const jam = jamAfter(9, mailConnectionLimit, { inContent: false });
    smtp.misbehave(jam.plan);
    const [before, during] = [paths.slice(0, 12), paths.slice(12)];
    t.ok(await confirmMany(api, before));
    await jam.stuck;
    const unrecorded = await unrecordedMails(database, smtp.received());
    t.equal(unrecorded.length, mailConnectionLimit, 'some have arrived and are not recorded');
    process.kill(await serverPid(dataDir), 'SIGKILL');
    jam.release();
    // Persons press again until it works.
    await Promise.all(during.map((path) => until(() => confirmOn(api, path))));
    await until(async () => (await unrecordedMails(database, smtp.received())).length === 0);
    t.equal(await worker.end('SIGTERM'), 0);
    t.strictSame(await unrecordedMails(database, smtp.received()), []);

    // Some may have been claimed by a statement whose answer was lost.
    await mail.expireClaims();
    const next = await mail.start('worker');
    await untilMailed(database);
    const texts = await mail.texts(api, next);
    t.equal(await auditMails(t, { database, received: smtp.received(), texts }), 0);
    t.equal(smtp.received().length, 2 * bookings);
  },
);

/** The same database, with connections that are known by this name. */
function withName(connectionString: string, name: string): string {
  const url = new URL(connectionString);
  url.searchParams.set('application_name', name);
  return url.href;
}
