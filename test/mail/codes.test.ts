import t from 'tap';
import { sql } from 'kysely';
import { sendCode } from '../../src/domain/codes.js';
import { placeHold } from '../../src/domain/holds.js';
import { createCheckoutToken } from '../../src/platform/tokens.js';
import { browserOn, codeInMailbox, newestCode, pressOn } from '../support/codes.js';
import { until } from '../support/embedded.js';
import { startMailService, type MailService } from '../support/mail-service.js';
import { callerNumber, holdRequest, personNumber, someOpenSlots } from '../support/requests.js';
import type { Slot } from '../../src/calendar/slots.js';
import { studioIn } from '../support/studio.js';

const codeMode = { CONFIRMATION: 'code' };

/** A hold of the person with that number. */
async function hold({ context }: MailService, person: number) {
  const [slot] = await someOpenSlots(context, 1);
  const request = holdRequest(slot!, personNumber(person));
  const { booking, checkoutToken } = await placeHold(context, callerNumber(1), request, null);
  return { id: booking.id, path: `/checkout/${checkoutToken}` };
}

async function codeRow({ context: { database } }: MailService, bookingId: string) {
  return database
    .selectFrom('mails')
    .selectAll()
    .where('booking_id', '=', bookingId)
    .where('kind', '=', 'code')
    .executeTakeFirstOrThrow();
}

void t.test('a code goes to the address of the hold within seconds, and only there', async (t) => {
  const service = await startMailService(t, codeMode);
  const { smtp } = service;
  const { id, path } = await hold(service, 4);
  await service.settle();
  t.strictSame(smtp.received(), [], 'a hold mails nobody');
  t.equal((await pressOn(service, path, 'send_code')).statusCode, 303);
  const code = await codeInMailbox(smtp, 'person4@example.com');
  t.equal(code, await newestCode(service, id));
  const [mail] = smtp.received();
  t.strictSame(mail!.to, ['person4@example.com']);
  const { subject, text = '', html = '', attachments } = await mail!.parsed();
  t.match(subject, /^Your code for /);
  t.notMatch(subject, code, 'servers of mail log the subject');
  t.match(text, 'Do nothing: without these digits');
  t.notMatch(text + html, path, 'no link of the booking');
  t.strictSame(attachments, []);
  await until(async () => (await codeRow(service, id)).status === 'sent');

  const { databaseUrl, secretKey, mail: on } = service.context.config;
  t.ok(on);
  const studio = studioIn({ DATABASE_URL: databaseUrl!, SECRET_KEY: secretKey! });
  const row = await codeRow(service, id);
  const outputs = [
    await studio('mail', 'list'),
    await studio('mail', 'list', '--json'),
    await studio('mail', 'show', row.id),
    await studio('mail', 'show', row.id, '--json'),
  ];
  for (const { code: exit, stdout } of outputs) {
    t.equal(exit, 0);
    t.match(stdout, /code/);
    t.notMatch(stdout, code);
  }
  t.notMatch(JSON.stringify(row), code, 'the database does not know it');
  t.notMatch(service.logLines.join('\n'), code);
});

void t.test('a code is sent before everything else', async (t) => {
  const service = await startMailService(t, codeMode);
  const { context, smtp, background } = service;
  await background.stop();
  const slots = await someOpenSlots(context, 4);
  await sql`update installation set value = value where name = 'mail_on'`.execute(context.database);
  const booked: string[] = [];
  for (const [index, slot] of slots.slice(0, 3).entries()) {
    const request = holdRequest(slot, personNumber(index));
    const { booking } = await placeHold(context, callerNumber(1), request, null);
    booked.push(booking.id);
  }
  await sql`
    with confirmed as (
      update bookings set status = 'confirmed', confirmed_at = booking_now(), sequence = 1
      where id = any(${booked}::uuid[]) returning *
    )
    insert into events (type, booking_id, occurred_at, data)
    select 'booking.confirmed', id, booking_now(),
      to_jsonb(confirmed) - 'checkout_token_hash' - 'checkout_token_sealed'
    from confirmed`.execute(context.database);
  const { id } = await hold(service, 9);
  t.match(await sendCode(context, { id }, 'pending', createCheckoutToken(), callerNumber(1)), {
    outcome: 'sent',
  });
  const order: string[] = [];
  smtp.misbehave(({ stage, recipient }) => {
    if (stage === 'DATA') order.push(recipient ?? '');
    return null;
  });
  await service.startBackground();
  await smtp.waitFor(7);
  // Mails go over several connections at once: among the first that begin, the code is.
  t.ok(order.indexOf('person9@example.com') < 5, order.join(' '));
});

