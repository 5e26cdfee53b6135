import t from 'tap';
import { eraseDuePersonalData } from '../../src/repositories/personal-data.js';
import { bookingRow } from '../support/bookings.js';
import { ageCodes, browserOn, codeMode, codesOf, newestCode, pressOn } from '../support/codes.js';
import { age, holdForPerson } from '../support/pages.js';
import { personNumber } from '../support/requests.js';
import { startService } from '../support/service.js';

const service = await startService(t, codeMode);
const { context } = service;
let holds = 0;

/** A hold of another person, and the person's browser, each time from another network. */
async function hold() {
  holds += 1;
  const { id, token } = await holdForPerson(service, personNumber(holds));
  const path = `/checkout/${token}`;
  const browser = browserOn(service, `10.1.${holds}.1`);
  const press = (action: string, code?: string, sequence = '0') =>
    browser.press(path, action, {
      fields: { ...(code !== undefined && { code }), sequence },
    });
  return {
    id,
    path,
    browser,
    press,
    ask: () => browser.press(path, 'send_code'),
    row: () => bookingRow(context, id),
    code: () => newestCode(service, id),
  };
}

t.test('a code of another booking, an older, used or old one opens nothing', async (t) => {
  const { id, ask, press, row, code } = await hold();
  await ask();
  const other = await hold();
  await other.ask();
  t.equal((await press('confirm', await other.code())).statusCode, 403, 'of another booking');
  const old = await code();
  await ageCodes(service, id, 31);
  await ask();
  t.equal((await codesOf(service, id)).length, 2);
  t.equal((await press('confirm', old)).statusCode, 403, 'not the newest');
  t.equal((await row()).status, 'pending');

  const used = await code();
  t.equal((await press('confirm', used)).statusCode, 303);
  t.equal((await row()).status, 'confirmed');
  await ageCodes(service, id, 901);
  t.equal((await press('cancel', used, '1')).statusCode, 403, 'used twice');
  await ageCodes(service, id, 3_601);
  await ask();
  const yesterdays = await code();
  await ageCodes(service, id, 86_400);
  t.equal((await press('cancel', yesterdays, '1')).statusCode, 403, 'of yesterday');
  t.equal((await row()).status, 'confirmed');

  const lapsing = await hold();
  await lapsing.ask();
  const before = await lapsing.code();
  await age(service, lapsing.id, 901);
  const second = (await lapsing.press('hold_again')).headers.location!;
  t.not(second, lapsing.path);
  await lapsing.browser.press(second, 'send_code');
  const stale = await lapsing.browser.press(second, 'confirm', {
    fields: { code: before },
  });
  t.equal(stale.statusCode, 403, 'from before it was held again');
  t.match(
    (await lapsing.browser.open(second)).body,
    'one-time-code',
    'it is still to be confirmed',
  );
});

t.test('a code typed for a session opens it for 15 minutes', async (t) => {
  const service = await startService(t, codeMode);
  const { id, token } = await holdForPerson(service);
  const browser = browserOn(service);
  const path = `/checkout/${token}`;
  await browser.press(path, 'send_code');
  await browser.press(path, 'confirm', {
    fields: { code: await newestCode(service, id) },
  });
  await service.shiftClock(901_000);
  const late = await browser.press(path, 'cancel', {
    fields: { sequence: '1' },
  });
  t.equal(late.statusCode, 403);
  t.equal((await bookingRow(service.context, id)).status, 'confirmed');
});

t.test('a code lapses after 10 minutes, and with its hold', async (t) => {
  const { id, ask, press, row, code } = await hold();
  await age(service, id, 600);
  await ask();
  const [ofHold] = await codesOf(service, id);
  t.strictSame(ofHold!.lapses_at, (await row()).expires_at, 'with its hold');
  const other = await hold();
  await other.ask();
  const [whole] = await codesOf(service, other.id);
  t.equal(whole!.lapses_at!.getTime() - whole!.created_at.getTime(), 600_000);
  await ageCodes(service, other.id, 601);
  t.equal((await other.press('confirm', await other.code())).statusCode, 403);
  t.equal((await press('confirm', await code())).statusCode, 303, 'the first is still valid');
});

t.test('pressed twice, a button sends one code, and a code confirms once', async (t) => {
  const { id, path, browser, ask, press, code, row } = await hold();
  await browser.open(path);
  await Promise.all([ask(), ask(), ask()]);
  t.equal((await codesOf(service, id)).length, 1);
  const digits = await code();
  const answers = await Promise.all([1, 2, 3].map(() => press('confirm', digits)));
  answers.push(await press('confirm', digits));
  for (const answer of answers) {
    t.match(answer, { statusCode: 303, headers: { location: path } });
  }
  t.match(await row(), { status: 'confirmed', sequence: 1 });
});

t.test('a booking without an address gets no codes; its page asks to call', async (t) => {
  const { id, path, ask, press, code } = await hold();
  await ask();
  await press('confirm', await code());
  await context.database
    .updateTable('bookings')
    .set({ email: null })
    .where('id', '=', id)
    .execute();
  const page = await service.app.inject(path);
  t.match(page, {
    statusCode: 200,
    body: 'have no e-mail address to send it to',
  });
  t.notMatch(page.body, /value="(cancel|send_code)"/);
  t.equal((await pressOn(service, path, 'send_code')).statusCode, 303);
  t.equal((await codesOf(service, id)).length, 1);
  t.equal((await pressOn(service, path, 'cancel')).statusCode, 403);
});

t.test('the cookie is secure on https, and erasure forgets the asking', async (t) => {
  const https = { ...codeMode, PUBLIC_BASE_URL: 'https://studio.test' };
  const service = await startService(t, https);
  const { database } = service.context;
  const { id, token } = await holdForPerson(service);
  const path = `/checkout/${token}`;
  const browser = browserOn(service);
  t.equal((await browser.press(path, 'send_code')).cookies[0]?.secure, true);
  await browser.press(path, 'confirm', {
    fields: { code: await newestCode(service, id) },
  });
  t.ok((await bookingRow(service.context, id)).code_asked_at);
  await service.shiftClock(400 * 86_400_000);
  const days = { unconfirmedDays: 0, confirmedDays: 0 };
  await database.transaction().execute((transaction) => eraseDuePersonalData(transaction, days));
  const erased = { email: null, code_asked_at: null, code_proven_at: null };
  t.match(await bookingRow(service.context, id), erased);
  t.equal((await service.app.inject(path)).statusCode, 200);
});
