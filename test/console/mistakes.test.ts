import t from 'tap';
import { studioToday } from '../../src/domain/studio/settings.js';
import { readStudio } from '../../src/repositories/studio-settings.js';
import { addDays } from '../../src/schedule/dates.js';
import { addPerson, newestActions, signedIn } from '../support/console.js';
import { someOpenSlots } from '../support/requests.js';
import { startService } from '../support/service.js';

const service = await startService(t);
const { context } = service;
const [slot, other] = await someOpenSlots(context, 2);
const cora = await addPerson(service, slot!, { name: 'Cora' });
const ida = await addPerson(service, other!, { name: 'Ida' });
const [own, taken] = [cora, ida].map(({ date, time_slot }) => ({ date, time_slot }));
const { title } = (await readStudio(context.database)).notices[0]!;
const tomorrow = addDays(await studioToday(context), 1);
const path = `/console/bookings/${cora.id}`;
const long = (length: number) => 'x'.repeat(length);

type Form = readonly [path: string, button: string];
const details: Form = ['/console/studio', 'Save the details'];
const notice: Form = ['/console/studio', 'Add this notice'];
const week: Form = ['/console/hours', 'Save the week'];
const closure: Form = [`/console/closures/new?date=${tomorrow}`, 'Close'];
const opening: Form = ['/console/openings/new?date=2020-01-06', 'Open'];
const cancel: Form = [path, 'Cancel this booking'];
const move: Form = [`${path}/move`, 'Choose'];
const correct: Form = [`${path}/correct`, 'Save the corrections'];
const add: Form = ['/console/bookings/new', 'Add the booking'];
const watch: Form = ['/console/calendars', 'Watch this calendar'];
const feed: Form = ['/console/calendars', 'Make the address'];
const artist: Form = ['/console/artists', 'Add this artist'];
const mara: Form = ['/console/artists/artist', 'Save'];

const address = '#watch-address-mistake';
const ics = 'https://calendar.example.com/a.ics';

