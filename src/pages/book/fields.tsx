import type { VNode } from 'preact';
import type { StudioRow } from '../../database/rows/studio.js';
import { maxLengthOf, type PersonMember } from '../../domain/booking/person.js';
import { useLanguage } from '../../locales/context.js';
import { Field } from '../../web/field.js';
import { mistakeWords, type PersonMistakes, type TypedPerson } from '../../web/person-form.js';

/** The first mail to the person: none, the confirmation, or the code for confirming. */
export type EmailUse = 'none' | 'confirmation' | 'code';

export interface FieldsProps {
  studio: StudioRow;
  typed: TypedPerson;
  mistakes: PersonMistakes;
  emailUse: EmailUse;
}

/** The fields of a person. A mistake is beside its field, which refers to it. */
export function Fields({ studio, typed, mistakes, emailUse }: FieldsProps): VNode {
  const language = useLanguage();
  const { t } = language;
  const field = (name: PersonMember) => ({
    name,
    label: t(`form.${name}`),
    value: typed[name],
    mistake: mistakes[name] && mistakeWords(language, mistakes[name]),
  });
  return (
    <>
      <Field {...field('name')} required autocomplete="name" />
      <Field
        {...field('email')}
        hint={t(`form.email.hint.${emailUse}`)}
        required
        type="email"
        autocomplete="email"
      />
      <Field
        {...field('phone')}
        hint={t('form.phone.hint', { email: studio.email })}
        required
        type="tel"
        autocomplete="tel"
      />
      <Field {...field('pronouns')} optional hint={t('form.pronouns.hint')} />
      <Field
        {...field('idea')}
        optional
        hint={t('form.idea.hint', { limit: maxLengthOf('idea') })}
        rows={5}
      />
    </>
  );
}
