import { sql } from 'kysely';
import t from 'tap';
import { adoptMode, switchMailOff } from '../../src/domain/studio/mode.js';
import { storedBookings } from '../support/bookings.js';
import { mailOn } from '../support/codes.js';
import { calendar, event, importing, short } from '../support/imports.js';
import { generous, startService } from '../support/service.js';
import { startOver } from '../support/start-over.js';
import { runAnswering, showBooking, studioEnvironment } from '../support/studio.js';

const { context } = await startService(t, { ...generous, ...mailOn });
const { studio, fileOf, importOf } = await importing(t, context);
t.beforeEach(() => startOver(context));

const countBookings = async () => (await storedBookings(context)).bookings.length;

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
        reason: 'duplicate',
        notes: [`it was there, and was moved or cancelled since: ${ada.slice(0, 8)}`],
      },
      { reason: 'duplicate' },
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
  await switchMailOff(context, 'ada@desk');
  t.teardown(() => adoptMode(context));
  const off = await importOf('bookings', threeRows, '--yes', '--mail');
  t.match(off, { code: 4, stderr: /Mail is off/ });
});

t.test('only a list of people is split, and a heading that stands twice is told', async (t) => {
  const { rows, stdout } = await importOf(
    'bookings',
    'name,email,start,start\n"Orr; Jr., Cy",cy@a.de,2031-12-02 9:00,x\nAda; Bo,ada@a.de; bo@a.de,2031-12-03 9:00,x\n',
    '--yes',
  );
  t.match(rows, [
    { who: 'Orr; Jr., Cy', notes: [] },
    { who: 'Ada', notes: ['others attend: 1'] },
  ]);
  const sentence = 'The file has several columns "start": the first is read.';
  t.strictSame((JSON.parse(stdout) as { remarks: string[] }).remarks, [sentence]);
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
    t.match(await importOf('bookings', odd, '--map', 'name=Who', '--map', 'end=Day'), {
      ...{ code: 2, stderr: /no use for a column of: end/ },
    });
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
      asked: /FIELD +COLUMN +EXAMPLE[^]*email +email +ada@example\.com[^]*Import 2 bookings\?/,
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
    '2 skip duplicate Away',
    '3 skip duplicate Dentist',
    '4 skip no_session Breakfast',
    '5 skip duplicate Fair',
  ]);

  await studio('bookings add 2031-12-25 9am --name Ada');
  const file = calendar(
    ...event(
      'UID:1',
      'DTSTART;VALUE=DATE:20311225',
      'DTEND;VALUE=DATE:20311227',
      'SUMMARY:Holiday',
      'X-MICROSOFT-CDO-BUSYSTATUS:FREE',
    ),
    ...event('UID:2', 'DTSTART:20311229T210000Z', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=2'),
    ...event('UID:3', 'DTSTART:20311231T210000Z', 'DURATION:PT1H', 'STATUS:CANCELLED'),
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
    /Skipped: 1 cancelled event\.\nImported 3 closures; .*\nUndecided .*: 1 booking\n/,
  );
});

t.test('what is too large, and what is no file of that kind, is refused', async (t) => {
  const sixty = Array.from({ length: 60 }, (_, index) => index).join(',');
  const everySecond = `RRULE:FREQ=DAILY;BYMINUTE=${sixty};BYSECOND=${sixty}`;
  const rows = `name,start\n${'Ada,2031-12-02 9:00\n'.repeat(10_001)}`;
  for (const [content, sentence] of [
    [rows, /more than 10,000 rows: split it/],
    [Buffer.alloc(20_000_001, 'a,b\n'), /larger than 20 MB: split it/],
    ['nothing', /no headings/],
    ['', /no headings/],
    [calendar().replace('END:VCALENDAR', ''), /its end is missing/],
    [calendar(...event('UID:1', 'DTSTART:20311201T210000Z', everySecond)), /too many events/],
  ] as const) {
    const outcome = await importOf('bookings', content, '--to', '2031-12-31');
    t.match(outcome, { code: 4, stdout: '', stderr: sentence });
  }
  const long = await importOf('bookings', `name,start\n"${'a'.repeat(100_001)}",soon\n`, '--yes');
  t.match(long.rows, [
    { line: 2, notes: [/^the row has more than 100,000 characters, so nothing/] },
  ]);
  const days = `start,end\n${'2031-01-01,2040-12-31\n'.repeat(6)}`;
  t.match(await importOf('closures', days, '--dry-run'), {
    code: 4,
    stderr: /The events last longer than 20,000 days: split the file/,
  });
  for (const [line, code, sentence] of [
    ['/nonexistent', 3, /cannot be opened/],
    ['/dev/zero', 4, /\/dev\/zero is no file/],
    [`${await fileOf(threeRows)} --map-file /dev/zero`, 4, /\/dev\/zero is no file/],
  ] as const) {
    t.match(await studio(`bookings import ${line} --yes`), { code, stderr: sentence });
  }
});
