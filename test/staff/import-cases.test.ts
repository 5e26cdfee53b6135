import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { addArtists } from '../support/artists.js';
import { storedBookings } from '../support/bookings.js';
import { mailOn } from '../support/codes.js';
import { calendar, event, importing, type ImportedRow } from '../support/imports.js';
import { projectRoot } from '../support/project.js';
import { generous, mailFrom, startService } from '../support/service.js';
import { startOver } from '../support/start-over.js';

const { context } = await startService(t, { ...generous, ...mailOn });
const { studio, importOf } = await importing(t, context, { ...mailOn });
await addArtists(context, 2);
await studio('info set --email hello@nightheron.example');
await studio('artists set Mara --email mara@studio.example');
t.beforeEach(() => startOver(context));

const caseOf = (name: string) => readFile(join(projectRoot, 'test/staff/import-cases', name));

/** `2 import 2026-12-08 9:00 AM Mara Ada: what is to say`. */
function told({ line, result, reason, who, date, time_slot, artist, notes }: ImportedRow): string {
  const { name } = (artist ?? { name: '' }) as { name: string };
  const made = date === undefined ? [reason] : [date, time_slot, name];
  return `${[line, result, ...made, who].join(' ')}: ${notes.join('; ')}`;
}

const status = (word: string) =>
  `the status "${word}" is not known: add --status "${word}=skip" or --status "${word}=booked"`;

const cases: Record<string, { rows: string[]; said?: string[]; skipped?: string[] }> = {
  'csv-status-void-draft-foreign.csv': {
    rows: [
      `2 refuse unknown_status Ada One: ${status('Void')}`,
      `3 refuse unknown_status Ada Two: ${status('Draft')}`,
      `4 refuse unknown_status Ada Three: ${status('Storniert')}`,
      '5 import 2038-01-13 9:00 AM Mara Ada Four: ',
      '6 import 2038-01-13 1:00 PM Jon Ada Five: ',
    ],
  },
  'csv-cal-com-insights-timestatus.csv': {
    rows: [
      '2 import 2037-12-29 1:00 PM Mara Ada Cal: 21:00 in UTC',
      '3 skip status Ben Cal: its status is "cancelled"',
    ],
  },
  'csv-staff-column.csv': {
    rows: [
      '2 import 2038-01-14 9:00 AM Jon Cara Lund: ',
      '3 import 2038-01-14 9:00 AM Mara Eve Ray: ',
      '4 import 2038-01-15 1:00 PM Jon Dan Ode: ',
      '5 refuse unknown_artist Fay Poe: no artist is called "Nobody": add --artist "Nobody=…" with the name of one who is',
    ],
    said: [],
  },
  'csv-windows-1252-quotes-and-dash.csv': {
    rows: ['2 import 2038-01-19 9:00 AM Mara Anna “Ann” Lee: '],
  },
  'csv-dates-as-excel-serial-numbers.csv': {
    rows: ['2 import 2037-12-08 9:00 AM Mara Ada S: ', '3 import 2037-12-08 1:00 PM Jon Ada T: '],
  },
  'csv-fresha-scheduled-time.csv': {
    rows: ['2 import 2037-12-22 5:00 PM Jon Ada Fresha: '],
    said: [],
  },
  'csv-heading-date-and-time.csv': {
    rows: ['2 import 2037-12-08 9:00 AM Jon Ada Ink: '],
    said: [],
  },
  'csv-phones-as-spreadsheets-and-people-leave-them.csv': {
    rows: [
      '2 import 2037-12-08 9:00 AM Mara Ada Float: ',
      '3 import 2037-12-08 1:00 PM Jon Ada Lost: digits of the phone number are lost: "1.50356E+10" is in the studio\'s note',
      '4 import 2037-12-08 5:00 PM Mara Ada Exact: ',
      '5 import 2037-12-09 9:00 AM Jon Ada Ext: the phone number "(503) 555-0144 ext. 12" is in the studio\'s note',
      '6 import 2037-12-09 5:00 PM Mara Ada Mobile: ',
      '7 import 2037-12-10 9:00 AM Jon Ada Tel: ',
      '8 import 2037-12-10 1:00 PM Mara Nia Visitor: the phone number "+44 20 7946 0958" is in the studio\'s note',
      '9 import 2037-12-11 9:00 AM Jon Ada None: ',
      '10 import 2037-12-11 1:00 PM Mara Ada Dash: ',
      '11 import 2037-12-11 5:00 PM Jon Ada Zero: ',
    ],
  },
  'csv-two-title-lines-with-two-cells.csv': {
    rows: [
      '5 import 2037-12-09 5:00 PM Mara Ada Park: ',
      '6 skip total Total: it is a line of totals',
    ],
    skipped: ['2 lines above the headings'],
  },
  'ics-canceled-in-the-title.ics': {
    rows: ['4 skip status Canceled: Ben Gone: its title is "Canceled: Ben Gone"'],
  },
  'ics-own-address-is-first-attendee.ics': {
    rows: ['4 import 2037-12-16 9:00 AM Mara Ada Guest: 17:00 in UTC'],
  },
  'ics-mixed-one-invited-guest-one-handwritten.ics': {
    rows: [
      '4 import 2038-01-19 9:00 AM Mara Ada Guest: 17:00 in UTC',
      '13 import 2038-01-20 9:00 AM Jon Ben Handwritten: 17:00 in UTC',
    ],
    said: [],
  },
  'ics-windows-1252-summary.ics': {
    rows: ['4 import 2038-02-09 9:00 AM Mara Zoë O’Brien: 17:00 in UTC'],
  },
};

