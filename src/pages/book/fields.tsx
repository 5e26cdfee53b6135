import type { VNode } from 'preact';
import type { StudioRow } from '../../database/rows/studio.js';
import type { PersonMember } from '../../domain/booking/person.js';
import { Field } from '../../web/field.js';
import type { PersonMistakes, TypedPerson } from '../../web/person-form.js';

/** The first mail to the person: none, the confirmation, or the code for confirming. */
export type EmailUse = 'none' | 'confirmation' | 'code';

const emailUses: Record<EmailUse, string> = {
  none: '',
  confirmation: 'We mail your confirmation there. ',
  code: 'We mail you a code there, which you need to confirm. ',
};

export interface FieldsProps {
  studio: StudioRow;
  typed: TypedPerson;
  mistakes: PersonMistakes;
  emailUse: EmailUse;
}

/** The fields of a person. A mistake is beside its field, which refers to it. */
export function Fields({ studio, typed, mistakes, emailUse }: FieldsProps): VNode {
  const field = (name: PersonMember) => ({ name, value: typed[name], mistake: mistakes[name] });
  return (
    <>
      <Field {...field('name')} label="Your name" required autocomplete="name" />
      <Field
        {...field('email')}
        label="Your e-mail address"
        hint={`${emailUses[emailUse]}Please check it: it cannot be changed later.`}
        required
        type="email"
        autocomplete="email"
      />
      <Field
        {...field('phone')}
        label="Your phone number"
        hint={`A US number, such as (555) 555-0142. Without one, write to ${studio.email}.`}
        required
        type="tel"
        autocomplete="tel"
      />
      <Field {...field('pronouns')} label="Your pronouns" optional hint="For example she/her." />
      <Field
        {...field('idea')}
        label="Your idea"
        optional
        hint="What you would like, where on the body, and about how large. At most 2,000 characters."
        rows={5}
      />
    </>
  );
}
