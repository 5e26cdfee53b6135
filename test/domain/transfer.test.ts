import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import t from 'tap';
import { addOpening } from '../../src/domain/openings.js';
import type { BookingLine } from '../../src/domain/transfer/format.js';
import { importInstallation } from '../../src/domain/transfer/import.js';
import { slotKey, slotOf, slotStartsAt } from '../../src/schedule/slots.js';
import { untilBoard } from '../support/board.js';
import { bookingRow } from '../support/bookings.js';
import { close, holdForPerson, sessionForPerson } from '../support/holds.js';
import { someOpenSlots } from '../support/requests.js';
import { generous, startService } from '../support/service.js';
import { startOver } from '../support/start-over.js';
import { exported, type Files, importOf, startElsewhere } from '../support/transfers.js';

const service = await startService(
  t,
  { ...generous, WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true' },
  { mail: true },
);
const { context, app } = service;
const { database } = context;
const hourMs = 3_600_000;

const linesOf = (files: Files) =>
  files['bookings.jsonl']!.split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as BookingLine);

/** The export with these lines as its bookings. */
function withBookings(files: Files, lines: readonly (object | string)[]): Files {
  const format = JSON.parse(files['format.json']!) as { rows: Record<string, number> };
  format.rows['bookings.jsonl'] = lines.length;
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  return {
    ...files,
    'bookings.jsonl': texts.map((text) => `${text}\n`).join(''),
    'format.json': JSON.stringify(format),
  };
}

const countBookings = async () => (await sql`select from bookings`.execute(database)).rows.length;

void t.test(
  'after an import everybody finds what was there, and nobody hears of it but who is reminded',
  async (t) => {
    await startOver(context);
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
    const payload = { url: 'http://127.0.0.1:9/' };
    const subscribed = await app.inject({ url: '/api/public/webhooks', method: 'POST', payload });
    t.equal(subscribed.statusCode, 201);
    t.match(await importOf(context, files, { dryRun: true }), { outcome: 'tried', refused: 0 });
    t.equal(await countBookings(), 0, 'a dry run imports nothing');
    t.match(await importOf(context, files), { outcome: 'imported', refused: 0, findings: [] });
    await untilBoard(
      context,
      ({ studio, calendar: { closures }, taken }) =>
        studio.name === 'Night Heron Tattoo' &&
        closures.length === 1 &&
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
    t.equal((await sql`select from webhook_deliveries`.execute(database)).rows.length, 0);
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
      pronouns: 'they',
      idea: '=a, "fern"\n\u2028',
    })
    .where('id', '=', id)
    .execute();
  const { date } = await bookingRow(context, id);
  await close(context, date);
  await database.updateTable('bookings').set({ closed_day_choice: 'asked' }).execute();
  await addOpening(context, 'desk', { date: '2999-06-01', sessions: ['1:00 PM'] });
  const files = await exported(context);
  const nulls = Object.entries(linesOf(files)[0]!).filter(([, value]) => value === null);
  t.strictSame(
    nulls.map(([name]) => name),
    ['cancelled_at', 'expired_at', 'cancellation_reason'],
  );
  t.match(files['bookings.csv'], /,"'=a, ""fern""\n\u2028"\r\n$/, 'no formula');
  t.match(files['closures.csv'], /^id,from_date,[a-z_,]*\r\n[^,]{36},2/);

  await startElsewhere(context);
  t.match(await importOf(context, files), { outcome: 'imported' });
  t.strictSame(await exported(context), files);
});

void t.test('an import names each row that it refuses, and imports all or nothing', async (t) => {
  await startOver(context);
  await sessionForPerson(service);
  const files = await exported(context);
  const [given] = linesOf(files);
  await startElsewhere(context);
  const line = given!;
  const other = () => ({ ...line, id: randomUUID(), link_sha256: randomBytes(32).toString('hex') });
  const past = { confirmed_at: null, confirmed_via: null, expired_at: line.expires_at };
  const expired = () => ({ ...other(), ...past, status: 'expired' });
  const wrong: [row: object | string, problem: RegExp][] = [
    ['{', /^it is not JSON in UTF-8$/],
    ['', /^it is not JSON in UTF-8$/],
    [{ ...expired(), artist: 'Mara' }, /^it is not known, so remove "artist"/],
    [{ ...expired(), date: '2026-02-30' }, /^date must be a date that exists/],
    [{ ...expired(), name: 'a\0' }, /^name must not contain the null character/],
    [{ ...expired(), sequence: '1' }, /^sequence must be an integer$/],
    [{ id: randomUUID() }, /^sequence is required/],
    [{ ...expired(), timezone: 'Mars/Olympus' }, /^timezone is none/],
    [{ ...expired(), starts_at: line.ends_at }, /^starts_at is not the time of/],
    [{ ...expired(), ends_at: line.starts_at }, /^ends_at is not after/],
    [{ ...expired(), created_at: line.expires_at }, /^expires_at is not after/],
    [{ ...expired(), expired_at: null }, /^only an expired booking/],
    [{ ...expired(), expired_at: line.created_at }, /^only an expired booking/],
    [{ ...other(), cancelled_at: line.created_at }, /^only a cancelled booking has cancelled_at/],
    [{ ...other(), confirmed_at: null }, /^a confirmed booking has/],
    [{ ...other(), confirmed_at: line.expires_at }, /^confirmed_at is not before/],
    [{ ...other(), no_show_at: line.created_at }, /^no_show_at is before/],
    [{ ...other(), cancellation_reason: 'Ill' }, /^only a cancelled booking has cancellation/],
    [{ ...expired(), id: line.id.toUpperCase() }, /^an earlier row has its id$/],
    [{ ...expired(), link_sha256: line.link_sha256 }, /^an earlier row has its link_sha256$/],
    [other(), new RegExp(`^its time, .*, is taken by booking ${line.id}$`)],
  ];
  const broken = withBookings(files, [line, ...wrong.map(([row]) => row), expired()]);
  const findings = wrong.map(([, problem], index) => ({
    file: 'bookings.jsonl',
    line: index + 2,
    outcome: 'refused',
    problem,
  }));
  const inOrder = async (options: object) => {
    const report = await importOf(context, broken, options);
    if (!('findings' in report)) throw new Error(report.outcome);
    return { ...report, findings: report.findings.sort((a, b) => a.line! - b.line!) };
  };
  const refused = wrong.length;
  t.match(await inOrder({}), { outcome: 'refused', refused, findings });
  t.equal(await countBookings(), 0);
  t.equal((await sql`select from events`.execute(database)).rows.length, 0);
  t.match(await inOrder({ skipRefused: true, dryRun: true }), { outcome: 'tried', findings });
  t.equal(await countBookings(), 0);
  const imported = await inOrder({ skipRefused: true });
  t.match(imported, { outcome: 'imported', findings, rows: { 'bookings.jsonl': 2 } });
  t.equal(await countBookings(), 2);
  t.match(await importOf(context, files), { outcome: 'in_use', filled: ['bookings'] });
});

