import t from 'tap';
import { loadConfig } from '../../src/config/config.js';
import {
  ageCodes,
  codeMode,
  codesOf,
  holdWithBrowser,
  mailOn,
  newestCode,
  wrongDigits,
} from '../support/codes.js';
import { pressOn } from '../support/forms.js';
import { holdForPerson } from '../support/holds.js';
import { age, moveUrl, undescribedButtons } from '../support/pages.js';
import { someOpenSlots } from '../support/requests.js';
import { generous, startService } from '../support/service.js';

/** Confirming takes a code, or only the link; mail is on in both. */
const byCode = await startService(t, codeMode, { isReachable: true });
const byLink = await startService(t, { ...generous, ...mailOn }, { isReachable: true });

const hold = (service = byCode) => holdWithBrowser(service);

t.test('with CONFIRMATION=code, the button confirms only with the newest code', async (t) => {
  const { path, id, browser, ask, press, row, code } = await hold();
  const first = await browser.open(path);
  t.match(first.body, 'Send me the code');
  t.notMatch(first.body, 'value="confirm"');
  t.match(first.cookies, [{ httpOnly: true, path: '/checkout' }], 'the browser is known');
  t.strictSame(await codesOf(byCode, id), [], 'opening the page sends nothing');
  t.equal((await browser.press(path, 'confirm')).statusCode, 403);
  t.equal((await row()).status, 'pending');

  const sent = await ask();
  const typing = `${path}?step=code`;
  t.match(sent, { statusCode: 303, headers: { location: typing } });
  const cookie = { httpOnly: true, sameSite: 'Lax', path: '/checkout', maxAge: 1500 };
  t.match(sent.cookies, [{ ...cookie, secure: undefined }], 'not secure on http');
  const page = await browser.open(typing);
  t.match(page.body, /inputmode="numeric" autocomplete="one-time-code"/);
  t.match(page.body, 'p•••@example.com');
  t.match(page.body, 'If you paste it, or your device fills it in, it is sent at once.');
  for (const { body } of [first, page]) t.strictSame(undescribedButtons(body), []);
  t.notMatch(page.body, await code());

  const wrong = await press('confirm', wrongDigits(await code()));
  t.match(wrong, { statusCode: 403, body: 'You can type it 2 more times' });
  const fields = { code: await code() };
  const elsewhere = await pressOn(byCode, path, 'confirm', { fields });
  t.match(elsewhere, { statusCode: 403, body: 'No code is valid in this browser' });
  t.match(elsewhere.body, 'Send me the code');
  t.equal((await row()).status, 'pending');

  t.match(wrong.body, /<input id="code"[^>]* aria-invalid="true"/);
  const digits = await code();
  t.equal((await press('confirm', `${digits.slice(0, 3)} ${digits.slice(3)}`)).statusCode, 303);
  t.match(await row(), { status: 'confirmed', confirmed_via: 'code' });
  t.notMatch(byCode.logLines.join('\n'), digits);
  t.match((await browser.open(path)).body, 'value="cancel"', 'cancelling needs no other code');
});

t.test('after three wrong tries a code is void, and after three codes none is sent', async (t) => {
  const { path, browser, ask, press, code, id, row } = await hold();
  await ask();
  const right = await code();
  for (const words of ['2 more times', 'once more', 'it cannot be typed again']) {
    t.match(await press('confirm', wrongDigits(right)), { statusCode: 403, body: words });
  }
  const headers = { accept: 'application/json' };
  const refused = await browser.press(path, 'confirm', { fields: { code: right }, headers });
  t.equal(refused.statusCode, 403);
  t.match(refused.json(), { error: { code: 'code_invalid' } });
  t.equal((await row()).status, 'pending');
  for (let codes = 2; codes <= 3; codes += 1) {
    t.equal((await ask()).statusCode, 303);
    await ageCodes(byCode, id, 31);
  }
  const body = 'No more codes are sent for this booking for now.';
  t.match(await ask(), { statusCode: 429, body });
  const over = await browser.press(path, 'send_code', { headers });
  t.equal(over.statusCode, 429);
  t.match(over.json(), { error: { code: 'code_exhausted' } });
  const seconds = Number(over.headers['retry-after']);
  t.ok(seconds > 3_400 && seconds <= 3_600 - 62, String(seconds));
});

