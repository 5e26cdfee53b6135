import t from 'tap';
import { cancelByStudio } from '../../src/domain/cancellation.js';
import { recordNoShow } from '../../src/domain/studio-bookings.js';
import { addDays } from '../../src/schedule/dates.js';
import { dateWords } from '../../src/schedule/words.js';
import { releaseCheckout, moveCheckout } from '../support/checkouts.js';
import { addPerson, signedIn } from '../support/console.js';
import { holdForPerson, sessionForPerson } from '../support/holds.js';
import { insertMail } from '../support/mail-rows.js';
import { everyOpenSlot, someOpenSlots } from '../support/requests.js';
import { startService } from '../support/service.js';
import { startOver } from '../support/start-over.js';

const service = await startService(t);
const { context, shiftClock } = service;

t.beforeEach(() => startOver(context));

t.test('any day is shown with who came, who did not, and what was free', async (t) => {
  const [slot] = await someOpenSlots(context, 1);
  const { id, starts_at: startsAt } = await addPerson(service, slot!, { name: 'Grace Hopper' });
  await shiftClock(startsAt.getTime() - context.clock.now() + 60_000);
  await recordNoShow(context, 'test', id, { undo: false });
  const ada = await signedIn(service);
  t.match(ada.text('h1'), /^Today, \w+, \w+ \d+$/);
  t.match(ada.text('.who'), 'Ada');
  t.equal(ada.$('.slots .slot').length, 3);
  t.equal(ada.$('.agenda .day').length, 7);
  await ada.open(`/console?date=${slot!.date}`);
  t.match(ada.text('h1'), /^Today/);
  t.match(ada.text('.slot.missed'), /Grace Hopper.*did not come/);
  const dayBefore = addDays(slot!.date, -1);
  const { weekday, month, day } = dateWords(dayBefore);
  await ada.open(`/console?date=${dayBefore}`);
  t.equal(ada.text('h1'), `${weekday}, ${month} ${day}`);
  t.notMatch(ada.texts('.slots a').join(), /Add/, 'it is over');
});

t.test('bookings are listed by date, and found by what nothing logs', async (t) => {
  const slots = await everyOpenSlot(context, 2);
  const heron = await addPerson(service, slots[60]!, {
    name: 'Zoë Heron_Smith',
    email: 'Zoe+tattoo@example.com',
    phone: '(971) 555-0199',
    idea: 'A secret crane',
  });
  const gone = await addPerson(service, slots[61]!, { name: 'Gone' });
  await cancelByStudio(context, 'test', gone.id, { reason: 'A private reason' });
  for (const slot of slots.slice(0, 55)) await addPerson(service, slot, { name: 'Somebody' });

  const ada = await signedIn(service);
  const list = '/console/bookings';
  const rows = () => ada.texts('.booking-rows li');
  await ada.open(list);
  t.equal(rows().length, 50);
  await ada.follow('Later');
  t.equal(rows().length, 6);
  await ada.follow('Earlier');
  t.equal(rows().length, 50);
  await ada.press('Show', { from: heron.date, to: addDays(heron.date, 14), status: 'cancelled' });
  t.match(ada.path, /status=cancelled/);
  t.match(rows(), [/Gone/]);
  t.equal(rows().length, 1);
  await ada.open(`${list}?from=nonsense&to=2026-02-31&status=__proto__&page=-3`);
  t.equal(rows().length, 50, 'what is no filter is ignored');

  for (const text of [
    'zoë',
    'heron_s',
    'ZOE+TATTOO@example.com',
    '(971) 555-0199',
    '+1 971 555 0199',
    '\u202A+1 (971) 555\u00A00199\u202C',
    '0199',
    heron.id.slice(0, 8),
    heron.id,
  ]) {
    await ada.press('Search', { text });
    t.match(ada.text('main [role=status]'), /^1 found/, text);
    t.match(rows(), [/Zoë Heron_Smith/]);
    t.equal(ada.path, list);
    t.equal(ada.$('[type=search]').val(), text);
  }
  for (const [text, answer] of [
    ['%', 'Nothing was found.'],
    ['heron%smith', 'Nothing was found.'],
    ['deadbeef is no id', 'Nothing was found.'],
    ['\\', 'Nothing was found.'],
    ['  ', 'Nothing was found.'],
    ['somebody', 'The first 50 found'],
  ] as const) {
    await ada.press('Search', { text });
    t.match(ada.text('main [role=status]'), answer);
  }
  await ada.open(`${list}/${heron.id}`);
  const log = service.logLines.join('\n');
  t.notMatch(log, /zo[eë]|heron_|5550199|crane|private reason/i);
});

