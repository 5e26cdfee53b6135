import type { VNode } from 'preact';
import type { BookingRow } from '../../database/schema.js';
import type { PersonMember } from '../../domain/hold-request.js';
import type { StudioSchedule } from '../../domain/studio-settings.js';
import { PostForm, TextField, type TextFieldProps } from '../form.js';
import type { Mistakes, Typed } from './add-routes.js';
import { bookingsPath, linkToBooking } from '../links.js';
import { SlotFields } from './slot-fields.js';
import { personName } from './words.js';

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
export function AddPage(props: AddPageProps): VNode {
  const { typed, mistakes = {}, schedule, takenBy = null, isSame = false } = props;
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
        {schedule === 'closed' && (
          <p class="muted">The studio is closed then: only you can book it.</p>
        )}
        {schedule === 'busy' && (
          <p class="muted">Your calendar is busy then: only you can book it.</p>
        )}
        {schedule === 'no_session' && (
          <p class="muted">The weekly schedule has no session then: only you can book it.</p>
        )}
        {fields.map((field) => (
          <TextField
            key={field.name}
            {...field}
            optional={field.name !== 'name'}
            required={field.name === 'name'}
            value={typed[field.name]}
            mistake={mistakes[field.name]}
          />
        ))}
        <button>Add the booking</button>
      </PostForm>
    </>
  );
}

interface PersonField extends Pick<TextFieldProps, 'label' | 'type' | 'rows'> {
  name: PersonMember;
}

const fields: readonly PersonField[] = [
  { name: 'name', label: 'Name' },
  { name: 'phone', label: 'Phone', type: 'tel' },
  { name: 'email', label: 'E-mail', type: 'email' },
  { name: 'pronouns', label: 'Pronouns' },
  { name: 'idea', label: 'Idea', rows: 4 },
];
