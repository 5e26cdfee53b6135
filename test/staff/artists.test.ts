import t, { type Test } from 'tap';
import { changeArtistDays } from '../../src/domain/studio/artist-days.js';
import { readArtists } from '../../src/domain/studio/artists.js';
import type { Slot } from '../../src/schedule/slots.js';
import { addArtists } from '../support/artists.js';
import { bookingRow } from '../support/bookings.js';
import { importing } from '../support/imports.js';
import { answer, startReceiver } from '../support/receiver.js';
import { someOpenSlots } from '../support/requests.js';
import { generous, startService } from '../support/service.js';
import { runAnswering, studioEnvironment, studioOn, findingOf } from '../support/studio.js';
import { anyHost } from '../support/watched-calendars.js';

/** The commands of a studio, and what they print where they succeed. */
async function openStudio(t: Test) {
  const { context } = await startService(t, { ...generous, ...anyHost });
  const studio = studioOn(context, anyHost);
  const said = async (line: string, ...more: string[]) => {
    const { code, stdout, stderr } = await studio(line, ...more);
    t.equal(code, 0, `${line} ${stderr}`);
    return stdout;
  };
  const data = async <Data>(line: string, ...more: string[]) =>
    JSON.parse(await said(`${line} --json`, ...more)) as Data;
  const add = async (name: string, { date, timeSlot }: Slot, ...more: string[]) => {
    const line = `bookings add ${date}`;
    const { added } = await data<{ added: Booking }>(line, timeSlot, '--name', name, ...more);
    return added;
  };
  const slots = await someOpenSlots(context, 2);
  const [slot, other] = slots as [Slot, Slot];
  return { context, studio, said, data, add, slot, other };
}

interface Booking {
  id: string;
  artist?: object;
}

async function openCalendar(t: Test) {
  const receiver = await startReceiver();
  t.teardown(() => receiver.close());
  const calendar = 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nEND:VCALENDAR\r\n';
  receiver.behave(answer(200, { 'content-type': 'text/calendar' }, calendar));
  return receiver.origin;
}

void t.test('one artist is never named', async (t) => {
  const { said, data, add, slot, other } = await openStudio(t);
  const printed = [
    await data<object>(`closures add ${other.date} --slot`, other.timeSlot),
    await data<object>('closures list'),
    await data<object>('calendar feed add --label Phone'),
    await data<object>(`calendar watch add ${await openCalendar(t)}/ada.ics`),
    await data<object>(`calendar why ${slot.date}`, slot.timeSlot),
    await add('Ada', slot),
  ];
  t.notMatch(JSON.stringify(printed), /artist/);
  for (const line of ['closures list', 'calendar feed list', 'calendar watch list']) {
    t.notMatch(await said(line), /ARTIST/, line);
  }
});

void t.test('the first artist gets a name before a second is added', async (t) => {
  const { studio, said } = await openStudio(t);
  const unnamed = /no name yet.*: studio artists rename artist <name>/;
  t.match(await studio('artists add Jon'), { code: 4, stderr: unnamed });
  t.match(await studio('artists rename Mara Mara'), { code: 3, stderr: /called Mara;/ });
  t.equal(await said('artists rename artist Mara'), 'Renamed: Mara (mara).\n');
  const jon = ['artists add', 'Jon Ó', '--about', 'Blackwork'] as const;
  t.match(await studio(...jon), { code: 4, stderr: /no way back .*--yes/ });
  const added = await said(...jon, '--yes');
  t.match(added, /^Added: Jon Ó \(jon-o\)\.\n(.*\n)*Nobody can book them yet\./);
  t.match(added, /studio artists show jon-o --from <date>/);
  t.match(await studio('artists add MARA'), { code: 2, stderr: /Another artist has this name/ });
  t.match(await studio('artists set mara --email me'), { code: 2, stderr: /e-mail address/ });
  const listed = /^Mara +mara +the studio's +yes\nJon Ó +jon-o .* no: not shown yet +Blackwork$/m;
  t.match(await said('artists list'), listed);
});

/** Mara, whose studio it was, and Jon Ó. */
async function openStudioOfTwo(t: Test) {
  const opened = await openStudio(t);
  await opened.said('artists rename artist Mara');
  await opened.said('artists add', 'Jon Ó', '--from', '2026-01-01', '--as-studio', '--yes');
  return opened;
}