t.test('names and ideas that are markup or turn text around are only text', async (t) => {
  const markup = '</title><img src=x onerror=alert(1)>"\'<script>alert(2)</script>';
  const { id } = await holdForPerson(service, {
    name: `\u202e${markup}`,
    idea: `\u202e</textarea>${markup}\n${'w'.repeat(900)}`,
    pronouns: '\u2067<b>they</b>',
  });
  const ada = await signedIn(service);
  const path = `/console/bookings/${id}`;
  for (const address of ['/console', '/console/bookings', `${path}/move`, path]) {
    await ada.open(address);
    t.match(ada.text('#work'), '<script>alert(2)</script>');
    t.equal(ada.$('img, b, main script').length, 0);
  }
  t.equal(ada.$('.facts bdi:contains("onerror")').length, 1);
  await ada.open('/console/bookings');
  await ada.press('Search', { text: `"><img src=x>${markup}` });
  t.match(ada.text('main'), 'Nothing was found.');
  t.equal(ada.$('img').length, 0);
});

t.test('what has happened since one last looked stands on the first page', async (t) => {
  const [one, two, three, four] = await someOpenSlots(context, 4);
  const ida = await sessionForPerson(service, { name: 'Ida Moves' }, one);
  await moveCheckout(context, ida.token, two!, 1);
  const cleo = await sessionForPerson(
    service,
    { name: 'Cleo Cancels', email: 'c@example.com' },
    three,
  );
  await releaseCheckout(context, cleo.token, 'confirmed');
  await releaseCheckout(context, (await holdForPerson(service)).token, 'pending');
  const { id } = await addPerson(service, four!, { name: 'Max Mails' });
  await insertMail(context, id, { status: 'failed' });

  const ada = await signedIn(service, 'Ada at home');
  const lines = (list = '.log') => ada.texts(`.news ${list} li > span`);
  const at = /\w{3}, \w{3} \d+, (\d{4}, )?\d+:\d\d.*–.*M/.source;
  const happened = [
    /^A mail could not be sent: the confirmation to Max Mails\.$/,
    new RegExp(`^Max Mails was added: ${at}\\.$`),
    new RegExp(`^Cleo Cancels cancelled ${at}\\.$`),
    new RegExp(`^Cleo Cancels booked ${at}\\.$`),
    new RegExp(`^Ida Moves moved from ${at} to ${at}\\.$`),
    new RegExp(`^Ida Moves booked ${at}\\.$`),
  ];
  t.equal(ada.path, '/console');
  t.equal(ada.text('.news h2'), 'Since yesterday');
  t.match(lines(), happened);
  t.equal(lines().length, happened.length, 'a hold that was let go is no news');
  t.equal(ada.$('.news .log a').eq(1).attr('href'), `/console/bookings/${id}`);
  await ada.open('/console');
  t.equal(ada.text('.news h2'), 'Since yesterday', 'a visit lasts');

  await shiftClock(31 * 60_000);
  await ada.open('/console', { 'console-refresh': 'yes' });
  t.equal(
    ada.text('.news h2'),
    'Since yesterday',
    'a page that keeps itself up to date is no look',
  );
  // The name is known again, also after its session has ended.
  const again = await signedIn(service, 'Ada at home');
  t.match(again.text('.news'), /^Since you last looked\s*Nothing new since .*Before that, since/);
  await addPerson(service, one!, { name: 'New Person' });
  await ada.open('/console');
  t.match(lines('h2 + .log'), [/^New Person was added/]);
  t.match(lines('h3 + .log'), happened);
  await ada.open(`/console?date=${addDays(one!.date, 40)}`);
  t.equal(ada.$('.news').length, 0);

  await shiftClock(49 * 3_600_000);
  const later = await signedIn(service, 'Ada at home');
  t.match(later.text('.news'), /Nothing new since/);
  t.equal(later.$('.news li').length, 0);
});
