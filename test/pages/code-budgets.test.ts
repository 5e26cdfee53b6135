import t, { type Test } from 'tap';
import { ageCodes, browserOn, codeMode, codesOf, newestCode } from '../support/codes.js';
import { holdForPerson, type HeldForPerson } from '../support/pages.js';
import { personNumber } from '../support/requests.js';
import { startTestService } from '../support/service.js';

/** Holds, and what becomes of asking for their codes from an address, each time in a new browser. */
async function start(t: Test, environment: Record<string, string> = {}) {
  const service = await startTestService(t, { ...codeMode, ...environment });
  const held: HeldForPerson[] = [];
  const hold = async (person: Parameters<typeof holdForPerson>[1] = {}) => {
    const next = await holdForPerson({ service }, person);
    held.push(next);
    return next;
  };
  const ask = async ({ token }: HeldForPerson, from: string) => {
    const path = `/checkout/${token}`;
    const { statusCode, headers } = await browserOn(service, from).press(path, 'send_code');
    return statusCode === 303 ? 'sent' : Number(headers['retry-after']);
  };
  const later = async (seconds: number) => {
    for (const { id } of held) await ageCodes(service, id, seconds);
  };
  /** Keeps a hold from lapsing, as no code has proven it. */
  const confirmByLink = ({ id }: HeldForPerson) =>
    service.context.database
      .updateTable('bookings')
      .set({ status: 'confirmed', confirmed_at: new Date(), confirmed_via: 'link' })
      .where('id', '=', id)
      .execute();
  return { service, hold, ask, later, confirmByLink };
}

const address = (index: number) => `203.0.113.${index}`;
const isAbout = (wanted: number) => (seconds: unknown) =>
  typeof seconds === 'number' && seconds <= wanted && seconds > wanted - 60;
const hour = 3_600;

void t.test('from one network, a booking and a mailbox get 3 codes an hour', async (t) => {
  const { hold, ask, later } = await start(t);
  const first = await hold({ email: 'ada.park@gmail.com' });
  const variant = await hold({ email: 'AdaPark+ink@Gmail.com', phone: '5555550177' });
  for (let codes = 0; codes < 3; codes += 1) t.equal(await ask(first, address(1)), 'sent');
  t.ok(isAbout(hour)(await ask(first, address(1))));
  t.ok(isAbout(hour)(await ask(variant, address(1))), 'the same mailbox');
  t.equal(await ask(first, address(2)), 'sent', 'another network has its own');
  const inOneLine = (interface_: number) => `2001:db8:1:${interface_}::1`;
  for (let codes = 0; codes < 3; codes += 1) t.equal(await ask(first, inOneLine(codes)), 'sent');
  t.ok(isAbout(hour)(await ask(first, inOneLine(9))), 'a /48 is one network');
  await later(hour);
  t.equal(await ask(first, address(1)), 'sent');
});

void t.test('a network gets 10 codes an hour and 30 a day, whoever they go to', async (t) => {
  const { hold, ask, later } = await start(t);
  for (const round of [0, 1, 2]) {
    for (let index = 0; index < 10; index += 1) {
      t.equal(await ask(await hold(personNumber(round * 20 + index)), address(1)), 'sent');
    }
    const refused = await ask(await hold(personNumber(round * 20 + 10)), address(1));
    t.ok(isAbout(round < 2 ? hour : 86_400 - 2 * hour)(refused), `${round}: ${refused}`);
    await later(hour);
  }
  const stranger = await hold(personNumber(90));
  t.ok(isAbout(86_400 - 3 * hour)(await ask(stranger, address(1))));
  t.equal(await ask(stranger, address(2)), 'sent');
});

