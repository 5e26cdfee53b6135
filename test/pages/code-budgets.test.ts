import t, { type Test } from 'tap';
import { ageCodes, browserOn, codeMode, codesOf, newestCode } from '../support/codes.js';
import { holdForPerson, type HeldForPerson } from '../support/pages.js';
import { personNumber } from '../support/requests.js';
import { startService } from '../support/service.js';

/** Holds, and what becomes of asking for their codes from an address, each time in a new browser. */
async function start(t: Test, environment: Record<string, string> = {}) {
  const service = await startService(t, { ...codeMode, ...environment });
  const held: HeldForPerson[] = [];
  let people = 0;
  const hold = async (person: Parameters<typeof holdForPerson>[1] = {}) => {
    const next = await holdForPerson(service, person);
    held.push(next);
    return next;
  };
  /** Of another person each time. */
  const stranger = () => hold(personNumber((people += 1)));
  const ask = async ({ token }: HeldForPerson, from: string) => {
    const path = `/checkout/${token}`;
    const { statusCode, headers } = await browserOn(service, from).press(path, 'send_code');
    return statusCode === 303 ? 'sent' : Number(headers['retry-after']);
  };
  /** Asks as often as is expected to succeed. */
  const sends = async (t: Test, count: number, booking: HeldForPerson, from: string) => {
    for (let codes = 0; codes < count; codes += 1) t.equal(await ask(booking, from), 'sent');
  };
  const later = async (seconds: number) => {
    for (const { id } of held) await ageCodes(service, id, seconds);
  };
  /** Keeps a hold from lapsing, as no code has proven it. */
  const confirmByLink = ({ id }: HeldForPerson) =>
    service.context.database
      .updateTable('bookings')
      .set({
        status: 'confirmed',
        confirmed_at: new Date(),
        confirmed_via: 'link',
      })
      .where('id', '=', id)
      .execute();
  return { service, hold, stranger, ask, sends, later, confirmByLink };
}

const address = (index: number) => `203.0.113.${index}`;
const hour = 3_600;

/** Whether a refusal says to come back in `wanted` seconds, or up to ten minutes less. */
function isAbout(answer: string | number, wanted: number): boolean {
  return typeof answer === 'number' && answer <= wanted && answer > wanted - 600;
}

t.test('from one network, a booking and a mailbox get 3 codes an hour', async (t) => {
  const { hold, ask, sends, later } = await start(t);
  const first = await hold({ email: 'ada.park@gmail.com' });
  const variant = await hold({
    email: 'AdaPark+ink@Gmail.com',
    phone: '5555550177',
  });
  await sends(t, 3, first, address(1));
  t.ok(isAbout(await ask(first, address(1)), hour));
  t.ok(isAbout(await ask(variant, address(1)), hour), 'the same mailbox');
  await sends(t, 1, first, address(2));
  const inOneLine = (interface_: number) => `2001:db8:1:${interface_}::1`;
  for (let codes = 0; codes < 3; codes += 1) await sends(t, 1, first, inOneLine(codes));
  t.ok(isAbout(await ask(first, inOneLine(9)), hour), 'a /48 is one network');
  await later(hour);
  await sends(t, 1, first, address(1));
});

t.test('a network gets 10 codes an hour and 30 a day, whoever they go to', async (t) => {
  const { stranger, ask, sends, later } = await start(t);
  for (const round of [0, 1, 2]) {
    for (let index = 0; index < 10; index += 1) await sends(t, 1, await stranger(), address(1));
    const refused = await ask(await stranger(), address(1));
    t.ok(isAbout(refused, round < 2 ? hour : 86_400 - 2 * hour), `${round}: ${refused}`);
    await later(hour);
  }
  const last = await stranger();
  t.ok(isAbout(await ask(last, address(1)), 86_400 - 3 * hour));
  await sends(t, 1, last, address(2));
});

t.test(
  'a booking gets 10 codes a day and a mailbox 10 an hour, but for the first of each network',
  async (t) => {
    const { service, hold, ask, sends, later, confirmByLink } = await start(t);
    const [first, another] = [await hold(), await hold()];
    for (const each of [first, another]) await confirmByLink(each);
    for (let index = 0; index < 10; index += 1) await sends(t, 1, first, address(index >> 1));
    t.ok(isAbout(await ask(first, address(4)), 86_400), 'the booking has had ten');
    await sends(t, 1, first, address(20));
    t.ok(isAbout(await ask(first, address(20)), 86_400), 'its second');
    await sends(t, 1, another, address(4));
    t.ok(isAbout(await ask(another, address(4)), hour), 'the mailbox has had ten');
    await later(hour);
    await sends(t, 1, another, address(4));
    for (let index = 21; index < 39; index += 1) await sends(t, 1, first, address(index));
    t.type(await ask(first, address(40)), 'number', 'twenty go beyond, within a day');
    const codes = [...(await codesOf(service, first.id)), ...(await codesOf(service, another.id))];
    t.equal(codes.filter((code) => code.is_beyond_totals).length, 20);

    for (let index = 51; index < 60; index += 1) await sends(t, 1, another, address(index));
    t.type(await ask(another, address(60)), 'number', 'nor do the first of the mailbox');
    await later(86_400);
    await sends(t, 1, another, address(60));
  },
);

t.test('holds that strangers place cost a proven booking no code', async (t) => {
  const { service, hold, ask, sends, later } = await start(t);
  const own = await hold();
  const browser = browserOn(service, address(1));
  const path = `/checkout/${own.token}`;
  await browser.press(path, 'send_code');
  const fields = { code: await newestCode(service, own.id) };
  t.equal((await browser.press(path, 'confirm', { fields })).statusCode, 303);
  await later(hour);

  const strangers = [await hold(), await hold()];
  let sent = 0;
  for (let index = 2; index < 40; index += 1) {
    if ((await ask(strangers[index % 2]!, address(index))) === 'sent') sent += 1;
  }
  t.equal(sent, 30, 'ten, and twenty first ones');
  for (const index of [1, 2]) await sends(t, 1, own, address(index));
});

t.test('holds in a person’s name, and their codes, leave the person a code', async (t) => {
  const { hold, ask, sends } = await start(t);
  const [first, second, third] = [await hold(), await hold(), await hold()];
  for (const each of [first, first, first, second, second, third]) await ask(each, address(1));
  await sends(t, 1, await hold(), address(2));
});

t.test(
  'of the codes that the studio sends in an hour, a quarter is kept for confirmed sessions, and one for new networks',
  async (t) => {
    const limit = { MAX_CODES_PER_HOUR: '8' };
    const { service, stranger, ask, sends, later, confirmByLink } = await start(t, limit);
    service.expectLog(/codes that the studio sends in an hour are used up/);
    const known = address(1);
    for (let codes = 0; codes < 4; codes += 1) await sends(t, 1, await stranger(), known);
    t.ok(isAbout(await ask(await stranger(), known), hour), 'half is for everybody');

    const confirmed = await stranger();
    await confirmByLink(confirmed);
    await sends(t, 2, confirmed, known);
    t.ok(isAbout(await ask(confirmed, known), hour));

    for (const index of [2, 3]) await sends(t, 1, await stranger(), address(index));
    t.ok(isAbout(await ask(await stranger(), address(4)), hour));
    const told = service.logLines.filter((line) => line.includes('are used up'));
    t.equal(told.length, 1, 'told once, not with each refusal');
    t.notMatch(service.logLines.join('\n'), '203.0.113');
    await later(hour);
    await sends(t, 1, await stranger(), known);
  },
);
