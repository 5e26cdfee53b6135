import { Type } from '@sinclair/typebox';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import type { BookingRow } from '../../database/rows/schema.js';
import type { DomainServices } from '../../domain/deps.js';
import { addClosure, readClosureRecord, removeClosure } from '../../domain/studio/closures.js';
import { studioToday } from '../../domain/studio/settings.js';
import { ServiceError } from '../../errors.js';
import { calendarDate, choice, form, type PageScope, query, text } from '../../web/forms.js';
import { seeOther } from '../../web/send-page.js';
import { findArtist } from '../artist-choice.js';
import { expectOwnBookings } from '../concerns.js';
import { idInPath } from '../console-page.js';
import { hoursPath, linkAfterOnDay, linkToClosure, newClosurePath, pathWith } from '../links.js';
import { actorOf } from '../session.js';
import { clockPattern } from './block-fields.js';
import {
  closureOf,
  ClosurePage,
  closureSchema,
  type FormMistakes,
  NewClosurePage,
  readClosureForm,
  type TypedClosure,
} from './closure-pages.js';
import { type Answers, readAnswers, type ShownChoice } from './decision-fields.js';
import { usualChoice } from './decisions.js';
import { hasMistakes, questionTrouble, readQuestion } from './question.js';
import { afterDecisions } from './undecided-routes.js';

const messages = {
  closed: 'Closed. These sessions can no longer be booked.',
  blocked: 'Closed. No session that overlaps these hours can be booked.',
};

const closedAlready = 'These dates are closed already. Nothing was changed.';

/** `/console/closures/…`: closes dates, and opens them again. */
export function registerClosures(scope: PageScope, context: DomainServices): void {
  const time = Type.String({ pattern: clockPattern.source });
  const opened = {
    schema: query({
      ...{ date: calendarDate, job: choice('sick'), artist: text },
      ...{ from_time: time, to_time: time },
    }),
  };
  scope.get(newClosurePath, opened, async (request, reply) => {
    const { date: from = '', job, from_time: fromTime = '', to_time: toTime = '' } = request.query;
    const own = request.consoleArtist;
    const artist = own ?? (await findArtist(context, request, request.query.artist));
    const hours = { fromTime, toTime, isPressed: fromTime !== '' };
    const typed = { ...hours, from, to: from, timeSlot: '', artist, reason: '' } as const;
    const answers = readAnswers({});
    return showForm(reply, { typed: { ...typed, isSick: job === 'sick' }, answers });
  });

  scope.post(newClosurePath, { schema: closureSchema }, async (request, reply) => {
    const { artist, look } = request.body;
    const typed = readClosureForm(request.body, await findArtist(context, request, artist));
    const answers = readAnswers(request.body);
    const { shown, word } = answers;
    await expectOwnBookings(context, request, [...shown]);
    const options = { ...answers.options, artistId: request.consoleArtist?.id };
    const closure = closureOf(typed);
    if (!('fromDate' in closure)) return showForm(reply, { typed, answers, mistakes: closure });
    const trouble = await questionTrouble(context, closure, answers, look !== undefined);
    if (trouble !== undefined) return showForm(reply, { typed, answers, trouble });
    const added = await addClosure(context, actorOf(request), closure, options);
    if (added.outcome === 'refused') {
      const { toDate: to, ...mistakes } = added.mistakes;
      return showForm(reply, { typed, answers, mistakes: { to, ...mistakes } });
    }
    const { decided } = added;
    if (added.outcome === 'exists' && decided.length === 0) {
      return showForm(reply, { typed, answers, trouble: closedAlready });
    }
    const done = closure.hours ? 'blocked' : 'closed';
    const link = `${linkToClosure(added.closure.id)}?done=${done}`;
    return afterDecisions(context, reply, decided, { word, link, saved: 'The dates are closed. ' });
  });

  const ofClosure = { schema: { ...idInPath, ...query({ done: text, day: calendarDate }) } };
  scope.get('/console/closures/:id', ofClosure, async (request, reply) => {
    const record = await readClosureRecord(context, request.params.id);
    if (record === null) throw new ServiceError('not_found');
    const own = request.consoleArtist;
    const gone = record.gone.filter(({ artist_id }) => own === null || own.id === artist_id);
    return reply.showPage({
      section: 'hours',
      title: 'Closure',
      messages,
      children: h(ClosurePage, { record: { ...record, gone }, ...request.query }),
    });
  });

  // Removing is idempotent.
  const removing = { schema: { ...idInPath, ...form({ day: Type.Optional(calendarDate) }) } };
  scope.post('/console/closures/:id/remove', removing, async (request, reply) => {
    await removeClosure(context, actorOf(request), request.params.id, {
      artistId: request.consoleArtist?.id,
    });
    const { day } = request.body;
    if (day === undefined && request.consoleArtist === null) {
      return seeOther(reply, pathWith(hoursPath, { done: 'opened' }));
    }
    const today = await studioToday(context);
    return seeOther(reply, linkAfterOnDay('opened', day ?? today, today));
  });

  /** Shows the form with the present bookings on its dates. */
  async function showForm(
    reply: FastifyReply,
    { typed, answers, mistakes, trouble = mistakes && hasMistakes }: ShownForm,
  ): Promise<FastifyReply> {
    const closure = closureOf(typed);
    const usual = typed.isSick ? sickChoice : usualChoice;
    const question = 'fromDate' in closure ? await readQuestion(context, closure, usual) : null;
    return reply.showPage({
      status: trouble === hasMistakes ? 400 : undefined,
      section: 'hours',
      title: typed.isSick
        ? `${typed.artist?.name ?? 'I'} cannot work`
        : typed.isPressed
          ? 'Close hours'
          : 'Close dates',
      trouble,
      children: h(NewClosurePage, { typed, answers, mistakes: mistakes ?? {}, question }),
    });
  }
}

interface ShownForm {
  typed: TypedClosure;
  answers: Answers;
  mistakes?: FormMistakes;
  trouble?: string | null;
}

/** The default choice where the studio cannot work. */
function sickChoice({ status, email }: BookingRow): ShownChoice {
  if (status === 'pending') return 'cancel';
  return email === null ? 'later' : 'ask';
}
