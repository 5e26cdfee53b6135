import t from 'tap';
import { changeArtistDays } from '../../src/domain/studio/artist-days.js';
import type { ArtistRecord } from '../../src/domain/studio/artists.js';
import { noteClient } from '../../src/domain/studio/clients.js';
import { addClosure } from '../../src/domain/studio/closures.js';
import { slotKey } from '../../src/schedule/slots.js';
import { type ArtistRows, rowsOfArtist } from '../support/artist-rows.js';
import { addArtists } from '../support/artists.js';
import {
  addPerson,
  consoleClient,
  consoleRoutes,
  newestActions,
  signedIn,
  signIn,
} from '../support/console.js';
import { cookieOf } from '../support/forms.js';
import {
  addDevice,
  httpsStudio,
  passkeyRows,
  postSignIn,
  signInChallenge,
} from '../support/passkeys.js';
import { someOpenSlots } from '../support/requests.js';
import { startService } from '../support/service.js';

const service = await startService(t, httpsStudio);
const { context } = service;
const { database } = context;
const [mara, jon] = (await addArtists(context, 3)) as [ArtistRecord, ArtistRecord, ArtistRecord];
const slots = await someOpenSlots(context, 6);

/** Whom each act concerns: an artist's session has only those of `artist`, with rows of their own. */
const acts: Record<string, 'owner' | 'artist' | 'nobody'> = {
  'GET /console': 'artist',
  'GET /console/': 'artist',
  'GET POST /console/bookings': 'artist',
  'GET POST /console/bookings/new': 'artist',
  'GET /console/bookings/:id': 'artist',
  'GET POST /console/bookings/:id/cancel': 'artist',
  'GET POST /console/bookings/:id/correct': 'artist',
  'GET POST /console/bookings/:id/move': 'artist',
  'GET POST /console/bookings/:id/no-show': 'artist',
  'GET POST /console/bookings/:id/note': 'artist',
  'GET POST /console/bookings/:id/copy': 'owner',
  'GET POST /console/bookings/:id/forget': 'owner',
  'GET POST /console/clients': 'artist',
  'GET POST /console/clients/:id': 'artist',
  'GET POST /console/closures/new': 'artist',
  'GET POST /console/closures/undecided': 'artist',
  'GET /console/closures/:id': 'artist',
  'POST /console/closures/:id/remove': 'artist',
  'GET /console/mail': 'artist',
  'POST /console/mail/dismiss': 'owner',
  'GET POST /console/mail/:id/resend': 'artist',
  'GET /console/calendars': 'artist',
  'GET POST /console/calendars/feeds': 'artist',
  'GET POST /console/calendars/feeds/:id/rotate': 'artist',
  'POST /console/calendars/feeds/:id/remove': 'artist',
  'GET POST /console/calendars/watched': 'owner',
  'GET POST /console/calendars/watched/:id/read': 'owner',
  'POST /console/calendars/watched/:id/remove': 'owner',
  'GET /console/sign-ins': 'artist',
  'GET POST /console/sign-ins/links': 'owner',
  'GET /console/sign-ins/passkey-options': 'artist',
  'POST /console/sign-ins/passkeys': 'artist',
  'POST /console/sign-ins/passkeys/:id/remove': 'artist',
  'POST /console/sign-ins/sessions/:id/end': 'artist',
  'POST /console/sign-ins/end-others': 'artist',
  'POST /console/sign-out': 'artist',
  'GET /console/token': 'artist',
  'GET POST /console/sign-in/:token': 'nobody',
  'POST /console/sign-in/passkey': 'nobody',
  'GET /console/sign-in/passkey-options': 'nobody',
  'GET POST /console/artists': 'owner',
  'GET POST /console/artists/:slug': 'owner',
  'POST /console/artists/:slug/days': 'owner',
  'POST /console/artists/:slug/hidden': 'owner',
  'GET POST /console/artists/:slug/start': 'owner',
  'POST /console/artists/:slug/place': 'owner',
  'POST /console/artists/:slug/studio-week': 'owner',
  'POST /console/artists/:slug/week': 'owner',
  'GET /console/audit': 'owner',
  'GET /console/figures': 'owner',
  'GET /console/figures.csv': 'owner',
  'GET POST /console/hours': 'owner',
  'GET /console/hours/weeks': 'owner',
  'GET POST /console/hours/weeks/dated': 'owner',
  'POST /console/hours/weeks/remove': 'owner',
  'GET /console/keys': 'owner',
  'POST /console/keys/:id/revoke': 'owner',
  'GET POST /console/openings/new': 'owner',
  'POST /console/openings/remove': 'owner',
  'GET POST /console/studio': 'owner',
  'POST /console/studio/addresses/remove': 'owner',
  'POST /console/studio/notices': 'owner',
  'POST /console/studio/notices/remove': 'owner',
  'GET /console/webhooks': 'owner',
  'POST /console/webhooks/redeliver': 'owner',
  'GET /console/webhooks/:id': 'owner',
  'POST /console/webhooks/:id/disable': 'owner',
  'POST /console/webhooks/:id/enable': 'owner',
  'POST /console/webhooks/:id/redeliver': 'owner',
};

