import t from 'tap';
import { changeArtistWeek } from '../../src/domain/studio/artist-weeks.js';
import { readArtists } from '../../src/domain/studio/artists.js';
import { addBooking } from '../../src/domain/studio/bookings.js';
import { changeWeek, type IsAlsoTheirs, readStudioWeek } from '../../src/domain/studio/week.js';
import { openFor } from '../../src/schedule/calendar.js';
import { addDays, weekdayOf } from '../../src/schedule/dates.js';
import { timeSlots } from '../../src/schedule/slots.js';
import { addArtists, insertBooking, leaveOneArtist } from '../support/artists.js';
import { bookingRow } from '../support/bookings.js';
import { hold, holdForPerson } from '../support/holds.js';
import { startService } from '../support/service.js';
import { startOver } from '../support/start-over.js';
import { exported, importOf, startElsewhere } from '../support/transfers.js';

const { context } = await startService(t);
const { board } = context;
const everyDay = [1, 2, 3, 4, 5, 6, 7];
const open = { opens: '09:00', closes: '21:00' };
const date = addDays((await board.read()).today, 9);
const weekday = weekdayOf(date);
const dates = { from: date, to: addDays(date, 10) };
const evening = { date, timeSlot: '5:00 PM' } as const;
t.beforeEach(async () => {
  await startOver(context);
  await leaveOneArtist(context);
  await changeWeek(context, 'test', { weekdays: everyDay, hours: open, sessions: timeSlots });
  await addArtists(context, 2);
  await board.refresh();
});
const change = (closes: string, sessions = timeSlots) =>
  changeWeek(
    context,
    'test',
    { weekdays: [weekday], hours: { ...open, closes }, sessions },
    () => true,
    dates,
  );
const remove = (isAlsoTheirs?: IsAlsoTheirs) => {
  const usual = { weekdays: everyDay, asUsual: true };
  return changeWeek(context, 'test', usual, isAlsoTheirs, dates);
};
const endOf = async (id: string) => (await bookingRow(context, id)).ends_at_text.slice(11, 16);

t.test('a session ends by the week of the artist who gets it, and keeps its end', async (t) => {
  const [mara, jon] = await readArtists(context);
  const own = { weekday, sessions: timeSlots, hours: { opens: '09:00', closes: '18:30' } };
  await changeArtistWeek(context, 'test', 'jon', [own]);
  await change('20:00');
  await board.refresh();
  const held: string[] = [];
  for (const name of ['Ida', 'Ben']) {
    held.push((await holdForPerson({ context }, { name }, evening)).id);
  }
  const rows = await Promise.all(held.map((id) => bookingRow(context, id)));
  t.strictSame(
    rows.map(({ artist_id: artist, ends_at_text: end }) => [artist, end.slice(11, 16)]),
    [
      [mara!.id, '20:00'],
      [jon!.id, '18:30'],
    ],
  );
  await remove();
  await changeArtistWeek(context, 'test', 'jon', null);
  await board.refresh();
  t.strictSame([await endOf(held[0]!), await endOf(held[1]!)], ['20:00', '18:30'], 'as promised');
  await startOver(context);
  const added = await addBooking(
    context,
    'test',
    { ...evening, artistId: jon!.id },
    { name: 'Ida' },
  );
  t.equal(added.outcome === 'added' && (await endOf(added.booking.id)), '21:00');
});

t.test('what is open is decided by the stored intervals of all bookings', async (t) => {
  const [mara] = await readArtists(context);
  const noon = { date, timeSlot: '1:00 PM' } as const;
  // It was promised an end after the next session begins.
  const state = await board.read();
  t.equal(openFor(state, evening, mara!.id, context.clock.now()), 'open');
  const start = new Date(`${date}T21:00:00Z`);
  await insertBooking(context, noon, mara!.id, {
    ...{ starts_at: start, ends_at: new Date(start.getTime() + 5 * 3_600_000) },
    artist_name: 'Mara',
  });
  await board.refresh();
  t.equal(openFor(await board.read(), evening, mara!.id, context.clock.now()), 'taken');
});

