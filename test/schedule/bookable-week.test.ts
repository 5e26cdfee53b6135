import assert from 'node:assert/strict';
import { load } from 'cheerio';
import fc from 'fast-check';
import { renderToString } from 'preact-render-to-string';
import t from 'tap';
import type { Studio } from '../../generated/schemas.js';
import { studioData } from '../../src/board/calendar-state.js';
import { changeArtistWeek, hideArtist } from '../../src/domain/artists.js';
import { changeWeek } from '../../src/domain/week.js';
import { hoursLines } from '../../src/pages/dashboard/days.js';
import { loadCalendar } from '../../src/repositories/studio.js';
import { bookableWeek } from '../../src/schedule/bookable-week.js';
import { type OpenDay, openSlots } from '../../src/schedule/calendar.js';
import { addDays, weekdayName } from '../../src/schedule/dates.js';
import { sessionEndsAt, startsWithin, timeSlots, zonedText } from '../../src/schedule/slots.js';
import { studioView } from '../../src/views/studio.js';
import { Sharing } from '../../src/web/sharing.js';
import { seed } from '../support/arbitraries.js';
import { addArtists } from '../support/artists.js';
import { startService } from '../support/service.js';

const { app, context } = await startService(t);
const { board, config, database } = context;
const artists = await addArtists(context, 4);
const rows = await loadCalendar(database);
const week = [1, 2, 3, 4, 5, 6, 7];
const from = addDays((await board.read()).today, 2);
const to = addDays(from, 6);

const someSlots = fc.subarray([...timeSlots]);
const daily = <Value>(value: fc.Arbitrary<Value>) =>
  fc.array(value, { minLength: 7, maxLength: 7 });
const hours = fc.record({
  opens: fc.constantFrom('08:00', '09:00', '12:00', '17:00'),
  closes: fc.constantFrom('17:30', '20:00', '22:00', '24:00'),
});
const studios = fc.record({
  days: daily(
    fc.record({ hours: fc.option(hours), drawn: someSlots }).map(({ hours: open, drawn }) => {
      const isOpen = (slot: (typeof drawn)[number]) =>
        open !== null && startsWithin(slot, open.opens, open.closes);
      return { hours: open, sessions: drawn.filter(isOpen) };
    }),
  ),
  artists: fc
    .array(fc.record({ isHidden: fc.boolean(), week: fc.option(daily(someSlots)) }), {
      minLength: 1,
      maxLength: 4,
    })
    .map(([first, ...rest]) => [{ ...first!, isHidden: false }, ...rest]),
});
type DrawnStudio = typeof studios extends fc.Arbitrary<infer Value> ? Value : never;

/** The board's data of a studio that has nothing but its weeks. */
function dataOf({ days, artists: drawn }: DrawnStudio) {
  const sessionsOf = (each: readonly DrawnStudio['days'][number]['sessions'][]) =>
    each.flatMap((slots, index) => slots.map((time_slot) => ({ weekday: index + 1, time_slot })));
  const openingHours = days.map((day, index) => ({
    weekday: index + 1,
    opens: day.hours?.opens ?? null,
    closes: day.hours?.closes ?? null,
  }));
  const weeklySessions = sessionsOf(days.map(({ sessions }) => sessions));
  const working = drawn.map((each, index) => ({
    ...rows.artists[index]!,
    isHidden: each.isHidden,
    has_own_week: each.week !== null,
    sessions: sessionsOf(each.week ?? []),
  }));
  return studioData({ ...rows, openingHours, weeklySessions, artists: working }, config);
}

const wordsOf = (time: string) =>
  time === '24:00'
    ? 'midnight'
    : new Date(`1970-01-01T${time}Z`)
        .toLocaleTimeString('en', { timeStyle: 'short', timeZone: 'UTC' })
        .replace(':00', '')
        .replace(/\s/, '\u00a0');

/** Holds what is said about the week to the days that availability opens. */
function checkWeek(said: Studio['hours'], open: OpenDay[], html: string, lines: string[]): void {
  for (const { day, sessions } of said) {
    const offered = open.find(({ weekday }) => weekday === day)?.slots ?? [];
    const times = offered.map(({ timeSlot }) => timeSlot);
    assert.deepEqual(
      sessions?.map(({ time_slot }) => time_slot),
      times,
      day,
    );
  }
  const described = JSON.parse(load(html)('script[type="application/ld+json"]').text()) as {
    openingHoursSpecification: { dayOfWeek: string; opens: string; closes: string }[];
  };
  assert.deepEqual(
    described.openingHoursSpecification.map(({ dayOfWeek, opens, closes }) => [
      ...[dayOfWeek.toLowerCase(), opens, closes],
    ]),
    said
      .filter(({ opens }) => opens !== null)
      .map(({ day, opens, closes }) => [day, opens, closes === '24:00' ? '00:00' : closes]),
  );
  assert.deepEqual(
    lines,
    said.map(({ opens, closes }) =>
      opens === null || closes === null ? 'closed' : `${wordsOf(opens)} – ${wordsOf(closes)}`,
    ),
  );
}

