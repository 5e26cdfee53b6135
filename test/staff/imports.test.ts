import t from 'tap';
import { addDays } from '../../src/schedule/dates.js';
import { todayInZone } from '../../src/schedule/slots.js';
import { calendar, event, importing, short } from '../support/imports.js';
import { generous, startService } from '../support/service.js';
import { startOver } from '../support/start-over.js';

const { context } = await startService(t, generous);
const { importOf } = await importing(t, context);

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
      '3 skip status Cy Orr',
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
    rows: ['2 import 2031-12-02 9:00 AM Ada Park', '3 skip status Bo Lee'],
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
Flo,"Dec 5, 2031 12:00 PM – 4:00 PM EST",
Gus,"2031-12-05 16:00 - 2031-12-05 20:00 America/New_York",UTC
Hal,2031-12-09 10:00 AM MST,
Ida,2031-12-09 1:00 PM-5:00 PM PST,
Jo,2031-12-09 19:00,CT
Lea,2031-07-08 1:00 PM PST,
Max,48189.5,America/New_York
Ned,48190.0 0.666666666667,
`,
    options: ['--time-zone', 'America/New_York', '--skip-refused'],
    rows: [
      '2 import 2031-12-02 1:00 PM Ada',
      '3 import 2031-12-02 9:00 AM Bo',
      '4 import 2031-12-03 9:00 AM Cy',
      '5 refuse no_such_session Di',
      '6 refuse unreadable Ed',
      '7 import 2031-12-05 9:00 AM Flo',
      '8 import 2031-12-05 1:00 PM Gus',
      '9 import 2031-12-09 9:00 AM Hal',
      '10 import 2031-12-09 1:00 PM Ida',
      '11 import 2031-12-09 5:00 PM Jo',
      '12 refuse no_such_session Lea',
      '13 import 2031-12-07 9:00 AM Max',
      '14 import 2031-12-08 1:00 PM Ned',
    ],
  },
  'rows that cannot be read, each by its line': {
    content: `name,email,phone,start
,a@example.com,,2031-12-02 9:00
Z\ufffde,,,2031-12-02 9:00
${'Cy'.repeat(101)},,,2031-12-02 9:00
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
      '3 refuse unreadable Z\ufffde',
      `4 refuse invalid ${'Cy'.repeat(101)}`,
      '5 refuse unreadable Di',
      '6 refuse unreadable Ed',
      '7 refuse unreadable Flo',
      '8 refuse unreadable Gus',
      '9 refuse unreadable Hal',
      '10 skip past Ida',
      '11 import 2031-12-02 9:00 AM Jo',
      '12 refuse taken Kim',
      '13 skip duplicate Jo',
      '14 refuse unreadable',
    ],
  },
  'people who differ by name, e-mail address or phone': {
    content: `name,email,phone,start
John Smith,john@example.com,,2031-12-02 9:00
John Smith,smith@example.com,,2031-12-02 9:00
John Smith,,503-555-0142,2031-12-02 9:00
Jay Smith,JOHN@example.com,503-555-0142,2031-12-02 9:00
Ada Park,,503-555-0142,2031-12-03 9:00
Ada Park,ada@example.com,503-555-0143,2031-12-03 9:00
`,
    options: ['--skip-refused'],
    rows: [
      '2 import 2031-12-02 9:00 AM John Smith',
      '3 refuse taken John Smith',
      '4 skip duplicate John Smith',
      '5 refuse taken Jay Smith',
      '6 import 2031-12-03 9:00 AM Ada Park',
      '7 refuse taken Ada Park',
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
        'DTSTART;TZID=PST:20311202T090000',
        'DURATION:PT3H',
        'UID:weekly',
        'RRULE:FREQ=WEEKLY;COUNT=3',
        'EXDATE;TZID=America/Los_Angeles:20311209T090000',
        'ATTENDEE;CN=Bo Lee:mailto:bo@example.com',
      ),
      ...event('DTSTART:20311203T120000', 'UID:floating', 'ATTENDEE;CN=Cy:mailto:cy@example.com'),
      ...event('DTSTART;VALUE=DATE:20311204', 'UID:day', 'ATTENDEE;CN=Di:mailto:di@example.com'),
      ...event(
        'DTSTART:20311205T170000Z',
        'STATUS:CONFIRMED',
        'UID:one-declined',
        'ATTENDEE;PARTSTAT=DECLINED;CN=Ed:mailto:ed@example.com',
        'ATTENDEE;PARTSTAT=ACCEPTED;CN=Flo:mailto:flo@example.com',
      ),
      ...event(
        'DTSTART:20311205T210000Z',
        'UID:declined',
        'ATTENDEE;PARTSTAT=DECLINED;CN=Gus:mailto:gus@example.com',
      ),
      ...event(
        'DTSTART:20311206T170000Z',
        'STATUS:TENTATIVE',
        'UID:tentative',
        'ATTENDEE;CN=Hal:mailto:hal@example.com',
      ),
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
      '32 import 2031-12-05 9:00 AM Flo',
      '39 skip status',
      '44 skip status Hal',
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
    const duplicates = rows.map((row) => row.replace(/import \S+ \S+ [AP]M/, 'skip duplicate'));
    t.strictSame([...again.rows.map(short)], duplicates, `${system}, again`);
  }
});

