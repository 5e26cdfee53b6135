import t from 'tap';
import { bookingRow } from '../support/bookings.js';
import { importing } from '../support/imports.js';
import { answer, startReceiver } from '../support/receiver.js';
import { someOpenSlots } from '../support/requests.js';
import { generous, startService } from '../support/service.js';
import { studioOn } from '../support/studio.js';
import { anyHost } from '../support/watched-calendars.js';

interface Row {
  id: string;
}

void t.test(
  'commands add artists, name them where there are several, and book, close and explain by artist',
  async (t) => {
    const { context } = await startService(t, { ...generous, ...anyHost });
    const studio = studioOn(context, anyHost);
    const said = async (line: string, ...more: string[]) => {
      const { code, stdout, stderr } = await studio(line, ...more);
      t.equal(code, 0, `${line} ${stderr}`);
      return stdout;
    };
    const data = async <Data>(line: string, ...more: string[]) => {
      const { code, stderr, json } = await studio(`${line} --json`, ...more);
      t.equal(code, 0, `${line} ${stderr}`);
      return json<Data>();
    };
    const receiver = await startReceiver();
    t.teardown(() => receiver.close());
    const calendar = 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nEND:VCALENDAR\r\n';
    receiver.behave(answer(200, { 'content-type': 'text/calendar' }, calendar));
    const [slot, other] = await someOpenSlots(context, 2);
    const { date, timeSlot } = slot!;

    // One artist is never named.
    const one = [
      await data<object>(`closures add ${other!.date} --slot`, other!.timeSlot),
      await data<object>('closures list'),
      await data<object>('calendar feed add --label Phone'),
      await data<object>(`calendar watch add ${receiver.origin}/ada.ics`),
      await data<object>(`calendar why ${date}`, timeSlot),
      await data<object>(`bookings add ${date}`, timeSlot, '--name', 'Ada'),
    ];
    for (const line of ['closures list', 'calendar feed list', 'calendar watch list']) {
      t.notMatch(await said(line), /ARTIST/, line);
    }
    t.notMatch(JSON.stringify(one), /artist/);
    const [{ closure }, , , , , { added }] = one as unknown as [
      { closure: Row },
      ...[unknown, unknown, unknown, unknown],
      { added: Row },
    ];

    const unnamed = /no name yet.*: studio artists rename artist <name>/;
    t.match(await studio('artists add Jon'), { code: 4, stderr: unnamed });
    t.match(await studio('artists rename Mara Mara'), { code: 3, stderr: /called Mara;/ });
    t.equal(await said('artists rename artist Mara'), 'Renamed: Mara (mara).\n');
    t.equal(await said('artists add', 'Jon Ó', '--about', 'Blackwork'), 'Added: Jon Ó (jon-o).\n');
    t.match(await studio('artists add MARA'), { code: 2, stderr: /Another artist has this name/ });
    t.match(await studio('artists set mara --email me'), { code: 2, stderr: /e-mail address/ });
    t.match(
      await said('artists list'),
      /^Mara +mara +the studio's +yes\nJon Ó +jon-o .*Blackwork$/m,
    );

    // The same time again, with the other: found by name or slug, in any letter case.
    const session = [timeSlot, '--artist'];
    const taken = await studio(`bookings add ${date}`, ...session, 'MARA', '--name', 'Eve');
    t.match(taken, { code: 4, stderr: /with Mara is taken/ });
    const eve = await data<{ added: Row }>(
      `bookings add ${date}`,
      ...session,
      'JON Ó',
      '--name',
      'Eve',
    );
    t.match(eve, { added: { artist: { name: 'Jon Ó' }, time_slot: timeSlot } });
    t.match(await said(`bookings list --date ${date}`), / with Mara .*\n.* with Jon Ó /);
    t.match(await studio(`bookings add ${date}`, timeSlot, '--name', 'Mae'), { code: 4 });
    await said(`bookings cancel ${eve.added.id} --yes`);
    const moved = await said(`bookings move ${added.id} --yes ${date}`, ...session, 'jon-o');
    t.match(moved, /^Moved: from .* with Mara to .* with Jon Ó\.\n$/);

    const away = ['--artist', 'jon-o', '--slot', timeSlot, '--reason', 'Ill'];
    const closing = await said(`closures add ${date} --move-bookings --yes`, ...away);
    t.match(closing, /^Closed: .* for Jon Ó \(.{8}\)\.\n.*\n.* with Mara +done\n$/);
    t.match(await bookingRow(context, added.id), { artist_name: 'Mara', date });
    t.match(
      await said('closures list'),
      /^ID +CLOSED +ARTIST +REASON\n(.* Jon Ó +Ill\n|.* all\n){2}$/,
    );
    const listed = await data<{ id: string; artist: object | null }[]>('closures list');
    t.strictSame(listed.map(({ id, artist }) => [id === closure.id, artist]).sort(), [
      [false, { slug: 'jon-o', name: 'Jon Ó' }],
      [true, null],
    ]);
    const why = `calendar why ${date}`;
    t.match(await said(why, ...session, 'jon-o'), /with Jon Ó: is closed.*\n.* for Jon Ó: Ill\n$/);
    t.match(await said(why, ...session, 'mara'), /with Mara: is booked\.\n$/);
    t.match(await studio(why, ...session, 'nobody'), { code: 3, stderr: /called nobody/ });

    await said('calendar feed add --label Jon --artist jon-o');
    t.match(await said('calendar feed list'), /Jon +Jon Ó +initials .*\n.*Phone +all +initials/);
    const watching = `calendar watch add ${receiver.origin}/jon.ics --label Jon --artist jon-o`;
    t.match(await said(watching), /^Artist +Jon Ó$/m);
    t.match(await data<object[]>('calendar watch list'), [
      ...[
        { label: 'Jon', artist: { slug: 'jon-o' } },
        { host: '127.0.0.1', artist: { slug: 'mara' } },
      ],
    ]);

    // An imported slot is full once each artist has a booking; a closure of one leaves it to be closed.
    const { importOf } = await importing(t, context);
    const start = '2031-12-03 9:00';
    const people = `name,start\nAda,${start}\nBea,${start}\nCy,${start}\n`;
    const imported = await importOf('bookings', people, '--skip-refused', '--yes');
    t.strictSame(
      imported.rows.map(({ result }) => result),
      ['import', 'import', 'refuse'],
    );
    const [from, to] = [timeSlot, timeSlot.replace(':00', ':30')];
    const holiday = `name,start,end\nHoliday,${date} ${from},${date} ${to}\n`;
    const closed = await importOf('closures', holiday, '--map', 'reason=name', '--dry-run');
    t.match(closed.rows, [{ result: 'import' }]);

    // A week of their own begins as the studio's, day by day.
    const day = new Date(`${date}T12:00:00Z`).toLocaleDateString('en', { weekday: 'long' });
    const hours = await said(
      `artists hours mara ${day.toLowerCase()} --sessions none --other-days studio`,
    );
    t.match(hours, /^Mara \(mara\): a week of their own\.\n/);
    t.match(hours, new RegExp(`^${day} +–$`, 'im'));
    t.match(hours, /\n1 booking outside these sessions, unchanged:\n/);
    t.match(await said('artists hours mara --studio'), /: the studio's week\.\n/);

    t.match(await said('artists order jon-o 1'), /^Jon Ó .*\nMara /m);
    t.match(await said('artists hide Mara'), /^Hidden: Mara .*\n2 bookings with them, unchanged/);
    t.match(await studio('artists hide jon-o'), { code: 4, stderr: /show another artist before/ });
    t.match(await said('artists list'), /^Mara .* no: hidden$/m);
    t.equal(await said('artists show mara'), 'Shown: Mara (mara).\n');
    const audit = await data<{ action: string }[]>('audit list');
    t.match(audit.slice(0, 3), [
      ...[{ action: 'artists set' }, { action: 'artists set' }, { action: 'artists set' }],
    ]);
  },
);
