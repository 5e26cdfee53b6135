import type { VNode } from 'preact';
import type { PersonMember } from '../../domain/person.js';
import { timeSlots } from '../../schedule/slots.js';
import { sessionLengthWords } from '../../schedule/words.js';
import { Field, type FieldProps } from '../../web/field.js';
import type { PersonMistakes, TypedPerson } from '../../web/person-form.js';

export interface PersonFieldsProps {
  typed: TypedPerson;
  mistakes?: PersonMistakes;
  hints?: Partial<TypedPerson>;
  required: readonly PersonMember[];
}

/** The fields of a person's details. */
export function PersonFields(props: PersonFieldsProps): VNode {
  const { typed, mistakes = {}, hints = {}, required } = props;
  return (
    <>
      {fields.map(({ name, ...field }) => {
        const hint = hints[name];
        return (
          <Field
            key={name}
            name={name}
            {...field}
            {...(hint !== undefined && { hint })}
            optional={!required.includes(name)}
            required={required.includes(name)}
            value={typed[name]}
            mistake={mistakes[name]}
          />
        );
      })}
    </>
  );
}

interface PersonField extends Pick<FieldProps, 'label' | 'type' | 'rows'> {
  name: PersonMember;
}

const fields: readonly PersonField[] = [
  { name: 'name', label: 'Name' },
  { name: 'phone', label: 'Phone', type: 'tel' },
  { name: 'email', label: 'E-mail', type: 'email' },
  { name: 'pronouns', label: 'Pronouns' },
  { name: 'idea', label: 'Idea', rows: 4 },
];

export interface SlotFieldsProps {
  date: string;
  timeSlot: string;
  mistake?: string | undefined;
}

/** A date and a session, of any day. */
export function SlotFields({ date, timeSlot, mistake }: SlotFieldsProps): VNode {
  const shared = {
    'aria-describedby': mistake === undefined ? undefined : 'slot-mistake',
    'aria-invalid': mistake === undefined ? undefined : ('true' as const),
  };
  return (
    <div class="slot-fields">
      <div>
        <label for="date">Date</label>
        <input id="date" type="date" name="date" value={date} required {...shared} />
      </div>
      <div>
        <label for="time_slot">Session, {sessionLengthWords}</label>
        <select id="time_slot" name="time_slot" {...shared}>
          {timeSlots.map((each) => (
            <option key={each} value={each} selected={each === timeSlot}>
              {each}
            </option>
          ))}
        </select>
      </div>
      {mistake !== undefined && (
        <p class="mistake" id="slot-mistake">
          {mistake}
        </p>
      )}
    </div>
  );
}
