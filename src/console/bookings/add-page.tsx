import type { Static } from '@sinclair/typebox';
import type { FastifyReply } from 'fastify';
import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { BookingRow } from '../../database/schema.js';
import { findLiveBooking } from '../../domain/booking-record.js';
import type { DomainServices } from '../../domain/deps.js';
import { type GivenPerson, personDetails, personMembers } from '../../domain/person.js';
import { addBooking } from '../../domain/studio-bookings.js';
import { type StudioSchedule, studioSchedule } from '../../domain/studio-settings.js';
import type { Slot } from '../../schedule/slots.js';
import { form, type PageScope, query, readSlot, text } from '../../web/forms.js';
import { findPersonMistakes, personFields, type PersonMistakes } from '../../web/person-form.js';
import type { Outcome } from '../console-page.js';
import { bookingsPath, doneInSlot, linkToBooking } from '../links.js';
import { PageContext } from '../moment.js';
import { PostForm } from '../parts.js';
import { actorOf } from '../session.js';
import { seeChanged } from './booking-page.js';
import { PersonFields, SlotFields } from './fields.js';
import {
  addedAlready,
  needsCorrecting,
  onlyStudioWords,
  personName,
  slotRefused,
} from './words.js';

export interface AddPageProps {
  typed: Typed;
  mistakes?: Mistakes;
  /** Of the slot that is chosen. */
  schedule: StudioSchedule | null;
  /** The booking that has the slot. */
  takenBy?: BookingRow | null;
  /** Whether the form itself has added it. */
  isSame?: boolean;
}

/** The form that adds a booking, with what was typed before. */
function AddPage(props: AddPageProps): VNode {
  const { typed, mistakes = {}, schedule, takenBy = null, isSame = false } = props;
  const { hasMail } = useContext(PageContext);
  const opening = takenBy !== null && (
    <p>
      <a class="button" href={linkToBooking(takenBy.id)}>
        Open the booking of <bdi>{personName(takenBy)}</bdi>
      </a>
    </p>
  );
  if (isSame) return <>{opening}</>;
  return (
    <>
      {opening}
      <PostForm action={`${bookingsPath}/new`}>
        <SlotFields date={typed.date} timeSlot={typed.time_slot} mistake={mistakes.slot} />
        {schedule !== null && schedule !== 'open' && (
          <p class="muted">{onlyStudioWords[schedule]}</p>
        )}
        <PersonFields
          typed={typed}
          mistakes={mistakes}
          hints={hasMail ? { email: 'With an address, they get the confirmation by mail.' } : {}}
          required={['name']}
        />
        <button>Add the booking</button>
      </PostForm>
    </>
  );
}

const addSchema = form({ date: text, time_slot: text, ...personFields });

type Typed = Static<typeof addSchema.body>;

const nothingTyped: Typed = {
  ...{ date: '', time_slot: '' },
  ...{ name: '', email: '', phone: '', pronouns: '', idea: '' },
};

/** Sentences by the field that they are about. */
export type Mistakes = PersonMistakes & { slot?: string };

export type ReadForm =
  | { slot: Slot; person: GivenPerson; mistakes: null }
  | { slot: Slot | null; mistakes: Mistakes };

/** What a form adds, or all its mistakes. Only the name is required. */
function readAddForm(typed: Typed): ReadForm {
  const slot = readSlot(typed);
  const mistakes: Mistakes = {
    ...(slot === null && { slot: 'Choose a date and a session.' }),
    ...findPersonMistakes(typed, { by: 'studio', required: ['name'] }),
  };
  if (slot === null || Object.keys(mistakes).length > 0) return { slot, mistakes };
  const person: GivenPerson = { name: '' };
  for (const member of personMembers) {
    const text = typed[member].trim();
    if (text !== '') person[member] = text;
  }
  return { slot, person, mistakes: null };
}

/** Whether a booking is the one that the same form has added before. */
function isAddedBy(booking: BookingRow, person: GivenPerson): boolean {
  const details = personDetails(person);
  return (
    booking.channel === 'studio' &&
    personMembers.every((member) => booking[member] === details[member])
  );
}

const url = '/console/bookings/new';

/** `/console/bookings/new`: adds a walk-in or a call to any slot that is free and not over. */
export function registerAdding(scope: PageScope, context: DomainServices): void {
  scope.get(url, { schema: query({ date: text, time_slot: text }) }, async (request, reply) => {
    const typed = { ...nothingTyped, ...request.query };
    return show(reply, { typed, schedule: await scheduleOf(readSlot(typed)) });
  });

  scope.post(url, { schema: addSchema }, async (request, reply) => {
    const typed = request.body;
    const form = readAddForm(typed);
    const schedule = await scheduleOf(form.slot);
    if (form.mistakes !== null) {
      const outcome = { status: 400, trouble: needsCorrecting };
      return show(reply, { typed, schedule, mistakes: form.mistakes }, outcome);
    }
    const { slot, person } = form;
    const added = await addBooking(context, actorOf(request), slot, person);
    if (added.outcome === 'added') {
      return seeChanged(context, reply, doneInSlot('added', added.schedule), added.booking);
    }
    const takenBy = added.outcome === 'taken' ? await findLiveBooking(context, slot) : null;
    const isSame = takenBy !== null && isAddedBy(takenBy, person);
    const trouble = isSame ? addedAlready : slotRefused(slot, added.outcome);
    return show(reply, { typed, schedule, takenBy, isSame }, { trouble });
  });

  /** Null if no slot is chosen. */
  async function scheduleOf(slot: Slot | null): Promise<StudioSchedule | null> {
    return slot === null ? null : studioSchedule((await context.board.read()).calendar, slot);
  }

  function show(
    reply: FastifyReply,
    page: AddPageProps,
    outcome: Outcome = {},
  ): Promise<FastifyReply> {
    return reply.showPage({
      ...outcome,
      section: 'bookings',
      title: page.isSame === true ? 'Added already' : 'Add a booking',
      children: <AddPage {...page} />,
    });
  }
}
