import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DomainServices } from '../../domain/deps.js';
import {
  type ArtistDays,
  changeArtistDays,
  sessionsAway,
} from '../../domain/studio/artist-days.js';
import type { ArtistRecord } from '../../domain/studio/artists.js';
import { noSuchDate } from '../../domain/studio/words.js';
import { ServiceError } from '../../errors.js';
import { isCalendarDate } from '../../schedule/dates.js';
import { choice, type PageScope, text } from '../../web/forms.js';
import { seeOther } from '../../web/send-page.js';
import type { Outcome } from '../console-page.js';
import { asking, type PostedAnswers, readAnswers } from '../hours/decision-fields.js';
import { hasMistakes, QuestionForm, questionTrouble, readQuestion } from '../hours/question.js';
import { afterDecisions } from '../hours/undecided-routes.js';
import { linkToArtist, linkToStart } from '../links.js';
import { longDate } from '../moment.js';
import { actorOf } from '../session.js';
import { artistInPath, findRecord } from './artist-page.js';
import { seenDays, type TypedDays } from './days.js';

const overtaken = 'Nothing was saved: the days have changed since you opened this page.';
const lastBeforeFirst = 'Nothing was saved: the last day would be before the first.';
const lastShown = 'Nothing was done: nobody would be left whom people can book.';

/** The page of the artist after a form that was refused, with the days that were typed. */
export type ShownDays = Outcome & { typedDays?: TypedDays | undefined };

/** `/console/artists/…/days` and `hidden`: when people can book an artist. */
export function registerArtistDays(
  scope: PageScope,
  context: DomainServices,
  show: (reply: FastifyReply, artist: ArtistRecord, shown: ShownDays) => Promise<FastifyReply>,
): void {
  const days = { ...artistInPath, ...asking({ first_day: text, last_day: text, seen: text }) };
  scope.post('/console/artists/:slug/days', { schema: days }, async (request, reply) => {
    const artist = await findRecord(context, request.params.slug);
    const { first_day, last_day, seen } = request.body;
    const [firstDay, lastDay] = [first_day || null, last_day || null];
    const refuse = (trouble: string, status?: number) =>
      show(reply, artist, { status, trouble, typedDays: { first_day, last_day } });
    if ([firstDay, lastDay].some((day) => day !== null && !isCalendarDate(day))) {
      return refuse(`Nothing was saved. ${noSuchDate}`, 400);
    }
    if (firstDay !== null && lastDay !== null && lastDay < firstDay) {
      return refuse(lastBeforeFirst, 400);
    }
    const isAsDone = artist.first_day === firstDay && artist.last_day === lastDay;
    if (seen !== seenDays(artist) && !isAsDone) return refuse(overtaken);
    return change(request, reply, artist, {
      days: { firstDay, lastDay },
      fields: { first_day, last_day, seen },
      title: `${artist.name} leaves${lastDay === null ? '' : ` after ${longDate(lastDay)}`}`,
      refuse,
    });
  });

  const hiding = { ...artistInPath, ...asking({ hidden: choice('yes', 'no') }) };
  scope.post('/console/artists/:slug/hidden', { schema: hiding }, async (request, reply) => {
    const artist = await findRecord(context, request.params.slug);
    const { hidden } = request.body;
    return change(request, reply, artist, {
      days: { isHidden: hidden === 'yes' },
      fields: { hidden },
      title: `Hide ${artist.name}`,
      refuse: (trouble, status) => show(reply, artist, { status, trouble }),
    });
  });

  interface Change {
    days: ArtistDays;
    /** What the form said, and the title of the one that says it again. */
    fields: Record<string, string>;
    title: string;
    refuse: (trouble: string, status?: number) => Promise<FastifyReply>;
  }

  /** Asks about the sessions that would be taken away; does it once the form has shown each. */
  async function change(
    request: FastifyRequest,
    reply: FastifyReply,
    artist: ArtistRecord,
    { days, fields, title, refuse }: Change,
  ): Promise<FastifyReply> {
    const answers = readAnswers(request.body as PostedAnswers);
    const { choices, options, word } = answers;
    const back = linkToArtist(artist.slug);
    const away = sessionsAway(artist, days);
    const trouble = away && (await questionTrouble(context, away, answers, false));
    if (away !== null && trouble !== undefined) {
      const question = await readQuestion(context, away);
      return reply.showPage({
        status: trouble === hasMistakes ? 400 : undefined,
        section: 'studio',
        title,
        trouble: choices.size === 0 ? null : trouble,
        children: (
          <QuestionForm
            {...{ action: request.url, hidden: fields, answers, question, back }}
            there={
              <>
                with <bdi>{artist.name}</bdi> then
              </>
            }
            buttons={<button>{days.isHidden ? 'Hide and do this' : 'Save and do this'}</button>}
          >
            <p class="muted">
              Nothing is saved yet. Sessions about which you decide later stay booked, and nobody is
              reminded of them until then.
            </p>
          </QuestionForm>
        ),
      });
    }
    const changed = await changeArtistDays(context, actorOf(request), artist.slug, days, options);
    switch (changed.outcome) {
      case 'saved': {
        const done = days.isHidden === undefined ? 'days' : days.isHidden ? 'hidden' : 'shown';
        const ended = { word, link: `${back}?done=${done}`, saved: 'It is saved. ' };
        return afterDecisions(context, reply, changed.decided, ended);
      }
      case 'not_found':
        throw new ServiceError('not_found');
      case 'is_new':
        return seeOther(reply, linkToStart(artist.slug));
      case 'last_shown':
        return refuse(lastShown);
      case 'last_before_first':
        return refuse(lastBeforeFirst, 400);
      case 'booked_before': {
        const { length } = changed.bookings;
        const what = length === 1 ? 'a session is' : `${length} sessions are`;
        return refuse(
          `Nothing was saved: ${what} before that first day. Move or cancel them first.`,
        );
      }
    }
  }
}
