import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import t from 'tap';
import { changeStudio } from '../../src/domain/studio/settings.js';
import { importInstallation } from '../../src/domain/studio/transfer/import.js';
import { slotOf, slotStartsAt } from '../../src/schedule/slots.js';
import { bookingRow } from '../support/bookings.js';
import { holdForPerson, sessionForPerson } from '../support/holds.js';
import { startService } from '../support/service.js';
import { startOver } from '../support/start-over.js';
import {
  bookingsOf,
  exported,
  importOf,
  startElsewhere,
  withBookings,
} from '../support/transfers.js';

const service = await startService(t);
const { context } = service;
const { database } = context;
const hourMs = 3_600_000;

const tooLong = (limit: number) => '\u{1f58b}'.repeat(limit + 1);

const countBookings = async () => (await sql`select from bookings`.execute(database)).rows.length;

void t.test('an import names each row that it refuses, and imports all or nothing', async (t) => {
  await startOver(context);
  await sessionForPerson(service);
  const files = await exported(context);
  const [given] = bookingsOf(files);
  await startElsewhere(context);
  const line = given!;
  const tooLate = '2999-01-01T00:00:00Z';
  const other = () => ({ ...line, id: randomUUID(), link_sha256: randomBytes(32).toString('hex') });
  const past = { confirmed_at: null, confirmed_via: null, expired_at: line.expires_at };
  const expired = () => ({ ...other(), ...past, status: 'expired' });
  const wrong: [row: object | string, problem: RegExp][] = [
    [{ ...expired(), mood: 'good' }, /^it is not known, so remove "mood"/],
    [{ ...expired(), artist: 'Mara' }, /^artist must be as documented/],
    [{ ...expired(), date: '2026-02-30' }, /^date must be a date that exists/],
    [{ ...expired(), name: 'a\0' }, /^name must not contain the null character/],
    [{ ...expired(), sequence: '1' }, /^sequence must be an integer$/],
    [{ id: randomUUID() }, /^sequence is required/],
    [{ ...expired(), name: '' }, /^name must not be empty/],
    [{ ...expired(), email: 'a\r\nb@c.de' }, /^email must be an e-mail address/],
    [{ ...expired(), label: tooLong(200) }, /^label must have at most 200/],
    [{ ...expired(), studio_note: tooLong(2_000) }, /^studio_note must have at most 2/],
    [{ ...expired(), studio_word: tooLong(500) }, /^studio_word must have at most 500/],
    [{ ...expired(), cancellation_reason: tooLong(500) }, /^cancellation_reason must have at most/],
    [{ ...expired(), platform: 'No slug' }, /^platform does not have the documented/],
    [{ ...expired(), zone_data_version: '9999z' }, /^zone_data_version is of a later year/],
    [{ ...expired(), timezone: 'Mars/Olympus' }, /^timezone is unknown/],
    [
      { ...expired(), starts_at: line.starts_at.replace(/[^T]{6}$/, '+14:00') },
      /^starts_at is not the time of/,
    ],
    [{ ...expired(), starts_at: line.ends_at }, /^starts_at is not the time of/],
    [{ ...expired(), ends_at: line.starts_at }, /^ends_at is not within a day/],
    [{ ...expired(), ends_at: '2999-01-01T00:00:00Z' }, /^ends_at is not within a day/],
    [
      { ...other(), ...past, expired_at: null, status: 'pending', expires_at: tooLate },
      /^a hold ends more than a day from now/,
    ],
    [{ ...expired(), created_at: '0000-01-01T00:00:00Z' }, /^created_at must be as documented/],
    [{ ...expired(), created_at: '2016-12-31T23:59:60Z' }, /^created_at must be as documented/],
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
  t.match(await inOrder({ skipRefused: true, dryRun: true }), { outcome: 'dry_run', findings });
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
    const [line] = bookingsOf(files);
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
    // As 2.9 exports what a version before had booked: it ends by the opening hours.
    t.match(await bookingRow(context, elsewhere.id), { ends_at_text: '2999-06-01T17:00:00-06:00' });
    const again = bookingsOf(await exported(context)).find(({ id }) => id === hold.id);
    t.match(again, { status: 'expired', changed_at: line!.expires_at });
  },
);

void t.test('openings and closures that are there twice are refused', async (t) => {
  await startOver(context);
  const files = await exported(context);
  await startElsewhere(context);
  const created_at = '2026-12-01T00:00:00Z';
  const opening = { date: '2999-06-01', time_slot: '1:00 PM', created_at };
  const dates = { from_date: '2999-06-01', to_date: '2999-06-02' };
  const rest = { time_slot: null, from_time: null, reason: '', created_at, artist: null };
  const closure = { id: randomUUID(), ...dates, ...rest };
  const wordy = { ...closure, id: randomUUID(), reason: tooLong(200) };
  const reversed = { ...closure, id: randomUUID(), to_date: '2999-05-01' };
  const lines = (rows: object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  const counts = /"(openings|closures).jsonl": 0/g;
  const report = await importOf(
    context,
    {
      ...files,
      'openings.jsonl': lines([opening, opening]),
      'closures.jsonl': lines([
        closure,
        reversed,
        wordy,
        { ...closure, id: closure.id.toUpperCase() },
        { ...closure, id: randomUUID(), from_time: '13:00', to_time: '15:00' },
      ]),
      'format.json': files['format.json']!.replace(counts, (_, name: string) =>
        name === 'openings' ? '"openings.jsonl": 2' : '"closures.jsonl": 5',
      ),
    },
    { skipRefused: true },
  );
  t.match(report, {
    outcome: 'imported',
    refused: 5,
    rows: { 'openings.jsonl': 1, 'closures.jsonl': 1 },
    findings: [
      { file: 'openings.jsonl', line: 2, problem: 'an earlier row opens this session' },
      { file: 'closures.jsonl', line: 2, problem: 'to_date is before from_date' },
      { file: 'closures.jsonl', line: 3, problem: 'reason must have at most 200 characters' },
      {
        ...{ file: 'closures.jsonl', line: 5 },
        problem: 'from_time and to_time are not hours of one date',
      },
      { file: 'closures.jsonl', line: 4, problem: 'an earlier row has its id' },
    ],
  });
});

void t.test('an export that is damaged or of a newer version is not imported', async (t) => {
  await startOver(context);
  await sessionForPerson(service);
  const files = await exported(context);
  await startElsewhere(context);
  const studio = JSON.parse(files['studio.json']!) as object;
  const week = JSON.parse(files['hours.json']!) as object[];
  const place = { street: 'a', city: 'b', region: 'c', postal_code: 'd', country: 'US' };
  const doubled = { from_date: '2030-01-01', ...place };
  const zone = { timezone: 'Asia/Tokyo', version: '2025c' };
  const notice = { title: 'Care', text: 'Eat before.' };
  const notices = (...given: object[]) => ({ ...studio, notices: given });
  const wrongCountry = { ...doubled, country: '<b>' };
  const documents: [file: string, document: object, problem: RegExp][] = [
    ['studio.json', { ...studio, timezone: 'Nowhere' }, /^timezone: Give an IANA time zone/],
    ['studio.json', notices({ ...notice, title: tooLong(80) }), /^notices.title: .* 80 /],
    ['studio.json', notices({ ...notice, text: tooLong(1_000) }), /^notices.text: .* 1,000 /],
    ['studio.json', notices(...Array<object>(11).fill(notice)), /^notices must have at most 10/],
    [
      'studio.json',
      { ...studio, other_addresses: [wrongCountry] },
      /^other_addresses.country: Give a two-letter/,
    ],
    [
      'studio.json',
      { ...studio, zone_data: [{ ...zone, version: '9999z' }] },
      /^zone_data has a version of a later year/,
    ],
    ['studio.json', { ...studio, other_addresses: [doubled, doubled] }, /^two other_addresses/],
    ['studio.json', { ...studio, zone_data: [zone, zone] }, /^zone_data has a time zone twice/],
    ['hours.json', [...week].reverse(), /^it must have the weekdays from 1 to 7/],
    ['hours.json', week.slice(1), /^it must have at least 7 items/],
    ['hours.json', week.map((day) => ({ ...day, opens: null, closes: '20:00' })), /both be null/],
    [
      'hours.json',
      week.map((day) => ({ ...day, opens: '24:00', closes: '24:00' })),
      /close when it/,
    ],
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
  const newer = files['format.json']!.replace('"version": 2', '"version": 3');
  t.match(await importOf(context, { ...files, 'format.json': newer }), {
    outcome: 'unreadable',
    problem: /^format.json: version must be .* This version reads .*, versions 1 and 2\.$/,
  });
  const lost = importInstallation(
    context,
    'desk',
    async function* lines(name) {
      if (name === 'closures.jsonl') throw new Error('the disk is gone');
      yield Buffer.from(files[name]!);
    },
    { dryRun: false, skipRefused: true, signal: new AbortController().signal },
  );
  await t.rejects(lost, /the disk is gone/);
  const interruption = new AbortController();
  const interrupted = importInstallation(
    context,
    'desk',
    async function* lines(name) {
      if (name === 'closures.jsonl') interruption.abort(new Error('Ctrl-C'));
      else if (files[name] !== '') yield Buffer.from(files[name]!);
    },
    { dryRun: false, skipRefused: true, signal: interruption.signal },
  );
  await t.rejects(interrupted, /Ctrl-C/, 'nothing is committed after an interruption');
  t.equal(await countBookings(), 0);
  // Also where the rows that are refused are to be left out.
  for (const line of ['{', '']) {
    const damaged = withBookings(files, [...bookingsOf(files), line]);
    const report = await importOf(context, damaged, { skipRefused: true });
    const problem = 'it is not JSON in UTF-8';
    t.match(report, { outcome: 'refused', findings: [{ line: 2, problem }] });
  }
  t.match(await importOf(context, files), { outcome: 'imported' }, 'nothing was left behind');
  await changeStudio(context, 'test', { name: 'Mine' });
  t.match(await importOf(context, files), { outcome: 'in_use', filled: ['bookings', 'studio'] });
});
