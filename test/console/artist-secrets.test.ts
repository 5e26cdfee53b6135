import { sql } from 'kysely';
import t from 'tap';
import { changeArtistDays } from '../../src/domain/studio/artist-days.js';
import type { ArtistRecord } from '../../src/domain/studio/artists.js';
import { addBooking, moveByStudio } from '../../src/domain/studio/bookings.js';
import { addCalendarFeed, feedPath, maxFeeds } from '../../src/domain/studio/calendar-feeds.js';
import { noteBooking } from '../../src/domain/studio/clients.js';
import { addClosure } from '../../src/domain/studio/closures.js';
import { findStudioSlot } from '../../src/domain/studio/days.js';
import { recordMode } from '../../src/repositories/installation.js';
import { lockMails } from '../../src/repositories/mail-dispatch.js';
import { addDays } from '../../src/schedule/dates.js';
import { slotStartsAt } from '../../src/schedule/slots.js';
import { rowsOfArtist } from '../support/artist-rows.js';
import { addArtists } from '../support/artists.js';
import { insertCalendar, setBusy } from '../support/busy-calendars.js';
import { addPerson, newestActions, signedIn, signIn } from '../support/console.js';
import { untilLockWaits } from '../support/database.js';
import { insertMail } from '../support/mail-rows.js';
import { someOpenSlots } from '../support/requests.js';
import { generous, startService } from '../support/service.js';

const service = await startService(t, generous);
const { context } = service;
const { database } = context;
const [mara, jon, zoe] = (await addArtists(context, 3)) as [
  ArtistRecord,
  ArtistRecord,
  ArtistRecord,
];
const [slot, later, last] = await someOpenSlots(context, 3);
const { booking, ids } = await rowsOfArtist(service, mara, slot, 'Cora');

t.test('an artist reads no words of the owner, nor of other artists', async (t) => {
  const jonsPhone = { note: 'Late', seen: '' };
  await noteBooking(context, 'Jonsphone (jon, console 3f2a81c0)', booking.id, jonsPhone);
  await insertMail(context, booking.id, {
    ...{ kind: 'cancellation', recipient: 'former_artist', artist_id: jon.id },
  });
  const day = { fromDate: slot.date, toDate: slot.date, timeSlot: null };
  for (const [reason, artistId, hours] of [
    ['Maraswedding', mara.id, null],
    ['Bailiff', null, null],
    ['Plumber', null, { from: '21:00', to: '22:00' }],
  ] as const) {
    await addClosure(context, 'test', { ...day, reason, artistId, hours });
  }
  const startsAt = slotStartsAt('America/Los_Angeles', slot.date, slot.timeSlot).epochMs;
  const free = slotStartsAt('America/Los_Angeles', later.date, later.timeSlot).epochMs;
  for (const [label, artistId] of [
    ['Marasphone', mara.id],
    ['Divorce', null],
  ] as const) {
    const calendar = await insertCalendar(context, { label, artist_id: artistId });
    await setBusy(context, calendar, [startsAt, startsAt + 60_000], [free, free + 60_000]);
  }
  await context.board.refresh();

  const owner = await signedIn(service, 'Ada');
  const artist = await signedIn(service, 'Mara', mara);
  const [ofDay, ofBooking] = [`/console?date=${slot.date}`, `/console/bookings/${booking.id}`];
  for (const [path, secret, own] of [
    [ofDay, 'Bailiff', 'Closed: Maraswedding'],
    [ofDay, 'Plumber', 'Closed 9:00 – 10:00 PM'],
    [`/console?date=${addDays(slot.date, -1)}`, 'Bailiff', 'Closed: Maraswedding'],
    [`/console?date=${later.date}`, 'Divorce', 'Marasphone busy'],
    ['/console/calendars', 'Divorce', 'a calendar of the studio busy'],
    [ofBooking, 'Divorce', 'Marasphone'],
    [ofBooking, 'Jonsphone', 'Note changed by the studio'],
    [ofBooking, 'former artist', 'Confirmation to the person'],
    ['/console/mail', 'SMTP_URL', 'Mail is off.'],
    [`/console/mail/${ids['mail']}/resend`, 'SMTP_URL', 'It was not sent again. Mail is off.'],
  ] as const) {
    await owner.open(path);
    t.match(owner.text(), secret, `the owner: ${path}`);
    await artist.open(path);
    t.notMatch(artist.text(), secret, path);
    t.match(artist.text('main'), own, path);
  }
  const posted = await (
    await signIn(service, 'Mara', mara)
  ).post(`/console/mail/${ids['mail']}/resend`);
  t.equal(posted.statusCode, 409);
  t.notMatch(posted.body, 'SMTP_URL');

  for (const path of ['/console/keys', `/console/bookings/${ids['mail']}`, '/console/nowhere']) {
    t.ok((await artist.open(path)) >= 400);
    t.notMatch(artist.texts('nav[aria-label=Console] a').join(), 'Webhooks', 'an error page');
  }
});

