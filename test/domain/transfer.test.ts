import assert from 'node:assert/strict';
import fc from 'fast-check';
import { sql } from 'kysely';
import t from 'tap';
import { changeArtistDays } from '../../src/domain/studio/artist-days.js';
import { addBooking } from '../../src/domain/studio/bookings.js';
import { addOpening } from '../../src/domain/studio/openings.js';
import { csvLine, withoutGuards } from '../../src/domain/studio/transfer/csv.js';
import { slotKey, slotStartsAt } from '../../src/schedule/slots.js';
import { readTable } from '../../src/staff/studio/import/table.js';
import { holds } from '../schedule/calendar-scenarios.js';
import { addArtists } from '../support/artists.js';
import { untilBoard } from '../support/board.js';
import { bookingRow } from '../support/bookings.js';
import { until } from '../support/embedded.js';
import { close, holdForPerson, sessionForPerson } from '../support/holds.js';
import { someOpenSlots } from '../support/requests.js';
import { generous, startService } from '../support/service.js';
import { startOver } from '../support/start-over.js';
import {
  bookingsOf,
  exported,
  importOf,
  startElsewhere,
  withBookings,
  withoutArtists,
} from '../support/transfers.js';

const service = await startService(
  t,
  { ...generous, WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true' },
  { mail: true },
);
const { context, app } = service;
const { database } = context;
const hourMs = 3_600_000;

const countBookings = async () => (await sql`select from bookings`.execute(database)).rows.length;

void t.test(
  'after an import everybody finds what was there, and nobody hears of it but who is reminded',
  async (t) => {
    await startOver(context);
    const payload = { url: 'http://127.0.0.1:9/' };
    const subscribed = await app.inject({ url: '/api/public/webhooks', method: 'POST', payload });
    t.equal(subscribed.statusCode, 201);
    const [first, second, third] = await someOpenSlots(context, 3);
    const session = await sessionForPerson(service, {}, third);
    const hold = await holdForPerson(service, {}, second);
    await close(context, first!.date, first!.timeSlot);
    const calendar = () => app.inject(`/checkout/${session.token}/calendar.ics`);
    const before = (await calendar()).body;
    t.match(before, `UID:${session.id}`);
    await service.settle();
    const files = await exported(context);
    t.notMatch(JSON.stringify(files), new RegExp(session.token), 'no link');

    await startElsewhere(context);
    await context.board.refresh();
    t.match(await importOf(context, files, { dryRun: true }), { outcome: 'dry_run', refused: 0 });
    t.equal(await countBookings(), 0, 'a dry run imports nothing');
    t.match(await importOf(context, files), { outcome: 'imported', refused: 0, findings: [] });
    await untilBoard(
      context,
      ({ studio, calendar: { artists }, taken }) =>
        studio.name === 'Night Heron Tattoo' &&
        artists[0]!.closures.length === 1 &&
        taken.has(slotKey(second!)) &&
        taken.has(slotKey(third!)),
    );
    const events = database.selectFrom('events').select(['type', 'data']).orderBy('position');
    t.match(await events.execute(), [
      { type: 'booking.confirmed', data: { id: session.id, by: 'person', sequence: 1 } },
      { type: 'calendar.changed', data: { change: 'import' } },
    ]);
    const startsAt = slotStartsAt('America/Los_Angeles', third!.date, third!.timeSlot).epochMs;
    await service.settle();
    const undispatched = events.where('dispatched_at', 'is', null);
    await until(async () => (await undispatched.execute()).length === 0);
    const deliveries = database.selectFrom('webhook_deliveries').selectAll();
    t.strictSame(await deliveries.execute(), []);
    t.equal((await service.mails()).length, 1);
    t.match(await service.mails(), [
      {
        kind: 'reminder',
        booking_id: session.id,
        sequence: 1,
        status: 'pending',
        next_attempt_at: new Date(startsAt - 24 * hourMs),
      },
    ]);
    t.equal((await calendar()).body, before, 'calendar entries stay as they are');
    for (const { token } of [session, hold]) {
      t.equal((await app.inject(`/checkout/${token}`)).statusCode, 200, 'its link opens its page');
    }
    const cookie = `hold=${hold.token}`;
    t.equal((await app.inject({ url: '/book', headers: { cookie } })).statusCode, 200);

    const sent = service.smtp.received().length;
    await service.shiftClock(startsAt - 24 * hourMs + 1_000 - Date.now());
    await service.settle();
    const reminders = service.smtp.received().slice(sent);
    t.equal(reminders.length, 1);
    const { subject, text } = await reminders[0]!.parsed();
    t.match(subject, /^Reminder/);
    t.match(text, /page on which you confirmed/);
  },
);

void t.test('a row with everything that a booking can have is exported as it came', async (t) => {
  await startOver(context);
  const { id } = await sessionForPerson(service);
  await database
    .updateTable('bookings')
    .set({
      no_show_at: sql<Date>`starts_at`,
      moved_at: sql<Date>`created_at`,
      reminders_stopped_at: sql<Date>`created_at`,
      code_proven_at: sql<Date>`created_at`,
      zone_data_version: '2025c',
      platform: 'claude',
      moves_while_pending: 3,
      moves_once_confirmed: 2,
      closed_day_choice: 'asked',
      studio_word: 'word',
      studio_note: 'note',
      client_note: 'about',
      pronouns: 'they',
      idea: '=a, "fern"\n\u2028',
    })
    .where('id', '=', id)
    .execute();
  const row = await bookingRow(context, id);
  await close(context, row.date);
  await database.updateTable('bookings').set({ closed_day_choice: 'asked' }).execute();
  await addOpening(context, 'desk', { date: '2999-06-01', sessions: ['1:00 PM'] });
  const files = await exported(context);
  t.match(JSON.parse(files['artists.json']!), [{ slug: 'artist', name: '' }]);
  const nulls = Object.entries(bookingsOf(files)[0]!).filter(([, value]) => value === null);
  t.strictSame(
    nulls.map(([name]) => name),
    ['cancelled_at', 'expired_at', 'cancellation_reason', 'language', 'artist_name'],
  );
  const [line = {}] = bookingsOf(files);
  t.strictSame(
    Object.keys(row)
      .filter((column) => !(column in line))
      .sort(),
    [
      'api_key_id, artist_id, caller_network_hash, checkout_token_hash, checkout_token_sealed',
      'code_asked_at, current_token_sealed, ends_at_text, form_nonce_hash, idempotency_key',
      'idempotency_scope, may_overlap, quiet_changes, request_hash',
      'starts_at_text',
    ].flatMap((columns) => columns.split(', ')),
    'all columns but those that have another form, or a meaning only here',
  );
  t.match(files['bookings.csv'], /,"'=a, ""fern""\n\u2028",,artist,false,\r\n$/, 'no formula');
  t.match(files['closures.csv'], /^\ufeffid,from_date,[a-z_,]*\r\n[^,]{36},2/);

  await startElsewhere(context);
  t.match(await importOf(context, files), { outcome: 'imported' });
  t.strictSame(await exported(context), files);

  await startElsewhere(context);
  t.match(await importOf(context, withoutArtists(files)), { outcome: 'imported' });
  t.strictSame(await exported(context), files, 'so is one that 2.9 wrote without artists');
});

void t.test('no cell is a formula, whatever separates the cells, and each is read back', (t) => {
  const bad = '=+-@＝＋－＠';
  const unseen = '\u00a0\u00ad\u061c\u200b\u202e\u2800\u3164\ufeff\u001f ';
  const characters = fc.constantFrom(...`${bad}${unseen},;|\t\r\n"'a`);
  const cell = fc.string({ unit: characters, maxLength: 12, size: 'max' });
  const expectSafe = (texts: readonly string[][]) => {
    const csv = [['id', 'name', 'idea'], ...texts].map(csvLine).join('');
    for (const part of csv.split(/[,;\t|\r\n]/)) {
      const [first = 'a'] = [...part].filter((each) => !`"${unseen}`.includes(each));
      assert.ok(!bad.includes(first), csv);
    }
    const read = readTable(Buffer.from(csv)).rows.map(({ cells }) => [...cells, '', '']);
    const given = texts.map((row) => row.map((text) => text.replace(/\r\n?/g, '\n').trim()));
    assert.deepEqual(
      read.map((cells) => cells.slice(0, 3)),
      given,
    );
  };
  const behind = ['', '\u200b', 'a;', 'a\t\u00ad', 'a| ', 'a;"', 'a\n', "'", "a;'", '"\n;;;;;"'];
  for (const text of [...behind.map((start) => `${start}=1`), ...bad, ';;;;;']) {
    t.doesNotThrow(() => expectSafe([['1', text, '']]), JSON.stringify(text));
  }
  const rows = fc.array(fc.tuple(fc.constant('1'), cell, cell), { maxLength: 4 });
  holds(t, 2_000, fc.property(rows, expectSafe));
  // Where the time grew with the square of the length, each took many seconds.
  const long = [' ', "'", '\n', "'\n", '='].map((part) => part.repeat(100_000));
  const begin = performance.now();
  for (const text of long) withoutGuards(csvLine([text]));
  t.ok(performance.now() - begin < 5_000);
  t.end();
});

void t.test(
  'several artists: each slot has a booking for each of them, and what does not fit is refused',
  async (t) => {
    await startOver(context);
    const artists = await addArtists(context, 2);
    const [slot] = await someOpenSlots(context, 1);
    for (const { id: artistId } of artists) {
      const added = await addBooking(context, 'desk', { ...slot!, artistId }, { name: 'Ada' });
      t.match(added, { outcome: 'added' });
    }
    const chosen = { is_artist_chosen: true };
    await database.updateTable('bookings').set(chosen).where('artist_id', '<>', 1).execute();
    const files = await exported(context);
    const lines = bookingsOf(files);
    t.match(lines, [
      { artist: 'mara', artist_name: 'Mara' },
      { artist: 'jon', artist_name: 'Jon', ...chosen },
    ]);
    const [mara, jon] = JSON.parse(files['artists.json']!) as [object, object];
    const [mon] = JSON.parse(files['hours.json']!) as [{ weekday: number; sessions: string[] }];
    const { weekday, sessions } = mon;
    const hidden = { hidden_at: '2026-12-01T00:00:00Z' };
    await startElsewhere(context);
    const documents: [artists: object[], problem: RegExp][] = [
      [[], /^it must have at least 1 item/],
      [[mara, { ...jon, slug: 'mara' }], /^two artists have one slug/],
      [[mara, { ...jon, name: 'MARA' }], /^two artists have one name/],
      [[mara, { ...jon, name: '' }], /^one of several artists has no name/],
      [[mara, { ...jon, email: 'jon' }], /^email: /],
      [[mara, { ...jon, about: 'x'.repeat(201) }], /^about: .* 200 /],
      [[mara, { ...jon, slug: 'Jon' }], /^1.slug /],
      [[mara, { ...jon, week: Array(7).fill({ weekday, sessions }) }], /two days for one date/],
      [[mara, jon].map((artist) => ({ ...artist, ...hidden })), /^all artists are hidden/],
    ];
    for (const [document, problem] of documents) {
      const changed = { ...files, 'artists.json': JSON.stringify(document) };
      const report = await importOf(context, changed, { skipRefused: true });
      t.match(report, { outcome: 'refused' });
      t.match('findings' in report && report.findings[0], { file: 'artists.json', problem });
    }
    const [ofMara, ofJon] = lines;
    for (const [line, problem] of [
      [{ ...ofJon!, artist: 'zoe' }, /^artist is not among those of artists.json/],
      [{ ...ofJon!, artist: 'mara' }, /, is taken by booking /],
    ] as const) {
      const report = await importOf(context, withBookings(files, [ofMara!, line]));
      t.match(report, { outcome: 'refused', findings: [{ line: 2, problem }] });
    }
    t.match(await importOf(context, files), { outcome: 'imported', rows: { 'artists.json': 1 } });
    t.strictSame(await exported(context), files);
    await startOver(context);
    await addArtists(context, 2);
    t.match(await importOf(context, files), { outcome: 'in_use', filled: ['artists'] });
  },
);

void t.test(
  'of an export of 3.0, the sessions of hidden artists are kept but for those in closures, as at its upgrade',
  async (t) => {
    await startOver(context);
    const [mara, jon] = await addArtists(context, 2);
    const { id: artistId } = jon!;
    const slots = await someOpenSlots(context, 5);
    for (const slot of slots) {
      await addBooking(context, 'desk', { ...slot, artistId }, { name: 'Ada' });
    }
    await changeArtistDays(context, 'desk', 'jon', { isHidden: true });
    const [, whole, ofJon, ofMara, asked] = slots;
    for (const [slot, closed] of [
      [whole, null],
      [ofJon, artistId],
      [ofMara, mara!.id],
    ] as const) {
      await close(context, slot!.date, slot!.timeSlot, closed);
    }
    await database
      .updateTable('bookings')
      .set({ closed_day_choice: 'asked' })
      .where('date', '=', asked!.date)
      .where('time_slot', '=', asked!.timeSlot)
      .execute();
    const choices = (files: Record<string, string>) =>
      bookingsOf(files).map((line) => line.closed_day_choice);
    const files = await exported(context);
    t.strictSame(choices(files), [null, null, null, null, 'asked']);
    const artists = JSON.parse(files['artists.json']!) as Record<string, unknown>[];
    const of30 = {
      ...files,
      'format.json': files['format.json']!.replace('"version": 2', '"version": 1'),
      'artists.json': JSON.stringify(
        artists.map(({ first_day: _, last_day: __, is_new: ___, ...artist }) => artist),
      ),
    };
    await startElsewhere(context);
    t.match(await importOf(context, of30), { outcome: 'imported', findings: [] });
    t.strictSame(choices(await exported(context)), ['kept', null, null, 'kept', 'asked']);
    await startElsewhere(context);
    t.match(await importOf(context, files), { outcome: 'imported' });
    t.strictSame(await exported(context), files, 'later ones stay undecided');
  },
);
