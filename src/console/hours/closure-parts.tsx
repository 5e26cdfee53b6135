import type { VNode } from 'preact';
import type { BookingRow, ClosureRow } from '../../database/rows/schema.js';
import { personName } from '../../domain/studio/words.js';
import { sessionOf } from '../../schedule/times.js';
import { hoursWords } from '../../schedule/words.js';
import { Whose } from '../artist-choice.js';
import { PersonLink } from '../bookings/words.js';
import { linkToBooking, linkToClosure } from '../links.js';
import { DayAndHours, longDate } from '../moment.js';
import { FoldedForm, Unseen } from '../parts.js';

interface BookingLinesProps {
  bookings: readonly BookingRow[];
  /** The note of a confirmed booking. */
  note?: (booking: BookingRow) => string;
  /** Whether each has a link to the page that moves it, too. */
  canMove?: boolean;
}

/** Bookings, one per line, with links. */
export function BookingLines({
  bookings,
  note = () => '',
  canMove = false,
}: BookingLinesProps): VNode {
  return (
    <ul class="booking-lines">
      {bookings.map((booking) => (
        <li key={booking.id}>
          <span>
            <DayAndHours of={sessionOf(booking)} />
          </span>
          {booking.artist_name === null ? ' ' : ' · '}
          <PersonLink booking={booking} />
          <span class="muted">
            {booking.status === 'pending' && ' held'}
            {booking.status === 'cancelled' && ' cancelled'}
            {booking.status === 'confirmed' && ` ${note(booking)}`}
          </span>
          {canMove && (
            <>
              {' '}
              <a href={`${linkToBooking(booking.id)}/move`}>
                Move
                <Unseen>
                  {' '}
                  the booking of <bdi>{personName(booking)}</bdi>
                </Unseen>
              </a>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The dates of a closure: `Thursday, December 24, 2026 to Friday, January 1, 2027`. */
export function closureDates({ from_date, to_date }: ClosureRow): string {
  return from_date === to_date
    ? longDate(from_date)
    : `${longDate(from_date)} to ${longDate(to_date)}`;
}

/** What is closed on each date: `whole day`, `1:00 PM only`, `1:00 – 3:00 PM`. */
export function closurePart({ time_slot, from_time, to_time }: ClosureRow): string {
  if (from_time !== null && to_time !== null) return hoursWords(from_time, to_time);
  return time_slot === null ? 'whole day' : `${time_slot} only`;
}

/** The form that removes a closure. `day`: the page to come back to; without it, the hours. */
export function RemoveClosure({ closure, day }: { closure: ClosureRow; day?: string }): VNode {
  return (
    <FoldedForm
      label="Open again"
      of={
        <>
          {closureDates(closure)}
          <Whose artistId={closure.artist_id} before=", " />
        </>
      }
      action={`${linkToClosure(closure.id)}/remove`}
      hidden={day === undefined ? {} : { day }}
    >
      <p>
        People can book the sessions again that only this closure closes. Bookings that were
        cancelled stay cancelled; who is asked to choose another time stays asked until you decide
        otherwise.
      </p>
      <button class="small">Remove the closure</button>
    </FoldedForm>
  );
}
