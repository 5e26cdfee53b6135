import t, { type Test } from 'tap';
import { eraseDuePersonalData } from '../../src/repositories/personal-data.js';
import { ageCodes, cookieOf, newestCode, pressOn, wrongDigits } from '../support/codes.js';
import { mailFrom } from '../support/mail-service.js';
import { age, holdForPerson } from '../support/pages.js';
import { personNumber, someOpenSlots } from '../support/requests.js';
import { generous, startTestService, type TestService } from '../support/service.js';

const mailOn = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: mailFrom };
const codeMode = { ...generous, ...mailOn, CONFIRMATION: 'code' };

async function bookingRow({ context: { database } }: TestService, id: string) {
  return database.selectFrom('bookings').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

async function codesOf({ context: { database } }: TestService, id: string) {
  return database
    .selectFrom('mails')
    .selectAll()
    .where('booking_id', '=', id)
    .where('kind', '=', 'code')
    .orderBy('position')
    .execute();
}

/** A hold in a service where confirming takes a code. */
async function start(t: Test, environment: Record<string, string> = codeMode) {
  const service = await startTestService(t, environment);
  const held = await holdForPerson({ service });
  const path = `/checkout/${held.token}`;
  return {
    service,
    ...held,
    path,
    ask: () => pressOn(service, path, 'send_code'),
    type: (code: string, action = 'confirm', cookie?: string) =>
      pressOn(service, path, action, { fields: { code, sequence: '0' }, cookie }),
    row: () => bookingRow(service, held.id),
    code: () => newestCode(service, held.id),
  };
}

void t.test('with CONFIRMATION=code, the button confirms only with the newest code', async (t) => {
  const { service, path, id, ask, type, row, code } = await start(t);
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
  const { service, path, ask, code, id } = await start(t);
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
  t.equal((await bookingRow(service, id)).status, 'pending');
  t.equal((await pressOn(service, path, 'send_code')).statusCode, 429, 'nor is a new one sent');
});

void t.test('releasing and moving a hold need no code, nor does holding again', async (t) => {
  const { service, path, id } = await start(t);
  const [slot] = await someOpenSlots(service.context, 1);
  const fields = { date: slot!.date, time_slot: slot!.timeSlot, sequence: '0' };
  const page = await service.app.inject(`${path}/move?${new URLSearchParams(fields).toString()}`);
  t.match(page.body, 'Move to this time');
  t.equal((await pressOn(service, `${path}/move`, 'move', { fields })).statusCode, 303);
  t.match(await bookingRow(service, id), { time_slot: slot!.timeSlot, sequence: 1 });
  t.equal((await pressOn(service, path, 'release')).statusCode, 303);
  t.equal((await bookingRow(service, id)).status, 'cancelled');

  const lapsed = await holdForPerson({ service });
  await age({ service }, lapsed.id, 901);
  const again = await pressOn(service, `/checkout/${lapsed.token}`, 'hold_again');
  t.equal(again.statusCode, 303);
  t.not(again.headers.location, `/checkout/${lapsed.token}`);
});

void t.test(
  'where mail is on, moving and cancelling a confirmed session need a code in either mode',
  async (t) => {
    const { service, path, id } = await start(t, { ...generous, ...mailOn });
    t.equal((await pressOn(service, path, 'confirm')).statusCode, 303, 'the link confirms');
    t.match(await bookingRow(service, id), { status: 'confirmed', confirmed_via: 'link' });
    const [slot] = await someOpenSlots(service.context, 1);
    const to = { date: slot!.date, time_slot: slot!.timeSlot, sequence: '1' };
    const moveUrl = `${path}/move?${new URLSearchParams(to).toString()}`;
    t.match((await service.app.inject(moveUrl)).body, 'Send me the code');
    const attempts = [
      await pressOn(service, path, 'cancel', { fields: { sequence: '1' } }),
      await pressOn(service, `${path}/move`, 'move', { fields: to }),
    ];
    for (const { statusCode } of attempts) t.equal(statusCode, 403);
    t.match(await bookingRow(service, id), { status: 'confirmed', sequence: 1 });

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
    t.match(await bookingRow(service, id), { date: to.date, sequence: 2 });

    const cookie = cookieOf(moved);
    const page = await service.app.inject({ url: path, headers: { cookie: cookie! } });
    t.match(page.body, 'value="cancel"', 'this browser needs no other code for 15 minutes');
    const other = await holdForPerson({ service }, personNumber(2));
    await pressOn(service, `/checkout/${other.token}`, 'confirm');
    const foreign = await pressOn(service, `/checkout/${other.token}`, 'cancel', { cookie });
    t.equal(foreign.statusCode, 403, 'for another booking it opens nothing');
    const cancelled = await pressOn(service, path, 'cancel', { fields: { sequence: '2' }, cookie });
    t.equal(cancelled.statusCode, 303);
    t.equal((await bookingRow(service, id)).status, 'cancelled');
  },
);

void t.test('what a browser keeps opens nothing after 15 minutes', async (t) => {
  const { service, id, path, ask, type, code } = await start(t);
  await ask();
  const cookie = cookieOf(await type(await code()));
  await service.shiftClock(901_000);
  const late = await pressOn(service, path, 'cancel', { fields: { sequence: '1' }, cookie });
  t.equal(late.statusCode, 403);
  t.equal((await bookingRow(service, id)).status, 'confirmed');
});

void t.test(
  'a code of another booking, of yesterday, used twice or from before the hold was held again opens nothing',
  async (t) => {
    const { service, id, path, token, ask, type, code } = await start(t);
    await ask();
    const other = await holdForPerson({ service }, personNumber(7));
    await pressOn(service, `/checkout/${other.token}`, 'send_code');
    const ofOther = await newestCode(service, other.id);
    t.equal((await type(ofOther)).statusCode, 403, 'of another booking');
    t.equal((await bookingRow(service, id)).status, 'pending');

    const old = await code();
    await ageCodes(service, id, 31);
    await ask();
    t.equal((await codesOf(service, id)).length, 2);
    t.equal((await type(old)).statusCode, 403, 'not the newest');

    const used = await code();
    t.equal((await type(used)).statusCode, 303);
    t.equal((await bookingRow(service, id)).status, 'confirmed');
    const again = await pressOn(service, path, 'cancel', { fields: { code: used, sequence: '1' } });
    t.equal(again.statusCode, 403, 'used twice');
    t.equal((await bookingRow(service, id)).status, 'confirmed');

    await ageCodes(service, id, 3_601);
    await pressOn(service, path, 'send_code');
    const yesterdays = await code();
    await ageCodes(service, id, 86_400);
    const late = await pressOn(service, path, 'cancel', {
      fields: { code: yesterdays, sequence: '1' },
    });
    t.equal(late.statusCode, 403, 'of yesterday');
    t.equal((await bookingRow(service, id)).status, 'confirmed');

    const lapsing = await holdForPerson({ service }, personNumber(8));
    const first = `/checkout/${lapsing.token}`;
    await pressOn(service, first, 'send_code');
    const before = await newestCode(service, lapsing.id);
    await age({ service }, lapsing.id, 901);
    const second = (await pressOn(service, first, 'hold_again')).headers.location!;
    t.not(second, first);
    const stale = await pressOn(service, second, 'confirm', { fields: { code: before } });
    t.equal(stale.statusCode, 403, 'from before it was held again');
    t.not(token, second);
  },
);

void t.test('a code lapses after 10 minutes, and with its hold', async (t) => {
  const { service, id, ask, type, code } = await start(t);
  await age({ service }, id, 600);
  await ask();
  const [row] = await codesOf(service, id);
  t.strictSame(row!.lapses_at, (await bookingRow(service, id)).expires_at, 'with its hold');
  await pressOn(service, '/checkout/x', 'send_code');
  const other = await holdForPerson({ service }, personNumber(3));
  await pressOn(service, `/checkout/${other.token}`, 'send_code');
  const [whole] = await codesOf(service, other.id);
  t.equal(whole!.lapses_at!.getTime() - whole!.created_at.getTime(), 600_000);
  await ageCodes(service, other.id, 601);
  const late = await pressOn(service, `/checkout/${other.token}`, 'confirm', {
    fields: { code: await newestCode(service, other.id) },
  });
  t.equal(late.statusCode, 403);
  t.equal((await type(await code())).statusCode, 303, 'the first is still valid');
});

void t.test('pressed twice, a button sends one code, and a code confirms once', async (t) => {
  const { service, id, path, ask, code, row } = await start(t);
  await Promise.all([ask(), ask(), ask()]);
  t.equal((await codesOf(service, id)).length, 1);
  const fields = { code: await code(), sequence: '0' };
  const answers = await Promise.all(
    [1, 2, 3].map(() => pressOn(service, path, 'confirm', { fields })),
  );
  for (const { statusCode, headers } of answers) {
    t.equal(statusCode, 303);
    t.equal(headers.location, path);
  }
  t.match(await row(), { status: 'confirmed', sequence: 1, code_tries: 1 });
  const back = await pressOn(service, path, 'confirm', { fields });
  t.equal(back.statusCode, 303, 'also after going back');
  t.match(await row(), { sequence: 1, code_tries: 1 });
});

void t.test('a booking gets 3 codes an hour, a mailbox 5 an hour and 10 a day', async (t) => {
  const { service, id, path } = await start(t);
  const pathOf = new Map([[id, path]]);
  const ask = async (bookingId: string) => {
    const { statusCode, headers } = await pressOn(service, pathOf.get(bookingId)!, 'send_code');
    return statusCode === 303 ? 'sent' : { statusCode, after: Number(headers['retry-after']) };
  };
  const later = async (seconds: number) => {
    for (const each of pathOf.keys()) await ageCodes(service, each, seconds);
  };
  for (let index = 0; index < 3; index += 1) {
    t.equal(await ask(id), 'sent');
    await later(60);
  }
  t.strictSame(await ask(id), { statusCode: 429, after: 3_420 });

  const variant = { email: 'Ada+ink@Example.com', phone: '5555550177' };
  const other = await holdForPerson({ service }, variant);
  pathOf.set(other.id, `/checkout/${other.token}`);
  t.equal(await ask(other.id), 'sent');
  await later(60);
  t.equal(await ask(other.id), 'sent');
  await later(60);
  t.match(await ask(other.id), { statusCode: 429 }, 'the sixth of the mailbox within the hour');

  await service.context.database
    .updateTable('bookings')
    .set({ status: 'confirmed', confirmed_at: new Date() })
    .execute();
  for (let index = 5; index < 10; index += 1) {
    await later(3_601);
    t.equal(await ask(index % 2 ? id : other.id), 'sent', String(index));
  }
  await later(3_601);
  t.match(await ask(id), { statusCode: 429 }, 'the eleventh of the day');
  await later(86_400);
  t.equal(await ask(id), 'sent');
});

void t.test('a booking without an address gets no codes; its page asks to call', async (t) => {
  const { service, id, path } = await start(t, { ...generous, ...mailOn });
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
    const { service, id, path, ask, type, code } = await start(t, {
      ...codeMode,
      PUBLIC_BASE_URL: origin,
    });
    await ask();
    const right = await type(await code());
    t.match(String(right.headers['set-cookie']), /; Secure$/);
    t.ok((await bookingRow(service, id)).code_asked_at);
    await service.shiftClock(400 * 86_400_000);
    await service.context.database
      .transaction()
      .execute((transaction) =>
        eraseDuePersonalData(transaction, { unconfirmedDays: 0, confirmedDays: 0 }),
      );
    t.match(await bookingRow(service, id), { email: null, code_asked_at: null });
    t.equal((await service.app.inject(path)).statusCode, 200);
  },
);

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
