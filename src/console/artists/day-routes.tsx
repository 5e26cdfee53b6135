import { type Static, type TProperties, Type } from '@sinclair/typebox';
import type { FastifyReply } from 'fastify';
import type { DomainServices } from '../../domain/deps.js';
import {
  type AwayArtist,
  changeArtistDays,
  hideArtist,
  sessionsAfter,
} from '../../domain/studio/artist-days.js';
import { type ArtistRecord, readArtists } from '../../domain/studio/artists.js';
import { nearestTimes } from '../../domain/studio/closed-days.js';
import { type DecidingOptions, readBookingsToClose } from '../../domain/studio/closures.js';
import { noSuchDate } from '../../domain/studio/words.js';
import { ServiceError } from '../../errors.js';
import { isCalendarDate } from '../../schedule/dates.js';
import { choice, type PageScope, text } from '../../web/forms.js';
import { seeOther } from '../../web/send-page.js';
import type { Outcome } from '../console-page.js';
import {
  choiceForAll,
  decisionFields,
  type PostedChoices,
  readDecisions,
} from '../hours/decision-fields.js';
import { type DecisionsProps, refusedWords, wordMistakeOf } from '../hours/decisions.js';
import { showUndecided } from '../hours/undecided-routes.js';
import { linkToArtist, linkToStart } from '../links.js';
import { longDate } from '../moment.js';
import { actorOf } from '../session.js';
import { artistInPath } from './artist-page.js';
import { LeavePage, type LeavePageProps, seenDays, type TypedDays } from './days.js';

const otherBookings =
  'Nothing was saved: there are sessions that the form did not show. Say what becomes of them.';
const hasMistakes = 'Nothing was done. What is wrong is marked below.';
const overtaken = 'Nothing was saved: the days have changed since you opened this page.';
const lastBeforeFirst = 'Nothing was saved: the last day would be before the first.';
const lastShown = 'Nothing was done: nobody would be left whom people can book.';

const asking = { word: Type.Optional(text), all: Type.Optional(choiceForAll) };

function asks<Fields extends TProperties>(fields: Fields) {
  return { ...artistInPath, body: Type.Object({ ...fields, ...asking }, decisionFields) };
}

const AskedFields = Type.Object(asking);
type Asked = Static<typeof AskedFields>;

/** What a form does to an artist once it is decided what becomes of the sessions. */
interface Leaving extends Pick<LeavePageProps, 'action' | 'hidden' | 'button'> {
  title: string;
  /** The last day; null: none is left. Undefined: no sessions are taken away. */
  lastDay: string | null | undefined;
  act: (options: DecidingOptions) => Promise<AwayArtist>;
  /** The `done` of the artist's page. */
  done: string;
  typedDays?: TypedDays;
}

/** The page of the artist after a form that was refused, with the days that were typed. */
export type ShownDays = Outcome & { typedDays?: TypedDays | undefined };

