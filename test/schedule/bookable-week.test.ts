import assert from 'node:assert/strict';
import { load } from 'cheerio';
import fc from 'fast-check';
import { renderToString } from 'preact-render-to-string';
import t from 'tap';
import type { Studio } from '../../generated/schemas.js';
import { studioData } from '../../src/board/calendar-state.js';
import type { WeekDayRow } from '../../src/database/rows/studio.js';
import { bookedSlot } from '../../src/domain/booking/booked-slot.js';
import { changeArtistDays } from '../../src/domain/studio/artist-days.js';
import { english } from '../../src/locales/language.js';
import { datedLines, hoursLines } from '../../src/pages/dashboard/days.js';
import { loadCalendar } from '../../src/repositories/studio.js';
import { bookableWeek, datedHours } from '../../src/schedule/bookable-week.js';
import { type Calendar, isThere, openFor, openSlots } from '../../src/schedule/calendar.js';
import { addDays, WEEKDAYS, weekdayOf } from '../../src/schedule/dates.js';
import { sessionEndsAt, startsWithin, timeSlots, zonedText } from '../../src/schedule/slots.js';
import { dayOn } from '../../src/schedule/weeks.js';
import { studioView } from '../../src/views/studio.js';
import { Sharing } from '../../src/web/sharing.js';
import { seed } from '../support/arbitraries.js';
import { addArtists } from '../support/artists.js';
import { startService } from '../support/service.js';
import { holds } from './calendar-scenarios.js';

const { app, context } = await startService(t);
const { board, config } = context;
const artists = await addArtists(context, 4);
const rows = await loadCalendar(context.database);
const week = [1, 2, 3, 4, 5, 6, 7];
const { today } = await board.read();
const from = addDays(today, 2);
const to = addDays(from, 20);
const ordinary = { from: addDays(from, 14), to };

const someSlots = fc.subarray([...timeSlots]);
const day = fc
  .record({
    opens: fc.constantFrom('08:00', '09:00', '12:00', '17:00'),
    closes: fc.constantFrom('17:30', '20:00', '22:00', '24:00', null),
    drawn: someSlots,
  })
  .map(({ opens, closes, drawn }) => ({
    hours: closes === null ? null : { opens, closes },
    sessions: drawn.filter((slot) => closes !== null && startsWithin(slot, opens, closes)),
  }));
const daily = <Value>(value: fc.Arbitrary<Value>) => fc.tuple(...week.map(() => value));
/** A day of somebody's own: in every week, or in the first two. */
const ownDay = fc.record({
  /** 0: the studio's, of dates only. */
  artist: fc.integer({ min: 0, max: 4 }),
  weekday: fc.integer({ min: 1, max: 7 }),
  dates: fc.option(fc.tuple(fc.integer({ min: 0, max: 13 }), fc.integer({ min: 0, max: 13 }))),
  day,
  hasHours: fc.boolean(),
});
/** Days from today on, or before it, from which and until which an artist is there. */
const someDay = fc.option(fc.integer({ min: -3, max: 20 }));
const stay = fc
  .record({ first: someDay, last: someDay })
  .filter(({ first, last }) => first === null || last === null || first <= last);
const studios = fc.record({
  days: daily(day),
  stays: fc.oneof(fc.constant([]), fc.array(stay, { minLength: 4, maxLength: 4 })),
  // The first is shown, so that somebody is.
  hidden: fc.tuple(...[1, 2, 3].map(() => fc.boolean())),
  own: fc
    .array(ownDay, { maxLength: 20 })
    .map((all) => all.filter(({ artist, dates }) => artist > 0 || dates !== null)),
});
type Drawn = typeof studios extends fc.Arbitrary<infer Value> ? Value : never;

/** The rows of the weeks: of two for one day, the first. */
function weekDays({ days, own }: Drawn): WeekDayRow[] {
  const kept = days.map(({ hours, sessions }, index) => ({
    ...{ artist_id: null as number | null, weekday: index + 1, sessions },
    ...{ from_date: null as string | null, to_date: null as string | null },
    ...(hours ?? { opens: null, closes: null }),
  }));
  for (const { artist, weekday, dates, day: drawn, hasHours } of own) {
    const [first, last] = [...(dates ?? [0, 0])].sort((one, other) => one - other);
    const row = {
      ...{ artist_id: artist === 0 ? null : artists[artist - 1]!.id, weekday },
      from_date: dates && addDays(from, first!),
      to_date: dates && addDays(from, last!),
      ...((hasHours || artist === 0 ? drawn.hours : null) ?? { opens: null, closes: null }),
      sessions: drawn.sessions,
    };
    const isDoubled = kept.some(
      (each) =>
        each.artist_id === row.artist_id &&
        each.weekday === weekday &&
        (each.from_date === null || row.from_date === null
          ? each.from_date === row.from_date
          : each.from_date <= row.to_date! && row.from_date <= each.to_date!),
    );
    if (!isDoubled) kept.push(row);
  }
  return kept;
}

