import { Type } from '@sinclair/typebox';
import type { FastifyReply } from 'fastify';
import type { DomainServices } from '../../domain/deps.js';
import {
  decide,
  type Decided,
  nearestTimes,
  readOpenQuestions,
} from '../../domain/studio/closed-days.js';
import { type PageScope, text } from '../../web/forms.js';
import { seeOther } from '../../web/send-page.js';
import { expectOwnBookings } from '../concerns.js';
import { showsDone } from '../console-page.js';
import { hoursPath, undecidedPath } from '../links.js';
import { DefaultButton, PostForm } from '../parts.js';
import { actorOf } from '../session.js';
import { choiceForAll, decisionFields, readDecisions } from './decision-fields.js';
import {
  DecidedList,
  Decisions,
  type DecisionsProps,
  refusedWords,
  wordMistakeOf,
} from './decisions.js';

const messages = { decided: 'Done.' };

const schema = {
  body: Type.Object({ word: text, all: Type.Optional(choiceForAll) }, decisionFields),
};

/** `/console/closures/undecided`: undecided sessions on closed days. */
export function registerUndecided(scope: PageScope, context: DomainServices): void {
  scope.get(undecidedPath, { schema: showsDone }, (_request, reply) =>
    showUndecided(context, reply),
  );

  scope.post(undecidedPath, { schema }, async (request, reply) => {
    const { word: typed, all } = request.body;
    const word = typed.trim();
    const choices = readDecisions(request.body);
    const chosen: DecisionsProps['chosen'] = ({ id }) => all ?? choices.get(id)?.choice ?? 'later';
    const wordMistake = wordMistakeOf(word);
    if (all !== undefined || wordMistake !== undefined) {
      return showUndecided(context, reply, { chosen, word, wordMistake });
    }
    const decisions = [...choices.values()].flatMap(({ decision }) => decision ?? []);
    await expectOwnBookings(context, request, [...choices.keys()]);
    const decided = await decide(context, actorOf(request), decisions, word || null);
    if (refusedWords(decided) !== null) return showUndecided(context, reply, { decided, word });
    return seeOther(reply, `${undecidedPath}?done=decided`);
  });
}

export interface ShownUndecided extends Partial<
  Pick<DecisionsProps, 'chosen' | 'word' | 'wordMistake'>
> {
  /** How the decisions of a form ended, if some were refused. */
  decided?: readonly Decided[];
  /** The words before the number of refusals. */
  closed?: string;
}

/** Shows what is undecided, after a form with refused decisions or mistakes. */
export async function showUndecided(
  context: DomainServices,
  reply: FastifyReply,
  { decided = [], closed = '', ...typed }: ShownUndecided = {},
): Promise<FastifyReply> {
  const own = reply.request.consoleArtist;
  const { undecided, asked } = await readOpenQuestions(context, own?.id);
  const bookings = [...undecided, ...asked];
  const offers = await nearestTimes(context, bookings);
  const isNamed = undecided.some(({ artist_name: name }) => name !== null);
  const orAway = isNamed ? ', or the artist is not there then' : '';
  const isMistaken = typed.wordMistake !== undefined;
  const refused = refusedWords(decided);
  const trouble = isMistaken
    ? 'Nothing was done. What is wrong is marked below.'
    : refused && `${closed}${refused}`;
  return reply.showPage({
    status: isMistaken ? 400 : undefined,
    section: 'hours',
    title: 'Sessions on closed days',
    messages,
    trouble,
    children: (
      <>
        {decided.length > 0 && <DecidedList decided={decided} />}
        {undecided.length > 0 && (
          <p>
            You closed these days{orAway}. Until you decide, the sessions stay booked and nobody is
            reminded of them; when a reminder would be due, you get a mail.
          </p>
        )}
        {asked.length > 0 && (
          <p>Who is asked to choose another time can do so until the session begins.</p>
        )}
        {bookings.length === 0 ? (
          <p class="muted">None is undecided.</p>
        ) : (
          <PostForm action={undecidedPath} class="closure-form">
            <DefaultButton />
            <Decisions {...{ chosen: () => 'later', word: '', ...typed, bookings, offers }} />
            <div class="acts">
              <button>Do this</button>
            </div>
          </PostForm>
        )}
        {own === null && (
          <p>
            <a href={hoursPath}>All hours and closures</a>
          </p>
        )}
      </>
    ),
  });
}