void t.test('a time is booked with each artist, whom any spelling finds', async (t) => {
  const { studio, said, add, slot } = await openStudioOfTwo(t);
  const { date, timeSlot } = slot;
  const ada = await add('Ada', slot, '--artist', 'mara');
  const session = [timeSlot, '--artist'];
  const taken = await studio(`bookings add ${date}`, ...session, 'MARA', '--name', 'Eve');
  t.match(taken, { code: 4, stderr: /with Mara is taken/ });
  const eve = await add('Eve', slot, '--artist', 'JON Ó');
  t.match(eve, { artist: { name: 'Jon Ó' }, time_slot: timeSlot });
  t.match(await said(`bookings list --date ${date}`), / with Mara .*\n.* with Jon Ó /);
  const zoned = /M \(America\/Los_Angeles\) with Jon Ó/;
  t.match(await said(`bookings show ${eve.id}`), zoned);
  t.match(await studio('info set --timezone America/Chicago'), { code: 4, stderr: zoned });
  t.match(await studio(`bookings add ${date}`, timeSlot, '--name', 'Mae'), { code: 4 });
  await said(`bookings cancel ${eve.id} --yes`);
  const moved = await said(`bookings move ${ada.id} --yes ${date}`, ...session, 'jon-o');
  t.match(moved, /^Moved: from .* with Mara to .* with Jon Ó\.\n$/);
});

void t.test('the beginning of a word of a name is enough, where it is of one artist', async (t) => {
  const { studio, said, slot } = await openStudioOfTwo(t);
  await said('artists add', 'Zoë Jonas Okafor', '--yes');
  const why = (typed: string) =>
    studio(`calendar why ${slot.date}`, slot.timeSlot, '--artist', typed);
  for (const typed of ['zoë', 'OKA', 'jonas', 'Jonas Oka']) {
    t.match((await why(typed)).stdout, / with Zoë Jonas Okafor: /, typed);
  }
  const several = /^Several artists are called jon: Jon Ó, Zoë Jonas Okafor\. /;
  t.match(await why('jon'), { code: 4, stderr: several });
  t.match((await why('Jon Ó')).stdout, / with Jon Ó: /, 'a whole name');
  for (const typed of ['for', 'okaforx', ' ']) t.match(await why(typed), { code: 3 }, typed);
});

void t.test('a person whose telephone is known is not seated twice unasked', async (t) => {
  const { studio, said, add, slot } = await openStudioOfTwo(t);
  const una = ['--phone', '503-555-0172', '--artist'];
  await add('Una', slot, ...una, 'mara');
  const again = [`bookings add ${slot.date}`, slot.timeSlot, '--name', 'Una', ...una, 'jon-o'];
  const twice = /Una has another session at that time: .* with Mara\. Add this one all the same\?/;
  t.match(await studio(...again), { code: 4, stderr: twice });
  t.match(await said(again[0]!, ...again.slice(1), '--yes'), /^Added: .* with Jon Ó/);
});

void t.test('a closure is of one artist or of all, and offers the other', async (t) => {
  const { context, studio, said, data, add, slot, other } = await openStudioOfTwo(t);
  const { date, timeSlot } = slot;
  const ada = await add('Ada', slot, '--artist', 'jon-o');
  await said(`closures add ${other.date} --slot`, other.timeSlot);
  const away = ['--artist', 'jon-o', '--slot', timeSlot, '--reason', 'Ill'];
  const closing = await said(`closures add ${date} --move-bookings --yes`, ...away);
  t.match(closing, /^Closed: .* for Jon Ó \(.{8}\)\.\n.*\n.* with Mara +done\n$/);
  t.match(await bookingRow(context, ada.id), { artist_name: 'Mara', date });
  const table = /^ID +CLOSED +ARTIST +REASON\n(.* Jon Ó +Ill\n|.* all\n){2}$/;
  t.match(await said('closures list'), table);
  const listed = await data<{ artist: object | null }[]>('closures list');
  const artists = listed.map(({ artist }) => artist);
  t.same(new Set(artists), new Set([null, { slug: 'jon-o', name: 'Jon Ó' }]));
  const why = [`calendar why ${date}`, timeSlot, '--artist'] as const;
  t.match(await said(...why, 'jon-o'), /with Jon Ó: is closed.*\n.* for Jon Ó: Ill\n$/);
  t.match(await said(...why, 'mara'), /with Mara: is booked\.\n$/);
  t.match(await studio(...why, 'nobody'), { code: 3, stderr: /called nobody/ });

  const later = (await someOpenSlots(context, 12)).at(-1)!;
  const eve = await add('Eve', later, '--artist', 'jon');
  const una = await add('Una', later, '--artist', 'mara');
  await said(`closures add ${later.date}`);
  const decided = await data<object>('closures decide --artist jon --keep-bookings --yes');
  t.match(decided, { decided: [{ booking: { id: eve.id } }], undecided: [] });
  t.match(await said('closures decide --artist jon'), 'No session for Jon Ó on a closed day is');
  t.match(await data<object>('closures decide'), { undecided: [{ id: una.id }] });
});

