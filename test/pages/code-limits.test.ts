import t from 'tap';
import { eraseDuePersonalData } from '../../src/repositories/personal-data.js';
import { bookingRow } from '../support/bookings.js';
import {
  ageCodes,
  codeMode,
  codesOf,
  mailOn,
  newestCode,
  pressOn,
  startWithHold,
} from '../support/codes.js';
import { age, holdForPerson } from '../support/pages.js';
import { personNumber } from '../support/requests.js';
import { generous } from '../support/service.js';

void t.test(
  'a code of another booking, of yesterday, used twice or from before the hold was held again opens nothing',
  async (t) => {
    const { service, id, path, browser, ask, type, code } = await startWithHold(t);
    await ask();
    const other = await holdForPerson({ service }, personNumber(7));
    await browser.press(`/checkout/${other.token}`, 'send_code');
    const ofOther = await newestCode(service, other.id);
    t.equal((await type(ofOther)).statusCode, 403, 'of another booking');
    t.equal((await bookingRow(service.context, id)).status, 'pending');

    const old = await code();
    await ageCodes(service, id, 31);
    await ask();
    t.equal((await codesOf(service, id)).length, 2);
    t.equal((await type(old)).statusCode, 403, 'not the newest');

    const used = await code();
    t.equal((await type(used)).statusCode, 303);
    t.equal((await bookingRow(service.context, id)).status, 'confirmed');
    await ageCodes(service, id, 901);
    const again = await browser.press(path, 'cancel', { fields: { code: used, sequence: '1' } });
    t.equal(again.statusCode, 403, 'used twice');
    t.equal((await bookingRow(service.context, id)).status, 'confirmed');

    await ageCodes(service, id, 3_601);
    await browser.press(path, 'send_code');
    const yesterdays = await code();
    await ageCodes(service, id, 86_400);
    const late = await browser.press(path, 'cancel', {
      fields: { code: yesterdays, sequence: '1' },
    });
    t.equal(late.statusCode, 403, 'of yesterday');
    t.equal((await bookingRow(service.context, id)).status, 'confirmed');

    const lapsing = await holdForPerson({ service }, personNumber(8));
    const first = `/checkout/${lapsing.token}`;
    await browser.press(first, 'send_code');
    const before = await newestCode(service, lapsing.id);
    await age({ service }, lapsing.id, 901);
    const second = (await browser.press(first, 'hold_again')).headers.location!;
    t.not(second, first);
    await browser.press(second, 'send_code');
    const stale = await browser.press(second, 'confirm', { fields: { code: before } });
    t.equal(stale.statusCode, 403, 'from before it was held again');
    const { body } = await browser.open(second);
    t.match(body, 'one-time-code', 'the new hold is still to be confirmed');
  },
);

void t.test('a code lapses after 10 minutes, and with its hold', async (t) => {
  const { service, id, browser, ask, type, code } = await startWithHold(t);
  await age({ service }, id, 600);
  await ask();
  const [row] = await codesOf(service, id);
  t.strictSame(row!.lapses_at, (await bookingRow(service.context, id)).expires_at, 'with its hold');
  const other = await holdForPerson({ service }, personNumber(3));
  await browser.press(`/checkout/${other.token}`, 'send_code');
  const [whole] = await codesOf(service, other.id);
  t.equal(whole!.lapses_at!.getTime() - whole!.created_at.getTime(), 600_000);
  await ageCodes(service, other.id, 601);
  const late = await browser.press(`/checkout/${other.token}`, 'confirm', {
    fields: { code: await newestCode(service, other.id) },
  });
  t.equal(late.statusCode, 403);
  t.equal((await type(await code())).statusCode, 303, 'the first is still valid');
});

void t.test('pressed twice, a button sends one code, and a code confirms once', async (t) => {
  const { service, id, path, browser, ask, code, row } = await startWithHold(t);
  await browser.open(path);
  await Promise.all([ask(), ask(), ask()]);
  t.equal((await codesOf(service, id)).length, 1);
  const fields = { code: await code(), sequence: '0' };
  const answers = await Promise.all(
    [1, 2, 3].map(() => browser.press(path, 'confirm', { fields })),
  );
  for (const { statusCode, headers } of answers) {
    t.equal(statusCode, 303);
    t.equal(headers.location, path);
  }
  t.match(await row(), { status: 'confirmed', sequence: 1 });
  const back = await browser.press(path, 'confirm', { fields });
  t.equal(back.statusCode, 303, 'also after going back');
  t.match(await row(), { sequence: 1 });
});

void t.test('a booking without an address gets no codes; its page asks to call', async (t) => {
  const { service, id, path } = await startWithHold(t, { ...generous, ...mailOn });
  await pressOn(service, path, 'confirm');
  await service.context.database
    .updateTable('bookings')
    .set({ email: null })
    .where('id', '=', id)
    .execute();
  const page = await service.app.inject({ url: path });
  t.equal(page.statusCode, 200);
  t.match(page.body, 'have no e-mail address to send it to');
  t.notMatch(page.body, /value="(cancel|send_code)"/);
  t.equal((await pressOn(service, path, 'send_code')).statusCode, 303);
  t.strictSame(await codesOf(service, id), []);
  t.equal((await pressOn(service, path, 'cancel')).statusCode, 403);
});

void t.test(
  'the cookie is marked as secure on https, and erasure forgets the asking',
  async (t) => {
    const origin = 'https://studio.test';
    const { service, id, path, ask, type, code } = await startWithHold(t, {
      ...codeMode,
      PUBLIC_BASE_URL: origin,
    });
    t.match(String((await ask()).headers['set-cookie']), /; Secure(;|$)/);
    await type(await code());
    t.ok((await bookingRow(service.context, id)).code_asked_at);
    await service.shiftClock(400 * 86_400_000);
    await service.context.database
      .transaction()
      .execute((transaction) =>
        eraseDuePersonalData(transaction, { unconfirmedDays: 0, confirmedDays: 0 }),
      );
    t.match(await bookingRow(service.context, id), {
      email: null,
      code_asked_at: null,
      code_proven_at: null,
    });
    t.equal((await service.app.inject(path)).statusCode, 200);
  },
);
