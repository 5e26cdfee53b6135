import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { storedBookings } from '../support/bookings.js';
import { temporaryFolder } from '../support/embedded.js';
import { calendar, event, importing, short } from '../support/imports.js';
import { bundledProgram } from '../support/project.js';
import { generous, startService } from '../support/service.js';
import { startOver } from '../support/start-over.js';
import { studioEnvironment } from '../support/studio.js';

const { context } = await startService(t, generous);
const { studio, fileOf, importOf } = await importing(t, context);
t.beforeEach(() => startOver(context));

t.test(
  'a name is read in the encodings of spreadsheets, with and without their marks',
  async (t) => {
    const read = async (content: Buffer) => {
      await startOver(context);
      const { rows } = await importOf('bookings', content, '--to', '2031-12-31', '--dry-run');
      return rows.map(short);
    };
    const row = (name: string, line = 2) => [`${line} import 2031-12-02 9:00 AM ${name}`];
    const ofWindows = '8082838485868788898a8b8c8e9192939495969798999a9b9c9e9f';
    const bytes = ['name;start\n', Buffer.from(ofWindows, 'hex'), ';2031-12-02 9:00\n'];
    const windows = Buffer.concat(bytes.map((part) => Buffer.from(part as string)));
    t.strictSame(await read(windows), row('€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ'));
    const zoe = calendar(...event('DTSTART:20311202T170000Z', 'UID:1', 'SUMMARY:Žoë 李'));
    for (const mark of ['', '\ufeff']) {
      const tabs = `Name\tStart\r\nŽoë 李\t2031-12-02 9:00\r\n`;
      for (const [text, line] of [
        [tabs, 2],
        [zoe, 3],
      ] as const) {
        const content = Buffer.from(mark + text, 'utf16le');
        t.strictSame(await read(content), row('Žoë 李', line));
        t.strictSame(await read(content.swap16()), row('Žoë 李', line));
      }
    }
  },
);

t.test('words that mean booked or cancelled are known in any form, and no others', async (t) => {
  const become = async (words: string, column = 'Status') => {
    const lines = words.split('/').map((word) => `Ada,2031-12-02 9:00,${word}\n`);
    const { rows } = await importOf(
      'bookings',
      `name,start,${column}\n${lines.join('')}`,
      '--dry-run',
    );
    t.equal(rows.length, lines.length);
    return [...new Set(rows.map(({ reason }) => reason))];
  };
  const booked = [null, 'duplicate'];
  t.strictSame(
    await become(
      'CONFIRMED/Accepted/approved/Booked/Scheduled/active/Paid/Arrived//—/Deposit Paid/Booked - paid in full/(confirmed)',
    ),
    booked,
  );
  const off = 'Cancelled by client/Canceled/declined/Rejected/deleted/EXPIRED/No-show/tentative';
  t.strictSame(await become(off), ['status']);
  t.strictSame(
    await become(
      'Pending/Unpaid/Not confirmed/Not cancelled/Void/Draft/Storniert/On hold/Waitlisted/true/❌/Inactive/Unconfirmed/Cancellation requested/Card declined/Paid - cancelled/Completed/uncompleted/Confirmed?',
    ),
    ['unknown_status'],
  );
  t.strictSame(await become('uncompleted', 'timeStatus'), [null]);
  t.strictSame(await become('completed', 'timeStatus'), ['status']);
  for (const column of ['Cancelled', 'Is canceled', 'Cancelled At', 'Cancellation date']) {
    t.strictSame(await become('No/FALSE/0/n/F//-', column), booked, column);
    t.strictSame(
      await become('yes/x/1/12\u002f01\u002f2031/confirmed/❌', column),
      ['status'],
      column,
    );
  }
  const past = 'name,start,status\nAda,2020-12-02 10:30,Completed\n';
  t.match((await importOf('bookings', past, '--dry-run')).rows, [{ reason: 'past' }]);
});

t.test('all columns of states count: one that says cancelled is enough', async (t) => {
  const csv = `name,start,Status,Cancelled,Cancelled At
Ada,2031-12-02 9:00,Confirmed,No,
Bo,2031-12-02 13:00,Confirmed,No,2031-11-01
Canceled: Cy,2031-12-02 17:00,Confirmed,No,
`;
  const { rows } = await importOf('bookings', csv, '--dry-run');
  t.match(rows, [{ result: 'import' }, { reason: 'status' }, { reason: 'status' }]);
});