void t.test('feeds and watched calendars are of one artist or of all', async (t) => {
  const { said, data } = await openStudioOfTwo(t);
  const origin = await openCalendar(t);
  await said('calendar feed add --label Phone');
  await said('calendar feed add --label Jon --artist jon-o');
  t.match(await said('calendar feed list'), /Jon +Jon Ó +initials .*\n.*Phone +all +initials/);
  await said(`calendar watch add ${origin}/ada.ics --artist mara`);
  const watching = `calendar watch add ${origin}/jon.ics --label Jon --artist jon-o`;
  t.match(await said(watching), /^Artist +Jon Ó$/m);
  const [jon, mara] = await data<object[]>('calendar watch list');
  t.match(jon, { label: 'Jon', artist: { slug: 'jon-o' } });
  t.match(mara, { host: '127.0.0.1', artist: { slug: 'mara' } });
});

void t.test('an imported time is full once each artist has a booking', async (t) => {
  const { context, slot, said } = await openStudioOfTwo(t);
  const { importOf } = await importing(t, context);
  const start = '2031-12-03 9:00';
  const people = `name,start\nAda,${start}\nBea,${start}\nCy,${start}\n`;
  const imported = await importOf('bookings', people, '--skip-refused', '--yes');
  const results = imported.rows.map(({ result }) => result);
  t.strictSame(results, ['import', 'import', 'refuse']);

  await said(`closures add ${slot.date} --artist jon-o --slot`, slot.timeSlot);
  const [from, to] = [slot.timeSlot, slot.timeSlot.replace(':00', ':30')];
  const holiday = `name,start,end\nHoliday,${slot.date} ${from},${slot.date} ${to}\n`;
  const closed = await importOf('closures', holiday, '--map', 'reason=name', '--dry-run');
  t.match(closed.rows, [{ result: 'import' }], 'a closure of one leaves the other to be closed');
});

void t.test('an imported event closes what it overlaps in the week of each artist', async (t) => {
  const { context, said, data, add } = await openStudioOfTwo(t);
  const { importOf } = await importing(t, context);
  await said('hours set all --opens 09:00 --closes 20:00 --sessions all');
  await said('artists hours jon-o all --sessions all --opens 09:00 --closes 21:00');
  const evening = (await someOpenSlots(context, 30)).find(({ timeSlot }) => timeSlot === '5:00 PM');
  const { date } = evening!;
  await add('Ada', evening!, '--artist', 'mara');
  const jons = await add('Una', evening!, '--artist', 'jon-o');
  const close = async (from: string, to: string) => {
    const csv = `name,start,end\nAway,${date} ${from},${date} ${to}\n`;
    return (await importOf('closures', csv, '--map', 'reason=name', '--yes')).rows;
  };
  const late = { from: date, to: date, time_slot: '5:00 PM' };
  t.match(await close('20:15', '20:45'), [{ closed: [{ ...late, artist: { slug: 'jon-o' } }] }]);
  t.match(await data<object>('closures decide'), { undecided: [{ id: jons.id }] });
  const [audited] = await data<object[]>('audit list');
  t.match(audited, { action: 'closures add', details: { artist: 'jon-o' } });
  t.match(await close('20:00', '20:30'), [{ result: 'skip', reason: 'duplicate' }]);
  t.match(await close('19:00', '20:30'), [{ closed: [{ ...late, artist: null }] }]);
  t.match(await close('21:00', '21:30'), [{ result: 'skip', reason: 'no_session' }]);
  t.match(await close('08:00', '20:30'), [{ closed: [{ time_slot: null, artist: null }] }]);
});