/** `/console/artists/…/days` and `hidden`: when people can book an artist. */
export function registerArtistDays(
  scope: PageScope,
  context: DomainServices,
  showArtist: (
    reply: FastifyReply,
    artist: ArtistRecord,
    shown: ShownDays,
  ) => Promise<FastifyReply>,
): void {
  const days = { schema: asks({ first_day: text, last_day: text, seen: text }) };
  scope.post('/console/artists/:slug/days', days, async (request, reply) => {
    const artist = await find(request.params.slug);
    const { body } = request;
    const firstDay = body.first_day || null;
    const lastDay = body.last_day || null;
    const isWrong = [firstDay, lastDay].some((day) => day !== null && !isCalendarDate(day));
    const typedDays = { firstDay: body.first_day, lastDay: body.last_day };
    if (isWrong) {
      const trouble = `Nothing was saved. ${noSuchDate}`;
      return showArtist(reply, artist, { status: 400, trouble, typedDays });
    }
    if (firstDay !== null && lastDay !== null && lastDay < firstDay) {
      return showArtist(reply, artist, { status: 400, trouble: lastBeforeFirst, typedDays });
    }
    const isAsDone = artist.first_day === firstDay && artist.last_day === lastDay;
    if (body.seen !== seenDays(artist) && !isAsDone) {
      return showArtist(reply, artist, { trouble: overtaken, typedDays });
    }
    return leave(reply, artist, body, {
      action: `${linkToArtist(artist.slug)}/days`,
      hidden: { first_day: body.first_day, last_day: body.last_day, seen: body.seen },
      button: 'Save and do this',
      title: `${artist.name} leaves${lastDay === null ? '' : ` after ${longDate(lastDay)}`}`,
      lastDay: lastDay ?? undefined,
      act: (options) =>
        changeArtistDays(context, actorOf(request), artist.slug, { firstDay, lastDay }, options),
      done: 'days',
      typedDays,
    });
  });

  const hiding = { schema: asks({ hidden: choice('yes', 'no') }) };
  scope.post('/console/artists/:slug/hidden', hiding, async (request, reply) => {
    const artist = await find(request.params.slug);
    const { body } = request;
    const isHidden = body.hidden === 'yes';
    return leave(reply, artist, body, {
      action: `${linkToArtist(artist.slug)}/hidden`,
      hidden: { hidden: body.hidden },
      button: 'Hide and do this',
      title: `Hide ${artist.name}`,
      lastDay: isHidden ? null : undefined,
      act: (options) => hideArtist(context, actorOf(request), artist.slug, isHidden, options),
      done: isHidden ? 'hidden' : 'shown',
    });
  });

  async function find(slug: string): Promise<ArtistRecord> {
    const artist = (await readArtists(context)).find((each) => each.slug === slug);
    if (artist === undefined) throw new ServiceError('not_found');
    return artist;
  }

  /** Shows the sessions that would be left; once the form has shown them, does what it says. */
  async function leave(
    reply: FastifyReply,
    artist: ArtistRecord,
    posted: Asked,
    leaving: Leaving,
  ): Promise<FastifyReply> {
    const { lastDay, act, done, typedDays } = leaving;
    const choices = readDecisions(posted);
    const word = posted.word?.trim() ?? '';
    const wordMistake = wordMistakeOf(word);
    if (lastDay !== undefined) {
      const shown = { word, wordMistake, chosen: chosenIn(choices, posted.all) };
      const closing = sessionsAfter(artist, lastDay);
      const bookings = await readBookingsToClose(context, closing);
      const isShown = bookings.every(({ id }) => choices.has(id));
      if (!isShown || posted.all !== undefined || wordMistake !== undefined) {
        const isNew = posted.all !== undefined || choices.size === 0;
        const trouble = wordMistake !== undefined ? hasMistakes : isNew ? null : otherBookings;
        const offers = await nearestTimes(context, bookings, closing);
        return reply.showPage({
          status: wordMistake === undefined ? undefined : 400,
          section: 'studio',
          title: leaving.title,
          trouble,
          children: LeavePage({ ...leaving, artist, decisions: { bookings, offers, ...shown } }),
        });
      }
    }
    const decisions = [...choices.values()].flatMap(({ decision }) => decision ?? []);
    const changed = await act({ decisions, word: word || null });
    switch (changed.outcome) {
      case 'saved': {
        const { decided } = changed;
        if (refusedWords(decided) === null) {
          return seeOther(reply, `${linkToArtist(artist.slug)}?done=${done}`);
        }
        return showUndecided(context, reply, { decided, word, closed: 'It is saved. ' });
      }
      case 'not_found':
        throw new ServiceError('not_found');
      case 'is_new':
        return seeOther(reply, linkToStart(artist.slug));
      case 'last_shown':
        return showArtist(reply, artist, { trouble: lastShown, typedDays });
      case 'last_before_first':
        return showArtist(reply, artist, { status: 400, trouble: lastBeforeFirst, typedDays });
      case 'booked_before': {
        const { length } = changed.bookings;
        const what = length === 1 ? 'a session is' : `${length} sessions are`;
        const trouble = `Nothing was saved: ${what} before that first day. Move or cancel them first.`;
        return showArtist(reply, artist, { trouble, typedDays });
      }
    }
  }
}

function chosenIn(choices: PostedChoices, all: Asked['all']): DecisionsProps['chosen'] {
  return ({ id, closed_day_choice: choice }) =>
    all ?? choices.get(id)?.choice ?? (choice === 'kept' ? 'keep' : 'later');
}
