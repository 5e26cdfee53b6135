import type { FastifyReply } from 'fastify';
import type { VNode } from 'preact';
import { readBookingRecord, type BookingRecord } from '../../domain/booking-record.js';
import { readOpenQuestions } from '../../domain/closed-days.js';
import { listConflicts, type BookingConflict } from '../../domain/conflicts.js';
import type { DomainServices } from '../../domain/deps.js';
import { findFormerSlot } from '../../domain/studio-days.js';
import { ServiceError } from '../../errors.js';
import type { RequestWith } from '../../web/forms.js';
import { doneMessages } from '../links.js';
import { doneMessage, type ShowPage } from '../pages.js';
import { BookingPage, bookingTitle } from './booking-page.js';
import type { TypedJob } from './jobs.js';

export type BookingRequest = RequestWith<{ params: { id: string } }>;

export interface Refusal {
  /** 409 unless given. */
  status?: number;
  trouble: string;
  /** What the form had in it. */
  typed?: TypedJob;
}

export interface BookingPages {
  /** Throws `not_found` if there is no booking of the id. */
  read(id: string): Promise<BookingRecord>;
  show(request: BookingRequest, reply: FastifyReply): Promise<FastifyReply>;
  /** Shows the booking as it is now. */
  refuse(request: BookingRequest, reply: FastifyReply, refusal: Refusal): Promise<FastifyReply>;
}

/** Whether the address says that the booking has just been moved. */
function hasMoved({ query }: BookingRequest): boolean {
  const { done = '' } = query as { done?: string };
  return done.startsWith('moved');
}

export function createBookingPages(context: DomainServices, showPage: ShowPage): BookingPages {
  async function read(id: string): Promise<BookingRecord> {
    const record = await readBookingRecord(context, id);
    if (record === null) throw new ServiceError('not_found');
    return record;
  }

  /** Null unless a watched calendar is busy during the confirmed session, or it is of another zone. */
  async function findConflict({ booking, status }: BookingRecord): Promise<BookingConflict | null> {
    if (status !== 'confirmed') return null;
    const conflicts = await listConflicts(context);
    return conflicts.find((conflict) => conflict.booking.id === booking.id) ?? null;
  }

  async function pageOf(record: BookingRecord, typed: TypedJob): Promise<VNode> {
    const { undecided } = await readOpenQuestions(context);
    const isUndecided = undecided.some(({ id }) => id === record.booking.id);
    const [conflict, former] = await Promise.all([
      findConflict(record),
      findFormerSlot(context, record),
    ]);
    return BookingPage({ record, conflict, isUndecided, former, typed });
  }

  return {
    read,
    async show(request, reply) {
      const record = await read(request.params.id);
      return showPage(request, reply, {
        section: 'bookings',
        title: bookingTitle(record),
        done: doneMessage(request, doneMessages),
        children: await pageOf(record, { moved: hasMoved(request) }),
      });
    },
    async refuse(request, reply, { status = 409, trouble, typed = {} }) {
      const record = await read(request.params.id);
      return showPage(request, reply, {
        status,
        section: 'bookings',
        title: bookingTitle(record),
        trouble,
        children: await pageOf(record, typed),
      });
    },
  };
}
