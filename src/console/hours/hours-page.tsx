import type { VNode } from 'preact';
import type { ClosureRow } from '../../database/schema.js';
import type { StudioWeek } from '../../domain/week.js';
import { linkToClosure, newClosurePath } from '../links.js';
import { BookingLines, closureDates, closurePart, RemoveClosure } from './closure-parts.js';
import { WeekForm, type WeekFormProps } from './week.js';

export interface HoursPageProps extends Omit<WeekFormProps, 'week'> {
  studioWeek: StudioWeek;
  closures: readonly ClosureRow[];
}

/** The week, and the dates on which it does not hold. */
export function HoursPage({ studioWeek, closures, ...form }: HoursPageProps): VNode {
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
      <section aria-labelledby="closures">
        <h2 id="closures">Closures</h2>
        <p>
          <a class="button quiet small" href={newClosurePath}>
            Close dates
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
      </section>
    </div>
  );
}
