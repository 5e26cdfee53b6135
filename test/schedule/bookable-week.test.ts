import assert from 'node:assert/strict';
import { load } from 'cheerio';
import fc from 'fast-check';
import { renderToString } from 'preact-render-to-string';
import t from 'tap';
import type { Studio } from '../../generated/schemas.js';
import { studioData } from '../../src/board/calendar-state.js';
import { hideArtist } from '../../src/domain/studio/artist-days.js';
import { changeArtistWeek } from '../../src/domain/studio/artists.js';
import { changeWeek } from '../../src/domain/studio/week.js';
import { english } from '../../src/locales/language.js';
import { hoursLines } from '../../src/pages/dashboard/days.js';
import { loadCalendar } from '../../src/repositories/studio.js';
import { bookableWeek } from '../../src/schedule/bookable-week.js';
import { openSlots } from '../../src/schedule/calendar.js';
import { addDays } from '../../src/schedule/dates.js';
import { sessionEndsAt, startsWithin, timeSlots, zonedText } from '../../src/schedule/slots.js';
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
const from = addDays((await board.read()).today, 2);
const to = addDays(from, 6);

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
const studios = fc.record({
  days: daily(day),
  // The first is shown, so that somebody is.
  artists: fc.array(fc.record({ isHidden: fc.boolean(), own: fc.option(daily(someSlots)) }), {
    minLength: 1,
    maxLength: 4,
  }),
});
type Drawn = typeof studios extends fc.Arbitrary<infer Value> ? Value : never;

const sessionRows = (days: Drawn['days'][number]['sessions'][]) =>
  days.flatMap((slots, index) => slots.map((time_slot) => ({ weekday: index + 1, time_slot })));

/** The board's data of a studio that has nothing but its weeks. */
function dataOf({ days, artists: drawn }: Drawn) {
  const changed = {
    openingHours: days.map(({ hours }, index) => ({
      ...{ weekday: index + 1, opens: null, closes: null },
      ...hours,
    })),
    weeklySessions: sessionRows(days.map(({ sessions }) => sessions)),
    artists: drawn.map(({ isHidden, own }, index) => ({
      ...rows.artists[index]!,
      ...{ isHidden: isHidden && index > 0, has_own_week: own !== null },
      sessions: sessionRows(own ?? []),
    })),
  };
  return studioData({ ...rows, ...changed }, config);
}

/** Holds what is said of the week to the sessions that are open, and two pages to what is said. */
function check(said: Studio['hours'], open: [day: string, slots: string[]][], html: string) {
  const slots = said.map(({ day: name, sessions = [] }) => [
    ...[name, sessions.map(({ time_slot }) => time_slot)],
  ]);
  assert.deepEqual(
    slots,
    said.map(({ day: name }) => [name, new Map(open).get(name) ?? []]),
  );
  const { openingHoursSpecification } = JSON.parse(
    load(html)('script[type="application/ld+json"]').text(),
  ) as { openingHoursSpecification: { dayOfWeek: string; opens: string; closes: string }[] };
  assert.deepEqual(
    openingHoursSpecification.map((each) => [
      each.dayOfWeek.toLowerCase(),
      each.opens,
      each.closes,
    ]),
    said.flatMap(({ day: name, opens, closes }) =>
      opens === null ? [] : [[name, opens, closes === '24:00' ? '00:00' : closes]],
    ),
  );
}

t.test('1,000 studios say of a week what can be booked in it, each with the latest end', (t) => {
  const seen = { stretched: 0, closed: 0, doors: 0, plain: 0 };
  holds(
    t,
    1_000,
    fc.property(studios, (drawn) => {
      const data = dataOf(drawn);
      const { calendar, openingHours, studio } = data;
      const open = openSlots(calendar, new Map(), { from, to }, context.clock.now());
      const said = studioView(data, config).hours;
      const page = { title: '', description: '', path: '/', publicBaseUrl: '' };
      const html = renderToString(Sharing({ ...page, studio, week: bookableWeek(data) }));
      check(
        said,
        open.map((each) => [each.weekday, each.slots.map(({ timeSlot }) => timeSlot)]),
        html,
      );
      const isPlain = calendar.artists.every(({ isHidden, id }) => {
        return isHidden || drawn.artists[artists.findIndex((each) => each.id === id)]!.own === null;
      });
      if (isPlain) seen.plain += 1;
      for (const [index, { day: name, opens, closes, sessions = [] }] of said.entries()) {
        const { hours, sessions: inWeek } = drawn.days[index]!;
        const slots = open.find(({ weekday }) => weekday === name)?.slots ?? [];
        for (const [at, { startsAt, timeSlot }] of slots.entries()) {
          const end = sessionEndsAt(Date.parse(startsAt), calendar.timezone, openingHours);
          assert.equal(sessions[at]!.ends, zonedText(end, calendar.timezone).slice(11, 16));
          assert.ok(startsWithin(timeSlot, opens!, closes!) && sessions[at]!.ends <= closes!);
        }
        const isAsStudio = opens === (hours?.opens ?? null) && closes === (hours?.closes ?? null);
        if (isPlain) assert.ok(isAsStudio);
        else if (slots.length > 0) seen.stretched += Number(!isAsStudio);
        else {
          // Doors that are open without sessions stay so; hours that nobody works do not.
          assert.equal(opens === null, hours === null || inWeek.length > 0);
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
    for (const { slug } of artists) await hideArtist(context, 'test', slug, false);
    for (const [index, { slug }] of artists.entries()) {
      const { isHidden, own } = drawn.artists[index] ?? { isHidden: true, own: null };
      const days = own?.map((sessions, day) => ({ weekday: day + 1, sessions })) ?? null;
      await changeArtistWeek(context, 'test', slug, days);
      await hideArtist(context, 'test', slug, isHidden && index > 0);
    }
    const changes = drawn.days.map((each, index) => ({ weekdays: [index + 1], ...each }));
    await changeWeek(context, 'test', changes, () => false);
    await board.refresh();
    const read = async <Data>(path: string) =>
      (await app.inject(`/api/public/${path}`)).json<{ data: Data }>().data;
    const { hours: said } = await read<Studio>('studio');
    const { days } = await read<{ days: { weekday: string; slots: { time_slot: string }[] }[] }>(
      `availability?from=${from}&to=${to}`,
    );
    const open = days.map(({ weekday, slots }): [string, string[]] => [
      ...([weekday, slots.map(({ time_slot }) => time_slot)] as const),
    ]);
    for (const path of ['/', '/book']) check(said, open, (await app.inject(path)).body);
    const $ = load((await app.inject('/')).body);
    const shown = $('dl.hours > div')
      .get()
      .map((line) => $(line).text());
    const lines = hoursLines(
      english,
      said.map((each, index) => ({ ...each, weekday: week[index] as 1 })),
    );
    assert.deepEqual(
      shown,
      lines.map((line) => `${line.days}${line.hours}`),
    );
  }
});
