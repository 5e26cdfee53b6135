import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Slot } from '../../schedule/slots.js';
import { findLiveBooking } from '../../domain/booking-record.js';
import type { DomainServices } from '../../domain/deps.js';
import { addBooking } from '../../domain/studio-bookings.js';
import { studioSchedule, type StudioSchedule } from '../../domain/studio-settings.js';
import { type Fields, readSlot } from '../../web/form-fields.js';
import { seeOther } from '../../web/send-page.js';
import type { ShowPage } from '../pages.js';
import { actorOf } from '../session.js';
import { AddPage, type AddPageProps } from './add-page.js';
import { doneInSlot, linkAfter } from '../links.js';
import { addedAlready, needsCorrecting, slotRefused } from './refusals.js';
import { HoldRequest } from '../../../generated/schemas.js';
import type { BookingRow } from '../../database/schema.js';
import {
  type GivenPerson,
  isAllowed,
  personDetails,
  type PersonMember,
  personMembers,
} from '../../domain/hold-request.js';

interface AddRoute {
  Querystring: Fields;
  Body: Fields | undefined;
}

const url = '/console/bookings/new';

/** `/console/bookings/new`: adds a walk-in or a call to any slot that is free and not over. */
export function registerAdding(
  scope: FastifyInstance,
  context: DomainServices,
  showPage: ShowPage,
): void {
  scope.get<AddRoute>(url, async (request, reply) => {
    const { date, time_slot } = request.query;
    const typed = readTyped({ date, time_slot });
    return show(request, reply, { typed, schedule: await scheduleOf(readSlot(typed)) });
  });

  scope.post<AddRoute>(url, async (request, reply) => {
    const typed = readTyped(request.body ?? {});
    const form = readAddForm(typed);
    const schedule = await scheduleOf(form.slot);
    if (form.mistakes !== null) {
      const { mistakes } = form;
      return show(request, reply, { typed, schedule, mistakes }, 400, needsCorrecting);
    }
    const { slot, person } = form;
    const added = await addBooking(context, actorOf(request), slot, person);
    if (added.outcome === 'added') {
      return seeOther(reply, linkAfter(doneInSlot('added', added.schedule), added.booking.id));
    }
    const takenBy = added.outcome === 'taken' ? await findLiveBooking(context, slot) : null;
    const isSame = takenBy !== null && isAddedBy(takenBy, person);
    const trouble = isSame ? addedAlready : slotRefused(slot, added.outcome);
    return show(request, reply, { typed, schedule, takenBy, isSame }, 409, trouble);
  });

  /** Null if no slot is chosen. */
  async function scheduleOf(slot: Slot | null): Promise<StudioSchedule | null> {
    return slot === null ? null : studioSchedule((await context.board.read()).calendar, slot);
  }

  function show(
    request: FastifyRequest<AddRoute>,
    reply: FastifyReply,
    page: AddPageProps,
    status = 200,
    trouble: string | null = null,
  ): Promise<FastifyReply> {
    return showPage(request, reply, {
      status,
      section: 'bookings',
      title: page.isSame === true ? 'Added already' : 'Add a booking',
      trouble,
      children: AddPage(page),
    });
  }
}

/** What was typed, as it was typed. */
export type Typed = Record<PersonMember | 'date' | 'time_slot', string>;

/** Sentences by the field that they are about. */
export type Mistakes = Partial<Record<PersonMember | 'slot', string>>;

export function readTyped(fields: Fields): Typed {
  const text = (name: string) => {
    const value = fields[name];
    return typeof value === 'string' ? value.replaceAll('\r\n', '\n') : '';
  };
  return {
    date: text('date'),
    time_slot: text('time_slot'),
    name: text('name'),
    email: text('email'),
    phone: text('phone'),
    pronouns: text('pronouns'),
    idea: text('idea'),
  };
}

export type ReadForm =
  | { slot: Slot; person: GivenPerson; mistakes: null }
  | { slot: Slot | null; mistakes: Mistakes };

/** What a form adds, or all its mistakes. Only the name is required. */
export function readAddForm(typed: Typed): ReadForm {
  const slot = readSlot(typed);
  const mistakes: Mistakes = slot === null ? { slot: 'Choose a date and a session.' } : {};
  const person: GivenPerson = { name: typed.name.trim() };
  for (const member of personMembers) {
    const text = typed[member].trim();
    const isGiven = text !== '' || member === 'name';
    if (isGiven && !isAllowed(member, text)) mistakes[member] = words[member](text);
    if (isGiven) person[member] = text;
  }
  if (slot === null || Object.keys(mistakes).length > 0) return { slot, mistakes };
  return { slot, person, mistakes: null };
}

/** Whether a booking is the one that the same form has added before. */
export function isAddedBy(booking: BookingRow, person: GivenPerson): boolean {
  const details = personDetails(person);
  return (
    booking.channel === 'studio' &&
    personMembers.every((member) => booking[member] === details[member])
  );
}

const { properties } = HoldRequest;

const words: Record<PersonMember, (text: string) => string> = {
  name: (text) =>
    text === '' ? 'Type a name.' : tooLong(text, properties.name.maxLength, 'A name'),
  email: () => 'This is not an e-mail address. One looks like ada@example.com.',
  phone: () => 'Type a US phone number: ten digits, such as (555) 555-0142.',
  pronouns: (text) => tooLong(text, 40, 'Pronouns'),
  idea: (text) => tooLong(text, 2000, 'An idea'),
};

function tooLong(text: string, limit: number | undefined, what: string): string {
  const { length } = [...text];
  if (limit === undefined || length <= limit) {
    return `${what} needs characters that can be seen and stored.`;
  }
  return `${what} can have at most ${limit.toLocaleString('en-US')} characters; there are ${length.toLocaleString('en-US')}.`;
}
