import t from 'tap';
import { bookingRow } from '../support/bookings.js';
import {
  ageCodes,
  codesOf,
  mailOn,
  newestCode,
  pressOn,
  startWithHold,
  wrongDigits,
} from '../support/codes.js';
import { age, holdForPerson } from '../support/pages.js';
import { personNumber, someOpenSlots } from '../support/requests.js';
import { generous, startTestService } from '../support/service.js';

void t.test('with CONFIRMATION=code, the button confirms only with the newest code', async (t) => {
  const { service, path, id, browser, ask, type, row, code } = await startWithHold(t);
  const first = await browser.open(path);
  t.match(first.body, 'Send me the code');
  t.notMatch(first.body, 'value="confirm"');
  t.strictSame(await codesOf(service, id), [], 'opening the page sends nothing');

  const without = await browser.press(path, 'confirm');
  t.equal(without.statusCode, 403);
  t.equal((await row()).status, 'pending');

  const sent = await ask();
  t.equal(sent.statusCode, 303);
  t.equal(sent.headers.location, path);
  const cookie = String(sent.headers['set-cookie']);
  for (const part of ['HttpOnly', 'SameSite=Lax', 'Path=/checkout;', 'Max-Age=1500']) {
    t.match(`${cookie};`, part);
  }
  t.notMatch(cookie, 'Secure', 'not on http');
  const page = await browser.open(path);
  t.match(page.body, /autocomplete="one-time-code"/);
  t.match(page.body, /inputmode="numeric"/);
  t.match(page.body, 'a•••@example.com');
  t.notMatch(page.body, await code());

  const wrong = await type(wrongDigits(await code()));
  t.equal(wrong.statusCode, 403);
  t.match(wrong.body, 'You can type it 2 more times');
  t.equal((await row()).status, 'pending');

  const elsewhere = await pressOn(service, path, 'confirm', { fields: { code: await code() } });
  t.equal(elsewhere.statusCode, 403, 'not in another browser');
  t.match(elsewhere.body, 'No code is valid in this browser');
  t.match(elsewhere.body, 'Send me the code');
  t.equal((await row()).status, 'pending');

  const right = await type(await code());
  t.equal(right.statusCode, 303);
  t.match(await row(), { status: 'confirmed', confirmed_via: 'code' });
  t.notMatch(service.logLines.join('\n'), await code());
});

void t.test('the refusals are errors for clients that show no pages', async (t) => {
  const { service, path, browser, ask, code, id } = await startWithHold(t);
  await ask();
  const plain = { accept: 'application/json' };
  const right = await code();
  const type = (digits: string) =>
    browser.press(path, 'confirm', { fields: { code: digits }, headers: plain });
  for (const digits of [1, 2, 3].map((index) => wrongDigits(right, index)).concat(right)) {
    const refused = await type(digits);
    t.equal(refused.statusCode, 403);
    t.match(refused.json(), { error: { code: 'code_invalid' } });
  }
  t.equal((await bookingRow(service.context, id)).status, 'pending');
  for (let codes = 2; codes <= 3; codes += 1) {
    t.equal((await ask()).statusCode, 303);
    await ageCodes(service, id, 31);
  }
  const over = await browser.press(path, 'send_code', { headers: plain });
  t.equal(over.statusCode, 429);
  t.match(over.json(), { error: { code: 'code_exhausted' } });
  const seconds = Number(over.headers['retry-after']);
  t.ok(seconds > 3_500 && seconds <= 3_600 - 62, String(seconds));
});

void t.test('releasing and moving a hold need no code, nor does holding again', async (t) => {
  const { service, path, id } = await startWithHold(t);
  const [slot] = await someOpenSlots(service.context, 1);
  const fields = { date: slot!.date, time_slot: slot!.timeSlot, sequence: '0' };
  const page = await service.app.inject(`${path}/move?${new URLSearchParams(fields).toString()}`);
  t.match(page.body, 'Move to this time');
  t.equal((await pressOn(service, `${path}/move`, 'move', { fields })).statusCode, 303);
  t.match(await bookingRow(service.context, id), { time_slot: slot!.timeSlot, sequence: 1 });
  t.equal((await pressOn(service, path, 'release')).statusCode, 303);
  t.equal((await bookingRow(service.context, id)).status, 'cancelled');

  const lapsed = await holdForPerson({ service });
  await age({ service }, lapsed.id, 901);
  const again = await pressOn(service, `/checkout/${lapsed.token}`, 'hold_again');
  t.equal(again.statusCode, 303);
  t.not(again.headers.location, `/checkout/${lapsed.token}`);
});