t.test('1,000 studios say of their week exactly what can be booked, with the latest ends', (t) => {
  const seen = { stretched: 0, unstaffed: 0, doors: 0, plain: 0 };
  const outcome = fc.check(
    fc.property(studios, (drawn) => {
      const data = dataOf(drawn);
      const { timezone } = data.calendar;
      const open = openSlots(data.calendar, new Map(), { from, to }, context.clock.now());
      const said = studioView(data, config).hours;
      const shown = bookableWeek(data);
      const page = { title: '', description: '', path: '/', publicBaseUrl: '' };
      const html = renderToString(Sharing({ ...page, studio: data.studio, week: shown }));
      const lines = hoursLines(shown).flatMap(({ from: first, to: last, hours: words }) =>
        week.slice(first - 1, last).map(() => words),
      );
      checkWeek(said, open, html, lines);
      for (const [index, { day, opens, closes, sessions = [] }] of said.entries()) {
        const studioDay = drawn.days[index]!;
        for (const { startsAt, timeSlot } of open.find(({ weekday }) => weekday === day)?.slots ??
          []) {
          const end = sessionEndsAt(Date.parse(startsAt), timezone, data.openingHours);
          const { ends } = sessions.find(({ time_slot }) => time_slot === timeSlot)!;
          assert.equal(ends, zonedText(end, timezone).slice(11, 16));
          assert.ok(startsWithin(timeSlot, opens ?? '', closes ?? '') && ends <= closes!);
        }
        const isPlain = opens === (studioDay.hours?.opens ?? null);
        const [isBookable, isDoor] = [sessions.length > 0, studioDay.sessions.length === 0];
        if (!isBookable) assert.equal(opens === null, studioDay.hours === null || !isDoor);
        if (isBookable && !isPlain) seen.stretched += 1;
        if (!isBookable && studioDay.hours !== null) seen[isDoor ? 'doors' : 'unstaffed'] += 1;
      }
      if (drawn.artists.every(({ isHidden, week: own }) => isHidden || own === null)) {
        seen.plain += 1;
        for (const [index, { opens, closes, sessions = [] }] of said.entries()) {
          const { hours: own, sessions: slots } = drawn.days[index]!;
          assert.deepEqual([opens, closes], [own?.opens ?? null, own?.closes ?? null]);
          assert.deepEqual(
            sessions.map(({ time_slot }) => time_slot),
            slots,
          );
        }
      }
    }),
    { seed, numRuns: 1_000 },
  );
  t.notOk(outcome.failed, outcome.failed ? fc.defaultReportMessage(outcome) : 'holds');
  t.ok(Math.min(...Object.values(seen)) > 50, JSON.stringify(seen));
  t.end();
});

t.test('the service says the same in GET /studio, on its pages and in what is open', async (t) => {
  for (const drawn of fc.sample(studios, { seed, numRuns: 6 })) {
    for (const { slug } of artists) await hideArtist(context, 'test', slug, false);
    for (const [index, { slug }] of artists.entries()) {
      const { isHidden, week: own } = drawn.artists[index] ?? { isHidden: true, week: null };
      const days = own?.map((sessions, day) => ({ weekday: day + 1, sessions })) ?? null;
      await changeArtistWeek(context, 'test', slug, days);
      await hideArtist(context, 'test', slug, isHidden);
    }
    const changes = drawn.days.map((day, index) => ({ weekdays: [index + 1], ...day }));
    t.match(await changeWeek(context, 'test', changes, () => false), { outcome: 'saved' });
    await board.refresh();
    const read = async <Data>(url: string) => (await app.inject(url)).json<{ data: Data }>().data;
    const { hours: said } = await read<Studio>('/api/public/studio');
    const open = await read<{ days: { weekday: string; slots: { time_slot: string }[] }[] }>(
      `/api/public/availability?from=${from}&to=${to}`,
    );
    const openDays = open.days.map(({ slots, ...day }) => ({
      ...day,
      slots: slots.map((slot) => ({ ...slot, timeSlot: slot.time_slot })),
    }));
    for (const url of ['/', '/book']) {
      const html = (await app.inject(url)).body;
      const $ = load((await app.inject('/')).body);
      const lines = $('dl.hours > div')
        .get()
        .flatMap((line) => {
          const days = $(line).find('dt').text().split(' – ');
          const [first, last = first] = days.map((day) =>
            week.find((each) => weekdayName(each).startsWith(day)),
          );
          return week.slice(first! - 1, last).map(() => $(line).find('dd').text());
        });
      checkWeek(said, openDays as unknown as OpenDay[], html, lines);
    }
  }
  t.pass('in six studios');
});
