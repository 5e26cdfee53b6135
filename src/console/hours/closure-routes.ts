import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  addClosure,
  readBookingsToClose,
  readClosureRecord,
  removeClosure,
} from '../../domain/closures.js';
import type { DomainServices } from '../../domain/deps.js';
import { ServiceError } from '../../errors.js';
import { button, calendarDate, type PageScope, query } from '../../web/forms.js';
import { seeOther } from '../../web/send-page.js';
import { hoursPath, linkToClosure, newClosurePath } from '../links.js';
import { doneMessage, idInPath, type ShowPage, showsDone } from '../pages.js';
import { actorOf } from '../session.js';
import {
  closureOf,
  closureSchema,
  ClosurePage,
  type FormMistakes,
  NewClosurePage,
  readClosureForm,
  type TypedClosure,
} from './closure-pages.js';

const doneMessages = { closed: 'Closed. These sessions can no longer be booked.' } as const;

const hasMistakes = 'Nothing was closed. What is wrong is marked below.';
const otherBookings =
  'Nothing was closed: the bookings on these dates are not those that the form showed. These are they now; choose again.';

/** `/console/closures/…`: closes dates, and opens them again. */
export function registerClosures(
  scope: PageScope,
  context: DomainServices,
  showPage: ShowPage,
): void {
  scope.get(newClosurePath, { schema: query({ date: calendarDate }) }, (request, reply) => {
    const { date: from = '' } = request.query;
    const typed = { from, to: from, timeSlot: '', reason: '', cancelBookings: false } as const;
    return showForm(request, reply, { typed });
  });

  scope.post(newClosurePath, { schema: closureSchema }, async (request, reply) => {
    const { typed, listed, isLook } = readClosureForm(request.body);
    const closure = closureOf(typed);
    if (!('fromDate' in closure)) {
      return showForm(request, reply, { typed, mistakes: closure, trouble: hasMistakes });
    }
    if (isLook) return showForm(request, reply, { typed });
    const { cancelBookings } = typed;
    const added = await addClosure(context, actorOf(request), closure, { cancelBookings, listed });
    switch (added.outcome) {
      case 'added':
        return seeOther(reply, `${linkToClosure(added.closure.id)}?done=closed`);
      case 'exists':
        return showForm(request, reply, {
          status: 409,
          typed,
          trouble: 'These dates are closed already. Nothing was changed.',
        });
      case 'changed':
        return showForm(request, reply, { status: 409, typed, trouble: otherBookings });
      case 'refused': {
        const { toDate, reason } = added.mistakes;
        const mistakes = {
          ...(toDate !== undefined && { to: toDate }),
          ...(reason !== undefined && { reason }),
        };
        return showForm(request, reply, { typed, mistakes, trouble: hasMistakes });
      }
    }
  });

  const ofClosure = { schema: { ...idInPath, ...showsDone } };
  scope.get('/console/closures/:id', ofClosure, async (request, reply) => {
    const record = await readClosureRecord(context, request.params.id);
    if (record === null) throw new ServiceError('not_found');
    return showPage(request, reply, {
      section: 'hours',
      title: 'Closure',
      done: doneMessage(request, doneMessages),
      children: ClosurePage({ record }),
    });
  });

  // Removing twice leaves what removing once does.
  const removing = { schema: { ...idInPath, ...button } };
  scope.post('/console/closures/:id/remove', removing, async (request, reply) => {
    await removeClosure(context, actorOf(request), request.params.id);
    return seeOther(reply, `${hoursPath}?done=opened`);
  });

  interface ShownForm {
    typed: TypedClosure;
    /** 200, or 400 with a trouble. */
    status?: number;
    mistakes?: FormMistakes;
    trouble?: string;
  }

  /** Shows the form with the bookings that are on its dates now. */
  async function showForm(
    request: FastifyRequest,
    reply: FastifyReply,
    { typed, mistakes = {}, trouble, status = trouble === undefined ? 200 : 400 }: ShownForm,
  ): Promise<FastifyReply> {
    const closure = closureOf(typed);
    return showPage(request, reply, {
      status,
      section: 'hours',
      title: 'Close dates',
      trouble,
      children: NewClosurePage({
        typed,
        mistakes,
        bookings: 'fromDate' in closure ? await readBookingsToClose(context, closure) : null,
      }),
    });
  }
}