void t.test(
  'where mail is on, moving and cancelling a confirmed session need a code in either mode',
  async (t) => {
    const { service, path, id, browser } = await startWithHold(t, { ...generous, ...mailOn });
    t.equal((await pressOn(service, path, 'confirm')).statusCode, 303, 'the link confirms');
    t.match(await bookingRow(service.context, id), { status: 'confirmed', confirmed_via: 'link' });
    const [slot] = await someOpenSlots(service.context, 1);
    const to = { date: slot!.date, time_slot: slot!.timeSlot, sequence: '1' };
    const moveUrl = `${path}/move?${new URLSearchParams(to).toString()}`;
    t.match((await browser.open(moveUrl)).body, 'Send me the code');
    const attempts = [
      await pressOn(service, path, 'cancel', { fields: { sequence: '1' } }),
      await pressOn(service, `${path}/move`, 'move', { fields: to }),
    ];
    for (const { statusCode } of attempts) t.equal(statusCode, 403);
    t.match(await bookingRow(service.context, id), { status: 'confirmed', sequence: 1 });

    const asked = await browser.press(`${path}/move`, 'send_code', { fields: to });
    t.equal(asked.statusCode, 303);
    t.match(asked.headers.location, `${path}/move?date=${to.date}`, 'back to the chosen time');
    t.match((await browser.open(asked.headers.location!)).body, 'one-time-code');
    const code = await newestCode(service, id);
    const wrong = await browser.press(`${path}/move`, 'move', {
      fields: { ...to, code: wrongDigits(code) },
    });
    t.equal(wrong.statusCode, 403);
    t.match(wrong.body, 'Nothing has changed');
    const moved = await browser.press(`${path}/move`, 'move', { fields: { ...to, code } });
    t.equal(moved.statusCode, 303);
    t.match(await bookingRow(service.context, id), { date: to.date, sequence: 2 });

    const page = await browser.open(path);
    t.match(page.body, 'value="cancel"', 'this browser needs no other code for 15 minutes');
    t.match((await service.app.inject(path)).body, 'Send me the code', 'another one does');
    const other = await holdForPerson({ service }, personNumber(2));
    await pressOn(service, `/checkout/${other.token}`, 'confirm');
    const foreign = await browser.press(`/checkout/${other.token}`, 'cancel');
    t.equal(foreign.statusCode, 403, 'for another booking it opens nothing');
    const cancelled = await browser.press(path, 'cancel', { fields: { sequence: '2' } });
    t.equal(cancelled.statusCode, 303);
    t.equal((await bookingRow(service.context, id)).status, 'cancelled');
  },
);

void t.test('a code that was typed opens nothing after 15 minutes', async (t) => {
  const { service, id, path, browser, ask, type, code } = await startWithHold(t);
  await ask();
  await type(await code());
  await service.shiftClock(901_000);
  const late = await browser.press(path, 'cancel', { fields: { sequence: '1' } });
  t.equal(late.statusCode, 403);
  t.equal((await bookingRow(service.context, id)).status, 'confirmed');
});

void t.test('CONFIRMATION=code without mail stops the start with a sentence', async (t) => {
  const { loadConfig } = await import('../../src/config.js');
  t.throws(() => loadConfig({ CONFIRMATION: 'code' }), {
    message: 'CONFIRMATION=code needs mail: set SMTP_URL and MAIL_FROM, or CONFIRMATION=link.',
  });
  t.throws(() => loadConfig({ CONFIRMATION: 'digits' }), /CONFIRMATION/);
  t.equal(loadConfig({}).confirmation, 'link');
  for (const proof of ['link', 'code'] as const) {
    const { app } = await startTestService(t, { ...generous, ...mailOn, CONFIRMATION: proof });
    const { data } = (await app.inject('/api/public/capabilities')).json<{
      data: { human_confirmation: { proof: string; description: string } };
    }>();
    t.equal(data.human_confirmation.proof, proof);
    t.equal(data.human_confirmation.description.includes('six digits'), proof === 'code');
    const guide = (await app.inject('/guide.md')).body;
    t.equal(guide.includes('six digits'), proof === 'code');
  }
});
