import type { VNode } from 'preact';
import { timeSlots } from '../../schedule/slots.js';
import type { BookingRow } from '../../database/schema.js';
import { type ClosureRecord, maxClosureReasonLength } from '../../domain/closures.js';
import { listedBookings } from '../bookings/seen.js';
import { PostForm, TextField } from '../form.js';
import { BookingLines, closureDates, closurePart, RemoveClosure } from './closure-parts.js';
import type { FormMistakes, TypedClosure } from './closure-routes.js';
import { hoursPath, newClosurePath } from '../links.js';

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
        <TextField
          name="from"
          label="First date"
          type="date"
          value={typed.from}
          mistake={mistakes.from}
        />
        <TextField name="to" label="Last date" type="date" value={typed.to} mistake={mistakes.to} />
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
      <TextField
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
