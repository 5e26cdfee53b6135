import type { VNode } from 'preact';
import type { DatedDayRow, DayRow } from '../../database/rows/results.js';
import type { ArtistRecord } from '../../domain/studio/artists.js';
import { datesOf, datesWords } from '../../domain/studio/own-weeks.js';
import { isOfDates, type StudioWeek } from '../../domain/studio/week.js';
import { weekdayName } from '../../schedule/dates.js';
import { unbroken } from '../../schedule/words.js';
import { Field } from '../../web/field.js';
import { datedWeekPath, hoursPath, linkToArtist, linkToDatedWeek, weeksPath } from '../links.js';
import { FoldedForm } from '../parts.js';
import { BookingLines } from './closure-parts.js';
import type { RefusedWeek } from './save-week.js';
import type { FormDay } from './week-fields.js';
import { dayWords, WeekForm } from './week.js';

/** Whose a week is: the studio's (null) or an artist's. */
export interface Owner {
  artist: ArtistRecord | null;
  /** `The studio`, or a name. */
  name: string;
  dated: readonly DatedDayRow[];
}

export interface WeeksPageProps {
  studio: StudioWeek;
  /** Who has days of their own. */
  owners: readonly Owner[];
}

/** All weeks side by side, and those from a day to a day. */
export function WeeksPage({ studio: { week, bookingsOutside }, owners }: WeeksPageProps): VNode {
  return (
    <div class="weeks">
      <section aria-labelledby="every-week">
        <h2 id="every-week">Every week</h2>
        <div class="scrolled" role="region" aria-label="The days of every week" tabIndex={0}>
          <table>
            <thead>
              <tr>
                <td />
                {owners.map(({ artist, name }) => (
                  <th key={artist?.id} scope="col">
                    <a href={artist === null ? hoursPath : linkToArtist(artist.slug)}>
                      <bdi>{name}</bdi>
                    </a>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {week.map((day) => (
                <tr key={day.weekday}>
                  <th scope="row">{weekdayName(day.weekday)}</th>
                  {owners.map(({ artist }) => (
                    <td key={artist?.id}>{cellWords(day, artist)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </section>
      <section aria-labelledby="dated">
        <h2 id="dated">From a day to a day</h2>
        <p>
          {owners.map(({ artist, name }) => (
            <span key={artist?.id}>
              <a class="button quiet small" href={linkToDatedWeek(artist?.slug ?? null)}>
                Add dates for <bdi>{artist === null ? 'the studio' : name}</bdi>
              </a>{' '}
            </span>
          ))}
        </p>
        {owners.every(({ dated }) => dated.length === 0) && (
          <p class="muted">None from today on.</p>
        )}
        <ul class="closures">{owners.flatMap(datedWeeks)}</ul>
        {bookingsOutside.length > 0 && (
          <>
            <h2>Bookings outside these sessions</h2>
            <BookingLines bookings={bookingsOutside} canMove />
          </>
        )}
        <p>
          <a href={hoursPath}>Hours</a>
        </p>
      </section>
    </div>
  );
}

/** What a weekday is like: `09:00 to 20:00, sessions at 9:00 AM`, `as the studio`. */
function cellWords(studios: DayRow, artist: ArtistRecord | null): string {
  if (artist === null) return dayWords(studios, 'closed');
  const own = artist.week?.find(({ weekday }) => weekday === studios.weekday);
  return own === undefined ? 'as the studio' : dayWords(own, 'does not work');
}

/** The weeks of one owner, one for each pair of dates. */
function datedWeeks({ artist, name, dated }: Owner): VNode[] {
  const datesOfDay = (day: DatedDayRow) => ({ from: day.from_date, to: day.to_date });
  const firsts = dated.filter(
    (day, index) => dated.findIndex(isOfDates(datesOfDay(day))) === index,
  );
  return firsts.map(datesOfDay).map(({ from, to }) => {
    const days = dated.filter(isOfDates({ from, to }));
    const dates = datesWords({ from, to });
    return (
      <li key={`${artist?.slug} ${from} ${to}`}>
        <p>
          <a href={linkToDatedWeek(artist?.slug ?? null, { from, to })}>
            <bdi>{name}</bdi> {unbroken(dates)}
          </a>
        </p>
        <ul class="muted">
          {days.map((day) => (
            <li key={day.weekday}>
              {weekdayName(day.weekday)}:{' '}
              {dayWords(day, artist === null ? 'closed' : 'does not work')}
            </li>
          ))}
        </ul>
        <FoldedForm
          label="Remove"
          of={
            <>
              the week of <bdi>{name}</bdi> {dates}
            </>
          }
          action={`${weeksPath}/remove`}
          hidden={{ artist: artist?.slug ?? '', ...datesOf({ from, to }) }}
        >
          <p>The days of every week count then. Bookings that exist stay.</p>
          <button class="small">Remove the week</button>
        </FoldedForm>
      </li>
    );
  });
}

export interface DatedWeekPageProps {
  artist: ArtistRecord | null;
  /** Whether a stored week is changed, whose dates stay. */
  isStored: boolean;
  from: string;
  to: string;
  days: readonly FormDay[];
  refused: RefusedWeek;
  dateMistake: string | undefined;
}

/** The form of a week from a day to a day. */
export function DatedWeekPage(props: DatedWeekPageProps): VNode {
  const { artist, isStored, from, to, days, refused, dateMistake } = props;
  return (
    <WeekForm
      {...refused}
      action={datedWeekPath}
      hidden={{ artist: artist?.slug ?? '', ...(isStored && { from, to }) }}
      days={days}
      usual="as every week"
      off={artist === null ? 'closed' : 'not here'}
      buttons={
        <div class="acts">
          <button>Save these days</button>
          <a class="button quiet" href={weeksPath}>
            Back
          </a>
        </div>
      }
    >
      {!isStored && (
        <>
          <Field name="from" label="First day" type="date" value={from} mistake={dateMistake} />
          <Field name="to" label="Last day" type="date" value={to} mistake={undefined} />
        </>
      )}
      <p class="muted">
        A day that you change counts instead of that of every week.
        {artist !== null && ' A day without times has the studio’s hours.'} Bookings that exist
        stay.
      </p>
    </WeekForm>
  );
}