const own = await rowsOfArtist(service, mara, slots[0]!, 'Cora');
const others = await rowsOfArtist(service, jon, slots[1]!, 'Ottilie');

t.test('each act says whom it concerns, and an artist has only their own rows', async (t) => {
  t.same(consoleRoutes(service.app).sort(), Object.keys(acts).sort(), 'the table has every route');
  const client = await signIn(service, 'Mara’s phone', mara);
  const send = async (act: string, { ids }: ArtistRows) => {
    const [methods, url] = act.split(/ (?=\/)/) as [string, string];
    const path = url
      .replace(/(\w+)\/:id/, (_, kind: string) => `${kind}/${ids[kind]}`)
      .replace(':slug', 'jon');
    return Promise.all(
      methods
        .split(' ')
        .map(async (method) => (method === 'GET' ? client.get(path) : client.post(path))),
    );
  };
  for (const [act, whom] of Object.entries(acts)) {
    if (whom === 'nobody' || act === 'POST /console/sign-out') continue;
    const isForeign = whom === 'owner' || act.includes(':');
    for (const { statusCode } of isForeign ? await send(act, others) : []) {
      t.equal(statusCode, 404, `not: ${act}`);
    }
    if (whom === 'owner') continue;
    for (const { statusCode, body } of await send(act, own)) {
      t.ok(statusCode < 404 || statusCode === 409, `${act}: ${statusCode}`);
      t.notMatch(body, 'Ottilie', `${act} names nobody else`);
    }
  }
  const owner = await signIn(service);
  for (const [act, whom] of Object.entries(acts)) {
    const [, url] = act.split(/ (?=\/)/) as [string, string];
    if (whom === 'nobody' || !act.startsWith('GET') || url.includes(':')) continue;
    t.ok((await owner.get(url)).statusCode < 400, `the owner: ${act}`);
  }
});

t.test('the pages of an artist show their calendar, and lead nowhere else', async (t) => {
  const artist = await signedIn(service, 'Mara', mara);
  t.same(artist.texts('nav[aria-label=Console] a'), [
    ...['Today', 'Bookings', 'Clients', 'Calendars', 'Mail', 'Sign-ins'],
  ]);
  const { date } = slots[1]!;
  for (const path of [
    `/console?date=${date}`,
    `/console?date=${date}&artist=jon`,
    '/console/bookings',
  ]) {
    await artist.open(path);
    t.notMatch(artist.text(), 'Ottilie', path);
  }
  await artist.open('/console/bookings');
  await artist.press('Search', { text: 'ottilie' });
  t.match(artist.text('[role=status]'), 'Nothing was found.');
  await artist.press('Search', { text: 'cora' });
  t.match(artist.text('[role=status]'), '1 found');
  await artist.open('/console/sign-ins');
  t.notMatch(artist.text(), /Ottilie|Make a link/);
});

t.test('an artist adds and closes for themselves, and names no booking of others', async (t) => {
  const client = await signIn(service, 'Mara', mara);
  const person = { name: 'Walk-in', email: '', phone: '', pronouns: '', idea: '' };
  const { date, timeSlot } = slots[2]!;
  const typed = { date, time_slot: timeSlot, ...person };
  for (const artist of ['jon', '']) {
    const refused = await client.post('/console/bookings/new', { ...typed, artist });
    t.equal(refused.statusCode, 400, 'the form of another session');
  }
  const added = await client.post('/console/bookings/new', { ...typed, artist: 'mara' });
  t.equal(added.statusCode, 303);
  const row = await database
    .selectFrom('bookings')
    .select('artist_id')
    .where('name', '=', 'Walk-in')
    .executeTakeFirstOrThrow();
  t.equal(row.artist_id, mara.id);

  const foreign = { [`choice-${others.booking.id}`]: 'cancel 0' };
  const day = {
    from: '2999-06-04',
    to: '2999-06-04',
    time_slot: '',
    artist: 'mara',
    reason: 'Ill',
    word: '',
  };
  const all = { ...day, artist: '' };
  t.equal((await client.post('/console/closures/new', all)).statusCode, 400, 'not for all');
  t.equal((await client.post('/console/closures/new', { ...day, ...foreign })).statusCode, 404);
  t.equal(
    (await client.post('/console/closures/undecided', { word: '', ...foreign })).statusCode,
    404,
  );
  t.match(
    await database
      .selectFrom('bookings')
      .select('status')
      .where('id', '=', others.booking.id)
      .execute(),
    [{ status: 'confirmed' }],
  );
  const known = { ...person, name: 'Ottilie', email: 'Ottilie@example.com' };
  const beside = await client.post('/console/bookings/new', {
    ...{ date: slots[1]!.date, time_slot: slots[1]!.timeSlot, artist: 'mara', ...known },
  });
  t.equal(beside.statusCode, 409);
  t.match(beside.body, 'The person has another session at that time.');
  t.notMatch(beside.body, 'with Jon');

  await noteClient(context, 'test', others.booking.id, { note: 'Owes us', seen: '' });
  const { name, email } = known;
  const again = await addPerson(service, { ...slots[5]!, artistId: mara.id }, { name, email });
  const client2 = await client.get(`/console/clients/${again.id}`);
  t.notMatch(client2.body, /Owes us|with Jon/, 'what others know of the same client');
  const noted = { note: 'Late', seen_note: '' };
  t.equal((await client.post(`/console/clients/${again.id}`, noted)).statusCode, 303);
  const notes = await database
    .selectFrom('bookings')
    .select('client_note')
    .where('id', 'in', [again.id, others.booking.id])
    .orderBy('client_note')
    .execute();
  t.strictSame(notes, [{ client_note: 'Late' }, { client_note: 'Owes us' }]);
});

