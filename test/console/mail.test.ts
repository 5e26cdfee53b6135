import t from 'tap';
import { confirmCheckout } from '../../src/domain/checkout.js';
import { recordConflicts } from '../../src/domain/conflicts.js';
import { bookingRow } from '../support/bookings.js';
import { failCalendar, insertCalendar, setBusy } from '../support/busy-calendars.js';
import { mailOn } from '../support/codes.js';
import { pressesFrom, section } from '../support/console-presses.js';
import { openConsole, startConsole } from '../support/console.js';
import { until } from '../support/embedded.js';
import { insertCode, insertMail, mailRow, now, raiseSequence } from '../support/mail-rows.js';
import { mailFrom } from '../support/mail-service.js';
import {
  accessibilityViolations,
  expectFits,
  holdForPerson,
  tabTo,
  type Pages,
} from '../support/pages.js';
import { startSmtp } from '../support/smtp.js';

async function confirmedBooking(pages: Pages): Promise<string> {
  const { id, token } = await holdForPerson(pages);
  await confirmCheckout(pages.service.context, token);
  return id;
}

t.test(
  'a failed mail is sent again in two presses, and leaves at once, without the sweeper',
  async (t) => {
    const smtp = await startSmtp(t, {
      misbehave: ({ stage }) => (stage === 'RCPT' ? { code: 550 } : null),
    });
    const opened = await startConsole(t, { SMTP_URL: smtp.url, MAIL_FROM: mailFrom });
    if (opened === null) return;
    const { pages, page } = opened;
    const { context } = pages.service;
    pages.service.expectLog(/a mail failed/);
    const { sweeper } = await pages.service.startBackground();
    await sweeper.stop();
    const id = await confirmedBooking(pages);
    const failed = () =>
      context.database
        .selectFrom('mails')
        .select(['id', 'recipient'])
        .where('status', '=', 'failed')
        .execute();
    // The studio's too: it would otherwise be the first one that is accepted.
    await until(async () => (await failed()).length === 2);
    const mailId = (await failed()).find(({ recipient }) => recipient === 'person')?.id;
    smtp.misbehave(null);

    const presses = await pressesFrom(page, pages.url);
    await presses.press(section(page, 'Mail'));
    const care = page.getByRole('region', { name: 'Needs care' });
    t.match(await care.innerText(), /Confirmation to Ada Park[^]*could not be sent \(550/);
    await presses.press(care.getByRole('button', { name: /confirmation to Ada Park/ }));
    await page.getByRole('status').waitFor();
    t.equal(presses.count(), 2);
    t.match(await page.getByRole('status').innerText(), 'It is sent again at once.');
    t.equal(new URL(page.url()).search, '?done=resent', 'nobody is named in the address');
    const [mail] = await smtp.waitFor(1);
    t.strictSame(mail?.to, ['ada@example.com']);

    const audit = await context.database
      .selectFrom('audit_log')
      .select(['actor', 'details'])
      .where('action', '=', 'mail resend')
      .execute();
    t.match(audit, [
      { actor: /^Ada \(console [0-9a-f]{8}\)$/, details: { mail_id: mailId, booking_id: id } },
    ]);
    t.equal(audit.length, 1);
    t.notMatch(pages.service.logLines.join(''), /ada@example\.com|Ada Park/);
  },
);

t.test('it is said for a day that the codes of an hour were used up', async (t) => {
  const opened = await startConsole(t, { ...mailOn, MAX_CODES_PER_HOUR: '2' });
  if (opened === null) return;
  const { pages, page } = opened;
  const { context } = pages.service;
  const id = await confirmedBooking(pages);
  const mails = async () => {
    await page.goto(`${pages.url}/console/mail`);
    return page.getByRole('main').innerText();
  };
  await insertCode(context, id);
  t.notMatch(await mails(), /used up/);
  await insertCode(context, id);
  t.match(await mails(), /the codes of an hour that are for everybody were used up/);
  t.strictSame(await accessibilityViolations(page), []);
});

t.test('by keyboard alone, and without script on a phone', async (t) => {
  const opened = await startConsole(t, mailOn);
  if (opened === null) return;
  const { pages, page } = opened;
  const { context } = pages.service;
  const id = await confirmedBooking(pages);
  const failed = { status: 'failed', last_error: 'timeout', last_reply_code: null } as const;
  const first = await insertMail(context, id, failed);
  const second = await insertMail(context, id, { ...failed, recipient: 'studio' });

  await page.goto(`${pages.url}/console`);
  await tabTo(page, 'a[href="/console/mail"]');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/console/mail');
  await tabTo(page, `form[action$="${first.id}/resend"] button`);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/console/mail?done=resent');
  t.match(await mailRow(context, first.id), { status: 'pending', resends: 1 });
  t.strictSame(await accessibilityViolations(page), []);

  const phone = await openConsole(t, pages, {
    javaScriptEnabled: false,
    viewport: { width: 390, height: 844 },
  });
  await section(phone, 'Mail').click();
  await expectFits(t, phone);
  await phone
    .getByRole('button', { name: /confirmation to the studio/ })
    .first()
    .click();
  await phone.waitForURL('**/console/mail?done=resent');
  t.match(await mailRow(context, second.id), { status: 'pending', resends: 1 });
});

t.test('what another console has sent again, or a change made pointless, is refused', async (t) => {
  const opened = await startConsole(t, mailOn);
  if (opened === null) return;
  const { pages, page } = opened;
  const { context } = pages.service;
  const id = await confirmedBooking(pages);
  const mail = await insertMail(context, id, { status: 'failed', last_error: 'timeout' });
  const other = await openConsole(t, pages, {}, 'Grace');
  const open = async (each: typeof page) => {
    await each.goto(`${pages.url}/console/mail?status=failed`);
    return each.getByRole('button', { name: /^Send again/ });
  };
  const [button, late] = [await open(page), await open(other)];
  await button.click();
  await page.waitForURL('**/console/mail?status=failed&done=resent');
  await late.click();
  t.match(
    await other.getByRole('alert').innerText(),
    'It was not sent again. It is still to be sent.',
  );
  t.match(await mailRow(context, mail.id), { resends: 1 });

  const ended = await insertMail(context, id, { status: 'failed', kind: 'reminder' });
  const pointless = await open(page);
  await raiseSequence(context, id);
  await pointless.click();
  t.match(await page.getByRole('alert').innerText(), /later change .* pointless/);
  await page.goto(`${pages.url}/console/mail`);
  t.match(await page.getByRole('main').innerText(), /not tried again\. A later change/);
  t.equal(await page.locator(`form[action*="${ended.id}"]`).count(), 0, 'and is not offered');
});

t.test('every mail stands on one page, newest first, and a filter shows one status', async (t) => {
  const opened = await startConsole(t, mailOn);
  if (opened === null) return;
  const { pages, page } = opened;
  const { context } = pages.service;
  const id = await confirmedBooking(pages);
  const event = await context.database
    .selectFrom('events')
    .select(['occurred_at', 'data', 'booking_id'])
    .where('booking_id', '=', id)
    .executeTakeFirstOrThrow();
  const at = await now(context);
  for (let number = 1; number <= 105; number += 1) {
    // A mail is one of its event, which are many here.
    const { id: eventId } = await context.database
      .insertInto('events')
      .values({
        type: 'calendar.changed',
        booking_id: id,
        occurred_at: event.occurred_at,
        data: JSON.stringify(event.data),
        dispatched_at: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await insertMail(context, id, {
      event_id: eventId,
      ...(number === 3 && { status: 'dropped', reason: 'stopped' }),
    });
  }
  const positions: string[] = [];
  await page.goto(`${pages.url}/console/mail`);
  const rows = page.getByRole('region', { name: 'All mails' }).locator('.rows > li');
  t.equal(await rows.count(), 50);
  const older = page.getByRole('link', { name: 'Older' });
  while ((await older.count()) > 0) {
    await older.click();
    await page.waitForURL(/before=/);
    positions.push(new URL(page.url()).searchParams.get('before') ?? '');
    if (positions.length > 3) break;
  }
  t.equal(positions.length, 2);
  t.equal(await rows.count(), 5);
  t.ok(Number(positions[0]) > Number(positions[1]));
  await page
    .getByRole('navigation', { name: 'Status' })
    .getByRole('link', { name: 'Not sent' })
    .click();
  await page.waitForURL('**/console/mail?status=dropped');
  t.match(await page.getByRole('main').innerText(), /asked for no reminders/);
  t.equal(await page.locator('.mails > li').count(), 1);
});

t.test(
  'mails of a conflict and of a calendar that cannot be read name what they are about, and the history of the booking names the conflict',
  async (t) => {
    const opened = await startConsole(t, mailOn);
    if (opened === null) return;
    const { pages, page } = opened;
    const { context } = pages.service;
    const id = await confirmedBooking(pages);
    const { starts_at: startsAt } = await bookingRow(context, id);
    const label = '<b>Ada’s phone</b>';
    const calendarId = await insertCalendar(context, { label });
    await setBusy(context, calendarId, [startsAt.getTime(), startsAt.getTime() + 60_000]);
    await context.database.transaction().execute(recordConflicts);
    const failed = { status: 'failed', recipient: 'studio', last_error: 'timeout' } as const;
    await insertMail(context, id, { ...failed, kind: 'conflict' });
    await failCalendar(context, calendarId);
    const { id: eventId } = await context.database
      .selectFrom('events')
      .select('id')
      .where('type', '=', 'calendar.failing')
      .executeTakeFirstOrThrow();
    const about = { booking_id: null, calendar_id: calendarId, event_id: eventId };
    const mail = await insertMail(context, id, { ...failed, ...about, kind: 'calendar_failure' });

    await page.goto(`${pages.url}/console/mail`);
    const all = page.getByRole('region', { name: 'All mails' });
    t.match(await all.innerText(), /Calendar failure to the studio\s+<b>Ada’s phone<\/b>/);
    t.match(await all.innerText(), /Conflict to the studio/);
    t.strictSame(await accessibilityViolations(page), []);
    await all.getByRole('button', { name: /the calendar failure to the studio/ }).click();
    await page.waitForURL('**/console/mail?done=resent');
    t.match(await mailRow(context, mail.id), { status: 'pending', resends: 1 });

    await page.goto(`${pages.url}/console/bookings/${id}`);
    const history = await page.getByRole('region', { name: 'History' }).innerText();
    t.match(history, /Conflict found: a watched calendar is busy on .* at \d/);
    t.match(await page.getByRole('region', { name: 'Mail' }).innerText(), /Conflict to the studio/);
  },
);

t.test('without mail, the page says how to switch it on, and nothing is sent', async (t) => {
  const opened = await startConsole(t);
  if (opened === null) return;
  const { pages, page } = opened;
  const mail = await insertMail(pages.service.context, await confirmedBooking(pages), {
    status: 'failed',
  });
  await page.goto(`${pages.url}/console/mail`);
  t.match(await page.getByRole('main').innerText(), /Mail is off: set SMTP_URL.* and MAIL_FROM/);
  t.equal(await page.getByRole('button', { name: /Send again/ }).count(), 0);
  t.match(await mailRow(pages.service.context, mail.id), { status: 'failed' });
});