type Typed = Record<string, string>;
/** What is refused with which status, and where it is said. */
const cases: [Form, status: number, Typed, place: string, said: string | RegExp][] = [
  [details, 400, { name: '' }, '#name-mistake', 'Give a text of 1 to 120 characters.'],
  [details, 400, { description: long(2001) }, '#description-mistake', '1 to 2,000 characters.'],
  [details, 400, { country: 'Germany' }, '#country-mistake', 'Give a two-letter ISO country code'],
  [details, 400, { email: 'me' }, '#email-mistake', 'Give an e-mail address'],
  [details, 400, { website: 'nightheron' }, '#website-mistake', 'Give an address such as'],
  [details, 400, { timezone: 'berlin' }, '#timezone-mistake', 'such as Europe/Berlin'],
  [notice, 400, { title, text: '' }, '.mistake', 'Give a text of 1 to 1,000 characters.'],
  [notice, 409, { title, text: 'Again.' }, '[role=alert]', 'Another notice has this title.'],
  [week, 400, { 'opens-2': '21:00' }, '#note-2', 'On Tuesday the studio would close (20:00)'],
  [week, 400, { 'opens-5': '20:00' }, '#note-5', 'On Friday the studio would close when it opens'],
  [week, 400, { 'opens-3': '10:00' }, '#note-3', 'The session at 9:00 AM on Wednesday'],
  [week, 400, { 'opens-4': '' }, '#note-4', 'Give both times'],
  [closure, 400, { to: '2020-01-01' }, '#to-mistake', 'The last date comes before the first.'],
  [closure, 400, { reason: long(201) }, '#reason-mistake', 'can have at most 200 characters.'],
  [closure, 400, { from: '2020-01-01', to: '2020-01-01' }, '#to-mistake', 'is in the past.'],
  [opening, 400, {}, '#date-mistake', '2020-01-06 is in the past.'],
  [opening, 400, { date: '' }, '#date-mistake', 'Give a date that exists'],
  [
    opening,
    409,
    { date: slot!.date },
    '#sessions-mistake',
    'The week has 9:00 AM, 1:00 PM, 5:00 PM',
  ],
  [cancel, 400, { reason: long(501) }, '[role=alert]', 'at most 500 characters; there are 501'],
  [cancel, 400, { word: long(501) }, '[role=alert]', 'line for their page can have at most 500'],
  [cancel, 400, { reason: long(501) }, 'title', /^The reason can have at most 500.* – Cora – /],
  [move, 200, taken!, '[role=alert]', 'is taken. Nothing was done'],
  [move, 200, { date: '2020-02-03', time_slot: '1:00 PM' }, '[role=alert]', 'is over'],
  [move, 200, own!, '[role=alert]', 'in this session already'],
  [move, 200, { date: '' }, '[role=alert]', 'Choose a date'],
  [correct, 400, { name: '' }, '#name-mistake', 'Please type a name.'],
  [correct, 400, { email: 'nobody' }, '#email-mistake', 'This is not an e-mail address'],
  [correct, 400, { phone: '911' }, '#phone-mistake', 'ten digits'],
  [add, 400, {}, '#slot-mistake', 'Choose a date and a session.'],
  [add, 400, { name: '\u200b\u2800' }, '#name-mistake', /./],
  [add, 400, { email: 'nobody' }, '#email-mistake', /./],
  [add, 400, { phone: '0000000000' }, '#phone-mistake', /./],
  [add, 400, { idea: long(2_400) }, '#idea-mistake', /./],
  [add, 409, { name: 'Walter', ...taken }, 'main', /is taken.*Open the booking of Ida/],
  [watch, 400, { address: '' }, address, 'Give the address'],
  [watch, 400, { address: 'my calendar' }, address, 'Give the whole address'],
  [watch, 400, { address: 'http://ada.example/a.ics' }, address, 'https:// or webcal://'],
  [watch, 400, { address: 'webcal://127.0.0.1/a.ics' }, address, 'public internet'],
  [watch, 400, { address: 'https://ada:pw@ada.example/a.ics' }, address, 'no user name'],
  [watch, 400, { address: ics, label: long(61) }, '#watch-label-mistake', 'at most 60 characters'],
  [feed, 400, { label: long(61), details: 'yes' }, '#feed-label-mistake', 'at most 60 characters'],
  [feed, 400, { label: '' }, 'main', 'No address was made.'],
  [artist, 400, { first: '' }, '#first-mistake', 'Give a name of at most 60'],
  [artist, 400, { name: '' }, '#name-mistake', 'Give a name of at most 60'],
  [artist, 400, { about: long(201) }, '#about-mistake', '1 to 200 characters'],
  [artist, 400, { email: 'jon' }, '#email-mistake', 'Give an e-mail address'],
  [mara, 400, { name: long(61) }, '#name-mistake', 'Give a name of at most 60 characters'],
];

t.test('mistakes stand beside their fields, typed text stays, nothing is saved', async (t) => {
  const ada = await signedIn(service);
  const before = await newestActions(service, 1_000);
  const refuse = async ([path, button]: Form, status: number, typed: Typed) => {
    const name = `${button} ${JSON.stringify(typed).slice(0, 80)}`;
    await ada.open(path);
    t.equal(await ada.press(button, typed), status, name);
    t.equal(ada.answer.headers['cache-control'], 'no-store', name);
    for (const [field, text] of Object.entries(typed)) {
      const shown = ada.$(`[name="${field}"]`).not('[type=checkbox]:not(:checked)').get();
      t.ok(
        shown.some((each) => ada.$(each).val() === text),
        `${name}: ${field}`,
      );
    }
  };
  for (const [form, status, typed, place, said] of cases) {
    await refuse(form, status, typed);
    t.match(ada.text(place), said);
    t.equal(await ada.open(ada.path), 200, 'a refused form can be opened again');
  }
  for (const form of [details, week, add, artist]) {
    const mistakes = cases.filter(([each, status]) => each === form && status === 400);
    await refuse(form, 400, Object.assign({}, ...mistakes.map(([, , typed]) => typed)) as Typed);
    for (const [, , , place, said] of mistakes) t.match(ada.text(place), said, 'all at once');
  }
  t.strictSame(await newestActions(service, 1_000), before);
});
