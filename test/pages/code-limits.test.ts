import t, { type Test } from 'tap';
import { confirmBooking } from '../../src/repositories/booking-transitions.js';
import { noProof } from '../../src/repositories/proof.js';
import { ageCodes, browserOn, codeMode, codesOf, holdWithBrowser } from '../support/codes.js';
import { pressOn } from '../support/forms.js';
import { age } from '../support/pages.js';
import { startService } from '../support/service.js';
import { startOver } from '../support/start-over.js';

const byCode = await startService(t, codeMode);
const { context } = byCode;
t.beforeEach(() => startOver(context));

/** As `holdWithBrowser`. */
async function hold(person?: Parameters<typeof holdWithBrowser>[1], service = byCode) {
  const held = await holdWithBrowser(service, person);
  return {
    ...held,
    /** Keeps the hold from lapsing, as no code has proven it. */
    confirmByLink: () => confirmBooking(service.context.database, held.id, noProof),
    /** What becomes of asking in a new browser at an address: `sent`, or the seconds to wait. */
    async askFrom(address: string) {
      const { statusCode, headers } = await browserOn(service, address).press(
        held.path,
        'send_code',
      );
      return statusCode === 303 ? 'sent' : Number(headers['retry-after']);
    },
  };
}

type Held = Awaited<ReturnType<typeof hold>>;

/** Asks as often as is expected to succeed. */
async function sends(t: Test, count: number, held: Held, address: string): Promise<void> {
  for (let codes = 0; codes < count; codes += 1) t.equal(await held.askFrom(address), 'sent');
}

async function later(seconds: number, service = byCode): Promise<void> {
  const bookings = await service.context.database.selectFrom('bookings').select('id').execute();
  for (const { id } of bookings) await ageCodes(service, id, seconds);
}

const ada = { name: 'Ada Park' };
const address = (index: number) => `203.0.113.${index}`;
const hour = 3_600;
const day = 24 * hour;

/** Expects a refusal that says to come back in `wanted` seconds, or up to ten minutes less. */
async function waits(t: Test, held: Held, from: string, wanted: number, message?: string) {
  const answer = Number(await held.askFrom(from));
  t.ok(answer <= wanted && answer > wanted - 600, `${answer} s; ${message}`);
}

t.test('a code of another booking, an older or a used one opens nothing', async (t) => {
  const { id, ask, press, row, code } = await hold();
  await ask();
  const other = await hold();
  await other.ask();
  t.equal((await press('confirm', await other.code())).statusCode, 403, 'of another booking');
  const old = await code();
  await ageCodes(byCode, id, 31);
  await ask();
  t.equal((await codesOf(byCode, id)).length, 2);
  t.equal((await press('confirm', old)).statusCode, 403, 'not the newest');
  t.equal((await row()).status, 'pending');

  const used = await code();
  t.equal((await press('confirm', used)).statusCode, 303);
  await ageCodes(byCode, id, 901);
  t.equal((await press('cancel', used, '1')).statusCode, 403, 'used twice');
  t.equal((await row()).status, 'confirmed');
});

t.test('a code lapses after 10 minutes, and with its hold', async (t) => {
  const { id, ask, press, row, code } = await hold();
  await age(byCode, id, 600);
  await ask();
  const [ofHold] = await codesOf(byCode, id);
  t.strictSame(ofHold!.lapses_at, (await row()).expires_at, 'with its hold');
  const other = await hold();
  await other.ask();
  const [whole] = await codesOf(byCode, other.id);
  t.equal(whole!.lapses_at!.getTime() - whole!.created_at.getTime(), 600_000);
  await ageCodes(byCode, other.id, 601);
  t.equal((await other.press('confirm', await other.code())).statusCode, 403);
  t.equal((await press('confirm', await code())).statusCode, 303, 'the first is still valid');
});

t.test('pressed twice, a button sends one code, and a code confirms once', async (t) => {
  const { id, path, browser, ask, press, code, row } = await hold();
  await browser.open(path);
  await Promise.all([ask(), ask(), ask()]);
  t.equal((await codesOf(byCode, id)).length, 1);
  const digits = await code();
  const answers = await Promise.all([1, 2, 3].map(() => press('confirm', digits)));
  for (const answer of [...answers, await press('confirm', digits)]) {
    t.match(answer, { statusCode: 303, headers: { location: path } });
  }
  t.match(await row(), { status: 'confirmed', sequence: 1 });
});

t.test('a booking without an address gets no codes; its page asks to call', async (t) => {
  const { id, path, ask, press, code } = await hold();
  await ask();
  await press('confirm', await code());
  const booking = context.database.updateTable('bookings').where('id', '=', id);
  await booking.set({ email: null }).execute();
  const page = await byCode.app.inject(path);
  t.match(page, { statusCode: 200, body: 'have no e-mail address to send it to' });
  t.notMatch(page.body, /value="(cancel|send_code)"/);
  t.equal((await pressOn(byCode, path, 'send_code')).statusCode, 303);
  t.equal((await codesOf(byCode, id)).length, 1);
  t.equal((await pressOn(byCode, path, 'cancel')).statusCode, 403);
});