t.test('public holidays close their days, though calendars mark them as free', async (t) => {
  const holiday = (date: string, ...more: string[]) =>
    event(
      `DTSTART;VALUE=DATE:${date.replaceAll('-', '')}`,
      `DTEND;VALUE=DATE:${addDays(date, 1).replaceAll('-', '')}`,
      `UID:${date}_7a8qv1@google.com`,
      'CLASS:PUBLIC',
      'DESCRIPTION:Public holiday',
      'SEQUENCE:0',
      'SUMMARY:Holiday',
      'TRANSP:TRANSPARENT',
      ...more,
    );
  const today = todayInZone('America/Los_Angeles', context.clock.now());
  const file = calendar(
    'PRODID:-//Google Inc//Google Calendar 70.9054//EN',
    'METHOD:PUBLISH',
    'X-WR-TIMEZONE:UTC',
    ...holiday('2031-12-25', 'STATUS:CONFIRMED'),
    ...holiday('2031-12-26', 'STATUS:TENTATIVE', 'X-MICROSOFT-CDO-BUSYSTATUS:FREE'),
    ...holiday('2031-12-27', 'STATUS:CANCELLED'),
    ...holiday(addDays(today, -1), 'STATUS:CONFIRMED'),
  );
  const { rows, stdout } = await importOf('closures', file, '--to', '2031-12-31', '--yes');
  t.match(rows, [
    { who: 'Holiday', closed: [{ from: '2031-12-25', to: '2031-12-25', time_slot: null }] },
    { who: 'Holiday', closed: [{ from: '2031-12-26', to: '2031-12-26', time_slot: null }] },
  ]);
  t.equal(rows.length, 2);
  const skipped = ['1 cancelled event', `1 event outside of ${today} to 2031-12-31`];
  t.match(JSON.parse(stdout), { skipped });
  const booked = await importOf('bookings', file, '--to', '2031-12-31', '--dry-run');
  t.match(JSON.parse(booked.stdout), { rows: [], skipped: ['4 free or cancelled events'] });
});

t.test('whether the day or the month comes first is found in all dates, or told', async (t) => {
  const remark = 'Dates are read as month/day. If they are day/month, add --dates dmy.';
  for (const [first, last, options, day, remarks] of [
    ['02/12/2031', '03/12/2031', [], '2031-02-12', [remark]],
    ['02/12/2031', '03/12/2031', ['--dates', 'dmy'], '2031-12-02', []],
    ['02/12/2031', '13/12/2031', [], '2031-12-02', []],
    ['12/02/2031', '12/13/2031', [], '2031-12-02', []],
    ['12/12/2031', '12/12/2031', [], '2031-12-12', []],
    ['02.12.2031', '03.12.2031', [], '2031-12-02', []],
  ] as const) {
    const csv = `start,end\n${first},${last}\n`;
    const { stdout, rows } = await importOf('closures', csv, '--dry-run', ...options);
    t.match(rows, [{ closed: [{ from: day }] }], first);
    t.strictSame((JSON.parse(stdout) as { remarks: string[] }).remarks, remarks, first);
  }
});
