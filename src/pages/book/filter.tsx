import type { VNode } from 'preact';
import type { OpenTimes } from '../../board/open-times.js';
import { useLanguage } from '../../locales/context.js';
import { WEEKDAYS } from '../../schedule/dates.js';
import { timeSlots } from '../../schedule/slots.js';
import { timesIn } from '../../schedule/times.js';
import { bookPath } from '../../web/book-link.js';
import type { View } from './view.js';

export interface FilterProps {
  view: View;
  openTimes: OpenTimes;
}

/** Narrows the open times to days of the week and times of day. */
export function Filter({ view, openTimes: { offered, shown } }: FilterProps): VNode {
  const { weekdays, times, theme, artist } = view;
  const language = useLanguage();
  const { t } = language;
  const { slotWords, weekdayWords } = timesIn(language);
  const choices = language.list([
    ...weekdays.map((each) => weekdayWords(each)),
    ...times.map((each) => slotWords(each)),
  ]);
  return (
    <details class="filter">
      <summary>{choices === '' ? t('book.filter') : t('book.filter.chosen', { choices })}</summary>
      <form method="get" action={bookPath} target="_self">
        <input type="hidden" name="from" value={shown.from} />
        {theme !== null && <input type="hidden" name="theme" value={theme} />}
        {artist !== null && <input type="hidden" name="artist" value={artist.slug} />}
        <fieldset>
          <legend>{t('book.filter.days')}</legend>
          {WEEKDAYS.map((weekday) => (
            <Choice
              key={weekday}
              name="weekday"
              value={weekday}
              label={weekdayWords(weekday)}
              chosen={weekdays}
              offered={offered.weekdays}
            />
          ))}
        </fieldset>
        <fieldset>
          <legend>{t('book.filter.times')}</legend>
          {timeSlots.map((time) => (
            <Choice
              key={time}
              name="time"
              value={time}
              label={slotWords(time)}
              chosen={times}
              offered={offered.times}
            />
          ))}
        </fieldset>
        <div class="actions">
          <button>{t('book.filter.button')}</button>
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
