import t from 'tap';
import { bookingRow } from '../support/bookings.js';
import {
  codesOf,
  cookieOf,
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
  const { service, path, id, ask, type, row, code } = await startWithHold(t);
  const first = await service.app.inject({ url: path, headers: { accept: 'text/html' } });
  t.match(first.body, 'Send me the code');
  t.notMatch(first.body, 'value="confirm"');
  t.strictSame(await codesOf(service, id), [], 'opening the page sends nothing');

  const without = await pressOn(service, path, 'confirm');
  t.equal(without.statusCode, 403);
  t.equal((await row()).status, 'pending');
  t.equal((await row()).code_tries, 0, 'no try was made');

  const sent = await ask();
  t.equal(sent.statusCode, 303);
  t.equal(sent.headers.location, path);
  const page = await service.app.inject({ url: path, headers: { accept: 'text/html' } });
  t.match(page.body, /autocomplete="one-time-code"/);
  t.match(page.body, /inputmode="numeric"/);
  t.match(page.body, 'a•••@example.com');
  t.notMatch(page.body, await code());

  const wrong = await type(wrongDigits(await code()));
  t.equal(wrong.statusCode, 403);
  t.match(wrong.body, 'You can type 4 more today');
  t.equal((await row()).status, 'pending');

  const right = await type(await code());
  t.equal(right.statusCode, 303);
  t.match(await row(), { status: 'confirmed', confirmed_via: 'code', code_tries: 2 });
  const cookie = String(right.headers['set-cookie']);
  for (const part of ['HttpOnly', 'SameSite=Lax', `Path=${path}`, 'Max-Age=900']) {
    t.match(cookie, part);
  }
  t.notMatch(cookie, 'Secure', 'not on http');
  t.notMatch(service.logLines.join('\n'), await code());
});

void t.test('the refusals are errors for clients that show no pages', async (t) => {
  const { service, path, ask, code, id } = await startWithHold(t);
  await ask();
  const plain = { accept: 'application/json' };
  const right = await code();
  const type = (digits: string) =>
    pressOn(service, path, 'confirm', { fields: { code: digits }, headers: plain });
  const wrong = await type(wrongDigits(right));
  t.equal(wrong.statusCode, 403);
  t.match(wrong.json(), { error: { code: 'code_invalid' } });
  for (let index = 2; index <= 5; index += 1) await type(wrongDigits(right, index));
  const over = await type(right);
  t.equal(over.statusCode, 429);
  t.match(over.json(), { error: { code: 'code_exhausted' } });
  const seconds = Number(over.headers['retry-after']);
  t.ok(seconds > 86_000 && seconds <= 86_400, String(seconds));
  t.equal((await bookingRow(service.context, id)).status, 'pending');
  t.equal((await pressOn(service, path, 'send_code')).statusCode, 429, 'nor is a new one sent');
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
    const { service, path, id } = await startWithHold(t, { ...generous, ...mailOn });
    t.equal((await pressOn(service, path, 'confirm')).statusCode, 303, 'the link confirms');
    t.match(await bookingRow(service.context, id), { status: 'confirmed', confirmed_via: 'link' });
    const [slot] = await someOpenSlots(service.context, 1);
    const to = { date: slot!.date, time_slot: slot!.timeSlot, sequence: '1' };
    const moveUrl = `${path}/move?${new URLSearchParams(to).toString()}`;
    t.match((await service.app.inject(moveUrl)).body, 'Send me the code');
    const attempts = [
      await pressOn(service, path, 'cancel', { fields: { sequence: '1' } }),
      await pressOn(service, `${path}/move`, 'move', { fields: to }),
    ];
    for (const { statusCode } of attempts) t.equal(statusCode, 403);
    t.match(await bookingRow(service.context, id), { status: 'confirmed', sequence: 1 });

    const asked = await pressOn(service, `${path}/move`, 'send_code', { fields: to });
    t.equal(asked.statusCode, 303);
    t.match(asked.headers.location, `${path}/move?date=${to.date}`, 'back to the chosen time');
    t.match((await service.app.inject(asked.headers.location!)).body, 'one-time-code');
    const code = await newestCode(service, id);
    const wrong = await pressOn(service, `${path}/move`, 'move', {
      fields: { ...to, code: wrongDigits(code) },
    });
    t.equal(wrong.statusCode, 403);
    t.match(wrong.body, 'Nothing has changed');
    const moved = await pressOn(service, `${path}/move`, 'move', { fields: { ...to, code } });
    t.equal(moved.statusCode, 303);
    t.match(await bookingRow(service.context, id), { date: to.date, sequence: 2 });

    const cookie = cookieOf(moved);
    const page = await service.app.inject({ url: path, headers: { cookie: cookie! } });
    t.match(page.body, 'value="cancel"', 'this browser needs no other code for 15 minutes');
    const other = await holdForPerson({ service }, personNumber(2));
    await pressOn(service, `/checkout/${other.token}`, 'confirm');
    const foreign = await pressOn(service, `/checkout/${other.token}`, 'cancel', { cookie });
    t.equal(foreign.statusCode, 403, 'for another booking it opens nothing');
    const cancelled = await pressOn(service, path, 'cancel', { fields: { sequence: '2' }, cookie });
    t.equal(cancelled.statusCode, 303);
    t.equal((await bookingRow(service.context, id)).status, 'cancelled');
  },
);

void t.test('what a browser keeps opens nothing after 15 minutes', async (t) => {
  const { service, id, path, ask, type, code } = await startWithHold(t);
  await ask();
  const cookie = cookieOf(await type(await code()));
  await service.shiftClock(901_000);
  const late = await pressOn(service, path, 'cancel', { fields: { sequence: '1' }, cookie });
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