void t.test('a week of their own begins as the studio’s, day by day', async (t) => {
  const { said, add, slot } = await openStudioOfTwo(t);
  await add('Ada', slot, '--artist', 'mara');
  const date = new Date(`${slot.date}T12:00:00Z`);
  const day = date.toLocaleDateString('en', { weekday: 'long' });
  const line = `artists hours mara ${day.toLowerCase()} --sessions none --other-days studio`;
  const hours = await said(line);
  t.match(hours, /^Mara \(mara\): days of their own\.\n/);
  t.match(hours, new RegExp(`^${day} .* – +their own$`, 'im'));
  t.match(hours, /\n1 booking outside these sessions, unchanged:\n/);
  t.match(await said('artists hours mara --as-studio'), /: the studio's week\.\n/);
});

void t.test('artists are ordered, hidden and shown, and the audit says so', async (t) => {
  const { studio, said, data, add, slot } = await openStudioOfTwo(t);
  await add('Ada', slot, '--artist', 'mara');
  t.match(await said('artists order jon-o 1'), /^Jon Ó .*\nMara /m);
  const stays = /1 booking with Mara \(mara\) would stay undecided\. Go on\?.*--yes/;
  t.match(await studio('artists hide Mara'), { code: 4, stderr: stays });
  t.match(await said('artists hide Mara --yes'), /^Hidden: Mara .*\nUndecided.*: 1 booking\n/);
  t.match(await studio('artists hide jon-o'), { code: 4, stderr: /show another artist before/ });
  t.match(await said('artists list'), /^Mara .* no: hidden$/m);
  t.equal(await said('artists show mara'), 'Shown: Mara (mara).\n');
  const audit = await data<{ action: string }[]>('audit list');
  const actions = audit.slice(0, 3).map(({ action }) => action);
  t.strictSame(actions, ['artists set', 'artists set', 'artists set']);
});

void t.test('no week drifts from the other in silence', async (t) => {
  const { context } = await startService(t);
  const studio = studioOn(context);
  const run = (line: string, ...answers: string[]) =>
    runAnswering(studioEnvironment(context), line.split(' '), answers);
  await addArtists(context, 2);
  await studio('hours set all --opens 09:00 --closes 20:00 --sessions all');
  const weekOf = async (slug: string) => {
    const found = (await readArtists(context)).find((each) => each.slug === slug);
    const of = (weekday: number) => found?.week?.find((day) => day.weekday === weekday);
    return [1, 2, 3, 4, 5, 6, 7].map((weekday) => of(weekday)?.sessions.length ?? null);
  };

  // The first week of their own: the days that are not named.
  const first = 'artists hours jon thu-sat --sessions 9am,5pm';
  const which =
    /Monday, Tuesday, Wednesday, Sunday \(9:00 AM, 1:00 PM, 5:00 PM\).*--other-days none/;
  t.match(await studio(first), { code: 4, stderr: which });
  const no = null;
  t.strictSame(await weekOf('jon'), [no, no, no, no, no, no, no]);
  t.match(await run(first, 'n'), { code: 0 });
  t.strictSame(await weekOf('jon'), [0, 0, 0, 2, 2, 2, 0]);
  await studio('artists hours jon --as-studio');
  const shown = await studio(first, '--other-days', 'studio');
  t.match(
    shown.stdout,
    /^monday +09:00–20:00 +9:00 AM, 1:00 PM, 5:00 PM +the studio's$(.*\n){3}thursday +09:00–20:00 +9:00 AM, 5:00 PM +their own$/m,
  );
  t.match(await studio('artists hours jon sun --sessions none'), { code: 0 });
  t.strictSame(await weekOf('jon'), [no, no, no, 2, 2, 2, 0], 'other days stay');

  // A day that the studio closes, sessions that it drops, and a day that it opens.
  const closing = 'hours set thu --closed';
  const jon = /Jon’s own week still has Thursday \(9:00 AM, 5:00 PM\)\. .*--artists all or/;
  t.match(await studio(closing), { code: 4, stderr: jon });
  t.match((await studio('hours show')).stdout, /^thursday +09:00/m, 'nothing was changed');
  t.match(await run(closing, 'n'), { code: 0, asked: /Change their own weeks,\s+too\?/ });
  t.strictSame(await weekOf('jon'), [no, no, no, 2, 2, 2, 0]);
  t.match(await run(closing, 'y'), { code: 0 });
  t.strictSame(await weekOf('jon'), [no, no, no, 0, 2, 2, 0]);
  const [audited] = (await studio('audit list --json')).json<object[]>();
  t.match(audited, { action: 'artists hours', details: { artist: 'jon' } });
  const fridays = await studio('hours set fri --sessions 9am --json');
  t.match(fridays, { code: 4, stderr: /still has Friday \(5:00 PM\)/ });
  const opening = await studio('hours set thu --opens 9:00 --closes 20:00 --sessions 1pm');
  t.match(opening, { code: 4, stderr: /Jon’s own week does not have Thursday \(1:00 PM\)\./ });
  const both = 'hours set thu-fri --opens 9:00 --closes 15:00 --sessions 9am --artists all';
  t.match(await studio(both), { code: 0, stdout: /^The week of Jon \(jon\) changed, too\.$/m });
  t.strictSame(await weekOf('jon'), [no, no, no, 1, 1, 2, 0]);
  await changeArtistDays(context, 'test', 'jon', { isHidden: true });
  t.equal((await studio('hours set mon --closed')).code, 0, 'who is hidden works no more');
  await changeArtistDays(context, 'test', 'jon', { isHidden: false });

  // A day on which the studio is closed, and an hour at which it is.
  const late = 'artists hours jon thu --sessions 9am,5pm';
  const closed =
    /The studio is closed on Thursday \(5:00 PM\)\. Does Jon \(jon\) work then\?.*--yes/;
  t.match(await studio(late), { code: 4, stderr: closed });
  t.match(await run(late, 'n'), { code: 4 });
  t.strictSame(await weekOf('jon'), [no, no, no, 1, 1, 2, 0]);
  t.equal((await studio(`${late} --yes`)).code, 0);
  t.equal((await studio('artists hours jon sun --sessions all')).code, 0, 'the studio is open');
  t.equal((await studio(late)).code, 0, 'as it was');

  t.match(await findingOf(studio, 'weeks'), {
    status: 'warning',
    message: /"studio artists hours jon friday sunday --as-studio"/,
  });

  // From a day to a day: the most special counts, and what does not fit is asked about.
  const december = '--from 2426-12-07 --to 2426-12-31';
  t.match(
    await studio(`hours set mon fri --opens 09:00 --closes 22:00 ${december} --artists none`),
    {
      code: 0,
      stdout: /^2426-12-07 +2426-12-31 +friday +09:00–22:00 +9:00 AM$/m,
    },
  );
  t.match(await studio('hours set fri --closed --from 2426-12-25 --to 2426-12-25'), {
    code: 4,
    stderr: /Friday has another week from 2426-12-07 to 2426-12-31: change or remove/,
  });
  const holidays = '--from 2426-12-21 --to 2427-01-02';
  t.match(await studio(`hours set sat --closed ${holidays}`), {
    code: 4,
    stderr:
      /Jon’s own week still has Saturday \(9:00 AM, 5:00 PM\) from 2426-12-21 to 2427-01-02\./,
  });
  t.equal((await studio(`hours set sat --closed ${holidays} --artists all`)).code, 0);
  const own = await studio('artists hours jon --json');
  const free = { from: '2426-12-21', to: '2427-01-02', day: 'saturday', sessions: [] };
  t.match(own.json(), { artist: { dated: [free] } });
  const fits = /Jon’s own week does not have Saturday \(.*\) from 2426-12-21 to .*--artists all or/;
  t.match(await studio(`hours remove ${holidays}`), { code: 4, stderr: fits });
  t.match(await run(`hours remove ${holidays}`, 'y'), { code: 0, asked: /Change their/ });
  const released = `artists hours jon --as-studio ${holidays}`;
  t.equal((await studio(released)).code, 3, 'their day of these dates went, too');
  t.match(await studio(`hours remove ${holidays}`), { code: 3, stderr: /No days count from/ });
});
