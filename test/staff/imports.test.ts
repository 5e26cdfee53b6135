import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import t from 'tap';
import { storedBookings } from '../support/bookings.js';
import { mailOn } from '../support/codes.js';
import { temporaryFolder } from '../support/embedded.js';
import { generous, startService } from '../support/service.js';
import { startOver } from '../support/start-over.js';
import { runAnswering, showBooking, studioEnvironment, studioOn } from '../support/studio.js';

const { context } = await startService(t, { ...generous, ...mailOn });
const studio = studioOn(context);
t.beforeEach(() => startOver(context));
const folder = await temporaryFolder(t);
let files = 0;

async function fileOf(content: string | Buffer): Promise<string> {
  files += 1;
  const file = join(folder, `export-${files}`);
  await writeFile(file, content);
  return file;
}

const countBookings = async () => (await storedBookings(context)).bookings.length;

interface Row {
  line: number;
  result: string;
  reason: string | null;
  who: string;
  notes: string[];
  [made: string]: unknown;
}

async function importOf(noun: string, content: string | Buffer, ...options: string[]) {
  const file = await fileOf(content);
  const { code, stdout, stderr } = await studio(noun, 'import', file, '--json', ...options);
  const report = stdout === '' ? null : (JSON.parse(stdout) as { imported: boolean; rows: Row[] });
  return { code, stderr, imported: report?.imported, rows: report?.rows ?? [], stdout };
}

/** What became of each row: `2 import 2031-12-02 1:00 PM Ada Park`. */
function short({ line, result, reason, who, date, time_slot }: Row): string {
  const made = date === undefined ? [reason] : [date, time_slot];
  return [line, result, ...made, who].join(' ').trim();
}