t.test(
  'a title that begins with "Canceled" is found behind marks and in other languages',
  async (t) => {
    const off =
      '[Cancelled] Ida/*CANCELED* Ida/❌ Declined: Ida/Abgesagt: Ida/Annulé : Ida/Anulada: Ida/Cancelado: Ida';
    const become = async (titles: string) => {
      const lines = titles.split('/').map((title) => `${title},2031-12-02 9:00\n`);
      return (await importOf('bookings', `subject,start\n${lines.join('')}`, '--dry-run')).rows;
    };
    t.strictSame([...new Set((await become(off)).map(({ reason }) => reason))], ['status']);
    t.match(await become('Cancelado Ruiz'), [{ result: 'import' }], 'a name');
  },
);

t.test("a guest's time zone is not that of the times", async (t) => {
  for (const column of [
    'Invitee Time Zone',
    'Guest timezone',
    'Customer time zone',
    'Attendee TZ',
  ]) {
    const csv = `name,start,${column}\nAda,2031-12-02 09:00 am,America/New_York\n`;
    const { rows } = await importOf('bookings', csv, '--dry-run');
    t.strictSame(rows.map(short), ['2 import 2031-12-02 9:00 AM Ada'], column);
  }
});

t.test('an unknown status is answered by its word, of a booking and of a closure', async (t) => {
  const csv = `name,start,end,status
Ada,2031-12-02 9:00,2031-12-02 10:00,"Storniert, leider"
Bo,2031-12-02 13:00,2031-12-02 14:00,On hold
`;
  for (const noun of ['bookings', 'closures']) {
    const { code, rows } = await importOf(noun, csv, '--dry-run');
    t.match(rows, [{ notes: [/--status "Storniert, leider=skip"/] }, { reason: 'unknown_status' }]);
    t.equal(code, 4);
    const answers = ['--status', 'storniert LEIDER=skip', '--status', 'On-Hold=booked'];
    const answered = await importOf(noun, csv, '--yes', ...answers);
    t.match(answered, { code: 0, rows: [{ reason: 'status' }, { result: 'import' }] });
  }
  const wrong = await importOf('bookings', csv, '--status', 'Storniert=no');
  t.match(wrong, { code: 2, stderr: /Give a word and booked or skip/ });
});

t.test('a column that may say what is cancelled is named before anything is read', async (t) => {
  const of = (heading: string, cell = 'CA') =>
    `name,start,Status,${heading}\nAda,2031-12-02 9:00,Confirmed,${cell}\n`;
  for (const heading of [
    'State',
    'Payment status',
    'Cancel?',
    'paymentState',
    'Storniert am',
    'État',
    'Situação',
    'Anulado',
  ]) {
    for (const option of ['--dry-run', '--yes']) {
      const refused = await importOf('bookings', of(heading), option);
      t.match(refused, { code: 2, stdout: '' }, heading);
      t.ok(refused.stderr.includes(`status=Status + ${heading}`), refused.stderr);
    }
  }
  const tried = async (csv: string, ...options: string[]) =>
    (await importOf('bookings', csv, '--dry-run', ...options)).rows[0]?.reason;
  t.equal(await tried(of('State', '')), null);
  t.equal(await tried(of('Estimate')), null);
  t.equal(await tried(of('State'), '--map', 'status=Status+State'), 'unknown_status');
  t.equal(await tried(of('State'), '--map', 'status=Status'), null);
  t.equal(await tried(of('State'), '--map', 'status='), null);
});

t.test('a detail that cannot be stored goes into the note, and costs no row', async (t) => {
  const idea = 'é'.repeat(2_000);
  const csv = `name,email,phone,pronouns,idea,start
Ada,ada at example,503 555 0142 / 503 555 0143,${'they'.repeat(11)},${idea} and a fern,2031-12-02 9:00
Bo,N/A,00442079460958,none,None,2031-12-02 13:00
Cy,-,503 555 0142 22,,${idea.repeat(2)},2031-12-02 17:00
`;
  const { rows } = await importOf('bookings', csv, '--yes');
  t.match(rows[0]?.notes, [
    'the e-mail address "ada at example" is in the studio\'s note',
    /^the phone number "503 555 0142 \/ 503 555 0143" is/,
    /^the pronouns "they.*" is in/,
    "the end of the idea is in the studio's note",
  ]);
  t.match(rows[2]?.notes.at(-1), '31 characters are in neither, only in the file');
  const { bookings } = await storedBookings(context);
  const of = (wanted: string) => bookings.find(({ name }) => name === wanted);
  t.match(of('Ada'), {
    ...{ email: null, phone: '5035550142', pronouns: null, idea },
    studio_note:
      /^E-mail address: ada at example\nPhone: 503 .*43\nPronouns: they.*\nIdea: … and a fern$/,
  });
  t.match(of('Bo'), { email: null, phone: null, pronouns: null, idea: 'None' });
  t.equal(of('Bo')?.studio_note, 'Phone: 00442079460958');
  t.match(of('Cy'), {
    phone: null,
    idea,
    studio_note: /^Phone: 503 555 0142 22\nIdea: … é{1969}$/,
  });
});