/** The board's data of a studio that has nothing but its weeks. */
function dataOf(drawn: Drawn) {
  const changed = {
    weekDays: weekDays(drawn),
    artists: rows.artists.map((artist, index) => {
      const { first = null, last = null } = drawn.stays[index] ?? {};
      return {
        ...{ ...artist, isHidden: drawn.hidden[index - 1] ?? false },
        first_day: first === null ? null : addDays(today, first),
        last_day: last === null ? null : addDays(today, last),
      };
    }),
  };
  return { ...studioData({ ...rows, ...changed }, config), today };
}

/** The calendar as if who is there on the first date on which anybody is, were always there. */
function ordinaryCalendar(calendar: Calendar): Calendar {
  const isOn = (date: string) => (artist: Calendar['artists'][0]) =>
    !artist.isHidden && isThere(artist, date);
  const first = Array.from({ length: 30 }, (_, index) => addDays(today, index)).find((date) =>
    calendar.artists.some(isOn(date)),
  );
  const artists = calendar.artists.filter(isOn(first ?? today));
  return {
    ...calendar,
    artists: artists.map((each) => ({ ...each, firstDay: null, lastDay: null })),
  };
}

interface Hours {
  dayOfWeek: string;
  opens: string;
  closes: string;
  validFrom?: string;
  validThrough?: string;
}

/** The opening hours that a page says. */
function hoursIn(html: string): Hours[] {
  const data = load(html)('script[type="application/ld+json"]').text();
  return (JSON.parse(data) as { openingHoursSpecification: Hours[] }).openingHoursSpecification;
}

/** Those of a date; null: of an ordinary week. */
function hoursSaid(all: readonly Hours[], weekday: string, date: string | null): string {
  const ofDay = all.filter(({ dayOfWeek }) => dayOfWeek.toLowerCase() === weekday);
  const special = ofDay.filter(
    ({ validFrom, validThrough }) =>
      date !== null && validFrom! <= date && date <= (validThrough ?? date),
  );
  assert.ok(special.length <= 1);
  const [hours] = [...special, ...ofDay.filter(({ validFrom }) => validFrom === undefined)];
  return hours === undefined || hours.opens === hours.closes
    ? 'closed'
    : `${hours.opens} ${hours.closes}`;
}

const asSaid = (opens: string | null, closes: string | null) =>
  opens === null ? 'closed' : `${opens} ${closes === '24:00' ? '00:00' : closes}`;

/** Holds what is said of the week to the sessions that are open, and two pages to what is said. */
function check(said: Studio['hours'], open: [day: string, slots: string[]][], all: Hours[]) {
  const slots = said.map(({ day: name, sessions = [] }) => [
    ...[name, sessions.map(({ time_slot }) => time_slot)],
  ]);
  assert.deepEqual(
    slots,
    said.map(({ day: name }) => [name, new Map(open).get(name) ?? []]),
  );
  for (const { day: name, opens, closes } of said) {
    assert.equal(hoursSaid(all, name, null), asSaid(opens, closes));
  }
}

t.test('1,000 studios say of each date what can be booked on it, with the latest ends', (t) => {
  const seen = { dated: 0, datedClosed: 0, stretched: 0, closed: 0, doors: 0, later: 0 };
  holds(
    t,
    1_000,
    fc.property(studios, (drawn) => {
      const data = dataOf(drawn);
      const { calendar, studio } = data;
      const { timezone } = calendar;
      const now = context.clock.now();
      const said = studioView(data, config).hours;
      const [usual, dated] = [bookableWeek(data), datedHours(data)];
      const page = { title: '', description: '', path: '/', publicBaseUrl: '' };
      const all = hoursIn(renderToString(Sharing({ ...page, studio, week: usual, dated })));
      const openOn = (dates: typeof ordinary, of = calendar) =>
        openSlots(of, new Map(), dates, now);
      const ofOrdinary = openOn(ordinary, ordinaryCalendar(calendar)).map(
        (each): [string, string[]] => [
          ...([each.weekday, each.slots.map(({ timeSlot }) => timeSlot)] as const),
        ],
      );
      check(said, ofOrdinary, all);
      for (let index = 0; index <= 20; index += 1) {
        const date = addDays(from, index);
        const weekday = weekdayOf(date);
        const special = dated
          .filter((each) => each.from <= date && date <= (each.to ?? date))
          .flatMap(({ days }) => days.filter((each) => each.weekday === weekday));
        assert.ok(special.length <= 1);
        const { opens, closes, sessions } = special[0] ?? usual[weekday - 1]!;
        const [open] = openOn({ from: date, to: date });
        const ends = (open?.slots ?? []).map(({ timeSlot, startsAt }) => {
          const working = calendar.artists.filter(
            (each) =>
              openFor({ calendar, taken: new Map() }, { date, timeSlot }, each.id, now) ===
                'open' && !each.isHidden,
          );
          const latest = working.map(({ hours }) =>
            sessionEndsAt(Date.parse(startsAt), timezone, hours),
          );
          const end = Math.max(...latest);
          assert.equal(bookedSlot(data, { date, timeSlot }).endsAt.getTime(), end);
          return {
            timeSlot,
            ends: zonedText(end, timezone).slice(11, 16).replace('00:00', '24:00'),
          };
        });
        assert.deepEqual(sessions, ends);
        assert.equal(hoursSaid(all, WEEKDAYS[weekday - 1]!, date), asSaid(opens, closes));
        for (const { timeSlot, ends: end } of ends) {
          assert.ok(startsWithin(timeSlot, opens!, closes!) && end <= closes!);
        }
        const studios = dayOn(data.openingHours, weekday, date)!;
        const isAsStudio = opens === studios.opens && closes === studios.closes;
        if (dated.some((each) => each.to === null && each.from <= date)) seen.later += 1;
        if (special.length > 0) seen[opens === null ? 'datedClosed' : 'dated'] += 1;
        if (ends.length > 0) seen.stretched += Number(!isAsStudio);
        else {
          // Doors that are open without sessions stay so; hours that nobody works do not.
          assert.equal(opens === null, studios.opens === null || studios.sessions.length > 0);
          seen[opens === null ? 'closed' : 'doors'] += 1;
        }
      }
    }),
  );
  t.ok(Math.min(...Object.values(seen)) > 50, JSON.stringify(seen));
  t.end();
});