const unnamed = [/^Nothing in the file says whose sessions these are/];

t.test(
  'each file of other systems is read with what it says, and the trial says the same',
  async (t) => {
    for (const [name, { rows, said = unnamed, skipped = [] }] of Object.entries(cases)) {
      await startOver(context);
      const content = await caseOf(name);
      for (const options of [['--dry-run'], ['--yes', '--skip-refused']]) {
        const outcome = await importOf('bookings', content, '--to', '2038-12-31', ...options);
        t.strictSame(outcome.rows.map(told), rows, name);
        t.match(JSON.parse(outcome.stdout), { remarks: said, skipped }, name);
      }
      const { bookings } = await storedBookings(context);
      const stored = bookings.map((each) => `${each.time_slot} ${each.artist_name} ${each.name}: `);
      const expected = rows.flatMap((row) => / import \S+ ([^:]+:[^:]+: )/.exec(row)?.[1] ?? []);
      t.strictSame(stored.sort(), expected.sort(), name);
    }
  },
);

t.test('phone numbers are read exactly, or stand in the note as they were written', async (t) => {
  const content = await caseOf('csv-phones-as-spreadsheets-and-people-leave-them.csv');
  await importOf('bookings', content, '--yes');
  const { bookings } = await storedBookings(context);
  const stored = bookings.map(({ name, phone, studio_note: note }) => [name, phone, note]);
  t.strictSame(Object.fromEntries(stored.map(([name, ...others]) => [name, others])), {
    'Ada Float': ['5035550141', null],
    'Ada Lost': [null, 'Phone: 1.50356E+10'],
    'Ada Exact': ['5035550143', null],
    'Ada Ext': ['5035550144', 'Phone: (503) 555-0144 ext. 12'],
    'Ada Mobile': ['5035550147', null],
    'Ada Tel': ['5035550148', null],
    'Nia Visitor': [null, 'Phone: +44 20 7946 0958'],
    'Ada None': [null, null],
    'Ada Dash': [null, null],
    'Ada Zero': [null, null],
  });
});

