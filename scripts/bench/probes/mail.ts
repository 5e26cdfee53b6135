import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTransport, type Transporter } from 'nodemailer';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../../src/database/embedded/server.js';
import { exampleMails } from '../../../src/mail/examples.js';
import type { MailFacts } from '../../../src/mail/mail-facts.js';
import { renderMail, type RenderedMail } from '../../../src/mail/render.js';
import { mailConnectionLimit } from '../../../src/mail/sender.js';
import { createLogger } from '../../../src/platform/log.js';
import type { OpeningHoursRow, StudioRow } from '../../../src/repositories/studio.js';
import { createKeyring } from '../../../src/secrets/keyring.js';
import { sealCheckoutToken } from '../../../src/secrets/links.js';
import { postmasterOf } from '../database.js';
import { startService, type RunningService } from '../processes.js';
import { mailRate, type MailServer } from './mail-server.js';

const secret = 'a secret of the benchmark, of enough length';
const publicBaseUrl = 'https://book.nightheron.example';
const from = { name: 'Night Heron', address: 'booking@nightheron.example' };
const checkoutToken = 'x'.repeat(43);

/** A person's name, idea and so on, as in the example mails. */
const person = {
  name: 'Ada Example',
  phone: '5555550142',
  idea: 'A night heron in fine line on the left forearm, about the length of a hand.\nIt stands on one leg, and looks away.',
};

/** A PostgreSQL server whose data has a worker's secret, with a worker that starts and stops. */
export interface MailSetup {
  database: pg.Client;
  /** The process id of the PostgreSQL server. */
  postmaster: number;
  startWorker(): Promise<RunningService>;
  stop(): Promise<void>;
}

/** @param settings of PostgreSQL */
export async function prepareMail(
  server: MailServer,
  settings: Record<string, string> = {},
): Promise<MailSetup> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-mail-'));
  const dataDir = join(folder, 'data');
  const postgres = await startEmbeddedPostgres({ dataDir, log: createLogger('error'), settings });
  const startWorker = () =>
    startService({
      DATABASE_URL: postgres.connectionString,
      SECRET_KEY: secret,
      ROLE: 'worker',
      PUBLIC_BASE_URL: publicBaseUrl,
      SMTP_URL: `smtp://127.0.0.1:${server.port}`,
      MAIL_FROM: `${from.name} <${from.address}>`,
    });
  // The first one makes the tables.
  await (await startWorker()).stop();
  const database = new pg.Client({ connectionString: postgres.connectionString });
  await database.connect();
  return {
    database,
    postmaster: await postmasterOf(dataDir),
    startWorker,
    async stop() {
      await database.end();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Confirms bookings in one commit: each makes a mail for a person of its own, and one for the studio. */
export async function confirm(database: pg.Client, count: number, who = 'person'): Promise<void> {
  const sealed = sealCheckoutToken(createKeyring(secret), checkoutToken);
  const values = [count, who, sealed, person.name, person.phone, person.idea];
  await database.query(insertBookings, values);
}

/** Confirmed bookings and their events, on dates of their own. */
const insertBookings = `
    with moment as materialized (
      select booking_now() as now, (select count(*)::integer from bookings) as before
    ),
    confirmed as (
      insert into bookings (
        status, date, time_slot, starts_at, starts_at_text, timezone, label, created_at, expires_at,
        confirmed_at, confirmed_via, channel, sequence, name, email, phone, idea, pronouns,
        checkout_token_hash, checkout_token_sealed
      )
      select 'confirmed', date '2100-01-01' + before + number, '1:00 PM',
        now + interval '30 days' + number % 150 * interval '1 day', '2100-01-01T13:00:00-08:00', 'America/Los_Angeles',
        'Friday, January 1, 2100 at 1:00 PM', now, now + interval '15 minutes', now, 'link', 'mcp',
        1, $4, $2 || before + number || '@example.com', $5, $6, 'she/her',
        sha256(gen_random_uuid()::text::bytea), $3
      from moment, generate_series(1, $1::integer) as number
      returning *
    )
    insert into events (type, booking_id, occurred_at, data)
    select 'booking.confirmed', id, confirmed_at, jsonb_build_object(
      'id', id, 'status', status, 'date', date, 'time_slot', time_slot,
      'starts_at_text', to_char(starts_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
      'timezone', timezone, 'label', label, 'created_at', created_at, 'expires_at', expires_at,
      'confirmed_at', confirmed_at, 'cancelled_at', null, 'expired_at', null, 'sequence', 1,
      'by', 'person')
    from confirmed`;

/**
 * Mails per second of a bare nodemailer loop that sends the example mails of these names, in turn;
 * rendered before, or each when it is sent.
 */
export async function sendBare(
  server: MailServer,
  database: pg.Client,
  count: number,
  names: readonly string[],
  { renders = false }: { renders?: boolean } = {},
): Promise<number> {
  const facts = await exampleFacts(database, names);
  const rendered = await Promise.all(facts.map(renderMail));
  const transport = createTransport({
    host: '127.0.0.1',
    port: server.port,
    pool: true,
    maxConnections: mailConnectionLimit,
  });
  const { arrivals } = await server.expect(count);
  let sent = 0;
  const loop = async (): Promise<void> => {
    while (sent < count) {
      const index = sent++ % facts.length;
      const mail = renders ? await renderMail(facts[index]!) : rendered[index]!;
      await sendRendered(transport, mail);
    }
  };
  await Promise.all(Array.from({ length: mailConnectionLimit }, loop));
  transport.close();
  return mailRate(await arrivals);
}

async function sendRendered(transport: Transporter, mail: RenderedMail): Promise<void> {
  await transport.sendMail({
    from,
    to: { name: person.name, address: 'person@example.com' },
    replyTo: { name: 'The studio', address: 'studio@example.com' },
    subject: mail.subject,
    html: mail.html,
    text: mail.text,
    headers: { 'Auto-Submitted': 'auto-generated' },
    alternatives: mail.calendar
      ? [
          {
            contentType: `text/calendar; charset=utf-8; method=${mail.calendar.method}`,
            content: mail.calendar.content,
          },
        ]
      : [],
  });
}

async function exampleFacts(database: pg.Client, names: readonly string[]): Promise<MailFacts[]> {
  const { rows } = await database.query<StudioRow>('select * from studio');
  const hours = await database.query<OpeningHoursRow>('select * from opening_hours');
  const examples = exampleMails({
    studio: rows[0]!,
    openingHours: hours.rows,
    from,
    publicBaseUrl,
  });
  return names.flatMap((name) => examples.get(name) ?? []);
}
