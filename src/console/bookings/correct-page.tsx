import type { VNode } from 'preact';
import type { BookingRow } from '../../database/schema.js';
import type { BookingRecord } from '../../domain/booking-record.js';
import { type GivenCorrections, requiredMembers } from '../../domain/correction.js';
import { personMembers } from '../../domain/person.js';
import { sessionOf } from '../../schedule/words.js';
import { form } from '../../web/forms.js';
import { personFields, type PersonMistakes, type TypedPerson } from '../../web/person-form.js';
import { PostForm } from '../form.js';
import { linkToBooking } from '../links.js';
import { DayAndHours } from '../session-hours.js';
import { PersonFields } from './person-fields.js';
import { seen, seenFields } from './seen.js';
import { personName, statusText } from './words.js';

export function correctTitle({ booking }: BookingRecord): string {
  return `Correct ${personName(booking)}`;
}

export const correctSchema = form({ ...seen, ...personFields });

/** A form that was refused. */
export interface RefusedCorrection {
  typed: TypedPerson;
  /** Of what was typed, which is kept; null: the booking has changed, which is shown beside it. */
  mistakes: PersonMistakes | null;
}

export interface CorrectPageProps {
  record: BookingRecord;
  hasMail: boolean;
  refused: RefusedCorrection | null;
}

/** The form that corrects what a booking says about its person. */
export function CorrectPage({ record, hasMail, refused }: CorrectPageProps): VNode {
  const { booking, status, hasBegun } = record;
  const path = linkToBooking(booking.id);
  const isMailed = hasMail && status === 'confirmed' && !hasBegun;
  const present = shownPerson(booking);
  const typed = refused?.typed ?? present;
  const isChanged = refused?.mistakes === null;
  return (
    <>
      <p>
        <strong>
          <DayAndHours of={sessionOf(booking)} />
        </strong>
        , {statusText(booking, status)}. <a href={path}>Back to the booking</a>
      </p>
      <PostForm action={`${path}/correct`} hidden={seenFields(booking)}>
        <PersonFields
          typed={isChanged ? present : typed}
          mistakes={refused?.mistakes ?? {}}
          hints={isChanged ? typedBefore(booking, typed) : {}}
          required={requiredMembers(booking)}
        />
        <p>
          Another e-mail address makes the link of the booking’s page a new one, which{' '}
          {isMailed ? 'the new address gets by mail' : 'you give to the person'}. The former link
          opens nothing any more, and the former address is never mailed again; a calendar entry
          that it has stays there. Of anything else the person is told nothing.
        </p>
        <button>Save the corrections</button>
      </PostForm>
    </>
  );
}

/** The details as the fields of a form show them. */
function shownPerson(booking: BookingRow): TypedPerson {
  const { name, email, phone, pronouns, idea } = booking;
  return {
    ...{ name: name ?? '', email: email ?? '', phone: phone ?? '' },
    pronouns: pronouns ?? '',
    // As a browser sends it back.
    idea: idea?.replaceAll('\r\n', '\n') ?? '',
  };
}

/** What a form gives anew: of the rest nothing is checked or stored. */
export function readCorrections(booking: BookingRow, typed: TypedPerson): GivenCorrections {
  const shown = shownPerson(booking);
  return Object.fromEntries(
    personMembers
      .map((member) => [member, typed[member].trim()] as const)
      .filter(([member, text]) => text !== shown[member]),
  );
}

/** Beside the details as they are now, those of the form that differ, typed there or only older. */
function typedBefore(booking: BookingRow, typed: TypedPerson): Partial<TypedPerson> {
  return Object.fromEntries(
    Object.entries(readCorrections(booking, typed)).map(([member, text]) => [
      member,
      text === '' ? 'Empty in your form.' : `In your form: ${text}`,
    ]),
  );
}
