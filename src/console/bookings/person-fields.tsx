import type { VNode } from 'preact';
import type { PersonMember } from '../../domain/person.js';
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
