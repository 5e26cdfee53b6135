import t from 'tap';
import { linkToMove } from '../../src/console/links.js';
import type { ArtistRecord } from '../../src/domain/studio/artists.js';
import { recordNoShow } from '../../src/domain/studio/no-show.js';
import { addArtists } from '../support/artists.js';
import { bookingRow } from '../support/bookings.js';
import { addPerson, newestActions, signedIn } from '../support/console.js';
import { someOpenSlots } from '../support/requests.js';
import { startService } from '../support/service.js';
import { startOver } from '../support/start-over.js';

const service = await startService(t);
const { context, shiftClock } = service;
t.beforeEach(() => startOver(context));

t.test('a client is found by part of a number, in four presses with the note', async (t) => {
  const [one, two, three] = await someOpenSlots(context, 3);
  const nora = { name: 'Nora Berg', email: 'nora@example.com', phone: '(971) 555-0177' };
  const first = await addPerson(service, one!, nora);
  const second = await addPerson(service, two!, { name: 'N. Berg', email: 'NORA+x@example.com' });
  await addPerson(service, three!, { name: 'Ola', phone: nora.phone });
  await context.pool.query(`update bookings set language = 'es' where id = $1`, [first.id]);
  await shiftClock(first.ends_at.getTime() - context.clock.now() + 60_000);
  await recordNoShow(context, 'test', first.id, { undo: false });

  const ada = await signedIn(service);
  await ada.open('/console/clients');
  t.match(ada.texts('.booking-rows li'), [/N\. Berg.*next.*2 sessions, 1 no-show/, /Ola/]);
  await ada.press('Search', { text: '0177' });
  t.match(ada.text('main [role=status]'), '2 found');
  t.notMatch(ada.path, /0177/);
  t.match(ada.texts('.booking-rows .client'), ['N. Berg', 'Ola']);
  await ada.open('/console');
  const { presses } = ada;
  await ada.follow('Clients');
  await ada.press('Search', { text: 'nora' });
  t.equal(ada.path, `/console/clients/${second.id}`, 'whoever is found alone is shown');
  await ada.press('Save the note', { note: 'Allergic to <b>latex</b>' });
  t.equal(ada.presses - presses, 3);
  t.match(ada.text('.facts'), /\(971\) 555-0177.*nora@example.com.*Spanish.*2 sessions, 1 no-show/);
  t.match(ada.texts('[aria-labelledby=sessions] li'), [/N\. Berg/, /Nora Berg.*did not come/]);
  t.match(ada.text('[aria-labelledby=same-phone]'), 'Ola');
  t.match(await newestActions(service, 1), [
    { action: 'clients note', details: { booking_id: second.id } },
  ]);
  const bo = await signedIn(service, 'Bo');
  await bo.open(`/console/clients/${first.id}`);
  await ada.press('Save the note', { note: 'Prefers mornings' });
  t.equal(await bo.press('Save the note', { note: '' }), 409, 'not blindly');
  t.match(bo.text('.facts'), 'Prefers mornings');
  await ada.open(`/console/bookings/${first.id}`);
  t.match(ada.text('.facts'), 'Prefers mornings');
  await ada.open('/console/bookings');
  await ada.press('Search', { text: 'berg' });
  t.match(ada.texts('[aria-labelledby=clients] li'), ['N. Berg 2 sessions, 1 no-show']);
  t.notMatch(service.logLines.join('\n'), /latex|mornings|nora@/i);
  await shiftClock(0);
});

t.test('booking again keeps the details, the language and the artist', async (t) => {
  await addArtists(context, 3);
  const [one, two] = await someOpenSlots(context, 2);
  const [, jon] = (await context.board.read()).artists;
  const details = { name: 'Zoë', email: 'zoe@example.com', pronouns: 'they', idea: 'A crane' };
  const { id } = await addPerson(service, { ...one!, artistId: jon!.id }, details);
  await context.pool.query(`update bookings set language = 'es' where id = $1`, [id]);
  const ada = await signedIn(service);
  await ada.open(`/console/clients/${id}`);
  await ada.follow('Book again');
  t.notMatch(ada.path, /zoe/i);
  await ada.press('Add the booking', { date: two!.date, time_slot: two!.timeSlot });
  t.match(ada.text('.done'), 'Added, with Jon.');
  const added = await bookingRow(context, ada.path.split(/[/?]/)[3]!);
  t.match(added, { ...details, language: 'es', artist_id: jon!.id });
});