t.test('bookings outside of a week of dates are listed, until it is removed', async (t) => {
  const { booking } = await hold(context, date, '5:00 PM');
  t.match(await change('21:00', ['9:00 AM']), { bookingsOutside: [{ id: booking.id }] });
  for (const again of ['is removed', 'was removed']) {
    t.match(await remove(), { outcome: 'saved', bookingsOutside: [], dated: [] }, again);
  }
  // An artist's own day goes before the studio's of dates, and one of dates before that.
  const own = { weekday, sessions: ['5:00 PM'] as const };
  await changeArtistWeek(context, 'test', 'mara', [own]);
  t.match(await change('21:00', ['9:00 AM']), { artists: [{ slug: 'mara' }] });
  t.match(await readStudioWeek(context), { bookingsOutside: [{ id: booking.id }] });
  await changeArtistWeek(context, 'test', 'mara', null, dates);
  t.match(await readStudioWeek(context), { bookingsOutside: [] });
});

t.test('removing a week of dates asks about own days that do not fit then', async (t) => {
  const closed = { weekdays: [weekday], hours: null };
  const own = async (sessions: typeof timeSlots) => {
    const changed = await changeArtistWeek(context, 'test', 'jon', [{ weekday, sessions }], dates);
    return changed.outcome;
  };
  const jons = async () => (await readArtists(context))[1]!.dated.map(({ sessions }) => sessions);
  const asked = (what: RegExp) => ({ outcome: 'undecided', drifts: [{ sentence: what }] });
  // Jon works on a day that is closed then.
  await changeWeek(context, 'test', closed);
  await change('21:00');
  await own(timeSlots);
  t.match(await remove(), asked(/^Jon’s own week still has \w+ \(9:00 AM, .*\) from 2/));
  t.match(await readStudioWeek(context), { dated: [{ weekday }] }, 'nothing was removed');
  t.match(await remove(() => true), { outcome: 'saved', dated: [], artists: [{ slug: 'jon' }] });
  t.strictSame(await jons(), [[]]);
  // Jon does not work on a day that is open then; of a day without dates nobody is asked.
  await changeWeek(context, 'test', { weekdays: [weekday], hours: open, sessions: timeSlots });
  t.match(await remove(), { outcome: 'saved' });
  await changeWeek(context, 'test', closed, () => false, dates);
  t.match(await remove(), asked(/^Jon’s own week does not have \w+ \(9:00 AM, /));
  t.match(await remove(() => false), { outcome: 'saved', dated: [], artists: [] });
  t.strictSame(await jons(), [[]]);
  // With a yes their day of these dates goes, and the one of every week counts.
  const everyWeek = (sessions: typeof timeSlots) =>
    changeArtistWeek(context, 'test', 'jon', [{ weekday, sessions }]);
  await everyWeek(['1:00 PM']);
  await changeWeek(context, 'test', closed, undefined, dates);
  t.match(await remove(), asked(/^Jon’s own week does not have \w+ \(1:00 PM\) from 2/));
  t.match(await remove(() => true), { outcome: 'saved', artists: [{ slug: 'jon' }] });
  t.strictSame(await jons(), []);
  // Who never works then is asked nothing.
  await everyWeek([]);
  await changeWeek(context, 'test', closed, undefined, dates);
  t.match(await remove(), { outcome: 'saved', artists: [] });
});

t.test('weeks of dates are exported and imported; the exports of 3.0 still are', async (t) => {
  await changeArtistWeek(context, 'test', 'jon', [{ weekday: 3, sessions: ['1:00 PM'] }]);
  await changeArtistWeek(context, 'test', 'jon', [{ weekday, sessions: [] }], dates);
  await change('19:00');
  const files = await exported(context);
  await startElsewhere(context);
  t.match(await importOf(context, files), { outcome: 'imported', refused: 0 });
  const again = await exported(context);
  for (const name of ['hours.json', 'artists.json']) t.equal(again[name], files[name], name);
  t.match(JSON.parse(files['hours.json']!).at(-1), { from_date: dates.from, closes: '19:00' });

  const week = everyDay.map((each) => ({ weekday: each, sessions: each === 1 ? ['9:00 AM'] : [] }));
  const artists = (JSON.parse(files['artists.json']!) as object[]).map((each) => ({
    ...each,
    week,
  }));
  const hours = JSON.stringify((JSON.parse(files['hours.json']!) as object[]).slice(0, 7));
  const old = { ...files, 'hours.json': hours, 'artists.json': JSON.stringify(artists) };
  await startElsewhere(context);
  t.match(await importOf(context, old), { outcome: 'imported', refused: 0 });
  const days = (await readArtists(context)).map(({ week: own }) =>
    own!.map((each) => each.sessions),
  );
  t.strictSame(days[1], [['9:00 AM'], [], [], [], [], [], []], 'each stored day is theirs');
});