void t.test('a code is not sent after it has lapsed, nor retried past that', async (t) => {
  const service = await startMailService(t, codeMode);
  service.expectLog(/"msg":"a mail failed"/);
  const { context, smtp } = service;
  smtp.misbehave(({ stage }) => (stage === 'RCPT' ? { code: 451 } : null));
  const { id, path } = await hold(service, 5);
  await pressOn(service, path, 'send_code');
  await until(async () => (await codeRow(service, id)).attempts === 1);
  t.match(await codeRow(service, id), { status: 'pending' });
  await sql`
    update mails set lapses_at = booking_now() - interval '1 second', next_attempt_at = booking_now()
    where booking_id = ${id}`.execute(context.database);
  smtp.misbehave(null);
  await service.settle();
  t.match(await codeRow(service, id), { status: 'dropped', reason: 'lapsed', attempts: 1 });

  smtp.misbehave(({ stage }) => (stage === 'RCPT' ? { code: 451 } : null));
  const short = await hold(service, 6);
  await sql`
    update bookings set expires_at = booking_now() + interval '50 seconds'
    where id = ${short.id}`.execute(context.database);
  const browser = browserOn(service);
  await browser.press(short.path, 'send_code');
  await until(async () => (await codeRow(service, short.id)).status === 'failed');
  t.strictSame(smtp.received(), []);
  const page = await browser.open(short.path);
  t.match(page.body, 'could not be sent', 'its page says so');
});

void t.test(
  'codes and the twenty other mails of a day do not count towards each other',
  async (t) => {
    const service = await startMailService(t);
    const { context, smtp } = service;
    const slots = await someOpenSlots(context, 20);
    const book = (slot: Slot, index: number) =>
      service.book(slot, { email: 'mara@example.com', phone: personNumber(index).phone });
    const { id, token } = await book(slots[0]!, 0);
    // As many as the networks of a day can ask for, counted as by version 2.8.2.
    await sql`
    insert into mails (booking_id, kind, recipient, sequence, created_at, status, ended_at, lapses_at,
      counted_at)
    select ${id}, 'code', 'person', 0, now, 'sent', now, now, now
    from generate_series(1, 30), booking_now() as now`.execute(context.database);
    for (const [index, slot] of slots.slice(1).entries()) await book(slot, index + 1);
    await service.settle();
    const toPerson = () => smtp.received().filter(({ to }) => to.includes('mara@example.com'));
    t.equal(toPerson().length, 20);
    t.strictSame(
      (await service.mails()).filter(({ status }) => status === 'dropped'),
      [],
      'no mail made from an event is refused because of codes',
    );
    await pressOn(service, `/checkout/${token}`, 'send_code');
    await service.settle();
    t.equal(toPerson().length, 21, 'and no code because of them');
  },
);

void t.test('a code is refused to be sent again, and goes after a day', async (t) => {
  const service = await startMailService(t, codeMode);
  const { id, path } = await hold(service, 7);
  await pressOn(service, path, 'send_code');
  await until(async () => (await codeRow(service, id)).status === 'sent');
  const { databaseUrl, secretKey } = service.context.config;
  const { smtp } = service;
  const studio = studioIn({
    DATABASE_URL: databaseUrl!,
    SECRET_KEY: secretKey!,
    SMTP_URL: smtp.url,
    MAIL_FROM: 'booking@nightheron.example',
  });
  const { id: mailId } = await codeRow(service, id);
  const again = await studio('mail', 'resend', mailId, '--yes');
  t.not(again.code, 0);
  t.match(again.stderr, 'A code goes only to the person who asks for it');
  t.equal(smtp.received().length, 1);
  await service.shiftClock(86_401_000);
  await service.background.sweeper.sweep();
  t.notOk((await service.mails()).some(({ kind }) => kind === 'code'));
});

void t.test(
  'a scanner that opens every link of every mail and posts every form there changes no booking',
  async (t) => {
    const service = await startMailService(t);
    const { app, context, smtp } = service;
    const [slot] = await someOpenSlots(context, 1);
    const { token } = await service.book(slot!);
    await pressOn(service, `/checkout/${token}`, 'send_code');
    await codeInMailbox(smtp, 'ada@example.com');
    await smtp.waitFor(3);
    const bookings = () =>
      context.database
        .selectFrom('bookings')
        .select(['id', 'status', 'sequence', 'date', 'time_slot', 'email'])
        .orderBy('id')
        .execute();
    const before = await bookings();
    const scanner = browserOn(service);
    let links = 0;
    let forms = 0;
    for (const mail of [...smtp.received()]) {
      const { html = '' } = await mail.parsed();
      const urls = [...html.matchAll(/href="(http:\/\/studio\.test[^"]*)"/g)].map(
        ([, url]) => url!,
      );
      for (const url of urls) {
        links += 1;
        const { pathname } = new URL(url);
        for (const method of ['HEAD', 'GET'] as const) await app.inject({ method, url: pathname });
        // The second page has the field for the code that the first page's form asked for.
        for (let pages = 0; pages < 2; pages += 1) {
          const page = await scanner.open(pathname);
          for (const [, form = ''] of page.body.matchAll(/<form[^>]*>(.*?)<\/form>/gs)) {
            const fields: Record<string, string> = {};
            for (const [tag] of form.matchAll(/<(?:input|button)[^>]*>/g)) {
              const attribute = (name: string) =>
                new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? null;
              const name = attribute('name');
              if (name !== null) fields[name] = attribute('value') ?? '000000';
            }
            forms += 1;
            const { action = '', ...others } = fields;
            await scanner.press(pathname, action, { fields: others });
          }
        }
      }
    }
    t.ok(links >= 1 && forms >= 3, `${links} links, ${forms} forms`);
    t.strictSame(await bookings(), before);
  },
);
