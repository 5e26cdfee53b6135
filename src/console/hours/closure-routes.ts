import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isCalendarDate } from '../../schedule/dates.js';
import {
  addClosure,
  readBookingsToClose,
  readClosureRecord,
  removeClosure,
} from '../../domain/closures.js';
import type { DomainServices } from '../../domain/deps.js';
import { ServiceError } from '../../errors.js';
import { type Fields, formRefused } from '../../web/form-fields.js';
import { seeOther } from '../../web/send-page.js';
import { doneMessage, type ShowPage, withId } from '../pages.js';
import { actorOf } from '../session.js';
import { ClosurePage, NewClosurePage } from './closure-pages.js';
import { hoursPath, linkToClosure, newClosurePath } from '../links.js';
import type { TimeSlot } from '../../../generated/schemas.js';
import { timeSlots } from '../../schedule/slots.js';
import type { ListedBooking } from '../../domain/booking-record.js';
import type { NewClosure } from '../../repositories/closures.js';
import { readListedBookings } from '../bookings/seen.js';

interface NewRoute {
  Querystring: { date?: unknown };
  Body: Fields | undefined;
}

interface ClosureRoute {
  Params: { id: string };
}

const doneMessages = { closed: 'Closed. These sessions can no longer be booked.' } as const;

const hasMistakes = 'Nothing was closed. What is wrong is marked below.';
const otherBookings =
  'Nothing was closed: the bookings on these dates are not those that the form showed. These are they now; choose again.';

/** `/console/closures/…`: closes dates, and opens them again. */
export function registerClosures(
  scope: FastifyInstance,
  context: DomainServices,
  showPage: ShowPage,
): void {
  scope.get<NewRoute>(newClosurePath, (request, reply) => {
    const { date } = request.query;
    const from = typeof date === 'string' && isCalendarDate(date) ? date : '';
    const typed = { from, to: from, timeSlot: '', reason: '', cancelBookings: false } as const;
    return showForm(request, reply, { typed });
  });

  scope.post<NewRoute>(newClosurePath, async (request, reply) => {
    const { typed, listed, isLook } = readClosureForm(request.body ?? {});
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

  scope.get<ClosureRoute>('/console/closures/:id', withId, async (request, reply) => {
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
  scope.post<ClosureRoute>('/console/closures/:id/remove', withId, async (request, reply) => {
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

/** The form as it was typed. */
export interface TypedClosure {
  from: string;
  to: string;
  /** Empty: the whole day. */
  timeSlot: TimeSlot | '';
  reason: string;
  cancelBookings: boolean;
}

export type TypedMember = 'from' | 'to' | 'reason';
export type FormMistakes = Partial<Record<TypedMember, string>>;

export interface PostedClosure {
  typed: TypedClosure;
  /** The bookings that the form showed. */
  listed: ListedBooking[];
  /** Whether only the bookings on the dates were asked for. */
  isLook: boolean;
}

/** Reads a form that was posted. Throws `invalid_request` if it is not that of the page. */
export function readClosureForm(fields: Fields): PostedClosure {
  const { from, to, time_slot: slot, reason, bookings, listed = '', look } = fields;
  if (typeof from !== 'string' || typeof to !== 'string' || typeof reason !== 'string') {
    throw formRefused();
  }
  const timeSlot = timeSlots.find((known) => known === slot) ?? '';
  if (timeSlot === '' && slot !== '') throw formRefused();
  return {
    typed: {
      from: from.trim(),
      to: to.trim(),
      timeSlot,
      reason: reason.trim(),
      cancelBookings: bookings === 'cancel',
    },
    listed: readListedBookings(listed),
    isLook: look !== undefined,
  };
}

/** The dates, or what is wrong with them. A last date that is left empty is the first. */
export function closureOf(typed: TypedClosure): NewClosure | FormMistakes {
  const { from, to, timeSlot, reason } = typed;
  const mistakes: FormMistakes = {};
  if (!isCalendarDate(from)) mistakes.from = 'Give a date that exists, such as 2026-12-24.';
  if (to !== '' && !isCalendarDate(to)) mistakes.to = 'Give a date that exists, or none.';
  if (Object.keys(mistakes).length > 0) return mistakes;
  return { fromDate: from, toDate: to || from, timeSlot: timeSlot || null, reason };
}