t.test('the service says the same in GET /studio, on its pages and in what is open', async () => {
  for (const drawn of fc.sample(studios, { seed, numRuns: 6 })) {
    for (const [index, { slug }] of artists.entries()) {
      await changeArtistDays(context, 'test', slug, { isHidden: drawn.hidden[index - 1] ?? false });
    }
    await context.database.deleteFrom('week_days').execute();
    await context.database.insertInto('week_days').values(weekDays(drawn)).execute();
    await board.refresh();
    const read = async <Data>(path: string) =>
      (await app.inject(`/api/public/${path}`)).json<{ data: Data }>().data;
    const { hours: said } = await read<Studio>('studio');
    const { days } = await read<{ days: { weekday: string; slots: { time_slot: string }[] }[] }>(
      `availability?from=${ordinary.from}&to=${ordinary.to}`,
    );
    const open = days.map(({ weekday, slots }): [string, string[]] => [
      ...([weekday, slots.map(({ time_slot }) => time_slot)] as const),
    ]);
    for (const path of ['/', '/book']) check(said, open, hoursIn((await app.inject(path)).body));
    const $ = load((await app.inject('/')).body);
    const shown = $('dl.hours > div')
      .get()
      .map((line) => $(line).text());
    const usual = said.map((each, index) => ({ ...each, weekday: week[index] as 1 }));
    const dated = datedHours(await board.read());
    const lines = [...hoursLines(english, usual), ...datedLines(english, dated)];
    assert.deepEqual(
      shown,
      lines.map((line) => `${line.days}${line.hours}`),
    );
  }
});

t.test('who begins in three days is said from then on', async () => {
  const { database } = context;
  await database.deleteFrom('week_days').where('from_date', 'is not', null).execute();
  await database.deleteFrom('week_days').where('artist_id', 'is not', null).execute();
  const closed = { opens: null, closes: null, sessions: [] };
  await database.updateTable('week_days').set(closed).execute();
  const [first, second] = artists;
  const own = { opens: '09:00', closes: '20:00', sessions: ['9:00 AM' as const] };
  const days = week.flatMap((weekday) => [
    ...(weekday < 6 ? [{ artist_id: first!.id, weekday, ...own }] : []),
    ...(weekday > 5 ? [{ artist_id: second!.id, weekday, ...own }] : []),
  ]);
  await database.insertInto('week_days').values(days).execute();
  for (const { slug } of artists)
    await changeArtistDays(context, 'test', slug, { isHidden: false });
  const begins = addDays(today, 3);
  await database
    .updateTable('artists')
    .set({ first_day: begins })
    .where('id', '=', second!.id)
    .execute();
  await board.refresh();
  const { data } = (await app.inject('/api/public/studio')).json<{ data: Studio }>();
  assert.deepEqual(
    data.hours.map(({ opens }) => opens),
    [...Array.from({ length: 5 }, () => '09:00'), null, null],
  );
  const { body } = await app.inject('/');
  assert.match(load(body)('dl.hours').text(), /Sat – SunclosedFrom \w+ \d+, Sat – Sun9\sAM/);
  const said = hoursIn(body).filter(({ validFrom }) => validFrom === begins);
  assert.deepEqual(
    said.map(({ dayOfWeek, validThrough }) => [dayOfWeek, validThrough]),
    [
      ['Saturday', undefined],
      ['Sunday', undefined],
    ],
  );
});
