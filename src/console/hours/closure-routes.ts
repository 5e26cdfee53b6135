import { Type } from '@sinclair/typebox';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import type { BookingRow } from '../../database/rows/schema.js';
import type { DomainServices } from '../../domain/deps.js';
import { nearestTimes } from '../../domain/studio/closed-days.js';
import {
  addClosure,
  readBookingsToClose,
  readClosureRecord,
  removeClosure,
} from '../../domain/studio/closures.js';
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
  type PostedClosure,
  readClosureForm,
  type TypedClosure,
} from './closure-pages.js';
import type { ShownChoice } from './decision-fields.js';
import { refusedWords, wordMistakeOf } from './decisions.js';
import { showUndecided } from './undecided-routes.js';

const messages = {
  closed: 'Closed. These sessions can no longer be booked.',
  blocked: 'Closed. No session that overlaps these hours can be booked.',
};

const hasMistakes = 'Nothing was closed. What is wrong is marked below.';
const closedAlready = 'These dates are closed already. Nothing was changed.';
const otherBookings =
  'Nothing was closed: bookings are on these dates that the form did not show. Say what becomes of them.';

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
    const typed = { from, to: from, timeSlot: '', artist, reason: '', word: '' } as const;
    return showForm(reply, { typed: { ...typed, ...hours, isSick: job === 'sick' } });
  });

  scope.post(newClosurePath, { schema: closureSchema }, async (request, reply) => {
    const artist = await findArtist(context, request, request.body.artist);
    const posted = readClosureForm(request.body, artist);
    const { typed, choices, carried, all, isLook } = posted;
    const shown = { typed, carried, all };
    await expectOwnBookings(context, request, [...choices.keys()]);
    const closure = closureOf(typed);
    const word = wordMistakeOf(typed.word);
    if (!('fromDate' in closure)) {
      const mistakes = { ...closure, word };
      return showForm(reply, { ...shown, mistakes, trouble: hasMistakes });
    }
    if (isLook) return showForm(reply, shown);
    if (word !== undefined) {
      return showForm(reply, { ...shown, mistakes: { word }, trouble: hasMistakes });
    }
    const there = await readBookingsToClose(context, closure);
    if (!there.every(({ id }) => choices.has(id))) {
      return showForm(reply, { ...shown, status: 409, trouble: otherBookings });
    }
    const decisions = [...choices.values()].flatMap(({ decision }) => decision ?? []);
    const added = await addClosure(context, actorOf(request), closure, {
      decisions,
      word: typed.word || null,
    });
    if (added.outcome === 'refused') {
      const { toDate: to, hours, reason } = added.mistakes;
      const mistakes = { to, hours, reason };
      return showForm(reply, { ...shown, mistakes, trouble: hasMistakes });
    }
    const { decided } = added;
    if (added.outcome === 'exists' && decided.length === 0) {
      return showForm(reply, { ...shown, status: 409, trouble: closedAlready });
    }
    if (refusedWords(decided) === null) {
      const done = closure.hours ? 'blocked' : 'closed';
      return seeOther(reply, `${linkToClosure(added.closure.id)}?done=${done}`);
    }
    const left = { decided, word: typed.word, closed: 'The dates are closed. ' };
    return showUndecided(context, reply, left);
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

  interface ShownForm extends Partial<Pick<PostedClosure, 'carried' | 'all'>> {
    typed: TypedClosure;
    /** 200, or 400 with a trouble. */
    status?: number;
    mistakes?: FormMistakes;
    trouble?: string;
  }

  /** Shows the form with the present bookings on its dates. */
  async function showForm(
    reply: FastifyReply,
    { typed, carried = new Map(), all = null, mistakes = {}, trouble, status }: ShownForm,
  ): Promise<FastifyReply> {
    const closure = closureOf(typed);
    let decisions: Parameters<typeof NewClosurePage>[0]['decisions'] = null;
    if ('fromDate' in closure) {
      const bookings = await readBookingsToClose(context, closure);
      decisions = {
        bookings,
        offers: await nearestTimes(context, bookings, closure),
        chosen: (booking) => all ?? carried.get(booking.id) ?? usualChoice(booking, typed),
      };
    }
    return reply.showPage({
      status: status ?? (trouble === undefined ? 200 : 400),
      section: 'hours',
      title: typed.isSick
        ? `${typed.artist?.name ?? 'I'} cannot work`
        : typed.isPressed
          ? 'Close hours'
          : 'Close dates',
      trouble,
      children: h(NewClosurePage, { typed, mistakes, decisions, carried }),
    });
  }
}

/** The default choice for a booking. */
function usualChoice(
  { status, email, closed_day_choice: choice }: BookingRow,
  { isSick }: TypedClosure,
): ShownChoice {
  if (!isSick) return choice === 'kept' ? 'keep' : 'later';
  if (status === 'pending') return 'cancel';
  return email === null ? 'later' : 'ask';
}
