import type { FastifyReply } from 'fastify';
import type { DomainServices } from '../../domain/deps.js';
import { changeArtistWeek } from '../../domain/studio/artist-weeks.js';
import { type ArtistRecord, readArtists } from '../../domain/studio/artists.js';
import { readStudioWeek } from '../../domain/studio/week.js';
import { isCalendarDate } from '../../schedule/dates.js';
import { calendarDate, form, type PageScope, query, text } from '../../web/forms.js';
import { seeOther } from '../../web/send-page.js';
import { findRecord } from '../artists/artist-page.js';
import { showsDone } from '../console-page.js';
import { datedWeekPath, weeksPath } from '../links.js';
import { actorOf } from '../session.js';
import {
  hasMistakes,
  type RefusedWeek,
  saveArtistDays,
  saveStudioDays,
  shownDays,
} from './save-week.js';
import { readDays, readFollowers, removedDays, weekFields } from './week-fields.js';
import { DatedWeekPage, WeeksPage } from './weeks-page.js';

const messages = {
  saved: 'Saved. People can book these sessions.',
  unchanged: 'Nothing was changed.',
  removed: 'Removed. The days of every week count.',
};

const datedSchema = form({ artist: text, from: text, to: text, ...weekFields });
const removedSchema = form({ artist: text, from_date: calendarDate, to_date: calendarDate });
const ofDates = query({ artist: text, from: calendarDate, to: calendarDate });

/** Whose week of which dates. */
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
    return show(reply, { artist: await findOwner(slug), from, to });
  });

  scope.post(datedWeekPath, { schema: datedSchema }, async (request, reply) => {
    const { artist: slug, from, to, agreed } = request.body;
    const artist = await findOwner(slug);
    const wanted = { artist, from, to };
    const typed = readDays(request.body, artist === null);
    if (![from, to].every(isCalendarDate)) {
      const dateMistake = 'Give two dates that exist, such as 2026-12-01.';
      return show(reply, wanted, { status: 400, trouble: hasMistakes, typed }, dateMistake);
    }
    const week = { typed, studio: await readStudioWeek(context), dates: { from, to } };
    const saved = await (artist === null
      ? saveStudioDays(context, actorOf(request), week, readFollowers(request.body))
      : saveArtistDays(context, actorOf(request), { ...week, artist, agreed }));
    return typeof saved === 'string'
      ? seeOther(reply, `${weeksPath}?done=${saved}`)
      : show(reply, wanted, saved);
  });

  // Removing is idempotent.
  scope.post(`${weeksPath}/remove`, { schema: removedSchema }, async (request, reply) => {
    const { artist: slug, from_date: from, to_date: to } = request.body;
    const [artist, dates] = [await findOwner(slug), { from, to }];
    if (artist === null) {
      const studio = await readStudioWeek(context);
      const week = { typed: removedDays(shownDays(studio, null, dates)), studio, dates };
      const saved = await saveStudioDays(context, actorOf(request), week, () => null);
      if (typeof saved !== 'string') return show(reply, { artist, from, to }, saved);
    } else {
      await changeArtistWeek(context, actorOf(request), artist.slug, null, dates);
    }
    return seeOther(reply, `${weeksPath}?done=removed`);
  });

  /** The artist of a field; null for the studio. */
  async function findOwner(slug: string): Promise<ArtistRecord | null> {
    return slug === '' ? null : findRecord(context, slug);
  }

  async function show(
    reply: FastifyReply,
    wanted: Wanted,
    refused: RefusedWeek = {},
    dateMistake?: string,
  ): Promise<FastifyReply> {
    const { artist, from, to } = wanted;
    const days = shownDays(await readStudioWeek(context), artist, { from, to });
    const isStored = days.some(({ isUsual }) => !isUsual);
    return reply.showPage({
      ...{ status: refused.status, trouble: refused.trouble },
      section: 'hours',
      title: `Hours of dates${artist === null ? '' : ` · ${artist.name}`}`,
      children: DatedWeekPage({ ...wanted, isStored, days, refused, dateMistake }),
    });
  }
}
