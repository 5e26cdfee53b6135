import type { FastifyReply } from 'fastify';
import type { WeekDates } from '../../database/rows/results.js';
import type { DomainServices } from '../../domain/deps.js';
import { changeArtistWeek, ownDays } from '../../domain/studio/artist-weeks.js';
import { type ArtistRecord, readArtists } from '../../domain/studio/artists.js';
import { closedSessions, sessionDays } from '../../domain/studio/own-weeks.js';
import {
  changeWeek,
  isOfDates,
  readStudioWeek,
  removeDatedWeek,
  type StudioWeek,
  type WeekChange,
} from '../../domain/studio/week.js';
import { isCalendarDate } from '../../schedule/dates.js';
import { calendarDate, form, formRefused, type PageScope, query, text } from '../../web/forms.js';
import { seeOther } from '../../web/send-page.js';
import { type Outcome, showsDone } from '../console-page.js';
import { datedWeekPath, weeksPath } from '../links.js';
import { actorOf } from '../session.js';
import {
  mistakesOf,
  type OwnDay,
  ownDaysFields,
  readOwnDays,
  type TypedOwnDay,
} from './own-days.js';
import { driftFields, readFollowers } from './week.js';
import { DatedWeekPage, type DatedWeekPageProps, WeeksPage } from './weeks-page.js';

const messages = {
  saved: 'Saved. People can book these sessions.',
  removed: 'Removed. The days of every week count.',
};

const hasMistakes = 'Nothing was saved. What is wrong is marked below.';
const overtaken =
  'The same has changed since you opened this page. Nothing was saved; what you typed is below.';
const undecided =
  'Nothing was saved yet: artists’ own weeks do not fit. Tick whose week changes, too, and save.';
const studioClosed = 'Nothing was saved yet: the studio is closed then. Save again, or change it.';

const datedSchema = form({
  artist: text,
  from: text,
  to: text,
  seen: text,
  agreed: text,
  ...ownDaysFields,
  ...driftFields,
});
const removedSchema = form({ artist: text, from_date: calendarDate, to_date: calendarDate });
const ofDates = query({ artist: text, from: calendarDate, to: calendarDate });

type Shown = Outcome &
  Partial<Pick<DatedWeekPageProps, 'typed' | 'closed' | 'drifts' | 'isAlsoTheirs' | 'dateMistake'>>;

interface Wanted {
  artist: ArtistRecord | null;
  from: string;
  to: string;
}

