import type { VNode } from 'preact';
import type { OpenTimes } from '../../board/open-times.js';
import { WEEKDAYS, weekdayName } from '../../schedule/dates.js';
import { timeSlots } from '../../schedule/slots.js';
import { bookPath } from '../../web/book-link.js';
import type { View } from './view.js';

export interface FilterProps {
  view: View;
  openTimes: OpenTimes;
}

/** Narrows the open times to days of the week and times of day. */
export function Filter({ view, openTimes: { offered, shown } }: FilterProps): VNode {
  const { weekdays, times, theme, artist } = view;
  const chosen = [...weekdays.map((each) => weekdayName(WEEKDAYS.indexOf(each) + 1)), ...times];
  return (
    <details class="filter">
      <summary>
        {chosen.length === 0 ? 'Only some days or times' : `Only ${chosen.join(', ')}`}
      </summary>
      <form method="get" action={bookPath} target="_self">
        <input type="hidden" name="from" value={shown.from} />
        {theme !== null && <input type="hidden" name="theme" value={theme} />}
        {artist !== null && <input type="hidden" name="artist" value={artist.slug} />}
        <fieldset>
          <legend>Days</legend>
          {WEEKDAYS.map((weekday, index) => (
            <Choice
              key={weekday}
              name="weekday"
              value={weekday}
              label={weekdayName(index + 1)}
              chosen={weekdays}
              offered={offered.weekdays}
            />
          ))}
        </fieldset>
        <fieldset>
          <legend>Times of day</legend>
          {timeSlots.map((time) => (
            <Choice
              key={time}
              name="time"
              value={time}
              label={time}
              chosen={times}
              offered={offered.times}
            />
          ))}
        </fieldset>
        <div class="actions">
          <button>Show these</button>
        </div>
      </form>
    </details>
  );
}

interface ChoiceProps {
  name: string;
  value: string;
  label: string;
  chosen: readonly string[];
  offered: readonly string[];
}

/** A checkbox, unless nothing is open then and it was not chosen. */
function Choice({ name, value, label, chosen, offered }: ChoiceProps): VNode | null {
  const isChosen = chosen.includes(value);
  if (!isChosen && !offered.includes(value)) return null;
  return (
    <label>
      <input type="checkbox" name={name} value={value} checked={isChosen} /> {label}
    </label>
  );
}
