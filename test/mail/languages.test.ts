import { load } from 'cheerio';
import t from 'tap';
import { forgetPerson } from '../../src/domain/studio/personal-data.js';
import { readStudio } from '../../src/repositories/studio-settings.js';
import { bookForm, postBook, tokenOf } from '../support/book-form.js';
import { bookingRow } from '../support/bookings.js';
import { pressOn } from '../support/forms.js';
import { holdForPerson } from '../support/holds.js';
import { twoLanguages } from '../support/languages.js';
import { age } from '../support/pages.js';
import { personNumber, someOpenSlots } from '../support/requests.js';
import { generous, startService } from '../support/service.js';
import { exported, importOf, startElsewhere } from '../support/transfers.js';

const service = await startService(t, generous, {
  mail: true,
  overrides: { languages: twoLanguages('es') },
});
const { app, context, smtp } = service;
const { database } = context;
const spanish = { headers: { 'accept-language': 'es' } };
const inEnglish = { headers: { 'accept-language': 'en' } };

const languageOfBooking = async (id: string) => (await bookingRow(context, id)).language;

/** The languages of the mails to this address that have arrived, the oldest first. */
async function languagesAt(address: string): Promise<(string | undefined)[]> {
  const mails = smtp.received().filter(({ to }) => to.includes(address));
  const parsed = await Promise.all(mails.map((mail) => mail.parsed()));
  return parsed.map(({ html = '' }) => load(html)('html').attr('lang'));
}

void t.test('a booking keeps the language in which its person last posted a page', async (t) => {
  const slots = await someOpenSlots(context, 4);
  const answer = await postBook(service, bookForm(slots[0], personNumber(1)), spanish);
  const own = await database
    .selectFrom('bookings')
    .select('language')
    .where('email', '=', personNumber(1).email)
    .execute();
  t.strictSame(own, [{ language: 'es' }], 'of the form');
  t.match(tokenOf(answer), /^[\w-]{43}$/);

  const { id, token } = await holdForPerson(service, personNumber(2), slots[1]);
  const path = `/checkout/${token}`;
  await app.inject({ url: path, headers: { accept: 'text/html', ...spanish.headers } });
  t.equal(await languageOfBooking(id), null, 'an agent has placed it, and a page was only read');
  await pressOn(service, path, 'send_code', spanish);
  t.equal(await languageOfBooking(id), 'es');
  const { date, timeSlot: time_slot } = slots[2];
  const fields = { date, time_slot, sequence: '0' };
  t.equal(
    (await pressOn(service, `${path}/move`, 'move', { ...inEnglish, fields })).statusCode,
    303,
  );
  t.equal(await languageOfBooking(id), 'en');
  t.equal((await pressOn(service, path, 'confirm', spanish)).statusCode, 303);
  t.equal(await languageOfBooking(id), 'es');

  const lapsed = await holdForPerson(service, personNumber(3), slots[3]);
  await age(service, lapsed.id, 3_600);
  const again = await pressOn(service, `/checkout/${lapsed.token}`, 'hold_again', spanish);
  t.not(tokenOf(again), lapsed.token);
  const rows = await database
    .selectFrom('bookings')
    .select('language')
    .where('email', '=', personNumber(3).email)
    .execute();
  t.strictSame(rows, [{ language: 'es' }, { language: 'es' }]);
});

void t.test(
  "a mail to a person speaks the language of the booking, else the studio's; one to the studio English",
  async (t) => {
    const [first, second] = await someOpenSlots(context, 2);
    const posted = await holdForPerson(service, personNumber(4), first);
    await pressOn(service, `/checkout/${posted.token}`, 'confirm', spanish);
    await service.settle();
    t.strictSame(await languagesAt(personNumber(4).email), ['es']);

    await database.updateTable('studio').set({ language: 'es' }).execute();
    await service.book(second, personNumber(5));
    await service.settle();
    t.strictSame(await languagesAt(personNumber(5).email), ['es']);
    await database.updateTable('studio').set({ language: 'en' }).execute();
    await service.book((await someOpenSlots(context, 1))[0], personNumber(6));
    await service.settle();
    t.strictSame(await languagesAt(personNumber(6).email), ['en']);
    const ofStudio = (await service.mails()).filter(({ recipient }) => recipient === 'studio');
    t.strictSame([...new Set(ofStudio.map(({ language }) => language))], [null]);
  },
);

void t.test('a mail that is sent again keeps the language of its first attempt', async (t) => {
  const { token } = await holdForPerson(service, personNumber(7));
  const path = `/checkout/${token}`;
  smtp.misbehave(({ stage }) => (stage === 'end' ? { code: 451 } : null));
  await pressOn(service, path, 'confirm', spanish);
  await service.settle();
  t.strictSame(await languagesAt(personNumber(7).email), []);
  await pressOn(service, path, 'release', inEnglish);
  smtp.misbehave(null);
  await service.shiftClock(7_200_000);
  await service.settle();
  t.strictSame(await languagesAt(personNumber(7).email), ['es']);
});

void t.test('an import keeps the languages of bookings and of the studio', async (t) => {
  await database.updateTable('studio').set({ language: 'es' }).execute();
  const { id, token } = await holdForPerson(service, personNumber(8));
  await pressOn(service, `/checkout/${token}`, 'confirm', spanish);
  const files = await exported(context);
  await startElsewhere(context);
  await database.updateTable('studio').set({ language: 'en' }).execute();
  t.match(await importOf(context, files), { outcome: 'imported', refused: 0 });
  t.equal(await languageOfBooking(id), 'es');
  const { language } = await readStudio(database);
  t.equal(language, 'es');
});

void t.test(
  'of an erased booking nothing keeps a language, nor does a page that is posted',
  async (t) => {
    const { id, token } = await holdForPerson(service, personNumber(9));
    await pressOn(service, `/checkout/${token}`, 'confirm', spanish);
    await service.settle();
    const languages = async () => {
      const mails = (await service.mails()).filter(({ booking_id }) => booking_id === id);
      return new Set(mails.map(({ language }) => language));
    };
    t.ok((await languages()).has('es'));
    await forgetPerson(context, 'desk', { id }, { cancelBookings: true });
    await pressOn(service, `/checkout/${token}`, 'cancel', spanish);
    t.equal(await languageOfBooking(id), null);
    t.strictSame(await languages(), new Set([null]));
  },
);