/** `/console/hours/weeks/…`: all weeks side by side, and those from a day to a day. */
export function registerWeeks(scope: PageScope, context: DomainServices): void {
  scope.get(weeksPath, { schema: showsDone }, async (_request, reply) => {
    const [studio, artists] = await Promise.all([readStudioWeek(context), readArtists(context)]);
    const named = artists.length === 1 ? [] : artists.filter((each) => each.hidden_at === null);
    const owners = [
      { artist: null, name: 'The studio', dated: studio.dated },
      ...named.map((artist) => ({ artist, name: artist.name, dated: artist.dated })),
    ];
    const children = WeeksPage({ studio, owners });
    return reply.showPage({ section: 'hours', title: 'Weeks', messages, children });
  });

  scope.get(datedWeekPath, { schema: ofDates }, async ({ query: asked }, reply) => {
    const { artist: slug = '', from = '', to = '' } = asked;
    return show(reply, { artist: await findOwner(slug), from, to }, await readStudioWeek(context));
  });

  scope.post(datedWeekPath, { schema: datedSchema }, async (request, reply) => {
    const { artist: slug = '', from, to, seen, agreed } = request.body;
    const wanted = { artist: await findOwner(slug), from, to };
    const { artist } = wanted;
    const studio = await readStudioWeek(context);
    const typed = readOwnDays(request.body);
    if (![from, to].every(isCalendarDate)) {
      const dateMistake = 'Give two dates that exist, such as 2026-12-01.';
      return show(reply, wanted, studio, { status: 400, trouble: hasMistakes, typed, dateMistake });
    }
    if (typed.some(({ mistake }) => mistake !== null)) {
      return show(reply, wanted, studio, { status: 400, trouble: hasMistakes, typed });
    }
    if (seen !== seenDays(wanted, studio)) {
      return show(reply, wanted, studio, { status: 409, trouble: overtaken, typed });
    }
    const dates = { from, to };
    if (artist === null) {
      const isAlsoTheirs = readFollowers(request.body);
      const changes = typed.map(studioChange);
      const changed = await changeWeek(context, actorOf(request), changes, isAlsoTheirs, dates);
      switch (changed.outcome) {
        case 'saved':
          return seeOther(reply, `${weeksPath}?done=saved`);
        case 'undecided': {
          const asked = { drifts: changed.drifts, isAlsoTheirs };
          return show(reply, wanted, studio, { status: 409, trouble: undecided, typed, ...asked });
        }
        case 'changed':
          return show(reply, wanted, studio, { status: 409, trouble: overtaken, typed });
        case 'refused': {
          const trouble = `Nothing was saved. ${changed.problems.map((each) => each.problem).join(' ')}`;
          return show(reply, wanted, studio, { status: 400, trouble, typed });
        }
      }
    }
    const own = typed.filter(({ isUsual }) => !isUsual);
    const all = [...studio.week, ...studio.dated];
    const closed = sessionDays(closedSessions(all, artist.week, own, dates));
    if (closed !== '' && closed !== agreed) {
      return show(reply, wanted, studio, { status: 409, trouble: studioClosed, typed, closed });
    }
    const days = typed.map(({ weekday, sessions, hours, isUsual }) =>
      isUsual ? { weekday, sessions: null } : { weekday, sessions, hours },
    );
    const changed = await changeArtistWeek(context, actorOf(request), artist.slug, days, dates);
    if (changed.outcome === 'saved') return seeOther(reply, `${weeksPath}?done=saved`);
    if (changed.outcome !== 'invalid') throw formRefused();
    const trouble = `Nothing was saved. ${changed.problem}`;
    return show(reply, wanted, studio, { status: 400, trouble, typed });
  });

  // Removing is idempotent.
  scope.post(`${weeksPath}/remove`, { schema: removedSchema }, async (request, reply) => {
    const { artist: slug, from_date: from, to_date: to } = request.body;
    const artist = await findOwner(slug);
    await (artist === null
      ? removeDatedWeek(context, actorOf(request), { from, to })
      : changeArtistWeek(context, actorOf(request), artist.slug, null, { from, to }));
    return seeOther(reply, `${weeksPath}?done=removed`);
  });

  /** The artist of a field; null for the studio. */
  async function findOwner(slug: string): Promise<ArtistRecord | null> {
    if (slug === '') return null;
    const found = (await readArtists(context)).find((each) => each.slug === slug);
    if (found === undefined) throw formRefused();
    return found;
  }

  function show(
    reply: FastifyReply,
    wanted: Wanted,
    studio: StudioWeek,
    shown: Shown = {},
  ): Promise<FastifyReply> {
    const { typed = null, closed = '', drifts, isAlsoTheirs, dateMistake, ...outcome } = shown;
    const stored = storedDays(wanted, studio);
    return reply.showPage({
      ...outcome,
      section: 'hours',
      title: `Hours of dates${wanted.artist === null ? '' : ` · ${wanted.artist.name}`}`,
      children: DatedWeekPage({
        ...wanted,
        isStored: stored.length > 0,
        days: shownDays(wanted, studio),
        typed,
        mistakes: mistakesOf((typed ?? []) as readonly TypedOwnDay[]),
        dateMistake,
        seen: seenDays(wanted, studio),
        ...{ closed, drifts, isAlsoTheirs },
      }),
    });
  }
}

function storedDays({ artist, from, to }: Wanted, { dated }: StudioWeek) {
  const dates: WeekDates = { from, to };
  return artist === null ? dated.filter(isOfDates(dates)) : ownDays(artist, dates);
}

/** The stored days of the dates as the page showed them. */
function seenDays(wanted: Wanted, studio: StudioWeek): string {
  return JSON.stringify(storedDays(wanted, studio));
}

/** The days of the dates, or else those of every week. */
function shownDays(wanted: Wanted, studio: StudioWeek): OwnDay[] {
  const stored = storedDays(wanted, studio);
  return studio.week.map((ordinary) => {
    const isSame = ({ weekday }: { weekday: number }) => weekday === ordinary.weekday;
    const own = stored.find(isSame);
    const usual =
      wanted.artist === null
        ? ordinary
        : (wanted.artist.week?.find(isSame) ?? { ...ordinary, opens: null, closes: null });
    const { weekday, opens, closes, sessions } = own ?? usual;
    return {
      ...{ weekday, sessions, opens: opens ?? '', closes: closes ?? '' },
      isUsual: own === undefined,
    };
  });
}

function studioChange({ weekday, sessions, hours, isUsual }: TypedOwnDay): WeekChange {
  if (isUsual) return { weekdays: [weekday], asUsual: true };
  const isClosed = hours === null && sessions.length === 0;
  if (isClosed) return { weekdays: [weekday], hours: null };
  return { weekdays: [weekday], sessions, ...(hours !== null && { hours }) };
}
