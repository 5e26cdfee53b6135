import t from 'tap';
import { addDays, weekdayOf } from '../../src/calendar/dates.js';
import { slotKey } from '../../src/calendar/slots.js';
import { studioToday } from '../../src/domain/studio-settings.js';
import { hold } from '../support/board.js';
import { mailOn } from '../support/codes.js';
import { consoleLink, signedIn } from '../support/console.js';
import { insertCode } from '../support/mail-rows.js';
import { visitor, type Visitor } from '../support/visitor.js';
import { startLooks, type Looks, type Shown } from './looks.js';
import { insertRows } from './rows.js';

type Fields = Parameters<Visitor['press']>[1];

const looks = await startLooks(t, { ...mailOn, MAX_CODES_PER_HOUR: '1' });
if (looks !== null) await testStates(looks);

async function testStates(service: Looks): Promise<void> {
  const { context, look } = service;
  const { cora, mo, mailId, subscriptionId, free } = await insertRows(context);
  const { booking: held } = await hold(context, free[0]!.date, free[0]!.timeSlot);
  await insertCode(context, mo.id);
  const [ada, grace] = [await signedIn(service), await signedIn(service, 'Grace')];
  const link = new URL(await consoleLink(service)).pathname;
  const closing = `/console/closures/new?date=${addDays(await studioToday(context), 1)}`;
  const [booking, moving] = [`/console/bookings/${cora.id}`, `/console/bookings/${mo.id}/move`];
  const subscription = `/console/webhooks/${subscriptionId}`;
  const resend = `form[action$="${mailId}/resend"]`;
  const closed = { [`closed-${weekdayOf(free[0]!.date)}`]: 'on' };
  const [longReason, sendAgain] = ['x'.repeat(201), 'Send again the confirmation to Ada'];
  const revoke = `Revoke the key of ${'m'.repeat(50)}@example.com`;
  const wrongPerson = { name: '\u200b', email: 'nobody', phone: '0', idea: 'x'.repeat(3_000) };
  const taken = { date: cora.date, time_slot: cora.time_slot };
  const there = `/console/closures/new?date=${held.date}`;
  const [studio, hours] = ['/console/studio', '/console/hours'];
  const calendars = '/console/calendars';
  const [watch, makeAddress, move] = ['Watch this calendar', 'Make the address', 'Move'];
  const [cancel, saveWeek] = ['Cancel this booking', 'Save the week'];
  const saveDetails = 'Save the details';

  const open = (path: string) => () => ada.open(path);
  const press = (path: string, button: string, fields?: Fields) => async () => {
    await ada.open(path);
    await ada.press(button, fields);
  };
  /** Another person presses the button first. */
  const late =
    (path: string, button: string, theirs?: Fields, own?: Fields, within?: string) => async () => {
      for (const each of [grace, ada]) await each.open(path);
      await grace.press(button, theirs, within);
      await ada.press(button, own, within);
    };

  const states: Record<string, () => Promise<unknown>> = {
    'Give the whole address': press(calendars, watch, { address: 'my calendar' }),
    'No address was made': press(calendars, makeAddress, { label: '' }),
    'it is not shown again': press(calendars, makeAddress, { label: 'Phone' }),
    Cora: open('/console/bookings'),
    '1 found': press('/console/bookings', 'Search', { text: 'cora' }),
    'Nothing was found': press('/console/bookings', 'Search', { text: '%' }),
    'Choose a date': press('/console/bookings/new', 'Add the booking', wrongPerson),
    'is taken': press(moving, move, taken),
    'at most 500 characters': press(booking, cancel, { reason: 'x'.repeat(501) }),
    'changed since': late(moving, slotKey(free[1]!), {}, {}),
    'The slot is free again': press(booking, cancel, { reason: 'The artist is ill' }),
    'The week has changed': late(hours, saveWeek, { 'closes-2': '21:00' }, { 'closes-2': '21:30' }),
    'Give both times': press(hours, saveWeek, { 'opens-2': '23:00', 'opens-4': '' }),
    'Bookings outside these sessions': press(hours, saveWeek, closed),
    'comes before the first': press(closing, 'Close', { to: '2020-01-01', reason: longReason }),
    '2 bookings are on these dates': open(there),
    'Cancelled with the closure': press(there, 'Close', { bookings: 'cancel' }),
    'Open again': open(hours),
    'same details have changed': late(studio, saveDetails, { city: 'Salem' }, { city: 'Eugene' }),
    'Give a two-letter': press(studio, saveDetails, { name: '', country: 'Germany', website: 'x' }),
    'in another time zone': press(studio, saveDetails, { timezone: 'America/New_York' }),
    'The notice has changed': late(studio, 'Save this notice', { text: 'A' }, { text: 'B' }),
    'Give a text of 1 to 1,000': press(studio, 'Add this notice', { title: 'x' }),
    'Needs care': open('/console/mail'),
    'It was not sent again': late('/console/mail', sendAgain, {}, {}, resend),
    'Some deliveries failed': open('/console/webhooks'),
    'Latest deliveries': open(subscription),
    'had been disabled before': late(subscription, 'Disable'),
    'revoked before': late('/console/keys', revoke),
    Older: open('/console/audit'),
    '100 %': open('/console/figures'),
    Grace: open('/console/sign-ins'),
  };
  const shown: (Shown & { words: string; text: string })[] = [];
  const keep = (words: string, { answer, path }: Visitor, text: string) =>
    shown.push({ answer, path, words, text });
  for (const [words, act] of Object.entries(states)) {
    await act();
    keep(words, ada, ada.text('main'));
  }
  const person = visitor(service);
  await person.open('/console');
  keep('This is the studio’s own console.', person, person.text());
  await person.open(link);
  keep('Sign in', person, person.text());
  for (const { words, text, ...each } of shown) {
    void t.test(
      `axe finds nothing on a page with “${words}”, and it fits the screen`,
      async (t) => {
        t.match(text, words);
        await look(t, each);
      },
    );
  }
}