t.test('releasing and moving a hold need no code, nor does holding again', async (t) => {
  const { path, row } = await hold();
  const [slot] = await someOpenSlots(byCode.context, 1);
  const fields = { date: slot!.date, time_slot: slot!.timeSlot, sequence: '0' };
  t.match((await byCode.app.inject(moveUrl(path, slot!))).body, 'Move to this time');
  t.equal((await pressOn(byCode, `${path}/move`, 'move', { fields })).statusCode, 303);
  t.match(await row(), { time_slot: slot!.timeSlot, sequence: 1 });
  t.equal((await pressOn(byCode, path, 'release')).statusCode, 303);
  t.equal((await row()).status, 'cancelled');

  const lapsed = await hold();
  await age(byCode, lapsed.id, 901);
  const again = await pressOn(byCode, lapsed.path, 'hold_again');
  t.equal(again.statusCode, 303);
  t.not(again.headers.location, lapsed.path);
});

t.test('where mail is on, moving and cancelling need a code in either mode', async (t) => {
  const { path, id, browser, row } = await hold(byLink);
  t.equal((await pressOn(byLink, path, 'confirm')).statusCode, 303, 'the link confirms');
  t.match(await row(), { status: 'confirmed', confirmed_via: 'link' });
  const [slot] = await someOpenSlots(byLink.context, 1);
  const to = { date: slot!.date, time_slot: slot!.timeSlot, sequence: '1' };
  const opened = await browser.open(moveUrl(path, slot!));
  const session = (await browser.open(path)).body;
  t.match(session, /Your confirmation is on its way to <bdi>p•••@example.com/);
  t.match(opened.body, 'Send me the code');
  t.match(opened.cookies, [{ path: '/checkout' }]);
  const cancelled = await pressOn(byLink, path, 'cancel', { fields: { sequence: '1' } });
  t.equal(cancelled.statusCode, 403);
  t.equal((await pressOn(byLink, `${path}/move`, 'move', { fields: to })).statusCode, 403);
  t.match(await row(), { status: 'confirmed', sequence: 1 });

  const asked = await browser.press(`${path}/move`, 'send_code', { fields: to });
  t.match(asked, { statusCode: 303, headers: { location: moveUrl(path, slot!) } });
  t.match((await browser.open(asked.headers.location!)).body, 'one-time-code');
  const code = await newestCode(byLink, id);
  const move = (digits: string) =>
    browser.press(`${path}/move`, 'move', { fields: { ...to, code: digits } });
  t.match(await move(wrongDigits(code)), { statusCode: 403, body: 'Nothing has changed' });
  t.equal((await move(code)).statusCode, 303);
  t.match(await row(), { date: to.date, sequence: 2 });

  const page = await browser.open(path);
  t.match(page.body, 'value="cancel"', 'this browser needs no other code for 15 minutes');
  t.match((await byLink.app.inject(path)).body, 'Send me the code', 'another one does');
  const other = await hold(byLink);
  await pressOn(byLink, other.path, 'confirm');
  const foreign = await browser.press(other.path, 'cancel');
  t.equal(foreign.statusCode, 403, 'for another booking it opens nothing');
  t.equal((await browser.press(path, 'cancel', { fields: { sequence: '2' } })).statusCode, 303);
  t.equal((await row()).status, 'cancelled');
});

t.test('the cookie is secure on https', async (t) => {
  const service = await startService(t, { ...codeMode, PUBLIC_BASE_URL: 'https://studio.test' });
  const { token } = await holdForPerson(service);
  const asked = await pressOn(service, `/checkout/${token}`, 'send_code');
  t.match(asked.cookies, [{ secure: true }]);
});

t.test('CONFIRMATION=code needs mail, and agents are told which proof is asked', async (t) => {
  t.throws(() => loadConfig({ CONFIRMATION: 'code' }), {
    message: 'CONFIRMATION=code needs mail: set SMTP_URL and MAIL_FROM, or CONFIRMATION=link.',
  });
  t.throws(() => loadConfig({ CONFIRMATION: 'digits' }), /CONFIRMATION/);
  t.equal(loadConfig({}).confirmation, 'link');
  for (const [proof, { app }] of Object.entries({ link: byLink, code: byCode })) {
    for (const url of ['/api/public/capabilities', '/guide.md']) {
      const { body } = await app.inject(url);
      t.equal(body.includes('six digits'), proof === 'code', url);
      if (url !== '/guide.md') t.match(body, `"proof":"${proof}"`);
    }
  }
});