t.test('a correction asks whether it is for all to come, and before two are one', async (t) => {
  const [one, two, three] = await someOpenSlots(context, 3);
  const ida = { name: 'Ida', email: 'ida@exmaple.com' };
  const first = await addPerson(service, one!, ida);
  const second = await addPerson(service, two!, ida);
  const joined = await addPerson(service, three!, { name: 'I. Berg', email: 'ida@example.com' });
  const ada = await signedIn(service);
  await ada.open(`/console/bookings/${first.id}`);
  const { presses } = ada;
  await ada.follow('Correct');
  const all = 'Save for this and 1 to come';
  t.equal(await ada.press(all, { email: 'ida@example.com' }), 409);
  t.match(ada.text('[role=alert]'), /another client, I\. Berg.*both.*Nothing was done/);
  t.match(await bookingRow(context, first.id), ida);
  await ada.press(all);
  t.match(ada.text('.done'), 'Corrected, in all sessions to come. Give the person the new links');
  t.equal(ada.presses - presses, 3, 'one press more, because it asks');
  for (const { id } of [first, second]) {
    t.match(await bookingRow(context, id), { name: 'Ida', email: 'ida@example.com' });
  }
  await ada.follow('3 sessions');
  t.equal(ada.text('h1'), 'I. Berg and 1 more');

  await ada.follow('Correct');
  const grace = await signedIn(service);
  await grace.open(ada.path);
  await grace.press('Save for this session only', { phone: '503-555-0188' });
  t.match(await bookingRow(context, second.id), { phone: null });
  t.equal(await ada.press('Save for this and 1 to come', { name: 'Ida Berg' }), 409);
  t.match(ada.text('[role=alert]'), 'has changed since');
  await ada.open(`/console/clients/${joined.id}`);
  await ada.press('Erase all data of this client');
  for (const { id } of [first, second, joined]) {
    t.match(await bookingRow(context, id), { name: null, status: 'cancelled' });
  }
});

t.test('an artist reads all of their own, and nothing of the bookings of others', async (t) => {
  const [mara, jon] = (await addArtists(context, 3)) as [ArtistRecord, ArtistRecord, ArtistRecord];
  const [one, two, three] = await someOpenSlots(context, 3);
  const ida = { name: 'Ida', email: 'ida@example.com' };
  const berg = { name: 'I. Berg', email: 'berg@example.com', phone: '(971) 555-0177' };
  const other = await addPerson(service, { ...one!, artistId: jon.id }, ida);
  const joined = await addPerson(service, { ...two!, artistId: jon.id }, berg);
  const own = await addPerson(service, { ...three!, artistId: mara.id }, ida);
  const artist = await signedIn(service, 'Mara', mara);
  const asked = async (button: string, changes: Record<string, string>, question: RegExp) => {
    t.equal(await artist.press(button, changes), 409, button);
    t.match(artist.text('[role=alert]'), question);
    for (const { id } of [other, joined]) t.notMatch(artist.answer.body, id);
    t.notMatch(artist.answer.body, /with Jon|I\. Berg/);
    t.equal(await artist.press(button, changes), 200, 'it is agreed to');
  };
  await artist.open(linkToMove(own.id, { date: one!.date, timeSlot: one!.timeSlot }, 'mara'));
  await asked('Move to this time', {}, /The person has another session at that time/);
  await artist.follow('Correct');
  const email = berg.email;
  await asked('Save the corrections', { email }, /These are the details of another client/);
  t.match(await bookingRow(context, own.id), { ...berg, phone: null, name: 'Ida' });
  await artist.open(`/console/bookings/new?date=${two!.date}&time_slot=${two!.timeSlot}`);
  const { name } = berg;
  t.equal(await artist.press('Add the booking', { name, email }), 409);
  t.notMatch(artist.answer.body, joined.id);

  // The mailbox has more bookings with others than a page shows.
  await context.pool.query(
    `insert into bookings select (jsonb_populate_record(bookings, jsonb_build_object(
      'id', gen_random_uuid(), 'checkout_token_hash', '\\x' || lpad(to_hex(n), 64, '0'),
      'status', 'cancelled', 'cancelled_at', created_at, 'starts_at', starts_at + interval '1 year',
      'ends_at', ends_at + interval '1 year'))).*
    from bookings, generate_series(1, 250) as n where id = $1`,
    [joined.id],
  );
  await artist.open(`/console/clients/${own.id}`);
  t.equal(artist.text('h1'), 'Ida');
  t.equal(artist.texts('[aria-labelledby=sessions] li').length, 1);
});