t.test('names of artists are answered one by one, or for the whole file', async (t) => {
  const csv = `name,start,calendar
Ada,2031-12-02 9:00,  MARA
Bo,2031-12-02 9:00,Jonathan
Cy,2031-12-02 13:00,
`;
  const whose = async (...options: string[]) =>
    (await importOf('bookings', csv, '--dry-run', ...options)).rows.map(told);
  t.match(await whose(), [/AM Mara Ada/, /^3 refuse unknown_artist Bo/, /PM Jon Cy/]);
  const provider = csv.replace('calendar', 'Service provider');
  const named = await importOf('bookings', provider, '--dry-run');
  t.match(named.rows.map(told), [/AM Mara Ada/, /^3 refuse unknown_artist Bo/, /PM Jon Cy/]);
  t.match(await whose('--artist', 'jonathan=jon'), [/AM Mara Ada/, /AM Jon Bo/, /PM Mara Cy/]);
  t.match(await whose('--artist', 'Jon'), [/AM Jon Ada/, /^3 refuse taken Bo/, /PM Jon Cy/]);
  t.match(await whose('--map', 'artist='), [/AM Mara Ada/, /AM Jon Bo/, /PM Mara Cy/]);
  const unknown = await importOf('bookings', csv, '--artist', 'Jonathan=Joe', '--dry-run');
  t.match(unknown, { code: 3, stderr: /No artist is called Joe/ });
});

t.test(
  'a family on one mailbox or telephone is several people, also in an import again',
  async (t) => {
    const family = `name,email,phone,start
Ada Park,park@example.com,503-555-0142,2031-12-02 9:00
Bo Park,park@example.com,503-555-0142,2031-12-02 9:00
`;
    const done = await importOf('bookings', family, '--yes');
    t.match(done.rows, [{ result: 'import' }, { result: 'import' }]);
    const again = await importOf('bookings', family, '--yes');
    t.match(again.rows, [{ reason: 'duplicate' }, { reason: 'duplicate' }]);
    t.equal((await storedBookings(context)).bookings.length, 2);

    await studio(
      'bookings correct',
      done.rows[1]!['booking_id'] as string,
      '--name',
      'Robert Park',
    );
    const corrected = await importOf('bookings', family, '--yes');
    t.match(corrected.rows, [{ reason: 'duplicate' }, { reason: 'duplicate' }]);
  },
);

t.test('a person is booked with two artists at once only if the studio says so', async (t) => {
  const csv = `name,email,start,artist
Ada Park,ada.park+x@gmail.com,2031-12-02 9:00,Mara
Áda PARK,adapark@gmail.com,2031-12-02 9:00,Jon
`;
  const refused = await importOf('bookings', csv, '--yes');
  t.match(refused, {
    code: 4,
    rows: [
      { result: 'import' },
      { reason: 'double_booked', notes: [/in this file \(--anyway 3\)/] },
    ],
  });
  const done = await importOf('bookings', csv, '--yes', '--anyway', '3');
  t.match(done.rows, [{ artist: { name: 'Mara' } }, { artist: { name: 'Jon' } }]);
  t.match((await importOf('bookings', csv, '--yes')).rows, [
    { reason: 'duplicate' },
    { reason: 'duplicate' },
  ]);
});

t.test('own addresses are never the client, in any kind of file', async (t) => {
  const address = /<(.*)>/.exec(mailFrom)?.[1] ?? '';
  const csv = `name,email,start
Night Heron; Ada Park,HELLO@nightheron.example; ada@example.com,2031-12-02 9:00
Bo,mara@studio.example,2031-12-02 13:00
Cy,${address},2031-12-03 9:00
`;
  const { rows } = await importOf('bookings', csv, '--yes');
  t.match(rows.map(told), [
    /Ada Park: $/,
    /Bo: mara@studio\.example is the studio's own address$/,
    /Cy: .* is the studio's own address$/,
  ]);
  const emails = (await storedBookings(context)).bookings.map(({ email }) => email);
  t.strictSame(emails.sort(), ['ada@example.com', null, null].sort());
  const guests = calendar(
    ...event(
      'DTSTART:20311204T170000Z',
      'UID:sender',
      'SUMMARY:Di Fox',
      `ATTENDEE;CN=Bookings:mailto:${address}`,
    ),
    ...event('DTSTART:20311205T170000Z', 'UID:off', 'SUMMARY:Declined: Ed', 'STATUS:CONFIRMED'),
  );
  const listed = await importOf('bookings', guests, '--to', '2031-12-31', '--dry-run');
  t.match(listed.rows.map(told), [/^3 import .* Di Fox: /, /^9 skip status Declined: Ed/]);
});
