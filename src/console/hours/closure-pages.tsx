import { type Static, Type } from '@sinclair/typebox';
import type { VNode } from 'preact';
import type { TimeSlot } from '../../../generated/schemas.js';
import type { BookingRow } from '../../database/schema.js';
import type { ListedBooking } from '../../domain/booking-record.js';
import { type ClosureRecord, maxClosureReasonLength } from '../../domain/closures.js';
import type { NewClosure } from '../../repositories/closures.js';
import { isCalendarDate } from '../../schedule/dates.js';
import { timeSlots } from '../../schedule/slots.js';
import { Field } from '../../web/field.js';
import { choice, form, text } from '../../web/forms.js';
import { listed, listedBookings, readListedBookings } from '../bookings/seen.js';
import { PostForm } from '../form.js';
import { hoursPath, newClosurePath } from '../links.js';
import { BookingLines, closureDates, closurePart, RemoveClosure } from './closure-parts.js';

export interface NewClosurePageProps {
  typed: TypedClosure;
  mistakes: FormMistakes;
  /** The bookings on these dates; null where there are no dates yet. */
  bookings: readonly BookingRow[] | null;
}

/** The form that closes dates, with the bookings that are on them. */
export function NewClosurePage({ typed, mistakes, bookings }: NewClosurePageProps): VNode {
  return (
    <PostForm action={newClosurePath} class="closure-form">
      <div class="pair">
        <Field
          name="from"
          label="First date"
          type="date"
          value={typed.from}
          mistake={mistakes.from}
        />
        <Field name="to" label="Last date" type="date" value={typed.to} mistake={mistakes.to} />
      </div>
      <div class="field">
        <label for="time_slot">What is closed</label>
        <select id="time_slot" name="time_slot">
          <option value="">The whole day</option>
          {timeSlots.map((slot) => (
            <option key={slot} value={slot} selected={slot === typed.timeSlot}>
              Only {slot}
            </option>
          ))}
        </select>
      </div>
      <Field
        name="reason"
        label="Reason"
        hint={`Only the studio reads it. At most ${maxClosureReasonLength} characters.`}
        optional
        value={typed.reason}
        mistake={mistakes.reason}
      />
      {bookings !== null && <BookingsThere bookings={bookings} typed={typed} />}
      <div class="acts">
        <button>Close</button>
        <button class="quiet" name="look" value="yes">
          Show the bookings on these dates
        </button>
        <a class="button quiet" href={hoursPath}>
          Back
        </a>
      </div>
    </PostForm>
  );
}

function BookingsThere({
  bookings,
  typed: { cancelBookings },
}: {
  bookings: readonly BookingRow[];
  typed: TypedClosure;
}): VNode {
  if (bookings.length === 0) return <p class="muted">No bookings are on these dates.</p>;
  return (
    <fieldset class="there">
      <legend>
        {bookings.length === 1 ? 'A booking is' : `${bookings.length} bookings are`} on these dates
      </legend>
      <input type="hidden" name="listed" value={listedBookings(bookings)} />
      <BookingLines bookings={bookings} />
      <label class="tick">
        <input type="radio" name="bookings" value="leave" checked={!cancelBookings} />
        Leave {bookings.length === 1 ? 'it' : 'them'}
      </label>
      <label class="tick">
        <input type="radio" name="bookings" value="cancel" checked={cancelBookings} />
        Cancel{' '}
        {bookings.length === 1 ? 'it; the person gets a mail' : 'them; the people get a mail'}
      </label>
    </fieldset>
  );
}

/** A closure, with the bookings that were left or cancelled. */
export function ClosurePage({ record }: { record: ClosureRecord }): VNode {
  const { closure, met, cancelled } = record;
  return (
    <>
      <dl class="facts">
        <div>
          <dt>When</dt>
          <dd>
            {closureDates(closure)}, {closurePart(closure)}
          </dd>
        </div>
        {closure.reason !== '' && (
          <div>
            <dt>Reason</dt>
            <dd>
              <bdi>{closure.reason}</bdi>
            </dd>
          </div>
        )}
      </dl>
      {met.length > 0 && (
        <>
          <h2>Still booked on these dates</h2>
          <BookingLines bookings={met} />
        </>
      )}
      {cancelled.length > 0 && (
        <>
          <h2>Cancelled with the closure</h2>
          <BookingLines bookings={cancelled} />
        </>
      )}
      {met.length + cancelled.length === 0 && <p class="muted">No bookings are on these dates.</p>}
      <RemoveClosure closure={closure} />
      <p>
        <a href={hoursPath}>All hours and closures</a>
      </p>
    </>
  );
}

/** The form as it was typed. */
export interface TypedClosure {
  from: string;
  to: string;
  /** Empty: the whole day. */
  timeSlot: TimeSlot | '';
  reason: string;
  cancelBookings: boolean;
}

export type TypedMember = 'from' | 'to' | 'reason';
export type FormMistakes = Partial<Record<TypedMember, string>>;

export interface PostedClosure {
  typed: TypedClosure;
  /** The bookings that the form showed. */
  listed: ListedBooking[];
  /** Whether only the bookings on the dates were asked for. */
  isLook: boolean;
}

export const closureSchema = form({
  from: text,
  to: text,
  /** Empty: the whole day. */
  time_slot: choice('', ...timeSlots),
  reason: text,
  bookings: Type.Optional(choice('leave', 'cancel')),
  listed: Type.Optional(listed),
  look: Type.Optional(text),
});

export function readClosureForm(posted: Static<typeof closureSchema.body>): PostedClosure {
  const { from, to, time_slot: timeSlot, bookings, listed = '', look } = posted;
  const reason = posted.reason.trim();
  return {
    typed: { from, to, timeSlot, reason, cancelBookings: bookings === 'cancel' },
    listed: readListedBookings(listed),
    isLook: look !== undefined,
  };
}

/** The dates, or what is wrong with them. A last date that is left empty is the first. */
export function closureOf(typed: TypedClosure): NewClosure | FormMistakes {
  const { from, to, timeSlot, reason } = typed;
  const mistakes: FormMistakes = {};
  if (!isCalendarDate(from)) mistakes.from = 'Give a date that exists, such as 2026-12-24.';
  if (to !== '' && !isCalendarDate(to)) mistakes.to = 'Give a date that exists, or none.';
  if (Object.keys(mistakes).length > 0) return mistakes;
  return { fromDate: from, toDate: to || from, timeSlot: timeSlot || null, reason };
}
