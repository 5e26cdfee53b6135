import { sql, type Updateable } from 'kysely';
import t from 'tap';
import type { Database } from '../../src/database/rows/schema.js';
import { sendCode } from '../../src/domain/booking/codes.js';
import { addBooking } from '../../src/domain/studio/bookings.js';
import { createCheckoutToken } from '../../src/secrets/tokens.js';
import { bookingRow } from '../support/bookings.js';
import { confirmCheckout, moveCheckout, releaseCheckout } from '../support/checkouts.js';
import { browserOn, codeInMailbox, codesOf, mailOn, newestCode } from '../support/codes.js';
import { signedIn } from '../support/console.js';
import { until } from '../support/embedded.js';
import { pressOn } from '../support/forms.js';
import { holdForPerson } from '../support/holds.js';
import { callerNumber, personNumber, someOpenSlots } from '../support/requests.js';
import { generous, type MailService, startService } from '../support/service.js';
import { showBooking, studioOn } from '../support/studio.js';
import { visitor } from '../support/visitor.js';

const service = await startService(t, { ...generous, CONFIRMATION: 'code' }, { mail: true });
const studio = studioOn(service.context, mailOn);

/** A hold of the person with that number. */
async function hold(service: MailService, person: number) {
  const { id, token } = await holdForPerson(service, personNumber(person));
  return { id, path: `/checkout/${token}` };
}

async function codeRow(service: MailService, bookingId: string) {
  const [row] = await codesOf(service, bookingId);
  return row!;
}

void t.test('a code goes to the address of the hold, and only there', async (t) => {
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

  const row = await codeRow(service, id);
  for (const line of [['list'], ['list', '--json'], ['show', row.id], ['show', row.id, '--json']]) {
    const shown = await studio('mail', ...line);
    t.match(shown, { code: 0, stdout: /code/ });
    t.notMatch(shown.stdout, code);
  }
  t.notMatch(JSON.stringify(row), code, 'the database does not know it');
  t.notMatch(service.logLines.join('\n'), code);
});

void t.test('the history of a booking says how soon a code for it was typed', async (t) => {
  const { app, context, smtp } = service;
  const person = visitor(service);
  const { id, path } = await hold(service, 5);
  await person.open(path);
  await person.press('Send me the code');
  const code = await codeInMailbox(smtp, 'person5@example.com');
  await until(async () => (await codeRow(service, id)).status === 'sent');
  await person.press('Confirm my session', { code });
  const mailed = async () => {
    await person.open(path);
    return /[^.]*p•••@example\.com[^.]*\./.exec(person.text('main .next'))?.[0].trim();
  };
  await service.settle();
  t.equal(await mailed(), 'We have mailed your confirmation to p•••@example.com.');
  const news = service.context.database.updateTable('mails').where('kind', '=', 'confirmation');
  for (const [status, reason, said] of [
    ['failed', null, 'The mail with your confirmation to p•••@example.com could not be sent.'],
    ['dropped', 'daily_limit', undefined],
  ] as const) {
    await news.set({ status, reason }).where('booking_id', '=', id).execute();
    t.equal(await mailed(), said);
  }
  const confirmed = { what: 'confirmed', by: 'person', code_typed_after_seconds: Number };
  t.match(await showBooking(studio, id), { history: [{ what: 'held' }, confirmed] });

  const { id: other, token } = await holdForPerson(service, personNumber(6));
  const browser = await service.browser(other);
  const { id: mailId, ended_at: sentAt } = await codeRow(service, other);
  const setCode = (changes: Pick<Updateable<Database['mails']>, 'status' | 'opened_at'>) =>
    context.database.updateTable('mails').set(changes).where('id', '=', mailId).execute();
  await setCode({ opened_at: new Date(sentAt!.getTime() + 12_000) });
  await confirmCheckout(context, token, null, browser);
  const [slot] = await someOpenSlots(context, 1);
  await moveCheckout(context, token, slot!, 1, browser);
  await setCode({ status: 'failed' });
  await releaseCheckout(context, token, 'confirmed', null, browser);

  const typed = 'with a code, typed 12 s after it was sent';
  const { stdout } = await studio(`bookings show ${other}`);
  t.match(stdout, new RegExp(`^Confirmed +\\S+ \\S+, ${typed}$`, 'm'));
  t.match(stdout, new RegExp(`^Moved +\\S+ \\S+, ${typed}$`, 'm'));
  t.match(stdout, /^Cancelled +\S+ \S+$/m, 'nothing, where no sending was recorded');
  const ada = await signedIn(service);
  await ada.open(`/console/bookings/${other}`);
  const moved = `Moved from .* by the person ${typed}`;
  const history = new RegExp(`Confirmed ${typed}.*${moved}.*Cancelled by the person$`);
  t.match(ada.text('[aria-labelledby=history]'), history);
  t.notMatch((await app.inject(`/api/public/bookings/${other}`)).body, 'typed');
});