t.test('a wide table costs little memory, and one that is too wide is refused', async (t) => {
  const env = { ...process.env, ...studioEnvironment(context) };
  const within = async (content: string, noun: string) => {
    const program = ['--max-old-space-size=100', bundledProgram('studio'), noun, 'import'];
    const options = ['--dry-run', '--skip-refused'];
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [...program, await fileOf(content), ...options],
      { env, encoding: 'utf8' },
    );
    return { code: status, out: `${stdout}${stderr}` };
  };
  // 116 kB: with an object of all columns for each row, it took 4.3 GB.
  const bare = `name,start${','.repeat(95_000)}\nAda,2031-12-02 9:00\n${'a,b\n'.repeat(5_000)}`;
  t.match(await within(bare, 'bookings'), {
    code: 0,
    out: /To import: 1 booking; .* 5000 refused/,
  });
  t.match(await within(bare, 'closures'), {
    code: 0,
    out: /To import: 0 closures; .* 5001 refused/,
  });
  const wide = `name,start,${'x,'.repeat(40_000)}x\n${'a,b\n'.repeat(5_000)}`;
  t.match(await within(wide, 'bookings'), { code: 4, out: /more than 300 columns/ });
  const widest = `name,start${',x'.repeat(298)}\nAda,2031-12-02 9:00${',y'.repeat(299)}\n`;
  t.match((await importOf('bookings', widest, '--dry-run')).rows, [
    { notes: ['it has more than 300 columns, and the headings are 300'] },
  ]);
});

t.test('the table of an export is read back', async (t) => {
  const idea = 'fern;=1+1|\u200b＠a';
  const row = `name,phone,idea,start\n=Zoë,503-555-0142,${idea},2031-12-02 9:00\n`;
  await importOf('bookings', row, '--yes');
  const folder = join(await temporaryFolder(t), 'export');
  await studio('export', folder);
  const table = await readFile(join(folder, 'bookings.csv'));
  t.equal(table.subarray(0, 3).toString('hex'), 'efbbbf', 'Excel then reads UTF-8');
  t.match(table.toString(), "fern;'=1+1|\u200b'＠a");
  t.match(await importOf('bookings', table, '--yes'), {
    ...{ code: 0, rows: [{ reason: 'duplicate', who: '=Zoë' }] },
  });
  await startOver(context);
  await importOf('bookings', table, '--yes');
  const { bookings } = await storedBookings(context);
  t.match(bookings, [
    { name: '=Zoë', phone: '5035550142', idea, date: '2031-12-02', time_slot: '9:00 AM' },
  ]);
});

t.test('hours from and to are no offset from Greenwich', async (t) => {
  const csv = (...times: string[]) =>
    `name,date,time\n${times.map((time) => `Ada,2031-12-02,${time}\n`).join('')}`;
  const times = ['09:00-12:00', '9:00-13:00', '09:00 -13:00', '13:00-17:00', '05:00-09:00'];
  const { rows } = await importOf('bookings', csv(...times), '--dry-run');
  const [nine, one, none] = ['9:00 AM', '1:00 PM', 'no_such_session'];
  const expected = [nine, 'duplicate', 'duplicate', one, none];
  t.strictSame(
    rows.map(({ reason, time_slot: slot }) => reason ?? slot),
    expected,
  );
  const offsets = 'name,start\nAda,2031-12-02T05:00-12:00\nAda,2031-12-02 05:00:00-12:00\n';
  const read = await importOf('bookings', offsets, '--dry-run');
  t.match(read.rows, [{ time_slot: nine }, { reason: 'duplicate' }]);
});
