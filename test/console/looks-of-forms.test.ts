import t from 'tap';
import {
  linkToArtist,
  linkToBlock,
  linkToStart,
  linkToMove,
  linkToSickDays,
} from '../../src/console/links.js';
import { changeArtistDays } from '../../src/domain/studio/artist-days.js';
import { addArtist, changeArtist } from '../../src/domain/studio/artists.js';
import { studioToday } from '../../src/domain/studio/settings.js';
import { addDays, weekdayOf } from '../../src/schedule/dates.js';
import { addArtists } from '../support/artists.js';
import { mailOn } from '../support/codes.js';
import { addPerson, consoleLink, signedIn } from '../support/console.js';
import { hold } from '../support/holds.js';
import { everyOpenSlot } from '../support/requests.js';
import { type BrowserService, generous, startService } from '../support/service.js';
import { visitor, type Visitor } from '../support/visitor.js';
import { look } from './look.js';
import { insertRows } from './rows.js';

type Fields = Parameters<Visitor['press']>[1];

type Rows = Awaited<ReturnType<typeof insertRows>>;

/** What a visitor has open, and the words on it. */
interface Shown extends Pick<Visitor, 'answer' | 'path'> {
  words: string;
  text: string;
}

/** The pages that forms lead to, each with its words, as they were when they were open. */
async function everyState(service: BrowserService, ada: Visitor, rows: Rows): Promise<Shown[]> {
  const { context } = service;
  const { cora, mo, mailId, subscriptionId, free } = rows;
  const { booking: held } = await hold(context, free[0]!.date, free[0]!.timeSlot);
  const grace = await signedIn(service, 'Grace');
  const link = new URL(await consoleLink(service)).pathname;
  const closing = `/console/closures/new?date=${addDays(await studioToday(context), 1)}`;
  const [booking, moving] = [`/console/bookings/${cora.id}`, `/console/bookings/${mo.id}/move`];
  const subscription = `/console/webhooks/${subscriptionId}`;
  const closed = { [`off-${weekdayOf(free[0]!.date)}`]: 'on' };
  const longReason = 'x'.repeat(201);
  const wrongPerson = { name: '\u200b', email: 'nobody', phone: '0', idea: 'x'.repeat(3_000) };
  const taken = { date: cora.date, time_slot: cora.time_slot };
  const block = linkToBlock(held.date, '13:00');
  const there = `/console/closures/new?date=${held.date}`;
  const [studio, hours] = ['/console/studio', '/console/hours'];
  const calendars = '/console/calendars';
  const [watch, makeAddress, move] = ['Watch this calendar', 'Make the address', 'Choose'];
  const [cancel, saveWeek] = ['Cancel this booking', 'Save the week'];
  const moveHere = 'Move to this time';
  const saveDetails = 'Save the details';

  const open = (path: string) => () => ada.open(path);
  const press =
    (path: string, button: string, fields?: Fields, who = ada) =>
    async () => {
      await who.open(path);
      await who.press(button, fields);
    };
  /** Another person presses the button first. */
  const late = (path: string, button: string, theirs: Fields, own: Fields) => async () => {
    for (const each of [grace, ada]) await each.open(path);
    await grace.press(button, theirs);
    await ada.press(button, own);
  };

  const states: Record<string, () => Promise<unknown>> = {
    'Give the whole address': press(calendars, watch, { address: 'my calendar' }),
    'No address was made': press(calendars, makeAddress, { label: '' }),
    'it is not shown again': press(calendars, makeAddress, { label: 'Phone' }),
    '1 found': press('/console/bookings', 'Search', { text: 'cora' }),
    'Choose a date': press('/console/bookings/new', 'Add the booking', wrongPerson),
    'is taken': press(moving, move, taken),
    'gets no mail: they gave no address': open(linkToMove(mo.id, free[1]!)),
    'Send this mail again?': open(`/console/mail/${mailId}/resend`),
    'at most 500 characters': press(booking, cancel, { reason: 'x'.repeat(501) }),
    'changed since': async () => {
      await ada.open(linkToMove(mo.id, free[1]!));
      await press(linkToMove(mo.id, free[2]!), moveHere, {}, grace)();
      await ada.press(moveHere);
    },
    'Give both times': press(hours, saveWeek, { 'opens-2': '23:00', 'opens-4': '' }),
    'Bookings outside these sessions': press(hours, saveWeek, closed),
    'end before they begin': press(block, 'Close', { to_time: '12:00' }),
    'Every week': open('/console/hours/weeks'),
    'A day that you change counts': press('/console/hours/weeks/dated', 'Save these days', {
      ...{ from: '2999-06-03', to: '2999-06-01', 'opens-2': '12:00', 'closes-2': '' },
    }),
    'comes before the first': press(closing, 'Close', { to: '2020-01-01', reason: longReason }),
    '2 bookings are on these dates': open(there),
    'A word to all of them': open(`${there}&job=sick`),
    'Still booked on these dates': press(there, 'Close'),
    'Sessions on closed days': open('/console/closures/undecided'),
    'Choose at least one': press('/console/openings/new?date=2020-01-06', 'Open', { sessions: [] }),
    'People can book these sessions': press('/console/openings/new?date=2999-06-03', 'Open'),
    'same details have changed': late(studio, saveDetails, { name: 'Salem' }, { name: 'Eugene' }),
    'At another address then': press(studio, saveDetails, { street: 'w'.repeat(200) }),
    'Give a two-letter': press(studio, saveDetails, { name: '', country: 'Germany', website: 'x' }),
    'Give a text of 1 to 1,000': press(studio, 'Add this notice', { title: 'x' }),
    'Latest deliveries': open(subscription),
  };
  const shown: Shown[] = [];
  const keep = (words: string, { answer, path }: Visitor, text: string) =>
    shown.push({ answer, path, words, text });
  const keepAll = async (states: Record<string, () => Promise<unknown>>) => {
    for (const [words, act] of Object.entries(states)) {
      await act();
      keep(words, ada, ada.text('main'));
    }
  };
  await keepAll(states);
  await keepAll(await statesOfArtists(context, { open, press }));
  const person = visitor(service);
  await person.open('/console');
  keep('This is the studio’s own console.', person, person.text());
  await person.open(link);
  keep('Sign in', person, person.text());
  return shown;
}