void t.test('a code is sent before everything else', async (t) => {
  const service = await startService(t, { ...generous, CONFIRMATION: 'code' }, { mail: true });
  const { context, smtp, background } = service;
  await background.stop();
  for (const [index, slot] of (await someOpenSlots(context, 3)).entries()) {
    const { email = null } = personNumber(index);
    await addBooking(context, 'test', slot, { name: 'Ada Park', email });
  }
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
  service.expectLog(/"msg":"a mail failed"/);
  const { context, smtp } = service;
  const before = smtp.received().length;
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
  t.equal(smtp.received().length, before);
  smtp.misbehave(null);
  const page = await browser.open(`${short.path}?step=code`);
  t.match(page.body, 'could not be sent', 'its page says so');
});

void t.test('a code is refused to be sent again, and goes after a day', async (t) => {
  const { id, path } = await hold(service, 7);
  await pressOn(service, path, 'send_code');
  await until(async () => (await codeRow(service, id)).status === 'sent');
  const again = await studio('mail', 'resend', (await codeRow(service, id)).id, '--yes');
  t.match(again, { code: 4, stderr: 'A code goes only to the person who asks for it' });
  t.match(await codeRow(service, id), { status: 'sent', resends: 0 });
  await service.shiftClock(86_401_000);
  await service.background.sweeper.sweep();
  t.notOk((await service.mails()).some(({ kind }) => kind === 'code'));
});

void t.test(
  'a scanner that opens every link of every mail and posts every form there changes no booking',
  async (t) => {
    const service = await startService(t, generous, { mail: true });
    const { app, context, smtp } = service;
    const [slot] = await someOpenSlots(context, 1);
    const { id, token } = await service.book(slot!);
    await pressOn(service, `/checkout/${token}`, 'send_code');
    await codeInMailbox(smtp, 'ada@example.com');
    await smtp.waitFor(3);
    /** Without when a code was asked for, which each form may. */
    const booking = async () => ({ ...(await bookingRow(context, id)), code_asked_at: null });
    const before = await booking();
    const scanner = visitor(service);
    let links = 0;
    let forms = 0;
    for (const mail of [...smtp.received()]) {
      const { html = '' } = await mail.parsed();
      for (const [, url = ''] of html.matchAll(/href="(http:\/\/studio\.test[^"]*)"/g)) {
        links += 1;
        await app.inject({ method: 'HEAD', url: new URL(url).pathname });
        // The second page has the field for the code that the first page's form asked for.
        for (const page of [url, `${url}?step=code`]) {
          await scanner.open(page);
          for (const button of scanner.texts('form button')) {
            await scanner.open(page);
            scanner.$('form input:not([value])').attr('value', '000000');
            await scanner.press(button);
            forms += 1;
          }
        }
      }
    }
    t.ok(links >= 1 && forms >= 3, `${links} links, ${forms} forms`);
    t.strictSame(await booking(), before);
  },
);