const calendar = (...lines: string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n');
const event = (...lines: string[]) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'];

// 2 December 2031 is a Tuesday.
const exports: Record<string, { content: string | Buffer; options?: string[]; rows: string[] }> = {
  'Cal.com, whose times are those of the browser': {
    content: `Booking UID,Title,Status,Start Time,End Time,Attendee Name,Attendee Email,Event Type,Location
"8Kx1","Session between Night Heron and Ada Park","ACCEPTED","2031-12-02 13:00:00","2031-12-02 17:00:00","Ada Park; Bo Lee","ada@example.com; bo@example.com","Session","In person"
"8Kx2","Session between Night Heron and Cy Orr","CANCELLED","2031-12-02 09:00:00","2031-12-02 13:00:00","Cy Orr","cy@example.com","Session","In person"
"8Kx3","Session between Night Heron and Di Fox","ACCEPTED","2031-12-03 10:30:00","2031-12-03 11:00:00","Di Fox","di@example.com","Session","In person"
`,
    options: ['--skip-refused'],
    rows: [
      '2 import 2031-12-02 1:00 PM Ada Park',
      '3 leave out status Cy Orr',
      '4 refuse no_such_session Di Fox',
    ],
  },
  'Acuity, with notes on several lines and CRLF': {
    content: [
      'Start Time,End Time,First Name,Last Name,Phone,Email,Type,Calendar,Appointment Price,Paid?,Notes,Date Scheduled',
      '"December 2, 2031 1:00 pm","December 2, 2031 5:00 pm",Ada,Park,\'+15035550142,ada@example.com,Session,Night Heron,200.00,no,"A heron,\r\non the ""left"" arm",2031-11-02',
      '',
      '"December 2, 2031 5:00 pm","December 2, 2031 9:00 pm",Bo,Lee,="5035550143",bo@example.com,Session,Night Heron,200.00,no,,2031-11-02',
      '',
    ].join('\r\n'),
    rows: ['2 import 2031-12-02 1:00 PM Ada Park', '5 import 2031-12-02 5:00 PM Bo Lee'],
  },
  'Square, with US dates in columns of their own': {
    content: `Date,Start Time,End Time,Client Name,Client Email,Client Phone,Service,Staff,Status
12/02/2031,9:00 AM,1:00 PM,Ada Park,ada@example.com,(503) 555-0142,Session,Heron,Accepted
12/02/2031,1:00 PM,5:00 PM,Bo Lee,,,Session,Heron,No-show
`,
    rows: ['2 import 2031-12-02 9:00 AM Ada Park', '3 leave out status Bo Lee'],
  },
  'Fresha, with a title above, semicolons, days first and a byte order mark': {
    content: `\ufeffAppointments
Ref #;Channel;Client;Scheduled date;Time;Status
#0001;Online;Ada Park;25/11/2031;13:00;Booked
#0002;Offline;Zoë Núñez;02/12/2031;09:00;Confirmed
`,
    rows: ['3 import 2031-11-25 1:00 PM Ada Park', '4 import 2031-12-02 9:00 AM Zoë Núñez'],
  },
  'Excel on Windows, with tabs, in its code page': {
    content: Buffer.from('Name\tStart\r\nZo\u00eb\t2 Dec 2031 1:00 PM\r\n', 'latin1'),
    rows: ['2 import 2031-12-02 1:00 PM Zoë'],
  },
  'Excel in UTF-16, with its line for the separator': {
    content: Buffer.from(
      '\ufeffsep=;\r\nName;Start\r\nZo\u00eb;Tue, Dec 2, 2031 at 1pm\r\n',
      'utf16le',
    ),
    rows: ['3 import 2031-12-02 1:00 PM Zoë'],
  },
  'times of other zones: written, in a column, and given': {
    content: `name,start,time zone
Ada,2031-12-02T21:00:00Z,
Bo,2031-12-02 12:00,America/New_York
Cy,2031-12-03 12:00,
Di,2031-12-03 18:00 EST,
Ed,2031-12-04 12:00,Moon/Base
`,
    options: ['--time-zone', 'America/New_York', '--skip-refused'],
    rows: [
      '2 import 2031-12-02 1:00 PM Ada',
      '3 import 2031-12-02 9:00 AM Bo',
      '4 import 2031-12-03 9:00 AM Cy',
      '5 refuse no_such_session Di',
      '6 refuse unreadable Ed',
    ],
  },
  'rows that cannot be read, each by its line': {
    content: `name,email,phone,start
,a@example.com,,2031-12-02 9:00
Bo,none,,2031-12-02 9:00
Cy,,12,2031-12-02 9:00
Di,,,2031-02-30 9:00
Ed,,,2031-12-02
Flo,,,2031-12-02 25:00
Gus,,,soon
Hal,,,2031-12-02 9:00,too,many
Ida,,,2020-12-02 9:00
Jo,,,2031-12-02 9:00
Kim,,,2031-12-02 9:00
Jo,,,2031-12-02 9:00
Lea,"never closed,,2031-12-02 9:00
Max,,,2031-12-02 1:00 PM
`,
    options: ['--skip-refused'],
    rows: [
      '2 refuse invalid',
      '3 refuse invalid Bo',
      '4 refuse invalid Cy',
      '5 refuse unreadable Di',
      '6 refuse unreadable Ed',
      '7 refuse unreadable Flo',
      '8 refuse unreadable Gus',
      '9 refuse unreadable Hal',
      '10 leave out past Ida',
      '11 import 2031-12-02 9:00 AM Jo',
      '12 refuse taken Kim',
      '13 leave out double Jo',
      '14 refuse unreadable',
    ],
  },
  'Google Calendar, in UTC, with the attendee of Cal.com': {
    content: calendar(
      'X-WR-TIMEZONE:America/New_York',
      ...event(
        'DTSTART:20311202T210000Z',
        'DTEND:20311203T010000Z',
        'UID:8kx@cal.com',
        'ORGANIZER;CN=Night Heron:mailto:heron@example.com',
        'ATTENDEE;CUTYPE=INDIVIDUAL;PARTSTAT=ACCEPTED;CN=Night Heron:mailto:heron@example.com',
        'ATTENDEE;CUTYPE=INDIVIDUAL;PARTSTAT=ACCEPTED;CN="Park, Ada":mailto:Ada@exam',
        ' ple.com',
        'SUMMARY:Session between Night Heron and Ada Park',
      ),
      ...event(
        'DTSTART;TZID=America/Los_Angeles:20311202T090000',
        'DURATION:PT3H',
        'UID:weekly',
        'RRULE:FREQ=WEEKLY;COUNT=3',
        'EXDATE;TZID=America/Los_Angeles:20311209T090000',
        'ATTENDEE;CN=Bo Lee:mailto:bo@example.com',
      ),
      ...event('DTSTART:20311203T120000', 'UID:floating', 'ATTENDEE;CN=Cy:mailto:cy@example.com'),
      ...event('DTSTART;VALUE=DATE:20311204', 'UID:day', 'ATTENDEE;CN=Di:mailto:di@example.com'),
      ...event('DTSTART:20311204T170000Z', 'STATUS:CANCELLED', 'UID:off', 'SUMMARY:Off'),
      ...event('DTSTART:20200102T170000Z', 'UID:old', 'SUMMARY:Old'),
    ),
    options: ['--to', '2031-12-31', '--skip-refused'],
    rows: [
      '4 import 2031-12-02 1:00 PM Park, Ada',
      '14 import 2031-12-02 9:00 AM Bo Lee',
      '14 import 2031-12-16 9:00 AM Bo Lee',
      '22 import 2031-12-03 9:00 AM Cy',
      '27 refuse unreadable Di',
    ],
  },
};

t.test('the exports of other systems are read as these write them', async (t) => {
  for (const [system, { content, options = [], rows }] of Object.entries(exports)) {
    await startOver(context);
    const trial = await importOf('bookings', content, '--dry-run', ...options);
    t.strictSame([trial.imported, ...trial.rows.map(short)], [false, ...rows], system);
    const done = await importOf('bookings', content, '--yes', ...options);
    t.equal(done.code, 0, done.stderr);
    t.strictSame([done.imported, ...done.rows.map(short)], [true, ...rows], system);
    const again = await importOf('bookings', content, '--yes', ...options);
    const doubles = rows.map((row) => row.replace(/import \S+ \S+ [AP]M/, 'leave out double'));
    t.strictSame([...again.rows.map(short)], doubles, `${system}, again`);
  }
});

const threeRows = `name,email,start
Ada Park,ada@example.com,2031-12-02 9:00
Bo Lee,bo@example.com,2031-12-02 1:00 PM
Cy Orr,cy@example.com,2031-12-02 14:00
`;

t.test('nothing is half imported: a refused row refuses the file', async (t) => {
  const refused = await importOf('bookings', threeRows, '--yes');
  t.match(refused, { code: 4, imported: false, stderr: /1 row refused, so nothing is imported/ });
  t.match(refused.rows[2], { line: 4, notes: ['no session begins at 14:00'] });
  t.equal(await countBookings(), 0);
  const taken = `name,start\nDi,2031-12-03 9:00\nEd,2031-12-03 9:00\n`;
  t.match(await importOf('bookings', taken, '--yes'), { code: 4, imported: false });
  t.equal(await countBookings(), 0);
  const unconfirmed = await importOf('bookings', threeRows, '--skip-refused');
  t.match(unconfirmed, { code: 4, stderr: /Import 2 bookings\? .*add --yes/ });
  t.equal(await countBookings(), 0);
});

t.test(
  'what was moved or cancelled since stays so; each booking is audited as added',
  async (t) => {
    const first = await importOf('bookings', threeRows, '--yes', '--skip-refused');
    const [ada = '', bo = ''] = first.rows.map((row) => row['booking_id'] as string);
    await studio(`bookings move ${ada} 2031-12-05 9am --yes`);
    await studio(`bookings cancel ${bo} --yes`);
    const again = await importOf('bookings', threeRows, '--yes', '--skip-refused');
    t.match(again.rows, [
      {
        reason: 'double',
        notes: [`it was there, and was moved or cancelled since: ${ada.slice(0, 8)}`],
      },
      { reason: 'double' },
      { reason: 'no_such_session' },
    ]);
    t.equal(await countBookings(), 2);
    t.match(await showBooking(studio, ada), {
      ...{ name: 'Ada Park', channel: 'studio', status: 'confirmed', date: '2031-12-05' },
      history: [{ what: 'added' }, { what: 'moved' }],
    });
  },
);

t.test('nobody is mailed, also no reminder, unless it is asked for', async (t) => {
  const mailed = async () => {
    const { rows } = await sql`
      select booking_id from events_to_mail join events on id = event_id
      union all select booking_id from mails`.execute(context.database);
    return rows.length;
  };
  const quiet = await importOf('bookings', threeRows, '--yes', '--skip-refused');
  t.equal(quiet.imported, true);
  t.equal(await mailed(), 0);
  await importOf('bookings', 'name,start\nDi,2031-12-09 9:00\n', '--yes', '--mail');
  t.equal(await mailed(), 1);
});

t.test('the report says what is closed, outside of the week or converted', async (t) => {
  await studio('hours set tue --sessions 1pm');
  await studio('closures add 2031-12-03');
  const { rows } = await importOf(
    'bookings',
    'name,start\nAda,2031-12-02 9:00\nBo,2031-12-03 1pm\nCy,2031-12-04T21:00:00Z\n',
    '--yes',
  );
  t.match(rows, [
    { result: 'import', reason: 'no_session', notes: ['The weekly schedule has no session then.'] },
    { result: 'import', reason: 'closed', notes: ['The studio is closed then.'] },
    { result: 'import', reason: null, notes: ['21:00 in UTC'] },
  ]);
});

t.test(
  'columns are given by options or a file of lines, and asked for on a terminal',
  async (t) => {
    const odd = 'Who,Day,Hour,Remark\nAda,2031-12-02,1pm,A heron\n';
    const refused = await importOf('bookings', odd, '--yes');
    t.match(refused, {
      code: 2,
      stderr: /No column is known for: name, start.*Who, Day, Hour, Remark/,
    });
    const unknown = await importOf('bookings', odd, '--map', 'name=Whom');
    t.match(unknown, { code: 2, stderr: /no column \\"Whom\\"/ });
    t.match(await importOf('bookings', odd, '--map', 'whom=Who'), {
      code: 2,
      stderr: /Give a field/,
    });
    const given = ['--map', 'name=Who', '--map', 'start=day + hour', '--dry-run'];
    t.match(await importOf('bookings', odd, ...given), { code: 0, rows: [{ who: 'Ada' }] });
    const lines = await fileOf('# of the old system\nname = Who\n\nstart = Day+Hour\nidea =\n');
    t.match(await importOf('bookings', odd, '--map-file', lines, '--dry-run'), {
      ...{ code: 0, rows: [{ who: 'Ada', result: 'import' }] },
    });

    const environment = studioEnvironment(context);
    const asked = new Set<string>();
    // It is drawn again with what was typed.
    const asks = (written: string) => {
      const [question = ''] = /(?<=\? )(Are these|Which column|Import)[^?]*\?/.exec(written) ?? [];
      return question !== '' && asked.size < asked.add(question).size;
    };
    const known = await fileOf(threeRows);
    const right = await runAnswering(
      environment,
      ['bookings', 'import', known, '--skip-refused'],
      ['y', 'y'],
      asks,
    );
    t.match(right, {
      code: 0,
      asked: /FIELD +COLUMN[^]*email +email +ada@example\.com[^]*Import 2 bookings\?/,
    });
    t.equal(await countBookings(), 2);
    const down = '\u001b[B';
    // The name, which is the first, and five that have none; then the start, which is the second.
    asked.clear();
    const chosen = await runAnswering(
      environment,
      ['bookings', 'import', await fileOf('Who,When is it\nDi,2031-12-09 1pm\n')],
      ['', '', '', '', '', down, '', '', 'y'],
      asks,
    );
    t.match(chosen, { code: 0, asked: /Which column is "start"[^]*Import 1 booking\?/ });
    asked.clear();
    const no = await runAnswering(environment, ['bookings', 'import', known], ['y'], asks);
    t.match(no, { code: 4, asked: /1 row refused/ });
  },
);

t.test('closures: whole days, single sessions, and what is closed already', async (t) => {
  const csv = `Subject,Start Date,Start Time,End Date,End Time,All Day Event,Description,Location,Private
Away,12/22/2031,,12/24/2031,,True,,,
Dentist,12/02/2031,2:00 PM,12/02/2031,3:00 PM,False,,,
Breakfast,12/02/2031,7:00 AM,12/02/2031,8:00 AM,False,,,
Fair,12/05/2031,10:00 AM,12/07/2031,12:00 PM,False,,,
Old,12/05/2019,10:00 AM,12/07/2019,12:00 PM,False,,,
Odd,12/05/2031,1:00 PM,12/05/2031,12:00 PM,False,,,
`;
  const done = await importOf('closures', csv, '--yes', '--skip-refused');
  const closed = (from: string, to = from, time_slot: string | null = null) => ({
    from,
    to,
    time_slot,
  });
  t.match(done.rows, [
    { line: 2, who: 'Away', closed: [closed('2031-12-22', '2031-12-24')] },
    { line: 3, who: 'Dentist', closed: [closed('2031-12-02', '2031-12-02', '1:00 PM')] },
    { line: 4, reason: 'no_session' },
    {
      line: 5,
      closed: [closed('2031-12-05', '2031-12-06'), closed('2031-12-07', '2031-12-07', '9:00 AM')],
    },
    { line: 6, reason: 'past' },
    { line: 7, result: 'refuse', notes: ['it ends before it begins'] },
  ]);
  t.equal((await studio('closures list --json')).json<object[]>().length, 4);
  const again = await importOf('closures', csv, '--yes', '--skip-refused');
  t.strictSame(again.rows.slice(0, 4).map(short), [
    '2 leave out double Away',
    '3 leave out double Dentist',
    '4 leave out no_session Breakfast',
    '5 leave out double Fair',
  ]);

  await studio('bookings add 2031-12-25 9am --name Ada');
  const file = calendar(
    ...event(
      'UID:1',
      'DTSTART;VALUE=DATE:20311225',
      'DTEND;VALUE=DATE:20311227',
      'SUMMARY:Holiday',
    ),
    ...event('UID:2', 'DTSTART:20311229T210000Z', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=2'),
    ...event('UID:3', 'DTSTART:20311231T210000Z', 'DURATION:PT1H', 'TRANSP:TRANSPARENT'),
    ...event('UID:4', 'DTSTART:20311231T210000Z', 'RRULE:FREQ=SOMETIMES'),
  );
  const shown = await studio(
    'closures',
    'import',
    await fileOf(file),
    '--to',
    '2031-12-31',
    '--yes',
    '--skip-refused',
  );
  t.match(shown, {
    code: 0,
    stdout:
      /3 +import +2031-12-25 00:00 to 2031-12-27 00:00 +Holiday +closes 2031-12-25 to 2031-12-26\n/,
  });
  t.match(shown.stdout, /closes 2031-12-29 at 1:00 PM; 21:00 in UTC\n/);
  t.match(shown.stdout, /refuse +a rule of repetition cannot be read\n/);
  t.match(
    shown.stdout,
    /Left out: 1 free or cancelled event\.\nImported 3 closures; .*\nUndecided .*: 1 booking\n/,
  );
});

t.test('what is too large, and what is no file of that kind, is refused', async (t) => {
  const rows = `name,start\n${'Ada,2031-12-02 9:00\n'.repeat(10_001)}`;
  for (const [content, sentence] of [
    [rows, /more than 10,000 rows: split it/],
    [Buffer.alloc(20_000_001, 'a,b\n'), /larger than 20 MB: split it/],
    ['nothing', /no headings/],
    ['', /no headings/],
    [calendar().replace('END:VCALENDAR', ''), /its end is missing/],
    [
      calendar(...event('UID:1', 'DTSTART:20311201T210000Z', 'RRULE:FREQ=SECONDLY')),
      /too many events/,
    ],
  ] as const) {
    const outcome = await importOf('bookings', content, '--to', '2031-12-31');
    t.match(outcome, { code: 4, stdout: '', stderr: sentence });
  }
  t.match(await studio('bookings import /nonexistent --yes'), {
    code: 3,
    stderr: /cannot be opened/,
  });
});