t.test('a move from another artist is undone only to where people could book', async (t) => {
  const { id } = await addPerson(service, { ...later, artistId: jon.id }, { name: 'Ida' });
  const moved = await moveByStudio(context, 'test', id, { ...later, artistId: mara.id });
  t.equal(moved.outcome, 'moved');
  const away = { fromDate: later.date, toDate: later.date, timeSlot: null, reason: '' };
  await addClosure(context, 'test', { ...away, artistId: jon.id });
  await context.board.refresh();
  for (const [artist, undo] of [
    [null, 1],
    [mara, 0],
  ] as const) {
    const page = await signedIn(service, 'Somebody', artist);
    await page.open(`/console/bookings/${id}`);
    t.equal(page.texts('summary').filter((text) => text.startsWith('Undo')).length, undo);
  }
});

t.test('a row that becomes another artist’s in that moment is not touched', async (t) => {
  const client = await signIn(service, 'Mara', mara);
  const seen = { sequence: String(booking.sequence), missed: 'no' };
  await database.transaction().execute((transaction) => recordMode(transaction, 'mail_on', true));
  const token = await client.token();
  for (const [path, fields, table] of [
    [`bookings/${booking.id}/note`, { note: 'Owes us', seen_note: 'Late' }, 'bookings'],
    [`bookings/${booking.id}/cancel`, { ...seen, reason: '' }, 'bookings'],
    [`bookings/${booking.id}/no-show`, seen, 'bookings'],
    [`mail/${ids['mail']}/resend`, {}, 'bookings'],
    [`closures/${ids['closures']}/remove`, {}, 'closures'],
  ] as const) {
    const id = table === 'bookings' ? booking.id : ids['closures'];
    const give = (to: number) =>
      sql`update ${sql.table(table)} set artist_id = ${to} where id = ${id}`;
    const before = await newestActions(service, 1);
    const answer = await database.transaction().execute(async (transaction) => {
      await lockMails(transaction);
      await give(jon.id).execute(transaction);
      const posting = client.post(`/console/${path}`, { _csrf: token, ...fields });
      await untilLockWaits(database, 1, posting);
      return () => posting;
    });
    const { statusCode } = await answer();
    t.equal(statusCode, table === 'closures' ? 303 : 404, path);
    t.strictSame(await newestActions(service, 1), before, path);
    await give(mara.id).execute(database);
  }
});

t.test('the audit says which artist it was', async (t) => {
  const client = await signIn(service, 'Phone', mara);
  const note = { note: 'Early', seen_note: 'Late' };
  t.equal((await client.post(`/console/bookings/${booking.id}/note`, note)).statusCode, 303);
  const actor = /^Phone \(mara, console [0-9a-f]{8}\)$/;
  t.match(await newestActions(service, 2), [{ actor, action: 'bookings note' }, { actor }]);
});

t.test('neither the owner nor an artist uses up the other’s addresses for calendars', async (t) => {
  const add = (artistId: number | null) =>
    addCalendarFeed(context, 'test', { label: 'Phone', hasDetails: false, artistId });
  for (const artistId of [null, mara.id]) {
    while ((await add(artistId)).outcome === 'added');
  }
  t.match(await add(jon.id), { outcome: 'added' });
  const rows = await database.selectFrom('calendar_feeds').select('artist_id').execute();
  for (const id of [null, mara.id]) {
    t.equal(rows.filter(({ artist_id }) => artist_id === id).length, maxFeeds);
  }
});

t.test('who has left has no feed, and is not whoever is free', async (t) => {
  const feed = { label: 'Phone', hasDetails: false, artistId: zoe.id };
  const added = await addCalendarFeed(context, 'test', feed);
  const path = feedPath(added.outcome === 'added' ? added.issued.token : '');
  t.equal((await service.app.inject(path)).statusCode, 200);
  for (const { id } of [mara, jon]) await addPerson(service, { ...last, artistId: id });
  t.match(await findStudioSlot(context, last), { artist: { slug: 'zoe' } });
  const today = (await context.board.read()).today;
  await changeArtistDays(context, 'test', 'zoe', { lastDay: addDays(today, -1) });
  await context.board.refresh();
  t.equal((await service.app.inject(path)).statusCode, 404);
  t.match(await addBooking(context, 'test', last, { name: 'Ida' }), { outcome: 'taken' });
});
