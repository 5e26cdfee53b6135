import { createTransport, type Transporter } from 'nodemailer';
import type pg from 'pg';
import type { WeekDayRow } from '../../../src/database/rows/studio.js';
import type { StudioRow } from '../../../src/database/rows/studio.js';
import { exampleMails } from '../../../src/mail/examples.js';
import { renderMail, type RenderedMail } from '../../../src/mail/render.js';
import { mailConnectionLimit } from '../../../src/mail/sender.js';
import { createKeyring } from '../../../src/secrets/keyring.js';
import { sealCheckoutToken } from '../../../src/secrets/links.js';
import { secretKey, startPostgres, withDatabase } from '../database.js';
import { startProgram, startService, type Running } from '../processes.js';
import type { Arrival } from '../programs/smtp-server.js';
import {
  comparedRow,
  measurePairs,
  percentile,
  plainRow,
  type Measurement,
  type Row,
} from '../row.js';
import { expectArrivals, now, rate } from './webhooks.js';

const rounds = 5;
const confirmationsPerRound = 1_000;
const singleConfirmations = 300;
const warmUps = 30;

/** Each confirmation makes one for the person and one for the studio. */
const mailsPerConfirmation = 2;

const publicBaseUrl = 'https://book.nightheron.example';
const from = { name: 'Night Heron', address: 'booking@nightheron.example' };
const checkoutToken = 'x'.repeat(43);

/** A person's name, idea and so on, as in the example mails. */
const person = {
  name: 'Ada Example',
  phone: '5555550142',
  idea: 'A night heron in fine line on the left forearm, about the length of a hand.\nIt stands on one leg, and looks away.',
};

/**
 * Mail to a server that accepts quickly, in a process of its own: mails per second compared with a
 * bare nodemailer loop, and the time from a commit to the end of DATA.
 */
export const mail: Measurement = async ({ step, line }) => {
  const server = await startProgram('smtp-server.ts');
  const port = Number(new URL(server.url).port);
  const postgres = await startPostgres();
  await startService({
    ...postgres.environment,
    ROLE: 'worker',
    PUBLIC_BASE_URL: publicBaseUrl,
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: `${from.name} <${from.address}>`,
  });
  await withDatabase(postgres, async (database) => {
    step(`${singleConfirmations} confirmations, one by one`);
    line(await timeToEndOfData(server, database));
    const count = confirmationsPerRound * mailsPerConfirmation;
    step(`${count} mails, against a bare loop`);
    const rateOf = async (send: () => Promise<void>): Promise<number> => {
      const { arrivals } = await expectArrivals<Arrival>(server, count);
      await send();
      return rate((await arrivals).map(({ at }) => at));
    };
    const rendered = await renderExamples(database);
    const ours = () => rateOf(() => confirm(database, confirmationsPerRound));
    const bare = () => rateOf(() => sendBare(port, rendered, count));
    await ours();
    await bare();
    const measured = await measurePairs(rounds, ours, bare);
    const what = 'mails of confirmations to one fast server';
    line(comparedRow(what, 'mails/s', 'bare nodemailer', measured, { least: 0.6 }));
  });
};

async function timeToEndOfData(server: Running, database: pg.Client): Promise<Row> {
  const latencies: number[] = [];
  for (let count = -warmUps; count < singleConfirmations; count += 1) {
    const { arrivals } = await expectArrivals<Arrival>(server, mailsPerConfirmation);
    await confirm(database, 1, 'single');
    const committedAt = now();
    const mine = (await arrivals).find(({ recipient }) => recipient.startsWith('single'));
    if (count >= 0) latencies.push((mine?.at ?? NaN) - committedAt);
  }
  const [p50, p99] = [percentile(latencies, 0.5), percentile(latencies, 0.99)];
  return plainRow(
    "mail, from the commit of a confirmation to the end of the person's DATA",
    `median ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
  );
}

/** Confirms bookings in one commit: each makes a mail for a person of its own, and one for the studio. */
export async function confirm(database: pg.Client, count: number, who = 'person'): Promise<void> {
  const sealed = sealCheckoutToken(createKeyring(secretKey), checkoutToken);
  const values = [count, who, sealed, person.name, person.phone, person.idea];
  await database.query(insertBookings, values);
}

/** Confirmed bookings and their events, on dates of their own, which newer zone data would not move. */
const insertBookings = `
    with moment as materialized (
      select booking_now() as now, (select count(*)::integer from bookings) as before
    ),
    confirmed as (
      insert into bookings (
        status, date, time_slot, starts_at, starts_at_text, ends_at, ends_at_text, may_overlap,
        timezone, label, created_at, expires_at, confirmed_at, confirmed_via, channel, sequence, name, email, phone, idea, pronouns,
        checkout_token_hash, checkout_token_sealed
      )
      select 'confirmed', date '2100-01-01' + before + number, '1:00 PM',
        now + interval '30 days' + number % 150 * interval '1 day',
        to_char(date '2100-01-01' + before + number, 'YYYY-MM-DD"T13:00:00-07:00"'),
        now + interval '30 days 4 hours' + number % 150 * interval '1 day',
        to_char(date '2100-01-01' + before + number, 'YYYY-MM-DD"T17:00:00-07:00"'), true, 'America/Phoenix',
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

/** A bare nodemailer loop that sends these mails, in turn. */
async function sendBare(port: number, rendered: RenderedMail[], count: number): Promise<void> {
  const transport = createTransport({
    host: '127.0.0.1',
    port,
    pool: true,
    maxConnections: mailConnectionLimit,
  });
  let sent = 0;
  const loop = async (): Promise<void> => {
    while (sent < count) await sendRendered(transport, rendered[sent++ % rendered.length]!);
  };
  await Promise.all(Array.from({ length: mailConnectionLimit }, loop));
  transport.close();
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

/** The two mails of a confirmation. */
async function renderExamples(database: pg.Client): Promise<RenderedMail[]> {
  const { rows } = await database.query<StudioRow>('select * from studio');
  const hours = await database.query<WeekDayRow>(
    'select * from week_days where artist_id is null and from_date is null',
  );
  const examples = exampleMails({
    studio: rows[0]!,
    openingHours: hours.rows,
    from,
    publicBaseUrl,
  });
  const names = ['person-confirmation', 'studio-confirmation'];
  return Promise.all(
    names.flatMap((name) => examples.get(name) ?? []).map((facts) => renderMail(facts)),
  );
}