t.test('a session that is handed over is the other artist’s', async (t) => {
  const { id, sequence } = await addPerson(
    service,
    { ...slots[3]!, artistId: mara.id },
    { name: 'Hedda' },
  );
  await addPerson(service, { ...slots[4]!, artistId: jon.id }, { name: 'Ines' });
  const client = await signIn(service, 'Mara', mara);
  const times = await client.get(`/console/bookings/${id}/move?artist=jon`);
  t.equal(times.statusCode, 200);
  t.notMatch(times.body, 'Ines');
  const taken = {
    slot: slotKey(slots[4]!),
    artist: 'jon',
    sequence: String(sequence),
    missed: 'no',
    word: '',
  };
  const refused = await client.post(`/console/bookings/${id}/move`, taken);
  t.equal(refused.statusCode, 409);
  t.notMatch(refused.body, 'Ines');
  const away = { fromDate: slots[2]!.date, toDate: slots[2]!.date, timeSlot: null, reason: 'Ill' };
  await addClosure(context, 'test', { ...away, artistId: jon.id }, { decisions: [], word: null });
  await context.board.refresh();
  const closed = await client.post(`/console/bookings/${id}/move`, {
    ...{ ...taken, slot: slotKey(slots[2]!) },
  });
  t.equal(closed.statusCode, 409, 'only where people could book Jon');
  const handed = await client.post(`/console/bookings/${id}/move`, {
    ...{ ...taken, slot: slotKey(slots[3]!) },
  });
  t.equal(handed.statusCode, 303);
  t.match(handed.headers.location, '/console?done=handed');
  t.match((await client.get(handed.headers.location!)).body, 'with another artist now');
  t.equal((await client.get(`/console/bookings/${id}`)).statusCode, 404);
});

t.test('the owner makes a link within 10 minutes of a sign-in', async (t) => {
  const owner = await signedIn(service);
  await owner.open('/console/sign-ins');
  t.equal(await owner.press('Make a link', { artist: 'jon' }), 200);
  const url = String(owner.$('input[type=url]').val());
  t.match(await newestActions(service, 1), [
    { action: 'console link', details: { artist: 'jon' } },
  ]);
  await service.shiftClock(11 * 60_000);
  t.equal(await owner.press('Make a link', { artist: 'jon' }), 409);
  await service.shiftClock(0);
  const artist = await signedIn(service);
  await artist.open(url);
  await artist.press('Sign in');
  t.match(artist.text('.who'), 'Jon');
  t.equal(await artist.open('/console/studio'), 404);
});

t.test('a passkey keeps its artist, and hiding one ends it all', async (t) => {
  const { device } = await addDevice(t, service, jon);
  const signInAgain = async () =>
    postSignIn(service, device.assert(await signInChallenge(service)));
  const client = consoleClient(service, cookieOf(await signInAgain()));
  t.equal((await client.get('/console/keys')).statusCode, 404);
  t.equal((await client.get('/console')).statusCode, 200);
  const link = await signIn(service, 'Jon', jon);
  await changeArtistDays(context, 'test', 'jon', { isHidden: true });
  for (const each of [client, link]) t.equal((await each.get('/console')).statusCode, 401);
  t.equal((await signInAgain()).statusCode, 401, 'the passkey signs in no more');
  t.notOk((await passkeyRows(service)).sessions.some(({ artist_id }) => artist_id === jon.id));
  await changeArtistDays(context, 'test', 'jon', { isHidden: false });
  for (const each of [client, link]) t.equal((await each.get('/console')).statusCode, 401);
});