t.test('from one network, a booking and a mailbox get 3 codes an hour', async (t) => {
  const first = await hold({ email: 'ada.park@gmail.com' });
  const variant = await hold({ email: 'AdaPark+ink@Gmail.com', phone: '5555550177' });
  await sends(t, 3, first, address(1));
  await waits(t, first, address(1), hour);
  await waits(t, variant, address(1), hour, 'the same mailbox');
  await sends(t, 1, first, address(2));
  const inOneLine = (interface_: number) => `2001:db8:1:${interface_}::1`;
  for (let codes = 0; codes < 3; codes += 1) await sends(t, 1, first, inOneLine(codes));
  await waits(t, first, inOneLine(9), hour, 'a /48 is one network');
  await later(hour);
  await sends(t, 1, first, address(1));
});

t.test('a network gets 10 codes an hour and 30 a day, for any number of people', async (t) => {
  for (const wait of [hour, hour, day - 2 * hour]) {
    for (let index = 0; index < 10; index += 1) await sends(t, 1, await hold(), address(1));
    await waits(t, await hold(), address(1), wait);
    await later(hour);
  }
  const last = await hold();
  await waits(t, last, address(1), day - 3 * hour);
  await sends(t, 1, last, address(2));
});

t.test('networks share 10 codes a day of a booking, after the first of each', async (t) => {
  const [first, another] = [await hold(ada), await hold(ada)];
  for (const each of [first, another]) await each.confirmByLink();
  for (let index = 0; index < 10; index += 1) await sends(t, 1, first, address(index >> 1));
  await waits(t, first, address(4), day, 'the booking has had ten');
  await sends(t, 1, first, address(20));
  await waits(t, first, address(20), day, 'its second');
  await sends(t, 1, another, address(4));
  await waits(t, another, address(4), hour, 'the mailbox has had ten');
  await later(hour);
  await sends(t, 1, another, address(4));
  for (let index = 21; index < 39; index += 1) await sends(t, 1, first, address(index));
  t.type(await first.askFrom(address(40)), 'number', 'twenty go beyond, within a day');
  const codes = [...(await codesOf(byCode, first.id)), ...(await codesOf(byCode, another.id))];
  t.equal(codes.filter((code) => code.is_beyond_totals).length, 20);

  for (let index = 51; index < 60; index += 1) await sends(t, 1, another, address(index));
  t.type(await another.askFrom(address(60)), 'number', 'nor do the first of the mailbox');
  await later(day);
  await sends(t, 1, another, address(60));
});

t.test('holds that strangers place cost a proven booking no code', async (t) => {
  const own = await hold(ada);
  await own.ask();
  t.equal((await own.press('confirm', await own.code())).statusCode, 303);
  await later(hour);

  const strangers = [await hold(ada), await hold(ada)];
  let sent = 0;
  for (let index = 2; index < 40; index += 1) {
    if ((await strangers[index % 2]!.askFrom(address(index))) === 'sent') sent += 1;
  }
  t.equal(sent, 30, 'ten, and twenty first ones');
  for (const index of [1, 2]) await sends(t, 1, own, address(index));
});

t.test('holds in a person’s name, and their codes, leave the person a code', async (t) => {
  const [first, second, third] = [await hold(ada), await hold(ada), await hold(ada)];
  for (const each of [first, first, first, second, second, third]) await each.askFrom(address(1));
  await sends(t, 1, await hold(ada), address(2));
});

t.test('confirmed sessions and new networks have a quarter of the codes each', async (t) => {
  const service = await startService(t, { ...codeMode, MAX_CODES_PER_HOUR: '8' });
  service.expectLog(/codes that the studio sends in an hour are used up/);
  const stranger = () => hold(undefined, service);
  const known = address(1);
  for (let codes = 0; codes < 4; codes += 1) await sends(t, 1, await stranger(), known);
  await waits(t, await stranger(), known, hour, 'half is for everybody');

  const confirmed = await stranger();
  await confirmed.confirmByLink();
  await sends(t, 2, confirmed, known);
  await waits(t, confirmed, known, hour);

  for (const index of [2, 3]) await sends(t, 1, await stranger(), address(index));
  await waits(t, await stranger(), address(4), hour);
  const told = service.logLines.filter((line) => line.includes('are used up'));
  t.equal(told.length, 1, 'told once, not with each refusal');
  t.notMatch(service.logLines.join('\n'), '203.0.113');
  await later(hour, service);
  await sends(t, 1, await stranger(), known);
});
