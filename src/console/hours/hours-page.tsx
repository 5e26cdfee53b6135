import type { VNode } from 'preact';
import type { ClosureRow } from '../../database/schema.js';
import type { OpenedDay } from '../../domain/openings.js';
import type { StudioWeek } from '../../domain/week.js';
import { linkToClosure, newClosurePath, newOpeningPath, undecidedPath } from '../links.js';
import { BookingLines, closureDates, closurePart, RemoveClosure } from './closure-parts.js';
import { OpeningList } from './openings.js';
import { WeekForm, type WeekFormProps } from './week.js';

export interface HoursPageProps extends Omit<WeekFormProps, 'week'> {
  studioWeek: StudioWeek;
  closures: readonly ClosureRow[];
  openings: readonly OpenedDay[];
}

/** The week, and the dates on which it does not hold. */
export function HoursPage({ studioWeek, closures, openings, ...form }: HoursPageProps): VNode {
  const { week, bookingsOutside } = studioWeek;
  return (
    <div class="hours">
      <section aria-label="The week">
        <p class="muted">
          The hours are shown to people; the sessions are what they can book. Bookings that exist
          stay.
        </p>
        <WeekForm week={week} {...form} />
        {bookingsOutside.length > 0 && (
          <>
            <h2>Bookings outside these sessions</h2>
            <BookingLines bookings={bookingsOutside} />
          </>
        )}
      </section>
      <section aria-label="Single dates">
        <h2>Closures</h2>
        <p>
          <a class="button quiet small" href={newClosurePath}>
            Close dates
          </a>{' '}
          <a class="button quiet small" href={undecidedPath}>
            Sessions on closed days
          </a>
        </p>
        {closures.length === 0 ? (
          <p class="muted">None from today on.</p>
        ) : (
          <ul class="closures">
            {closures.map((closure) => (
              <li key={closure.id}>
                <p>
                  <a href={linkToClosure(closure.id)}>{closureDates(closure)}</a>
                  <span class="muted"> · {closurePart(closure)}</span>
                </p>
                {closure.reason !== '' && (
                  <p class="muted">
                    <bdi>{closure.reason}</bdi>
                  </p>
                )}
                <RemoveClosure closure={closure} />
              </li>
            ))}
          </ul>
        )}
        <h2>Opened days</h2>
        <p>
          <a class="button quiet small" href={newOpeningPath}>
            Open a day
          </a>
        </p>
        <OpeningList openings={openings} />
      </section>
    </div>
  );
}
