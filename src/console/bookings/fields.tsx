import { Type } from '@sinclair/typebox';
import type { VNode } from 'preact';
import type { BookingRow } from '../../database/rows/schema.js';
import type { PersonMember } from '../../domain/booking/person.js';
import type { ListedBooking, SeenBooking } from '../../domain/studio/booking-record.js';
import { english } from '../../locales/language.js';
import { timeSlots } from '../../schedule/slots.js';
import { sessionLengthWords } from '../../schedule/words.js';
import { Field, type FieldProps } from '../../web/field.js';
import { choice, count, text } from '../../web/forms.js';
import {
  mistakeWords as personMistakeWords,
  type PersonMistake,
  type PersonMistakes,
  type TypedPerson,
} from '../../web/person-form.js';
import { type Sealing, unseal } from '../sealed.js';

export interface PersonFieldsProps {
  typed: TypedPerson;
  mistakes?: PersonMistakes;
  hints?: Partial<TypedPerson>;
  required: readonly PersonMember[];
}

export function PersonFields(props: PersonFieldsProps): VNode {
  const { typed, mistakes = {}, hints = {}, required } = props;
  return (
    <>
      {fields.map(({ name, ...field }) => {
        const hint = hints[name];
        const mistake = mistakes[name];
        return (
          <Field
            key={name}
            name={name}
            {...field}
            {...(hint !== undefined && { hint })}
            optional={!required.includes(name)}
            required={required.includes(name)}
            value={typed[name]}
            mistake={mistake && mistakeWords(mistake)}
          />
        );
      })}
    </>
  );
}

const nouns: TypedPerson = {
  name: 'a name',
  email: 'an e-mail address',
  phone: 'a phone number',
  pronouns: 'pronouns',
  idea: 'an idea',
};

function mistakeWords(mistake: PersonMistake): string {
  const noun = nouns[mistake.member];
  switch (mistake.reason) {
    case 'missing':
      return `Please type ${noun}.`;
    case 'wrong':
      return personMistakeWords(english, mistake);
    case 'characters':
      return `Some characters in ${noun} cannot be stored. Please leave them out.`;
    case 'too_long': {
      const [limit, length] = [english.number(mistake.limit), english.number(mistake.length)];
      const subject = `${noun.charAt(0).toUpperCase()}${noun.slice(1)}`;
      return `${subject} can have at most ${limit} characters; there are ${length}.`;
    }
  }
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

/** The hidden fields by which a form says how its page showed the booking. */
export function seenFields({ sequence, no_show_at }: BookingRow): Record<string, string | number> {
  return { sequence, missed: no_show_at === null ? 'no' : 'yes' };
}

export const seen = { sequence: count, missed: choice('yes', 'no') };

/** The inverse of `seenFields`. */
export function readSeen(body: { sequence: number; missed: 'yes' | 'no' }): Required<SeenBooking> {
  return { sequence: body.sequence, isMissed: body.missed === 'yes' };
}

/** The hidden field of a form for the bookings that its page listed. */
export function listedBookings(bookings: readonly ListedBooking[]): string {
  return bookings.map(({ id, sequence }) => `${id}:${sequence}`).join(' ');
}

export const listed = Type.String({ pattern: '^([0-9a-f-]{36}:\\d{1,9}( |$))*$' });

/** The inverse of `listedBookings`. */
export function readListedBookings(field: string): ListedBooking[] {
  return [...field.matchAll(/([0-9a-f-]{36}):(\d+)/g)].map(([, id = '', sequence]) => ({
    id,
    sequence: Number(sequence),
  }));
}

/**
 * The field of a form that was asked about: the bookings to which the next press agrees. Their ids are
 * sealed, since an artist may not see those of others.
 */
export const agreeing = { agreed: Type.Optional(text) };

export function readAgreed(
  context: Sealing,
  { agreed: sealed }: { agreed?: string | undefined },
): string[] {
  return unseal(context, sealed, 'console agreement')?.split(' ') ?? [];
}
