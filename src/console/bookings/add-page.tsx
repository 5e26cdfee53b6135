import type { Static } from '@sinclair/typebox';
import type { VNode } from 'preact';
import type { BookingRow } from '../../database/schema.js';
import { type GivenPerson, personDetails, personMembers } from '../../domain/person.js';
import type { StudioSchedule } from '../../domain/studio-settings.js';
import type { Slot } from '../../schedule/slots.js';
import { form, readSlot, text } from '../../web/forms.js';
import { findPersonMistakes, personFields, type PersonMistakes } from '../../web/person-form.js';
import { PostForm } from '../form.js';
import { bookingsPath, linkToBooking } from '../links.js';
import { PersonFields } from './person-fields.js';
import { SlotFields } from './slot-fields.js';
import { onlyStudioWords, personName } from './words.js';

export interface AddPageProps {
  typed: Typed;
  mistakes?: Mistakes;
  /** Of the slot that is chosen. */
  schedule: StudioSchedule | null;
  hasMail: boolean;
  /** The booking that has the slot. */
  takenBy?: BookingRow | null;
  /** Whether the form itself has added it. */
  isSame?: boolean;
}

/** The form that adds a booking, with what was typed before. */
export function AddPage(props: AddPageProps): VNode {
  const { typed, mistakes = {}, schedule, hasMail, takenBy = null, isSame = false } = props;
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

export const addSchema = form({ date: text, time_slot: text, ...personFields });

type Typed = Static<typeof addSchema.body>;

export const nothingTyped: Typed = {
  date: '',
  time_slot: '',
  name: '',
  email: '',
  phone: '',
  pronouns: '',
  idea: '',
};

/** Sentences by the field that they are about. */
export type Mistakes = PersonMistakes & { slot?: string };

export type ReadForm =
  | { slot: Slot; person: GivenPerson; mistakes: null }
  | { slot: Slot | null; mistakes: Mistakes };

/** What a form adds, or all its mistakes. Only the name is required. */
export function readAddForm(typed: Typed): ReadForm {
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
export function isAddedBy(booking: BookingRow, person: GivenPerson): boolean {
  const details = personDetails(person);
  return (
    booking.channel === 'studio' &&
    personMembers.every((member) => booking[member] === details[member])
  );
}