void t.test(
  'a hold that has lapsed is imported as expired, another time zone is told',
  async (t) => {
    await startOver(context);
    const hold = await holdForPerson(service);
    const files = await exported(context);
    const [line] = linesOf(files);
    const timezone = 'America/Denver';
    const starts_at = slotStartsAt(timezone, '2999-06-01', '1:00 PM').iso;
    const slot = { ...slotOf(line!), date: '2999-06-01', time_slot: '1:00 PM', starts_at };
    const { timeSlot: _, ...place } = slot;
    const elsewhere = {
      ...line,
      ...place,
      id: randomUUID(),
      link_sha256: randomBytes(32).toString('hex'),
      ends_at: null,
      timezone,
      status: 'confirmed',
      confirmed_at: line!.created_at,
    };
    await startElsewhere(context);
    await service.shiftClock(hourMs);
    t.match(await importOf(context, withBookings(files, [line!, elsewhere])), {
      outcome: 'imported',
      findings: [
        { line: 1, outcome: 'expired', problem: `it was held until ${line!.expires_at}` },
        { line: 2, outcome: 'noted', problem: /^its time zone is America\/Denver/ },
      ],
    });
    t.match(await bookingRow(context, hold.id), { status: 'expired', sequence: 1 });
    const again = linesOf(await exported(context));
    t.match(again, [{ id: hold.id, status: 'expired', changed_at: line!.expires_at }, {}]);
  },
);

void t.test('an export that is damaged or of a newer version is not imported', async (t) => {
  await startOver(context);
  await sessionForPerson(service);
  const files = await exported(context);
  await startElsewhere(context);
  const studio = JSON.parse(files['studio.json']!) as object;
  const week = JSON.parse(files['hours.json']!) as object[];
  const address = {
    from_date: '2030-01-01',
    street: 'a',
    city: 'b',
    region: 'c',
    postal_code: 'd',
  };
  const doubled = { ...address, country: 'US' };
  const zone = { timezone: 'Asia/Tokyo', version: '2025c' };
  const documents: [file: string, document: object, problem: RegExp][] = [
    ['studio.json', { ...studio, timezone: 'Nowhere' }, /^timezone: Give an IANA time zone/],
    ['studio.json', { ...studio, other_addresses: [doubled, doubled] }, /^two other_addresses/],
    ['studio.json', { ...studio, zone_data: [zone, zone] }, /^zone_data has a time zone twice/],
    ['hours.json', [...week].reverse(), /^it must have the weekdays from 1 to 7/],
    ['hours.json', week.slice(1), /^it must have at least 7 items/],
    ['hours.json', week.map((day) => ({ ...day, opens: null, closes: '20:00' })), /both be null/],
    ['hours.json', week.map((day) => ({ ...day, opens: '24:00', closes: '24:00' })), /before 24/],
  ];
  for (const [file, document, problem] of documents) {
    const report = await importOf(
      context,
      { ...files, [file]: JSON.stringify(document) },
      { skipRefused: true },
    );
    t.match(report, { outcome: 'refused', findings: [{ file, line: null, problem }] });
  }
  const cut = await importOf(context, { ...files, 'bookings.jsonl': '' }, { skipRefused: true });
  const problem = 'it has 0 rows, and 1 by format.json';
  t.match(cut, { outcome: 'refused', findings: [{ line: null, problem }] });
  const newer = files['format.json']!.replace('"version": 1', '"version": 2');
  t.match(await importOf(context, { ...files, 'format.json': newer }), {
    outcome: 'unreadable',
    problem: /^format.json: version must be 1. This version reads/,
  });
  const lost = importInstallation(
    context,
    'desk',
    async function* lines(name) {
      if (name === 'closures.jsonl') throw new Error('the disk is gone');
      yield Buffer.from(files[name]!);
    },
    { dryRun: false, skipRefused: true },
  );
  await t.rejects(lost, /the disk is gone/);
  t.equal(await countBookings(), 0);
  t.match(await importOf(context, files), { outcome: 'imported' }, 'nothing was left behind');
});
