import type { FastifyReply } from 'fastify';
import type { DomainServices } from '../../domain/deps.js';
import {
  decide,
  type Decided,
  nearestTimes,
  readOpenQuestions,
} from '../../domain/studio/closed-days.js';
import type { PageScope } from '../../web/forms.js';
import { seeOther } from '../../web/send-page.js';
import { expectOwnBookings } from '../concerns.js';
import { showsDone } from '../console-page.js';
import { home, hoursPath, undecidedPath } from '../links.js';
import { actorOf } from '../session.js';
import { type Answers, asking, readAnswers } from './decision-fields.js';
import { DecidedList, refusedWords, usualChoice } from './decisions.js';
import { hasMistakes, QuestionForm } from './question.js';

const messages = { decided: 'Done.' };

/** `/console/closures/undecided`: undecided sessions on closed days. */
export function registerUndecided(scope: PageScope, context: DomainServices): void {
  scope.get(undecidedPath, { schema: showsDone }, (_request, reply) =>
    showUndecided(context, reply),
  );

  scope.post(undecidedPath, { schema: asking({}) }, async (request, reply) => {
    const answers = readAnswers(request.body);
    const { all, shown, options, word, wordMistake } = answers;
    if (all !== null || wordMistake !== undefined)
      return showUndecided(context, reply, { answers });
    await expectOwnBookings(context, request, [...shown]);
    const artistId = request.consoleArtist?.id;
    const decided = await decide(context, actorOf(request), options.decisions, {
      word: options.word,
      artistId,
    });
    const link = `${undecidedPath}?done=decided`;
    return afterDecisions(context, reply, decided, { word, link });
  });
}

/** Leads to the page that says what was done, or shows what could not be. `saved`: what was all the same. */
export async function afterDecisions(
  context: DomainServices,
  reply: FastifyReply,
  decided: readonly Decided[],
  { word, link, saved = '' }: { word: string; link: string; saved?: string },
): Promise<FastifyReply> {
  const refused = refusedWords(decided);
  if (refused === null) return seeOther(reply, link);
  const answers = readAnswers({ word });
  return showUndecided(context, reply, { answers, decided, trouble: `${saved}${refused}` });
}

interface ShownUndecided {
  answers?: Answers;
  /** How the decisions of a form ended, if some were refused. */
  decided?: readonly Decided[];
  trouble?: string;
}

/** Shows what is undecided, after a form with refused decisions or mistakes. */
async function showUndecided(
  context: DomainServices,
  reply: FastifyReply,
  { answers = readAnswers({}), decided = [], trouble }: ShownUndecided = {},
): Promise<FastifyReply> {
  const own = reply.request.consoleArtist;
  const { undecided, asked } = await readOpenQuestions(context, own?.id);
  const bookings = [...undecided, ...asked];
  const isNamed = undecided.some(({ artist_name: name }) => name !== null);
  const orAway = isNamed ? ', or the artist is not there then' : '';
  const offers = await nearestTimes(context, bookings);
  const isMistaken = answers.wordMistake !== undefined;
  return reply.showPage({
    status: isMistaken ? 400 : undefined,
    section: 'hours',
    title: 'Sessions on closed days',
    messages,
    trouble: isMistaken ? hasMistakes : trouble,
    children: (
      <>
        {decided.length > 0 && <DecidedList decided={decided} />}
        <QuestionForm
          action={undecidedPath}
          answers={answers}
          question={{ bookings, offers, usual: usualChoice }}
          there="on closed days"
          buttons={bookings.length > 0 && <button>Do this</button>}
          back={own === null ? hoursPath : home}
        >
          {undecided.length > 0 && (
            <p>
              These days are closed{orAway}. Until somebody decides, the sessions stay booked and
              nobody is reminded of them; when a reminder would be due, the studio gets a mail.
            </p>
          )}
          {asked.length > 0 && (
            <p>Who is asked to choose another time can do so until the session begins.</p>
          )}
        </QuestionForm>
      </>
    ),
  });
}