void t.test(
  'a booking gets 10 codes a day and a mailbox 10 an hour, but for the first of each network',
  async (t) => {
    const { service, hold, ask, later, confirmByLink } = await start(t);
    const [first, another] = [await hold(), await hold()];
    for (const each of [first, another]) await confirmByLink(each);
    for (let index = 0; index < 10; index += 1) {
      t.equal(await ask(first, address(index >> 1)), 'sent');
    }
    t.ok(isAbout(86_400)(await ask(first, address(4))), 'the booking has had ten');
    t.equal(await ask(first, address(20)), 'sent', 'the first of another network');
    t.ok(isAbout(86_400)(await ask(first, address(20))), 'its second');
    t.equal(await ask(another, address(4)), 'sent', 'the first for another booking');
    t.ok(isAbout(hour)(await ask(another, address(4))), 'the mailbox has had ten');
    await later(hour);
    t.equal(await ask(another, address(4)), 'sent');
    for (let index = 21; index < 39; index += 1) t.equal(await ask(first, address(index)), 'sent');
    t.type(await ask(first, address(40)), 'number', 'twenty go beyond, within a day');
    const codes = [...(await codesOf(service, first.id)), ...(await codesOf(service, another.id))];
    t.equal(codes.filter((code) => code.is_beyond_totals).length, 20);

    for (let index = 51; index < 60; index += 1) {
      t.equal(await ask(another, address(index)), 'sent');
    }
    t.type(await ask(another, address(60)), 'number', 'nor do the first of the mailbox');
    await later(86_400);
    t.equal(await ask(another, address(60)), 'sent');
  },
);

void t.test('holds that strangers place cost a proven booking no code', async (t) => {
  const { service, hold, ask, later } = await start(t);
  const own = await hold();
  const browser = browserOn(service, address(1));
  const path = `/checkout/${own.token}`;
  await browser.press(path, 'send_code');
  const fields = { code: await newestCode(service, own.id) };
  t.equal((await browser.press(path, 'confirm', { fields })).statusCode, 303);
  await later(hour);

  const strangers = [await hold(), await hold()];
  let sent = 0;
  for (let index = 2; index < 60; index += 1) {
    if ((await ask(strangers[index % 2]!, address(index))) === 'sent') sent += 1;
  }
  t.equal(sent, 30, 'ten, and twenty first ones');
  t.equal(await ask(own, address(1)), 'sent');
  t.equal(await ask(own, address(2)), 'sent');
});

void t.test(
  'holds in the name of a person, and their codes, leave that person a code of their own',
  async (t) => {
    const { hold, ask } = await start(t);
    const [first, second, third] = [await hold(), await hold(), await hold()];
    const attacks = [first, first, first, second, second, third];
    for (const each of attacks) await ask(each, address(1));
    const own = await hold();
    t.equal(await ask(own, address(2)), 'sent');
  },
);

void t.test(
  'the studio sends so many codes an hour; a quarter is kept for confirmed sessions, and one for new networks',
  async (t) => {
    const { service, hold, ask, later, confirmByLink } = await start(t, {
      MAX_CODES_PER_HOUR: '8',
    });
    service.expectLog(/codes that the studio sends in an hour are used up/);
    let person = 0;
    const stranger = () => hold(personNumber((person += 1)));
    const known = address(1);
    for (let codes = 0; codes < 4; codes += 1) t.equal(await ask(await stranger(), known), 'sent');
    t.ok(isAbout(hour)(await ask(await stranger(), known)), 'half is for everybody');

    const confirmed = await stranger();
    await confirmByLink(confirmed);
    for (let codes = 0; codes < 2; codes += 1) t.equal(await ask(confirmed, known), 'sent');
    t.ok(isAbout(hour)(await ask(confirmed, known)));

    for (const index of [2, 3]) t.equal(await ask(await stranger(), address(index)), 'sent');
    t.ok(isAbout(hour)(await ask(await stranger(), address(4))));
    t.equal(
      service.logLines.filter((line) => line.includes('are used up')).length,
      1,
      'told once, not with each refusal',
    );
    t.notMatch(service.logLines.join('\n'), '203.0.113');
    await later(hour);
    t.equal(await ask(await stranger(), known), 'sent');
  },
);
