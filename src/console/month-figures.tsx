import type { VNode } from 'preact';
import type { MonthFigure } from '../database/rows/results.js';
import {
  type ArtistFigures,
  type MonthFigures,
  monthFigures,
  monthFigureWords,
} from '../domain/studio/month-figures.js';
import { monthWords } from '../schedule/words.js';
import { pathWith } from './links.js';
import { Unseen } from './parts.js';

export const figuresPath = '/console/figures';
export const figuresCsvPath = '/console/figures.csv';

export const figureNames: Record<MonthFigure, string> = {
  sessions: 'Sessions',
  hours: 'Hours',
  no_shows: 'No-shows',
  cancelled: 'Cancelled',
  moved: 'Moved',
  assistant: 'Assistants',
  page: 'Our page',
  studio: 'Added by the studio',
  not_recorded: 'Not recorded',
};

/** The figures of a month beside those of the month before: by artist, and of all. */
export function MonthTable({ figures }: { figures: MonthFigures }): VNode {
  const { month, before, after, isByArtist, each } = figures;
  const words = (of: string) => monthWords(`${of}-01`);
  const linkTo = (path: string, of: string) => pathWith(path, { month: of });
  return (
    <section aria-labelledby="month">
      <h2 id="month">{words(month)}</h2>
      <nav class="days-nav" aria-label="Months">
        {[before, after].map((of) => (
          <a key={of} class="button quiet small" href={linkTo(figuresPath, of)}>
            {words(of)}
          </a>
        ))}
        <form action={figuresPath} class="inline">
          <label>
            <Unseen>Month</Unseen>
            <input type="month" name="month" value={month} placeholder="2026-11" required />
          </label>
          <button class="quiet small">Show</button>
        </form>
      </nav>
      <table class="figures">
        <thead>
          <tr>
            <th scope="col">
              <Unseen>Figure</Unseen>
            </th>
            <th scope="col">{monthWords(`${month}-01`, before)}</th>
            <th scope="col">{monthWords(`${before}-01`, month)}</th>
          </tr>
        </thead>
        {each.map((of) => (
          <ArtistRows key={of.artist?.id ?? 0} {...of} isByArtist={isByArtist} />
        ))}
      </table>
      <p class="muted">{monthFigureWords} The last lines are how the sessions came.</p>
      <p>
        <a class="button quiet small" href={linkTo(figuresCsvPath, month)} download>
          Save as a table (CSV)
        </a>
      </p>
    </section>
  );
}

function ArtistRows(props: ArtistFigures & Pick<MonthFigures, 'isByArtist'>): VNode {
  const { artist, shown, before, isByArtist } = props;
  // Only bookings of versions before 2.2.0 have no channel.
  const named = monthFigures.filter(
    (each) => each !== 'not_recorded' || shown[each] + before[each] > 0,
  );
  return (
    <tbody>
      {isByArtist && (
        <tr class="week-total">
          <th scope="rowgroup" colSpan={3}>
            {artist === null ? 'All' : <bdi>{artist.name}</bdi>}
          </th>
        </tr>
      )}
      {named.map((each) => (
        <tr key={each}>
          <th scope="row">{figureNames[each]}</th>
          <td>{shown[each]}</td>
          <td>{before[each]}</td>
        </tr>
      ))}
    </tbody>
  );
}