/** With several artists, of long names, of whom one is hidden and has a booking. */
async function statesOfArtists(
  context: BrowserService['context'],
  {
    open,
    press,
  }: {
    open: (path: string) => () => Promise<unknown>;
    press: (path: string, button: string, fields?: Fields) => () => Promise<unknown>;
  },
) {
  const [, jon, zoe] = await addArtists(context, 3);
  const name = 'w'.repeat(60);
  const [one, two] = (await everyOpenSlot(context, 40)).filter(
    ({ timeSlot }) => timeSlot === '5:00 PM',
  );
  await addPerson({ context }, { ...one!, artistId: jon!.id });
  await addPerson({ context }, { ...one!, artistId: zoe!.id });
  await addPerson({ context }, { ...two!, artistId: jon!.id });
  await changeArtist(context, 'test', 'jon', { name, about: 'w'.repeat(200) });
  await changeArtistDays(context, 'test', 'zoe', { isHidden: true });
  const eva = { name: 'Eva', about: '', email: '' };
  await addArtist(context, 'test', eva, { isAgreed: true });
  await context.board.refresh();
  const sick = linkToSickDays(one!.date, 'jon');
  const dates = { to: two!.date };
  return {
    'Hidden, 1 still booked': open('/console/artists'),
    'Another artist has this name': press('/console/artists', 'Add this artist', { name: 'Mara' }),
    'Still booked': open(linkToArtist('zoe')),
    'that are not as the studio’s stay theirs': press(linkToArtist('jon'), 'Save their week', {
      ...{ 'usual-2': undefined, 'sessions-2': [] },
    }),
    'Nothing is saved yet': press(linkToArtist('jon'), 'Hide'),
    'Save the days': open(linkToArtist('mara')),
    'not here': open(linkToStart('eva')),
    'cannot work': open(linkToSickDays(one!.date)),
    'Nearest time': press(sick, 'Show the bookings on these dates', dates),
    'whole day ·': press(sick, 'Close and do this'),
    'Whose sessions it closes': open('/console/calendars'),
  };
}

const service = await startService(
  t,
  { ...generous, ...mailOn, MAX_CODES_PER_HOUR: '1' },
  { browser: true },
);
if (service !== null) {
  t.jobs = 2;
  const rows = await insertRows(service.context);
  const ada = await signedIn(service, 'ada@adas-macbook-pro.local');
  for (const { words, text, ...shown } of await everyState(service, ada, rows)) {
    const title = `axe finds nothing on a page with “${words}”, and it fits the screen`;
    void t.test(title, async (t) => {
      t.match(text, words);
      await look(t, service, shown);
    });
  }
}
